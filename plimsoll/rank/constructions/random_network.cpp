#include "plimsoll/rank/constructions/random_network.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/nets/prime_field.h"
#include "plimsoll/rank/constructions/networks.h"

namespace plimsoll::rank {
namespace {

Status check_positions(const arch::ArchSpec& spec, const NetworkQuestion& question) {
    const bool attention = std::holds_alternative<arch::AttentionSpec>(spec);
    if (attention && !question.positions)
        return bad_input("positions", "missing; attention needs a number of positions");
    if (!attention && question.positions) {
        return bad_input("positions",
                         fmt::format("only attention has positions; {} has its own size", family_name(spec)));
    }
    if (attention && *question.positions < 2) {
        return bad_input("positions", fmt::format("must be at least 2, got {}", *question.positions));
    }
    return {};
}

struct Maker {
    const arch::ArchSpec& spec;
    const NetworkQuestion& question;

    Result<std::unique_ptr<RandomNetwork>> operator()(const arch::AttentionSpec& s) const {
        return attention_network(s, question);
    }
    Result<std::unique_ptr<RandomNetwork>> operator()(const arch::SquareMixerSpec& s) const {
        return square_network(s, question);
    }
    Result<std::unique_ptr<RandomNetwork>> operator()(const arch::SquareMlpSpec& s) const {
        return square_network(s, question);
    }
    Result<std::unique_ptr<RandomNetwork>> operator()(const arch::PkSpec& s) const {
        return square_network(s, question);
    }
    Result<std::unique_ptr<RandomNetwork>> operator()(const arch::MixerSpec& s) const {
        return square_network(s, question);
    }
    template <class Other>
    Result<std::unique_ptr<RandomNetwork>> operator()(const Other&) const {
        return unsupported(family_name(spec), "is not a polynomial of its input, so it has no exact rank");
    }
};

Result<std::size_t> parse_place(const std::string& text, std::size_t count, const char* what) {
    PLIMSOLL_ASSIGN(index, parse_integer(trim(text), "output"));
    if (index >= 0 && static_cast<std::size_t>(index) < count) return static_cast<std::size_t>(index);
    return bad_input("output",
                     fmt::format("there is no {} {}; they are counted from 0 to {}", what, index, count - 1));
}

}  // namespace

Result<std::unique_ptr<RandomNetwork>> network_for(const arch::ArchSpec& spec,
                                                   const NetworkQuestion& question) {
    PLIMSOLL_CHECK(nets::is_prime(question.prime), "the caller has chosen a prime");
    auto network = [&]() -> Result<std::unique_ptr<RandomNetwork>> {
        PLIMSOLL_RETURN_IF_ERROR(check_positions(spec, question));
        return std::visit(Maker{spec, question}, spec);
    }();
    if (network.ok() || network.error().kind != ErrorKind::unsupported) return network;
    Error error = network.error();
    error.message += "; what a trained network of this kind has is a numeric rank, by singular values";
    return error;
}

Result<OutputIndex> parse_output(std::string_view text, const NetworkFacts& facts) {
    const std::vector<std::string> parts = split(text, ',');
    const bool attention = facts.split.by_position;
    if (parts.size() != 2) {
        return bad_input("output", fmt::format("must be {}, got '{}'",
                                               attention ? "COORDINATE,POSITION" : "ROW,COLUMN", text));
    }
    PLIMSOLL_ASSIGN(row, parse_place(parts[0], facts.output_rows, attention ? "coordinate" : "row"));
    PLIMSOLL_ASSIGN(col, parse_place(parts[1], facts.output_cols, attention ? "position" : "column"));
    return OutputIndex{row, col};
}

BalancedField RandomNetwork::small_field() const {
    PLIMSOLL_CHECK(prime_ > 2 && prime_ < prime_limit, "the fast constructions need an odd prime below 2^23");
    return {static_cast<std::uint32_t>(prime_)};
}

std::size_t RandomNetwork::numbers_per_item() const {
    return facts_.split.by_position ? facts_.input_rows : 1;
}

Sides RandomNetwork::sides(const Partition& partition, OutputIndex output) const {
    const bool swapped = facts_.split.by_position && !partition.left[output.col];
    Sides result;
    for (std::size_t i = 0; i < partition.left.size(); ++i) {
        (partition.left[i] != swapped ? result.rows : result.cols).push_back(i);
    }
    return result;
}

std::pair<SideSamples, SideSamples> RandomNetwork::samples(const Sides& sides, std::uint64_t seed) const {
    const BalancedField field = small_field();
    return {SideSamples(field, sides.rows.size() * numbers_per_item(), seed, "rank/rows"),
            SideSamples(field, sides.cols.size() * numbers_per_item(), seed, "rank/cols")};
}

nets::Matrix<std::uint64_t> RandomNetwork::join(const Sides& sides, std::span<const std::uint64_t> row,
                                                std::span<const std::uint64_t> col) const {
    const std::size_t per_item = numbers_per_item(), items = facts_.split.items();
    nets::Matrix<std::uint64_t> input(facts_.input_rows,
                                      facts_.input_rows == 0 ? 0 : items * per_item / facts_.input_rows);
    const auto place = [&](const std::vector<std::size_t>& side, std::span<const std::uint64_t> numbers) {
        for (std::size_t t = 0; t < side.size(); ++t) {
            for (std::size_t k = 0; k < per_item; ++k) {
                input.data()[k * items + side[t]] = numbers[t * per_item + k];
            }
        }
    };
    place(sides.rows, row);
    place(sides.cols, col);
    return input;
}

std::uint64_t saturating_power(std::uint64_t base, std::int64_t exponent) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 63;
    std::uint64_t power = 1;
    for (std::int64_t i = 0; i < exponent; ++i) {
        if (power > largest / base) return largest;
        power *= base;
    }
    return power;
}

std::optional<std::size_t> as_size(const theory::Integer& number) {
    if (!number.fits_int64()) return std::nullopt;
    return static_cast<std::size_t>(number.to_int64());
}

}  // namespace plimsoll::rank
