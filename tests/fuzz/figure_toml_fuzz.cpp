// Any text is a figure.toml or an error; what it asks for is drawn from a small table, or refused.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/report/figure.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    static const auto table = report::parse_table(
        "seed,x,y,f,phase\n1,1,2,a,done\n2,1,3,a,done\n3,1,2.5,a,done\n1,2,-4,b,done\n2,2,,b,done\n1,4,nan,b,"
        "running\n",
        "rows");
    const auto figures = report::parse_figures({reinterpret_cast<const char*>(data), size}, "input");
    if (!figures.ok()) return 0;
    const auto report = report::make_report(*figures, {{"runs", *table}});
    if (!report.ok()) return 0;
    static_cast<void>(report::report_json(*report).dump());
    static_cast<void>(report::markdown(*report));
    return 0;
}
