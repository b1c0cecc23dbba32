#include <algorithm>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/ids/applicable_families.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/wies_bounds.h"

namespace plimsoll::theory {

BoundRow row_of(const std::string& id, Side side, Ball log3, std::string note) {
    const auto formula = find_formula(id);
    PLIMSOLL_CHECK(formula.ok(), "a row must name a formula: " + id);
    return {id, side, std::move(log3), (*formula)->standing, (*formula)->erratum, std::move(note)};
}

std::string short_text(const Ball& ball) { return fmt::format("{:.6g}", ball.middle()); }

namespace {

using arch::AttentionSpec;
using arch::InputEmbedding;

// What the theorems need of a spec, in their letters.
struct Letters {
    std::int64_t L, d, H, da, r, V, N;
    std::int64_t re;       // rank of the positional term; 0 without one
    bool context_given;    // otherwise N = 2d stands for "long enough"
    bool tokens, patches;  // discrete vocabulary, convolution

    explicit Letters(const AttentionSpec& spec, std::optional<std::int64_t> context)
        : L(spec.depth),
          d(spec.width),
          H(spec.heads),
          da(spec.head_dim),
          r(spec.embedding_rank),
          V(spec.vocab),
          N(context.value_or(2 * spec.width)),
          re(0),
          context_given(context.has_value()),
          tokens(spec.embedding == InputEmbedding::vocab),
          patches(spec.embedding == InputEmbedding::conv) {
        if (spec.positions == arch::Positions::ranked) re = spec.position_rank;
        if (spec.positions == arch::Positions::free) re = std::min(d, N);
    }

