#include "plimsoll/cli/torch/train_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/session.h"
#include "plimsoll/cli/torch/train_trunk.h"

namespace plimsoll::cli {
namespace {

// With the prefixes of units: 24.6 G, where human_count says 24.6 B.
std::string si_count(double count) {
    const std::array<const char*, 6> prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t power = 0;
    for (; count >= 999.5 && power + 1 < prefixes.size(); ++power) count /= 1000;
    return fmt::format("{:.3g} {}", count, prefixes.at(power));
}

// "41.2 examples (33.1 to 52.0 at 95 %, 10 measurements)".
std::string noise_text(const train::NoiseScale& noise) {
    const auto number = [](double value) {
        return std::isfinite(value) ? fmt::format("{:.3g}", value) : std::string("no end");
    };
    const std::string interval =
        noise.low ? fmt::format("{} to {} at 95 %, ", number(*noise.low), number(*noise.high)) : "";
    return fmt::format("{} examples ({}{} measurements)", number(noise.scale), interval, noise.samples);
}

Json noise_json(const train::NoiseScale& noise) {
    const auto number = [](const std::optional<double>& value) {
        return value && std::isfinite(*value) ? Json(*value) : Json();
    };
    return {{"scale", number(noise.scale)},
            {"low", number(noise.low)},
            {"high", number(noise.high)},
            {"samples", noise.samples}};
}

}  // namespace

std::string progress_text(const train::TrainProgress& progress, double seconds_left, std::size_t columns) {
    const bool stack = progress.runs > 1;
    std::vector<std::string> parts{fmt::format("step {} of {}", progress.step, progress.steps),
                                   fmt::format("{}loss {:.4f}", stack ? "mean " : "", progress.loss)};
    if (stack) parts.front() = fmt::format("{} runs, {}", progress.runs, parts.front());
    if (std::isfinite(seconds_left)) parts.push_back(duration_text(seconds_left) + " left");
    if (progress.mfu > 0) parts.push_back(fmt::format("MFU {:.0f} %", 100 * progress.mfu));
    if (!stack) parts.push_back(fmt::format("rate {:.1e}", progress.rate));
    if (progress.examples_per_second > 0)
        parts.push_back(human_count(progress.examples_per_second) + " examples/s");
    if (progress.flops_per_second > 0) parts.push_back(si_count(progress.flops_per_second) + "FLOP/s");
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size() && text.size() + 2 + parts[i].size() <= columns; ++i)
        text += "  " + parts[i];
    return text;
}

bool LiveLine::due(const train::TrainProgress& progress, double seconds) const {
    constexpr double redraw = 0.1, plain = 10, share = 0.05;
    if (columns_ > 0) return !visible_ || progress.step == progress.steps || seconds - written_ >= redraw;
    return seconds - written_ >= std::max(plain, share * seconds);
}

// By the steps since the first report, so that reading the data does not count.
double LiveLine::seconds_left(const train::TrainProgress& progress, double seconds) const {
    const auto made = static_cast<double>(progress.step - first_step_);
    const auto left = static_cast<double>(progress.steps - progress.step);
    return made > 0 ? (seconds - first_seconds_) / made * left : NAN;
}

std::string LiveLine::next(const train::TrainProgress& progress, double seconds) {
    if (first_step_ < 0) {
        first_step_ = progress.step;
        first_seconds_ = seconds;
    }
    if (!due(progress, seconds)) return "";
    written_ = seconds;
    visible_ = true;
    const double left = seconds_left(progress, seconds);
    if (columns_ == 0) return progress_text(progress, left, std::string::npos) + "\n";
    return "\r\033[K" + progress_text(progress, left, columns_ - 1);  // the last column would wrap
}

std::string LiveLine::clear() const { return visible_ && columns_ > 0 ? "\r\033[K" : ""; }

TrainLine::TrainLine() : line_(terminal_columns()) {}

