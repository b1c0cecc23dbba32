#include "plimsoll/arch/square_nets_keys.h"

#include <algorithm>
#include <numeric>

#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {
namespace {

using Entries = std::vector<std::int64_t>;

constexpr std::int64_t max_given_entries = 1'000'000;

template <class S>
void add_square_shape(KeyTable<S>& keys) {
    keys.integer("rows", &S::rows, {1, max_width}, required, "n, rows of X");
    keys.integer("cols", &S::cols, {1, max_width}, required, "m, columns of X");
    keys.integer("depth", &S::depth, {1, max_listed_depth}, required, "p, layers");
    keys.layers(
        "residual", &S::residual, [](const S& s) { return s.depth; }, false,
        "R, layers that add their input");
}

Status check_permutation(const std::string& key, const Entries& images, std::int64_t entries) {
    if (images.empty()) return {};
    Entries sorted = images;
    std::sort(sorted.begin(), sorted.end());
    Entries identity(sorted.size());
    std::iota(identity.begin(), identity.end(), std::int64_t{0});
    if (std::ssize(images) == entries && sorted == identity) return {};
    return clash(key, fmt::format("must be a permutation of the entries 0..{}", entries - 1));
}

}  // namespace

KeyTable<SquareMixerSpec> square_mixer_keys() {
    using S = SquareMixerSpec;
    KeyTable<S> keys;
    add_square_shape(keys);
    const Range entry{0, max_given_entries - 1};
    const std::string meaning = "images of the entries 0..rows*cols-1, row by row; needs permutations=given";
    keys.list("odd", &S::odd, entry, "none", "pi_o: " + meaning);
    keys.list("even", &S::even, entry, "none", "pi_e: " + meaning);
    keys.list("skip", &S::skip, entry, "none", "pi_r: " + meaning);
    keys.choice<Permutations>("permutations", &S::permutations, {"none", "random", "given"},
                              {"given if odd, even or skip is",
                               [](const Draft<S>& d) -> Result<Permutations> {
                                   const bool any =
                                       !d.spec.odd.empty() || !d.spec.even.empty() || !d.spec.skip.empty();
                                   return any ? Permutations::given : Permutations::none;
                               }},
                              "permutations of NAVON-PERM");
    keys.seed("permutation_seed", &S::permutation_seed, "seed of permutations=random");
    return keys;
}

KeyTable<SquareMlpSpec> square_mlp_keys() {
    KeyTable<SquareMlpSpec> keys;
    add_square_shape(keys);
    return keys;
}

Status check(const SquareMixerSpec& s) {
    const bool given = !s.odd.empty() || !s.even.empty() || !s.skip.empty();
    if (given && s.permutations != Permutations::given)
        return clash("permutations", "must be given with odd, even or skip");
    if (!given && s.permutations == Permutations::given)
        return clash("permutations", "given needs odd, even or skip");
    if (s.permutation_seed != 0 && s.permutations != Permutations::random) {
        return clash("permutation_seed", "needs permutations=random");
    }
    PLIMSOLL_RETURN_IF_ERROR(check_permutation("odd", s.odd, s.rows * s.cols));
    PLIMSOLL_RETURN_IF_ERROR(check_permutation("even", s.even, s.rows * s.cols));
    return check_permutation("skip", s.skip, s.rows * s.cols);
}

Status check(const SquareMlpSpec&) { return {}; }

}  // namespace plimsoll::arch