    [[nodiscard]] Integer C() const { return gram_count(L); }
    [[nodiscard]] bool beyond_threshold() const { return power_of_three(L) > d; }
    [[nodiscard]] bool below_threshold() const { return power_of_three(L) < d; }
    [[nodiscard]] bool embedded() const { return tokens || patches; }
    // Positional directions shared with the embedding's, and outside them, for generic matrices.
    [[nodiscard]] std::int64_t shared() const { return std::max<std::int64_t>(0, r + re - d); }
    [[nodiscard]] std::int64_t outside() const { return re - shared(); }
};

// [Levine 2020]: T3 with free head size is (H (d_a + 1))^C, that is width H d_a.
void add_published_upper(const Letters& x, std::vector<BoundRow>& rows) {
    const AttentionShape shape{x.L, Integer(x.H) * x.da, x.H};
    rows.push_back(row_of("LEVINE-T3", Side::upper, t3_upper_log3(shape, table_bits)));
    rows.push_back(row_of("LEVINE-T4", Side::upper, t4_upper_log3(x.L, x.d, table_bits)));
    if (x.beyond_threshold())
        rows.push_back(row_of("LEVINE-T2-UPPER", Side::upper, t2_upper_log3(x.L, x.d, table_bits)));
    if (!x.embedded()) return;
    const auto wies = [&](const char* id, Ball value) {
        rows.push_back(row_of(id, Side::upper, std::move(value)));
    };
    wies(x.tokens ? "WIES-T3" : "WIES-T4", wies_t3_log3(x.L, x.r, x.re, table_bits));
    wies("WIES-T1-CLOSED", wies_t1_closed_log3(x.L, x.r, x.re, table_bits));
}

// The double sum itself while it is short, its certified majorant beyond.
Ball heads_log3(std::int64_t depth, const HeadShape& heads) {
    constexpr std::int64_t longest_sum = 6;
    if (depth > longest_sum) return heads_bound_log3(depth, heads, table_bits);
    return log3(Ball(heads_bound(depth, heads), table_bits));
}

void add_capacity(const Letters& x, std::vector<BoundRow>& rows) {
    const Enclosure kappa = enclose_capacity(x.L, x.d, x.N, table_bits);
    const bool closed = kappa.method == "closed form";
    const std::string note =
        kappa.relative_width() < 1e-9 ? "" : fmt::format("from {:.5g}", kappa.lower.middle());
    rows.push_back(row_of(closed ? "CAP-kappa_full" : "CAP-bound_int", Side::upper, kappa.upper, note));
    if (x.H * x.da != x.d || x.H > 1) {
        rows.push_back(row_of("CAP-heads_bound_int", Side::upper, heads_log3(x.L, {x.d, x.H, x.da})));
    }
}

// What the embedding and the tokens leave (CAPACITY section 5).
void add_input_limits(const Letters& x, std::vector<BoundRow>& rows) {
    const auto staircase = [&](const Integer& entries, std::int64_t outputs, const char* id,
                               std::string note) {
        rows.push_back(
            row_of(id, Side::upper, staircase_log3(x.C(), entries, outputs, table_bits), std::move(note)));
    };
    if (x.embedded() && x.re == 0 && x.r < x.d) {
        rows.push_back(
            row_of("CAP-pos_bound_int", Side::upper, full_bound_log3(x.L, x.r, table_bits), "width r"));
    }
    if (x.embedded() && x.re > 0 && x.r < x.d) {
        staircase(embedded_entries(x.r, x.outside(), x.r + x.outside()), x.r + 1, "CAP-pos_bound_int",
                  "rank and positions");
    }
    if (!x.tokens) return;
    const Integer entries = token_entries(x.V, x.r, x.re, x.shared());
    staircase(entries, std::min(x.r + (x.re > 0 ? 1 : 0), x.V), "CAP-S_bound_int",
              fmt::format("n = {}", entries.text()));
    if (!x.context_given) return;
    rows.push_back(row_of("CAP-string_cap_log3", Side::upper, string_cap_log3(x.N, x.V, table_bits)));
}

// The attainment theorems are about inputs that are numbers: vectors, or patches through an embedding of rank
// r. Positional vectors are weights like others, and a rank reached without them is reached for almost all.
void add_attained(const Letters& x, std::vector<BoundRow>& rows) {
    if (x.tokens) return;
    const std::int64_t rank = x.embedded() ? std::min(x.r, x.d) : x.d;
    const auto attained = attained_log3({x.L, x.d, x.H, x.da, x.N, rank}, table_bits);
    if (!attained) return;
    BoundRow row = row_of(attained->id, Side::lower, attained->log3, attained->route);
    row.sound = row.standing == Standing::proved || row.standing == Standing::repaired;
    rows.push_back(std::move(row));
}

// The lower bounds hold for almost all weights, a balanced split and even N >= 2; Lemma 4 lets surplus heads
// be zero.
void add_lower(const Letters& x, std::vector<BoundRow>& rows) {
    if (x.L < 2) return;
    add_attained(x, rows);
    const std::int64_t used_heads = std::min(x.H, std::max<std::int64_t>(1, x.d / x.da));
    if (!x.embedded()) {
        if (x.da >= 3 && x.da <= x.d) {
            rows.push_back(row_of("LEVINE-MS-CONSTRUCT", Side::lower,
                                  ms_lower_construct_log3(x.L, used_heads, x.da, table_bits)));
        }
        if (x.H * x.da != x.d || x.d <= x.H) return;
        const AttentionShape shape{x.L, x.d, x.H};
        const bool odd_heads = x.da % 2 == 1;
        auto published = row_of("LEVINE-MS-LOWER", Side::lower, ms_lower_log3(shape, table_bits),
                                odd_heads ? "" : "odd head sizes");
        published.sound = odd_heads;
        rows.push_back(std::move(published));
        auto closed = row_of(
            x.beyond_threshold() ? "LEVINE-T2-LOWER" : "LEVINE-T1-LOWER", Side::lower,
            x.beyond_threshold() ? t2_lower_log3(shape, table_bits) : t1_lower_log3(shape, table_bits));
        closed.sound = odd_heads;
        if (less(closed.log3, Ball(0, table_bits)) == Verdict::proved) closed.note = "vacuous";
        rows.push_back(std::move(closed));
        return;
    }
    if (x.tokens && x.r - x.H >= 3) {
        auto row = row_of("WIES-LOWER-VOCAB", Side::lower, wies_lower_vocab_log3(x.L, x.r, x.H, table_bits),
                          "for N large enough");
        row.sound = false;
        rows.push_back(std::move(row));
    }
    if (x.patches && x.r > x.H) {
        auto row = row_of("WIES-LOWER-CONV", Side::lower, wies_lower_conv_log3(x.L, x.r, x.H, table_bits));
        // Lemma 4 on the r coordinates that the patches reach: H segments of odd size r / H (erratum E5).
        row.sound = x.r % x.H == 0 && (x.r / x.H) % 2 == 1 && x.r / x.H <= x.da;
        if (!row.sound) row.note = "odd head sizes";
        rows.push_back(std::move(row));
    }
}

void add_facts(const Letters& x, std::vector<BoundFact>& facts) {
    const Ball threshold = published_threshold(x.d, table_bits);
    facts.push_back({"published threshold", short_text(threshold),
                     fmt::format("log3 of the width: {}", depth_regime(x.L, x.d))});
    const RankVariety variety{x.d, std::min(x.d, x.N / 2)};
    facts.push_back({"knee T", short_text(knee_depth(variety, table_bits)), "here a layer doubles capacity"});
    if (x.H > 1 && x.H * x.da == x.d) {
        facts.push_back({"cost of the heads",
                         fmt::format("{:.3f} layers", heads_layers_lost(x.H, table_bits).middle()),
                         "of the bound, in the deep limit"});
    }
    if (x.tokens && x.context_given) {
        const Saturation saturation = saturation_depth(x.d, x.N, x.V);
        const std::string depth = saturation.not_before == saturation.reached
                                      ? fmt::format("{}", saturation.reached)
                                      : fmt::format("{} to {}", saturation.not_before, saturation.reached);
        facts.push_back({"L_sat", depth, "capacity meets (N/2) log3 V, not before"});
    }
    if (x.context_given) {
        const bool binds = x.N < 2 * x.d;
        facts.push_back({"context to width", fmt::format("{} : {}", x.N, x.d),
                         binds ? fmt::format("beyond width {} capacity grows linearly", x.N / 2)
                               : "does not limit the width"});
    }
}

std::string subject_of(const Letters& x, std::string_view family) {
    return fmt::format("{}, {} layers x {}, {} heads of {}", family, x.L, x.d, x.H, x.da);
}

BoundTable table_of(const AttentionSpec& spec, std::optional<std::int64_t> context, std::string_view family) {
    const Letters x(spec, context);
    BoundTable table;
    table.subject = subject_of(x, family);
    table.takes_context = true;
    table.context = context;
    add_facts(x, table.facts);
    add_lower(x, table.rows);
    add_published_upper(x, table.rows);
    add_capacity(x, table.rows);
    add_input_limits(x, table.rows);
    return table;
}

}  // namespace

BoundTable attention_bounds(const AttentionSpec& spec, std::optional<std::int64_t> context) {
    BoundTable table = table_of(spec, context, "attention");
    if (!spec.residual) return table;
    table.reading =
        "With residuals the published theorems and the heads theorem do not apply; the repaired bound does.";
    std::erase_if(table.rows, [](const BoundRow& row) {
        return row.id.starts_with("LEVINE") || row.id.starts_with("WIES") ||
               row.id == "CAP-heads_bound_int" || row.id == "CAP-bound_int";
    });
    const bool has_full = std::any_of(table.rows.begin(), table.rows.end(),
                                      [](const auto& row) { return row.id == "CAP-kappa_full"; });
    if (!has_full) {
        table.rows.push_back(
            row_of("CAP-kappa_full", Side::upper, full_bound_log3(spec.depth, spec.width, table_bits)));
    }
    return table;
}

BoundTable transformer_bounds(const arch::TransformerSpec& spec, std::optional<std::int64_t> context) {
    AttentionSpec skeleton;
    skeleton.depth = std::max(spec.depth, spec.decoder_depth);
    skeleton.width = spec.width;
    skeleton.heads = spec.heads;
    skeleton.head_dim = spec.head_dim;
    skeleton.embedding_rank = spec.width;
    if (spec.image.used()) {
        skeleton.embedding = InputEmbedding::conv;
        skeleton.vocab = spec.image.patch_dim();
        if (!context) context = spec.image.patches() + spec.extra_tokens;
    } else if (spec.vocab > 0) {
        skeleton.embedding = InputEmbedding::vocab;
        skeleton.vocab = spec.vocab;
    }
    if (skeleton.vocab > 0) {
        const std::int64_t factor = spec.embedding_rank > 0 ? spec.embedding_rank : spec.width;
        skeleton.embedding_rank = std::min({spec.width, skeleton.vocab, factor});
    }
    const bool added =
        spec.positions == arch::PositionKind::learned || spec.positions == arch::PositionKind::sinusoidal;
    if (added) {
        skeleton.positions = arch::Positions::ranked;
        const std::int64_t rows = std::min(spec.width, context.value_or(spec.context));
        skeleton.position_rank = spec.position_rank > 0 ? std::min(spec.position_rank, rows) : rows;
    }
    BoundTable table = table_of(skeleton, context, "transformer");
    table.reading = "Read as its attention skeleton: no softmax, norm, residual or feed-forward.";
    if (!added && spec.positions != arch::PositionKind::none)
        table.reading += " Positions inside attention are not counted.";
    return table;
}

}  // namespace plimsoll::theory
