#include "plimsoll/data/tables/table_set.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/text.h"
#include "plimsoll/data/tables/text_table.h"

namespace plimsoll::data {
namespace {

constexpr std::array<std::string_view, 2> table_endings{".csv", ".tsv"};
constexpr std::array<std::string_view, 3> packed_endings{".gz", ".xz", ".zst"};
constexpr std::array<std::string_view, 6> split_words{"train", "val", "valid", "validation", "dev", "test"};

// The file's own name without what it is packed with: "train.csv" of "data/train.csv.gz".
std::string plain_name(const std::string& path) {
    std::string name = std::filesystem::path(path).filename().string();
    for (const auto ending : packed_endings)
        if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    return name;
}

bool is_table_name(const std::string& name) {
    return std::ranges::any_of(table_endings, [&](auto ending) { return name.ends_with(ending); });
}

// "train" of "adult_train.csv"; empty when the name says nothing.
std::string split_of_name(const std::string& path) {
    std::string letters = plain_name(path).substr(0, plain_name(path).rfind('.'));
    for (char& c : letters)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c >= 'a' && c <= 'z' ? c : ' ';
    for (const auto& word : split(letters, ' '))
        if (std::ranges::find(split_words, word) != split_words.end()) return word;
    return "";
}

}  // namespace

TableSet table_set_of(const FileSet& files) {
    std::size_t train = 0, other = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_table_name(plain_name(files.name(i)))) return TableSet::none;
        const std::string split = split_of_name(files.name(i));
        train += split == "train" ? 1 : 0;
        other += split.empty() ? 1 : 0;
    }
    if (files.size() == 0) return TableSet::none;
    if (files.size() == 1) return TableSet::one;
    return train > 0 && train < files.size() && other == 0 ? TableSet::splits : TableSet::several;
}

Result<Table> load_table_set(const std::filesystem::path& path, const ReadOptions& read,
                             const LoadOptions& options) {
    PLIMSOLL_ASSIGN(files, FileSet::open(path, options));
    const TableSet kind = table_set_of(files);
    if (kind != TableSet::one && kind != TableSet::splits)
        return bad_input(path.string(), "is no table and no splits of one (train.csv, test.csv)");
    std::vector<LoadedFile> loaded;
    std::vector<TablePart> parts;
    for (std::size_t i = 0; i < files.size(); ++i) {
        PLIMSOLL_ASSIGN(file, files.read(i));
        loaded.push_back(std::move(file));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto bytes = loaded[i].bytes.view();
        parts.push_back({{reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                         loaded[i].name,
                         split_of_name(files.name(i))});
    }
    // The training part's columns are those that the others must have.
    std::ranges::stable_partition(parts, [](const TablePart& part) { return part.split == "train"; });
    return parse_table_parts(parts, path.string(), read, options);
}

}  // namespace plimsoll::data
