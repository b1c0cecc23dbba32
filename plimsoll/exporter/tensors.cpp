#include "plimsoll/exporter/tensors.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/exporter/names_table.h"
#include "plimsoll/formats/safetensors/safetensors.h"

namespace plimsoll::exporter {
namespace {

using formats::TensorInfo;
using Shape = std::vector<std::uint64_t>;

constexpr std::uint64_t opt_offset = 2;  // rows of OPT's table before that of position 0

Shape unsigned_shape(const std::vector<std::int64_t>& shape) { return {shape.begin(), shape.end()}; }

// "layers.12.ffn.up.weight" with its number as '#', and the number.
struct Pattern {
    std::string name, number;
};

Pattern pattern_of(const std::string& name) {
    std::vector<std::string> words = split(name, '.');
    if (words.size() < 2 || words[0] != "layers") return {name, ""};
    std::string number = std::exchange(words[1], "#");
    return {join(words, "."), std::move(number)};
}

std::string numbered(std::string_view pattern, const std::string& number) {
    std::string name(pattern);
    if (const auto place = name.find('#'); place != std::string::npos) name.replace(place, 1, number);
    return name;
}

// A row that names the tensor or its module, and what follows the module's name.
struct Match {
    const NameRow* row = nullptr;
    std::string suffix;
};

Match row_of(const std::vector<NameRow>& rows, const std::string& pattern) {
    if (const auto whole = std::ranges::find(rows, pattern, &NameRow::ours); whole != rows.end())
        return {&*whole, ""};
    const auto dot = pattern.rfind('.');
    PLIMSOLL_CHECK(dot != std::string::npos, "no name in the stock class for " + pattern);
    const auto module = std::ranges::find(rows, std::string_view(pattern).substr(0, dot), &NameRow::ours);
    PLIMSOLL_CHECK(module != rows.end(), "no name in the stock class for " + pattern);
    return {&*module, pattern.substr(dot)};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
}

// Matrices are stored (in, out), biases as they are.
void turn(StockTensor& tensor) {
    if (tensor.shape.size() != 2) return;
    tensor.transposed = true;
    std::swap(tensor.shape[0], tensor.shape[1]);
}

void arrange(StockTensor& tensor, Arrangement arrangement, const arch::ImageInput& image) {
    switch (arrangement) {
        case Arrangement::same:
        case Arrangement::behind_query:
            return;
        case Arrangement::conv1d:
            return turn(tensor);
        case Arrangement::query_key_value:
            for (const char* other : {".key.", ".value."})
                tensor.sources.push_back(replaced(tensor.sources.front(), ".query.", other));
            tensor.shape[0] *= 3;
            return turn(tensor);
        case Arrangement::opt_positions:
            tensor.zero_rows = opt_offset;
            tensor.shape[0] += opt_offset;
            return;
        case Arrangement::patches:
            tensor.shape = unsigned_shape({static_cast<std::int64_t>(tensor.shape[0]), image.image_channels,
                                           image.patch, image.patch_width});
            return;
        case Arrangement::one_more:
            tensor.shape.insert(tensor.shape.begin(), 1);
            return;
    }
}

// The tensor of the network as the file has it, or what is wrong.
Result<TensorInfo> found(const formats::TensorTable& table, const arch::TensorShape& wanted,
                         const std::string& where) {
    const TensorInfo* info = table.find(wanted.name);
    if (info == nullptr) return bad_input(where, fmt::format("has no tensor '{}'", wanted.name));
    if (info->shape != unsigned_shape(wanted.shape))
        return bad_input(where, fmt::format("'{}' has another shape than the spec says", wanted.name));
    const bool real = info->dtype == formats::Dtype::f32 || info->dtype == formats::Dtype::f64;
    if (!real || info->dtype != table.tensors.front().dtype) {
        return bad_input(where, fmt::format("'{}' is {}; weights must be all F32 or all F64", wanted.name,
                                            type_name(*info)));
    }
    return *info;
}

// `rows` x (the rest) entries of `size` bytes, column by column.
std::vector<std::byte> transposed(const std::vector<std::byte>& matrix, std::size_t rows, std::size_t size) {
    const std::size_t cols = matrix.size() / (rows * size);
    std::vector<std::byte> turned(matrix.size());
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < cols; ++c)
            std::memcpy(&turned[(c * rows + r) * size], &matrix[(r * cols + c) * size], size);
    }
    return turned;
}

