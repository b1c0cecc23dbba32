#include "plimsoll/data/sniff/content.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/readers/idx.h"
#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/readers/mat5.h"
#include "plimsoll/data/sniff/foreign_formats.h"

namespace plimsoll::data {
namespace {

using FirstBytes = std::span<const std::uint8_t>;

constexpr std::size_t tar_magic_at = 257, sure = 4;

bool has_at(FirstBytes bytes, std::size_t at, std::string_view magic) {
    return bytes.size() >= at + magic.size() &&
           std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
}

// Tab, the line ends, backspace, escape (logs in colour) and DOS's end of file are in texts.
bool is_control(std::uint8_t byte) {
    return byte < 0x20 && !(byte >= '\b' && byte <= '\r') && byte != 0x1b && byte != 0x1a;
}

// Where the bytes show that they are no text: a NUL, or the first of too many control characters.
std::optional<std::size_t> no_text_at(FirstBytes bytes) {
    constexpr std::size_t rare = 100;
    if (const auto nul = binary_byte(bytes)) return nul;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(bytes, is_control));
    if (count * rare <= bytes.size()) return std::nullopt;
    return static_cast<std::size_t>(std::ranges::find_if(bytes, is_control) - bytes.begin());
}

// A member's name near the start tells the zip files that are documents from those that hold files.
const ForeignFormat* zip_document(FirstBytes bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const auto& document : zip_documents)
        if (head.find(document.member) != std::string_view::npos) return &document.format;
    return nullptr;
}

// Letters alone may begin a text too ("GGUF is a format"); then something below them must be no text.
bool is_word(std::string_view magic) {
    return std::ranges::all_of(magic, [](char c) { return c > ' ' && c < 0x7f; });
}

const ForeignFormat* foreign_format(FirstBytes bytes, bool certain) {
    for (const auto& row : foreign_formats) {
        if ((row.magic.size() >= sure) != certain || !has_at(bytes, row.at, row.magic)) continue;
        if (row.alone || !is_word(row.magic) || no_text_at(bytes)) return &row.format;
    }
    return nullptr;
}

// The little-endian number of 32 bits at a byte.
std::uint32_t word_at(FirstBytes bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.subspan(at, sizeof word).data(), sizeof word);
    return word;
}

// What `save_to_disk` of Hugging Face's datasets writes: a mark of four bytes, a schema's length in eights
// and a table near its start.
bool looks_like_arrow_stream(FirstBytes bytes) {
    constexpr std::uint32_t mark = 0xffffffff, most_schema = 1U << 24, most_offset = 64;
    if (bytes.size() < 12 || word_at(bytes, 0) != mark) return false;
    const std::uint32_t length = word_at(bytes, 4), offset = word_at(bytes, 8);
    return length > 0 && length <= most_schema && length % 8 == 0 && offset >= 4 && offset <= most_offset;
}

// The length of a head of JSON, and its first key.
bool looks_like_safetensors(FirstBytes bytes) {
    constexpr std::uint32_t most_head = 100'000'000;
    return has_at(bytes, 8, "{\"") && word_at(bytes, 4) == 0 && word_at(bytes, 0) <= most_head;
}

Sniffed certainly(Content content, const ForeignFormat* foreign = nullptr) {
    return {content, foreign, 0, true};
}

std::optional<Sniffed> by_magic(FirstBytes bytes) {
    using namespace std::literals;
    if (has_at(bytes, 0, "\x93NUMPY"sv)) return certainly(Content::npy);
    if (has_at(bytes, 0, "PK\3\4"sv) || has_at(bytes, 0, "PK\5\6"sv)) {
        const auto* document = zip_document(bytes);
        return certainly(document != nullptr ? Content::foreign : Content::zip, document);
    }
    if (looks_like_mat(bytes)) return certainly(Content::mat);
    if (has_at(bytes, tar_magic_at, "ustar"sv) && binary_byte(bytes)) return certainly(Content::tar);
    if (image_format_of(bytes) != ImageFormat::none) return certainly(Content::image);
    if (const auto* foreign = foreign_format(bytes, true)) return certainly(Content::foreign, foreign);
    if (looks_like_arrow_stream(bytes)) return certainly(Content::foreign, &arrow_stream);
    if (looks_like_safetensors(bytes)) return certainly(Content::foreign, &safetensors);
    if (looks_like_idx(bytes)) return Sniffed{Content::idx, nullptr, 0, false};
    if (const auto* foreign = foreign_format(bytes, false))
        return Sniffed{Content::foreign, foreign, 0, false};
    return std::nullopt;
}

// A file's name as a string of Python's inside a word of a shell; a placeholder for one that needs quotes.
std::string python_string(const std::string& file) {
    const bool plain = file.find_first_of("'\"\\$`!") == std::string::npos && printable(file, 4096) == file;
    return plain ? "'" + file + "'" : "'FILE'";
}

}  // namespace

std::optional<std::size_t> binary_byte(FirstBytes bytes) {
    if (bytes.empty()) return std::nullopt;
    const auto* found = static_cast<const std::uint8_t*>(std::memchr(bytes.data(), 0, bytes.size()));
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(found - bytes.data());
}

std::string_view first_lines(std::string_view text) {
    constexpr std::ptrdiff_t enough = 3;
    const std::string_view first = text.substr(0, sniffed_bytes);
    return std::ranges::count(first, '\n') >= enough ? first : text.substr(0, most_first_lines);
}

Sniffed sniff(FirstBytes bytes) {
    if (bytes.empty()) return {};
    if (const auto known = by_magic(bytes)) return *known;
    if (const auto at = no_text_at(bytes)) return {Content::binary, nullptr, *at, false};
    return {Content::text, nullptr, 0, false};
}

std::string what_it_is(const Sniffed& sniffed) {
    switch (sniffed.content) {
        case Content::empty:
            return "empty";
        case Content::text:
            return "text";
        case Content::npy:
            return "a NumPy array";
        case Content::zip:
            return "a zip archive";
        case Content::tar:
            return "a tar archive";
        case Content::image:
            return "an image";
        case Content::mat:
            return "a MAT-file";
        case Content::idx:
            return "an IDX file";
        case Content::foreign:
            return std::string(sniffed.foreign->name);
        case Content::binary:
            break;
    }
    return fmt::format("binary (byte {})", sniffed.binary_at);
}

std::string filled_way(std::string_view way, const std::string& file) {
    const std::filesystem::path path(file);
    return fmt::format(fmt::runtime(way), shell_word(file), python_string(file),
                       python_string(path.stem().string()));
}

Error not_text(const std::string& file, const Sniffed& sniffed) {
    if (sniffed.content == Content::binary)
        return bad_input(file, fmt::format("is binary in no format that is known here: byte {} is none of a "
                                           "text; --kind text reads its bytes as they are",
                                           sniffed.binary_at));
    const std::string what = what_it_is(sniffed);
    const std::string_view way = sniffed.foreign != nullptr ? sniffed.foreign->way : std::string_view();
    if (way.empty()) return bad_input(file, fmt::format("is {}, which is not read as data", what));
    const std::string_view how = way == ways::model ? "" : "this makes a file that is: ";
    return bad_input(file,
                     fmt::format("is {}, which is not read as data; {}{}", what, how, filled_way(way, file)));
}

}  // namespace plimsoll::data
