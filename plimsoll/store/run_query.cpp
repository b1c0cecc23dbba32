#include <algorithm>
#include <array>
#include <compare>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/run_table.h"

namespace plimsoll::store {
namespace {

enum class Compare { equal, unequal, less, at_most, more, at_least, contains };

struct Operator {
    std::string_view text;
    Compare compare;
};

// Longer ones first, so that <= is not read as <.
constexpr std::array operators{Operator{"!=", Compare::unequal},  Operator{"<=", Compare::at_most},
                               Operator{">=", Compare::at_least}, Operator{"==", Compare::equal},
                               Operator{"=", Compare::equal},     Operator{"<", Compare::less},
                               Operator{">", Compare::more},      Operator{"~", Compare::contains}};

struct Condition {
    std::string key;
    Compare compare = Compare::equal;
    std::string text;
    bool numeric = false;
    double number = 0;
};

// A number as people write it: 0.001, 1e-3, 64K.
bool read_number(const std::string& text, double& number) {
    if (const auto real = parse_real(text, ""); real.ok()) return number = *real, true;
    const auto count = parse_count(text, "");
    if (count.ok()) number = static_cast<double>(*count);
    return count.ok();
}

Result<Condition> condition_of(const RunTable& table, const std::string& text) {
    const auto at = text.find_first_of("!=<>~");
    const std::string_view rest = at == std::string::npos ? "" : std::string_view(text).substr(at);
    const auto* found =
        std::ranges::find_if(operators, [&](const Operator& one) { return rest.starts_with(one.text); });
    if (found == operators.end())
        return bad_input("where",
                         fmt::format("must be KEY OP VALUE with one of = != < <= > >= ~; got '{}'", text));
    PLIMSOLL_ASSIGN(key, key_named(table, trim(std::string_view(text).substr(0, at)), "where"));
    Condition condition{key, found->compare, std::string(trim(rest.substr(found->text.size())))};
    condition.numeric =
        condition.compare != Compare::contains && read_number(condition.text, condition.number);
    return condition;
}

bool holds(Compare compare, std::partial_ordering order) {
    switch (compare) {
        case Compare::equal:
            return order == 0;
        case Compare::unequal:
            return order != 0;
        case Compare::less:
            return order < 0;
        case Compare::at_most:
            return order <= 0;
        case Compare::more:
            return order > 0;
        case Compare::at_least:
            return order >= 0;
        case Compare::contains:
            break;
    }
    return false;
}

bool is_order(Compare compare) {
    return compare != Compare::equal && compare != Compare::unequal && compare != Compare::contains;
}

bool fits(const Condition& condition, const Cell& cell) {
    if (is_empty(cell)) return condition.compare == Compare::unequal;
    if (condition.compare == Compare::contains)
        return cell_text(cell).find(condition.text) != std::string::npos;
    if (is_number(cell) && condition.numeric)
        return holds(condition.compare, number_of(cell) <=> condition.number);
    if (is_number(cell)) return condition.compare == Compare::unequal;
    return holds(condition.compare, cell_text(cell) <=> condition.text);
}

// "loss<abc" is a slip where losses are numbers; found here, so that it is not answered by silence.
Status check_kind(const RunTable& table, const Condition& condition) {
    if (!is_order(condition.compare) || condition.numeric) return {};
    for (const RunRow& row : table.rows)
        if (is_number(table.at(row, condition.key)))
            return bad_input("where",
                             fmt::format("{} is a number, '{}' is none", condition.key, condition.text));
    return {};
}

std::partial_ordering order_of(const Cell& a, const Cell& b) {
    if (is_number(a) && is_number(b)) return number_of(a) <=> number_of(b);
    if (is_number(a) != is_number(b))
        return is_number(a) ? std::partial_ordering::less : std::partial_ordering::greater;
    return cell_text(a) <=> cell_text(b);
}

// The value of a row, its name included.
Cell value_of(const RunTable& table, const RunRow& row, const std::string& key) {
    return key == "id" ? Cell(row.id) : table.at(row, key);
}

void sort_by(RunTable& table, const std::string& key, bool descending) {
    std::vector<std::pair<Cell, RunRow>> rows;
    for (RunRow& row : table.rows) {
        Cell value = value_of(table, row, key);
        rows.emplace_back(std::move(value), std::move(row));
    }
    std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) {
        if (is_empty(a.first) || is_empty(b.first)) return !is_empty(a.first) && is_empty(b.first);
        const auto order = order_of(a.first, b.first);
        return descending ? order > 0 : order < 0;
    });
    for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i] = std::move(rows[i].second);
}

}  // namespace

Result<std::string> key_named(const RunTable& table, std::string_view text, std::string_view where) {
    const std::string wanted(text);
    if (wanted == "id" || std::ranges::binary_search(table.keys, wanted)) return wanted;
    if (wanted == "data" && std::ranges::binary_search(table.keys, "data.name"))
        return std::string("data.name");
    std::vector<std::string> ends;
    for (const auto& key : table.keys)
        if (key.ends_with("." + wanted)) ends.push_back(key);
    if (ends.size() == 1) return ends.front();
    if (ends.size() > 1)
        return bad_input(std::string(where), fmt::format("'{}' could be {}", text, join(ends, ", ")));
    std::set<std::string> words(table.keys.begin(), table.keys.end());
    for (const auto& key : table.keys)
        if (const auto dot = key.rfind('.'); dot != std::string::npos) words.insert(key.substr(dot + 1));
    const std::vector<std::string> candidates(words.begin(), words.end());
    const auto near = near_misses(wanted, candidates);
    return bad_input(std::string(where),
                     fmt::format("no run has a key '{}'{}", text,
                                 near.empty() ? suggestion("", table.keys) : suggestion(wanted, candidates)));
}

Status select(RunTable& table, const TableQuery& query) {
    for (const std::string& text : query.where) {
        PLIMSOLL_ASSIGN(condition, condition_of(table, text));
        PLIMSOLL_RETURN_IF_ERROR(check_kind(table, condition));
        std::erase_if(table.rows, [&](const RunRow& row) {
            return !fits(condition, value_of(table, row, condition.key));
        });
    }
    if (!query.sort.empty()) {
        const bool descending = query.sort.front() == '-';
        PLIMSOLL_ASSIGN(key,
                        key_named(table, std::string_view(query.sort).substr(descending ? 1 : 0), "sort"));
        sort_by(table, key, descending);
    }
    if (query.limit > 0 && table.rows.size() > query.limit) table.rows.resize(query.limit);
    return {};
}

}  // namespace plimsoll::store
