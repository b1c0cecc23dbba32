#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"
#include "plimsoll/nets/matrix.h"
#include "plimsoll/rank/constructions/pair_kernel.h"
#include "plimsoll/rank/constructions/samples.h"
#include "plimsoll/rank/partition.h"

namespace plimsoll::rank {

// Which number of the network's output is measured: coordinate and position of attention, row and column of a
// mixer.
struct OutputIndex {
    std::size_t row = 0, col = 0;

    bool operator==(const OutputIndex&) const = default;
};

// What a network is, as far as its separation rank is concerned.
struct NetworkFacts {
    std::string family;
    SplitShape split;             // what a partition divides
    std::size_t input_rows = 1;   // numbers per position (attention), rows of X (mixers)
    std::size_t output_rows = 1;  // coordinates, rows
    std::size_t output_cols = 1;  // positions, columns
    std::uint64_t degree = 1;     // 3^L, 2^p; at most 2^63
    bool homogeneous = false;     // every monomial has that degree
    std::uint64_t grades = 1;     // the highest degree in one side as the graded split counts: C(L), 2^p
};

// The two sides of a partition as the matrix has them. For attention the rows belong to the side that holds
// the output's position, so that exchanging the names of the sides changes nothing.
struct Sides {
    std::vector<std::size_t> rows, cols;  // positions, or entries
};

// How many functions of one side a piece of degree j has at most; nothing where no bound is known.
struct SideBounds {
    std::optional<std::size_t> rows, cols;
};

// How attention's inputs are read when it has an embedding.
enum class Inputs {
    numbers,  // any vectors: the polynomial itself
    tokens,   // one-hot vectors only (embedding=vocab): every string of tokens is a sample
};

class AttentionNetwork;

// A polynomial network with random weights modulo a prime.
class RandomNetwork {
  public:
    virtual ~RandomNetwork() = default;

    [[nodiscard]] const NetworkFacts& facts() const { return facts_; }
    [[nodiscard]] std::uint64_t prime() const { return prime_; }
    // The field of the fast constructions; the prime must be below 2^23.
    [[nodiscard]] BalancedField small_field() const;
    [[nodiscard]] virtual Sides sides(const Partition& partition, OutputIndex output) const;
    // The samples of the row and the column side.
    [[nodiscard]] virtual std::pair<SideSamples, SideSamples> samples(const Sides& sides,
                                                                      std::uint64_t seed) const;
    // The literal network (plimsoll/nets) on a whole input: residues 0 .. p-1 in and out.
    [[nodiscard]] virtual std::uint64_t evaluate(const nets::Matrix<std::uint64_t>& input,
                                                 OutputIndex output) const = 0;
    // A sample of each side put together as an input of evaluate().
    [[nodiscard]] nets::Matrix<std::uint64_t> join(const Sides& sides, std::span<const std::uint64_t> row,
                                                   std::span<const std::uint64_t> col) const;
    // Numbers of one position (attention) or entry (mixers).
    [[nodiscard]] std::size_t numbers_per_item() const;
    // The fast evaluation; the prime must be below 2^23.
    [[nodiscard]] virtual std::unique_ptr<PairKernel> kernel(const Sides& sides, OutputIndex output,
                                                             const Kernels& kernels) const = 0;
    // Functions of degree `grade` on the column side, and of the rest of the degree on the row side.
    [[nodiscard]] virtual SideBounds piece_bounds(const Sides& sides, std::uint64_t grade) const = 0;
    // An upper bound of the separation rank from such counts, over all degrees.
    [[nodiscard]] virtual std::optional<std::size_t> rank_bound(const Sides& sides) const = 0;
    // This network if it is attention, which has a construction of its own.
    [[nodiscard]] virtual const AttentionNetwork* as_attention() const { return nullptr; }

  protected:
    RandomNetwork(NetworkFacts facts, std::uint64_t prime) : facts_(std::move(facts)), prime_(prime) {}

    NetworkFacts facts_;

  private:
    std::uint64_t prime_;
};

// What decides a network beside its spec.
struct NetworkQuestion {
    std::optional<std::int64_t> positions;  // attention needs it, the others refuse it
    std::uint64_t prime = default_prime;    // any prime below 2^63; fast constructions want one below 2^23
    std::uint64_t seed = 1;                 // of the weights
    Inputs inputs = Inputs::numbers;
};

// The network of a spec with random weights: attention, square-mixer, square-mlp, and pk, s-mixer, mixer,
// rp-mixer with square activation. The others have no exact rank, and the error says what to use instead.
Result<std::unique_ptr<RandomNetwork>> network_for(const arch::ArchSpec& spec,
                                                   const NetworkQuestion& question);

// The place "0,3" stands for: row and column, or coordinate and position, counted from 0.
Result<OutputIndex> parse_output(std::string_view text, const NetworkFacts& facts);

}  // namespace plimsoll::rank
