#include "plimsoll/cli/audit/audit_text.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using audit::Finding;
using audit::Report;
using audit::Severity;

constexpr std::size_t bar_width = 34;
constexpr std::size_t longest_name = 26;

Mark mark_of(Severity severity) {
    switch (severity) {
        case Severity::severe:
            return Mark::act;
        case Severity::notice:
            return Mark::note;
        case Severity::ok:
            return Mark::passed;
        case Severity::info:
            return Mark::none;
    }
    return Mark::none;
}

// Three figures, or nothing.
std::string short_number(const std::optional<double>& value) {
    return value ? fmt::format("{:.3g}", *value) : "";
}

// "encoder-decoder, text, 2019".
std::string kind_text(const Report& report) {
    std::string text(name_of(report.shape.kind));
    const std::string& family = report.shape.family;
    if (report.zoo == nullptr) return family.empty() || family == text ? text : text + ", " + family;
    return fmt::format("{}, {}, {}", text, report.zoo->modality, report.zoo->year);
}

void print_head(const Report& report) {
    const std::string name = printable(report.shape.name), kind = printable(kind_text(report));
    const std::size_t gap =
        name.size() + kind.size() + 2 < line_width ? line_width - name.size() - kind.size() : 2;
    fmt::print("{}{}{}\n", name, std::string(gap, ' '), kind);
    fmt::print("{}", wrapped(facts(report), 0));
    if (report.zoo == nullptr) fmt::print("{}", wrapped("from " + report.source, 0));
    fmt::print("\n{}\n", wrapped(verdict(report), 2));
}

// The words of the table that a reader may not know, where they are in it.
std::string legend(const Report& report) {
    std::string text;
    const auto explain = [&](std::string_view id, std::string_view words) {
        if (std::ranges::any_of(report.findings, [&](const auto& finding) { return finding.id == id; }))
            text += words;
    };
    explain("depth-threshold", "T: the depth at which one more layer doubles capacity. ");
    explain("capacity-ends",
            "Rank: how much the network can tie two halves of its input together; log3, to base 3. ");
    explain("depth-saturation", "Sequence cap: the layers from which it passes what its tokens can hold. ");
    return text.empty() ? "" : wrapped(text + "More: plimsoll help words", 2);
}

void print_table(const Report& report) {
    Table table({{"finding", Align::left}, {"value"}, {"line"}, {"reading", Align::left}});
    for (const auto& finding : report.findings) {
        const bool counts = finding.line && *finding.line >= 1e5;
        table.add({std::string(finding.title), finding.shown, counts ? "" : short_number(finding.line),
                   finding.reading},
                  mark_of(finding.severity));
    }
    table.print();
    fmt::print("{}", legend(report));
}

void print_reasons(const Report& report, bool explain) {
    for (const auto& finding : report.findings) {
        const bool wanted = finding.severity == Severity::severe || finding.severity == Severity::notice ||
                            finding.id == "reported-redundancy";
        if (!wanted && !explain) continue;
        fmt::print("\n  {} [{}, {}]\n", finding.title, finding.source.claim, finding.source.basis());
        fmt::print("{}", wrapped(finding.text, 4));
        if (!finding.remedy.empty()) fmt::print("{}", wrapped("change: " + finding.remedy, 4));
        fmt::print("{}", wrapped("source: " + std::string(finding.source.citation), 4));
    }
}

void print_weights(const Report& report) {
    if (!report.weights) return;
    Table table({{"spectrum", Align::left}, {"layer"}, {"shape"}, {"rank"}, {"stable"}, {"effective"}});
    for (const auto& entry : report.weights->spectra) {
        table.add({std::string(name_of(entry.role)), entry.layer ? std::to_string(*entry.layer) : "",
                   fmt::format("{} x {}", entry.rows, entry.cols),
                   fmt::format("{} of {}", entry.spectrum.numerical_rank, entry.spectrum.values.size()),
                   fmt::format("{:.1f}", entry.spectrum.stable_rank),
                   fmt::format("{:.1f}", entry.spectrum.effective_rank)});
    }
    fmt::print("\n");
    table.print();
    fmt::print("{}",
               wrapped("rank: singular values above what rounding makes of nothing; stable: squares over the "
                       "largest; effective: exp of their entropy (docs/AUDIT.md).",
                       2));
}

struct Width {
    std::string name;
    std::int64_t size;
};

// In the order data flows.
std::vector<Width> widths_of(const Report& report) {
    const auto& shape = report.shape;
    std::vector<Width> widths;
    if (const auto input = audit::input_rank(shape); input) {
        if (input->tokens) widths.push_back({"vocabulary", *shape.vocab});
        if (!input->tokens) widths.push_back({"input", input->limit});
        widths.push_back({"embedding", input->rank});
    }
    widths.push_back({"stream", *shape.width});
    if (const auto attention = audit::attention_dim(shape); attention && audit::has_attention(shape))
        widths.push_back({"attention", *attention});
    return widths;
}

