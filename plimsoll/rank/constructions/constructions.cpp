#include "plimsoll/rank/constructions/constructions.h"

#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/rank/constructions/catalecticant.h"
#include "plimsoll/rank/constructions/sampled_scores.h"

namespace plimsoll::rank {
namespace {

constexpr std::array<std::pair<std::string_view, Construction>, 5> names{
    {{"automatic", Construction::automatic},
     {"gram", Construction::gram},
     {"graded", Construction::graded},
     {"catalecticant", Construction::catalecticant},
     {"literal", Construction::literal}}};

// More pieces than this are not worth their evaluations.
constexpr std::uint64_t max_grades = 1 << 12;

Error refused(std::string message) { return unsupported("construction", std::move(message)); }

Status graded_applies(const RandomNetwork& network) {
    const NetworkFacts& facts = network.facts();
    if (!facts.homogeneous) {
        return refused("graded needs a homogeneous network: no residual, no positional vectors, no tokens");
    }
    if (network.prime() <= facts.grades) {
        return refused(fmt::format("graded needs a prime above {}, the degree in a side", facts.grades));
    }
    if (facts.grades <= max_grades) return {};
    return refused(fmt::format("graded makes one piece per degree and {} are too many", facts.grades + 1));
}

Status catalecticant_applies(const ScoreQuestion& q, const Sides& sides) {
    const AttentionNetwork* attention = q.network->as_attention();
    if (attention == nullptr) return refused("catalecticant is for attention");
    PLIMSOLL_RETURN_IF_ERROR(graded_applies(*q.network));
    if (!attention->has_free_gram(sides)) {
        return refused(fmt::format(
            "catalecticant needs at least {} positions on either side and inputs of full rank, without "
            "positional vectors or tokens",
            attention->spec().width));
    }
    const double bytes = gram_polynomial_bytes(attention->spec());
    if (bytes <= static_cast<double>(q.max_bytes)) return {};
    return refused(fmt::format("catalecticant would need {} for its tables, more than {}", human_bytes(bytes),
                               human_bytes(static_cast<double>(q.max_bytes))));
}

Construction cheapest(const ScoreQuestion& q, const Sides& sides) {
    if (catalecticant_applies(q, sides).ok()) return Construction::catalecticant;
    return graded_applies(*q.network).ok() ? Construction::graded : Construction::gram;
}

Status applies(Construction construction, const ScoreQuestion& q, const Sides& sides) {
    if (construction == Construction::graded) return graded_applies(*q.network);
    if (construction == Construction::catalecticant) return catalecticant_applies(q, sides);
    return {};
}

Piece whole(const PieceList& list, std::unique_ptr<ScoreSource> source) {
    return {"all", std::move(source), list.rank_bound, list.rank_bound};
}

Piece graded_piece(const RandomNetwork& network, const Sides& sides, std::size_t grade,
                   std::unique_ptr<ScoreSource> source) {
    const SideBounds bounds = network.piece_bounds(sides, grade);
    return {fmt::format("j={}", grade), std::move(source), bounds.rows, bounds.cols};
}

void add_pieces(PieceList& list, const ScoreQuestion& q, const Sides& sides) {
    const RandomNetwork& network = *q.network;
    if (list.construction == Construction::literal) {
        return list.pieces.push_back(whole(list, literal_scores(q.network, sides, q.output, q.seed)));
    }
    const BalancedField field = network.small_field();
    const auto grades = static_cast<std::size_t>(network.facts().grades);
    if (list.construction == Construction::catalecticant) {
        const auto polynomial = gram_polynomial(*network.as_attention(), q.output.row);
        for (std::size_t j = 0; j <= grades; ++j) {
            list.pieces.push_back(graded_piece(network, sides, j, catalecticant(polynomial, j)));
        }
        return;
    }
    const std::shared_ptr<const PairKernel> kernel = network.kernel(sides, q.output, kernels_for(q.simd));
    const auto samples = network.samples(sides, q.seed);
    if (list.construction == Construction::gram) {
        return list.pieces.push_back(whole(list, sampled_scores(field, kernel, samples, {{1, 1}})));
    }
    for (std::size_t j = 0; j <= grades; ++j) {
        auto source = sampled_scores(field, kernel, samples, graded_evaluations(field, grades, j));
        list.pieces.push_back(graded_piece(network, sides, j, std::move(source)));
    }
}

}  // namespace

std::string to_text(Construction construction) {
    for (const auto& [name, value] : names) {
        if (value == construction) return std::string(name);
    }
    PLIMSOLL_CHECK(false, "a construction without a name");
    return {};
}

Result<Construction> parse_construction(std::string_view text) {
    std::vector<std::string> known;
    for (const auto& [name, value] : names) {
        if (text == name) return value;
        known.emplace_back(name);
    }
    return bad_input("construction",
                     fmt::format("unknown construction '{}'{}", text, suggestion(text, known)));
}

Result<PieceList> pieces_for(const ScoreQuestion& q) {
    const NetworkFacts& facts = q.network->facts();
    PLIMSOLL_CHECK(q.partition.left.size() == facts.split.items(), "the partition of another network");
    PLIMSOLL_CHECK(q.output.row < facts.output_rows && q.output.col < facts.output_cols, "no such output");
    const Sides sides = q.network->sides(q.partition, q.output);
    PieceList list;
    list.construction = q.construction == Construction::automatic ? cheapest(q, sides) : q.construction;
    PLIMSOLL_RETURN_IF_ERROR(applies(list.construction, q, sides));
    list.rank_bound = q.network->rank_bound(sides);
    const AttentionNetwork* attention = q.network->as_attention();
    list.full_rank_propagates = attention != nullptr && facts.homogeneous && attention->has_free_gram(sides);
    add_pieces(list, q, sides);
    return list;
}

}  // namespace plimsoll::rank
