#include "plimsoll/audit/diagnose.h"

#include <algorithm>

#include "plimsoll/audit/findings/parameter_counts.h"
#include "plimsoll/base/format.h"

namespace plimsoll::audit {
namespace {

using formats::ModelKind;

// A model without attention in every layer: what it is and what that means for the bounds.
std::string scope_text(const ModelShape& shape) {
    switch (shape.kind) {
        case ModelKind::state_space:
            return "A state-space model has no attention: the bounds do not apply.";
        case ModelKind::hybrid:
            return "Only some layers have attention: the bounds on depth do not apply.";
        case ModelKind::mlp:
            return "A plain feed-forward network mixes no positions: the bounds do not apply.";
        default:
            return "No single depth and width of attention or mixing layers was recognised: the bounds do "
                   "not apply.";
    }
}

void find_scope(const ModelShape& shape, Diagnosis& out) {
    Finding finding = make_finding("bounds-do-not-apply");
    finding.severity = Severity::notice;
    finding.shown = std::string(name_of(shape.kind));
    finding.reading = "bounds do not apply";
    finding.text = scope_text(shape);
    out.findings.push_back(std::move(finding));
    out.not_analysed.push_back({"depth, width and heads", scope_text(shape)});
}

void find_by_kind(const ModelShape& shape, Diagnosis& out) {
    if (has_attention(shape)) {
        find_attention(shape, out);
        find_input(shape, out);
        find_depth(shape, out);
        find_capacity_ends(shape, out);
        find_citations(shape, out);
        return;
    }
    if (shape.kind != ModelKind::mixer) find_scope(shape, out);
    if (shape.kind == ModelKind::mixer) find_mixer(shape, out);
    if (shape.kind == ModelKind::hybrid) find_attention(shape, out);
    find_input(shape, out);
}

void say_what_is_always_left_out(const Target& target, Diagnosis& out) {
    out.not_analysed.push_back(
        {"feed-forward layers, norms, softmax and residual paths",
         "outside the theorems; only the load line and what papers measured speak of loss"});
    const bool said = std::any_of(target.shape.not_analysed.begin(), target.shape.not_analysed.end(),
                                  [](const NotAnalysed& entry) { return entry.part == "weights"; });
    if (said) return;
    out.not_analysed.push_back({"weights", target.tensors
                                               ? "only headers were read; --weights measures spectra"
                                               : "no weights were given, only the shape"});
}

// A race on the model's own data outweighs what studies of other data say.
void yield_to_the_data(const std::string& decided, Diagnosis& out) {
    if (decided.empty()) return;
    for (auto& finding : out.findings) {
        const bool depth = finding.id == "depth-valley" && finding.severity == Severity::notice;
        if (finding.severity != Severity::severe && !depth) continue;
        finding.severity = Severity::notice;
        finding.text += fmt::format(" The data decided otherwise. {}", decided);
        finding.remedy.clear();
    }
}

std::size_t place_of(std::string_view id) {
    const auto rules = finding_rules();
    return static_cast<std::size_t>(
        std::find_if(rules.begin(), rules.end(), [&](const auto& rule) { return rule.id == id; }) -
        rules.begin());
}

void sort_findings(std::vector<Finding>& findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.severity, place_of(a.id)) < std::pair(b.severity, place_of(b.id));
    });
}

}  // namespace

Report diagnose(const Target& target, const DiagnoseOptions& options) {
    Diagnosis found;
    if (target.zoo != nullptr) found.modality = target.zoo->modality;
    Report report;
    report.shape = checked_shape(target.shape, found.not_analysed);
    if (options.context) report.shape.context = options.context;
    report.source = target.source;
    report.zoo = target.zoo;
    report.counts = count_parameters(target);
    report.parameters = report.counts.best();
    report.attention_over_width = attention_over_width(report.shape);
    report.input_rank_over_width = input_rank_over_width(report.shape);
    find_by_kind(report.shape, found);
    find_counts(report.counts, found);
    found.not_analysed.insert(found.not_analysed.end(), report.shape.not_analysed.begin(),
                              report.shape.not_analysed.end());
    say_what_is_always_left_out(target, found);
    yield_to_the_data(target.decided, found);
    sort_findings(found.findings);
    report.findings = std::move(found.findings);
    report.not_analysed = std::move(found.not_analysed);
    return report;
}

}  // namespace plimsoll::audit
