#include "plimsoll/audit/weights/attention_weights.h"

#include <algorithm>
#include <utility>

#include "plimsoll/rank/singular_values.h"

namespace plimsoll::audit {
namespace {

using formats::TensorInfo;
using rank::DenseMatrix;
using FloatMatrix = DenseMatrix<float>;

enum class Part { query, key, value };

// The rows of a fused tensor that hold one of the three.
std::vector<RowRange> rows_of_part(const AttentionTensors& layer, const HeadCounts& counts, Part part) {
    const std::size_t dim = counts.head_dim;
    const bool stacked = layer.layout == AttentionLayout::stacked;
    const std::size_t groups = stacked ? 1 : counts.kv_heads;
    const std::size_t queries = counts.heads / groups * dim, keys = counts.kv_heads / groups * dim;
    std::vector<RowRange> ranges;
    for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t base = group * (queries + 2 * keys);
        if (part == Part::query) ranges.push_back({base, queries});
        if (part == Part::key) ranges.push_back({base + queries, keys});
        if (part == Part::value) ranges.push_back({base + queries + keys, keys});
    }
    return ranges;
}

Result<FloatMatrix> load_all(WeightReader& reader, const TensorInfo& tensor, bool input_first = false) {
    return reader.read_selected(tensor, input_first, {{0, outputs_of(tensor, input_first)}});
}

Result<FloatMatrix> load_part(WeightReader& reader, const AttentionTensors& layer, const HeadCounts& counts,
                              Part part) {
    if (layer.layout == AttentionLayout::separate) {
        return load_all(reader, part == Part::query ? *layer.query
                                : part == Part::key ? *layer.key
                                                    : *layer.value);
    }
    return reader.read_selected(*layer.query, layer.input_first, rows_of_part(layer, counts, part));
}

// first <- diag(gain) first; no gain is a gain of one.
Status apply_gain(WeightReader& reader, const TensorInfo* gain, FloatMatrix& first) {
    if (gain == nullptr) return {};
    if (gain->elements != first.rows())
        return unsupported(gain->name, "does not fit the projection before it");
    FloatMatrix gains(rows_of(*gain), cols_of(*gain));
    PLIMSOLL_RETURN_IF_ERROR(reader.read_rows(*gain, 0, gains.view()));
    for (std::size_t i = 0; i < first.rows(); ++i) {
        for (float& entry : first.view().row(i)) entry *= gains.view().data()[i];
    }
    return {};
}

// target <- second first, some rows at a time.
void compose(MatrixView<const float> second, const DenseMatrix<double>& first, MatrixView<float> target) {
    const std::size_t piece = 256;
    for (std::size_t row = 0; row < second.rows(); row += piece) {
        const std::size_t count = std::min(piece, second.rows() - row);
        const auto factor = as_doubles(second.block(row, 0, count, second.cols()));
        DenseMatrix<double> product(count, first.cols());
        rank::add_product(factor.view(), first.view(), product.view());
        for (std::size_t i = 0; i < count; ++i) {
            std::transform(product.view().row(i).begin(), product.view().row(i).end(),
                           target.row(row + i).begin(),
                           [](double entry) { return static_cast<float>(entry); });
        }
    }
}

// The map from the layer's input to MLA's small vector, with the gain of the norm behind it.
Result<DenseMatrix<double>> load_first(WeightReader& reader, const TensorInfo& tensor, std::size_t rows,
                                       const TensorInfo* gain) {
    PLIMSOLL_ASSIGN(first, reader.read_selected(tensor, false, {{0, rows}}));
    PLIMSOLL_RETURN_IF_ERROR(apply_gain(reader, gain, first));
    reader.clear_not_finite(first.view());
    return as_doubles(std::as_const(first).view());
}

Result<FloatMatrix> load_latent_query(WeightReader& reader, const AttentionTensors& layer) {
    PLIMSOLL_ASSIGN(second, load_all(reader, *layer.query));
    if (layer.query_first == nullptr) return second;
    PLIMSOLL_ASSIGN(first,
                    load_first(reader, *layer.query_first, rows_of(*layer.query_first), layer.query_gain));
    FloatMatrix query(second.rows(), first.cols());
    compose(std::as_const(second).view(), first, query.view());
    reader.clear_not_finite(query.view());
    return query;
}

// Of each head's rows of the second factor (key, then value) either part.
Result<FloatMatrix> load_second(WeightReader& reader, const AttentionTensors& layer, const HeadCounts& counts,
                                Part part) {
    const std::size_t plain = counts.head_dim - counts.rotary, both = plain + counts.value_dim;
    std::vector<RowRange> ranges;
    for (std::size_t head = 0; head < counts.heads; ++head) {
        ranges.push_back(part == Part::key ? RowRange{head * both, plain}
                                           : RowRange{head * both + plain, counts.value_dim});
    }
    return reader.read_selected(*layer.value, false, ranges);
}

Result<FloatMatrix> load_latent_value(WeightReader& reader, const AttentionTensors& layer,
                                      const HeadCounts& counts) {
    PLIMSOLL_ASSIGN(second, load_second(reader, layer, counts, Part::value));
    PLIMSOLL_ASSIGN(first, load_first(reader, *layer.key, cols_of(*layer.value), layer.latent_gain));
    FloatMatrix value(second.rows(), first.cols());
    compose(std::as_const(second).view(), first, value.view());
    reader.clear_not_finite(value.view());
    return value;
}

// Each head's own key and below it the rotary key that all heads share.
Result<FloatMatrix> load_latent_key(WeightReader& reader, const AttentionTensors& layer,
                                    const HeadCounts& counts) {
    const std::size_t plain = counts.head_dim - counts.rotary;
    PLIMSOLL_ASSIGN(second, load_second(reader, layer, counts, Part::key));
    PLIMSOLL_ASSIGN(first, load_first(reader, *layer.key, cols_of(*layer.value), layer.latent_gain));
    PLIMSOLL_ASSIGN(shared,
                    reader.read_selected(*layer.key, false, {{cols_of(*layer.value), counts.rotary}}));
    FloatMatrix key(counts.heads * counts.head_dim, first.cols());
    for (std::size_t head = 0; head < counts.heads; ++head) {
        const std::size_t base = head * counts.head_dim;
        const auto own = std::as_const(second).view().block(head * plain, 0, plain, second.cols());
        compose(own, first, key.view().block(base, 0, plain, key.cols()));
        for (std::size_t i = 0; i < counts.rotary; ++i) {
            std::copy_n(shared.view().row(i).begin(), shared.cols(),
                        key.view().row(base + plain + i).begin());
        }
    }
    reader.clear_not_finite(key.view());
    return key;
}

double float_bytes(std::size_t rows, std::size_t cols) {
    return 4 * static_cast<double>(rows) * static_cast<double>(cols);
}

// MLA's factors, as floats and (the first one) as doubles, beside what they make.
double latent_bytes(const AttentionTensors& layer, const TensorInfo& second, const TensorInfo& first) {
    if (layer.layout != AttentionLayout::latent) return 0;
    return float_bytes(rows_of(second), cols_of(second)) + 3 * float_bytes(rows_of(first), cols_of(first));
}

}  // namespace

