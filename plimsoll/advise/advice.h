#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/advise/advice_request.h"
#include "plimsoll/advise/compute.h"
#include "plimsoll/advise/load_line.h"
#include "plimsoll/base/json.h"

// What advise() answers.
namespace plimsoll::advise {

// One network with its costs and its place. Costs are arch::count's.
struct ShapeReport {
    std::string label;
    std::string source;  // of somebody else's rule; empty for ours
    std::string note;
    Layout layout;
    arch::ArchSpec spec;
    std::int64_t parameters = 0, embedding_parameters = 0;
    double forward_flops = 0;       // per unit
    double training_flops = 0;      // per unit, forward and backward
    double kv_bytes_per_token = 0;  // 2 bytes a value; 0 where nothing is cached
    double capacity = 0;            // log_3 of the repaired bound, in doubles
    double capacity_share = 0;      // of the best at this budget
    double knee = 0;                // T, in layers (blocks of a mixer)
    double depth_over_knee = 0;
    double expected_loss = 0;  // percent beside the best of this budget, by the load line; 0 for mixers
    DepthCost depth_cost;      // of its depth beside the best of its own size; 0 for mixers
    std::optional<double> kaplan_loss_percent;  // read out of Kaplan et al., figure 5
};

// Whether a reason asks for something.
enum class Severity { passed, note, act };
// "passed", "note" or "act".
std::string_view name_of(Severity severity);
constexpr std::array<Severity, 3> all_values(Severity) {
    return {Severity::passed, Severity::note, Severity::act};
}

// One number that speaks for or against the answer.
struct Reason {
    std::string rule;  // R1 .. R10 of docs/ADVICE.md
    std::string name;
    std::string value;  // as shown
    std::string line;   // what it should be
    std::string reading;
    std::string claim;  // an id of `plimsoll bounds`
    Severity severity = Severity::passed;

    // How the claim is known, by theory's status table: "upper bound proved", "reported".
    [[nodiscard]] std::string standing() const;
};

// What decided among the shapes that the window leaves.
enum class DecidedBy {
    load_line,  // the least expected loss; ties by what the request names
    capacity,   // the most capacity: mixers
    outside,    // no shape of the budget reaches the valley or the window
};
// "load line", "outside the window".
std::string_view name_of(DecidedBy decided);

// A depth and the capacity of the widest network of that depth, for the drawing.
struct CurvePoint {
    std::int64_t depth = 0, width = 0;
    double capacity = 0, share = 0, depth_over_line = 0;
    double expected_loss = 0;  // percent beside the best of this budget; 0 for mixers
};

// What training the answer takes, by the assumptions of compute.h.
struct TrainingCost {
    double tokens = 0, flops = 0;
    Card card;
    double hours = 0;  // of that card
};

// The answer with all that speaks for and against it.
struct Advice {
    AdviceRequest request;  // with every choice resolved
    ShapeReport answer;
    DecidedBy decided = DecidedBy::load_line;
    bool narrowed_by_rank = false;            // a wider shape of less expected loss was passed over by R7
    std::optional<DepthJudgement> judgement;  // of the answer; none for mixers
    std::optional<TrainingCost> training;     // for tokens
    double proved_lower = 0;                  // log_3 reached on continuous inputs by almost all weights
    double certified_lower = 0, certified_upper = 0;  // of the answer's capacity
    std::optional<double> string_cap;                 // (N/2) log_3 V
    std::optional<std::int64_t> saturated;            // L_sat at the answer's width
    double window_low = 0, window_high = 0;           // in units of the line
    double band_low = 0, band_high = 0;               // the default part of the window
    std::string line_name;                            // "load line" or "log2 C"
    double line = 0;                                  // the line at the answer
    std::int64_t best_depth = 0, best_width = 0;      // where capacity is largest at this budget
    double best_capacity = 0;
    std::vector<Reason> reasons;
    std::vector<std::string> sentences;  // why, in words
    std::vector<std::string> warnings;
    std::vector<ShapeReport> alternatives;
    std::vector<ShapeReport> rivals;
    std::vector<std::string> rival_notes;
    std::vector<CurvePoint> curve;
    std::int64_t shapes_scanned = 0;
};

// A share as people read it: 37 %, 1.3 %, 0.04 %.
std::string share_text(double share);

// Everything, for programs.
Json to_json(const Advice& advice);

}  // namespace plimsoll::advise
