#include "plimsoll/formats/hf_config/hf_config.h"

#include <functional>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/formats/hf_config/config_keys.h"
#include "plimsoll/formats/hf_config/families.h"
#include "tests/formats/config_fixtures.h"
#include "tests/support/shared_data.h"

namespace plimsoll::formats {
namespace {

using Number = ModelShape::Number;

// What the fixtures may expect of a shape, by name.
const std::map<std::string, std::function<Json(const ModelShape&)>>& readers() {
    const auto number = [](Number ModelShape::* field) {
        return [field](const ModelShape& s) { return s.*field ? Json(*(s.*field)) : Json(nullptr); };
    };
    static const std::map<std::string, std::function<Json(const ModelShape&)>> table{
        {"family", [](const auto& s) { return Json(s.family); }},
        {"kind", [](const auto& s) { return Json(std::string(name_of(s.kind))); }},
        {"part", [](const auto& s) { return Json(s.part); }},
        {"positions", [](const auto& s) { return Json(s.positions); }},
        {"tied", [](const auto& s) { return s.tied ? Json(*s.tied) : Json(nullptr); }},
        {"exact", [](const auto& s) { return Json(s.tensors.known); }},
        {"depth", number(&ModelShape::depth)},
        {"decoder_depth", number(&ModelShape::decoder_depth)},
        {"layer_groups", number(&ModelShape::layer_groups)},
        {"width", number(&ModelShape::width)},
        {"heads", number(&ModelShape::heads)},
        {"kv_heads", number(&ModelShape::kv_heads)},
        {"head_dim", number(&ModelShape::head_dim)},
        {"value_head_dim", number(&ModelShape::value_head_dim)},
        {"q_lora_rank", number(&ModelShape::q_lora_rank)},
        {"kv_lora_rank", number(&ModelShape::kv_lora_rank)},
        {"ffn", number(&ModelShape::ffn)},
        {"ffn_matrices", number(&ModelShape::ffn_matrices)},
        {"experts", number(&ModelShape::experts)},
        {"experts_active", number(&ModelShape::experts_active)},
        {"shared_experts", number(&ModelShape::shared_experts)},
        {"expert_ffn", number(&ModelShape::expert_ffn)},
        {"dense_layers", number(&ModelShape::dense_layers)},
        {"vocab", number(&ModelShape::vocab)},
        {"embedding_rank", number(&ModelShape::embedding_rank)},
        {"output_rank", number(&ModelShape::output_rank)},
        {"context", number(&ModelShape::context)},
        {"patch_height", number(&ModelShape::patch_height)},
        {"patch_width", number(&ModelShape::patch_width)},
        {"channels", number(&ModelShape::channels)},
        {"input_dim", number(&ModelShape::input_dim)},
        {"tokens", number(&ModelShape::tokens)},
        {"token_ffn", number(&ModelShape::token_ffn)},
        {"channel_ffn", number(&ModelShape::channel_ffn)},
        {"state_size", number(&ModelShape::state_size)},
        {"attention_layers", number(&ModelShape::attention_layers)},
    };
    return table;
}

std::string assumed_text(const ModelShape& shape) {
    std::string text;
    for (const auto& one : shape.assumed) text += one.key + "=" + one.value + " (" + one.reason + ")\n";
    return text;
}

std::string skipped_text(const ModelShape& shape) {
    std::string text;
    for (const auto& one : shape.not_analysed) text += one.part + ": " + one.reason + "\n";
    return text;
}

Json parsed(std::string_view text) {
    auto json = parse_json(text, "test");
    EXPECT_TRUE(json.ok());
    return std::move(json).value();
}

ModelShape shape_of(std::string_view text) {
    auto shape = shape_from_config(parsed(text), "test");
    EXPECT_TRUE(shape.ok()) << shape.error().text();
    return std::move(shape).value();
}

TEST(HfConfig, EveryFixtureIsReadByItsKeys) {
    for (const Json& one : config_fixtures()) {
        const auto name = one["name"].get<std::string>();
        const auto shape = shape_from_config(one["config"], name);
        ASSERT_TRUE(shape.ok()) << name << ": " << shape.error().text();
        for (const auto& [key, value] : one["expect"].items()) {
            if (key == "parameters") continue;  // tests/audit
            if (key == "not_analysed") {
                EXPECT_THAT(skipped_text(*shape), ::testing::HasSubstr(value.get<std::string>())) << name;
                continue;
            }
            ASSERT_TRUE(readers().contains(key)) << key;
            EXPECT_EQ(readers().at(key)(*shape), value) << name << ": " << key;
        }
    }
}

TEST(HfConfig, TheFixturesCoverManyFamilies) {
    std::set<std::string> families;
    for (const Json& one : config_fixtures())
        families.insert(shape_from_config(one["config"], "x").value().family);
    EXPECT_GE(families.size(), 75U);
    EXPECT_GE(config_fixtures().size(), 120U);
}

// Neither the order of the keys nor a model's name decides anything.
TEST(HfConfig, TheNameDecidesNothing) {
    for (const Json& one : config_fixtures()) {
        Json reversed = Json::object();
        for (auto item = one["config"].rbegin(); item != one["config"].rend(); ++item)
            reversed[item.key()] = item.value();
        reversed["_name_or_path"] = "google/bert-t5-llama";
        const auto a = shape_from_config(one["config"], "a").value(),
                   b = shape_from_config(reversed, "b").value();
        for (const auto& [key, read] : readers()) EXPECT_EQ(read(a), read(b)) << one["name"] << ": " << key;
    }
}

// Each absent key that matters is either replaced, which is noted, or reported as missing.
TEST(HfConfig, AMissingKeyIsNoted) {
    const auto shape = shape_of(R"({"model_type": "llama", "hidden_size": 2048, "num_attention_heads": 16})");
    EXPECT_EQ(shape.depth, 32);
    EXPECT_EQ(shape.head_dim, 128);
    EXPECT_THAT(assumed_text(shape),
                ::testing::HasSubstr("num_hidden_layers=32 (the file does not say; the default of llama)"));
    EXPECT_THAT(assumed_text(shape), ::testing::HasSubstr("head_dim=128 (width / heads)"));
    EXPECT_THAT(assumed_text(shape), ::testing::HasSubstr("intermediate_size=11008"));
}

TEST(HfConfig, ANullKeepsTheClassDefaultOut) {
    const auto shape = shape_of(
        R"({"model_type": "mistral", "hidden_size": 512, "num_hidden_layers": 2, "num_attention_heads": 8,
        "num_key_value_heads": null, "head_dim": null, "intermediate_size": 1024, "vocab_size": 100})");
    EXPECT_EQ(shape.kv_heads, 8);
    EXPECT_EQ(shape.head_dim, 64);
}

TEST(HfConfig, GuessesAreSaid) {
    const auto shape =
        shape_of(R"({"hidden_size": 64, "embedding_size": 16, "num_hidden_layers": 2, "type_vocab_size": 2,
        "num_attention_heads": 4, "intermediate_size": 256, "vocab_size": 100})");
    EXPECT_EQ(shape.family, "albert");
    EXPECT_THAT(
        assumed_text(shape),
        ::testing::HasSubstr("model_type=albert (the file does not say; it has the keys embedding_size"));
}

