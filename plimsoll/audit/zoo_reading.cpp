#include "plimsoll/audit/zoo_reading.h"

#include <vector>

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/audit/diagnose.h"
#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

std::string severe_words(const Report& report) {
    std::vector<std::string> words;
    for (const auto& finding : report.findings)
        if (finding.severity == Severity::severe && finding.id != "depth-valley")
            words.push_back(fmt::format("{} {}", finding.title, finding.shown));
    return join(words, "; ");
}

std::string depth_cells(const Report& report) {
    const Finding* valley = report.find("depth-valley");
    if (valley == nullptr) return "| - | - | not judged: " + std::string(name_of(report.shape.kind)) + " ";
    const auto judged = advise::judge_depth(*deepest_stack(report.shape), *report.shape.width);
    return fmt::format("| {} | {} | {} ", advise::valley_text(judged.valley), advise::cost_text(judged.cost),
                       valley->reading);
}

std::string shape_cell(const Report& report) {
    const auto depth = deepest_stack(report.shape);
    if (!depth || !report.shape.width) return "-";
    return fmt::format("{} x {}", *depth, *report.shape.width);
}

}  // namespace

std::string zoo_reading_markdown() {
    std::string out =
        "| model | shape | valley | cost, % of loss | depth | needs action |\n"
        "| --- | --- | --- | --- | --- | --- |\n";
    for (const auto& row : zoo()) {
        const Report report = diagnose({row.shape, std::nullopt, "zoo", &row});
        out += fmt::format("| {} | {} {}| {} |\n", row.shape.name, shape_cell(report), depth_cells(report),
                           severe_words(report));
    }
    return out;
}

}  // namespace plimsoll::audit