rank::DenseMatrix<double> as_doubles(MatrixView<const float> matrix) {
    rank::DenseMatrix<double> copy(matrix.rows(), matrix.cols());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        std::copy(matrix.row(i).begin(), matrix.row(i).end(), copy.view().row(i).begin());
    }
    return copy;
}

Result<QueryKey> load_query_key(WeightReader& reader, const AttentionTensors& layer,
                                const HeadCounts& counts) {
    if (layer.layout == AttentionLayout::latent) {
        PLIMSOLL_ASSIGN(query, load_latent_query(reader, layer));
        PLIMSOLL_ASSIGN(key, load_latent_key(reader, layer, counts));
        return QueryKey{std::move(query), std::move(key)};
    }
    PLIMSOLL_ASSIGN(query, load_part(reader, layer, counts, Part::query));
    PLIMSOLL_ASSIGN(key, load_part(reader, layer, counts, Part::key));
    return QueryKey{std::move(query), std::move(key)};
}

Result<ValueOutput> load_value_output(WeightReader& reader, const AttentionTensors& layer,
                                      const HeadCounts& counts) {
    const bool latent = layer.layout == AttentionLayout::latent;
    PLIMSOLL_ASSIGN(value, latent ? load_latent_value(reader, layer, counts)
                                  : load_part(reader, layer, counts, Part::value));
    PLIMSOLL_ASSIGN(output, load_all(reader, *layer.output, layer.input_first));
    return ValueOutput{std::move(value), std::move(output)};
}

double query_key_bytes(const AttentionTensors& layer, const HeadCounts& counts) {
    const std::size_t rows = (counts.heads + counts.kv_heads) * counts.head_dim, width = input_width(layer);
    const TensorInfo& first = layer.query_first != nullptr ? *layer.query_first : *layer.query;
    return double{reader_buffer_bytes} + float_bytes(rows, width) + latent_bytes(layer, *layer.query, first);
}

double value_output_bytes(const AttentionTensors& layer, const HeadCounts& counts) {
    const double values = float_bytes(counts.kv_heads * counts.value_dim, input_width(layer));
    const double outputs = float_bytes(rows_of(*layer.output), cols_of(*layer.output));
    const TensorInfo& first = layer.key != nullptr ? *layer.key : *layer.query;
    const TensorInfo& second = layer.value != nullptr ? *layer.value : *layer.query;
    return double{reader_buffer_bytes} + values + outputs + latent_bytes(layer, second, first);
}

}  // namespace plimsoll::audit
