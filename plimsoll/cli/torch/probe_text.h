#pragma once

#include "plimsoll/probe/probe.h"

namespace plimsoll::cli {

void print_numeric_rank(const probe::NumericReport& report);
void print_spectra(const probe::SpectraReport& report);
// `all_pairs`: the whole matrix; otherwise for every layer of the first network the most similar one of the
// second.
void print_cka(const probe::CkaReport& report, bool all_pairs);

}  // namespace plimsoll::cli
