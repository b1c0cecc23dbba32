#include "plimsoll/theory/ids/claims_page.h"

#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::theory {
namespace {

struct PageSection {
    std::string_view source;  // how the source of a formula begins; empty: all that is left, ours
    std::string_view title;
};

constexpr std::array page_sections{
    PageSection{"Levine 2020", "Levine et al. 2020: self-attention"},
    PageSection{"Wies 2021", "Wies et al. 2021: vocabulary bottleneck"},
    PageSection{"Navon 2022", "Navon and Bronstein 2022: mixers"},
    PageSection{"Hayase 2024", "Hayase and Karakida 2024: wide and sparse (from a summary)"},
    PageSection{"", "Ours"},
};

constexpr std::string_view page_preface = R"(# Claims and their pages

`plimsoll bounds --list --markdown` prints this file from the table in `plimsoll/theory/ids/status_*.cpp`, which all
commands use; a test fails if this file differs. Change the table, not this file.

A page states one theorem, or a few that belong together; its first line lists the ids that `plimsoll bounds` takes.
ID-LOG3, the logarithm of an exact ID, is on the page of ID. Errata E.. are in docs/ERRATA.md.

Words: *proved*; *refuted* (false as printed, or as far as its proof goes); *repaired* (ours, proved, in place of a
refuted one); *measured* (computed or measured here on a stated range); *conjectured* (no proof that we could check);
*defined* (a definition or a convention); *reported* (a number that others published). A proved upper bound means that
no network has more, not that a network reaches it. "for ..." names a condition beyond the ranges of the inputs.
)";

bool in_section(const Formula& formula, const PageSection& section) {
    if (!section.source.empty()) return formula.source.starts_with(section.source);
    for (const auto& other : page_sections) {
        if (!other.source.empty() && formula.source.starts_with(other.source)) return false;
    }
    return true;
}

// A bar would end the cell.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string claim_row(const Formula& formula) {
    const ClaimStatus& status = status_of(formula.id);
    std::string standing = cell(conditional_text(status));
    if (!formula.erratum.empty()) standing += ", " + formula.erratum;
    return fmt::format("| [{}]({}.md) | {} | {} | {} |\n", formula.id, formula.page, cell(formula.summary),
                       standing, cell(scope_text(status)));
}

bool is_twin(const Formula& formula) {
    constexpr std::string_view twin = "-LOG3";
    return formula.id.ends_with(twin) &&
           find_formula(formula.id.substr(0, formula.id.size() - twin.size())).ok();
}

std::string section_text(const PageSection& section) {
    std::string rows;
    for (const auto& formula : all_formulas()) {
        if (in_section(formula, section) && !is_twin(formula)) rows += claim_row(formula);
    }
    if (rows.empty()) return "";
    return fmt::format("\n## {}\n\n| claim | what | status | scope |\n|---|---|---|---|\n{}", section.title,
                       rows);
}

}  // namespace

std::string claims_page() {
    std::string page(page_preface);
    for (const auto& section : page_sections) page += section_text(section);
    return page;
}

}  // namespace plimsoll::theory
