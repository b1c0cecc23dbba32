#pragma once

#include "plimsoll/audit/weights/head_counts.h"
#include "plimsoll/audit/weights/weight_reader.h"

namespace plimsoll::audit {

// All heads of one layer, one below the other: queries (heads x head_dim rows) and keys (kv_heads x head_dim
// rows).
struct QueryKey {
    rank::DenseMatrix<float> query, key;
};

// Values (kv_heads x value_dim rows) and the output map (heads x value_dim columns).
struct ValueOutput {
    rank::DenseMatrix<float> value, output;
};

// Reads the projections, whatever their layout; without biases, the norms before them and rotary positions.
// The gains of MLA's inner norms are part of the product.
Result<QueryKey> load_query_key(WeightReader& reader, const AttentionTensors& layer,
                                const HeadCounts& counts);
Result<ValueOutput> load_value_output(WeightReader& reader, const AttentionTensors& layer,
                                      const HeadCounts& counts);

// Bytes that the loads above hold at most; doubles do not overflow, whatever a header says.
double query_key_bytes(const AttentionTensors& layer, const HeadCounts& counts);
double value_output_bytes(const AttentionTensors& layer, const HeadCounts& counts);

// The same matrix in double precision.
rank::DenseMatrix<double> as_doubles(MatrixView<const float> matrix);

}  // namespace plimsoll::audit
