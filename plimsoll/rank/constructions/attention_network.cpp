#include "plimsoll/rank/constructions/attention_network.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/constructions/networks.h"
#include "plimsoll/theory/capacity/hilbert.h"

namespace plimsoll::rank {
namespace {

// More strings of tokens than this on a side are not enumerated.
constexpr std::size_t max_strings = 1 << 16;

NetworkFacts attention_facts(const arch::AttentionSpec& spec, std::size_t positions, Inputs inputs) {
    const std::uint64_t degree = saturating_power(3, spec.depth);
    const bool embedded = spec.embedding != arch::InputEmbedding::none;
    return {
        .family = "attention",
        .split = {.by_position = true, .rows = 1, .cols = positions},
        .input_rows = static_cast<std::size_t>(embedded ? spec.vocab : spec.width),
        .output_rows = static_cast<std::size_t>(spec.width),
        .output_cols = positions,
        .degree = degree,
        .homogeneous = !spec.residual && spec.positions == arch::Positions::none && inputs == Inputs::numbers,
        .grades = degree / 2};
}

// With numbers as inputs the right factor of the embedding only mixes them: r of them do what V do.
arch::AttentionSpec without_idle_inputs(arch::AttentionSpec spec, Inputs inputs) {
    if (inputs == Inputs::numbers && spec.embedding != arch::InputEmbedding::none) {
        spec.vocab = std::min(spec.vocab, spec.embedding_rank);
    }
    return spec;
}

// Forms on either side, by degree in its Gram matrix.
struct SideForms {
    theory::HilbertFunction rows, cols;
};

std::optional<SideForms> forms_of(std::size_t width, const Sides& sides) {
    const auto variety = [&](std::size_t positions) {
        return theory::RankVariety{static_cast<std::int64_t>(width), static_cast<std::int64_t>(positions)};
    };
    const auto rows = variety(sides.rows.size()), cols = variety(sides.cols.size());
    if (!theory::exact_is_feasible(rows) || !theory::exact_is_feasible(cols)) return std::nullopt;
    return SideForms{theory::covariant_forms(rows), theory::invariant_forms(cols)};
}

Status check_tokens(const arch::AttentionSpec& spec, std::size_t positions) {
    if (spec.embedding != arch::InputEmbedding::vocab) {
        return bad_input("tokens", "needs embedding=vocab: only a vocabulary has tokens");
    }
    if (strings_up_to(static_cast<std::size_t>(spec.vocab), positions - 1, max_strings) <= max_strings)
        return {};
    return bad_input("tokens", fmt::format("{} tokens at {} positions are more than {} strings", spec.vocab,
                                           positions - 1, max_strings));
}

}  // namespace

AttentionNetwork::AttentionNetwork(const arch::AttentionSpec& spec, std::size_t positions,
                                   const NetworkQuestion& question)
    : RandomNetwork(attention_facts(without_idle_inputs(spec, question.inputs), positions, question.inputs),
                    question.prime),
      spec_(without_idle_inputs(spec, question.inputs)),
      inputs_(question.inputs),
      net_(nets::PrimeField(question.prime),
           nets::draw_attention(nets::PrimeField(question.prime), spec_, static_cast<std::int64_t>(positions),
                                question.seed)) {}

std::size_t AttentionNetwork::spanned_width() const {
    std::int64_t width = spec_.embedding == arch::InputEmbedding::none ? spec_.width : spec_.embedding_rank;
    const auto positions = static_cast<std::int64_t>(facts().output_cols);
    if (spec_.positions == arch::Positions::ranked) width += std::min(spec_.position_rank, positions);
    if (spec_.positions == arch::Positions::free) width += positions;
    return static_cast<std::size_t>(std::min(width, spec_.width));
}

bool AttentionNetwork::has_free_gram(const Sides& sides) const {
    const auto d = static_cast<std::size_t>(spec_.width);
    return sides.rows.size() >= d && sides.cols.size() >= d && inputs_ == Inputs::numbers &&
           spec_.positions == arch::Positions::none && spanned_width() == d;
}

std::pair<SideSamples, SideSamples> AttentionNetwork::samples(const Sides& sides, std::uint64_t seed) const {
    if (inputs_ == Inputs::numbers) return RandomNetwork::samples(sides, seed);
    const auto vocab = static_cast<std::size_t>(spec_.vocab);
    return {SideSamples::all_strings(small_field(), sides.rows.size(), vocab),
            SideSamples::all_strings(small_field(), sides.cols.size(), vocab)};
}

std::uint64_t AttentionNetwork::evaluate(const nets::Matrix<std::uint64_t>& input, OutputIndex output) const {
    return net_.forward(net_.embed(input))(output.row, output.col);
}

std::unique_ptr<PairKernel> AttentionNetwork::kernel(const Sides& sides, OutputIndex output,
                                                     const Kernels& kernels) const {
    return gram_kernel(*this, sides, output, kernels);
}

SideBounds AttentionNetwork::piece_bounds(const Sides& sides, std::uint64_t grade) const {
    const auto forms = forms_of(spanned_width(), sides);
    if (!forms) return {};
    const auto j = static_cast<std::int64_t>(grade), rest = static_cast<std::int64_t>(facts().grades - grade);
    return {as_size(forms->rows.at(rest)), as_size(forms->cols.at(j))};
}

// Every monomial has at most C Gram factors, j of them on the column side; without a residual exactly C.
std::optional<std::size_t> AttentionNetwork::rank_bound(const Sides& sides) const {
    constexpr std::uint64_t longest_sum = 100'000;
    const auto forms = forms_of(spanned_width(), sides);
    if (!forms || facts().grades > longest_sum) return std::nullopt;
    theory::Integer total = 0;
    const auto grades = static_cast<std::int64_t>(facts().grades);
    for (std::int64_t j = 0; j <= grades; ++j) {
        const auto rows = spec_.residual ? forms->rows.cumulative(grades - j) : forms->rows.at(grades - j);
        total += std::min(rows, forms->cols.at(j));
    }
    return as_size(total);
}

Result<std::unique_ptr<RandomNetwork>> attention_network(const arch::AttentionSpec& spec,
                                                         const NetworkQuestion& question) {
    const auto positions = static_cast<std::size_t>(*question.positions);
    if (question.inputs == Inputs::tokens) PLIMSOLL_RETURN_IF_ERROR(check_tokens(spec, positions));
    return std::unique_ptr<RandomNetwork>(std::make_unique<AttentionNetwork>(spec, positions, question));
}

}  // namespace plimsoll::rank