struct WrongNumber {
    const char* value;
    const char* message;
};

std::string refusal(const Json& config) {
    const auto shape = shape_from_config(config, "file.json");
    if (shape.ok()) return "no error";
    EXPECT_EQ(shape.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(shape.error().where, "file.json");
    return shape.error().message;
}

TEST(HfConfig, AWrongNumberIsAnErrorThatNamesItsKey) {
    for (const auto& [value, message] : {
             WrongNumber{"-768", "n_embd: must be a whole number from 1 to 1000000, got -768"},
             WrongNumber{"0", "n_embd: must be a whole number from 1 to 1000000, got 0"},
             WrongNumber{"1000001", "n_embd: must be a whole number from 1 to 1000000, got 1000001"},
             WrongNumber{"768.5", "n_embd: must be a whole number from 1 to 1000000, got 768.5"},
             WrongNumber{"1e300", "n_embd: must be a whole number from 1 to 1000000, got 1e+300"},
             WrongNumber{"1000000000000000000000",
                         "n_embd: must be a whole number from 1 to 1000000, got 1e+21"},
             WrongNumber{"18446744073709551615",
                         "n_embd: must be a whole number from 1 to 1000000, got 18446744073709551615"},
             WrongNumber{"\"768\"", "n_embd: must be a whole number from 1 to 1000000, got \"768\""},
             WrongNumber{"true", "n_embd: must be a whole number from 1 to 1000000, got true"},
             WrongNumber{"null", "n_embd: must be a whole number from 1 on, got null"},
             WrongNumber{"{\"a\": 1}", "n_embd: must be a whole number from 1 to 1000000, got an object"},
             WrongNumber{"[]", "n_embd: must be a whole number from 1 to 1000000, got the list []"},
             WrongNumber{"[-1]",
                         "n_embd: holds the list [-1] where whole numbers up to 1000000 are expected"},
             WrongNumber{"[0]", "n_embd: holds the list [0], of which none is 1 or more"},
         }) {
        const std::string text = std::string(R"({"model_type": "gpt2", "n_embd": )") + value + "}";
        EXPECT_EQ(refusal(parsed(text)), message);
        EXPECT_EQ(refusal({{"text_config", parsed(text)}}).find("text_config.n_embd: "), 0U) << value;
    }
}

// The first key of a quantity that a config holds, as the reader takes it; empty when it holds none.
std::string_view used_key(const Json& config, const Keys& keys) {
    const auto found = std::ranges::find_if(keys, [&](std::string_view key) {
        return config.contains(key) && whole_number(config[key]).value_or(0) > 0;
    });
    return found == keys.end() ? std::string_view() : *found;
}

// Every family: the keys that give its depth, width, heads, hidden size and vocabulary.
TEST(HfConfig, NoFamilyTakesAWrongNumber) {
    const Keys* quantities[] = {&keys::depth, &keys::width, &keys::heads, &keys::ffn, &keys::vocab};
    int tried = 0;
    for (const Json& one : config_fixtures()) {
        const ModelShape shape = shape_from_config(one["config"], "x").value();
        const bool usual = shape.kind == ModelKind::decoder || shape.kind == ModelKind::encoder;
        if (!usual || !shape.part.empty() || !shape.depth || !shape.heads) continue;
        for (const Keys* quantity : quantities) {
            const std::string_view key = used_key(one["config"], *quantity);
            if (key.empty()) continue;
            for (const char* wrong : {"-5", "0", "1000000000000000000000", "1.5", "\"12\"", "true"}) {
                Json config = one["config"];
                config[key] = parsed(wrong);
                EXPECT_EQ(refusal(config).find(std::string(key) + ": must be a whole number"), 0U)
                    << one["name"] << ": " << key << " = " << wrong << ": " << refusal(config);
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 2000);
}

TEST(HfConfig, AListPerLayerGivesItsLargest) {
    const auto shape = shape_of(
        R"({"model_type": "deci", "hidden_size": 512, "num_hidden_layers": 3, "num_attention_heads": 8,
        "num_key_value_heads": [4, 2, 1], "intermediate_size": [512, 1024, 256], "vocab_size": 100})");
    EXPECT_EQ(shape.kv_heads, 4);
    EXPECT_EQ(shape.ffn, 1024);
    EXPECT_THAT(assumed_text(shape),
                ::testing::HasSubstr("num_key_value_heads=4 (the largest of the file's list"));
}

struct Foreign {
    const char* text;
    const char* message;
};

TEST(HfConfig, WhatIsNoConfigIsSaidToBeNone) {
    for (const auto& [text, message] : {
             Foreign{"[]", "is JSON but not an object"},
             Foreign{"3", "is JSON but not an object"},
             Foreign{"\"bert\"", "is JSON but not an object"},
             Foreign{"null", "is JSON but not an object"},
             Foreign{"{}", "no key of it describes a network"},
             Foreign{R"({"width": 800, "height": 600, "port": 80})", "no key of it describes a network"},
             Foreign{R"({"peft_type": "LORA", "r": 8})", "config of an adapter"},
             Foreign{R"({"tokenizer_class": "BertTokenizer", "do_lower_case": true})",
                     "config of a tokenizer"},
             Foreign{R"({"weight_map": {"a": "b"}, "metadata": {}})", "index of a sharded model"},
             Foreign{R"({"image_processor_type": "ViTImageProcessor", "do_resize": true})",
                     "config of a preprocessor"},
             Foreign{R"({"bos_token_id": 1, "eos_token_id": 2})", "generation config"},
         }) {
        const auto shape = shape_from_config(parsed(text), "file.json");
        ASSERT_FALSE(shape.ok()) << text;
        EXPECT_EQ(shape.error().kind, ErrorKind::unsupported);
        EXPECT_THAT(shape.error().text(), ::testing::HasSubstr(message)) << text;
        EXPECT_EQ(shape.error().where, "file.json");
    }
}

TEST(HfConfig, NamesOutOfAFileAreFitToPrint) {
    Json config = {{"model_type", "evil\x1b[31m"},
                   {"hidden_size", 8},
                   {"num_hidden_layers", 1},
                   {"num_attention_heads", 1}};
    config["\x1b]0;tower_config"] = {{"hidden_size", 8}, {"num_hidden_layers", 1}};
    const auto shape = shape_from_config(config, "x").value();
    EXPECT_EQ((shape.family + skipped_text(shape)).find('\x1b'), std::string::npos);
    EXPECT_THAT(skipped_text(shape), ::testing::HasSubstr("model_type: is no name"));
}

TEST(HfConfig, NestingIsFollowedFourLevelsDeep) {
    Json inner = {
        {"hidden_size", 8}, {"num_hidden_layers", 1}, {"num_attention_heads", 1}, {"vocab_size", 10}};
    for (int i = 0; i < 4; ++i) inner = {{"text_config", inner}};
    EXPECT_EQ(shape_from_config(inner, "x").value().width, 8);
    inner = {{"text_config", inner}};
    EXPECT_FALSE(shape_from_config(inner, "x").ok());
}

TEST(HfConfig, TheTablesOfFamiliesHold) {
    std::set<std::string_view> types;
    for (const FamilyDefaults& one : family_defaults())
        EXPECT_TRUE(types.insert(one.type).second) << one.type;
    EXPECT_TRUE(std::ranges::is_sorted(family_defaults(), {}, &FamilyDefaults::type));
    EXPECT_GE(types.size(), 450U);
    for (const FamilyLine& line : family_lines()) {
        const std::string type(line.types.substr(0, line.types.find(' ')));
        EXPECT_TRUE(family_of_type(type).listed) << type;  // throws on a word that is not in the vocabulary
    }
    EXPECT_EQ(type_of_architecture("XLMRobertaForMaskedLM"), "xlm-roberta");
    EXPECT_EQ(type_of_architecture("GPT2LMHeadModel"), "gpt2");
    EXPECT_EQ(type_of_architecture("TFBertModel"), "bert");
    EXPECT_EQ(type_of_architecture(""), "");
}

struct RealFile {
    const char* path;
    const char* family;
    std::int64_t depth, width;
};

TEST(HfConfig, RealFilesOfOthers) {
    for (const RealFile& one : {
             RealFile{"data/models/configs/albert_zh_xxlarge.albert_config.json", "albert", 12, 4096},
             RealFile{"data/models/configs/bert-base-uncased.config.json", "bert", 12, 768},
             RealFile{"data/models/configs/gpt2-large.config.json", "gpt2", 36, 1280},
             RealFile{"data/models/ttm_v1/config.json", "tinytimemixer", 6, 192},
         }) {
        const auto path = shared_file(one.path);
        if (!path) GTEST_SKIP() << one.path << " is absent";
        const auto shape = shape_from_config(read_json(*path).value(), one.path).value();
        EXPECT_EQ(shape.family, one.family);
        EXPECT_EQ(shape.depth, one.depth);
        EXPECT_EQ(shape.width, one.width);
    }
}

}  // namespace
}  // namespace plimsoll::formats
