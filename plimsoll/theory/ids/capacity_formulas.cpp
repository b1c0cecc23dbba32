#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/ids/formula_tables.h"
#include "plimsoll/theory/numbers/multiset_log.h"

namespace plimsoll::theory {
namespace {

constexpr double digits_per_nat = 0.4342944819032518;
RankVariety variety_of(const Inputs& in) { return {in.small("d"), in.small("q")}; }

Status feasible(const std::string& id, const RankVariety& variety) {
    if (exact_is_feasible(variety)) return {};
    return unsupported(
        id, fmt::format(
                "d={} with q={} is too large for the exact value; plimsoll bounds SPEC --context N encloses "
                "its logarithm",
                variety.d, variety.q));
}

Status even(const Inputs& in, const std::string& name) {
    if (mod(in.integer(name), 2) == 0) return {};
    return bad_input(name,
                     fmt::format("must be even for a split into halves, got {}", in.integer(name).text()));
}

Formula ours(const std::string& function, std::string summary, std::string page,
             std::vector<InputRule> inputs) {
    return our_formula("CAP", function, std::move(summary), std::move(page), std::move(inputs));
}

std::vector<Formula> full_bounds() {
    const auto kappa = [](const Inputs& in, int bits) {
        return full_bound_log3(in.small("L"), in.integer("d"), bits);
    };
    Formula log_bound = ours("kappa_full", "log3 of the repaired bound for N >= 2d", "capacity-full",
                             {depth_input("L"), size_input("d")});
    log_bound.evaluate = really(kappa);
    Formula bound = ours("bound_full_int", "the repaired bound for N >= 2d", "capacity-full",
                         {depth_input("L"), count_input("d")});
    bound.evaluate = exactly([](const Inputs& in) { return full_bound(in.small("L"), in.small("d")); });
    bound.log3 = log3_by(kappa);
    Formula staircase = ours("S_bound_int", "S(n; w) over C(L) Gram factors", "capacity-positions",
                             {depth_input("L"), size_input("n", 0), size_input("w")});
    staircase.evaluate = exactly([](const Inputs& in) {
        return staircase_bound(gram_count(in.small("L")), in.integer("n"), in.integer("w"));
    });
    staircase.log3 = log3_by([](const Inputs& in, int bits) {
        return staircase_log3(gram_count(in.small("L")), in.integer("n"), in.integer("w"), bits);
    });
    Formula positions = ours("pos_bound_int", "embedding rank r with e positional directions outside it",
                             "capacity-positions", {depth_input("L"), count_input("r"), count_input("e", 0)});
    positions.evaluate = exactly(
        [](const Inputs& in) { return positional_bound(in.small("L"), in.small("r"), in.small("e")); });
    positions.log3 = log3_by([](const Inputs& in, int bits) {
        const std::int64_t r = in.small("r"), e = in.small("e");
        if (e == 0) return full_bound_log3(in.small("L"), r, bits);
        return staircase_log3(gram_count(in.small("L")), embedded_entries(r, e, r + e), r + 1, bits);
    });
    return {log_bound, bound, staircase, positions};
}

std::vector<Formula> hilbert_functions() {
    const std::vector<InputRule> shape{count_input("d"), count_input("q")};
    Formula h_vector =
        ours("hvec", "h-vector of symmetric d x d matrices of rank <= q", "capacity-hilbert", shape);
    h_vector.evaluate = [](const Inputs& in) -> Result<Value> {
        PLIMSOLL_RETURN_IF_ERROR(feasible("CAP-hvec", variety_of(in)));
        return Value(invariant_forms(variety_of(in)).numerator());
    };
    Formula degree = ours("degree_int", "degree of that variety (Harris-Tu)", "capacity-hilbert", shape);
    degree.evaluate = guarded(
        [](const Inputs& in) -> Status {
            // The product of the binomials before it is divided: about (d - q) 2d bits.
            const RankVariety v = variety_of(in);
            if (!v.is_whole_space() && static_cast<double>(v.d - v.q) * 2 * static_cast<double>(v.d) > 1e8) {
                return unsupported("CAP-degree_int",
                                   "is too long a product to write out; ask for CAP-ln_degree");
            }
            return need_writable("CAP-degree_int", v.log_degree(64).middle() * digits_per_nat);
        },
        exactly([](const Inputs& in) { return variety_of(in).degree(); }));
    Formula log_degree = ours("ln_degree", "its natural logarithm, at any size", "capacity-hilbert", shape);
    log_degree.evaluate = really([](const Inputs& in, int bits) { return variety_of(in).log_degree(bits); });
    Formula forms = ours("hilbert_int", "h(d,q,k): forms of degree k on that variety", "capacity-hilbert",
                         {count_input("d"), count_input("q"), size_input("k", 0)});
    forms.evaluate = [](const Inputs& in) -> Result<Value> {
        PLIMSOLL_RETURN_IF_ERROR(feasible("CAP-hilbert_int", variety_of(in)));
        const double size =
            log_multiset(variety_of(in).ambient(), in.integer("k"), 64).middle() * digits_per_nat;
        PLIMSOLL_RETURN_IF_ERROR(need_writable("CAP-hilbert_int", size));
        return Value(invariant_forms(variety_of(in)).at(in.integer("k")));
    };
    Formula covariants = ours("dimA_int", "a(d,q,e): the output's side in degree e", "capacity-hilbert",
                              {count_input("d"), count_input("q"), size_input("e", 0)});
    covariants.evaluate = [](const Inputs& in) -> Result<Value> {
        PLIMSOLL_RETURN_IF_ERROR(feasible("CAP-dimA_int", variety_of(in)));
        const double size =
            log_multiset(variety_of(in).ambient(), in.integer("e"), 64).middle() * digits_per_nat;
        PLIMSOLL_RETURN_IF_ERROR(need_writable("CAP-dimA_int", size));
        return Value(covariant_forms(variety_of(in)).at(in.integer("e")));
    };
    Formula split =
        ours("bound_int", "the repaired bound for |A| = qA, |B| = qB, sharper than FIX-T4",
             "capacity-hilbert", {depth_input("L"), count_input("d"), count_input("qA"), count_input("qB")});
    split.evaluate = [](const Inputs& in) -> Result<Value> {
        for (const char* side : {"qA", "qB"})
            PLIMSOLL_RETURN_IF_ERROR(feasible("CAP-bound_int", {in.small("d"), in.small(side)}));
        const double size = full_bound_log3(in.small("L"), in.integer("d"), 64).middle() * digits_per_trit;
        PLIMSOLL_RETURN_IF_ERROR(need_writable("CAP-bound_int", size));
        return Value(split_bound(in.small("L"), in.small("d"), in.small("qA"), in.small("qB")));
    };
    return {h_vector,
            degree,
            log_degree,
            forms,
            covariants,
            split,
            statement("CAP-enclosure", "an interval that contains the bound, at any size", "ours",
                      "capacity-enclosure")};
}

std::vector<Formula> heads() {
    // The double sum runs over C(L) C(L-1) terms.
    InputRule shallow = depth_input("L");
    shallow.high = 8;
    Formula bound = ours("heads_bound_int", "the heads theorem: H heads of size da at width d",
                         "capacity-heads", {shallow, count_input("d"), count_input("H"), count_input("da")});
    bound.evaluate = guarded(
        [](const Inputs& in) -> Status {
            if (in.integer("da") <= in.integer("d")) return {};
            return bad_input("da",
                             fmt::format("must be at most d = {}, got {}", in.small("d"), in.small("da")));
        },
        exactly([](const Inputs& in) {
            return heads_bound(in.small("L"), {in.small("d"), in.small("H"), in.small("da")});
        }));
    Formula lost =
        ours("heads_layers_lost_limit", "layers that the bound loses to H heads of size d/H, deep limit",
             "capacity-heads", {size_input("H")});
    lost.evaluate =
        really([](const Inputs& in, int bits) { return heads_layers_lost(in.integer("H"), bits); });
    Formula defect =
        ours("defect_L3_j7_rank1_points", "what L = 3, H = 1 falls short by in piece 7, at least",
             "capacity-defect", {count_input("d", 2)});
    defect.evaluate = exactly([](const Inputs& in) { return defect_rank_one(in.small("d")); });
    return {bound, lost, defect};
}

std::vector<Formula> thresholds_and_mixers() {
    Formula knee = ours("T_knee", "the knee T(d) or T(d, N): a layer doubles the log of the bound there",
                        "capacity-knee", {count_input("d"), optional_input(count_input("N", 2))});
    knee.evaluate = really([](const Inputs& in, int bits) {
        const std::int64_t d = in.small("d");
        return knee_depth({d, in.has("N") ? in.small("N") / 2 : d}, bits);
    });
    Formula cap = ours("string_cap_log3", "(N/2) log3 V: no function of N tokens has more",
                       "capacity-string-cap", {size_input("N"), size_input("V")});
    cap.evaluate = really(
        [](const Inputs& in, int bits) { return string_cap_log3(in.integer("N"), in.integer("V"), bits); });
    const std::vector<InputRule> shape{count_input("n"), count_input("m"), depth_input("p")};
    Formula rows =
        ours("mixer_rows_int", "square mixer n x m, depth p, split by rows", "capacity-mixers", shape);
    const auto even_rows = [](const Inputs& in) { return even(in, "n"); };
    rows.evaluate = guarded(even_rows, exactly([](const Inputs& in) {
                                return mixer_rows_bound(in.small("n"), in.small("m"), in.small("p"));
                            }));
    rows.log3 = guarded(even_rows, log3_by([](const Inputs& in, int bits) {
                            return mixer_rows_log3(in.small("n"), in.small("m"), in.small("p"), bits);
                        }));
    Formula cols =
        ours("mixer_cols_int", "square mixer n x m, depth p, split by columns", "capacity-mixers", shape);
    const auto even_cols = [](const Inputs& in) { return even(in, "m"); };
    cols.evaluate = guarded(even_cols, exactly([](const Inputs& in) {
                                return mixer_cols_bound(in.small("n"), in.small("m"), in.small("p"));
                            }));
    cols.log3 = guarded(even_cols, log3_by([](const Inputs& in, int bits) {
                            return mixer_cols_log3(in.small("n"), in.small("m"), in.small("p"), bits);
                        }));
    return {knee, cap,
            statement("CAP-L_sat", "networks reach (N/2) log3 V at the first depth whose bound does", "ours",
                      "capacity-string-cap"),
            rows, cols};
}

}  // namespace

std::vector<Formula> capacity_formulas() {
    std::vector<Formula> all;
    for (const auto& part : {full_bounds(), hilbert_functions(), heads(), thresholds_and_mixers()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

}  // namespace plimsoll::theory
