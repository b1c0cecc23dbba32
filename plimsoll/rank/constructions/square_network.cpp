// The nets of squares: square-mixer, square-mlp, and the permuted-Kronecker family.
#include "plimsoll/rank/constructions/square_network.h"

#include <algorithm>

#include "plimsoll/nets/kronecker_spec.h"
#include "plimsoll/nets/square_nets.h"
#include "plimsoll/rank/constructions/networks.h"
#include "plimsoll/rank/elimination/residues.h"
#include "plimsoll/theory/numbers/integer.h"

namespace plimsoll::rank {
namespace {

using Matrix = nets::Matrix<std::uint64_t>;
using nets::Permutation;

NetworkFacts square_facts(const char* family, const WideNet& net) {
    const auto squares =
        std::count_if(net.layers.begin(), net.layers.end(), [](const auto& l) { return l.square; });
    const bool skips =
        std::any_of(net.layers.begin(), net.layers.end(), [](const auto& l) { return !l.skip.empty(); });
    const std::uint64_t degree = saturating_power(2, squares);
    return {.family = family,
            .split = {.by_position = false, .rows = net.rows, .cols = net.cols},
            .input_rows = net.rows,
            .output_rows = net.rows,
            .output_cols = net.cols,
            .degree = degree,
            .homogeneous = !skips,
            .grades = degree};
}

theory::Integer monomials(std::size_t variables, std::uint64_t degree) {
    return theory::multiset(static_cast<std::int64_t>(variables), static_cast<std::int64_t>(degree));
}

class SquareNetwork : public RandomNetwork {
  public:
    SquareNetwork(const char* family, WideNet net, std::uint64_t prime)
        : RandomNetwork(square_facts(family, net), prime), net_(std::move(net)) {}

    [[nodiscard]] std::uint64_t evaluate(const Matrix& input, OutputIndex output) const override {
        return net_.literal(input)(output.row, output.col);
    }
    [[nodiscard]] std::unique_ptr<PairKernel> kernel(const Sides& sides, OutputIndex output,
                                                     const Kernels& kernels) const override {
        const CompiledNet compiled = compile(net_, net_.flat[output.row * net_.cols + output.col]);
        return square_kernel(small_field(), compiled, net_.flat, sides, facts().grades, kernels);
    }
    // Any polynomial of this degree has at most this number of monomials on a side.
    [[nodiscard]] SideBounds piece_bounds(const Sides& sides, std::uint64_t grade) const override {
        return {as_size(monomials(sides.rows.size(), facts().grades - grade)),
                as_size(monomials(sides.cols.size(), grade))};
    }
    [[nodiscard]] std::optional<std::size_t> rank_bound(const Sides& sides) const override {
        constexpr std::uint64_t longest_sum = 100'000;
        const std::uint64_t degree = facts().degree;
        if (degree > longest_sum) return std::nullopt;
        // Without homogeneity the rows have every lower degree too: one more variable.
        const std::size_t row_variables = sides.rows.size() + (facts().homogeneous ? 0 : 1);
        theory::Integer total = 0;
        for (std::uint64_t j = 0; j <= degree; ++j) {
            total += std::min(monomials(sides.cols.size(), j), monomials(row_variables, degree - j));
        }
        return as_size(total);
    }