template <class Number>
void multiply_all(std::vector<std::byte>& bytes, double multiplier) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
        Number number;
        std::memcpy(&number, &bytes[at], sizeof number);
        number = static_cast<Number>(number * multiplier);
        std::memcpy(&bytes[at], &number, sizeof number);
    }
}

// The numbers times `multiplier`, rounded once.
std::vector<std::byte> times(std::span<const std::byte> numbers, formats::Dtype type, double multiplier) {
    std::vector<std::byte> bytes(numbers.begin(), numbers.end());
    if (multiplier == 1) return bytes;
    type == formats::Dtype::f64 ? multiply_all<double>(bytes, multiplier)
                                : multiply_all<float>(bytes, multiplier);
    return bytes;
}

}  // namespace

std::vector<StockTensor> stock_tensors(StockClass stock, const arch::ArchSpec& spec) {
    const auto& image = std::get<arch::TransformerSpec>(spec).image;
    const std::vector<NameRow> names = stock_names(stock);
    std::vector<StockTensor> tensors;
    for (const arch::TensorShape& ours : arch::tensors(spec)) {
        const Pattern pattern = pattern_of(ours.name);
        const Match match = row_of(names, pattern.name);
        if (match.row->arrangement == Arrangement::behind_query) continue;
        StockTensor tensor{.name = numbered(match.row->theirs, pattern.number) + match.suffix,
                           .shape = unsigned_shape(ours.shape),
                           .sources = {ours.name}};
        arrange(tensor, match.row->arrangement, image);
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Weights::Weights(MappedFile file, std::vector<TensorInfo> tensors)
    : file_(std::move(file)),
      tensors_(std::move(tensors)),
      multipliers_(tensors_.size(), 1.0),
      dtype_(tensors_.front().dtype) {}

Result<Weights> Weights::open(const std::filesystem::path& file, const arch::ArchSpec& spec) {
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    const auto bytes = mapped.bytes();
    PLIMSOLL_ASSIGN(table, formats::parse_safetensors(bytes, bytes.size(), file.string()));
    std::vector<TensorInfo> tensors;
    for (const arch::TensorShape& wanted : arch::tensors(spec)) {
        PLIMSOLL_ASSIGN(info, found(table, wanted, file.string()));
        tensors.push_back(std::move(info));
    }
    PLIMSOLL_CHECK(!tensors.empty(), "a network without weights");
    return Weights(std::move(mapped), std::move(tensors));
}

std::span<const std::byte> Weights::bytes_of(const TensorInfo& tensor) const {
    return file_.bytes().subspan(tensor.begin, tensor.bytes);
}

std::vector<formats::TensorData> Weights::plain() const {
    std::vector<formats::TensorData> data;
    for (const TensorInfo& tensor : tensors_)
        data.push_back({tensor.name, tensor.dtype, tensor.shape, bytes_of(tensor)});
    return data;
}

std::optional<std::span<const std::byte>> Weights::stored(const StockTensor& tensor) const {
    if (tensor.transposed || tensor.zero_rows > 0 || tensor.sources.size() > 1) return std::nullopt;
    const TensorInfo& info = tensor_named(tensor.sources.front());
    return multiplier_of(info) == 1 ? std::optional(bytes_of(info)) : std::nullopt;
}

double Weights::multiplier_of(const TensorInfo& tensor) const {
    return multipliers_[static_cast<std::size_t>(&tensor - tensors_.data())];
}

const TensorInfo& Weights::tensor_named(const std::string& name) const {
    const auto info = std::ranges::find(tensors_, name, &TensorInfo::name);
    PLIMSOLL_CHECK(info != tensors_.end(), "a stock tensor made of nothing: " + name);
    return *info;
}

std::vector<std::byte> Weights::joined(const StockTensor& tensor) const {
    std::vector<std::byte> all;
    for (const std::string& source : tensor.sources) {
        const TensorInfo& info = tensor_named(source);
        const auto bytes = bytes_of(info);
        if (all.empty()) all.resize(tensor.zero_rows * bytes.size() / info.shape.front());
        const auto multiplied = times(bytes, dtype_, multiplier_of(info));
        all.insert(all.end(), multiplied.begin(), multiplied.end());
    }
    return all;
}

std::vector<std::byte> Weights::arranged(const StockTensor& tensor) const {
    std::vector<std::byte> bytes = joined(tensor);
    const auto size = static_cast<std::size_t>(bits_of(dtype_)) / 8;
    return tensor.transposed ? transposed(bytes, tensor.shape.back(), size) : bytes;
}

}  // namespace plimsoll::exporter
