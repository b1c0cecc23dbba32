#include "plimsoll/exporter/stock.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/exporter/tensors.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "tests/exporter/export_support.h"

namespace plimsoll::exporter {
namespace {

using arch::Count;
using arch::TransformerSpec;

StockClass fit_of(const arch::ArchSpec& spec) { return std::get<StockClass>(stock_class_of(spec)); }

TEST(ExportStock, PicksTheClass) {
    for (const auto& [name, spec] : fitting_specs()) {
        const auto fit = stock_class_of(arch::parse_spec(spec).value());
        ASSERT_TRUE(std::holds_alternative<StockClass>(fit)) << spec << ": " << std::get<std::string>(fit);
        EXPECT_EQ(class_name(std::get<StockClass>(fit)), name) << spec;
    }
}

TEST(ExportStock, SaysWhichPropertyHasNoClass) {
    const std::string gpt2 = "transformer:depth=2,width=8,heads=2,vocab=300,context=16";
    const std::string llama = gpt2 + ",norm=rms,positions=rope,ffn_matrices=3,bias=off";
    const std::string image = "transformer:depth=2,width=8,heads=2,patch=4,image=12,classes=5";
    const std::string nearest = "no stock Hugging Face class fits: ";
    const std::vector<std::pair<std::string, std::string>> refusals{
        {"mixer:depth=2,channels=8,tokens=4,vocab=300",
         "no stock Hugging Face class computes the family mixer"},
        {gpt2 + ",qk_norm=head", nearest + "GPT2LMHeadModel needs qk_norm=none"},
        {gpt2 + ",position_rank=2", nearest + "GPT2LMHeadModel needs position_rank=none"},
        {gpt2 + ",order=attention-first", nearest + "GPT2LMHeadModel needs order=interleaved"},
        {gpt2 + ",attention=linear,activation=square",
         nearest + "GPT2LMHeadModel needs attention=softmax and an activation other than square"},
        {gpt2 + ",layer_groups=1", nearest + "GPT2LMHeadModel needs layer_groups=depth"},
        {gpt2 + ",head_bias=on", nearest + "GPT2LMHeadModel needs head_bias=off"},
        {gpt2 + ",head_dim=8", nearest + "GPT2LMHeadModel needs heads * head_dim = width"},
        {gpt2 + ",qkv_bias=off", nearest + "GPT2LMHeadModel needs qkv_bias=on; OPTForCausalLM needs one "
                                           "setting for qkv_bias, out_bias and ffn_bias"},
        {gpt2 + ",embedding_rank=3,tied=off",
         nearest +
             "GPT2LMHeadModel needs embedding_rank=none; OPTForCausalLM needs head_rank=embedding_rank"},
        {gpt2 + ",embedding_rank=8", nearest + "OPTForCausalLM needs an embedding_rank other than width"},
        {llama + ",qk_norm=full",
         nearest + "LlamaForCausalLM needs qk_norm=none; Qwen3ForCausalLM needs qk_norm=head"},
        {llama + ",qk_norm=head,ffn_bias=on",
         nearest + "LlamaForCausalLM needs qk_norm=none; Qwen3ForCausalLM needs ffn_bias=off"},
        {llama + ",qkv_bias=on", nearest + "LlamaForCausalLM needs qkv_bias=out_bias"},
        {llama + ",head_dim=3", nearest + "LlamaForCausalLM needs an even head_dim"},
        {"transformer:depth=2,width=8,heads=3,head_dim=4,vocab=300,norm=rms,positions=rope,ffn_matrices=3",
         nearest + "LlamaForCausalLM needs heads that divide width"},
        {image + ",extra_tokens=0", nearest + "ViTForImageClassification needs extra_tokens=1"},
        {image + ",patch_bias=off", nearest + "ViTForImageClassification needs patch_bias=on"},
        {gpt2 + ",stack=encoder,norm_order=post,embedding_norm=on,pooler=on,classes=3",
         nearest + "BertForSequenceClassification needs segments"},
    };
    for (const auto& [spec, sentence] : refusals) {
        const auto fit = stock_class_of(arch::parse_spec(spec).value());
        ASSERT_TRUE(std::holds_alternative<std::string>(fit)) << spec;
        EXPECT_EQ(std::get<std::string>(fit), sentence) << spec;
    }
}

// Every tensor of ours goes to one place, and no two share a name.
TEST(ExportStock, NothingIsLostOrDoubled) {
    for (const auto& [name, text] : fitting_specs()) {
        const auto spec = arch::parse_spec(text).value();
        std::vector<std::string> sources, names, ours;
        for (const auto& tensor : stock_tensors(fit_of(spec), spec)) {
            names.push_back(tensor.name);
            sources.insert(sources.end(), tensor.sources.begin(), tensor.sources.end());
        }
        for (const auto& tensor : arch::tensors(spec)) ours.push_back(tensor.name);
        EXPECT_THAT(sources, ::testing::UnorderedElementsAreArray(ours)) << text;
        std::ranges::sort(names);
        EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << text;
    }
}

// What the reader of configs counts that we do not have, and the other way: OPT's two rows that no position
// reads; of BERT it counts the body with a pooler, and no task's head.
std::pair<Count, Count> known_difference(StockClass stock, const TransformerSpec& s) {
    const Count width = s.width;
    if (stock == StockClass::opt) return {Count(2) * width, 0};
    if (stock == StockClass::bert_masked)
        return {width * (width + 1), width * (width + 1) + Count(2) * width + Count(s.vocab)};
    if (stock == StockClass::bert_classifier) return {0, Count(s.classes) * (width + 1)};
    return {0, 0};
}

TEST(ExportStock, OurOwnReaderReadsTheConfigBack) {
    for (const auto& [name, text] : fitting_specs()) {
        const auto config = config_of(text);
        const auto& s = std::get<TransformerSpec>(config.model.spec);
        const StockClass stock = fit_of(config.model.spec);
        const auto shape = formats::shape_from_config(stock_config(stock, config), "x").value();
        EXPECT_EQ(shape.depth, s.depth) << text;
        EXPECT_EQ(shape.width, s.width) << text;
        EXPECT_EQ(shape.heads, s.heads) << text;
        EXPECT_EQ(shape.kv_heads, s.kv_heads) << text;
        EXPECT_EQ(shape.head_dim, s.head_dim) << text;
        EXPECT_EQ(shape.ffn, s.ffn) << text;
        EXPECT_EQ(shape.ffn_matrices, s.ffn_matrices) << text;
        EXPECT_EQ(shape.vocab.value_or(0), s.vocab) << text;
        EXPECT_EQ(shape.embedding_rank.value_or(0), s.embedding_rank) << text;
        EXPECT_EQ(shape.patch_height.value_or(0), s.image.patch) << text;
        EXPECT_EQ(shape.patch_width.value_or(0), s.image.patch_width) << text;
        EXPECT_EQ(shape.image_width.value_or(0), s.image.image_width) << text;
        if (s.vocab > 0) {
            EXPECT_EQ(shape.context, s.context) << text;
        }
        const auto [theirs, ours] = known_difference(stock, s);
        const auto predicted = audit::predicted_parameters(shape);
        ASSERT_TRUE(predicted) << text << audit::why_no_count(shape);
        EXPECT_EQ((predicted->parameters + ours).text(),
                  (arch::parameter_count(config.model.spec) + theirs).text())
            << text;
    }
}

TEST(ExportStock, TheConfigSaysWhatTheForwardPassDoes) {
    const auto config = [](std::size_t index, const std::string& more = "") {
        const auto run = config_of(fitting_specs()[index].spec, more);
        return stock_config(fit_of(run.model.spec), run);
    };
    EXPECT_EQ(config(0)["activation_function"], "gelu") << "the exact one, not gelu_new";
    EXPECT_EQ(config(0)["layer_norm_epsilon"], 1e-5);
    EXPECT_EQ(config(0, "model.dropout = 0.25")["resid_pdrop"], 0.25);
    EXPECT_EQ(config(0)["attn_pdrop"], 0.0) << "ours has no dropout of scores";
    EXPECT_EQ(config(0)["tie_word_embeddings"], true);
    EXPECT_EQ(config(1)["tie_word_embeddings"], false);
    EXPECT_TRUE(config(0)["eos_token_id"].is_null());
    EXPECT_EQ(config(0)["torch_dtype"], "float32");
    EXPECT_EQ(config(0, "train.precision = \"fp64\"")["torch_dtype"], "float64");
    EXPECT_EQ(config(2)["attention_bias"], false);
    EXPECT_EQ(config(3)["attention_bias"], true);
    EXPECT_EQ(config(3)["mlp_bias"], true);
    EXPECT_EQ(config(3)["hidden_act"], "gelu");
    EXPECT_EQ(config(4)["model_type"], "qwen3");
    EXPECT_EQ(config(4)["rms_norm_eps"], 1e-5) << "Qwen 3's own is 1e-6";
    EXPECT_EQ(config(4)["rope_theta"], 10000.0);
    EXPECT_EQ(config(4)["head_dim"], 4) << "the class's default is 128";
    EXPECT_EQ(config(4)["use_sliding_window"], false);
    EXPECT_EQ(config(4)["attention_bias"], false);
    EXPECT_EQ(config(4)["tie_word_embeddings"], true);
    EXPECT_FALSE(config(4).contains("mlp_bias")) << "the class has no such key";
    EXPECT_EQ(config(5)["attention_bias"], true);
    EXPECT_EQ(config(5)["num_key_value_heads"], 1);
    EXPECT_EQ(config(7)["enable_bias"], false);
    EXPECT_EQ(config(8)["do_layer_norm_before"], false);
    EXPECT_EQ(config(10)["layer_norm_eps"], 1e-5) << "BERT's own default is 1e-12";
    EXPECT_EQ(config(11)["id2label"].size(), 3);
    EXPECT_EQ(config(12)["image_size"], 12);
    EXPECT_EQ(config(13)["image_size"], Json::array({4, 9}));
    EXPECT_EQ(config(13)["patch_size"], Json::array({2, 3}));
}

}  // namespace
}  // namespace plimsoll::exporter
