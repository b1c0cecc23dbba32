#include <algorithm>

#include "plimsoll/theory/ids/formula_tables.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/levine_bounds.h"

// Tables, however long. NOLINTBEGIN(readability-function-size)
namespace plimsoll::theory {
namespace {

AttentionShape attention_shape(const Inputs& in) {
    return {in.small("L"), in.integer("dx"), in.integer("H")};
}

const std::vector<InputRule>& depth_width_heads() {
    static const std::vector<InputRule> rules{depth_input("L"), size_input("dx"), size_input("H")};
    return rules;
}

// The same with the depths the construction needs, L >= 2.
const std::vector<InputRule>& deep_width_heads() {
    static const std::vector<InputRule> rules{depth_input("L", 2), size_input("dx"), size_input("H")};
    return rules;
}

Status wider_than_heads(const Inputs& in) { return need_greater(in, "dx", "H"); }
Status even_gap(const Inputs& in) { return need_even_difference(in, "dx", "H"); }

// MID-K takes the logarithm of (n-1)/lambda + 1.
Status mid_k_positive(const Inputs& in) {
    const Rational n(in.integer("dx") - in.integer("H"), 2), lambda(power_of_three(in.small("L") - 2));
    if (n - Rational(1) + lambda > Rational(0)) return {};
    return bad_input("dx", "needs (dx - H)/2 > 1 - 3^(L-2)");
}

// MID-N divides by n - 1; for the half-integer n = 3/2 the value exceeds MS-LOWER (erratum E5) but can be
// computed.
Status mid_n_positive(const Inputs& in) {
    if (in.integer("dx") - in.integer("H") >= 3) return {};
    return bad_input("dx", "needs n = (dx - H)/2 > 1");
}

DeepLower which_lower(const std::string& word) {
    return word == "eq6" ? DeepLower::eq6 : word == "midk" ? DeepLower::midk : DeepLower::ms;
}

std::vector<Formula> counting() {
    const auto multiset_inputs = std::vector<InputRule>{size_input("n", 0), size_input("k", 0)};
    const auto multiset_log = [](const Inputs& in, int bits) {
        if (in.integer("n") == 0) return Ball(0, bits);  // ((0, 0)) = 1
        return log_multiset(in.integer("n"), in.integer("k"), bits) / log(Ball(3, bits));
    };
    const auto positive_count = [](const Inputs& in) -> Status {
        if (in.integer("n") >= 1 || in.integer("k") == 0) return {};
        return bad_input("n", "must be at least 1: ((0, k)) is 0 for k > 0");
    };
    Formula multiset_count{
        .id = "MULTISET",
        .function = "multiset",
        .summary = "((n,k)) = binom(n+k-1, k)",
        .source = "SPEC 0",
        .erratum = "",
        .page = "multiset",
        .inputs = multiset_inputs,
        .evaluate = exactly([](const Inputs& in) { return multiset(in.integer("n"), in.integer("k")); }),
        .log3 = log3_by(multiset_log)};
    Formula multiset_log3 = multiset_count;
    multiset_log3.id = "MULTISET-LOG3";
    multiset_log3.function = "log3_multiset";
    multiset_log3.summary = "log3 of ((n,k))";
    multiset_log3.log3 = nullptr;
    multiset_log3.evaluate = guarded(positive_count, really(multiset_log));
    return {
        multiset_count,
        multiset_log3,
        {.id = "LEVINE-C",
         .function = "C",
         .summary = "C(L) = (3^L - 1)/2, Gram factors of depth L",
         .source = "Levine 2020, eq. 4",
         .erratum = "",
         .page = "levine-c",
         .inputs = {depth_input("L", 0)},
         .evaluate = exactly([](const Inputs& in) { return gram_count(in.small("L")); })},
        {.id = "LEVINE-PARAMS",
         .function = "net_params",
         .summary = "12 L dx^2 parameters, embeddings excluded",
         .source = "Levine 2020, sec. 2.1",
         .erratum = "",
         .page = "levine-params",
         .inputs = {depth_input("L"), size_input("dx")},
         .evaluate = exactly([](const Inputs& in) {
             return Integer(12) * in.integer("L") * in.integer("dx") * in.integer("dx");
         })},
        {.id = "LEVINE-TH",
         .function = "threshold",
         .summary = "published depth threshold log3(dx)",
         .source = "Levine 2020, Thm 1",
         .erratum = "E1",
         .page = "levine-th",
         .inputs = {size_input("dx")},
         .evaluate =
             really([](const Inputs& in, int bits) { return published_threshold(in.integer("dx"), bits); })},
        {.id = "LEVINE-REGIME",
         .function = "depth_regime",
         .summary = "efficient, boundary or inefficient by 3^L and dx",
         .source = "Levine 2020, Thm 1-2",
         .erratum = "E13",
         .page = "levine-th",
         .inputs = {depth_input("L", 0), size_input("dx")},
         .evaluate = exactly([](const Inputs& in) { return depth_regime(in.small("L"), in.integer("dx")); })},
    };
}

std::vector<Formula> levine_upper_bounds() {
    const auto t3_log = [](const Inputs& in, int bits) { return t3_upper_log3(attention_shape(in), bits); };
    const auto t4_log = [](const Inputs& in, int bits) {
        return t4_upper_log3(in.small("L"), in.integer("dx"), bits);
    };
    return {
        {.id = "LEVINE-T3",
         .function = "t3_upper",
         .summary = "sep <= (dx+H)^C(L), every depth",
         .source = "Levine 2020, Thm 3",
         .erratum = "",
         .page = "levine-t3",
         .inputs = depth_width_heads(),
         .evaluate = exactly([](const Inputs& in) { return t3_upper(attention_shape(in)); }),
         .log3 = log3_by(t3_log)},
        {.id = "LEVINE-T1-UPPER",
         .function = "t1_upper_log3",
         .summary = "log3 sep <= C(L) log3(dx+H)",
         .source = "Levine 2020, eq. 6",
         .erratum = "",
         .page = "levine-t3",
         .inputs = depth_width_heads(),
         .evaluate = really(t3_log)},
        {.id = "LEVINE-T4",
         .function = "t4_upper",
         .summary = "sep <= dx (C+1) ((dx,2C)) (2C/dx+1)^dx",
         .source = "Levine 2020, Thm 4",
         .erratum = "E1",
         .page = "levine-t4",
         .inputs = {depth_input("L"), count_input("dx")},
         .evaluate = exactly([](const Inputs& in) { return t4_upper(in.small("L"), in.integer("dx")); }),
         .log3 = log3_by(t4_log)},
        {.id = "LEVINE-T2-UPPER",
         .function = "t2_upper_log3",
         .summary = "log3 sep <= 2 dx L + L - 2 dx log3(dx/2e) + log3 dx",
         .source = "Levine 2020, eq. 7",
         .erratum = "E1",
         .page = "levine-t2",
         .inputs = {depth_input("L"), size_input("dx")},
         .evaluate = really([](const Inputs& in, int bits) {
             return t2_upper_log3(in.small("L"), in.integer("dx"), bits);
         })},
    };
}

std::vector<Formula> levine_lower_bounds() {
    const auto ms_log = [](const Inputs& in, int bits) { return ms_lower_log3(attention_shape(in), bits); };
    const auto construct_log = [](const Inputs& in, int bits) {
        return ms_lower_construct_log3(in.small("L"), in.integer("H"), in.integer("da"), bits);
    };
    const auto big_heads = [](const Inputs& in) -> Status {
        if (in.integer("da") >= 3) return {};
        return bad_input("da", "must be at least 3 for a positive bound");
    };
    const auto t1_writable = [](const Inputs& in) -> Status {
        PLIMSOLL_RETURN_IF_ERROR(wider_than_heads(in));
        const double power = power_of_three(in.small("L") - 2).to_double();
        const auto bits = std::max(in.integer("dx").bits(), power_of_three(in.small("L")).bits());
        return need_writable("LEVINE-T1-LOWER-EXACT", 0.3 * power * static_cast<double>(bits));
    };
    const auto t1_exact_log = [](const Inputs& in, int bits) {
        return t1_lower_log3(attention_shape(in), bits);
    };
    return {
        {.id = "LEVINE-MS-LOWER",
         .function = "ms_lower",
         .summary = "sep >= (((dx-H)/2, 3^(L-2))) almost everywhere",
         .source = "Levine 2020, app. B.2",
         .erratum = "E5",
         .page = "levine-ms-lower",
         .inputs = deep_width_heads(),
         .evaluate =
             guarded(even_gap, exactly([](const Inputs& in) { return ms_lower(attention_shape(in)); })),
         .log3 = guarded(wider_than_heads, log3_by(ms_log))},
        {.id = "LEVINE-MS-CONSTRUCT",
         .function = "ms_lower_construct",
         .summary = "sep >= ((H floor((da-1)/2), 3^(L-2))), any head size",
         .source = "Levine 2020, Lemma 4",
         .erratum = "E5",
         .page = "levine-ms-lower",
         .inputs = {depth_input("L", 2), size_input("H"), size_input("da")},
         .evaluate = exactly([](const Inputs& in) {
             return ms_lower_construct(in.small("L"), in.integer("H"), in.integer("da"));
         }),
         .log3 = guarded(big_heads, log3_by(construct_log))},
        {.id = "LEVINE-MID-K",
         .function = "mid_k_log3",
         .summary = "log3 of ((n-1)/lambda + 1)^lambda, below MS-LOWER",
         .source = "Levine 2020, app. B.2",
         .erratum = "",
         .page = "levine-mid",
         .inputs = deep_width_heads(),
         .evaluate = guarded(mid_k_positive, really([](const Inputs& in, int bits) {
                                 return mid_k_log3(attention_shape(in), bits);
                             }))},
        {.id = "LEVINE-MID-N",
         .function = "mid_n_log3",
         .summary = "log3 of (lambda/(n-1) + 1)^(n-1), integer n >= 2",
         .source = "Levine 2020, app. B.2",
         .erratum = "E5",
         .page = "levine-mid",
         .inputs = deep_width_heads(),
         .evaluate = guarded(mid_n_positive, really([](const Inputs& in, int bits) {
                                 return mid_n_log3(attention_shape(in), bits);
                             }))},
        {.id = "LEVINE-T1-LOWER",
         .function = "t1_lower_log3",
         .summary = "log3 sep >= 3^(L-2) (log3(dx-H) - L + 2 - log3 2)",
         .source = "Levine 2020, eq. 6",
         .erratum = "E4",
         .page = "levine-t1",
         .inputs = depth_width_heads(),
         .evaluate = guarded(wider_than_heads, really(t1_exact_log))},
        {.id = "LEVINE-T1-LOWER-EXACT",
         .function = "t1_lower_exact",
         .summary = "((dx-H)/(2 3^(L-2)))^(3^(L-2))",
         .source = "Levine 2020, eq. 6",
         .erratum = "E4",
         .page = "levine-t1",
         .inputs = deep_width_heads(),
         .evaluate = guarded(t1_writable,
                             exactly([](const Inputs& in) { return t1_lower_exact(attention_shape(in)); })),
         .log3 = guarded(wider_than_heads, log3_by(t1_exact_log))},
        {.id = "LEVINE-T2-LOWER",
         .function = "t2_lower_log3",
         .summary = "log3 sep >= dx L/2 - L(H/2+1) - dx(1 + log3((dx-H)/2)/2)",
         .source = "Levine 2020, eq. 7",
         .erratum = "E14",
         .page = "levine-t2",
         .inputs = depth_width_heads(),
         .evaluate = guarded(wider_than_heads, really([](const Inputs& in, int bits) {
                                 return t2_lower_log3(attention_shape(in), bits);
                             }))},
    };
}

std::vector<Formula> lemmas() {
    // The product is ((n, M/k))^k with the multiset coefficient of a real number.
    const auto lemma2_log = [](const Inputs& in, int bits) {
        const Rational share(in.integer("M"), in.integer("k"));
        return Ball(in.integer("k"), bits) * log_multiset(Rational(in.integer("n")), share, bits) /
               log(Ball(3, bits));
    };
    const auto lemma2_writable = [](const Inputs& in) {
        const double factors = in.integer("n").to_double() * in.integer("k").to_double();
        const auto bits = (in.integer("M") + in.integer("n") * in.integer("k")).bits();
        return need_writable("LEVINE-L2", 0.3 * factors * static_cast<double>(bits));
    };
    const auto hadamard_positive = [](const Inputs& in) -> Status {
        if (in.integer("rank") >= 1) return {};
        return bad_input("rank", "must be at least 1 for a logarithm");
    };
    const auto hadamard_log = [](const Inputs& in, int bits) {
        return log_multiset(in.integer("rank"), in.integer("lambda"), bits) / log(Ball(3, bits));
    };
    return {
        {.id = "LEVINE-L2",
         .function = "lemma2_rhs",
         .summary = "prod_t (M/k + t)^k / ((n-1)!)^k",
         .source = "Levine 2020, Lemma 2",
         .erratum = "E16",
         .page = "levine-l2",
         .inputs = {count_input("n"), count_input("k"), size_input("M", 0)},
         .evaluate = guarded(lemma2_writable, exactly([](const Inputs& in) {
                                 return lemma2_right_side(in.small("n"), in.small("k"), in.integer("M"));
                             })),
         .log3 = log3_by(lemma2_log)},
        {.id = "LEVINE-L3",
         .function = "lemma3_rhs_log3",
         .summary = "log3 of (2e(n+k)/n)^n, above ((n,k))",
         .source = "Levine 2020, Lemma 3",
         .erratum = "",
         .page = "levine-l3",
         .inputs = {size_input("n"), size_input("k", 0)},
         .evaluate = really([](const Inputs& in, int bits) {
             return lemma3_right_side_log3(in.integer("n"), in.integer("k"), bits);
         })},
        {.id = "LEVINE-MSMAX",
         .function = "multiset_lower_log3",
         .summary = "log3 of the larger lower bound of ((n,k))",
         .source = "Levine 2020, app. B.2",
         .erratum = "",
         .page = "levine-msmax",
         .inputs = {size_input("n", 2), size_input("k")},
         .evaluate = really([](const Inputs& in, int bits) {
             return multiset_lower_log3(in.integer("n"), in.integer("k"), bits);
         })},
        {.id = "LEVINE-HADAMARD",
         .function = "hadamard_rank",
         .summary = "rank of a Hadamard power is at most ((rank, lambda))",
         .source = "Levine 2020, app. B.2",
         .erratum = "",
         .page = "levine-hadamard",
         .inputs = {size_input("rank"), size_input("lambda", 0)},
         .evaluate =
             exactly([](const Inputs& in) { return multiset(in.integer("rank"), in.integer("lambda")); }),
         .log3 = guarded(hadamard_positive, log3_by(hadamard_log))},
        statement("LEVINE-LAYER", "Y = sum_h O V X X^T K^T Q X", "Levine 2020, eq. 3", "levine-layer"),
        statement("LEVINE-BERT-LAYER", "the layer with softmax, residual, norm and feed-forward",
                  "Levine 2020, eq. 1-2", "levine-bert-layer"),
        statement("LEVINE-GRAM", "X' = M(G) X and G' = M G M^T with G = X X^T", "ours", "levine-gram"),
        statement("LEVINE-LEMMA1", "the network as a sum over C(L) Gram factors", "Levine 2020, Lemma 1",
                  "levine-lemma1"),
        statement("LEVINE-L4", "weights that reach the multiset bound, corrected", "Levine 2020, Lemma 4",
                  "levine-l4"),
        statement("LEVINE-L5", "a unique top-degree term makes a matrix generically regular",
                  "Levine 2020, Lemma 5", "levine-l5"),
        statement("LEVINE-L6", "distinct vectors: the identity permutation alone maximises the sum",
                  "Levine 2020, Lemma 6", "levine-l6"),
        statement("LEVINE-NUM", "figures quoted from the experiments", "Levine 2020, sec. 5", "levine-num"),
    };
}

std::vector<Formula> corollaries() {
    const auto cor1_domain = [](const Inputs& in) -> Status { return need_greater(in, "dx_deep", "H"); };
    const auto deep_shape = [](const Inputs& in) {
        return AttentionShape{in.small("L_deep"), in.integer("dx_deep"), in.integer("H")};
    };
    return {
        {.id = "LEVINE-COR1",
         .function = "cor1_min_width",
         .summary = "width a shallow network needs to match a deep one",
         .source = "Levine 2020, Cor. 1",
         .erratum = "E2",
         .page = "levine-cor1",
         .inputs = {depth_input("L_deep", 2), size_input("dx_deep"), size_input("H"),
                    depth_input("L_shallow"), word_input("which", {"eq6", "midk", "ms"})},
         .evaluate = guarded(cor1_domain, really([deep_shape](const Inputs& in, int bits) {
                                 return corollary1_min_width(deep_shape(in), in.small("L_shallow"),
                                                             which_lower(in.word("which")), bits);
                             }))},
        statement("LEVINE-COR2", "beyond the threshold a shallower, wider network does better",
                  "Levine 2020, Cor. 2", "levine-cor2"),
        {.id = "LEVINE-COR2-BETA1",
         .function = "cor2_beta1",
         .summary = "beta1 = log3(d)/L",
         .source = "Levine 2020, Cor. 2",
         .erratum = "",
         .page = "levine-cor2",
         .inputs = {depth_input("L_deep"), size_input("dx_deep")},
         .evaluate = really([](const Inputs& in, int bits) {
             return corollary2_beta1(in.small("L_deep"), in.integer("dx_deep"), bits);
         })},
        {.id = "LEVINE-COR2-BETA2",
         .function = "cor2_beta2",
         .summary = "least extra depth and width factor that beats T2-UPPER",
         .source = "Levine 2020, Cor. 2",
         .erratum = "E1",
         .page = "levine-cor2",
         .inputs = {depth_input("L_deep"), size_input("dx_deep"), size_input("H")},
         .evaluate = guarded(cor1_domain, really([deep_shape](const Inputs& in, int bits) {
                                 return corollary2_beta2(deep_shape(in), bits);
                             }))},
        statement("LEVINE-TAB1", "depths 5 6 7 8 9 for sizes 10^7 to 10^11", "Levine 2020, Table 1",
                  "levine-tab1", "E3"),
        {.id = "LEVINE-TAB1-REAL",
         .function = "table1_depth_real",
         .summary = "L with 12 L 9^L = size",
         .source = "Levine 2020, Table 1",
         .erratum = "E3",
         .page = "levine-tab1",
         .inputs = {size_input("size", 1)},
         .evaluate =
             really([](const Inputs& in, int bits) { return table1_depth(in.integer("size"), bits); })},
        {.id = "LEVINE-TAB1-ROUND",
         .function = "table1_depth_round",
         .summary = "the same rounded to nearest, as printed",
         .source = "Levine 2020, Table 1",
         .erratum = "E3",
         .page = "levine-tab1",
         .inputs = {size_input("size", 1)},
         .evaluate = exactly([](const Inputs& in) { return table1_depth_round(in.integer("size")); })},
        {.id = "LEVINE-TAB1-CEIL",
         .function = "table1_depth_ceil",
         .summary = "the same rounded up, as the stated rule wants",
         .source = "Levine 2020, Table 1",
         .erratum = "E3",
         .page = "levine-tab1",
         .inputs = {size_input("size", 1)},
         .evaluate = exactly([](const Inputs& in) { return table1_depth_ceil(in.integer("size")); })},
    };
}

}  // namespace

std::vector<Formula> levine_formulas() {
    std::vector<Formula> all;
    for (const auto& part :
         {counting(), levine_upper_bounds(), levine_lower_bounds(), lemmas(), corollaries()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

}  // namespace plimsoll::theory
// NOLINTEND(readability-function-size)
