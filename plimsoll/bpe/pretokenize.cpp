#include "plimsoll/bpe/pretokenize.h"

#include <array>
#include <cstring>

#include "plimsoll/base/text.h"
#include "plimsoll/bpe/unicode_class.h"

namespace plimsoll::bpe {
namespace {

struct Named {
    Pretokenizer pretokenizer;
    std::string_view name;
    std::string_view pattern;
};

constexpr std::array<Named, 3> known_pretokenizers{
    {{Pretokenizer::gpt2, "gpt2",
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
     {Pretokenizer::cl100k, "cl100k",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     {Pretokenizer::none, "none", ""}}};

const Named& facts(Pretokenizer pretokenizer) {
    return known_pretokenizers[static_cast<std::size_t>(pretokenizer)];
}

bool is_ascii(const char* at) { return static_cast<unsigned char>(*at) < 0x80U; }

// The class of one character and the place behind it, by table where the byte says it all.
class Scanner {
  public:
    explicit Scanner(const char* last) : last_(last), ascii_(ascii_classes()) {}

    [[nodiscard]] Char at(const char* place) const {
        if (is_ascii(place)) return {ascii_[static_cast<unsigned char>(*place)], 1};
        return char_at(place, last_);
    }
    // The end of the run of `kind` that begins at `place`, which may be empty.
    [[nodiscard]] const char* run(const char* place, CharClass kind) const {
        while (place != last_) {
            const Char next = at(place);
            if (next.kind != kind) break;
            place += next.bytes;
        }
        return place;
    }
    [[nodiscard]] const char* last() const { return last_; }

  private:
    const char* last_;
    const std::array<CharClass, 256>& ascii_;
};

// The length of 's 't 'm 'd 're 've 'll at `first`, which is an apostrophe; 0 for none.
std::size_t contraction(const char* first, const char* last) {
    const std::string_view rest(first + 1, static_cast<std::size_t>(last - first - 1));
    if (rest.empty()) return 0;
    if (std::strchr("stmd", rest[0]) != nullptr && rest[0] != '\0') return 2;
    return rest.starts_with("re") || rest.starts_with("ve") || rest.starts_with("ll") ? 3 : 0;
}

// The same in any case; U+017F, the long s, is an s in another case.
std::size_t contraction_any_case(const char* first, const char* last) {
    if (std::string_view(first + 1, static_cast<std::size_t>(last - first - 1)).starts_with("\u017f"))
        return 3;
    std::array<char, 3> lower{*first, 0, 0};
    std::size_t count = 1;
    for (; count < lower.size() && first + count != last; ++count) {
        const char letter = first[count];
        lower[count] = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
    }
    return contraction(lower.data(), lower.data() + count);
}

// \s+(?!\S)|\s+ for the run of white space [first, end): all of it at the end of the text, otherwise all but
// its last character, and a single one alone.
const char* white_space_end(const Scanner& scan, const char* first, const char* end) {
    if (end == scan.last()) return end;
    const char *place = first, *before = first;
    while (place != end) {
        before = place;
        place += scan.at(place).bytes;
    }
    return before == first ? end : before;
}

// The end behind the last line end of [first, end), or null.
const char* behind_last_line_end(const char* first, const char* end) {
    for (const char* place = end; place != first; --place) {
        if (place[-1] == '\n' || place[-1] == '\r') return place;
    }
    return nullptr;
}

const char* three_numbers(const Scanner& scan, const char* place) {
    for (int count = 0; count < 3 && place != scan.last(); ++count) {
        const Char next = scan.at(place);
        if (next.kind != CharClass::number) break;
        place += next.bytes;
    }
    return place;
}

// [^\s\p{L}\p{N}]+[\r\n]* from `place`, which is such a character.
const char* others_and_line_ends(const Scanner& scan, const char* place) {
    place = scan.run(place, CharClass::other);
    while (place != scan.last() && (*place == '\n' || *place == '\r')) ++place;
    return place;
}

// The piece of cl100k that begins with a white-space character of `size` bytes.
const char* cl100k_from_space(const Scanner& scan, const char* first, std::size_t size) {
    const char* const behind = first + size;
    const bool line_end = *first == '\n' || *first == '\r';
    if (behind != scan.last()) {
        const Char next = scan.at(behind);
        if (next.kind == CharClass::letter && !line_end) return scan.run(behind, CharClass::letter);
        if (next.kind == CharClass::other && *first == ' ') return others_and_line_ends(scan, behind);
    }
    const char* const end = scan.run(first, CharClass::space);
    const char* const line = behind_last_line_end(first, end);
    return line != nullptr ? line : white_space_end(scan, first, end);
}

// The piece of cl100k that begins with a character that is no letter, number or space.
const char* cl100k_from_other(const Scanner& scan, const char* first, std::size_t size) {
    if (*first == '\'') {
        const std::size_t length = contraction_any_case(first, scan.last());
        if (length > 0) return first + length;
    }
    const char* const behind = first + size;
    if (behind != scan.last() && scan.at(behind).kind == CharClass::letter)
        return scan.run(behind, CharClass::letter);
    return others_and_line_ends(scan, first);
}

}  // namespace

std::string_view name_of(Pretokenizer pretokenizer) { return facts(pretokenizer).name; }
std::string_view pattern_of(Pretokenizer pretokenizer) { return facts(pretokenizer).pattern; }

Result<Pretokenizer> parse_pretokenizer(std::string_view name) {
    std::vector<std::string> names;
    for (const Named& one : known_pretokenizers) {
        if (one.name == name) return one.pretokenizer;
        names.emplace_back(one.name);
    }
    return bad_input("pretokenizer", "unknown '" + std::string(name) + "'" + suggestion(name, names));
}

const char* pretoken_end_gpt2(const char* first, const char* last) {
    const Scanner scan(last);
    if (*first == '\'') {
        const std::size_t length = contraction(first, last);
        if (length > 0) return first + length;
    }
    const Char head = scan.at(first);
    if (head.kind != CharClass::space) return scan.run(first + head.bytes, head.kind);
    if (*first == ' ' && first + 1 != last) {
        const Char next = scan.at(first + 1);
        if (next.kind != CharClass::space) return scan.run(first + 1 + next.bytes, next.kind);
    }
    return white_space_end(scan, first, scan.run(first, CharClass::space));
}

const char* pretoken_end_cl100k(const char* first, const char* last) {
    const Scanner scan(last);
    const Char head = scan.at(first);
    switch (head.kind) {
        case CharClass::letter:
            return scan.run(first, CharClass::letter);
        case CharClass::number:
            return three_numbers(scan, first);
        case CharClass::space:
            return cl100k_from_space(scan, first, head.bytes);
        case CharClass::other:
            break;
    }
    return cl100k_from_other(scan, first, head.bytes);
}

}  // namespace plimsoll::bpe
