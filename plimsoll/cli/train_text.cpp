#include "plimsoll/cli/train_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {
namespace {

std::string duration(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

struct Point {
    double step, loss;
};

std::vector<Point> points_of(const std::vector<Json>& rows) {
    std::vector<Point> points;
    for (const Json& row : rows) {
        if (row.contains("loss") && row["loss"].is_number()) {
            points.push_back({row["step"].get<double>(), row["loss"].get<double>()});
        }
    }
    return points;
}

}  // namespace

std::string progress_text(const train::TrainProgress& progress, double seconds_left) {
    std::string text = fmt::format("step {} of {}  loss {:.4f}  rate {:.1e}", progress.step, progress.steps,
                                   progress.loss, progress.rate);
    if (progress.examples_per_second > 0) {
        text += fmt::format("  {}examples/s", human_count(progress.examples_per_second) + " ");
    }
    if (progress.flops_per_second > 0)
        text += fmt::format("  {}FLOP/s", human_count(progress.flops_per_second));
    if (std::isfinite(seconds_left)) text += fmt::format("  {} left", duration(seconds_left));
    return text;
}

TrainLine::TrainLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

TrainLine::~TrainLine() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

void TrainLine::show(const train::TrainProgress& progress) {
    if (!terminal_) return;
    if (first_step_ < 0) first_step_ = progress.step;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const auto made = static_cast<double>(progress.step - first_step_);
    const double left = made > 0 ? elapsed / made * static_cast<double>(progress.steps - progress.step) : NAN;
    fmt::print(stderr, "\r\033[K{}", progress_text(progress, left));
    std::fflush(stderr);
    visible_ = true;
}

void print_evaluation(const train::Evaluation& evaluation) {
    fmt::print("  loss            {:.4f} +- {:.4f} (95 %, spread over batches)\n", evaluation.loss,
               evaluation.half_width);
    if (evaluation.bits_per_byte >= 0) fmt::print("  bits per byte   {:.4f}\n", evaluation.bits_per_byte);
    if (evaluation.perplexity >= 0) fmt::print("  perplexity      {:.4g}\n", evaluation.perplexity);
    fmt::print("  accuracy        {:.2f} %\n", 100 * evaluation.accuracy);
    fmt::print("  targets         {}\n", evaluation.targets);
}

void print_summary(const train::RunSummary& summary) {
    fmt::print("run {}, step {}{}\n\n", summary.id, summary.step,
               summary.was_done  ? ", complete before"
               : summary.resumed ? ", went on from a checkpoint"
                                 : "");
    fmt::print("  folder          {}\n", summary.folder.string());
    fmt::print("  training loss   {:.4f}\n\nvalidation\n\n", summary.train_loss);
    print_evaluation(summary.validation);
}

Json summary_json(const train::RunSummary& summary) {
    return Json{{"id", summary.id},
                {"folder", summary.folder.string()},
                {"step", summary.step},
                {"stopped", summary.stopped},
                {"was_done", summary.was_done},
                {"resumed", summary.resumed},
                {"train_loss", summary.train_loss},
                {"validation", to_json(summary.validation)},
                {"seconds", summary.seconds}};
}

std::string loss_plot(const std::vector<Json>& rows, int width, int height) {
    const auto points = points_of(rows);
    if (points.size() < 2) return "";
    const auto [low, high] = std::ranges::minmax_element(points, {}, &Point::loss);
    const double bottom = low->loss, top = std::max(high->loss, low->loss + 1e-12), last = points.back().step;
    std::vector<std::string> lines(static_cast<std::size_t>(height),
                                   std::string(static_cast<std::size_t>(width), ' '));
    for (const Point& point : points) {
        const auto column = static_cast<std::size_t>(point.step / last * (width - 1));
        const auto line = static_cast<std::size_t>((top - point.loss) / (top - bottom) * (height - 1));
        lines[line][column] = '*';
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string label = i == 0                  ? fmt::format("{:8.4f}", top)
                                  : i + 1 == lines.size() ? fmt::format("{:8.4f}", bottom)
                                                          : std::string(8, ' ');
        text += fmt::format("{} |{}\n", label, lines[i]);
    }
    return text + fmt::format("{:8} 0{:>{}}\n", "step", points.back().step, width);
}

}  // namespace plimsoll::cli
