#include "plimsoll/theory/ids/formula_tables.h"
#include "plimsoll/theory/papers/hayase_bounds.h"
#include "plimsoll/theory/papers/navon_bounds.h"

// Tables, however long. NOLINTBEGIN(readability-function-size)
namespace plimsoll::theory {
namespace {

NavonShape navon_shape(const Inputs& in) {
    return {in.small("p"), in.integer("m"), in.integer("n"), in.integer("H")};
}

std::vector<InputRule> full_shape() {
    return {depth_input("p"), size_input("m"), size_input("n"), size_input("H")};
}

Status rows_above_heads(const Inputs& in) { return need_greater(in, "m", "H"); }

// log_3 of k -> (c k)^2 iterated: the recursion's size to within a layer, enough to refuse what cannot be
// written out.
Ball recursion_size(std::int64_t depth, const Integer& factor, int bits) {
    const Ball start = log3(Ball(Integer(2) * factor * factor + 1, bits));
    return Ball(pow(Integer(2), static_cast<std::uint64_t>(depth)), bits) * start;
}

std::vector<Formula> layers() {
    const auto recursion_log = [](const Inputs& in, int bits) {
        return log3(Ball(navon_recursion(in.small("p"), in.integer("n")), bits));
    };
    const auto alternating_log = [](const Inputs& in, int bits) {
        return log3(Ball(navon_recursion_alternating(in.small("p"), in.integer("n"), in.integer("m")), bits));
    };
    const auto recursion_fits = [](const Inputs& in) {
        return need_writable("NAVON-RECURSION",
                             0.48 * recursion_size(in.small("p"), in.integer("n"), 64).middle());
    };
    const auto alternating_fits = [](const Inputs& in) {
        const Integer larger = std::max(in.integer("n"), in.integer("m"));
        return need_writable("NAVON-RECURSION-ALT",
                             0.48 * recursion_size(in.small("p"), larger, 64).middle());
    };
    return {
        statement("NAVON-D3.1", "fully connected: (W X)^2, plus X in residual layers", "Navon 2022, Def. 3.1",
                  "navon-d3.1"),
        statement("NAVON-D3.2", "mixer: (W X)^2 in odd layers, (X W)^2 in even ones", "Navon 2022, Def. 3.2",
                  "navon-d3.2"),
        statement("NAVON-PERM", "mixer with permutations of the entries", "Navon 2022, eq. 3", "navon-perm"),
        statement("NAVON-L5.2", "separation rank under sums, permutations, identity and squares",
                  "Navon 2022, Lemma 5.2", "navon-l5.2"),
        {.id = "NAVON-L5.2iv",
         .function = "nav_square",
         .summary = "sep of an entrywise square <= binom(k+1, 2)",
         .source = "Navon 2022, Lemma 5.2",
         .erratum = "",
         .page = "navon-l5.2",
         .inputs = {size_input("k")},
         .evaluate = exactly([](const Inputs& in) { return navon_square(in.integer("k")); })},
        {.id = "NAVON-L5.4",
         .function = "nav_layer",
         .summary = "sep after a layer <= n^2 k^2 + k",
         .source = "Navon 2022, eq. 9",
         .erratum = "E42",
         .page = "navon-l5.4",
         .inputs = {size_input("k"), size_input("n")},
         .evaluate = exactly([](const Inputs& in) { return navon_layer(in.integer("k"), in.integer("n")); })},
        {.id = "NAVON-L5.4-BINOM",
         .function = "nav_layer_binom",
         .summary = "tighter: binom(nk+1, 2) + k",
         .source = "ours",
         .erratum = "E42",
         .page = "navon-l5.4",
         .inputs = {size_input("k"), size_input("n")},
         .evaluate = exactly(
             [](const Inputs& in) { return navon_layer_binomial(in.integer("k"), in.integer("n")); })},
        {.id = "NAVON-RECURSION",
         .function = "nav_recursion",
         .summary = "p layers of L5.4 from k = 2",
         .source = "Navon 2022, eq. 10",
         .erratum = "",
         .page = "navon-recursion",
         .inputs = {depth_input("p", 0), size_input("n")},
         .evaluate = guarded(recursion_fits, exactly([](const Inputs& in) {
                                 return navon_recursion(in.small("p"), in.integer("n"));
                             })),
         .log3 = guarded(recursion_fits, log3_by(recursion_log))},
        {.id = "NAVON-RECURSION-ALT",
         .function = "nav_recursion_alt",
         .summary = "the same, rows and columns in turn",
         .source = "ours",
         .erratum = "E42",
         .page = "navon-recursion",
         .inputs = {depth_input("p", 0), size_input("n"), size_input("m")},
         .evaluate = guarded(alternating_fits, exactly([](const Inputs& in) {
                                 return navon_recursion_alternating(in.small("p"), in.integer("n"),
                                                                    in.integer("m"));
                             })),
         .log3 = guarded(alternating_fits, log3_by(alternating_log))},
    };
}

std::vector<Formula> theorems() {
    const auto t55_log = [](const Inputs& in, int bits) { return navon_t55_log3(navon_shape(in), bits); };
    const auto t56_log = [](const Inputs& in, int bits) { return navon_t56_log3(navon_shape(in), bits); };
    return {
        statement("NAVON-T5.1", "attention beats the mixer by a log-ratio Omega((3/2)^p)",
                  "Navon 2022, Thm 5.1", "navon-t5.1"),
        {.id = "NAVON-T5.5",
         .function = "nav_t55",
         .summary = "mixer sep <= (2 H m^2 n^2)^(2^p)",
         .source = "Navon 2022, Thm 5.5",
         .erratum = "E44",
         .page = "navon-t5.5",
         .inputs = full_shape(),
         .evaluate = exactly([](const Inputs& in) { return navon_t55(navon_shape(in)); }),
         .log3 = log3_by(t55_log)},
        {.id = "NAVON-T5.6",
         .function = "nav_t56",
         .summary = "attention sep <= (2 H m^2 n^2)^(3^p)",
         .source = "Navon 2022, Thm 5.6",
         .erratum = "",
         .page = "navon-t5.6",
         .inputs = full_shape(),
         .evaluate = exactly([](const Inputs& in) { return navon_t56(navon_shape(in)); }),
         .log3 = log3_by(t56_log)},
        {.id = "NAVON-T5.7",
         .function = "nav_t57_log3",
         .summary = "attention log3 sep >= 3^(p-2) (log3(m-H) - p + 2 - log3 2)",
         .source = "Navon 2022, Thm 5.7",
         .erratum = "E52",
         .page = "navon-t5.7",
         .inputs = {depth_input("p"), size_input("m"), size_input("H")},
         .evaluate = guarded(rows_above_heads, really([](const Inputs& in, int bits) {
                                 return navon_t57_log3({in.small("p"), in.integer("m"), 1, in.integer("H")},
                                                       bits);
                             }))},
        statement("NAVON-C5.8", "the same as classes at equal depth", "Navon 2022, Cor. 5.8", "navon-c5.8"),
        {.id = "NAVON-C5.8-GAP",
         .function = "nav_gap",
         .summary = "lower bound of attention over upper bound of the mixer, logs",
         .source = "Navon 2022, Cor. 5.8",
         .erratum = "E53",
         .page = "navon-c5.8",
         .inputs = full_shape(),
         .evaluate = guarded(rows_above_heads, really([](const Inputs& in, int bits) {
                                 return navon_gap(navon_shape(in), bits);
                             }))},
        statement("NAVON-C5.9", "p >= 13 is enough for the gap", "Navon 2022, Cor. 5.9", "navon-c5.9", "E45"),
        {.id = "NAVON-C5.9-FIRSTP",
         .function = "nav_first_p",
         .summary = "first depth below log3 m with a gap above 1, if any",
         .source = "Navon 2022, Cor. 5.9",
         .erratum = "E45",
         .page = "navon-c5.9",
         .inputs = {size_input("m"), size_input("n"), size_input("H")},
         .evaluate = [](const Inputs& in) -> Result<Value> {
             const auto first = navon_first_depth(in.integer("m"), in.integer("n"), in.integer("H"));
             return first ? Value(Integer(*first)) : Value(None{});
         }},
        {.id = "NAVON-P5.10",
         .function = "nav_alpha",
         .summary = "dominance ends at the depth ratio log2 3",
         .source = "Navon 2022, Prop. 5.10",
         .erratum = "E55",
         .page = "navon-p5.10",
         .inputs = {},
         .evaluate = really([](const Inputs&, int bits) { return navon_alpha(bits); })},
        {.id = "NAVON-P5.10-BASE",
         .function = "nav_base",
         .summary = "3 / 2^alpha",
         .source = "Navon 2022, Prop. 5.10",
         .erratum = "",
         .page = "navon-p5.10",
         .inputs = {decimal_input("alpha")},
         .evaluate =
             really([](const Inputs& in, int bits) { return navon_base(in.rational("alpha"), bits); })},
        {.id = "NAVON-WINDOW",
         .function = "nav_window",
         .summary = "p / log2 d; the mixer hypothesis is 1 to 2",
         .source = "Navon 2022, eq. 16-23",
         .erratum = "",
         .page = "navon-window",
         .inputs = {depth_input("p"), size_input("d", 2)},
         .evaluate = really(
             [](const Inputs& in, int bits) { return navon_window(in.small("p"), in.integer("d"), bits); })},
    };
}

}  // namespace

std::vector<Formula> navon_formulas() {
    auto all = layers();
    const auto more = theorems();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<Formula> hayase_formulas() {
    const auto tokens_channels = std::vector<InputRule>{size_input("S"), size_input("C")};
    const auto positive_gamma = [](const Inputs& in) -> Status {
        if (in.rational("gamma") > Rational(0)) return {};
        return bad_input("gamma", "must be positive");
    };
    const auto positive_budget = [positive_gamma](const Inputs& in) -> Status {
        PLIMSOLL_RETURN_IF_ERROR(positive_gamma(in));
        if (in.rational("Omega") > Rational(0)) return {};
        return bad_input("Omega", "must be positive");
    };
    return {
        statement("HAYASE-VEC", "vec(W X V) = (V^T kron W) vec X", "Hayase 2024", "hayase-vec"),
        statement("HAYASE-COMM", "channel mixing is token mixing between commutation matrices", "Hayase 2024",
                  "hayase-comm"),
        {.id = "HAYASE-WIDTH",
         .function = "hay_width",
         .summary = "effective width S C",
         .source = "Hayase 2024",
         .erratum = "",
         .page = "hayase-width",
         .inputs = tokens_channels,
         .evaluate =
             exactly([](const Inputs& in) { return hayase_width(in.integer("S"), in.integer("C")); })},
        statement("HAYASE-PK", "permuted Kronecker layers; random permutations make an RP-mixer",
                  "Hayase 2024", "hayase-pk"),
        {.id = "HAYASE-OMEGA",
         .function = "hay_omega",
         .summary = "connections gamma S C (S+C)/2",
         .source = "Hayase 2024, inferred",
         .erratum = "E61",
         .page = "hayase-omega",
         .inputs = {size_input("S"), size_input("C"), decimal_input("gamma")},
         .evaluate = exactly([](const Inputs& in) {
             return hayase_omega(in.integer("S"), in.integer("C"), in.rational("gamma"));
         })},
        {.id = "HAYASE-MAXW",
         .function = "hay_max_width",
         .summary = "largest effective width (Omega/gamma)^(2/3)",
         .source = "Hayase 2024",
         .erratum = "E60",
         .page = "hayase-maxw",
         .inputs = {decimal_input("Omega"), decimal_input("gamma")},
         .evaluate = guarded(positive_budget, really([](const Inputs& in, int bits) {
                                 return hayase_max_width(in.rational("Omega"), in.rational("gamma"), bits);
                             }))},
        {.id = "HAYASE-C-OF-S",
         .function = "hay_C_of_S",
         .summary = "channels that S tokens leave",
         .source = "ours",
         .erratum = "E60",
         .page = "hayase-maxw",
         .inputs = {decimal_input("Omega"), decimal_input("gamma"), size_input("S")},
         .evaluate = guarded(positive_budget, really([](const Inputs& in, int bits) {
                                 return hayase_channels(in.rational("Omega"), in.rational("gamma"),
                                                        in.rational("S"), bits);
                             }))},
        {.id = "HAYASE-NNZ",
         .function = "hay_nnz_token",
         .summary = "non-zeros C S^2 of token mixing",
         .source = "Hayase 2024",
         .erratum = "",
         .page = "hayase-width",
         .inputs = tokens_channels,
         .evaluate =
             exactly([](const Inputs& in) { return hayase_nonzeros(in.integer("S"), in.integer("C")); })},
        {.id = "HAYASE-DENSITY",
         .function = "hay_density_token",
         .summary = "their share 1/C",
         .source = "Hayase 2024",
         .erratum = "",
         .page = "hayase-width",
         .inputs = tokens_channels,
         .evaluate =
             exactly([](const Inputs& in) { return hayase_density(in.integer("S"), in.integer("C")); })},
        statement("HAYASE-MONARCH", "a linear mixer block is a Monarch matrix with tied blocks",
                  "Hayase 2024", "hayase-monarch"),
        statement("HAYASE-PRINCIPLE", "at fixed connections wider and sparser does better", "Hayase 2024",
                  "hayase-principle"),
    };
}

}  // namespace plimsoll::theory
// NOLINTEND(readability-function-size)
