#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/ids/formula_tables.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/counterexample.h"
#include "plimsoll/theory/papers/levine_bounds.h"

namespace plimsoll::theory {
namespace {

Status exact_sides(const Inputs& in, const std::string& id, const std::string& width,
                   std::initializer_list<const char*> sides) {
    for (const char* side : sides) {
        if (exact_is_feasible({in.small(width), in.small(side)})) continue;
        return unsupported(
            id,
            fmt::format("{}={} with {}={} is too large for the exact value; plimsoll bounds SPEC --context N "
                        "encloses its logarithm",
                        width, in.small(width), side, in.small(side)));
    }
    return {};
}

// The size of both sides' sums: below the full bound's logarithm, which is cheap.
Ball full_log(const Inputs& in, int bits) { return full_bound_log3(in.small("L"), in.integer("dx"), bits); }

Ball exact_log(const Integer& value, int bits) { return log3(Ball(value, bits)); }

std::vector<Formula> repaired_upper_bounds() {
    const auto fix_value = [](const Inputs& in) {
        return fix_t4(in.small("L"), in.small("dx"), in.small("qP"), in.small("qQ"));
    };
    const auto fix_domain = [](const Inputs& in) -> Status {
        PLIMSOLL_RETURN_IF_ERROR(exact_sides(in, "FIX-T4", "dx", {"qP", "qQ"}));
        return need_writable("FIX-T4", full_log(in, 64).middle() * 0.48);
    };
    const auto hsym = [](const Inputs& in) {
        return invariant_forms({in.small("d"), in.small("q")}).at(in.integer("k"));
    };
    const auto hsym_domain = [](const Inputs& in) -> Status {
        PLIMSOLL_RETURN_IF_ERROR(exact_sides(in, "FIX-HSYM", "d", {"q"}));
        const RankVariety variety{in.small("d"), in.small("q")};
        return need_writable("FIX-HSYM",
                             log_multiset(variety.ambient(), in.integer("k"), 64).middle() * 0.44);
    };
    const auto logged = [](auto value, auto domain) {
        return [value, domain](const Inputs& in) -> Result<Real> {
            PLIMSOLL_RETURN_IF_ERROR(Status(domain(in)));
            return Real([number = value(in)](int bits) { return exact_log(number, bits); });
        };
    };
    return {
        {.id = "FIX-T4",
         .function = "corrected_upper",
         .summary = "repaired upper bound, |P| = qP with the output, |Q| = qQ",
         .source = "ours",
         .erratum = "E1",
         .page = "fix-t4",
         .inputs = {depth_input("L"), count_input("dx"), count_input("qP"), count_input("qQ")},
         .evaluate = guarded(fix_domain, exactly(fix_value)),
         .log3 = logged(fix_value, fix_domain)},
        {.id = "FIX-HSYM",
         .function = "h_sym",
         .summary = "degree-k forms on symmetric d x d matrices of rank <= q",
         .source = "ours",
         .erratum = "",
         .page = "fix-hsym",
         .inputs = {count_input("d"), count_input("q"), size_input("k", 0)},
         .evaluate = guarded(hsym_domain, exactly(hsym)),
         .log3 = logged(hsym, hsym_domain)},
    };
}

// Few enough layers to sum over all C(L) degrees, or to keep the exponents in memory.
constexpr std::int64_t max_summed_depth = 14;

std::vector<Formula> refutations() {
    const auto network = [](const Inputs& in) { return MonomialNetwork{in.small("d"), in.pairs("ab")}; };
    const auto network_domain = [](const Inputs& in) -> Status {
        if (static_cast<std::int64_t>(in.pairs("ab").size()) != in.small("L")) {
            return bad_input("ab", fmt::format("must have one pair per layer, L = {}, got {}", in.small("L"),
                                               in.pairs("ab").size()));
        }
        if (in.has("output_coordinate") && in.small("output_coordinate") >= in.small("d")) {
            return bad_input("output_coordinate", fmt::format("must be below d = {}", in.small("d")));
        }
        return {};
    };
    const auto rank = [network](const Inputs& in) {
        return monomial_separation_rank(network(in),
                                        in.has("output_coordinate") ? in.small("output_coordinate") : 0);
    };
    InputRule shallow = depth_input("L");
    shallow.high = max_summed_depth;
    InputRule narrow = count_input("d");
    narrow.high = 256;
    InputRule layers = depth_input("L");
    layers.high = 1000;
    return {
        {.id = "ERR-GROUPING",
         .function = "grouping_implied",
         .summary = "what the grouping step of Theorem 4 would imply",
         .source = "Levine 2020, proof of Thm 4",
         .erratum = "E1",
         .page = "err-grouping",
         .inputs = {shallow, count_input("dx")},
         .evaluate =
             exactly([](const Inputs& in) { return grouping_implied(in.small("L"), in.small("dx")); })},
        {.id = "ERR-COUNTEREXAMPLE",
         .function = "mono_sep",
         .summary = "exact rank of the monomial network that beats Theorem 4",
         .source = "ours",
         .erratum = "E1",
         .page = "err-counterexample",
         .inputs = {narrow, layers, pairs_input("ab"), optional_input(count_input("output_coordinate", 0))},
         .evaluate = guarded(network_domain, exactly(rank)),
         .log3 = [network_domain, rank](const Inputs& in) -> Result<Real> {
             PLIMSOLL_RETURN_IF_ERROR(Status(network_domain(in)));
             return Real([number = rank(in)](int bits) { return exact_log(number, bits); });
         }},
    };
}

}  // namespace

std::vector<Formula> repaired_formulas() {
    auto all = repaired_upper_bounds();
    const auto more = refutations();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace plimsoll::theory
