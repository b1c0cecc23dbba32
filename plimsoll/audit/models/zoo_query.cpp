#include <algorithm>
#include <cctype>
#include <optional>

#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

struct Filter {
    std::optional<std::size_t> column;  // none: any cell
    char sign = ':';                    // '=', '<', '>' or ':' for "contains"
    std::string value;
    double number = 0;  // of '<' and '>'
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::optional<double> number_in(const std::string& cell) {
    const auto number = parse_real(cell, "");
    return number.ok() ? std::optional(*number) : std::nullopt;
}

Result<std::size_t> column_named(const std::string& name, std::string_view flag) {
    const auto& names = zoo_columns();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    return bad_input(std::string(flag), fmt::format("no column '{}'{}", name, suggestion(name, names)));
}

Result<Filter> parse_filter(const std::string& text) {
    Filter filter;
    const std::size_t at = text.find_first_of("=<>");
    if (text.empty()) return bad_input("filter", "is empty; give key=value, key>number or a text");
    if (at == std::string::npos) {
        filter.value = lower(text);
        return filter;
    }
    PLIMSOLL_ASSIGN(column, column_named(text.substr(0, at), "filter"));
    filter.column = column;
    filter.sign = text[at];
    filter.value = lower(text.substr(at + 1));
    if (filter.sign == '=') return filter;
    PLIMSOLL_ASSIGN(number, parse_count(text.substr(at + 1), "filter"));
    filter.number = static_cast<double>(number);
    return filter;
}

bool matches(const Filter& filter, const ZooRow& row) {
    if (!filter.column) {
        return std::any_of(row.cells.begin(), row.cells.end(), [&](const auto& cell) {
            return lower(cell).find(filter.value) != std::string::npos;
        });
    }
    const std::string& cell = row.cells[*filter.column];
    if (filter.sign == '=') return lower(cell) == filter.value;
    const auto number = number_in(cell);
    if (!number) return false;
    return filter.sign == '<' ? *number < filter.number : *number > filter.number;
}

// Numbers before texts, empty cells last, whichever way the rest is sorted.
bool comes_before(const std::string& a, const std::string& b, bool reversed) {
    if (a.empty() || b.empty()) return !a.empty() && b.empty();
    const auto x = number_in(a), y = number_in(b);
    if (x && y) return reversed ? *y < *x : *x < *y;
    if (x.has_value() != y.has_value()) return x.has_value();
    return reversed ? lower(b) < lower(a) : lower(a) < lower(b);
}

}  // namespace

Result<std::vector<const ZooRow*>> select_zoo(const std::vector<std::string>& filters,
                                              std::string_view sort) {
    std::vector<Filter> parsed;
    for (const auto& text : filters) {
        PLIMSOLL_ASSIGN(filter, parse_filter(text));
        parsed.push_back(std::move(filter));
    }
    std::vector<const ZooRow*> rows;
    for (const auto& row : zoo()) {
        const bool wanted = std::all_of(parsed.begin(), parsed.end(),
                                        [&](const Filter& filter) { return matches(filter, row); });
        if (wanted) rows.push_back(&row);
    }
    if (sort.empty()) return rows;
    const bool reversed = sort.front() == '-';
    PLIMSOLL_ASSIGN(key, column_named(std::string(reversed ? sort.substr(1) : sort), "sort"));
    std::stable_sort(rows.begin(), rows.end(), [&](const ZooRow* a, const ZooRow* b) {
        return comes_before(a->cells[key], b->cells[key], reversed);
    });
    return rows;
}

}  // namespace plimsoll::audit
