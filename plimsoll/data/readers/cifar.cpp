#include "plimsoll/data/readers/cifar.h"

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/class_names_table.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

struct OfficialFile {
    std::string_view name, split;
    Cifar kind;
};
constexpr OfficialFile official_files[] = {
    {"data_batch_1.bin", "train", Cifar::ten}, {"data_batch_2.bin", "train", Cifar::ten},
    {"data_batch_3.bin", "train", Cifar::ten}, {"data_batch_4.bin", "train", Cifar::ten},
    {"data_batch_5.bin", "train", Cifar::ten}, {"test_batch.bin", "test", Cifar::ten},
    {"train.bin", "train", Cifar::hundred},    {"test.bin", "test", Cifar::hundred},
};

struct SplitFile {
    fs::path path;
    std::string split;
};

std::string cifar_split_of(const fs::path& path, Cifar kind) {
    for (const auto& file : official_files)
        if (file.kind == kind && file.name == unpacked_name(path)) return std::string(file.split);
    return "all";
}

Result<std::vector<SplitFile>> cifar_files(const fs::path& path, Cifar kind) {
    if (!fs::is_directory(path)) return std::vector<SplitFile>{{path, cifar_split_of(path, kind)}};
    std::vector<SplitFile> found;
    for (const auto& file : official_files) {
        if (file.kind != kind) continue;
        if (auto there = find_packed(path, file.name)) found.push_back({*there, std::string(file.split)});
    }
    if (found.empty())
        return not_found(path.string(), kind == Cifar::ten
                                            ? "has no data_batch_1.bin ... data_batch_5.bin or test_batch.bin"
                                            : "has no train.bin or test.bin");
    return found;
}

std::size_t label_bytes(Cifar kind) { return kind == Cifar::ten ? 1 : 2; }

// One label byte, held against its classes.
Result<std::uint16_t> label_at(const LoadedFile& file, std::size_t record, std::size_t at,
                               std::size_t classes, std::string_view what) {
    const std::uint8_t label = file.bytes[at];
    if (label < classes) return std::uint16_t{label};
    return bad_input(
        file.name, fmt::format("record {}, byte {}: {} {} of {} classes", record, at, what, label, classes));
}

ImageSplit& split_named(Images& set, const std::string& name) {
    for (auto& split : set.splits)
        if (split.name == name) return split;
    set.splits.emplace_back().name = name;
    return set.splits.back();
}

}  // namespace

std::size_t cifar_record_bytes(Cifar kind) { return label_bytes(kind) + cifar_shape.bytes(); }

Status add_cifar(const LoadedFile& file, Cifar kind, ImageSplit& split) {
    const std::size_t record = cifar_record_bytes(kind), count = file.bytes.size() / record;
    if (file.bytes.empty())
        return bad_input(file.name,
                         "is empty; it should hold records of " + std::to_string(record) + " bytes");
    if (const std::size_t rest = file.bytes.size() % record; rest != 0)
        return bad_input(file.name,
                         fmt::format("record {}, byte {}: the file ends after {} of the record's {} bytes",
                                     count, count * record, rest, record));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = i * record;
        if (kind == Cifar::hundred) {
            PLIMSOLL_ASSIGN(coarse, label_at(file, i, at, cifar100_coarse_classes.size(), "coarse label"));
            split.coarse_labels.push_back(coarse);
        }
        PLIMSOLL_ASSIGN(label, kind == Cifar::ten
                                   ? label_at(file, i, at, cifar10_classes.size(), "label")
                                   : label_at(file, i, at + 1, cifar100_classes.size(), "label"));
        split.labels.push_back(label);
    }
    split.add({file.bytes, label_bytes(kind), record, count});
    return {};
}

Result<Images> load_cifar(const fs::path& path, Cifar kind, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(parts, cifar_files(path, kind));
    std::vector<fs::path> paths;
    for (const auto& part : parts) paths.push_back(part.path);
    PLIMSOLL_ASSIGN(files, load_files(paths, options));
    Images set;
    set.shape = cifar_shape;
    set.class_names = kind == Cifar::ten ? names_of(cifar10_classes) : names_of(cifar100_classes);
    if (kind == Cifar::hundred) set.coarse_class_names = names_of(cifar100_coarse_classes);
    for (std::size_t i = 0; i < files.size(); ++i)
        PLIMSOLL_RETURN_IF_ERROR(add_cifar(files[i], kind, split_named(set, parts[i].split)));
    return set;
}

}  // namespace plimsoll::data
