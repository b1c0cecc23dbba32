#include <cmath>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/evidence/evidence_text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/report/page/page.h"
#include "plimsoll/report/page/render.h"

namespace plimsoll::cli {
namespace {

// Sizes within this factor are near.
constexpr double near_factor = 4;

struct EvidenceFlags {
    std::string near, figure;
    bool fit = false, json = false;
};

Result<EvidenceList> chosen_groups(const std::string& near) {
    EvidenceList groups;
    std::int64_t size = 0;
    if (!near.empty()) {
        PLIMSOLL_ASSIGN(count, parse_count(near, "near"));
        if (count < 1) return bad_input("near", "must be at least 1, got " + near);
        size = count;
    }
    for (const auto& group : advise::evidence_groups()) {
        const double apart = std::abs(std::log(group.size / static_cast<double>(size)));
        if (size == 0 || apart <= std::log(near_factor)) groups.push_back(&group);
    }
    if (groups.empty())
        return not_found("near", fmt::format("no study has networks within a factor of {:g} of {}",
                                             near_factor, human_count(static_cast<double>(size))));
    return groups;
}

Result<std::string> figure_page(const Json& vega) {
    report::PageContent page;
    page.title = "What is known about depth at a size";
    page.source = "plimsoll evidence";
    page.report.figures.push_back({"valleys", "Depths that cost at most 1 % of loss", vega, {}});
    return report::html_page(page);
}

// A picture, a page, or the specification itself, by the ending of the name.
Status write_figure(const EvidenceList& groups, const std::filesystem::path& path) {
    const Json vega = evidence_figure(groups);
    const std::string ending = path.extension().string();
    if (ending == ".json") return atomic_write(path, vega.dump(1) + "\n");
    if (ending != ".svg" && ending != ".html")
        return bad_input("figure", "must end in .svg, .html or .json, got " + path.string());
    PLIMSOLL_ASSIGN(content, ending == ".svg" ? report::render_svg(vega) : figure_page(vega));
    return atomic_write(path, content);
}

Result<int> run_evidence(const EvidenceFlags& flags) {
    PLIMSOLL_ASSIGN(groups, chosen_groups(flags.near));
    if (!flags.figure.empty()) PLIMSOLL_RETURN_IF_ERROR(write_figure(groups, flags.figure));
    if (flags.fit) {
        const auto fit = advise::fit_all_studies();
        flags.json ? print_json("load-line", line_fit_json(fit)) : print_line_fit(fit);
        return 0;
    }
    if (flags.json) return print_json("evidence", evidence_json(groups)), 0;
    print_evidence(groups);
    if (!flags.figure.empty()) fmt::print("  Wrote {}.\n", flags.figure);
    return 0;
}

}  // namespace

void add_evidence(CLI::App& app, Action& action) {
    auto flags = std::make_shared<EvidenceFlags>();
    auto* verb = app.add_subcommand("evidence", "what is known about loss against depth, study by study");
    verb->add_option("--near", flags->near, "only sizes within a factor of four: 100M");
    verb->add_flag("--fit", flags->fit,
                   "fit the load line again, leave each study out once, and print regrets");
    verb->add_option("--figure", flags->figure,
                     "draw the valleys against size into a .svg, .html or .json file");
    verb->add_flag("--json", flags->json, "for programs");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_evidence(*flags)); }; });
}

}  // namespace plimsoll::cli
