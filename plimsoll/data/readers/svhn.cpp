#include "plimsoll/data/readers/svhn.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/class_names_table.h"
#include "plimsoll/data/readers/mat5.h"
#include "plimsoll/data/readers/matio_door.h"
#include "plimsoll/data/readers/planes.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_ending = "_32x32.mat";
constexpr std::array<std::string_view, 3> split_names{"train", "test", "extra"};

Result<MatVariable> variable_named(const LoadedFile& file, const std::vector<MatVariable>& variables,
                                   std::string_view name) {
    for (const auto& variable : variables)
        if (variable.name == name) return variable;
    return bad_input(file.name, fmt::format("has no array '{}'; SVHN's files hold X and y", name));
}

std::string shape_text(const std::vector<std::uint32_t>& dimensions) {
    return fmt::format("{}", fmt::join(dimensions, " x "));
}

Status check_images(const LoadedFile& file, const MatVariable& x) {
    const std::vector<std::uint32_t> one{32, 32, 3};
    // MATLAB drops a last dimension of 1: one image is 32 x 32 x 3.
    const bool fits = (x.dimensions.size() == 3 || x.dimensions.size() == 4) &&
                      std::equal(one.begin(), one.end(), x.dimensions.begin());
    if (!fits)
        return bad_input(file.name, fmt::format("byte {}: X is {}; SVHN's is 32 x 32 x 3 x count", x.byte,
                                                shape_text(x.dimensions)));
    if (x.array_class != mat_class_uint8)
        return bad_input(file.name,
                         fmt::format("byte {}: X has class {}; SVHN's is uint8 (9)", x.byte, x.array_class));
    return {};
}

// The element of a MATLAB array as a double, whatever its class.
template <class T>
double element(const void* data, std::size_t index) {
    return static_cast<double>(static_cast<const T*>(data)[index]);
}
using ElementReader = double (*)(const void*, std::size_t);
constexpr std::array<ElementReader, 10> element_readers{
    // by class, from 6 on
    element<double>,       element<float>,         element<std::int8_t>,  element<std::uint8_t>,
    element<std::int16_t>, element<std::uint16_t>, element<std::int32_t>, element<std::uint32_t>,
    element<std::int64_t>, element<std::uint64_t>};

Result<std::vector<std::uint16_t>> read_labels(const LoadedFile& file, const MatVariable& y,
                                               std::size_t images) {
    if (y.elements != images)
        return bad_input(file.name,
                         fmt::format("byte {}: y has {} labels for {} images", y.byte, y.elements, images));
    PLIMSOLL_ASSIGN(array, read_mat_array(file, y.name));
    const ElementReader read = element_readers.at(y.array_class - 6U);
    std::vector<std::uint16_t> labels;
    for (std::size_t i = 0; i < images; ++i) {
        const double label = read(array.data, i);
        if (!(label >= 1 && label <= 10) || label != static_cast<int>(label))
            return bad_input(
                file.name,
                fmt::format("record {} of y, which starts at byte {}: label {}; 1 to 10 are digits, 10 for 0",
                            i, y.byte, label));
        labels.push_back(static_cast<std::uint16_t>(static_cast<int>(label) % 10));
    }
    return labels;
}

Result<std::vector<fs::path>> svhn_files(const fs::path& path) {
    if (!fs::is_directory(path)) return std::vector{path};
    std::vector<fs::path> found;
    for (const auto name : split_names)
        if (auto file = find_packed(path, std::string(name) + std::string(file_ending)))
            found.push_back(*file);
    if (found.empty())
        return not_found(path.string(), "has no train_32x32.mat, test_32x32.mat or extra_32x32.mat");
    return found;
}

std::string svhn_split_of(const fs::path& path) {
    const std::string name = unpacked_name(path);
    for (const auto split : split_names)
        if (name == std::string(split) + std::string(file_ending)) return std::string(split);
    return "all";
}

}  // namespace

Result<ImageSplit> make_svhn_split(const LoadedFile& file, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(variables, check_mat5(file, options.most_bytes));
    PLIMSOLL_ASSIGN(x, variable_named(file, variables, "X"));
    PLIMSOLL_ASSIGN(y, variable_named(file, variables, "y"));
    PLIMSOLL_RETURN_IF_ERROR(check_images(file, x));
    ImageSplit split;
    const std::size_t count = x.elements / svhn_shape.bytes();
    PLIMSOLL_ASSIGN(labels, read_labels(file, y, count));
    split.labels = std::move(labels);
    PLIMSOLL_ASSIGN(array, read_mat_array(file, "X"));
    if (array.bytes != x.elements)
        return bad_input(file.name,
                         fmt::format("matio gives {} bytes for X, not {}", array.bytes, x.elements));
    const std::span pixels(static_cast<std::uint8_t*>(array.data), array.bytes);
    planes_to_rows(pixels, svhn_shape);
    split.add({HostArray<std::uint8_t>(pixels, array.keeper), 0, svhn_shape.bytes(), count});
    return split;
}

Result<Images> load_svhn(const fs::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(paths, svhn_files(path));
    PLIMSOLL_ASSIGN(files, load_files(paths, options));
    Images set;
    set.shape = svhn_shape;
    set.class_names = names_of(digit_classes);
    for (std::size_t i = 0; i < files.size(); ++i) {
        PLIMSOLL_ASSIGN(split, make_svhn_split(files[i], options));
        split.name = svhn_split_of(paths[i]);
        set.splits.push_back(std::move(split));
    }
    return set;
}

}  // namespace plimsoll::data
