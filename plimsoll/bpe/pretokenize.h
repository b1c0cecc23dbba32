#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"

namespace plimsoll::bpe {

// How a text is cut into the pieces that merges never cross.
enum class Pretokenizer { gpt2, cl100k, none };

// "gpt2", "cl100k", "none".
std::string_view name_of(Pretokenizer pretokenizer);

// The pre-tokeniser of that name; `bad_input` for any other.
Result<Pretokenizer> parse_pretokenizer(std::string_view name);

// The regular expression whose matches the pieces are; empty for none, whose one piece is the whole text.
std::string_view pattern_of(Pretokenizer pretokenizer);

// The end of the first piece of [first, last), which is not empty. Written as scanners: no regular
// expression runs.
const char* pretoken_end_gpt2(const char* first, const char* last);
const char* pretoken_end_cl100k(const char* first, const char* last);

// Calls visit(piece) for each piece of `text` in turn.
template <class Visit>
void for_each_pretoken(Pretokenizer pretokenizer, std::string_view text, const Visit& visit) {
    const char *at = text.data(), *const last = at + text.size();
    const auto run = [&](auto end_of_piece) {
        while (at != last) {
            const char* const end = end_of_piece(at, last);
            visit(std::string_view(at, static_cast<std::size_t>(end - at)));
            at = end;
        }
    };
    switch (pretokenizer) {
        case Pretokenizer::gpt2:
            return run(pretoken_end_gpt2);
        case Pretokenizer::cl100k:
            return run(pretoken_end_cl100k);
        case Pretokenizer::none:
            return run([](const char*, const char* end) { return end; });
    }
}

}  // namespace plimsoll::bpe
