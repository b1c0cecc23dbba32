#include "plimsoll/data/load.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/readers/byte_stream.h"
#include "plimsoll/data/readers/cifar.h"
#include "plimsoll/data/readers/class_names_table.h"
#include "plimsoll/data/readers/idx.h"
#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/readers/image_folder.h"
#include "plimsoll/data/readers/mat5.h"
#include "plimsoll/data/readers/sentence_pairs.h"
#include "plimsoll/data/readers/stl10.h"
#include "plimsoll/data/readers/svhn.h"
#include "plimsoll/data/readers/text_files.h"

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
constexpr NamedLayout endings[] = {{"*.mat", Kind::svhn},
                                   {"*.bin", Kind::tokens},
                                   {"*.tsv", Kind::sentence_pairs},
                                   {"*.jsonl", Kind::sentence_pairs}};

bool fits(std::string_view pattern, std::string_view name) {
    return pattern.starts_with('*') ? name.ends_with(pattern.substr(1)) : name == pattern;
}

template <class Layouts>
std::optional<Kind> kind_by_name(const Layouts& layouts, std::string_view name) {
    for (const auto& layout : layouts)
        if (fits(layout.name, name)) return layout.kind;
    return std::nullopt;
}

Result<std::vector<std::uint8_t>> first_bytes(const fs::path& path) {
    PLIMSOLL_ASSIGN(stream, ByteStream::open(path));
    std::vector<std::uint8_t> bytes(128);
    PLIMSOLL_ASSIGN(count, stream.read(std::as_writable_bytes(std::span(bytes))));
    bytes.resize(count);
    return bytes;
}

Result<Kind> kind_of_file(const fs::path& path) {
    const std::string name = unpacked_name(path);
    if (const auto kind = kind_by_name(named_layouts, name)) return *kind;
    PLIMSOLL_ASSIGN(first, first_bytes(path));
    if (looks_like_mat(first)) return Kind::svhn;
    if (image_format_of(first) != ImageFormat::none)
        return bad_input(path.string(), "is one image; give the folder above the folders of the classes");
    if (const auto kind = kind_by_name(endings, name)) return *kind;
    return looks_like_idx(first) ? Kind::idx : Kind::text;
}

bool has_image(const fs::path& folder) {
    std::error_code problem;
    for (fs::recursive_directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const std::string ending = entry->path().extension().string();
        if (ending == ".png" || ending == ".jpg" || ending == ".jpeg" || ending == ".PNG" ||
            ending == ".JPG" || ending == ".JPEG")
            return true;
    }
    return false;
}

Result<Kind> kind_of_folder(const fs::path& folder) {
    PLIMSOLL_ASSIGN(files, files_in(folder));
    for (const auto& file : files)
        if (const auto kind = kind_by_name(named_layouts, unpacked_name(file))) return *kind;
    if (find_packed(folder, "train.bin") && find_packed(folder, "test.bin") &&
        find_packed(folder, "fine_label_names.txt"))
        return Kind::cifar100;
    return has_image(folder) ? Kind::image_folder : Kind::text;
}

// The catalogue's classes for a folder that has the catalogue's name: fashion-mnist and mnist have the same
// layout.
std::vector<std::string> classes_by_folder(const fs::path& path) {
    const fs::path folder = fs::is_directory(path) ? path : fs::absolute(path).parent_path();
    const auto* entry = in_catalogue(folder.filename().string());
    return entry != nullptr ? names_of(entry->class_names) : std::vector<std::string>{};
}

Error nowhere(const DataRequest& request) {
    std::vector<std::string> names;
    for (const auto& entry : catalogue()) names.emplace_back(entry.name);
    const std::string there =
        request.data_folder.empty() ? "" : fmt::format(" here or in {}", request.data_folder.string());
    return not_found(
        request.target,
        fmt::format("no such file or folder{}, and no data set of that name{}{}", there,
                    suggestion(request.target, names),
                    request.data_folder.empty() ? "; $PLIMSOLL_DATA, where it could be, is not set" : ""));
}

// The path itself, or what has it below the data folder, packed or not.
Result<fs::path> path_of(const DataRequest& request) {
    std::error_code problem;
    if (fs::status(request.target, problem).type() != fs::file_type::not_found)
        return fs::path(request.target);
    if (request.data_folder.empty() || request.target.empty() || fs::path(request.target).is_absolute())
        return nowhere(request);
    if (fs::is_directory(request.data_folder / request.target, problem))
        return request.data_folder / request.target;
    if (const auto file = find_packed(request.data_folder, request.target)) return *file;
    return nowhere(request);
}

Result<FoundData> find_path(const DataRequest& request) {
    PLIMSOLL_ASSIGN(path, path_of(request));
    if (request.kind) return FoundData{*request.kind, path, classes_by_folder(path)};
    PLIMSOLL_ASSIGN(kind, fs::is_directory(path) ? kind_of_folder(path) : kind_of_file(path));
    return FoundData{kind, path, classes_by_folder(path)};
}

template <class T>
Result<Dataset> as_dataset(Result<T> loaded) {
    if (!loaded.ok()) return loaded.error();
    return Dataset(std::move(loaded).value());
}

}  // namespace

Result<FoundData> find_data(const DataRequest& request) {
    const auto* entry = in_catalogue(request.target);
    if (entry == nullptr) return find_path(request);
    if (request.kind && *request.kind != entry->kind)
        return bad_input("kind", fmt::format("{} is {}; write ./{} for a path", entry->name,
                                             kind_name(entry->kind), entry->name));
    PLIMSOLL_ASSIGN(folder, find_folder(*entry, request.data_folder));
    return FoundData{entry->kind, folder, names_of(entry->class_names)};
}

Result<Dataset> load_data(const FoundData& found, const DataRequest& request) {
    const auto& options = request.options;
    switch (found.kind) {
        case Kind::cifar10:
            return as_dataset(load_cifar(found.path, Cifar::ten, options));
        case Kind::cifar100:
            return as_dataset(load_cifar(found.path, Cifar::hundred, options));
        case Kind::svhn:
            return as_dataset(load_svhn(found.path, options));
        case Kind::stl10:
            return as_dataset(load_stl10(found.path, options));
        case Kind::idx:
            return as_dataset(load_idx(found.path, found.class_names, options));
        case Kind::image_folder:
            return as_dataset(load_image_folder(found.path, options));
        case Kind::text:
            return as_dataset(load_text(found.path, options));
        case Kind::tokens:
            return as_dataset(load_tokens(found.path, request.tokens, options));
        case Kind::sentence_pairs:
            return as_dataset(load_sentence_pairs(found.path, options));
    }
    PLIMSOLL_CHECK(false, "a kind nobody loads");
    return bad_input("", "");
}

}  // namespace plimsoll::data
