#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/advise/advice.h"
#include "plimsoll/arch/spec.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/fit/look/data_look.h"

namespace plimsoll::fit {

// One thing that audit's rules say about a shape; rules and standings are those of docs/ADVICE.md.
struct RuleReading {
    std::string rule;      // "R7"
    std::string name;      // "embedding rank to width"
    std::string value;     // "64 : 400"
    std::string line;      // what it should be: "0.5"
    std::string sentence;  // the reading in words
    std::string standing;  // by theory's status table: "upper bound proved", "conjectured"
    advise::Severity severity = advise::Severity::passed;

    bool operator==(const RuleReading&) const = default;
};

// One network of the race. What is counted is arch::count's.
struct Candidate {
    std::string id;     // "c07"
    std::string label;  // "6 x 96, 3 heads, bpe-500"
    std::string rival;  // "" for ours; "nanochat", "levine-law", "12-layers", joined by '+' where they agree
    arch::ArchSpec spec;
    InputChoice input;
    std::string family;
    std::int64_t depth = 0, width = 0;  // layers or blocks; width or channels
    std::int64_t parameters = 0;
    double flops_per_unit = 0;  // training FLOPs per byte, image, pair or sequence
    double capacity = 0;        // log_3 of the repaired bound, in doubles
    double capacity_share = 0;  // of the largest that any depth to 256 has at this budget
    double knee = 0;            // T, in layers or blocks
    double line = 0;            // what depth is compared with: T, or log2 C of a mixer
    double depth_over_knee = 0, depth_over_log2_width = 0;
    std::vector<RuleReading> findings;
    double theory_score =
        0;            // the place that theory gives it in its family, 1 is first; equal places are ties
    std::string why;  // why it is in the race

    [[nodiscard]] double depth_over_line() const { return static_cast<double>(depth) / line; }
    [[nodiscard]] bool is_rival() const { return !rival.empty(); }
};

// The way to cut the data that a family's depths race on.
struct FamilyInput {
    std::string family, input;

    bool operator==(const FamilyInput&) const = default;
};

// The networks that find the learning rate and the way to cut the data before the depths race.
struct Trials {
    std::vector<Candidate> networks;  // one on each input of a family, theory's input first; ids "t01", ...
    std::vector<FamilyInput> chosen;  // of each family, by the race; empty while it has not been found
};

// Everything that races, and what theory says before it.
struct Proposal {
    std::int64_t budget = 0;            // parameters
    std::string budget_source;          // "asked for", or how it was chosen
    std::string unit;                   // of flops_per_unit: "byte", "token", "image", "pair", "sequence"
    std::vector<Candidate> candidates;  // the table: of each family on one input
    std::optional<Trials> trials;       // none where no family has two inputs
    std::string favourite;              // id of what theory would choose without a race
    std::vector<std::string> pruned;    // what was left out, and why
    std::vector<std::string> notes;     // about the rivals' rules
    std::int64_t expected_low = 0, expected_high = 0;  // depths of the band at this budget
    std::string prediction;                            // one sentence, written before the race
};

// The budget_source of a race whose machine was too slow for the usual size.
inline constexpr const char* limited_by_machine = "what this machine can race";

// The proposal as OUT/steps/proposal.json holds it; proposal_from_json() reverses it exactly.
Json to_json(const Proposal& proposal);
Result<Proposal> proposal_from_json(const Json& json);

// The candidates, then those that are tried before the table.
std::vector<const Candidate*> networks_of(const Proposal& proposal);

// The network of that id, of the table or tried before it; null when there is none.
const Candidate* find_candidate(const Proposal& proposal, const std::string& id);

// Whether a rule judges this candidate with "act".
bool hampered_by(const Candidate& candidate, std::string_view rule);

}  // namespace plimsoll::fit
