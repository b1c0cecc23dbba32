#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/ids/formula_tables.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/wies_bounds.h"

// Tables, however long. NOLINTBEGIN(readability-function-size)
namespace plimsoll::theory {
namespace {

std::vector<InputRule> ranks() { return {depth_input("L"), count_input("r"), count_input("re", 0)}; }
std::vector<InputRule> rank_and_heads() { return {depth_input("L", 2), size_input("r"), size_input("H")}; }

std::vector<Formula> embeddings() {
    const auto divides = [](const Inputs& in) -> Status {
        if (mod(in.integer("M"), in.integer("N")) == 0) return {};
        return bad_input(
            "N", fmt::format("must divide M = {}, got {}", in.integer("M").text(), in.integer("N").text()));
    };
    return {
        statement("WIES-EMB-VOCAB", "y = M_V w + p, rank r <= min(dx, V)", "Wies 2021, eq. 1",
                  "wies-emb-vocab"),
        statement("WIES-EMB-CONV", "y = sum_j W_j x + p over the patches", "Wies 2021, eq. 2",
                  "wies-emb-conv"),
        statement("WIES-LAYER", "the analysed layer with free head size", "Wies 2021, eq. 5", "wies-layer"),
        {.id = "WIES-CONV-V",
         .function = "wies_conv_V",
         .summary = "effective vocabulary (M/N) d_input of a convolution",
         .source = "Wies 2021, eq. 2",
         .erratum = "",
         .page = "wies-rank",
         .inputs = {size_input("M"), size_input("N"), size_input("d_input")},
         .evaluate = guarded(divides, exactly([](const Inputs& in) {
                                 return exact_div(in.integer("M"), in.integer("N")) * in.integer("d_input");
                             }))},
        {.id = "WIES-RANK",
         .function = "wies_rank",
         .summary = "largest embedding rank min(dx, V)",
         .source = "Wies 2021, sec. 3",
         .erratum = "E28",
         .page = "wies-rank",
         .inputs = {size_input("dx"), size_input("V")},
         .evaluate = exactly([](const Inputs& in) { return std::min(in.integer("dx"), in.integer("V")); })},
        {.id = "WIES-RATIO",
         .function = "wies_ratio",
         .summary = "rho = H da / dx; above 1 it wastes parameters",
         .source = "Wies 2021, sec. 5.3",
         .erratum = "",
         .page = "wies-ratio",
         .inputs = {size_input("H"), size_input("da"), size_input("dx")},
         .evaluate = exactly([](const Inputs& in) {
             return Rational(in.integer("H") * in.integer("da"), in.integer("dx"));
         })},
        statement("WIES-REDUNDANCY", "ratio 4 matched with 75 % of the parameters, ratio 16 with 55 %",
                  "Wies 2021, sec. 5.1 and 5.3", "wies-ratio"),
        {.id = "WIES-PARAMS",
         .function = "wies_params",
         .summary = "12 rho L dx^2, the feed-forward scaled too",
         .source = "Wies 2021, Table 5",
         .erratum = "E29",
         .page = "wies-params",
         .inputs = {depth_input("L"), size_input("dx"), decimal_input("ratio")},
         .evaluate = exactly([](const Inputs& in) {
             return Rational(Integer(12) * in.integer("L") * in.integer("dx") * in.integer("dx")) *
                    in.rational("ratio");
         })},
    };
}

std::vector<Formula> wies_upper_bounds() {
    const auto t3_log = [](const Inputs& in, int bits) {
        return wies_t3_log3(in.small("L"), in.integer("r"), in.integer("re"), bits);
    };
    const auto tight_log = [](const Inputs& in, int bits) {
        return wies_t3_tight_log3(in.small("L"), in.integer("r"), in.integer("re"), bits);
    };
    const Formula t3{.id = "WIES-T3",
                     .function = "wies_t3",
                     .summary = "sep <= ((r+re,3^L)) ((4,3^L)) (3^L+1)^(r+re)",
                     .source = "Wies 2021, Thm 3",
                     .erratum = "E21",
                     .page = "wies-t3",
                     .inputs = ranks(),
                     .evaluate = exactly([](const Inputs& in) {
                         return wies_t3(in.small("L"), in.small("r"), in.small("re"));
                     }),
                     .log3 = log3_by(t3_log)};
    Formula t4 = t3;
    t4.id = "WIES-T4";
    t4.function = "wies_t4";
    t4.summary = "the same for convolutional embeddings";
    t4.source = "Wies 2021, Thm 4";
    return {
        t3,
        t4,
        {.id = "WIES-T3-TIGHT",
         .function = "wies_t3_tight",
         .summary = "its tighter last line, (3^L/r+1)^r (3^L/re+1)^re",
         .source = "Wies 2021, proof of Thm 3",
         .erratum = "E21",
         .page = "wies-t3",
         .inputs = ranks(),
         .evaluate = exactly(
             [](const Inputs& in) { return wies_t3_tight(in.small("L"), in.small("r"), in.small("re")); }),
         .log3 = log3_by(tight_log)},
        statement("WIES-T1", "log sep = O~(L min(r, dx))", "Wies 2021, Thm 1", "wies-t1", "E21"),
        {.id = "WIES-T1-CLOSED",
         .function = "wies_t1_closed_log3",
         .summary = "its explicit form as log3",
         .source = "Wies 2021, eq. 6",
         .erratum = "E21",
         .page = "wies-t1",
         .inputs = ranks(),
         .evaluate = really([](const Inputs& in, int bits) {
             return wies_t1_closed_log3(in.small("L"), in.integer("r"), in.integer("re"), bits);
         })},
        {.id = "FIX-WIES",
         .function = "fix_wies_log3",
         .summary = "min(log3((V,C)), width-r repaired bound): tokens, no positions",
         .source = "ours",
         .erratum = "E21",
         .page = "fix-wies",
         .inputs = {depth_input("L"), size_input("r"), size_input("V")},
         .evaluate = really([](const Inputs& in, int bits) {
             const Ball by_vocabulary =
                 log_multiset(in.integer("V"), gram_count(in.small("L")), bits) / log(Ball(3, bits));
             return min(by_vocabulary, full_bound_log3(in.small("L"), in.integer("r"), bits));
         })},
    };
}

std::vector<Formula> wies_lower_bounds() {
    const auto even = [](const Inputs& in) -> Status { return need_even_difference(in, "r", "H"); };
    const auto wider = [](const Inputs& in) -> Status { return need_greater(in, "r", "H"); };
    const auto roomy = [](const Inputs& in) -> Status {
        if (in.integer("r") - in.integer("H") >= 3) return {};
        return bad_input("r", "must be at least H + 3 for a positive bound");
    };
    const auto conv_log = [](const Inputs& in, int bits) {
        return wies_lower_conv_log3(in.small("L"), in.integer("r"), in.integer("H"), bits);
    };
    const auto vocab_needed_log = [conv_log](const Inputs& in, int bits) {
        const Ball unit = ln3(bits), twice = log(Ball(2, bits)) + conv_log(in, bits) * unit;
        return log_add_exp(twice, Ball(0, bits)) / unit;
    };
    const auto vocab_log = [](const Inputs& in, int bits) {
        return wies_lower_vocab_log3(in.small("L"), in.integer("r"), in.integer("H"), bits);
    };
    return {
        {.id = "WIES-T2",
         .function = "wies_t2_order",
         .summary = "log sep = Omega~(L (min(r,dx) - H)); its leading term",
         .source = "Wies 2021, Thm 2",
         .erratum = "",
         .page = "wies-t2",
         .inputs = {depth_input("L"), size_input("r"), size_input("dx"), size_input("H")},
         .evaluate = exactly([](const Inputs& in) {
             return wies_t2_order(in.small("L"), in.integer("r"), in.integer("dx"), in.integer("H"));
         })},
        {.id = "WIES-LOWER-CONV",
         .function = "wies_lower_conv",
         .summary = "sep >= (((r-H)/2, 3^(L-2))), patches not split",
         .source = "Wies 2021, eq. 14",
         .erratum = "E36",
         .page = "wies-lower",
         .inputs = rank_and_heads(),
         .evaluate = guarded(even, exactly([](const Inputs& in) {
                                 return wies_lower_conv(in.small("L"), in.integer("r"), in.integer("H"));
                             })),
         .log3 = guarded(wider, log3_by(conv_log))},
        {.id = "WIES-LOWER-VOCAB",
         .function = "wies_lower_vocab",
         .summary = "sep >= ((floor((r-1-H)/2), 3^(L-2))), N large",
         .source = "Wies 2021, eq. 16",
         .erratum = "",
         .page = "wies-lower",
         .inputs = rank_and_heads(),
         .evaluate = exactly([](const Inputs& in) {
             return wies_lower_vocab(in.small("L"), in.integer("r"), in.integer("H"));
         }),
         .log3 = guarded(roomy, log3_by(vocab_log))},
        statement("WIES-L6", "with V large enough the convolutional lower bound holds for a vocabulary",
                  "Wies 2021, Lemma 6", "wies-l6"),
        {.id = "WIES-L6-V",
         .function = "wies_vocab_needed",
         .summary = "V >= 2 (((r-H)/2, 3^(L-2))) + 1",
         .source = "Wies 2021, Lemma 6",
         .erratum = "",
         .page = "wies-l6",
         .inputs = rank_and_heads(),
         .evaluate = guarded(
             even, exactly([](const Inputs& in) {
                 return Integer(2) * wies_lower_conv(in.small("L"), in.integer("r"), in.integer("H")) + 1;
             })),
         .log3 = guarded(wider, log3_by(vocab_needed_log))},
        {.id = "WIES-L7-N",
         .function = "wies_N_needed",
         .summary = "N >= E (r - 1 - H)",
         .source = "Wies 2021, Lemma 7",
         .erratum = "",
         .page = "wies-l7",
         .inputs = {size_input("E"), size_input("r"), size_input("H")},
         .evaluate = exactly(
             [](const Inputs& in) { return in.integer("E") * (in.integer("r") - 1 - in.integer("H")); })},
        {.id = "WIES-CONJ-N",
         .function = "wies_conj_N",
         .summary = "conjectured context r L / log3 r",
         .source = "Wies 2021, app. B",
         .erratum = "E37",
         .page = "wies-conj-n",
         .inputs = {size_input("r", 2), depth_input("L")},
         .evaluate = really([](const Inputs& in, int bits) {
             return wies_conjectured_context(in.integer("r"), in.small("L"), bits);
         })},
    };
}

std::vector<Formula> lemmas_and_tables() {
    const auto pair = std::vector<InputRule>{size_input("n", 2), size_input("k", 0)};
    return {
        {.id = "WIES-L4",
         .function = "wies_lemma4_printed_log3",
         .summary = "log3 of the printed, inverted (2e(n+k)/n)^n",
         .source = "Wies 2021, Lemma 4",
         .erratum = "E20",
         .page = "wies-l4",
         .inputs = pair,
         .evaluate = really([](const Inputs& in, int bits) {
             return wies_lemma4_printed_log3(in.integer("n"), in.integer("k"), bits);
         })},
        {.id = "WIES-L4-TRUE",
         .function = "wies_lemma4_true_log3",
         .summary = "log3 of ((n+k-1)/(n-1))^(n-1), what is meant",
         .source = "Wies 2021, Lemma 4",
         .erratum = "E20",
         .page = "wies-l4",
         .inputs = pair,
         .evaluate = really([](const Inputs& in, int bits) {
             return wies_lemma4_true_log3(in.integer("n"), in.integer("k"), bits);
         })},
        statement("WIES-L8", "integer rows of equal norm reach the Hadamard rank", "Wies 2021, Lemma 8",
                  "wies-l8"),
        statement("WIES-DEPTH", "deep and shallow tie while the shallow width is within r",
                  "Wies 2021, sec. 5.2", "wies-depth"),
        statement("WIES-RECIPE", "the training recipe of the experiments", "Wies 2021, app. C",
                  "wies-recipe"),
        {.id = "WIES-LR",
         .function = "wies_lr",
         .summary = "learning rate at a step of the recipe",
         .source = "Wies 2021, app. C",
         .erratum = "",
         .page = "wies-recipe",
         .inputs = {size_input("step", 0)},
         .evaluate =
             really([](const Inputs& in, int bits) { return wies_learning_rate(in.integer("step"), bits); })},
        statement("WIES-TAB1", "perplexities on OpenWebText", "Wies 2021, Table 1", "wies-tables"),
        statement("WIES-TAB2", "standard deviations over reruns", "Wies 2021, Table 2", "wies-tables"),
        statement("WIES-TAB3", "widths of the vocabulary experiments", "Wies 2021, Table 3", "wies-tables"),
        statement("WIES-TAB4", "standard deviations of the vocabulary experiments", "Wies 2021, Table 4",
                  "wies-tables"),
        statement("WIES-TAB5", "widths of the head-size experiments", "Wies 2021, Table 5", "wies-tables"),
    };
}

}  // namespace

std::vector<Formula> wies_formulas() {
    std::vector<Formula> all;
    for (const auto& part : {embeddings(), wies_upper_bounds(), wies_lower_bounds(), lemmas_and_tables()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

}  // namespace plimsoll::theory
// NOLINTEND(readability-function-size)
