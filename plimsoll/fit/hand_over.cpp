#include "plimsoll/fit/hand_over.h"

#include <algorithm>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/fit_json.h"
#include "plimsoll/fit/full_budget.h"
#include "plimsoll/fit/page/fit_page.h"
#include "plimsoll/report/page/figure_runtime.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::fit {
namespace {

namespace fs = std::filesystem;

constexpr const char* page_name = "report.html";
constexpr const char* text_name = "report.md";  // where nothing draws figures
constexpr const char* json_name = "fit.json";
constexpr const char* model_name = "model";
constexpr const char* config_name = "winner.toml";
constexpr const char* full_name = "full";  // folder of the run at full budget

// The winner's best run on the rung that decided; null when none of it counts.
const RaceEntry* best_run(const DataLook& look, const Race& race, const Decision& decision) {
    const auto counted = counted_runs(race, decision.rung, look.goal);
    const auto found = counted.find(decision.winner);
    if (found == counted.end()) return nullptr;
    const bool lower = look.goal == Goal::bits_per_byte;
    return *std::ranges::min_element(found->second, [lower](const RaceEntry* a, const RaceEntry* b) {
        return lower ? a->value < b->value : a->value > b->value;
    });
}

// How plimsoll was called, so that the command works from the same place.
std::string program_of(const std::string& command) {
    const std::string word = command.substr(0, command.find(' '));
    return fs::path(word).filename() == "plimsoll" ? word : "plimsoll";
}

class HandOver {
  public:
    HandOver(const FitPageInput& input, HandedOver& handed) : input_(input), handed_(handed) {}

    Status write() {
        PLIMSOLL_RETURN_IF_ERROR(store::make_folders(out()));
        best_ = best_run(input_.look, input_.race, input_.decision);
        PLIMSOLL_RETURN_IF_ERROR(write_model());
        PLIMSOLL_RETURN_IF_ERROR(write_config());
        PLIMSOLL_RETURN_IF_ERROR(write_page());
        return write_json();
    }

  private:
    [[nodiscard]] const fs::path& out() const { return input_.request.out; }

    Status write_model() {
        if (best_ == nullptr) return {};
        handed_.run = best_->run;
        auto exported = exporter::export_run(input_.options.runs / best_->run, out() / model_name,
                                             {.hf = true, .force = true, .tokenizer = ""});
        if (!exported.ok()) return no_model(exported.error());
        handed_.model = model_name;
        if (!exported->why_no_tokenizer.empty())
            handed_.notes.push_back("No tokenizer beside the weights: " + exported->why_no_tokenizer + ".");
        handed_.notes.push_back(
            fmt::format("The weights are those of run {} (seed {}, learning rate {:.3g}), step {}.",
                        best_->run, best_->seed, best_->rate, exported->step));
        handed_.exported = std::move(exported).value();
        return {};
    }

    // A run without a checkpoint, or somebody's own files in the way, is told; a disk that fails is an error.
    Status no_model(const Error& error) {
        if (error.kind == ErrorKind::io) return error;
        handed_.notes.push_back(fmt::format("The weights could not be written: {}.", error.text()));
        std::error_code ignored;
        if (fs::exists(out() / model_name, ignored))
            handed_.notes.push_back(
                fmt::format("What is in {} is not of this answer.", (out() / model_name).string()));
        return {};
    }

    Status write_config() {
        const Candidate* winner = find_candidate(input_.proposal, input_.decision.winner);
        if (best_ == nullptr || winner == nullptr) return {};
        auto config = full_budget_config(input_.request, input_.look, input_.proposal, *winner, input_.race,
                                         best_->rate);
        if (!config.ok()) {
            handed_.notes.push_back("No run at full budget: " + config.error().text() + ".");
            return {};
        }
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(out() / config_name, run::to_toml(*config)));
        handed_.config = config_name;
        handed_.command =
            fmt::format("{} train {} --runs {} --device {}", program_of(input_.options.command),
                        shell_word((out() / config_name).string()), shell_word((out() / full_name).string()),
                        shell_word(input_.request.device));
        return {};
    }

    Status write_page() {
        PLIMSOLL_ASSIGN(page, fit_page(input_));
        const auto html = report::html_page(page);
        if (!html.ok() && html.error().kind != ErrorKind::not_found) return html.error();
        handed_.report = html.ok() ? page_name : text_name;
        if (!html.ok()) {
            const Status ready = report::figures_ready();
            handed_.missing = ready.ok() ? html.error().text() : ready.error().text();
        }
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(out() / (html.ok() ? text_name : page_name)));
        return atomic_write(out() / handed_.report, html.ok() ? *html : fit_page_markdown(page));
    }

    Status write_json() {
        handed_.json = json_name;
        const Json all =
            fit_json(input_.request, input_.look, input_.proposal, input_.race, input_.decision, handed_);
        return atomic_write(out() / json_name, all.dump(2) + "\n");
    }

    const FitPageInput& input_;
    HandedOver& handed_;
    const RaceEntry* best_ = nullptr;
};

}  // namespace

Result<HandedOver> hand_over(const FitRequest& request, const DataLook& look, const Proposal& proposal,
                             const Race& race, const Decision& decision, const HandOverOptions& options) {
    HandedOver handed;
    const FitPageInput input{request, look, proposal, race, decision, handed, options};
    PLIMSOLL_RETURN_IF_ERROR(HandOver(input, handed).write());
    return handed;
}

}  // namespace plimsoll::fit
