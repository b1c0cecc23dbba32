#include "plimsoll/audit/csv.h"

namespace plimsoll::audit {

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

}  // namespace plimsoll::audit
