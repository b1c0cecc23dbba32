#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/random.h"
#include "plimsoll/bpe/encode.h"
#include "plimsoll/bpe/train.h"
#include "tests/support/error_text.h"

namespace plimsoll::bpe {

// `count` characters of a pool that has every class, contractions in pieces, line ends and broken UTF-8.
inline std::string random_text(std::uint64_t seed, std::size_t count) {
    static const std::vector<std::string> pool{"a",        "b",
                                               "ab",       "ing",
                                               "the",      "S",
                                               "'",        "'",
                                               "s",        "ll",
                                               "re",       " ",
                                               " ",        "  ",
                                               "\t",       "\n",
                                               "\n\n",     "\r\n",
                                               "1",        "23",
                                               "4567",     "!",
                                               "--",       ".",
                                               "\u00e9",   "\u4e00",
                                               "\u0661",   "\u00a0",
                                               "\u3000",   "\u2028",
                                               "\u0301",   "\U0001f600",
                                               "\u017f",   std::string(1, '\0'),
                                               "\xff",     "\xc3",
                                               "\xe2\x82", "\xed\xa0\x80",
                                               "\xf5"};
    RandomStream random(seed, "text");
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += pool[random.below(pool.size())];
    return text;
}

inline std::string random_bytes(std::uint64_t seed, std::size_t count) {
    RandomStream random(seed, "bytes");
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    return bytes;
}

inline std::filesystem::path write_file(const std::filesystem::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

inline std::vector<std::string> pieces_of(Pretokenizer pretokenizer, std::string_view text) {
    std::vector<std::string> pieces;
    for_each_pretoken(pretokenizer, text, [&](std::string_view piece) { pieces.emplace_back(piece); });
    return pieces;
}

inline BpeModel trained(const std::vector<std::filesystem::path>& files, BpeTraining training) {
    auto result = train_bpe(files, training);
    EXPECT_TRUE(result.ok()) << error_text(result);
    return result.ok() ? result->model : BpeModel();
}

inline std::vector<std::uint32_t> encoded(const BpeEncoder& encoder, std::string_view text,
                                          bool specials_as_text = false) {
    BpeEncoder::Scratch scratch;
    std::vector<std::uint32_t> ids;
    encoder.encode(text, specials_as_text, scratch, ids);
    return ids;
}

inline BpeEncoder encoder_of(BpeModel model) { return BpeEncoder::make(std::move(model)).value(); }

// The obvious trainer: counts all pairs anew for each merge.
inline std::vector<BpeMerge> naive_merges(const std::vector<std::string>& words,
                                          const BpeTraining& training) {
    std::vector<std::uint32_t> id_of(256);
    const auto first = static_cast<std::uint32_t>(training.specials.size());
    for (std::uint32_t i = 0; i < 256; ++i) id_of[alphabet_order()[i]] = first + i;
    std::vector<std::vector<std::uint32_t>> rows;
    for (const std::string& word : words) {
        rows.emplace_back();
        for (const char byte : word) rows.back().push_back(id_of[static_cast<unsigned char>(byte)]);
    }
    std::vector<BpeMerge> merges;
    for (std::uint32_t token = first + 256; token < training.vocab; ++token) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
        for (const auto& row : rows) {
            for (std::size_t i = 0; i + 1 < row.size(); ++i) ++counts[{row[i], row[i + 1]}];
        }
        // The map is in the order of pairs, and max_element keeps the first of equals.
        const auto best =
            std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
        if (best == counts.end() || best->second < training.min_frequency) break;
        const auto [left, right] = best->first;
        merges.push_back({left, right, token, static_cast<std::uint32_t>(merges.size())});
        for (auto& row : rows) {
            std::vector<std::uint32_t> joined;
            for (std::size_t i = 0; i < row.size(); ++i) {
                const bool pair = i + 1 < row.size() && row[i] == left && row[i + 1] == right;
                joined.push_back(pair ? token : row[i]);
                if (pair) ++i;
            }
            row = joined;
        }
    }
    return merges;
}

// The obvious encoder: looks for the lowest rank among all neighbours, again and again.
inline std::vector<std::uint32_t> naive_ids(const BpeModel& model, std::string_view text) {
    std::vector<std::uint32_t> ids;
    const auto byte_ids = model.byte_ids().value();
    for (const std::string& piece : pieces_of(model.pretokenizer, text)) {
        std::vector<std::uint32_t> row;
        for (const char byte : piece) row.push_back(byte_ids[static_cast<unsigned char>(byte)]);
        for (;;) {
            const BpeMerge* best = nullptr;
            std::size_t place = 0;
            for (std::size_t i = 0; i + 1 < row.size(); ++i) {
                for (const BpeMerge& merge : model.merges) {
                    const bool fits = merge.left == row[i] && merge.right == row[i + 1];
                    if (fits && (best == nullptr || merge.rank < best->rank)) best = &merge, place = i;
                }
            }
            if (best == nullptr) break;
            row[place] = best->result;
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(place) + 1);
        }
        ids.insert(ids.end(), row.begin(), row.end());
    }
    return ids;
}

}  // namespace plimsoll::bpe
