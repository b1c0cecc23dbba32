// D3: networks whose middle layers spell words that alternate between the two sides.
#include "plimsoll/base/format.h"
#include "plimsoll/nets/attainment/d3.h"
#include "plimsoll/theory/attainment/alternating_words.h"
#include "plimsoll/verify/attainment_trials.h"
#include "plimsoll/verify/field_rank.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using theory::Integer;

// Gram matrices of any form need a square root of -1.
const PrimeField word_field(nets::prime_with_root_of_minus_one);

nets::D3Data draw_word_data(std::size_t n, const FieldMatrix& x, RandomStream& stream) {
    return {.x = x,
            .p = nets::random_matrix(word_field, 1, n, stream).data(),
            .p_prime = nets::random_matrix(word_field, 1, n, stream).data(),
            .theta = word_field.random(stream)};
}

Result<Observation> word_value(const nets::D3Shape& shape) {
    const nets::Attention<PrimeField> net(word_field, nets::d3_weights(word_field, shape));
    const auto n = static_cast<std::size_t>(shape.block);
    RandomStream stream(86, "verify/d3");
    bool same = true;
    for (int draw = 0; draw < 3; ++draw) {
        const auto data = draw_word_data(n, nets::random_matrix(word_field, n, n, stream), stream);
        const auto x_b = nets::random_matrix(word_field, n, n, stream);
        const auto literal = net.forward(nets::d3_input(word_field, shape, data, x_b))(0, 0);
        same = same && literal == nets::d3_closed_form(word_field, shape, data, x_b);
    }
    return checked("theta (2 p'^T X^(2k+1) p + theta^2)^Lambda", same ? "the same" : "another value", same);
}

// The rank of (p'^T (X_A X_B)^k X_A p)^Lambda over X_A of rank nu with X_A^2 = 0.
Result<Observation> kernel_rank(const theory::AlternatingWord& word) {
    const Integer claim = theory::d3_sum(word);
    const auto size = static_cast<std::size_t>(claim.to_int64()) + 3,
               n = static_cast<std::size_t>(word.block), nu = static_cast<std::size_t>(word.corner);
    const auto k = static_cast<std::uint64_t>(word.length.to_int64()),
               lambda = static_cast<std::uint64_t>(word.power.to_int64());
    RandomStream stream(87, "verify/d3/kernel");
    std::vector<FieldMatrix> right;
    for (std::size_t t = 0; t < size; ++t) right.push_back(nets::random_matrix(word_field, n, n, stream));
    FieldMatrix values(size, size);
    for (std::size_t s = 0; s < size; ++s) {
        const auto data = draw_word_data(n, nets::random_square_zero(word_field, n, nu, stream), stream);
        for (std::size_t t = 0; t < size; ++t)
            values(s, t) = nets::d3_kernel(word_field, data, right[t], k, lambda);
    }
    return equal_to(claim, {field_rank(word_field, values), true});
}

// A random network of one head with N = 2d; its rank is far above the theorem's, which is all that is asked.
Result<Observation> random_network(std::int64_t depth, std::int64_t core, std::int64_t width) {
    const Integer claim = theory::d3_sum(theory::alternating_word(depth, core, width));
    const arch::AttentionSpec spec{
        .depth = depth, .width = width, .heads = 1, .head_dim = width, .embedding_rank = width};
    const PrimeField field;
    const nets::Attention<PrimeField> net(field, nets::draw_attention(field, spec, 2 * width, 88));
    const auto d = static_cast<std::size_t>(width);
    return at_least(claim, sampled_rank({.rows = d,
                                         .cols = 2 * d,
                                         .left = left_columns(d, 2 * d, d),
                                         .value = [&](const FieldMatrix& x) { return net.forward(x)(0, 0); }},
                                        static_cast<std::size_t>(claim.to_int64()) + 5, 89));
}

void add_networks(Effort effort, std::vector<Trial>& trials) {
    std::vector<nets::D3Shape> shapes = {{.depth = 3, .core = 2, .block = 2},
                                         {.depth = 4, .core = 2, .block = 2, .width = 7},
                                         {.depth = 4, .core = 3, .block = 3}};
    if (effort >= Effort::normal) shapes.push_back({.depth = 5, .core = 3, .block = 4});
    for (const auto& s : shapes) {
        trials.push_back({fmt::format("network L={} L0={} n={}", s.depth, s.core, s.block), "",
                          [=](Measurements&) { return word_value(s); }});
    }
}

void add_kernels(Effort effort, std::vector<Trial>& trials) {
    std::vector<theory::AlternatingWord> words = {{2, 1, 3, 1}, {2, 1, 3, 4}, {3, 1, 2, 2}};
    if (effort >= Effort::normal) words.insert(words.end(), {{5, 2, 2, 1}, {4, 2, 3, 1}, {6, 2, 2, 1}});
    if (effort == Effort::deep) words.insert(words.end(), {{3, 1, 3, 3}, {4, 2, 2, 2}, {5, 2, 3, 1}});
    for (const auto& word : words) {
        trials.push_back({fmt::format("word n={} nu={} k={} Lambda={}", word.block, word.corner,
                                      word.length.text(), word.power.text()),
                          "", [=](Measurements&) { return kernel_rank(word); }});
    }
}

}  // namespace

std::vector<Trial> d3_network_trials(Effort effort) {
    std::vector<Trial> trials;
    add_networks(effort, trials);
    add_kernels(effort, trials);
    const auto add_random = [&](std::int64_t depth, std::int64_t core, std::int64_t width) {
        trials.push_back(
            {fmt::format("random network L={} d={} H=1 N={}, L0={}", depth, width, 2 * width, core), "",
             [=](Measurements&) { return random_network(depth, core, width); }});
    };
    add_random(3, 2, 6);
    if (effort >= Effort::normal) add_random(4, 2, 6);
    if (effort >= Effort::normal) add_random(3, 2, 8);
    return trials;
}

}  // namespace plimsoll::verify
