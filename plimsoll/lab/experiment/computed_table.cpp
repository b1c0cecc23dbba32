#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/experiment/computed.h"

namespace plimsoll::lab {

const std::vector<Computation>& computations() {
    static const std::vector<Computation> all{
        {"levine-table1", "minimal depths by size, as printed and by each reading of the rule",
         levine_table1_rows},
        {"levine-corollary1", "the width that replaces depth, by each lower bound", levine_corollary1_rows},
    };
    return all;
}

Result<report::Table> computed_rows(const std::string& name, const Json& arguments) {
    std::vector<std::string> names;
    for (const Computation& one : computations()) {
        if (one.name == name) return one.rows(arguments);
        names.push_back(one.name);
    }
    return not_found("compute", fmt::format("unknown '{}'{}", name, suggestion(name, names)));
}

}  // namespace plimsoll::lab
