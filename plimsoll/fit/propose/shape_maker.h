#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/result.h"
#include "plimsoll/fit/look/data_look.h"

namespace plimsoll::fit {

// The share by which a shape may miss the budget.
constexpr double budget_tolerance = 0.02;

// The fewest dimensions of a head.
constexpr std::int64_t least_head = 8;

// What the depths of a family are measured by: the best depth of the load line, log2 of a mixer's channels,
// or the three layers that are usual for tables, where there is neither study nor theory.
enum class Line { load_line, log2_channels, usual };
Line line_of(const std::string& family);
// "the load line", "log2 C", "the usual depth".
std::string_view name_of(Line line);

// The sizes of a transformer's heads: about a quarter of the width, and on a GPU multiples of eight of it, as
// others take twice the time there (docs/measurements/stacks.md).
enum class HeadSizes { any, eights };

// What a shape may have besides its depth.
struct ShapeOptions {
    std::int64_t heads = 0;  // 0: the usual number; must divide the width
    bool half_rank = false;  // the token table is factorised at half the width
    bool gelu = false;       // of an mlp, which has ReLU otherwise
};

// Networks of one family on one input that all cost the budget: the width is the one whose hidden layer comes
// nearest to its usual size, then the hidden layer is trimmed until the parameters are those of the budget.
class ShapeMaker {
  public:
    // An error when the family is not one that races, or cannot read the input. `style` is that of
    // transformers, or auto (request.h); mixers have none.
    static Result<ShapeMaker> make(const std::string& family, const InputChoice& input, const DataLook& look,
                                   std::int64_t budget, const std::string& style,
                                   HeadSizes heads = HeadSizes::any);

    // The network of that depth; none when no width meets the budget within the tolerance with a hidden layer
    // of half to twice its usual size.
    [[nodiscard]] std::optional<arch::ArchSpec> at(std::int64_t depth,
                                                   const ShapeOptions& options = {}) const;

    // The nearest network of that depth however far from the budget; for budgets that no shape meets.
    [[nodiscard]] arch::ArchSpec nearest(std::int64_t depth) const;

    // The same network with another number of heads; none when they do not divide its width, or when rope
    // would leave a number of each head where it is.
    [[nodiscard]] static std::optional<arch::ArchSpec> with_heads(const arch::ArchSpec& spec,
                                                                  std::int64_t heads);

    [[nodiscard]] const std::string& family() const { return family_; }
    [[nodiscard]] const InputChoice& input() const { return input_; }
    [[nodiscard]] std::int64_t budget() const { return budget_; }
    [[nodiscard]] Line line() const { return line_of(family_); }
    [[nodiscard]] HeadSizes head_sizes() const { return heads_; }

  private:
    struct Sized {
        std::int64_t width = 0;
        double hidden = 0;  // that meets the budget
        double ratio = 0;   // of it to its usual size
    };
    [[nodiscard]] arch::ArchSpec sized(std::int64_t depth, std::int64_t width, std::int64_t hidden,
                                       const ShapeOptions& options) const;
    [[nodiscard]] std::int64_t usual_hidden(std::int64_t width) const;
    [[nodiscard]] Sized needed(std::int64_t depth, std::int64_t width, const ShapeOptions& options) const;
    [[nodiscard]] Sized best_width(std::int64_t depth, const ShapeOptions& options) const;
    [[nodiscard]] std::optional<arch::ArchSpec> trimmed(std::int64_t depth, const Sized& size,
                                                        const ShapeOptions& options) const;
    void choose_expansion();

    std::string family_;
    InputChoice input_;
    std::int64_t budget_ = 0, expansion_ = 4;
    HeadSizes heads_ = HeadSizes::any;
    arch::ArchSpec base_;
};

// Depth and width (channels) of a network that a ShapeMaker made, and the size of its hidden layer.
struct ShapeNumbers {
    std::int64_t depth = 0, width = 0, heads = 0, hidden = 0, embedding_rank = 0, tokens = 0;
};
ShapeNumbers numbers_of(const arch::ArchSpec& spec);

// The families that race, in the order in which they are tried.
std::vector<std::string> racing_families();

// An error that names the nearest one, for any other.
Status check_family(const std::string& family);

// Whether networks of the family can read such data.
Status check_reads(const std::string& family, Modality modality);

// As many heads as leave each a quarter of the width, but 8 to 64 numbers: about four at every small width,
// so that depth is not confounded with heads.
std::int64_t usual_heads(std::int64_t width);

// The number nearest to it whose heads have a multiple of eight numbers, two thirds to four thirds of the
// usual size; none where the width has no such heads.
std::optional<std::int64_t> heads_of_eights(std::int64_t width);

}  // namespace plimsoll::fit
