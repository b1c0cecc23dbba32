#pragma once

#include <string>
#include <vector>

#include "plimsoll/audit/findings/finding.h"
#include "plimsoll/audit/models/target.h"
#include "plimsoll/audit/shape_numbers.h"

// The pieces of diagnose(): each adds its findings, or says in `not_analysed` why there is none.
namespace plimsoll::audit {

struct Diagnosis {
    std::string modality;  // "text", "image" ... where the zoo says it
    std::vector<Finding> findings;
    std::vector<NotAnalysed> not_analysed;
};

// Parameters as the file, the shape and the publication give them.
struct ParameterCounts {
    std::optional<std::int64_t> from_header;  // tied weights once, buffers left out
    std::optional<std::int64_t> predicted;    // from the shape
    bool exact = false;                       // the family's tensors are known; otherwise an estimate
    std::string predicted_note;               // what was counted: "without a head"
    std::optional<std::int64_t> zoo;          // as recorded with the zoo's row
    std::string published;                    // as its authors round it; may be empty
    std::int64_t stored_twice = 0;            // elements of tied copies in the file
    std::int64_t buffers = 0;                 // elements of masks, ids and running statistics
    std::string twice_name;                   // one of the copies

    // The best of them, and where it is from: "header", "prediction", "zoo", "estimate" or "".
    [[nodiscard]] std::optional<std::int64_t> best() const;
    [[nodiscard]] std::string_view best_from() const;
};

void find_depth(const ModelShape& shape, Diagnosis& out);
void find_input(const ModelShape& shape, Diagnosis& out);
void find_attention(const ModelShape& shape, Diagnosis& out);
// Both proved ends of the separation rank of its attention; silent where heads share keys and
// values or layers share weights.
void find_capacity_ends(const ModelShape& shape, Diagnosis& out);
void find_mixer(const ModelShape& shape, Diagnosis& out);
void find_counts(const ParameterCounts& counts, Diagnosis& out);
// Redundancies that a paper reported for a model of these numbers, and for no other.
void find_citations(const ModelShape& shape, Diagnosis& out);

}  // namespace plimsoll::audit
