#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/model/network.h"

namespace plimsoll::model {
namespace {

using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t any = -1;

// "(batch, 3, any, 32)".
std::string shape_text(const Sizes& sizes, const char* first) {
    std::vector<std::string> words{first};
    for (const auto size : sizes) words.push_back(size == any ? "any" : std::to_string(size));
    return "(" + join(words, ", ") + ")";
}

bool fits(const torch::Tensor& tensor, const Sizes& wanted) {
    if (tensor.dim() != std::ssize(wanted) + 1) return false;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (wanted[k] != any && tensor.size(static_cast<std::int64_t>(k) + 1) != wanted[k]) return false;
    }
    return true;
}

// Numbers of the shape (batch, wanted...).
Status check_values(const Input& input, const Sizes& wanted) {
    const std::string shape = shape_text(wanted, "batch");
    if (!input.values.defined()) return bad_input("values", "missing; the network reads " + shape);
    if (fits(input.values, wanted)) return {};
    const auto sizes = input.values.sizes().vec();
    const std::string got =
        sizes.empty() ? "one number"
                      : shape_text({sizes.begin() + 1, sizes.end()}, std::to_string(sizes[0]).c_str());
    return bad_input("values", fmt::format("must be {}, got {}", shape, got));
}

Status check_beside(const char* name, const torch::Tensor& tensor, const torch::Tensor& tokens) {
    if (!tensor.defined() || tensor.sizes() == tokens.sizes()) return {};
    return bad_input(name, "must have the shape of tokens");
}

// Ids (batch, T), T from `least` to `most`.
Status check_tokens(const Input& input, std::int64_t least, std::int64_t most) {
    if (!input.tokens.defined())
        return bad_input("tokens", "missing; the network reads (batch, positions) ids");
    if (input.tokens.dim() != 2 || input.tokens.scalar_type() != torch::kLong) {
        return bad_input("tokens", "must be (batch, positions) 64-bit integers");
    }
    const std::int64_t count = input.tokens.size(1);
    if (count < least || (most != any && count > most)) {
        const std::string range =
            least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
        return bad_input("tokens", fmt::format("must have {} positions, got {}", range, count));
    }
    PLIMSOLL_RETURN_IF_ERROR(check_beside("segments", input.segments, input.tokens));
    return check_beside("padding", input.padding, input.tokens);
}

Status check_positions(const torch::Tensor& values, std::int64_t most) {
    if (most == any || values.size(1) <= most) return {};
    return bad_input("values", fmt::format("must have at most {} positions, got {}", most, values.size(1)));
}

Sizes image_sizes(const arch::ImageInput& image) {
    return {image.image_channels, image.image, image.image_width};
}

struct Checker {
    const Input& input;

    Status operator()(const arch::AttentionSpec& s) const {
        const std::int64_t most = s.positions == arch::Positions::none ? any : s.context;
        if (s.embedding == arch::InputEmbedding::vocab) return check_tokens(input, 1, most);
        const bool conv = s.embedding == arch::InputEmbedding::conv;
        PLIMSOLL_RETURN_IF_ERROR(check_values(input, {any, conv ? s.vocab : s.width}));
        return check_positions(input.values, most);
    }
    Status operator()(const arch::TransformerSpec& s) const {
        const bool unlimited =
            s.positions == arch::PositionKind::none || s.positions == arch::PositionKind::alibi;
        const std::int64_t most = unlimited ? any : s.context;
        if (s.vocab > 0) return check_tokens(input, 1, most);
        if (s.image.used()) return check_values(input, image_sizes(s.image));
        PLIMSOLL_RETURN_IF_ERROR(check_values(input, {any, s.width}));
        return check_positions(input.values, most);
    }
    Status operator()(const arch::MixerSpec& s) const {
        if (s.vocab > 0) return check_tokens(input, s.causal ? 1 : s.tokens, s.tokens);
        if (s.image.used()) return check_values(input, image_sizes(s.image));
        return check_values(input, {s.tokens, s.channels});
    }
    Status operator()(const arch::MlpSpec& s) const {
        const std::int64_t columns = std::ssize(s.categories);
        if (columns > 0) PLIMSOLL_RETURN_IF_ERROR(check_tokens(input, columns, columns));
        if (columns > 0 && s.net.inputs == 0) return {};
        return check_flat(s.net.inputs > 0 ? s.net.inputs : s.net.width);
    }
    template <class Spec>
    Status operator()(const Spec& s) const {
        if constexpr (requires { s.rows; }) {
            return check_values(input, {s.rows, s.cols});
        } else if constexpr (requires { s.net.image; }) {
            return check_values(input, image_sizes(s.net.image));
        } else {
            return check_flat(s.net.inputs > 0 ? s.net.inputs : s.net.width);
        }
    }

    // Anything with this number of entries per sample: images are read row by row.
    [[nodiscard]] Status check_flat(std::int64_t size) const {
        if (!input.values.defined()) return check_values(input, {size});
        const bool batched = input.values.dim() > 1 && input.values.size(0) > 0;
        return batched && input.values.numel() / input.values.size(0) == size ? Status{}
                                                                              : check_values(input, {size});
    }
};

}  // namespace

Status check_input(const arch::ArchSpec& spec, const Input& input) {
    return std::visit(Checker{input}, spec);
}

}  // namespace plimsoll::model
