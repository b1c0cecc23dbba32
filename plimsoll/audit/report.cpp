#include "plimsoll/audit/report.h"

#include <algorithm>

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

Json or_null(const auto& value) { return value ? Json(*value) : Json(); }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json finding_json(const Finding& finding) {
    return {{"id", finding.id},
            {"severity", name_of(finding.severity)},
            {"title", finding.title},
            {"value", or_null(finding.value)},
            {"line", or_null(finding.line)},
            {"shown", finding.shown},
            {"reading", finding.reading},
            {"text", finding.text},
            {"source",
             {{"claim", finding.source.claim},
              {"citation", finding.source.citation},
              {"basis", finding.source.basis()}}},
            {"remedy", text_or_null(finding.remedy)}};
}

Json findings_json(const Report& report) {
    Json list = Json::array();
    for (const auto& finding : report.findings) list.push_back(finding_json(finding));
    return list;
}

Json left_out_json(const std::vector<NotAnalysed>& entries) {
    Json list = Json::array();
    for (const auto& entry : entries) list.push_back({{"part", entry.part}, {"reason", entry.reason}});
    return list;
}

Json assumed_json(const ModelShape& shape) {
    Json list = Json::array();
    for (const auto& entry : shape.assumed)
        list.push_back({{"key", entry.key}, {"value", entry.value}, {"reason", entry.reason}});
    return list;
}

Json counts_json(const Report& report) {
    const ParameterCounts& counts = report.counts;
    return {{"from", text_or_null(std::string(counts.best_from()))},
            {"header", or_null(counts.from_header)},
            {"predicted", or_null(counts.predicted)},
            {"predicted_exactly", counts.predicted ? Json(counts.exact) : Json()},
            {"predicted_note", text_or_null(counts.predicted_note)},
            {"published", text_or_null(counts.published)},
            {"stored_twice", counts.stored_twice},
            {"buffers", counts.buffers}};
}

Json zoo_json(const ZooRow* row) {
    if (row == nullptr) return {};
    return {{"modality", row->modality},
            {"year", row->year},
            {"source", row->source},
            {"check", row->check},
            {"notes", text_or_null(row->notes)}};
}

std::string layers_text(const ModelShape& shape) {
    if (!shape.depth) return "";
    if (shape.decoder_depth) return fmt::format("{} + {} layers", *shape.depth, *shape.decoder_depth);
    return *shape.depth == 1 ? "1 layer" : fmt::format("{} layers", *shape.depth);
}

std::string heads_text(const ModelShape& shape) {
    if (!shape.heads) return "";
    std::string text = *shape.heads == 1 ? "1 head" : fmt::format("{} heads", *shape.heads);
    if (shape.head_dim) text += fmt::format(" of {}", *shape.head_dim);
    if (shape.kv_heads && *shape.kv_heads != *shape.heads) text += fmt::format(" ({} kv)", *shape.kv_heads);
    return text;
}

std::string input_text(const ModelShape& shape) {
    const auto input = input_rank(shape);
    if (!input) return "";
    return input->tokens ? fmt::format("vocabulary {}", *shape.vocab) : input->what;
}

// The numbers without which a finding of this kind of network cannot be made, where they are not known.
std::vector<std::string> unknown_numbers(const ModelShape& shape) {
    const bool attention = has_attention(shape), mixer = shape.kind == formats::ModelKind::mixer;
    std::vector<std::string> names;
    if (!shape.depth) names.emplace_back("depth");
    if (!shape.width) names.emplace_back("width");
    if (attention && !shape.heads) names.emplace_back("heads");
    if (mixer && !shape.tokens) names.emplace_back("tokens");
    if (shape.width && !input_rank(shape)) names.emplace_back("input");  // input_rank() needs the width
    if (attention && !shape.context) names.emplace_back("context");
    return names;
}

// What was not analysed for want of a number, with a space behind it; empty when all of them are known.
std::string gap_sentence(const ModelShape& shape) {
    const auto names = unknown_numbers(shape);
    if (names.empty()) return "";
    return fmt::format("Not everything was analysed: {} {} not known. ", join(names, ", "),
                       names.size() == 1 ? "is" : "are");
}

std::string first_sentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

// What the load line says of the depth, with a space behind it; empty where it is not judged.
std::string depth_sentence(const Report& report) {
    const Finding* valley = report.find("depth-valley");
    if (valley == nullptr) return "";
    if (valley->severity != Severity::ok) return fmt::format("Depth: {}. ", valley->reading);
    const auto judged = advise::judge_depth(*deepest_stack(report.shape), *report.shape.width);
    return fmt::format("The depth is inside the valley: {} at this size{}. ",
                       advise::valley_words(judged.valley), judged.measured ? "" : ", by extrapolation");
}

// The other findings that are worth knowing: "context to width, depth to threshold T".
std::string notice_titles(const Report& report) {
    std::vector<std::string> titles;
    for (const auto& finding : report.findings)
        if (finding.severity == Severity::notice) titles.emplace_back(finding.title);
    return join(titles, ", ");
}

