// page_sample FOLDER: the page of page_support.h as page.html, for a browser to open, and its figures' specs.
#include <cstdio>
#include <filesystem>

#include "plimsoll/base/files.h"
#include "tests/report/page_support.h"

int main(int argc, char** argv) {
    using namespace plimsoll;
    if (argc != 2) return 2;
    const std::filesystem::path folder = argv[1];
    const auto content = testing::sample_page();
    const auto page = report::html_page(content);
    if (!page.ok()) {
        std::fprintf(stderr, "%s\n", page.error().text().c_str());
        return static_cast<int>(page.error().kind);
    }
    bool written = atomic_write(folder / "page.html", *page).ok();
    for (const auto& figure : content.report.figures)
        written = written && atomic_write(folder / (figure.name + ".vl.json"), figure.vega_lite.dump()).ok();
    return written ? 0 : 5;
}
