#include "plimsoll/data/readers/text_files.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/archives/file_set.h"
#include "plimsoll/data/readers/json_text.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/tables/table_column.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

std::string_view text_in(const LoadedFile& file) {
    const auto bytes = file.bytes.view();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TextFile as_text(LoadedFile file) {
    const std::string_view text = text_in(file);
    return {std::move(file.name), {std::span(text.data(), text.size()), file.bytes.keeper()}};
}

// A file whose first line is an object with the field is JSON lines.
bool has_field(const LoadedFile& file, const std::string& field) {
    const std::string_view all = text_in(file);
    const std::string_view first = first_lines(all);
    const auto keys = json_line_keys(first, first.size() == all.size());
    return keys && std::ranges::find(*keys, field) != keys->end();
}

// The text in a field of JSON lines or, where a field was asked of a file alone, in a column of a table.
Result<std::string> text_of_field(const LoadedFile& file, const std::string& field) {
    if (has_field(file, field)) return text_of_json_lines(text_in(file), file.name, field);
    return text_of_column(text_in(file), file.name, field);
}

Result<TextFile> text_of(LoadedFile file, const ReadOptions& read, bool alone) {
    const bool asked = alone && !read.field.empty(), may = alone || is_json_lines_name(file.name);
    if (!asked && !(may && has_field(file, text_field(read)))) return as_text(std::move(file));
    PLIMSOLL_ASSIGN(text, text_of_field(file, text_field(read)));
    return TextFile{std::move(file.name), std::vector<char>(text.begin(), text.end())};
}

// What starts like a text and holds a NUL further on is none either.
Status check_whole(const LoadedFile& file) {
    const auto at = binary_byte(file.bytes.view());
    if (!at) return {};
    return not_text(file.name, {Content::binary, nullptr, *at, false});
}

Error no_text(const fs::path& path, const std::vector<LeftOutFile>& left_out) {
    if (left_out.empty()) return not_found(path.string(), "has no files");
    std::vector<std::string> some;
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(left_out.size(), most); ++i)
        some.push_back(fmt::format("{} is {}", printable(left_out[i].name), left_out[i].why));
    if (left_out.size() > most) some.emplace_back("...");
    return bad_input(path.string(), "has no text: " + join(some, ", "));
}

Result<TextFiles> load_set(const FileSet& set, const ReadOptions& read) {
    TextFiles text;
    for (std::size_t i = 0; i < set.size(); ++i) {
        PLIMSOLL_ASSIGN(first, set.first_bytes(i));
        const Sniffed sniffed = sniff(first);
        if (sniffed.content != Content::text) {
            if (sniffed.content != Content::empty)
                text.left_out.push_back({set.name(i), what_it_is(sniffed)});
            continue;
        }
        PLIMSOLL_ASSIGN(file, set.read(i));
        PLIMSOLL_RETURN_IF_ERROR(check_whole(file));
        PLIMSOLL_ASSIGN(one, text_of(std::move(file), read, false));
        text.files.push_back(std::move(one));
    }
    return text;
}

}  // namespace

Result<TextListing> sort_out_text_files(const fs::path& path) {
    if (!fs::is_directory(path)) return TextListing{{path}, {}};
    PLIMSOLL_ASSIGN(set, FileSet::open(path, {}));
    TextListing listing;
    for (std::size_t i = 0; i < set.size(); ++i) {
        PLIMSOLL_ASSIGN(first, set.first_bytes(i));
        const Sniffed sniffed = sniff(first);
        if (sniffed.content == Content::text) {
            listing.taken.push_back(path / set.name(i));
        } else if (sniffed.content != Content::empty) {
            listing.left_out.push_back({set.name(i), what_it_is(sniffed)});
        }
    }
    if (listing.taken.empty()) return no_text(path, listing.left_out);
    return listing;
}

Result<std::vector<fs::path>> list_text_files(const fs::path& path) {
    PLIMSOLL_ASSIGN(listing, sort_out_text_files(path));
    return std::move(listing.taken);
}

Result<TextFiles> load_text(const fs::path& path, const ReadOptions& read, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(archived, holds_archives(path));
    if (archived) {
        PLIMSOLL_ASSIGN(set, FileSet::open(path, options));
        PLIMSOLL_ASSIGN(text, load_set(set, read));
        if (text.files.empty()) return no_text(path, text.left_out);
        return text;
    }
    PLIMSOLL_ASSIGN(listing, sort_out_text_files(path));
    PLIMSOLL_ASSIGN(files, load_files(listing.taken, options));
    TextFiles text{{}, std::move(listing.left_out)};
    for (auto& file : files) {
        PLIMSOLL_RETURN_IF_ERROR(check_whole(file));
        PLIMSOLL_ASSIGN(one, text_of(std::move(file), read, !fs::is_directory(path)));
        text.files.push_back(std::move(one));
    }
    return text;
}

Result<TextFiles> load_bytes_as_text(const fs::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    TextFiles text;
    text.files.push_back(as_text(std::move(file)));
    return text;
}

}  // namespace plimsoll::data