// A cell of a Markdown table holds no bar and no line end.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

}  // namespace

void add_weights(Report& report, WeightReport weights) {
    std::erase_if(report.not_analysed, [](const NotAnalysed& entry) { return entry.part == "weights"; });
    report.not_analysed.insert(report.not_analysed.end(), weights.not_analysed.begin(),
                               weights.not_analysed.end());
    report.weights = std::move(weights);
}

std::size_t Report::count(Severity severity) const {
    return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                  [&](const Finding& f) { return f.severity == severity; }));
}

const Finding* Report::find(std::string_view id) const {
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.id == id; });
    return found == findings.end() ? nullptr : &*found;
}

std::string facts(const Report& report) {
    std::vector<std::string> parts;
    const auto add = [&](std::string part) {
        if (!part.empty()) parts.push_back(std::move(part));
    };
    const ModelShape& shape = report.shape;
    add(layers_text(shape));
    if (shape.width) add(fmt::format("width {}", *shape.width));
    add(heads_text(shape));
    add(input_text(shape));
    if (report.parameters) add(human_count(static_cast<double>(*report.parameters)));
    if (parts.empty()) return "no numbers of its shape are known";
    return join(parts, ", ");
}

// What is wrong, in the first sentences of the severe findings, then what it was reported to cost.
std::string verdict(const Report& report) {
    std::vector<std::string> sentences;
    for (const auto& finding : report.findings)
        if (finding.severity == Severity::severe) sentences.push_back(first_sentence(finding.text));
    if (const Finding* cost = report.find("reported-redundancy"); cost != nullptr && cost->value)
        sentences.push_back(fmt::format("{:.0f} % of the parameters are reported as redundant [Wies 2021].",
                                        100 * *cost->value));
    if (const Finding* scope = report.find("bounds-do-not-apply"); scope != nullptr)
        sentences.push_back(scope->text);
    if (!sentences.empty()) return join(sentences, " ");
    const std::string gap = gap_sentence(report.shape), depth = depth_sentence(report);
    const std::string notices = notice_titles(report);
    if (notices.empty() && !gap.empty()) return gap + depth + "Nothing found in the rest.";
    if (notices.empty()) return depth + "Nothing found that needs action.";
    return fmt::format("{}{}Nothing severe; worth knowing: {}.", gap, depth, notices);
}

Json to_json(const Report& report) {
    const ModelShape& shape = report.shape;
    return {{"name", shape.name},
            {"family", text_or_null(shape.family)},
            {"kind", name_of(shape.kind)},
            {"source", report.source},
            {"zoo", zoo_json(report.zoo)},
            {"depth", or_null(shape.depth)},
            {"decoder_depth", or_null(shape.decoder_depth)},
            {"width", or_null(shape.width)},
            {"heads", or_null(shape.heads)},
            {"kv_heads", or_null(shape.kv_heads)},
            {"head_dim", or_null(shape.head_dim)},
            {"vocab", or_null(shape.vocab)},
            {"context", or_null(shape.context)},
            {"parameters", or_null(report.parameters)},
            {"parameter_counts", counts_json(report)},
            {"attention_over_width", or_null(report.attention_over_width)},
            {"input_rank_over_width", or_null(report.input_rank_over_width)},
            {"verdict", verdict(report)},
            {"findings", findings_json(report)},
            {"not_analysed", left_out_json(report.not_analysed)},
            {"assumed", assumed_json(shape)},
            {"weights", report.weights ? to_json(*report.weights) : Json()},
            {"error", nullptr}};
}

std::string to_markdown(const Report& report) {
    std::string out = fmt::format("## {}\n\n{}, {}.\n\n{}\n\n", cell(report.shape.name),
                                  name_of(report.shape.kind), cell(facts(report)), verdict(report));
    out += "| severity | finding | value | line | what it says | source |\n|---|---|---|---|---|---|\n";
    for (const auto& finding : report.findings) {
        out += fmt::format("| {} | {} | {} | {} | {}{} | {} ({}, {}) |\n", name_of(finding.severity),
                           finding.title, cell(finding.shown),
                           finding.line ? fmt::format("{:.3g}", *finding.line) : "", cell(finding.text),
                           finding.remedy.empty() ? "" : " Change: " + cell(finding.remedy) + ".",
                           finding.source.citation, finding.source.claim, finding.source.basis());
    }
    out += "\nNot analysed:\n\n";
    for (const auto& entry : report.not_analysed)
        out += fmt::format("- {}: {}\n", cell(entry.part), cell(entry.reason));
    if (!report.shape.assumed.empty()) out += "\nAssumed:\n\n";
    for (const auto& entry : report.shape.assumed)
        out += fmt::format("- {} = {}: {}\n", cell(entry.key), cell(entry.value), cell(entry.reason));
    return out;
}

}  // namespace plimsoll::audit
