#include "plimsoll/data/sniff/reading.h"

#include <algorithm>
#include <array>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/data/archives/file_set.h"
#include "plimsoll/data/readers/array_images.h"
#include "plimsoll/data/readers/image_list.h"
#include "plimsoll/data/readers/json_text.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/sniff/text_reading.h"
#include "plimsoll/data/tables/array_table.h"
#include "plimsoll/data/tables/table_set.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

// Names that say what a file is, in a folder or alone; the first that fits counts.
struct NamedLayout {
    std::string_view name;  // unpacked; * at its start is anything
    Kind kind;
};
constexpr NamedLayout named_layouts[] = {
    {"data_batch_1.bin", Kind::cifar10}, {"data_batch_2.bin", Kind::cifar10},
    {"data_batch_3.bin", Kind::cifar10}, {"data_batch_4.bin", Kind::cifar10},
    {"data_batch_5.bin", Kind::cifar10}, {"test_batch.bin", Kind::cifar10},
    {"*_32x32.mat", Kind::svhn},         {"train_X.bin", Kind::stl10},
    {"test_X.bin", Kind::stl10},         {"unlabeled_X.bin", Kind::stl10},
    {"*-images-idx3-ubyte", Kind::idx},  {"*-images.idx3-ubyte", Kind::idx},
};
constexpr NamedLayout endings[] = {{"*.mat", Kind::svhn}, {"*.bin", Kind::tokens}};

bool fits(std::string_view pattern, std::string_view name) {
    return pattern.starts_with('*') ? name.ends_with(pattern.substr(1)) : name == pattern;
}

template <class Layouts>
std::optional<Kind> kind_by_name(const Layouts& layouts, std::string_view name) {
    for (const auto& layout : layouts)
        if (fits(layout.name, name)) return layout.kind;
    return std::nullopt;
}

Result<Reading> reading_of_npy(const fs::path& path) {
    PLIMSOLL_ASSIGN(file, load_file(path, {}));
    PLIMSOLL_ASSIGN(array, parse_npy(file));
    const std::string what = fmt::format("a NumPy array of {}, {}", type_name(array), shape_text(array));
    if (array.shape.size() == 1 && array.type != ElementType::real)
        return Reading{Kind::tokens, fmt::format("{}: token ids", what)};
    if (array.shape.size() == 2) return Reading{Kind::table, fmt::format("{}: a table", what)};
    return bad_input(
        path.string(),
        fmt::format("is {}; read are a row of whole numbers (token ids) and a table of numbers; "
                    "images with labels go into one .npz: numpy.savez('x.npz', images=x, labels=y)",
                    what));
}

// A .npz file, or nothing for another archive.
Result<std::optional<Reading>> reading_of_npz(const fs::path& path) {
    const LoadOptions options;
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    PLIMSOLL_ASSIGN(npz, is_npz(file, options.most_bytes));
    if (!npz) return std::optional<Reading>();
    PLIMSOLL_ASSIGN(arrays, read_npz(file, options.most_bytes));
    if (are_images(arrays))
        return std::optional(Reading{Kind::image_arrays, "images in NumPy arrays (.npz)"});
    if (are_table(arrays)) return std::optional(Reading{Kind::table, "a table in NumPy arrays (.npz)"});
    std::string names;
    for (const auto& array : arrays)
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", array.name, shape_text(array.array));
    return bad_input(
        path.string(),
        fmt::format("holds the arrays {}; known are train_images with train_labels, x_train with "
                    "y_train, images with labels, and X with y",
                    names));
}

bool has_json_lines(const FileSet& files) {
    for (std::size_t i = 0; i < files.size(); ++i)
        if (is_json_lines_name(files.name(i))) return true;
    return false;
}

// Files that are all called tables; nothing where others are among them.
Result<std::optional<Reading>> reading_of_tables(const FileSet& files, const std::string& what,
                                                 const fs::path& path) {
    const std::string in = what.empty() ? "" : " in " + what;
    switch (table_set_of(files)) {
        case TableSet::none:
            break;
        case TableSet::one:
            return std::optional(Reading{Kind::table, "a table" + in});
        case TableSet::splits:
            return std::optional(Reading{
                Kind::table, fmt::format("a table whose {} files are its splits{}", files.size(), in)});
        case TableSet::several:
            return bad_input(
                path.string(),
                fmt::format("holds {} tables that are no splits of one (train.csv, test.csv); give "
                            "one of them, or --kind text for the bytes of all",
                            files.size()));
    }
    return std::optional<Reading>();
}

// The files of an archive or a folder: tables where all are called so, images where they are half of it or
// more, otherwise text.
Result<Reading> reading_of_set(const FileSet& files, const std::string& what, const fs::path& path) {
    PLIMSOLL_ASSIGN(tables, reading_of_tables(files, what, path));
    if (tables) return std::move(*tables);
    std::size_t images = 0;
    for (std::size_t i = 0; i < files.size(); ++i) images += is_image_name(files.name(i)) ? 1 : 0;
    if (images == 0 || (2 * images < files.size() && !has_class_files(files)))
        return Reading{Kind::text, what.empty() ? "" : "text in " + what,
                       what.empty() && !has_json_lines(files)};
    const bool keyed = has_class_files(files);
    if (what.empty()) return Reading{Kind::image_folder, keyed ? "images with a class in KEY.cls" : ""};
    return Reading{Kind::image_folder, fmt::format("images in {}, {}", what,
                                                   keyed ? "WebDataset's layout" : "one folder per class")};
}

