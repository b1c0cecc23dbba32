#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/cli/doctor/blas_facts.h"

namespace plimsoll::cli {

// How a finding of the doctor stands: fine, worth knowing, or in need of action.
enum class CheckState { passed, note, act };

// One thing the doctor looked at.
struct DoctorCheck {
    CheckState state = CheckState::passed;
    std::string thing;  // "slurm"
    std::string found;  // "22.05.8", "not on the PATH"
    std::string bring;  // the command that would bring what is missing; empty when nothing is
};

// What this binary was built with and what this machine offers it.
std::vector<DoctorCheck> examine();

// The finding on a BLAS, with the command that brings the good one.
DoctorCheck examine_blas(const BlasFacts& blas);

// "avx512f avx2 sse2", the SIMD sets of this CPU.
DoctorCheck examine_simd();

// Prints the findings as a table for people or as JSON for programs; ends with `next`, a command, when given.
void print_findings(const std::vector<DoctorCheck>& findings, const std::string& next, bool as_json);

}  // namespace plimsoll::cli