TrainLine::~TrainLine() { std::fputs(line_.clear().c_str(), stderr); }

void TrainLine::show(const train::TrainProgress& progress) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (session().quiet) return;
    std::fputs(line_.next(progress, seconds).c_str(), stderr);
    std::fflush(stderr);
}

void print_evaluation(const train::Evaluation& evaluation) {
    fmt::print("  loss            {:.4f} +- {:.4f} (95 %, spread over batches)\n", evaluation.loss,
               evaluation.half_width);
    if (evaluation.bits_per_byte >= 0) fmt::print("  bits per byte   {:.4f}\n", evaluation.bits_per_byte);
    if (evaluation.perplexity >= 0) fmt::print("  perplexity      {:.4g}\n", evaluation.perplexity);
    if (evaluation.accuracy >= 0) fmt::print("  accuracy        {:.2f} %\n", 100 * evaluation.accuracy);
    if (evaluation.explained)
        fmt::print("  explained       {:.2f} % of the variance\n", 100 * *evaluation.explained);
    if (evaluation.error)
        fmt::print("  error           {:.4g} (root of the mean square)\n", *evaluation.error);
    fmt::print("  targets         {}\n", evaluation.targets);
}

void print_summary(const train::RunSummary& summary) {
    fmt::print("run {}, step {}{}{}\n\n", summary.id, summary.step,
               summary.was_done  ? ", already complete"
               : summary.resumed ? ", resumed from a checkpoint"
                                 : "",
               branch_text(summary));
    fmt::print("  folder          {}\n", summary.folder.string());
    if (summary.branch && summary.branch->step == 0)
        fmt::print("  trunk           not used: {}\n", summary.branch->problem);
    fmt::print("  training loss   {:.4f}\n", summary.train_loss);
    if (summary.noise) fmt::print("  noise scale     {}\n", noise_text(*summary.noise));
    fmt::print("\nvalidation\n\n");
    print_evaluation(summary.validation);
}

void print_stack(const std::vector<run::RunConfig>& configs,
                 const std::vector<Result<train::RunSummary>>& results) {
    fmt::print("  run                step   training loss   validation loss\n");
    for (std::size_t k = 0; k < results.size(); ++k) {
        fmt::print("  {}", run::run_hash(configs[k]));
        if (!results[k].ok()) {
            fmt::print("   {}\n", results[k].error().text());
            continue;
        }
        const train::RunSummary& summary = *results[k];
        fmt::print("   {:>4}", summary.step);
        if (summary.stopped)
            fmt::print("   stopped, with a checkpoint; the same command resumes it\n");
        else
            fmt::print("   {:>13.4f}   {:>15.4f}{}\n", summary.train_loss, summary.validation.loss,
                       summary.was_done ? "   already complete" : "");
    }
}

Json summary_json(const train::RunSummary& summary) {
    Json json{{"id", summary.id},
              {"folder", summary.folder.string()},
              {"step", summary.step},
              {"stopped", summary.stopped},
              {"was_done", summary.was_done},
              {"resumed", summary.resumed},
              {"train_loss", summary.train_loss},
              {"validation", to_json(summary.validation)},
              {"seconds", summary.seconds}};
    if (summary.noise) json["noise"] = noise_json(*summary.noise);
    if (summary.branch)
        json["trunk"] = {{"run", summary.branch->trunk},
                         {"step", summary.branch->step},
                         {"problem", summary.branch->problem}};
    return json;
}

Json stack_json(const std::vector<run::RunConfig>& configs,
                const std::vector<Result<train::RunSummary>>& results) {
    Json runs = Json::array();
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Json error{{"id", run::run_hash(configs[k])},
                         {"error", results[k].ok() ? "" : results[k].error().text()}};
        runs.push_back(results[k].ok() ? summary_json(*results[k]) : error);
    }
    return Json{{"runs", runs}};
}

}  // namespace plimsoll::cli