std::string archive_title(const FileSet& files) {
    const std::size_t archives = files.archives().size();
    return fmt::format("{} of {} files", archives == 1 ? "an archive" : fmt::format("{} archives", archives),
                       files.size());
}

Result<Reading> reading_of_archive(const fs::path& path) {
    PLIMSOLL_ASSIGN(files, FileSet::open(path, {}));
    return reading_of_set(files, archive_title(files), path);
}

bool is_token_folder(const fs::path& folder) {
    if (!find_packed(folder, "train.bin")) return false;
    constexpr std::array<const char*, 4> held_out{"val.bin", "valid.bin", "validation.bin", "test.bin"};
    return std::ranges::any_of(held_out,
                               [&](const char* name) { return find_packed(folder, name).has_value(); });
}

Result<Reading> reading_of_folder(const fs::path& folder) {
    PLIMSOLL_ASSIGN(files, files_in(folder));
    for (const auto& file : files)
        if (const auto kind = kind_by_name(named_layouts, unpacked_name(file))) return Reading{*kind, ""};
    if (find_packed(folder, "train.bin") && find_packed(folder, "test.bin") &&
        find_packed(folder, "fine_label_names.txt"))
        return Reading{Kind::cifar100, ""};
    if (is_token_folder(folder)) return Reading{Kind::tokens, "token ids in train.bin and others beside it"};
    PLIMSOLL_ASSIGN(archives, holds_archives(folder));
    if (archives) return reading_of_archive(folder);
    PLIMSOLL_ASSIGN(set, FileSet::open(folder, {}));
    return reading_of_set(set, "", folder);
}

// What the name decides, because the first bytes say nothing that is certain.
std::optional<Kind> kind_of_unsure(const std::string& name, const Sniffed& sniffed, const ReadOptions& read) {
    if (sniffed.certain) return std::nullopt;
    if (const auto kind = kind_by_name(named_layouts, name)) return kind;
    if (const auto kind = kind_by_name(endings, name)) return kind;
    const bool numbers = sniffed.content == Content::binary || sniffed.content == Content::foreign;
    return numbers && read.tokens.width ? std::optional(Kind::tokens) : std::nullopt;
}

Result<Reading> reading_of_text_file(const fs::path& path, std::vector<std::uint8_t> first,
                                     const ReadOptions& read) {
    constexpr std::ptrdiff_t enough_lines = 3;
    std::size_t most = sniffed_bytes;
    if (first.size() == sniffed_bytes && std::ranges::count(first, '\n') < enough_lines) {
        most = most_first_lines;
        PLIMSOLL_ASSIGN(longer, first_bytes_of(path, most));
        first = std::move(longer);
    }
    const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
    return reading_of_text(path, {text, first.size() < most}, read);
}

Result<Reading> reading_of_file(const fs::path& path, const ReadOptions& read) {
    PLIMSOLL_ASSIGN(first, first_bytes_of(path));
    const Sniffed sniffed = sniff(first);
    if (const auto kind = kind_of_unsure(unpacked_name(path), sniffed, read)) return Reading{*kind, ""};
    switch (sniffed.content) {
        case Content::npy:
            return reading_of_npy(path);
        case Content::zip: {
            PLIMSOLL_ASSIGN(npz, reading_of_npz(path));
            return npz ? Result<Reading>(std::move(*npz)) : reading_of_archive(path);
        }
        case Content::tar:
            return reading_of_archive(path);
        case Content::image:
            return bad_input(path.string(), "is one image; give the folder above the folders of the classes");
        case Content::mat:
            return Reading{Kind::svhn, ""};
        case Content::idx:
            return Reading{Kind::idx, ""};
        case Content::foreign:
        case Content::binary:
            return not_text(path.string(), sniffed);
        case Content::empty:
        case Content::text:
            break;
    }
    return reading_of_text_file(path, std::move(first), read);
}

}  // namespace

Result<Reading> reading_of(const fs::path& path, const ReadOptions& read) {
    return fs::is_directory(path) ? reading_of_folder(path) : reading_of_file(path, read);
}

Result<TableFile> table_file_of(const fs::path& path) {
    if (fs::is_directory(path)) return TableFile::set;
    PLIMSOLL_ASSIGN(first, first_bytes_of(path));
    const Content content = sniff(first).content;
    if (content == Content::npy) return TableFile::arrays;
    if (content == Content::tar) return TableFile::set;
    if (content != Content::zip) return TableFile::text;
    PLIMSOLL_ASSIGN(file, load_file(path, {}));
    PLIMSOLL_ASSIGN(npz, is_npz(file, LoadOptions{}.most_bytes));
    return npz ? TableFile::arrays : TableFile::set;
}

}  // namespace plimsoll::data
