// page_sample FOLDER: pages for a browser to open: the hostile one of page_support.h with its specs, and the
// gallery.
#include <cstdio>
#include <filesystem>

#include "plimsoll/base/files.h"
#include "tests/report/gallery_rows.h"
#include "tests/report/page_support.h"

namespace plimsoll::report {
namespace {

Result<PageContent> gallery_page() {
    PageContent content = testing::sample_page();
    content.title = "Every kind of figure";
    PLIMSOLL_ASSIGN(figures, read_figures(PLIMSOLL_GALLERY));
    PLIMSOLL_ASSIGN(report, make_report(figures, gallery_tables()));
    content.figures = figures;
    content.report = report;
    content.rows.clear();
    for (const char* name : {"runs", "curves", "none"})
        content.rows.push_back({name, gallery_tables().at(name)});
    return content;
}

Status write_pages(const std::filesystem::path& folder) {
    const PageContent content = testing::sample_page();
    PLIMSOLL_ASSIGN(hostile, html_page(content));
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / "hostile.html", hostile));
    for (const auto& figure : content.report.figures)
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / (figure.name + ".vl.json"), figure.vega_lite.dump()));
    PLIMSOLL_ASSIGN(gallery_content, gallery_page());
    PLIMSOLL_ASSIGN(gallery, html_page(gallery_content));
    return atomic_write(folder / "gallery.html", gallery);
}

}  // namespace
}  // namespace plimsoll::report

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const auto status = plimsoll::report::write_pages(arguments[1]);
    if (status.ok()) return 0;
    std::fprintf(stderr, "%s\n", status.error().text().c_str());
    return static_cast<int>(status.error().kind);
}