// The widest of all but the vocabulary fills the line; what is wider still is cut.
void print_widths(const Report& report) {
    if (!report.shape.width) return;
    const auto widths = widths_of(report);
    std::int64_t widest = 1;
    for (const auto& width : widths)
        if (width.name != "vocabulary" && width.name != "input") widest = std::max(widest, width.size);
    fmt::print("\n  where it sits       widths to scale\n");
    for (const auto& width : widths) {
        const double share = static_cast<double>(width.size) / static_cast<double>(widest);
        const bool cut = share > 1;
        const auto size =
            cut ? bar_width - 2 : std::max<std::size_t>(1, static_cast<std::size_t>(share * bar_width + 0.5));
        const std::string bar = cut ? "~" + std::string(size, '=') + "~" : std::string(size, '=');
        const std::size_t left = (bar_width - bar.size()) / 2;
        fmt::print("  {:<16}  {:<{}}{:>12}{}\n", width.name, std::string(left, ' ') + bar, bar_width,
                   width.size, cut ? "   cut" : "");
    }
}

void print_list(std::string_view heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    fmt::print("\n  {}\n", heading);
    for (const auto& line : lines) fmt::print("{}", wrapped("- " + line, 2, 4));
}

void print_left_out(const Report& report) {
    std::vector<std::string> left_out, assumed;
    for (const auto& entry : report.not_analysed) left_out.push_back(entry.part + ": " + entry.reason);
    for (const auto& entry : report.shape.assumed)
        assumed.push_back(fmt::format("{} = {}: {}", entry.key, entry.value, entry.reason));
    print_list("assumed", assumed);
    print_list("not analysed", left_out);
    if (report.zoo == nullptr) return;
    print_list("how the shape is known", {report.zoo->source, report.zoo->check});
}

std::string ratio_text(const Report& report, std::string_view id) {
    const Finding* finding = report.find(id);
    return finding == nullptr ? "" : fmt::format("{:.2f}", finding->value.value_or(0));
}

std::string two_figures(const std::optional<double>& value) {
    return value ? fmt::format("{:.2g}", *value) : "";
}

std::string cut(std::string name) {
    if (name.size() <= longest_name) return name;
    name.resize(longest_name - 1);
    return name + "~";
}

// What the depth costs by the load line: "+0.1 %".
std::string loss_text(const Report& report) {
    const Finding* valley = report.find("depth-valley");
    return valley == nullptr || !valley->value ? "" : fmt::format("+{:.1f} %", *valley->value);
}

std::string number_text(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "";
}

}  // namespace

void print_report(const Report& report, bool explain) {
    print_head(report);
    print_table(report);
    print_reasons(report, explain);
    print_weights(report);
    print_widths(report);
    print_left_out(report);
    const auto notices = report.count(Severity::notice);
    fmt::print("\n{} findings: {} severe (!), {} notice{} (-).{}\n", report.findings.size(),
               report.count(Severity::severe), notices, notices == 1 ? "" : "s",
               explain ? "" : "  Every reason: --explain");
}

void print_comparison(const std::vector<Report>& reports) {
    Table table(
        {{"model", Align::left}, {"depth"}, {"width"}, {"params"}, {"attn"}, {"rank"}, {"loss"}, {"T"}});
    for (const auto& report : reports) {
        const bool severe = report.count(Severity::severe) > 0, notice = report.count(Severity::notice) > 0;
        table.add({cut(printable(report.shape.name)), number_text(audit::deepest_stack(report.shape)),
                   number_text(report.shape.width),
                   report.parameters ? human_count(static_cast<double>(*report.parameters)) : "",
                   two_figures(report.attention_over_width), two_figures(report.input_rank_over_width),
                   loss_text(report), ratio_text(report, "depth-threshold")},
                  severe   ? Mark::act
                  : notice ? Mark::note
                           : Mark::passed);
    }
    table.print();
    fmt::print(
        "\n{}",
        wrapped("attn: heads x head_dim to width; rank: embedding rank to width; loss: what the depth "
                "costs by the load line; T: depth to the threshold. ! has a severe finding, - a notice. One "
                "alone shows its findings.",
                0));
}

Json failed_target_json(const std::string& target, const Error& error) {
    Report empty;
    empty.shape.name = target;
    empty.not_analysed.push_back({"everything", error.text()});
    Json out = to_json(empty);
    out["verdict"] = nullptr;
    out["error"] = {{"exit_code", static_cast<int>(error.kind)}, {"message", error.text()}};
    return out;
}

}  // namespace plimsoll::cli
