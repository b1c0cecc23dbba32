#pragma once

#include "plimsoll/theory/ids/applicable.h"

// The tables of bounds by family, before judging and marking; internal to theory.
namespace plimsoll::theory {

BoundTable attention_bounds(const arch::AttentionSpec& spec, std::optional<std::int64_t> context);
BoundTable transformer_bounds(const arch::TransformerSpec& spec, std::optional<std::int64_t> context);
BoundTable square_mixer_bounds(const arch::SquareMixerSpec& spec);
BoundTable square_mlp_bounds(const arch::SquareMlpSpec& spec);
BoundTable mixer_bounds(const arch::MixerSpec& spec);

// Working precision of the tables: far beyond what is printed.
inline constexpr int table_bits = 128;

// A row whose standing and erratum come from the formula of that id.
BoundRow row_of(const std::string& id, Side side, Ball log3, std::string note = "");

// A ball to six significant figures.
std::string short_text(const Ball& ball);

}  // namespace plimsoll::theory
