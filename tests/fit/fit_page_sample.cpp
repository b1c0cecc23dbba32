// fit_page_sample FOLDER: pages of fits that were never run, and their figures, for a browser to open.
#include <cstdio>
#include <filesystem>

#include "plimsoll/base/files.h"
#include "plimsoll/fit/page/fit_page.h"
#include "tests/fit/page_races.h"

namespace plimsoll::fit {
namespace {

Status write_page(const PlayedFit& fit, const std::filesystem::path& folder, const std::string& name) {
    HandedOver handed;
    handed.command = "bin/plimsoll train out/winner.toml --runs out/full --device cpu";
    PLIMSOLL_ASSIGN(
        page, fit_page({fit.request, fit.look, fit.proposal, fit.race, fit.decision, handed, fit.options}));
    PLIMSOLL_ASSIGN(html, report::html_page(page));
    for (const auto& figure : page.report.figures)
        PLIMSOLL_RETURN_IF_ERROR(
            atomic_write(folder / (name + "-" + figure.name + ".vl.json"), figure.vega_lite.dump()));
    return atomic_write(folder / (name + ".html"), html);
}

// A race that was stopped in its first rung, of data with a name that wants to be run.
PlayedFit stopped_fit() {
    DataLook look = hops_look();
    look.data = "</script><script>alert(1)</script>";
    PlayedFit fit = played_fit(look, 40'000, 1);
    fit.race.complete = false;
    for (std::size_t i = 0; i < 7; ++i)
        fit.race.entries[fit.race.entries.size() - 1 - i].state = EntryState::running;
    fit.decision = decide(fit.request, fit.look, fit.proposal, fit.race).value();
    fit.options.partial = "the race was stopped after 2 of 10 minutes";
    return fit;
}

Status write_pages(const std::filesystem::path& folder) {
    PLIMSOLL_RETURN_IF_ERROR(write_page(played_fit(text_look(), 300'000), folder, "text"));
    PLIMSOLL_RETURN_IF_ERROR(write_page(played_fit(image_look(), 200'000), folder, "images"));
    return write_page(stopped_fit(), folder, "stopped");
}

}  // namespace
}  // namespace plimsoll::fit

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const auto status = plimsoll::fit::write_pages(arguments[1]);
    if (status.ok()) return 0;
    std::fprintf(stderr, "%s\n", status.error().text().c_str());
    return static_cast<int>(status.error().kind);
}
