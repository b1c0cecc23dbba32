#include "plimsoll/arch/count.h"

#include <algorithm>

#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/tally.h"
#include "plimsoll/base/format.h"

namespace plimsoll::arch {
namespace {

// The most tokens a sequence may have; 0 when the number of tokens is part of the spec.
std::int64_t most_tokens(const ArchSpec& spec) {
    if (const auto* s = std::get_if<AttentionSpec>(&spec)) {
        return s->positions == Positions::none ? max_context : s->context;
    }
    if (const auto* s = std::get_if<TransformerSpec>(&spec)) {
        if (s->image.used()) return 0;
        return s->positions == PositionKind::learned ? s->context : max_context;
    }
    return 0;
}

Status in_range(std::string_view name, std::int64_t value, std::int64_t most) {
    if (value >= 1 && value <= most) return {};
    return bad_input(std::string(name), fmt::format("must be 1..{}, got {}", most, value));
}

Status check_options(const ArchSpec& spec, const CountOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(in_range("batch", options.batch, max_batch));
    PLIMSOLL_RETURN_IF_ERROR(in_range("bytes-per-value", options.bytes_per_value, 16));
    if (options.context == 0) return {};
    const std::int64_t most = most_tokens(spec);
    if (most != 0) return in_range("context", options.context, most);
    return bad_input("context", fmt::format("is fixed by the keys of {}", family_name(spec)));
}

Tally tally_of(const ArchSpec& spec, std::int64_t context) {
    return std::visit([context](const auto& s) { return tally(s, context); }, spec);
}

Json json_count(const Count& count) {
    if (count.fits_int64()) return static_cast<std::int64_t>(std::stoll(count.text()));
    return count.text();
}

// Input to output, the order in which people read a network.
void sort_parts(std::vector<Part>& parts) {
    static const std::vector<std::string_view> order{"token embedding",
                                                     "patch embedding",
                                                     "position embedding",
                                                     "input layer",
                                                     "category embedding",
                                                     "attention",
                                                     "cross-attention",
                                                     "row mixing",
                                                     "token mixing",
                                                     "column mixing",
                                                     "channel mixing",
                                                     "layers",
                                                     "feed-forward",
                                                     "router",
                                                     "norms",
                                                     "pooler",
                                                     "head",
                                                     "vocabulary head"};
    const auto place = [](const Part& part) { return std::find(order.begin(), order.end(), part.name); };
    std::sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) { return place(a) < place(b); });
}

void sum_parts(CountReport& report) {
    for (const auto& part : report.parts) {
        report.parameters += part.parameters;
        report.active += part.active;
        report.forward_flops += part.forward_flops;
        if (part.embedding) report.embedding += part.parameters;
    }
    report.non_embedding = report.parameters - report.embedding;
    report.training_flops = Count(3) * report.forward_flops;
}

}  // namespace

Result<CountReport> count(const ArchSpec& spec, const CountOptions& options) {
    PLIMSOLL_RETURN_IF_ERROR(check_options(spec, options));
    Tally t = tally_of(spec, options.context);
    CountReport report;
    report.parts = std::move(t.parts);
    sort_parts(report.parts);
    sum_parts(report);
    report.unit = t.unit;
    report.tokens = t.tokens;
    const Count bytes = options.bytes_per_value;
    report.score_bytes = t.scores * bytes * options.batch;
    report.activation_bytes = t.activations * bytes * options.batch + report.score_bytes;
    report.kv_bytes_per_token = t.kv_values_per_token * bytes;
    report.cross_kv_bytes_per_token = t.cross_kv_values_per_token * bytes;
    report.state_bytes = t.state_values * bytes;
    report.options = options;
    report.options.context = t.tokens;
    return report;
}

Count parameter_count(const ArchSpec& spec) {
    Count total;
    for (const auto& part : tally_of(spec, 0).parts) total += part.parameters;
    return total;
}

std::vector<std::string> counting_conventions() {
    return {
        "parameters: tied matrices and shared layers once; embedding: tables and matrices by token, position "
        "or "
        "patch, with the vocabulary head",
        "FLOPs: 2 per multiply-add of a matrix product, nothing else; attention scores in full, also when "
        "causal "
        "(linear attention: through its state); training = 3 x forward",
        "activations: outputs of products, norms and activation functions of one training step, nothing "
        "recomputed; "
        "scores are what fused attention saves",
    };
}

Json to_json(const CountReport& report) {
    Json parts = Json::array();
    for (const auto& part : report.parts) {
        parts.push_back({{"name", part.name},
                         {"embedding", part.embedding},
                         {"parameters", json_count(part.parameters)},
                         {"active", json_count(part.active)},
                         {"forward_flops", json_count(part.forward_flops)}});
    }
    return {{"parameters", json_count(report.parameters)},
            {"embedding", json_count(report.embedding)},
            {"non_embedding", json_count(report.non_embedding)},
            {"active", json_count(report.active)},
            {"parts", parts},
            {"flops_unit", report.unit},
            {"forward_flops", json_count(report.forward_flops)},
            {"training_flops", json_count(report.training_flops)},
            {"tokens", report.tokens},
            {"batch", report.options.batch},
            {"bytes_per_value", report.options.bytes_per_value},
            {"activation_bytes", json_count(report.activation_bytes)},
            {"score_bytes", json_count(report.score_bytes)},
            {"kv_bytes_per_token", json_count(report.kv_bytes_per_token)},
            {"cross_kv_bytes_per_token", json_count(report.cross_kv_bytes_per_token)},
            {"state_bytes", json_count(report.state_bytes)},
            {"conventions", counting_conventions()}};
}

}  // namespace plimsoll::arch
