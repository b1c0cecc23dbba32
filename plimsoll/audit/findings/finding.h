#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::audit {

// How much a finding matters; docs/AUDIT.md has the rule of each, finding_rules() the same in one table.
enum class Severity {
    severe,  // act on it: far beyond a line drawn by a bound or by a published measurement
    notice,  // worth knowing, beyond the line but not far
    ok,      // looked at, nothing in the way
    info,    // a number without a judgement
};

// "severe", "notice", "ok" or "info".
std::string_view name_of(Severity severity);

// Where a finding comes from.
struct Source {
    std::string_view claim;     // an id of `plimsoll bounds`: "WIES-RATIO"
    std::string_view citation;  // "Wies et al. 2021, section 5.3"

    // How the claim is known, by theory's status table: "upper bound proved", "reported".
    [[nodiscard]] std::string basis() const;
};

// What a kind of finding is about, when it is severe or a notice, and its source; empty means never.
struct FindingRule {
    std::string_view id, title, severe_when, notice_when;
    Source source;
};

// Every kind of finding, in the order of the report.
std::span<const FindingRule> finding_rules();

// The rule of that id; an unknown id is a Bug.
const FindingRule& rule_of(std::string_view id);

// One thing found about a model.
struct Finding {
    std::string_view id, title;
    Severity severity = Severity::info;
    std::optional<double> value;  // the number the rule judges
    std::optional<double> line;   // what the number would be without the finding
    std::string shown;            // the value with its parts: "16384 : 1024"
    std::string reading;          // a few words for the table
    std::string text;             // one to three sentences
    Source source;
    std::string remedy;  // what to change; empty when nothing need be
};

// A finding of that kind with title and source filled in.
Finding make_finding(std::string_view id);

// The thresholds of the rules, each with its reason in docs/AUDIT.md.
inline constexpr double low_rank = 1.0 / 32;     // r / d of ALBERT-xxlarge, the largest with a reported cost
inline constexpr double wide_attention = 4;      // smallest ratio with a reported redundancy
inline constexpr double equal_tolerance = 0.01;  // 5120 : 5140 counts as equal
inline constexpr double navon_window_low = 1, navon_window_high = 2;

}  // namespace plimsoll::audit
