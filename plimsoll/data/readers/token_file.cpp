#include "plimsoll/data/readers/token_file.h"

#include <algorithm>
#include <cstring>

#include "plimsoll/base/format.h"
#include "plimsoll/data/arrays/npy.h"
#include "plimsoll/data/sniff/content.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t token_header_bytes = 1024;  // 256 words of llm.c
struct HeaderKind {
    std::uint32_t magic, version;
    TokenWidth width;
};
constexpr HeaderKind header_kinds[] = {{20240520, 1, TokenWidth::bits16}, {20240801, 7, TokenWidth::bits32}};

std::uint32_t word(const LoadedFile& file, std::size_t index) {
    std::uint32_t value;
    std::memcpy(&value, file.bytes.view().subspan(4 * index, 4).data(), 4);
    return value;
}

const HeaderKind* header_of(const LoadedFile& file) {
    if (file.bytes.size() < token_header_bytes) return nullptr;
    for (const auto& kind : header_kinds)
        if (word(file, 0) == kind.magic && word(file, 1) == kind.version) return &kind;
    return nullptr;
}

// The ids from byte `first` on; both mapped files and vectors start at a multiple of 8.
template <class T>
HostArray<T> ids_from(const LoadedFile& file, std::size_t first) {
    const auto bytes = file.bytes.view().subspan(first);
    return {std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)),
            file.bytes.keeper()};
}

template <class T>
std::uint32_t largest(const HostArray<T>& ids) {
    return ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end());
}

// Both readings of a file without a width, so that the user can see which is right.
Error ask_width(const LoadedFile& file) {
    const std::size_t whole = file.bytes.size() / 4 * 4;
    const LoadedFile even{file.name, {file.bytes.view().first(whole), file.bytes.keeper()}};
    return bad_input(file.name,
                     fmt::format("has no header that says how wide its ids are: {} of 16 bits up to {}, or "
                                 "{} of 32 bits up to {}; "
                                 "say --token-bits 16 or 32, or --vocab",
                                 file.bytes.size() / 2, largest(ids_from<std::uint16_t>(even, 0)),
                                 file.bytes.size() / 4, largest(ids_from<std::uint32_t>(even, 0))));
}

// A vocabulary says the width too, as `tokenize encode` writes it: 16 bits when all its ids fit.
std::optional<TokenWidth> asked_width(const TokenOptions& tokens) {
    if (tokens.width || tokens.vocabulary == 0) return tokens.width;
    return tokens.vocabulary <= 65536 ? TokenWidth::bits16 : TokenWidth::bits32;
}

template <class T>
Result<Tokens> make_tokens(const LoadedFile& file, std::size_t first, std::uint64_t vocabulary) {
    if (const std::size_t rest = (file.bytes.size() - first) % sizeof(T); rest != 0)
        return bad_input(file.name, fmt::format("byte {}: the file ends after {} of an id's {} bytes",
                                                file.bytes.size() - rest, rest, sizeof(T)));
    const auto ids = ids_from<T>(file, first);
    const auto outside = [vocabulary](T id) { return vocabulary != 0 && id >= vocabulary; };
    if (const auto at = std::find_if(ids.begin(), ids.end(), outside); at != ids.end()) {
        const auto record = static_cast<std::size_t>(at - ids.begin());
        return bad_input(file.name, fmt::format("record {}, byte {}: id {} of a vocabulary of {}", record,
                                                first + record * sizeof(T), *at, vocabulary));
    }
    return Tokens{ids, vocabulary};
}

Status check_token_header(const LoadedFile& file, const HeaderKind& kind,
                          const std::optional<TokenWidth>& asked) {
    const std::size_t each = static_cast<std::size_t>(kind.width),
                      there = file.bytes.size() - token_header_bytes;
    if (asked && *asked != kind.width)
        return bad_input(file.name, fmt::format("byte 0: its header says {} bits an id, not {}", 8 * each,
                                                8 * static_cast<int>(*asked)));
    if (std::uint64_t{word(file, 2)} * each != there)
        return bad_input(file.name,
                         fmt::format("byte 8: states {} ids of {} bytes; {} bytes follow the header",
                                     word(file, 2), each, there));
    return {};
}

// The splits of a folder as one row after the other.
template <class T>
Result<Tokens> joined(const std::vector<Tokens>& parts, const std::vector<std::string>& names,
                      std::uint64_t vocabulary) {
    std::vector<T> all;
    Tokens tokens;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto* ids = std::get_if<HostArray<T>>(&parts[i].ids);
        if (ids == nullptr) return bad_input(names[i], "has ids of another width than the files before it");
        all.insert(all.end(), ids->begin(), ids->end());
        tokens.splits.push_back({names[i].substr(0, names[i].find('.')), ids->size()});
    }
    tokens.ids = HostArray<T>(std::move(all));
    tokens.vocabulary = vocabulary;
    return tokens;
}

Result<Tokens> parse_any_tokens(const LoadedFile& file, const TokenOptions& tokens) {
    const auto bytes = file.bytes.view();
    if (sniff(bytes.first(std::min(bytes.size(), sniffed_bytes))).content != Content::npy)
        return parse_tokens(file, tokens);
    PLIMSOLL_ASSIGN(array, parse_npy(file));
    return tokens_from(array, tokens.vocabulary);
}

Result<Tokens> load_token_folder(const std::filesystem::path& folder, const TokenOptions& tokens,
                                 const LoadOptions& options) {
    std::vector<Tokens> parts;
    std::vector<std::string> names;
    for (const char* name : {"train.bin", "val.bin", "valid.bin", "validation.bin", "test.bin"}) {
        const auto path = find_packed(folder, name);
        if (!path) continue;
        PLIMSOLL_ASSIGN(file, load_file(*path, options));
        PLIMSOLL_ASSIGN(part, parse_any_tokens(file, tokens));
        parts.push_back(std::move(part));
        names.emplace_back(name);
    }
    if (parts.empty()) return not_found(folder.string(), "has no train.bin");
    return std::holds_alternative<HostArray<std::uint16_t>>(parts[0].ids)
               ? joined<std::uint16_t>(parts, names, tokens.vocabulary)
               : joined<std::uint32_t>(parts, names, tokens.vocabulary);
}

}  // namespace

Result<Tokens> parse_tokens(const LoadedFile& file, const TokenOptions& tokens) {
    const HeaderKind* header = header_of(file);
    if (header != nullptr) PLIMSOLL_RETURN_IF_ERROR(check_token_header(file, *header, tokens.width));
    const auto width = header != nullptr ? std::optional(header->width) : asked_width(tokens);
    if (!width && file.bytes.size() == 0) return bad_input(file.name, "is empty");
    if (!width) return ask_width(file);
    const std::size_t first = header != nullptr ? token_header_bytes : 0;
    return *width == TokenWidth::bits16 ? make_tokens<std::uint16_t>(file, first, tokens.vocabulary)
                                        : make_tokens<std::uint32_t>(file, first, tokens.vocabulary);
}

Result<Tokens> load_tokens(const std::filesystem::path& path, const TokenOptions& tokens,
                           const LoadOptions& options) {
    if (std::filesystem::is_directory(path)) return load_token_folder(path, tokens, options);
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    return parse_any_tokens(file, tokens);
}

}  // namespace plimsoll::data
