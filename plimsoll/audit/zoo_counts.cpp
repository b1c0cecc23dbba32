#include "plimsoll/audit/zoo_counts.h"

#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

// "8B raw / 4B effective" is 8 billion.
std::optional<double> published_number(const ZooRow& row) {
    const std::string first = row.published.substr(0, row.published.find(' '));
    if (first.empty()) return std::nullopt;
    const double scale = first.back() == 'B' ? 1e9 : first.back() == 'M' ? 1e6 : 1;
    const auto number = parse_real(scale == 1 ? first : first.substr(0, first.size() - 1), "published");
    return number.ok() ? std::optional(*number * scale) : std::nullopt;
}

std::string why(const ZooRow& row) {
    if (!row.count_note.empty()) return row.count_note;
    return predicted_parameters(row.shape) ? "" : why_no_count(row.shape);
}

}  // namespace

std::optional<double> published_difference(const ZooRow& row) {
    const auto counted = predicted_parameters(row.shape);
    const auto published = published_number(row);
    if (!counted || !published) return std::nullopt;
    return counted->parameters.real() / *published - 1;
}

std::string zoo_counts_markdown() {
    std::string out =
        "| model | parameters | published | difference | why |\n"
        "| --- | --- | --- | --- | --- |\n";
    for (const auto& row : zoo()) {
        const auto counted = predicted_parameters(row.shape);
        const auto difference = published_difference(row);
        out += fmt::format("| {} | {} | {} | {} | {} |\n", row.shape.name,
                           counted ? counted->parameters.grouped() : "", row.published,
                           difference ? fmt::format("{:+.1f} %", 100 * *difference) : "", why(row));
    }
    return out;
}

}  // namespace plimsoll::audit
