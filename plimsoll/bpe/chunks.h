#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/bpe/pretokenize.h"

namespace plimsoll::bpe {

// What a text is made of: pre-tokens never cross from one unit into the next.
enum class TextUnit { file, line };

// "file", "line".
std::string_view name_of(TextUnit unit);
Result<TextUnit> parse_text_unit(std::string_view name);

// Where a text may be cut without changing its pre-tokens.
struct CutRule {
    Pretokenizer pretokenizer = Pretokenizer::gpt2;
    TextUnit unit = TextUnit::file;
    std::vector<std::string> whole = {};  // texts that are never cut: special tokens
};

// The first place at or behind `from` (> 0) where `text`, which continues after its end, may be cut; npos for
// none. The two parts have the pre-tokens of the whole.
std::size_t first_cut(std::string_view text, std::size_t from, const CutRule& rule);

// A part of a text, in place or with its own memory.
struct Chunk {
    std::uint64_t index = 0;  // counts from 0 over all files
    std::string_view text;
    std::vector<char> memory;
};

// The text of several files, plain or compressed, in chunks cut where the rule allows.
class ChunkReader {
  public:
    struct Limits {
        std::size_t chunk_bytes = std::size_t{1} << 19U;
        std::uint64_t most_bytes = UINT64_MAX;  // of one chunk that finds no place to be cut
    };
    // Opens all files once, so that a missing one is an error before any work.
    static Result<ChunkReader> open(std::vector<std::filesystem::path> files, CutRule rule, Limits limits);
    ChunkReader(ChunkReader&&) noexcept;
    ~ChunkReader();

    // The next chunk, never empty; nothing at the end.
    Result<std::optional<Chunk>> next();

    [[nodiscard]] std::uint64_t bytes_taken() const;  // of the files as they lie on disk, for progress
    [[nodiscard]] std::uint64_t bytes_total() const;

    // One open file; an implementation detail of bpe_chunks.cpp.
    class Source;

  private:
    ChunkReader();
    struct State;
    std::unique_ptr<State> state_;
};

// Calls visit(unit) for each unit of `text`.
template <class Visit>
void for_each_unit(TextUnit unit, std::string_view text, const Visit& visit) {
    if (unit == TextUnit::file && !text.empty()) return visit(text);
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
        visit(text.substr(0, size));
        text.remove_prefix(size);
    }
}

}  // namespace plimsoll::bpe
