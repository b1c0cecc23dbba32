#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/theory/ids/applicable_families.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/hayase_bounds.h"
#include "plimsoll/theory/papers/navon_bounds.h"

namespace plimsoll::theory {
namespace {

// The recursion doubles its digits per layer: written out up to here, left out beyond.
constexpr std::int64_t max_recursion_depth = 20;

struct MixerLetters {
    std::int64_t n, m, p;
    bool plain;  // no residuals and no permutations: the first layers see less than everything
};

// M(k, p) = ((k+1, 2^(p-1))) + ((k+1, 2^(p-1) - 1)) with all nm/2 entries of a side.
Ball any_split_log3(const MixerLetters& x) {
    const Integer side = floor_div(Integer(x.n) * x.m + 1, 2);
    const Integer half = pow(Integer(2), static_cast<std::uint64_t>(x.p - 1));
    const auto term = [&](const Integer& k) { return log_multiset(side + 1, k, table_bits); };
    return log_add_exp(term(half), term(half - 1)) / log(Ball(3, table_bits));
}

void add_navon(const MixerLetters& x, std::vector<BoundRow>& rows) {
    rows.push_back(
        row_of("NAVON-T5.5", Side::upper, navon_t55_log3({x.p, x.m, x.n, 1}, table_bits), "H = 1"));
    if (x.p > max_recursion_depth) return;
    const Integer recursion = navon_recursion_alternating(x.p, x.n, x.m);
    rows.push_back(row_of("NAVON-RECURSION-ALT", Side::upper, log3(Ball(recursion, table_bits))));
}

void add_splits(const MixerLetters& x, std::vector<BoundRow>& rows) {
    rows.push_back(row_of("CAP-mixer_rows_int", Side::upper, any_split_log3(x), "any balanced split"));
    if (!x.plain) return;
    // Narrower statements about one split each: shown, but they do not bound the others.
    const auto one_split = [&](const char* id, Ball value, const char* note) {
        BoundRow row = row_of(id, Side::upper, std::move(value), note);
        row.sound = false;
        rows.push_back(std::move(row));
    };
    if (x.n % 2 == 0)
        one_split("CAP-mixer_rows_int", mixer_rows_log3(x.n, x.m, x.p, table_bits), "rows split only");
    if (x.m % 2 == 0)
        one_split("CAP-mixer_cols_int", mixer_cols_log3(x.n, x.m, x.p, table_bits), "columns split only");
}

BoundTable mixer_table(const MixerLetters& x, std::string subject) {
    BoundTable table;
    table.subject = std::move(subject);
    table.facts.push_back(
        {"knee", short_text(mixer_knee(x.n, x.m, table_bits)), "log2(nm/e): a layer gives 1.6 times it"});
    if (x.n * x.m > 1) {
        const Integer width = std::max(x.n, x.m);
        if (width > 1) {
            table.facts.push_back({"depth to log2 width", short_text(navon_window(x.p, width, table_bits)),
                                   "the window is 1 to 2"});
        }
    }
    add_navon(x, table.rows);
    add_splits(x, table.rows);
    return table;
}

}  // namespace

BoundTable square_mixer_bounds(const arch::SquareMixerSpec& spec) {
    const bool plain = spec.residual.empty() && spec.permutations == arch::Permutations::none;
    return mixer_table({spec.rows, spec.cols, spec.depth, plain},
                       fmt::format("square mixer, {} layers on {} x {}", spec.depth, spec.rows, spec.cols));
}

// Columns never meet, so an entry sees the n entries of its own column.
BoundTable square_mlp_bounds(const arch::SquareMlpSpec& spec) {
    BoundTable table;
    table.subject = fmt::format("square MLP, {} layers on {} x {}", spec.depth, spec.rows, spec.cols);
    table.rows.push_back(row_of("CAP-mixer_rows_int", Side::upper,
                                any_split_log3({spec.rows, 1, spec.depth, false}), "one column"));
    if (spec.depth <= max_recursion_depth) {
        table.rows.push_back(row_of("NAVON-RECURSION", Side::upper,
                                    log3(Ball(navon_recursion(spec.depth, spec.rows), table_bits))));
    }
    return table;
}

BoundTable mixer_bounds(const arch::MixerSpec& spec) {
    const MixerLetters x{spec.tokens, spec.channels, 2 * spec.depth, spec.permuted.empty() && !spec.skip};
    BoundTable table = mixer_table(x, fmt::format("mixer, {} blocks on {} tokens x {} channels", spec.depth,
                                                  spec.tokens, spec.channels));
    table.reading = "Read as a square mixer of two layers per block, without hidden sizes and norms.";
    const Integer width = hayase_width(spec.tokens, spec.channels);
    table.facts.push_back({"effective width", width.text(), "tokens x channels, as a wide sparse MLP"});
    return table;
}

}  // namespace plimsoll::theory
