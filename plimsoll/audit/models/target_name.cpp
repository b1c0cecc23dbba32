#include "plimsoll/audit/models/target_name.h"

#include <algorithm>
#include <cctype>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

constexpr std::size_t most_candidates = 8;

std::string without_points(std::string name) {
    std::erase(name, '.');
    return name;
}

std::vector<const ZooRow*> rows_where(const auto& fits) {
    std::vector<const ZooRow*> rows;
    for (const auto& row : zoo())
        if (fits(plain_name(row.shape.name))) rows.push_back(&row);
    return rows;
}

// The rows a name may mean: by the strictest reading that finds any.
std::vector<const ZooRow*> candidates(const std::string& plain) {
    const std::string loose = without_points(plain);
    auto rows = rows_where([&](const std::string& name) { return name == plain; });
    if (rows.empty())
        rows = rows_where([&](const std::string& name) { return without_points(name) == loose; });
    if (rows.empty()) rows = rows_where([&](const std::string& name) { return name.starts_with(plain); });
    if (rows.empty())
        rows = rows_where([&](const std::string& name) { return without_points(name).starts_with(loose); });
    return rows;
}

Error ambiguous(std::string_view name, const std::vector<const ZooRow*>& rows) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(rows.size(), most_candidates); ++i)
        names.push_back(rows[i]->shape.name);
    const std::string rest =
        rows.size() > most_candidates ? fmt::format(" and {} more", rows.size() - most_candidates) : "";
    return not_found(std::string(name),
                     fmt::format("may be one of {}: {}{}", rows.size(), join(names, ", "), rest));
}

// Near misses are looked for among plain names and shown as written.
std::string nearest(const std::string& plain) {
    std::vector<std::string> plain_names;
    for (const auto& row : zoo()) plain_names.push_back(plain_name(row.shape.name));
    std::vector<std::string> shown;
    for (const auto& near : near_misses(plain, plain_names)) {
        const auto at = std::find(plain_names.begin(), plain_names.end(), near) - plain_names.begin();
        shown.push_back(zoo()[static_cast<std::size_t>(at)].shape.name);
    }
    return shown.empty() ? "plimsoll zoo lists the names" : "nearest: " + join(shown, ", ");
}

}  // namespace

std::string plain_name(std::string_view name) {
    const auto is_digit = [&](std::size_t i) {
        return i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) != 0;
    };
    std::string plain;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool point = c == '.' && i > 0 && is_digit(i - 1) && is_digit(i + 1);
        if (std::isalnum(c) != 0 || point) plain += static_cast<char>(std::tolower(c));
    }
    return plain;
}

Result<const ZooRow*> find_in_zoo(std::string_view name) {
    const std::string plain = plain_name(name);
    if (plain.empty()) return not_found(std::string(name), "is no name of a model");
    const auto rows = candidates(plain);
    if (rows.size() == 1) return rows.front();
    if (rows.size() > 1) return ambiguous(name, rows);
    return not_found(std::string(name), "no file, run or model of that name; " + nearest(plain));
}

}  // namespace plimsoll::audit
