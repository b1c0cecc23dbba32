#pragma once

#include <filesystem>
#include <string_view>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// Sentence pairs with labels of natural-language inference from a table: TSV with a header line (no quoting),
// or one JSON object a line. Columns are known by their usual names (sentence1, premise, sentence_A, text;
// ...). Labels become entailment, neutral, contradiction and not_entailment (yes and true are entailment, no
// and false not_entailment); whole numbers stay as they are; pairs labelled "-" (nobody agreed) are left out.
Result<SentencePairs> parse_sentence_pairs(std::string_view text, std::string_view name);
Result<SentencePairs> load_sentence_pairs(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace plimsoll::data
