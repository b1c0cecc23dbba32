#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/bpe/model.h"
#include "plimsoll/bpe/words.h"

namespace plimsoll::bpe {

struct BpeTraining {
    std::uint64_t vocab = 0;  // tokens in all: the special ones, 256 bytes, then merges
    std::vector<std::string> specials{"<|endoftext|>"};
    Pretokenizer pretokenizer = Pretokenizer::gpt2;
    TextUnit unit = TextUnit::file;
    std::uint64_t min_frequency = 1;        // rarer pairs are not merged
    bool allow_smaller = false;             // a text that runs out of pairs gives a smaller vocabulary
    std::size_t threads = 0;                // 0: all of the machine's
    std::uint64_t max_memory = UINT64_MAX;  // bytes
    ProgressCallback counting = nullptr;    // bytes of the files
    ProgressCallback merging = nullptr;     // tokens of the vocabulary
};

// What was learned, and from how much.
struct TrainedBpe {
    BpeModel model;
    std::uint64_t words = 0, distinct_words = 0;
};

// Learns the merges of the files' text: again and again the most frequent pair of neighbours, among equals
// the one of smaller ids. `bad_input` when the vocabulary cannot be exactly of the size asked for.
Result<TrainedBpe> train_bpe(const std::vector<std::filesystem::path>& files, const BpeTraining& training);

// The same from words that were counted.
Result<TrainedBpe> train_bpe(const WordCounts& words, const BpeTraining& training);

}  // namespace plimsoll::bpe
