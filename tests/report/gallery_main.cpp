// report_gallery OUTFOLDER: writes every figure of gallery.toml as NAME.vl.json, light and dark
// (NAME.dark.vl.json), and the whole report as report.json and report.md.
#include <cstdio>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/report/figure.h"
#include "plimsoll/report/vega/theme.h"
#include "tests/report/gallery_rows.h"

namespace plimsoll::report {
namespace {

Status write_gallery(const std::filesystem::path& folder) {
    PLIMSOLL_ASSIGN(figures, read_figures(PLIMSOLL_GALLERY));
    PLIMSOLL_ASSIGN(report, make_report(figures, gallery_tables()));
    std::filesystem::create_directories(folder);
    for (const Figure& figure : report.figures) {
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / (figure.name + ".vl.json"), figure.vega_lite.dump(1)));
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / (figure.name + ".dark.vl.json"),
                                              with_theme(figure.vega_lite, Theme::dark).dump(1)));
    }
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / "report.json", report_json(report).dump(1)));
    return atomic_write(folder / "report.md", markdown(report));
}

}  // namespace
}  // namespace plimsoll::report

int main(int count, char** arguments) {
    if (count != 2) {
        fmt::print(stderr, "usage: report_gallery OUTFOLDER\n");
        return 2;
    }
    const auto status = plimsoll::report::write_gallery(arguments[1]);
    if (status.ok()) return 0;
    fmt::print(stderr, "{}\n", status.error().text());
    return static_cast<int>(status.error().kind);
}
