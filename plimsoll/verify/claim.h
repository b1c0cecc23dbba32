#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/verify/measurements.h"
#include "plimsoll/verify/observation.h"

// Claims of the papers and of our repairs, put to the test by measurements.
namespace plimsoll::verify {

// How much is tried: quick takes under a minute on two cores, normal minutes, deep longer. Each includes the
// one before.
enum class Effort { quick, normal, deep };
std::string_view to_text(Effort effort);
Result<Effort> parse_effort(std::string_view text);

// What the cases say together.
enum class ClaimVerdict { holds, fails, undecided };
std::string_view to_text(ClaimVerdict verdict);

// One case of a claim.
struct Trial {
    std::string name;     // "L=2 d=2 H=1 N=4"
    std::string command;  // what a reader types to see it again; empty: the claim's own command
    std::function<Result<Observation>(Measurements&)> observe;
};

// A claim on trial.
struct Claim {
    std::string id;         // as in docs/bounds, or a variant of it
    std::string statement;  // one sentence
    ClaimVerdict expected = ClaimVerdict::holds;
    std::string because;  // why it is expected to fail: "erratum E1: ..."; empty when it holds
    // The cases of an effort, smallest first.
    std::function<std::vector<Trial>(Effort)> trials;
};

// How the claim is known, by theory's status table: "proved for odd d_a"; empty for a variant, which the
// table has no line for.
std::string standing_text(const Claim& claim);

// A case after the measurement.
struct TriedCase {
    std::string name, command;
    Observation observation;
};

// A claim after its trial.
struct ClaimReport {
    const Claim* claim = nullptr;
    ClaimVerdict verdict = ClaimVerdict::undecided;
    std::vector<TriedCase> cases;  // smallest first
    double seconds = 0;

    [[nodiscard]] std::size_t count(Outcome outcome) const;
    // The smallest case with this outcome, or null.
    [[nodiscard]] const TriedCase* first(Outcome outcome) const;
    [[nodiscard]] bool as_expected() const { return verdict == claim->expected; }
};

// Tries every case of the claim; one that fails is enough for "fails", one that decides nothing keeps the
// rest from being "holds".
Result<ClaimReport> put_to_the_test(const Claim& claim, Effort effort, Measurements& measurements,
                                    const ProgressCallback& progress = {});

// Every claim, in the order of SPEC: separation rank, Levine, repairs, Wies, Navon, Hayase, capacity,
// attainment.
const std::vector<Claim>& all_claims();

// The claims that the words name: an id, or the beginning of ids up to a hyphen or a variant's letter
// (NAVON, NAVON-L5.2). No words: all. An unknown word is a not_found error with near misses.
Result<std::vector<const Claim*>> find_claims(const std::vector<std::string>& words);

}  // namespace plimsoll::verify
