#include "plimsoll/report/numbers.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::report {
namespace {

constexpr double exact_below = 1e15;

bool is_whole(double value) { return std::abs(value) < exact_below && value == std::round(value); }

// -0 is 0.
double plain_zero(double value) { return value == 0 ? 0 : value; }

// Decimal places that show two figures of `width`.
int places_for(double width) { return 1 - static_cast<int>(std::floor(std::log10(width))); }

std::string with_places(double value, int places) {
    const double step = std::pow(10.0, places);
    if (places <= 0) return fmt::format("{:.0f}", plain_zero(std::round(value * step) / step));
    return fmt::format("{:.{}f}", plain_zero(std::round(value * step) / step), places);
}

bool is_plain(double value, double width) {
    return std::abs(value) < exact_below && width < exact_below && width > 1e-9;
}

std::string figures(double value, int count) {
    if (is_whole(value)) return fmt::format("{:.0f}", plain_zero(value));
    if (std::abs(value) >= 1000) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}g}", value, count);
}

}  // namespace

std::string short_number(double value) {
    if (std::abs(value) >= exact_below) return fmt::format("{:.3g}", value);
    return figures(value, 3);
}

std::string spaced_number(double value) {
    const std::string text = fmt::format("{}", plain_zero(value));
    const std::size_t first = text.starts_with('-') ? 1 : 0;
    const std::size_t digits = std::min(text.find_first_of(".e"), text.size());
    if (text.find('e') != std::string::npos) return text;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > first && i < digits && (digits - i) % 3 == 0) out += "\u202f";
        out += text[i];
    }
    return out;
}

std::string number_beside(double value, double width) {
    if (!is_plain(value, width)) return fmt::format("{:.4g}", value);
    return with_places(value, places_for(width));
}

std::string mean_text(const Summary& summary, const std::string& plus_minus) {
    const auto half = summary.half_width();
    if (!half || *half == 0) {
        const std::string mean = std::abs(summary.mean) >= exact_below ? fmt::format("{:.4g}", summary.mean)
                                                                       : figures(summary.mean, 4);
        return half ? fmt::format("{} {} 0", mean, plus_minus) : mean;
    }
    if (summary.count == 2 && *half > std::abs(summary.mean))
        return fmt::format("{} ({} to {})", figures(summary.mean, 4), short_number(summary.least),
                           short_number(summary.most));
    return fmt::format("{} {} {}", number_beside(summary.mean, *half), plus_minus,
                       number_beside(*half, *half));
}

Json summary_json(const Summary& summary) {
    const auto& interval = summary.interval;
    return {{"mean", summary.mean},
            {"low", interval ? Json(interval->low) : Json()},
            {"high", interval ? Json(interval->high) : Json()},
            {"deviation", summary.deviation ? Json(*summary.deviation) : Json()},
            {"n", summary.count}};
}

std::string interval_text(const Interval& interval) {
    const double width = (interval.high - interval.low) / 2;
    if (width == 0) return fmt::format("{0} to {0}", short_number(interval.low));
    return fmt::format("{} to {}", number_beside(interval.low, width), number_beside(interval.high, width));
}

}  // namespace plimsoll::report
