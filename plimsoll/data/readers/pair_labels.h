#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

namespace plimsoll::data {

// The labels of sentence pairs as they were written, made into numbers that are the same in every file of a
// set: entailment 0, neutral 1, contradiction 2 (with not_entailment: entailment 0 and not_entailment 1; yes
// and true are entailment, no and false not_entailment, unknown is neutral); whole numbers stay. Where no
// label is one of these words, the words that are there are the classes, in alphabetical order.
Status settle_labels(const std::vector<std::string>& written, std::string_view file, SentencePairs& pairs);

}  // namespace plimsoll::data
