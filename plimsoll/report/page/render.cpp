#include "plimsoll/report/page/render.h"

#include <csignal>
#include <filesystem>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/page/figure_runtime.h"

namespace plimsoll::report {
namespace {

namespace fs = std::filesystem;

// Runs a program to its end; its last words are the error when it fails.
Status run(ProcessRequest request, const fs::path& folder) {
    request.err = folder / "err";
    request.own_group = false;
    request.when_we_die = SIGTERM;
    PLIMSOLL_ASSIGN(process, Process::start(request));
    const ProcessEnd end = process.wait();
    if (end.ok()) return {};
    const auto said = read_text(request.err);
    const std::string words(trim(said.ok() ? *said : ""));
    return bad_input("figure", fmt::format("{} ended with {}: {}", request.program.string(), end.exit_code,
                                           words.empty() ? "it printed nothing" : words));
}

}  // namespace

Result<std::vector<std::string>> render_svgs(const std::vector<Json>& vega_lite) {
    PLIMSOLL_RETURN_IF_ERROR(figures_ready());
    PLIMSOLL_ASSIGN(scratch, ScratchFolder::make("figures"));
    ProcessRequest node{.program = "node",
                        .arguments = {(figures_folder() / "render.mjs").string()},
                        .out = {},
                        .err = {},
                        .folder = scratch.path(),
                        .environment = {}};
    for (std::size_t i = 0; i < vega_lite.size(); ++i) {
        node.arguments.push_back(fmt::format("figure-{}.json", i + 1));
        PLIMSOLL_RETURN_IF_ERROR(
            atomic_write(scratch.path() / node.arguments.back(),
                         vega_lite[i].dump(-1, ' ', false, Json::error_handler_t::replace)));
    }
    PLIMSOLL_RETURN_IF_ERROR(run(std::move(node), scratch.path()));
    std::vector<std::string> svgs;
    for (std::size_t i = 0; i < vega_lite.size(); ++i) {
        PLIMSOLL_ASSIGN(svg, read_text(scratch.path() / fmt::format("figure-{}.svg", i + 1)));
        svgs.push_back(std::move(svg));
    }
    return svgs;
}

Result<std::string> render_svg(const Json& vega_lite) {
    PLIMSOLL_ASSIGN(svgs, render_svgs({vega_lite}));
    return std::move(svgs.front());
}

Result<std::string> png_of_svg(const std::string& svg, double scale) {
    if (!(scale > 0 && scale <= 16))
        return bad_input("scale", fmt::format("must be above 0 and at most 16, got {}", scale));
    PLIMSOLL_ASSIGN(scratch, ScratchFolder::make("figures"));
    const fs::path in = scratch.path() / "figure.svg", out = scratch.path() / "figure.png";
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(in, svg));
    const fs::path fonts = figures_folder() / "node_modules" / ".plimsoll" / "fonts" / "fonts.conf";
    const auto done =
        run({.program = "rsvg-convert",
             .arguments = {"--zoom", fmt::format("{}", scale), "--output", out.string(), in.string()},
             .out = {},
             .err = {},
             .folder = {},
             .environment = {{"FONTCONFIG_FILE", fonts.string()}}},
            scratch.path());
    if (!done.ok() && done.error().kind == ErrorKind::not_found)
        return not_found("rsvg-convert", "is not on this machine: Debian's package librsvg2-bin brings it");
    PLIMSOLL_RETURN_IF_ERROR(done);
    return read_text(out);
}

}  // namespace plimsoll::report
