#include "plimsoll/advise/advice.h"

#include "plimsoll/base/format.h"
#include "plimsoll/theory/ids/status.h"

namespace plimsoll::advise {
namespace {

template <class T>
Json optional(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json number_or_null(std::int64_t value) { return value > 0 ? Json(value) : Json(); }

std::string_view name_of(Block block) { return block == Block::llama ? "llama" : "gpt2"; }

Json shape_json(const ShapeReport& shape, bool mixer) {
    const Layout& a = shape.layout;
    Json out = {{"label", shape.label}, {"depth", a.depth}, {"width", a.width}};
    if (mixer) {
        out["tokens"] = a.tokens;
        out["effective_width"] = a.tokens * a.width;
    } else {
        out["heads"] = a.heads;
        out["head_dim"] = a.head_dim;
        out["block"] = name_of(a.block);
        out["embedding_rank"] = number_or_null(a.embedding_rank);
    }
    out["ffn"] = a.ffn;
    out["parameters"] = shape.parameters;
    out["embedding_parameters"] = shape.embedding_parameters;
    out["forward_flops"] = shape.forward_flops;
    if (!mixer) {
        out["expected_loss_percent"] = shape.expected_loss;
        out["depth_cost_percent"] = shape.depth_cost.percent;
        out["depth_cost_error"] = shape.depth_cost.error;
    }
    out["kv_bytes_per_token"] = shape.kv_bytes_per_token;
    out["log3_capacity"] = shape.capacity;
    out["capacity_share"] = shape.capacity_share;
    out["knee"] = shape.knee;
    out["depth_over_knee"] = shape.depth_over_knee;
    out["kaplan_loss_percent"] = optional(shape.kaplan_loss_percent);
    if (!shape.source.empty()) out["source"] = shape.source;
    if (!shape.note.empty()) out["note"] = shape.note;
    out["spec"] = arch::to_text(shape.spec);
    return out;
}

Json shapes_json(const std::vector<ShapeReport>& shapes, bool mixer) {
    Json out = Json::array();
    for (const auto& shape : shapes) out.push_back(shape_json(shape, mixer));
    return out;
}

Json reason_json(const Reason& reason) {
    return {{"rule", reason.rule},           {"name", reason.name},
            {"value", reason.value},         {"line", reason.line},
            {"reading", reason.reading},     {"source", reason.claim},
            {"standing", reason.standing()}, {"severity", name_of(reason.severity)}};
}

Json request_json(const AdviceRequest& r) {
    Json out = {{"params", r.parameters},
                {"family", r.family == AdviceFamily::mixer ? "mixer" : "transformer"},
                {"vocab", number_or_null(r.vocab)},
                {"context", number_or_null(r.context)},
                {"multiple_of", r.multiple_of},
                {"head_dims", r.head_dims},
                {"classes", number_or_null(r.classes)},
                {"assumed", r.assumed}};
    if (r.image.used()) {
        out["patch"] = {r.image.patch, r.image.patch_width, r.image.image_channels};
        out["image"] = {r.image.image, r.image.image_width};
    }
    return out;
}

Json valley_json(const std::optional<DepthJudgement>& judged) {
    if (!judged) return {};
    const Valley& valley = judged->valley;
    return {{"non_embedding", judged->size},
            {"best", valley.best},
            {"low", valley.low},
            {"high", valley.high},
            {"surely_low", valley.surely_low},
            {"surely_high", valley.surely_high},
            {"cost_percent", judged->cost.percent},
            {"cost_error", judged->cost.error},
            {"measured", judged->measured}};
}

Json training_json(const std::optional<TrainingCost>& cost) {
    if (!cost) return {};
    return {{"tokens", cost->tokens},
            {"flops", cost->flops},
            {"gpu", cost->card.name},
            {"gpu_hours", cost->hours},
            {"utilisation", assumed_utilisation}};
}

Json curve_json(const std::vector<CurvePoint>& curve) {
    Json out = Json::array();
    for (const auto& point : curve) {
        out.push_back({{"depth", point.depth},
                       {"width", point.width},
                       {"log3_capacity", point.capacity},
                       {"share", point.share},
                       {"depth_over_line", point.depth_over_line},
                       {"expected_loss_percent", point.expected_loss}});
    }
    return out;
}

}  // namespace

std::string_view name_of(Severity severity) {
    constexpr std::array<std::string_view, 3> names{"passed", "note", "act"};
    return names.at(static_cast<std::size_t>(severity));
}

std::string Reason::standing() const { return theory::brief_text(theory::status_of(claim)); }

std::string_view name_of(DecidedBy decided) {
    switch (decided) {
        case DecidedBy::load_line:
            return "load line";
        case DecidedBy::capacity:
            return "capacity";
        case DecidedBy::outside:
            return "outside the window";
    }
    return "";
}

std::string share_text(double share) {
    const double percent = 100 * share;
    if (percent >= 10) return fmt::format("{:.0f} %", percent);
    return percent >= 1 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.1g} %", percent);
}

Json to_json(const Advice& advice) {
    const bool mixer = advice.request.family == AdviceFamily::mixer;
    Json reasons = Json::array();
    for (const auto& reason : advice.reasons) reasons.push_back(reason_json(reason));
    return {{"request", request_json(advice.request)},
            {"answer", shape_json(advice.answer, mixer)},
            {"decided_by", name_of(advice.decided)},
            {"valley", valley_json(advice.judgement)},
            {"training", training_json(advice.training)},
            {"why", advice.sentences},
            {"warnings", advice.warnings},
            {"log3_proved_lower", advice.proved_lower > 0 ? Json(advice.proved_lower) : Json()},
            {"certified_lower", advice.certified_lower},
            {"certified_upper", advice.certified_upper},
            {"string_cap_log3", optional(advice.string_cap)},
            {"saturated", optional(advice.saturated)},
            {"line", {{"name", advice.line_name}, {"at_answer", advice.line}}},
            {"window", {advice.window_low, advice.window_high}},
            {"band", {advice.band_low, advice.band_high}},
            {"best",
             {{"depth", advice.best_depth},
              {"width", advice.best_width},
              {"log3_capacity", advice.best_capacity}}},
            {"reasons", reasons},
            {"alternatives", shapes_json(advice.alternatives, mixer)},
            {"rivals", shapes_json(advice.rivals, mixer)},
            {"rival_notes", advice.rival_notes},
            {"shapes_scanned", advice.shapes_scanned},
            {"curve", curve_json(advice.curve)}};
}

}  // namespace plimsoll::advise
