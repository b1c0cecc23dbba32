#pragma once

#include <vector>

#include "plimsoll/audit/finding.h"
#include "plimsoll/audit/open_target.h"
#include "plimsoll/audit/shape_numbers.h"

// The pieces of diagnose(): each adds its findings, or says in `not_analysed` why there is none.
namespace plimsoll::audit {

struct Diagnosis {
    std::vector<Finding> findings;
    std::vector<NotAnalysed> not_analysed;
};

// Parameters as the file, the shape and the publication give them.
struct ParameterCounts {
    std::optional<std::int64_t> from_header;  // tied weights once, buffers left out
    std::optional<std::int64_t> predicted;    // from the shape
    bool prediction_is_whole = true;          // every part of the model was predicted
    std::string published;                    // as its authors round it; may be empty
    std::int64_t stored_twice = 0;            // elements of tied copies in the file
    std::int64_t buffers = 0;                 // elements of masks, ids and running statistics
    std::string twice_name;                   // one of the copies
};

void find_depth(const ModelShape& shape, std::optional<std::int64_t> parameters, Diagnosis& out);
void find_input(const ModelShape& shape, Diagnosis& out);
void find_attention(const ModelShape& shape, Diagnosis& out);
void find_mixer(const ModelShape& shape, Diagnosis& out);
void find_counts(const ParameterCounts& counts, Diagnosis& out);
// Redundancies that a paper reported for a model of these numbers, and for no other.
void find_citations(const ModelShape& shape, Diagnosis& out);

}  // namespace plimsoll::audit
