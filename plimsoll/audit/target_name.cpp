#include "plimsoll/audit/target_name.h"

#include <algorithm>
#include <cctype>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

constexpr std::size_t most_candidates = 8;

std::vector<const ZooRow*> with_prefix(const std::string& plain) {
    std::vector<const ZooRow*> rows;
    for (const auto& row : zoo())
        if (plain_name(row.shape.name).starts_with(plain)) rows.push_back(&row);
    return rows;
}

Error ambiguous(std::string_view name, const std::vector<const ZooRow*>& rows) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(rows.size(), most_candidates); ++i)
        names.push_back(rows[i]->shape.name);
    const std::string rest =
        rows.size() > most_candidates ? fmt::format(" and {} more", rows.size() - most_candidates) : "";
    return not_found(std::string(name),
                     fmt::format("begins {} names: {}{}", rows.size(), join(names, ", "), rest));
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
    std::string plain;
    for (const unsigned char c : name)
        if (std::isalnum(c) != 0) plain += static_cast<char>(std::tolower(c));
    return plain;
}

Result<const ZooRow*> find_in_zoo(std::string_view name) {
    const std::string plain = plain_name(name);
    if (plain.empty()) return not_found(std::string(name), "is neither a file nor the name of a model");
    for (const auto& row : zoo())
        if (plain_name(row.shape.name) == plain) return &row;
    const auto rows = with_prefix(plain);
    if (rows.size() == 1) return rows.front();
    if (rows.size() > 1) return ambiguous(name, rows);
    return not_found(std::string(name), "no such file, and no model of that name; " + nearest(plain));
}

}  // namespace plimsoll::audit
