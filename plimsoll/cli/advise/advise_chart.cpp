#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/advise/advise_text.h"
#include "plimsoll/cli/depth_chart.h"

namespace plimsoll::cli {
namespace {

using advise::Advice;

constexpr int label_columns = 10;
constexpr double most_drawn = 3;  // percent of loss

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

// The curve's points from the first that is `low` lines deep to the last that is `high` lines deep, drawn
// with `stroke`.
void put_range(std::string& line, const Advice& advice, const DepthAxis& axis, double low, double high,
               char stroke) {
    for (const auto& point : advice.curve) {
        if (point.depth_over_line < low || point.depth_over_line > high) continue;
        const int column = axis.column(static_cast<double>(point.depth));
        const auto size = static_cast<std::size_t>(column);
        while (line.size() < size && !line.empty() && line.back() != ' ') line += stroke;
        put(line, column, std::string(1, stroke));
    }
}

// One letter per rival: the first of its name that is free.
std::vector<std::pair<char, const advise::ShapeReport*>> lettered(const Advice& advice) {
    std::vector<std::pair<char, const advise::ShapeReport*>> out;
    std::string taken = "O";
    for (const auto& rival : advice.rivals) {
        for (const char c : rival.label + "abcdefgh") {
            const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            if (std::isalpha(static_cast<unsigned char>(letter)) == 0 ||
                taken.find(letter) != std::string::npos)
                continue;
            taken += letter;
            out.emplace_back(letter, &rival);
            break;
        }
    }
    return out;
}

}  // namespace

std::string advice_drawing(const Advice& advice, int columns, int rows) {
    const bool mixer = advice.request.family == advise::AdviceFamily::mixer;
    const DepthAxis axis(static_cast<double>(advice.curve.back().depth), columns);
    const auto height = [&](double share, double lost) { return mixer ? share : lost / most_drawn; };
    std::vector<std::string> lines(static_cast<std::size_t>(rows));
    const auto draw = [&](double share, std::int64_t depth, const char* symbol) {
        if (share > 1 + 1e-9) return;
        const auto row = static_cast<std::size_t>(std::lround((1 - share) * (rows - 1)));
        put(lines[row], axis.column(static_cast<double>(depth)), symbol);
    };
    for (const auto& point : advice.curve) draw(height(point.share, point.expected_loss), point.depth, "*");
    const auto& a = advice.answer;
    draw(height(std::min(1.0, a.capacity_share), a.expected_loss), a.layout.depth, "O");
    std::string out;
    for (int row = 0; row < rows; ++row) {
        const double share = (rows - 1 - row) / (rows - 1.0);
        const bool ticked = row == 0 || row == rows - 1 || 2 * row == rows - 1;
        const std::string tick =
            mixer ? fmt::format("{:.0f} %", 100 * share) : fmt::format("+{:.3g} %", most_drawn * share);
        out += trimmed(fmt::format("  {:>6} |{}", ticked ? tick : "", lines[static_cast<std::size_t>(row)])) +
               "\n";
    }
    const std::string margin(label_columns, ' ');
    out += std::string(label_columns - 1, ' ') + "+" + std::string(static_cast<std::size_t>(columns), '-') +
           "\n";
    out += margin + axis.ticks() + "   layers\n";
    std::string window, marks;
    put_range(window, advice, axis, advice.window_low, advice.window_high, '-');
    std::string band;
    put_range(band, advice, axis, advice.band_low, advice.band_high, '=');
    for (std::size_t i = 0; i < band.size(); ++i) {
        if (band[i] != ' ') put(window, static_cast<int>(i), "=");
    }
    for (const auto& [letter, rival] : lettered(advice))
        put(marks, axis.column(static_cast<double>(rival->layout.depth)), std::string(1, letter));
    put(marks, axis.column(static_cast<double>(advice.answer.layout.depth)), "O");
    if (!trimmed(window).empty()) out += margin + window + "\n";
    out += margin + marks + "\n";
    return out;
}

std::string advice_legend(const Advice& advice) {
    std::string out = advice.request.family == advise::AdviceFamily::mixer
                          ? "Share of capacity against depth. O advised, = window"
                          : "Expected loss against depth. O advised, = valley, - what may be the valley";
    for (const auto& [letter, rival] : lettered(advice)) out += fmt::format(", {} {}", letter, rival->label);
    return out + ".";
}

}  // namespace plimsoll::cli
