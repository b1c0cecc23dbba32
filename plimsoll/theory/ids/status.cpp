#include "plimsoll/theory/ids/status.h"

#include <algorithm>
#include <array>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/ids/status_tables.h"

namespace plimsoll::theory {
namespace {

const std::vector<ClaimStatus>& status_table() {
    static const std::vector<ClaimStatus> table = [] {
        std::vector<ClaimStatus> all;
        for (const auto& part : {levine_statuses(), wies_statuses(), navon_hayase_statuses(), our_statuses(),
                                 attainment_statuses()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return table;
}

const ClaimStatus* exact_line(std::string_view id) {
    const auto& table = status_table();
    const auto line = std::find_if(table.begin(), table.end(), [&](const auto& s) { return s.id == id; });
    return line == table.end() ? nullptr : &*line;
}

const ClaimStatus* line_of(std::string_view id) {
    constexpr std::string_view twin = "-LOG3";
    if (const auto* line = exact_line(id)) return line;
    return id.ends_with(twin) ? exact_line(id.substr(0, id.size() - twin.size())) : nullptr;
}

bool is_proved(Standing standing) { return standing == Standing::proved || standing == Standing::repaired; }

// How much a word claims: a proof, numbers of a stated range, or nothing but the statement.
int strength(Standing standing) {
    if (is_proved(standing)) return 2;
    return standing == Standing::measured || standing == Standing::reported ? 1 : 0;
}

std::string_view kind_text(ClaimKind kind) {
    return kind == ClaimKind::upper ? "upper bound" : kind == ClaimKind::lower ? "lower bound" : "";
}

std::string with_condition(std::string words, const ClaimStatus& status) {
    return status.needs.empty() ? words : words + " for " + std::string(status.needs);
}

}  // namespace

std::string_view to_text(Standing standing) {
    constexpr std::array<std::string_view, 7> words{"proved",      "refuted", "repaired", "measured",
                                                    "conjectured", "defined", "reported"};
    return words.at(static_cast<std::size_t>(standing));
}

const ClaimStatus& status_of(std::string_view id) {
    const ClaimStatus* line = line_of(id);
    PLIMSOLL_CHECK(line != nullptr, "no line in the status table for " + std::string(id));
    return *line;
}

bool has_status(std::string_view id) { return line_of(id) != nullptr; }

std::span<const ClaimStatus> claim_statuses() { return status_table(); }

std::string brief_text(const ClaimStatus& status) {
    const bool bound = is_proved(status.standing) && status.kind != ClaimKind::fact;
    if (!bound) return conditional_text(status);
    return with_condition(std::string(kind_text(status.kind)) + " proved", status);
}

std::string conditional_text(const ClaimStatus& status) {
    return with_condition(std::string(to_text(status.standing)), status);
}

std::string scope_text(const ClaimStatus& status) {
    if (status.kind == ClaimKind::fact) return std::string(status.scope);
    const std::string kind(kind_text(status.kind));
    return status.scope.empty() ? kind : kind + "; " + std::string(status.scope);
}

bool says_more(Standing said, const ClaimStatus& status) {
    if (status.standing == Standing::refuted) return said != Standing::refuted;
    return strength(said) > strength(status.standing);
}

}  // namespace plimsoll::theory
