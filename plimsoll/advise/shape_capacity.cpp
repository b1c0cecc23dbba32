#include "plimsoll/advise/shape_capacity.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/advise/load_line.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/numbers/special_fast.h"

namespace plimsoll::advise {
namespace {

using theory::fast::gram_factors;
using theory::fast::log_add;
using theory::fast::log_multiset;

const double log_3 = std::log(3.0);

// n of CAPACITY 5.1 and 5.3 with positions of rank min(d, N/2) in general position.
double free_entries(const AdviceRequest& request, double d, double r) {
    const double half = std::floor(real(request.context) / 2), r_e = std::min(d, half);
    const double shared = std::max(0.0, r + r_e - d), outside = r_e - shared;
    const double continuous = r * (r + 1) / 2 + r * outside;
    if (request.vocab == 0) return continuous;
    return std::min(continuous, real(request.vocab) - 1 + r * r_e - shared * (shared - 1) / 2);
}

double attention_capacity(const AdviceRequest& request, const Layout& layout) {
    const double d = real(layout.width), depth = real(layout.depth);
    const double whole = theory::fast::capacity_log3(depth, d, real(request.context));
    const double r = real(input_rank(request, layout));
    if (r >= d) return whole;
    const double outputs = request.vocab > 0 ? std::min(r + 1, real(request.vocab)) : r + 1;
    return std::min(whole, fast_staircase_log3(gram_factors(depth), free_entries(request, d, r), outputs));
}

}  // namespace

// One degree more on side B adds ((n, tau)) and saves w ((n, C-tau)): the sum is least where these cross.
double fast_staircase_log3(double gram_factors, double entries, double outputs) {
    const double n = entries, C = gram_factors, log_w = std::log(outputs);
    double low = 0, high = C + 1;
    while (high - low > 1 && high - low > 1e-12 * C) {
        const double tau = std::floor((low + high) / 2);
        const bool saves = log_multiset(n, tau) < log_w + log_multiset(n, C - tau);
        (saves ? low : high) = tau;
    }
    const auto at = [&](double tau) {
        if (tau < 1) return log_w + log_multiset(n + 1, C);
        if (tau > C) return log_multiset(n + 1, C);
        return log_add(log_multiset(n + 1, tau - 1), log_w + log_multiset(n + 1, C - tau));
    };
    return std::min({at(low), at(high), at(high + 1)}) / log_3;
}

double fast_mixer_log3(double entries_per_side, double layers) {
    const double half_degree = std::pow(2.0, layers - 1), k = entries_per_side + 1;
    return log_add(log_multiset(k, half_degree), log_multiset(k, half_degree - 1)) / log_3;
}

std::int64_t input_rank(const AdviceRequest& request, const Layout& layout) {
    std::int64_t rank = layout.width;
    if (layout.embedding_rank > 0) rank = std::min(rank, layout.embedding_rank);
    if (request.vocab > 0) rank = std::min(rank, request.vocab);
    if (request.image.used()) rank = std::min(rank, request.image.patch_dim());
    return rank;
}

bool rank_suffices(const AdviceRequest& request, const Layout& layout) {
    return 2 * input_rank(request, layout) >= layout.width;
}

double rank_share(const AdviceRequest& request, const Layout& layout) {
    const double d = real(layout.width), r = real(input_rank(request, layout));
    return (r * (r + 1) / 2 + r * (d - r)) / (d * (d + 1) / 2);
}

double layout_capacity(const AdviceRequest& request, const Layout& layout) {
    if (request.family == AdviceFamily::transformer) return attention_capacity(request, layout);
    const double entries = std::floor(real(layout.tokens) * real(layout.width) / 2);
    return fast_mixer_log3(entries, 2 * real(layout.depth));
}

double layout_knee(const AdviceRequest& request, const Layout& layout) {
    if (request.family == AdviceFamily::transformer)
        return theory::fast::knee_depth(real(layout.width), real(request.context));
    return (std::log2(real(layout.tokens) * real(layout.width)) - std::log2(std::exp(1.0))) / 2;
}

double layout_line(const AdviceRequest& request, const Layout& layout) {
    if (request.family == AdviceFamily::transformer)
        return best_depth(standard_size(real(layout.depth), real(layout.width)));
    return std::log2(real(std::max<std::int64_t>(2, layout.width)));
}

std::optional<double> string_cap(const AdviceRequest& request) {
    if (request.vocab == 0 || request.family == AdviceFamily::mixer) return std::nullopt;
    return theory::string_cap_log3(request.context, request.vocab, 64).middle();
}

}  // namespace plimsoll::advise