  private:
    WideNet net_;
};

// W pi(X) for odd layers, pi(X) W for even ones; X is (rows, cols), flat row-major.
WideLayer mixing_layer(const BalancedField& field, const WideNet& net, const Matrix& weight, bool odd,
                       const Permutation& images) {
    const Permutation source = nets::inverse(images);
    WideLayer layer;
    for (std::size_t i = 0; i < net.rows; ++i) {
        for (std::size_t j = 0; j < net.cols; ++j) {
            LinearForm& form = layer.rows.emplace_back();
            for (std::size_t k = 0; k < weight.rows(); ++k) {
                const std::size_t at = odd ? k * net.cols + j : i * net.cols + k;
                form.push_back({source[at], balanced(field, odd ? weight(i, k) : weight(k, j))});
            }
        }
    }
    return layer;
}

std::vector<std::size_t> identity_flat(std::size_t size) { return nets::identity_permutation(size); }

// The vector of vec(X) for X (rows, cols), row-major entries in.
std::vector<std::size_t> vec_flat(std::size_t rows, std::size_t cols) {
    std::vector<std::size_t> flat(rows * cols);
    for (std::size_t k = 0; k < flat.size(); ++k) flat[k] = k % cols * rows + k / cols;
    return flat;
}

// J_2 (I_k kron W) J_1 as linear forms.
WideLayer kronecker_layer(const BalancedField& field, const nets::KroneckerLayer<std::uint64_t>& layer) {
    const Permutation before = nets::inverse(layer.before), after = nets::inverse(layer.after);
    const std::size_t out = layer.weight.rows(), in = layer.weight.cols();
    WideLayer wide{.rows = {}, .square = layer.square};
    for (const std::size_t place : after) {  // which entry of the blocks' result comes here
        LinearForm& form = wide.rows.emplace_back();
        for (std::size_t k = 0; k < in; ++k) {
            form.push_back({before[place / out * in + k], balanced(field, layer.weight(place % out, k))});
        }
    }
    if (layer.skip || layer.skip_pair) wide.skip = identity_flat(wide.rows.size());
    wide.skip_back = layer.skip_pair ? 2 : 1;
    return wide;
}

// Large primes have no fast form: their layers keep only their shape.
BalancedField small_field_for(std::uint64_t prime) {
    return {prime < prime_limit ? static_cast<std::uint32_t>(prime) : default_prime};
}

Result<std::unique_ptr<RandomNetwork>> kronecker_network(const char* family,
                                                         const nets::KroneckerNetSpec& spec, std::size_t rows,
                                                         std::size_t cols, const NetworkQuestion& question) {
    const nets::PrimeField field(question.prime);
    const auto layers = nets::draw_kronecker_net(field, spec, question.seed);
    WideNet net{.layers = {}, .rows = rows, .cols = cols, .flat = vec_flat(rows, cols), .literal = {}};
    for (const auto& layer : layers)
        net.layers.push_back(kronecker_layer(small_field_for(question.prime), layer));
    net.literal = [=](const Matrix& x) {
        return nets::unvec(nets::kronecker_net(field, layers, nets::vec(x)), rows, cols);
    };
    return std::unique_ptr<RandomNetwork>(
        std::make_unique<SquareNetwork>(family, std::move(net), question.prime));
}

}  // namespace

Result<std::unique_ptr<RandomNetwork>> square_network(const arch::SquareMixerSpec& spec,
                                                      const NetworkQuestion& question) {
    const nets::PrimeField field(question.prime);
    const auto weights = nets::draw_square_mixer(field, spec, question.seed);
    WideNet net{.layers = {},
                .rows = static_cast<std::size_t>(spec.rows),
                .cols = static_cast<std::size_t>(spec.cols),
                .flat = identity_flat(static_cast<std::size_t>(spec.rows * spec.cols)),
                .literal = {}};
    for (std::size_t k = 0; k < weights.layers.size(); ++k) {
        const bool odd = k % 2 == 0;
        net.layers.push_back(mixing_layer(small_field_for(question.prime), net, weights.layers[k], odd,
                                          odd ? weights.odd : weights.even));
        if (weights.residual[k]) net.layers.back().skip = nets::inverse(weights.skip);
    }
    net.literal = [=](const Matrix& x) { return nets::square_mixer(field, weights, x); };
    return std::unique_ptr<RandomNetwork>(
        std::make_unique<SquareNetwork>("square-mixer", std::move(net), question.prime));
}

Result<std::unique_ptr<RandomNetwork>> square_network(const arch::SquareMlpSpec& spec,
                                                      const NetworkQuestion& question) {
    const nets::PrimeField field(question.prime);
    const auto weights = nets::draw_square_mlp(field, spec, question.seed);
    const auto entries = static_cast<std::size_t>(spec.rows * spec.cols);
    WideNet net{.layers = {},
                .rows = static_cast<std::size_t>(spec.rows),
                .cols = static_cast<std::size_t>(spec.cols),
                .flat = identity_flat(entries),
                .literal = {}};
    for (std::size_t k = 0; k < weights.layers.size(); ++k) {
        net.layers.push_back(mixing_layer(small_field_for(question.prime), net, weights.layers[k], true,
                                          nets::identity_permutation(entries)));
        if (weights.residual[k]) net.layers.back().skip = identity_flat(entries);
    }
    net.literal = [=](const Matrix& x) { return nets::square_mlp(field, weights, x); };
    return std::unique_ptr<RandomNetwork>(
        std::make_unique<SquareNetwork>("square-mlp", std::move(net), question.prime));
}

Result<std::unique_ptr<RandomNetwork>> square_network(const arch::PkSpec& spec,
                                                      const NetworkQuestion& question) {
    PLIMSOLL_ASSIGN(net, nets::kronecker_spec(spec));
    return kronecker_network("pk", net, static_cast<std::size_t>(spec.net.width), 1, question);
}

Result<std::unique_ptr<RandomNetwork>> square_network(const arch::MixerSpec& spec,
                                                      const NetworkQuestion& question) {
    PLIMSOLL_ASSIGN(net, nets::kronecker_spec(spec));
    const char* family = spec.simple ? "s-mixer" : spec.permuted.empty() ? "mixer" : "rp-mixer";
    return kronecker_network(family, net, static_cast<std::size_t>(spec.tokens),
                             static_cast<std::size_t>(spec.channels), question);
}

}  // namespace plimsoll::rank
