#include "plimsoll/advise/rivals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

#include "plimsoll/advise/levine_law.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/theory/papers/levine_bounds.h"

namespace plimsoll::advise {
namespace {

struct AspectLoss {
    double aspect, percent;
};

// Kaplan et al. 2020, figure 5, aspect panel: read off the picture, so good to about 0.1 percent.
constexpr std::array small_model{AspectLoss{4, 2.7},   AspectLoss{12, 1.4}, AspectLoss{32, 0.4},
                                 AspectLoss{50, 0.05}, AspectLoss{90, 0.1}, AspectLoss{250, 0.6},
                                 AspectLoss{350, 2.1}, AspectLoss{700, 4.6}};
constexpr std::array middle_model{AspectLoss{2, 1.1}, AspectLoss{25, 0}, AspectLoss{200, 0.55},
                                  AspectLoss{1700, 7.9}};
constexpr std::array large_model{AspectLoss{4, 2.1}, AspectLoss{13, 0.5}, AspectLoss{27, 0.05},
                                 AspectLoss{250, 0.6}, AspectLoss{700, 2.8}};

struct AspectCurve {
    double parameters;  // non-embedding
    std::span<const AspectLoss> points;
};

const std::array kaplan_curves{AspectCurve{50e6, small_model}, AspectCurve{274e6, middle_model},
                               AspectCurve{1.5e9, large_model}};
// A budget this far outside the measured sizes still reads the nearest curve.
constexpr double nearest_curve_factor = 1.5;

double interpolated(double x, double x0, double x1, double y0, double y1) {
    return x1 == x0 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

std::optional<double> on_curve(const AspectCurve& curve, double aspect) {
    const auto& points = curve.points;
    if (aspect < points.front().aspect || aspect > points.back().aspect) return std::nullopt;
    std::size_t i = 1;
    while (i + 1 < points.size() && points[i].aspect < aspect) ++i;
    return interpolated(std::log(aspect), std::log(points[i - 1].aspect), std::log(points[i].aspect),
                        points[i - 1].percent, points[i].percent);
}

double lowest_aspect(const AspectCurve& curve) {
    return std::min_element(curve.points.begin(), curve.points.end(),
                            [](const auto& a, const auto& b) { return a.percent < b.percent; })
        ->aspect;
}

// Levine et al. 2020, table 1, as printed.
struct PrintedDepth {
    std::int64_t size, depth;
};
constexpr std::array table_1{PrintedDepth{10'000'000, 5}, PrintedDepth{100'000'000, 6},
                             PrintedDepth{1'000'000'000, 7}, PrintedDepth{10'000'000'000, 8},
                             PrintedDepth{100'000'000'000, 9}};

constexpr std::int64_t nanochat_width_per_layer = 64, nanochat_head_dim = 128;
constexpr double mobilellm_aspect = 576.0 / 30;
constexpr double mobilellm_limit = 1e9;

// Numbers that enter a position: the rows of the input matrix.
double input_rows(const AdviceRequest& r) {
    return static_cast<double>(r.vocab > 0 ? r.vocab : r.image.patch_dim());
}

// The real depth at which 12 L d(L)^2 + V d(L) is the budget, for a width that grows with depth.
double real_depth(const AdviceRequest& r, const std::function<double(double)>& width) {
    double low = 0, high = 1000;
    for (int step = 0; step < 100; ++step) {
        const double L = (low + high) / 2, d = width(L);
        (12 * L * d * d + input_rows(r) * d <= static_cast<double>(r.parameters) ? low : high) = L;
    }
    return low;
}

class RivalList {
  public:
    RivalList(const CostModel& costs, std::vector<std::string>& notes) : costs_(costs), notes_(notes) {}

    void add_at_depth(std::string label, std::string source, std::string note, double depth) {
        const auto whole = std::max<std::int64_t>(1, std::llround(depth));
        const std::int64_t width = costs_.widest(whole, budget());
        if (width < 1) return notes_.push_back(label + ": its depth does not fit the budget."), void();
        shapes_.push_back(
            {std::move(label), std::move(source), std::move(note), costs_.layout(whole, width)});
    }

    void add_levine() {
        const auto printed = std::find_if(table_1.begin(), table_1.end(),
                                          [&](const auto& row) { return row.size == budget(); });
        if (printed != table_1.end()) {
            add_at_depth("Levine table 1", "Levine et al. 2020, table 1",
                         "the least depth, as printed; its own rule asks for one more (E3)",
                         static_cast<double>(printed->depth));
        } else {
            const double depth = theory::table1_depth(budget(), 64).middle();
            add_at_depth(
                "Levine table 1 rule", "LEVINE-TAB1-REAL",
                fmt::format("the least depth; 12 L 9^L = budget at L = {:.2f}, not a printed size", depth),
                std::floor(depth));
        }
        const LawPoint law = fitted_law_point(costs_.request());
        if (law.depth >= 1) {
            notes_.push_back(
                fmt::format("The budget meets Levine's fitted law, width = exp(5.039 + 0.0555 depth), at "
                            "{:.1f} x {:.0f}; it was fitted at depths 6 to 48.",
                            law.depth, law.width));
        }
        add_at_depth("Levine fitted law", "Levine et al. 2020, fit",
                     "width = exp(5.039 + 0.0555 depth), rounded to the widths asked for", law.depth);
    }

    // The curve whose size is nearest to what its own best aspect leaves for the layers.
    void add_kaplan() {
        const AspectCurve* nearest = nullptr;
        double nearest_distance = std::log(3.0), depth = 0;
        for (const auto& curve : kaplan_curves) {
            const double aspect = lowest_aspect(curve);
            const double L = real_depth(costs_.request(), [&](double l) { return aspect * l; });
            const double distance = std::abs(std::log(curve.parameters / (12 * aspect * aspect * L * L * L)));
            if (distance > nearest_distance) continue;
            nearest = &curve;
            nearest_distance = distance;
            depth = L;
        }
        if (nearest == nullptr) {
            notes_.push_back("Kaplan et al. measured aspect ratios at 50 M, 274 M and 1.5 B only.");
            return;
        }
        add_at_depth("Kaplan's best aspect", "Kaplan et al. 2020, fig. 5",
                     fmt::format("lowest loss read at width / depth = {:.0f} on the {} curve",
                                 lowest_aspect(*nearest), human_count(nearest->parameters)),
                     depth);
    }

    // width = 64 depth, rounded up to whole heads of 128.
    void add_nanochat() {
        std::optional<Layout> last;
        for (std::int64_t depth = 1; depth <= deepest_scanned; ++depth) {
            const std::int64_t heads =
                (nanochat_width_per_layer * depth + nanochat_head_dim - 1) / nanochat_head_dim;
            Layout layout = costs_.layout(depth, heads * nanochat_head_dim);
            layout.heads = heads;
            layout.head_dim = nanochat_head_dim;
            if (costs_.parameters(layout) > budget()) break;
            last = layout;
        }
        if (!last) return notes_.push_back("nanochat: not even one layer of 128 fits."), void();
        if (last->depth == deepest_scanned) {
            return notes_.push_back(fmt::format("nanochat: deeper than {} layers.", deepest_scanned)), void();
        }
        shapes_.push_back({"nanochat", "karpathy/nanochat base_train.py",
                           "width = 64 depth, rounded up to heads of 128; found best at 1e18 FLOPs", *last});
    }

    void add_mobilellm() {
        if (static_cast<double>(budget()) >= mobilellm_limit) {
            notes_.push_back("MobileLLM speaks of networks below 1 B.");
            return;
        }
        add_at_depth("MobileLLM's aspect", "MobileLLM 125M, 30 x 576",
                     "deep and thin: width / depth = 19.2 at every budget is our reading",
                     real_depth(costs_.request(), [](double L) { return mobilellm_aspect * L; }));
    }

    // Depth = ratio log2(channels), counted in blocks as in the experiments.
    void add_navon(double ratio) {
        std::int64_t depth = 0;
        for (std::int64_t blocks = 1; blocks <= deepest_scanned; ++blocks) {
            const std::int64_t width = costs_.widest(blocks, budget());
            if (width < 2) break;
            depth = blocks;
            if (static_cast<double>(blocks) >= ratio * std::log2(static_cast<double>(width))) break;
        }
        if (depth == 0) return;
        add_at_depth(fmt::format("Navon window, {:g} log2 C", ratio), "NAVON-WINDOW",
                     "best accuracies at 1 < blocks / log2 C < 2 on CIFAR and SVHN, 2 K to 256 K parameters",
                     static_cast<double>(depth));
    }

    std::vector<RivalShape> take() { return std::move(shapes_); }

  private:
    [[nodiscard]] std::int64_t budget() const { return costs_.request().parameters; }

    const CostModel& costs_;
    std::vector<std::string>& notes_;
    std::vector<RivalShape> shapes_;
};

}  // namespace

std::vector<BestAspect> kaplan_best_aspects() {
    std::vector<BestAspect> best;
    for (const auto& curve : kaplan_curves) best.push_back({curve.parameters, lowest_aspect(curve)});
    return best;
}

std::optional<double> kaplan_loss_percent(double non_embedding_parameters, double aspect_ratio) {
    const double n = non_embedding_parameters;
    const auto& first = kaplan_curves.front();
    const auto& last = kaplan_curves.back();
    if (n * nearest_curve_factor < first.parameters || n > last.parameters * nearest_curve_factor)
        return std::nullopt;
    if (n <= first.parameters) return on_curve(first, aspect_ratio);
    if (n >= last.parameters) return on_curve(last, aspect_ratio);
    const std::size_t above = n <= kaplan_curves[1].parameters ? 1 : 2;
    const auto& a = kaplan_curves[above - 1];
    const auto& b = kaplan_curves[above];
    const auto left = on_curve(a, aspect_ratio), right = on_curve(b, aspect_ratio);
    if (!left || !right) return std::nullopt;
    return interpolated(std::log(n), std::log(a.parameters), std::log(b.parameters), *left, *right);
}

LawPoint fitted_law_point(const AdviceRequest& request) {
    const double depth = real_depth(request, levine_width);
    return {depth, levine_width(depth)};
}

std::vector<RivalShape> rival_shapes(const CostModel& costs, std::vector<std::string>& notes) {
    RivalList list(costs, notes);
    if (costs.request().family == AdviceFamily::mixer) {
        list.add_navon(1);
        list.add_navon(2);
        return list.take();
    }
    list.add_levine();
    if (costs.request().vocab == 0) {
        notes.push_back(
            "Kaplan, nanochat and MobileLLM measured language models; they are not applied to patches.");
        return list.take();
    }
    list.add_kaplan();
    list.add_nanochat();
    list.add_mobilellm();
    return list.take();
}

}  // namespace plimsoll::advise
