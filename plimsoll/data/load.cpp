#include "plimsoll/data/load.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/readers/array_images.h"
#include "plimsoll/data/readers/cifar.h"
#include "plimsoll/data/readers/class_names_table.h"
#include "plimsoll/data/readers/idx.h"
#include "plimsoll/data/readers/image_folder.h"
#include "plimsoll/data/readers/sentence_pairs.h"
#include "plimsoll/data/readers/stl10.h"
#include "plimsoll/data/readers/svhn.h"
#include "plimsoll/data/readers/text_files.h"
#include "plimsoll/data/sniff/reading.h"
#include "plimsoll/data/tables/array_table.h"
#include "plimsoll/data/tables/table_set.h"
#include "plimsoll/data/tables/text_table.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

// The catalogue's classes for a folder that has the catalogue's name: fashion-mnist and mnist have the same
// layout.
std::vector<std::string> classes_by_folder(const fs::path& path) {
    const fs::path folder = fs::is_directory(path) ? path : fs::absolute(path).parent_path();
    const auto* entry = in_catalogue(folder.filename().string());
    return entry != nullptr ? names_of(entry->class_names) : std::vector<std::string>{};
}

Error nowhere(const DataRequest& request) {
    if (request.target == "-")
        return bad_input("-",
                         "standard input can be read once only, and a run must be able to read its data "
                         "again; data info and fit keep a copy");
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
    const auto type = fs::status(request.target, problem).type();
    if (type == fs::file_type::none)  // a name too long, links in a circle
        return io_error(printable(request.target), problem.message());
    if (type != fs::file_type::not_found) return fs::path(request.target);
    if (request.data_folder.empty() || request.target.empty() || fs::path(request.target).is_absolute())
        return nowhere(request);
    if (fs::is_directory(request.data_folder / request.target, problem))
        return request.data_folder / request.target;
    if (const auto file = find_packed(request.data_folder, request.target)) return *file;
    return nowhere(request);
}

Result<FoundData> find_path(const DataRequest& request) {
    PLIMSOLL_ASSIGN(path, path_of(request));
    FoundData found{.kind = Kind::text, .path = path, .class_names = classes_by_folder(path)};
    if (request.kind) {
        found.kind = *request.kind;
        found.plain_text = found.asked = true;
        return found;
    }
    PLIMSOLL_ASSIGN(reading, reading_of(path, request.read));
    found.kind = reading.kind;
    found.reading = std::move(reading.how);
    found.plain_text = reading.plain_text;
    return found;
}

template <class T>
Result<Dataset> as_dataset(Result<T> loaded) {
    if (!loaded.ok()) return loaded.error();
    return Dataset(std::move(loaded).value());
}

// A text whose kind somebody asked for is its bytes, whatever they are.
Result<TextFiles> text_at(const FoundData& found, const DataRequest& request) {
    if (found.asked && !fs::is_directory(found.path)) return load_bytes_as_text(found.path, request.options);
    return load_text(found.path, request.read, request.options);
}

Result<Table> table_at(const FoundData& found, const DataRequest& request) {
    PLIMSOLL_ASSIGN(file, table_file_of(found.path));
    switch (file) {
        case TableFile::arrays:
            return load_array_table(found.path, request.read, request.options);
        case TableFile::set:
            return load_table_set(found.path, request.read, request.options);
        case TableFile::text:
            break;
    }
    return load_text_table(found.path, request.read, request.options);
}

}  // namespace

Result<FoundData> find_data(const DataRequest& request) {
    const auto* entry = in_catalogue(request.target);
    if (entry == nullptr) return find_path(request);
    if (request.kind && *request.kind != entry->kind)
        return bad_input("kind", fmt::format("{} is {}; write ./{} for a path", entry->name,
                                             kind_name(entry->kind), entry->name));
    PLIMSOLL_ASSIGN(folder, find_folder(*entry, request.data_folder));
    return FoundData{.kind = entry->kind, .path = folder, .class_names = names_of(entry->class_names)};
}

Result<Dataset> load_data(const FoundData& found, const DataRequest& request) {
    const auto& options = request.options;
    const auto& read = request.read;
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
            return as_dataset(load_image_folder(found.path, read, options));
        case Kind::image_arrays:
            return as_dataset(load_npz_images(found.path, options));
        case Kind::text:
            return as_dataset(text_at(found, request));
        case Kind::tokens:
            return as_dataset(load_tokens(found.path, read.tokens, options));
        case Kind::sentence_pairs:
            return as_dataset(load_sentence_pairs(found.path, read.columns, options));
        case Kind::table:
            return as_dataset(table_at(found, request));
    }
    PLIMSOLL_CHECK(false, "a kind nobody loads");
    return bad_input("", "");
}

}  // namespace plimsoll::data
