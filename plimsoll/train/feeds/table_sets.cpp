#include <algorithm>

#include <ATen/ATen.h>

#include "plimsoll/train/feeds/set_feeds.h"

namespace plimsoll::train {
namespace {

// (rows, columns) of what the network reads, and the labels.
LabelledTensors row_tensors(const run::EncodedRows& rows, const run::TableEncoding& encoding) {
    const auto count = static_cast<std::int64_t>(rows.count);
    LabelledTensors all;
    if (encoding.inputs() > 0) {
        all.values = at::empty({count, encoding.inputs()}, at::kFloat);
        std::ranges::copy(rows.values, all.values.data_ptr<float>());
    }
    if (!encoding.categories.empty()) {
        all.tokens = at::empty({count, std::ssize(encoding.categories)}, at::kInt);
        std::ranges::copy(rows.places, all.tokens.data_ptr<std::int32_t>());
    }
    if (encoding.label.is_number()) {
        all.labels = at::empty({count}, at::kFloat);
        std::ranges::copy(rows.numbers, all.labels.data_ptr<float>());
        return all;
    }
    all.labels = at::empty({count}, at::kLong);
    std::ranges::copy(rows.classes, all.labels.data_ptr<std::int64_t>());
    return all;
}

using TableRows = std::vector<std::size_t>;

// The rows of the two parts; an evaluation has no training part.
struct TableSplits {
    TableRows train, held_out;
    std::string held_out_name;
};

Result<TableSplits> table_splits(const data::Table& table, const run::RunConfig& config,
                                 const FeedRequest& request) {
    PLIMSOLL_ASSIGN(parts, feed_parts(run::split_names_of(table), config, request, Examples::labelled));
    TableSplits splits{run::rows_of_part(table, parts.train, config.data),
                       run::rows_of_part(table, parts.held_out, config.data),
                       run::part_name(table, parts.held_out)};
    if (splits.held_out.empty()) return bad_input("data", "there is no row to validate on");
    if (request.evaluation_only) splits.train = splits.held_out;
    if (splits.train.empty()) return bad_input("data", "there is no row to train on");
    return splits;
}

}  // namespace

FeedDataResult data_of(const data::Table& table, const run::RunConfig& config, const FeedRequest& request) {
    const std::string& name = config.data.name;
    PLIMSOLL_ASSIGN(splits, table_splits(table, config, request));
    auto encoding = request.table;
    if (!encoding) {
        PLIMSOLL_ASSIGN(learned, run::learn_encoding(table, splits.train, name));
        encoding = std::make_shared<const run::TableEncoding>(std::move(learned));
    }
    PLIMSOLL_RETURN_IF_ERROR(run::check_fits(config.model.spec, *encoding));
    const auto limit = static_cast<std::size_t>(config.data.examples);
    if (limit > 0 && limit < splits.train.size()) splits.train.resize(limit);
    if (request.split == "train") splits.held_out = splits.train;
    PLIMSOLL_ASSIGN(train, run::encode_rows(table, splits.train, *encoding, name));
    PLIMSOLL_ASSIGN(held_out, run::encode_rows(table, splits.held_out, *encoding, name));
    FeedData data{.set = LabelledData{row_tensors(train, *encoding), row_tensors(held_out, *encoding), {}}};
    data.examples = run::ExampleKind::rows;
    data.evaluated = splits.held_out_name;
    data.table = std::move(encoding);
    return data;
}

}  // namespace plimsoll::train
