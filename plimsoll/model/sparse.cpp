#include "plimsoll/model/sparse.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <torch/csrc/autograd/custom_function.h>

namespace plimsoll::model {
namespace {

using Places = std::vector<std::int64_t>;

// The cells of each row: offsets into a list that is sorted by rows.
struct RowList {
    Places starts;  // rows + 1
    Places sources, slots;
};

RowList by_rows(std::int64_t rows, const Places& row_of, const Places& source_of) {
    RowList list{Places(static_cast<std::size_t>(rows) + 1, 0), Places(row_of.size()), Places(row_of.size())};
    for (const auto row : row_of) ++list.starts[static_cast<std::size_t>(row) + 1];
    std::partial_sum(list.starts.begin(), list.starts.end(), list.starts.begin());
    Places next(list.starts.begin(), list.starts.end() - 1);
    for (std::size_t k = 0; k < row_of.size(); ++k) {
        const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(row_of[k])]++);
        list.sources[at] = source_of[k];
        list.slots[at] = static_cast<std::int64_t>(k);
    }
    return list;
}

// 32-bit indices where they suffice.
Tensor index_tensor(const Places& values) {
    const bool small = values.empty() || *std::max_element(values.begin(), values.end()) <
                                             std::numeric_limits<std::int32_t>::max();
    return at::tensor(values, at::kLong).to(small ? at::kInt : at::kLong);
}

SparseRuns runs_of(const RowList& list) {
    const std::size_t rows = list.starts.size() - 1;
    const auto cells = [&](std::int64_t row) {
        return list.starts[static_cast<std::size_t>(row) + 1] - list.starts[static_cast<std::size_t>(row)];
    };
    Places order(rows);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return cells(a) > cells(b); });
    SparseRuns runs;
    Places sources, slots, places(rows);
    for (std::size_t k = 0; k < rows; ++k) places[static_cast<std::size_t>(order[k])] = std::int64_t(k);
    for (std::int64_t k = 0; rows > 0 && k < cells(order[0]); ++k) {
        std::int64_t length = 0;
        for (const auto row : order) {
            if (cells(row) <= k) break;
            const auto at = static_cast<std::size_t>(list.starts[static_cast<std::size_t>(row)] + k);
            sources.push_back(list.sources[at]);
            slots.push_back(list.slots[at]);
            ++length;
        }
        runs.lengths.push_back(length);
    }
    runs.sources = index_tensor(sources);
    runs.slots = index_tensor(slots);
    runs.places = index_tensor(places);
    return runs;
}

// (cells) as it is, (K, cells) as (cells, K).
Tensor cells_first(const Tensor& values) { return values.dim() == 2 ? values.t() : values; }

// For x (inputs, B): the sums over each output's cells, (outputs, B); with (K, B) for B in a stack.
Tensor multiply(const SparseRuns& runs, const Tensor& values, const Tensor& x) {
    const Tensor weights = cells_first(values).index_select(0, runs.slots).unsqueeze(-1);
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape[0] = runs.places.size(0);
    Tensor sums = at::zeros(shape, x.options());
    std::int64_t start = 0;
    for (const auto length : runs.lengths) {
        const Tensor read = x.index_select(0, runs.sources.narrow(0, start, length));
        sums.narrow(0, 0, length).addcmul_(read, weights.narrow(0, start, length));
        start += length;
    }
    return sums.index_select(0, runs.places);
}

// The gradient of every value, cells first: the sum over the batch of output gradient times input.
Tensor value_gradient(const SparseRuns& runs, const Tensor& x, const Tensor& gradient) {
    const Tensor sorted = at::empty_like(gradient).index_copy_(0, runs.places.to(at::kLong), gradient);
    std::vector<Tensor> parts;
    std::int64_t start = 0;
    for (const auto length : runs.lengths) {
        const Tensor read = x.index_select(0, runs.sources.narrow(0, start, length));
        parts.push_back((read * sorted.narrow(0, 0, length)).sum(-1));
        start += length;
    }
    std::vector<std::int64_t> shape{runs.slots.size(0)};
    if (x.dim() == 3) shape.push_back(x.size(1));
    Tensor result = at::zeros(shape, x.options());
    if (!parts.empty()) result.index_copy_(0, runs.slots.to(at::kLong), at::cat(parts));
    return result;
}

// (K B, n) as (n, B), or of a stack as (n, K, B).
Tensor columns_of(const Tensor& x, const Tensor& values) {
    const Tensor columns = x.t().contiguous();
    return values.dim() == 1 ? columns : columns.view({columns.size(0), values.size(0), -1});
}

Tensor rows_from(const Tensor& columns) { return columns.flatten(1).t().contiguous(); }

struct SparseProduct : torch::autograd::Function<SparseProduct> {
    static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, const Tensor& values,
                          const SparsePattern& pattern) {
        const SparseRuns &there = pattern.there, &back = pattern.back;
        context->save_for_backward(
            {x, values, there.sources, there.slots, there.places, back.sources, back.slots, back.places});
        context->saved_data["there"] = there.lengths;
        context->saved_data["back"] = back.lengths;
        return rows_from(multiply(there, values, columns_of(x, values)));
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const SparseRuns there{context->saved_data["there"].toIntVector(), saved[2], saved[3], saved[4]};
        const SparseRuns back{context->saved_data["back"].toIntVector(), saved[5], saved[6], saved[7]};
        const Tensor &x = saved[0], &values = saved[1], gradient = columns_of(gradients[0], values);
        return {rows_from(multiply(back, values, gradient)),
                cells_first(value_gradient(there, columns_of(x, values), gradient)), Tensor()};
    }
};

}  // namespace

SparsePattern sparse_pattern(std::int64_t outputs, std::int64_t inputs,
                             const std::vector<std::int64_t>& cells) {
    Places rows, cols;
    for (const auto cell : cells) {
        rows.push_back(cell / inputs);
        cols.push_back(cell % inputs);
    }
    return {runs_of(by_rows(outputs, rows, cols)), runs_of(by_rows(inputs, cols, rows))};
}

void move_to(SparsePattern& pattern, torch::Device device) {
    for (SparseRuns* runs : {&pattern.there, &pattern.back}) {
        for (Tensor* part : {&runs->sources, &runs->slots, &runs->places}) *part = part->to(device);
    }
}

Tensor sparse_linear(const Tensor& x, const Tensor& values, const SparsePattern& pattern) {
    return SparseProduct::apply(x.to(values.scalar_type()), values, pattern);
}

}  // namespace plimsoll::model
