#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/json.h"
#include "plimsoll/run/run_config.h"

// Which stock class of Hugging Face transformers computes what a spec computes.
namespace plimsoll::exporter {

enum class StockClass { gpt2, llama, qwen3, opt, bert_masked, bert_classifier, vit };

// model::norm_epsilon, for the half without torch; run_logits.cpp, which sees both, asserts that they agree.
constexpr double stock_norm_epsilon = 1e-5;

// "GPT2LMHeadModel".
std::string_view class_name(StockClass stock);

// The class whose forward pass is exactly that of the spec's network, or the sentence that says which
// properties the nearest classes want instead.
std::variant<StockClass, std::string> stock_class_of(const arch::ArchSpec& spec);

// The config.json with which that class computes the same; `config` holds a spec that fits it.
Json stock_config(StockClass stock, const run::RunConfig& config);

}  // namespace plimsoll::exporter
