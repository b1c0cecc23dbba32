#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/readers/loaded_file.h"

namespace plimsoll::data {

// Sentence pairs with labels from a table with a header line (TSV, where a quotation mark is a character, or
// CSV), or one JSON object a line. `columns` names the first sentence, the second and the label; without it
// they are known by their usual names (sentence1, premise, sentence_A, text; ...). pair_labels.h says what
// becomes of labels; pairs labelled "-" or not at all are left out and counted.
Result<SentencePairs> parse_sentence_pairs(std::string_view text, std::string_view name,
                                           std::span<const std::string> columns = {});
Result<SentencePairs> load_sentence_pairs(const std::filesystem::path& path,
                                          std::span<const std::string> columns, const LoadOptions& options);

// Whether columns of these names are two sentences and a label.
bool names_sentence_pairs(std::span<const std::string> header, std::span<const std::string> columns = {});

}  // namespace plimsoll::data
