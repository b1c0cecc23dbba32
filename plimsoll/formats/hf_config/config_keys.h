#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/limits.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/formats/shape/model_shape.h"

// The spellings of each quantity, and a reader that bounds every number: a value that cannot be one is an
// error, what the file does not say is written down.
namespace plimsoll::formats {

using Keys = std::vector<std::string_view>;
using Number = ModelShape::Number;

// Larger than any size of any network; keeps every product within 128 bits. Depth, width, heads, hidden sizes
// and experts have the limits of a spec (arch/limits.h).
constexpr std::int64_t max_size = 1'000'000'000;
constexpr std::int64_t max_layers = arch::max_depth;

// The spellings of one quantity, the usual one first.
namespace keys {
extern const Keys depth, encoder_depth, decoder_depth, width, heads, kv_heads, head_dim, ffn, decoder_ffn,
    vocab, context, embedding_rank, experts, experts_active, expert_ffn, shared_experts, shared_expert_ffn,
    dense_layers, channels, image_size, patch_size, state_size, conv_kernel, classes;
}  // namespace keys

// Reads numbers and flags of one JSON object into a shape's notes; no value of the file is trusted.
class ConfigReader {
  public:
    // The class default of a key, or nothing.
    using Defaults = std::function<std::optional<std::int64_t>(std::string_view key)>;

    ConfigReader(const Json& object, Defaults defaults, ModelShape& shape)
        : object_(object), defaults_(std::move(defaults)), shape_(shape) {}

    // The first of the keys that holds a size from 1 to `most`, else the class default, which is noted. A
    // null keeps the class default out: the rule of the family decides.
    ModelShape::Number size(const Keys& keys, std::int64_t most = max_size);
    // The same without class defaults.
    ModelShape::Number stated(const Keys& keys, std::int64_t most = max_size);
    // The same where 0 means "none": 0 and absent both give nothing.
    ModelShape::Number some(const Keys& keys, std::int64_t most = max_size);
    // A true or false, else the class default; 0 and 1 are accepted.
    std::optional<bool> flag(std::string_view key);
    // A positive real number such as an expansion ratio.
    std::optional<double> ratio(const Keys& keys);
    // The numbers of a list; empty when the key is absent or holds anything else.
    [[nodiscard]] std::vector<std::int64_t> list(std::string_view key) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
    // The value of a key that is there and not null, or a null pointer.
    [[nodiscard]] const Json* find(std::string_view key) const;
    // Height and width of 16, [16, 16], [2, 16, 16] or {"height": 16, "width": 16}.
    std::optional<std::pair<std::int64_t, std::int64_t>> pair(const Keys& keys);

    void assume(std::string_view key, std::int64_t value, std::string_view reason);
    void assume(std::string_view key, std::string_view value, std::string_view reason);
    void skip(std::string_view part, std::string_view reason);
    // Notes that nothing gives `part`; a key of it that is null where a number is needed is the error.
    void miss(std::string_view part, const Keys& keys, std::string_view reason);

    // The first value that cannot be what its key says, or nothing.
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }
    [[nodiscard]] const Json& object() const { return object_; }
    [[nodiscard]] ModelShape& shape() { return shape_; }

  private:
    enum class State { absent, null, wrong, good };
    struct Reading {
        State state = State::absent;
        std::int64_t value = 0;
    };

    Reading read(std::string_view key, std::int64_t least, std::int64_t most);
    Reading read_list(std::string_view key, const Json& list, std::int64_t least, std::int64_t most);
    Reading first(const Keys& keys, std::int64_t least, std::int64_t most);
    ModelShape::Number default_of(const Keys& keys);
    void complain(std::string_view key, std::string_view reason);

    const Json& object_;
    Defaults defaults_;
    ModelShape& shape_;
    std::set<std::string, std::less<>> complained_;
    std::optional<Error> problem_;
};

// A name out of a file as a report may print it: printable ASCII, at most 64 characters.
std::string printable_name(std::string_view name);

// A text of a file that can be a name: 1 to 64 printable ASCII characters; empty otherwise.
std::string name_in(const Json& object, std::string_view key);

// A JSON number that is whole (768 or 768.0) and fits 64 bits, or nothing.
std::optional<std::int64_t> whole_number(const Json& value);

}  // namespace plimsoll::formats
