#include "plimsoll/audit/csv.h"

#include <algorithm>

#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string out = "\"";
    for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

std::vector<std::string> csv_cells(std::string_view line) {
    std::vector<std::string> cells(1);
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool doubled = inside && c == '"' && i + 1 < line.size() && line[i + 1] == '"';
        if (doubled) {
            cells.back() += '"';
            ++i;
        } else if (c == '"') {
            inside = !inside;
        } else if (c == ',' && !inside) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::vector<std::string> out(cells.size());
    std::transform(cells.begin(), cells.end(), out.begin(), quoted);
    return join(out, ",");
}

}  // namespace plimsoll::audit
