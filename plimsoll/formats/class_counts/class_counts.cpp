#include "plimsoll/formats/class_counts/class_counts.h"

#include <algorithm>
#include <string>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/formats/class_counts/class_row.h"
#include "plimsoll/formats/hf_config/config_keys.h"

namespace plimsoll::formats {
namespace {

using Whole = ExpressionValue::Whole;

// The line of the table that holds `member`, or empty.
std::string_view line_with(const std::string& member) {
    const std::string_view table = class_counts_jsonl();
    const std::size_t at = table.find(member);
    if (at == std::string_view::npos) return {};
    const std::size_t before = table.rfind('\n', at);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return table.substr(start, table.find('\n', at) - start);
}

std::string_view line_of(const Json& config) {
    const std::string type = name_in(config, "model_type");
    if (!type.empty()) return line_with("\",\"type\":" + Json(type).dump() + ",");
    const auto classes = config.find("architectures");
    if (classes == config.end() || !classes->is_array() || classes->empty() || !classes->front().is_string())
        return {};
    return line_with("{\"class\":" + Json(printable_name(classes->front().get<std::string>())).dump() + ",");
}

// [key, value, is] or [comparison, truth].
Result<bool> condition_holds(const ClassRow& row, const Json& condition) {
    const auto& text = condition[0].get_ref<const std::string&>();
    if (condition.size() == 3) return same_value(row.value(text), condition[1]) == condition[2].get<bool>();
    PLIMSOLL_ASSIGN(truth, evaluate_comparison(text, row.names()));
    return truth == condition[1].get<bool>();
}

Result<bool> all_hold(const ClassRow& row, const Json& conditions) {
    for (const Json& one : conditions) {
        PLIMSOLL_ASSIGN(holds, condition_holds(row, one));
        if (!holds) return false;
    }
    return true;
}

// Two or three values that the line does not explain together.
Status check_apart(const ClassRow& row) {
    if (!row.row().contains("apart")) return {};
    for (const Json& group : row.part("apart")) {
        PLIMSOLL_ASSIGN(together, all_hold(row, group));
        if (together)
            return unsupported(group[0][0].get<std::string>(), "is not counted together with this value of " +
                                                                   group[1][0].get<std::string>());
    }
    return {};
}

Result<arch::Count> count_of(const ExpressionValue& value) {
    if (value.is_real || value.whole < 0) return unsupported("", "comes out as no number of parameters");
    // Two halves of 63 bits, since a Count is made of 64-bit numbers.
    constexpr Whole half = Whole(1) << 62;
    const auto low = static_cast<std::int64_t>(value.whole % half);
    const auto high = static_cast<std::int64_t>(value.whole / half);
    return arch::Count(high) * arch::Count(std::int64_t{1} << 62) + arch::Count(low);
}

void add_part(ClassCount& out, const std::string& name, arch::Count parameters) {
    if (parameters == arch::Count()) return;
    out.parameters += parameters;
    const auto found = std::ranges::find(out.parts, name, &OwnParameters::part);
    if (found != out.parts.end()) {
        found->count += parameters;
    } else {
        out.parts.push_back({name, parameters});
    }
}

// [part, expression, conditions]
Status add_term(const ClassRow& row, const Json& term, ClassCount& out) {
    if (term.size() == 3) {
        PLIMSOLL_ASSIGN(there, all_hold(row, term[2]));
        if (!there) return {};
    }
    PLIMSOLL_ASSIGN(value, evaluate_expression(term[1].get_ref<const std::string&>(), row.names()));
    PLIMSOLL_ASSIGN(parameters, count_of(value));
    // A few hundred terms below 2^119 stay within 128 bits.
    if (parameters.real() > 0x1p119) return unsupported("", "its numbers are too large");
    add_part(out, term[0].get<std::string>(), parameters);
    return {};
}

Result<ClassCount> counted(const ClassRow& row) {
    PLIMSOLL_RETURN_IF_ERROR(check_row(row));
    PLIMSOLL_RETURN_IF_ERROR(check_apart(row));
    ClassCount out;
    out.class_name = row.row()["class"].get<std::string>();
    for (const Json& term : row.row()["terms"]) PLIMSOLL_RETURN_IF_ERROR(add_term(row, term, out));
    return out;
}

}  // namespace

std::optional<Result<ClassCount>> count_by_class(const Json& config) {
    if (!config.is_object()) return std::nullopt;
    const std::string_view line = line_of(config);
    if (line.empty()) return std::nullopt;
    const auto row = parse_json(line, "table of classes");
    PLIMSOLL_CHECK(row.ok(), "table of classes");
    return counted(ClassRow(*row, config));
}

std::size_t counted_classes() {
    return static_cast<std::size_t>(std::ranges::count(class_counts_jsonl(), '\n'));
}

}  // namespace plimsoll::formats
