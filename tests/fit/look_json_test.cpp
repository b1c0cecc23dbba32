#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/fit/look/look.h"
#include "tests/fit/read_back.h"
#include "tests/support/error_text.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;

// Numbers that only an exact way there and back keeps.
DataLook some_look() {
    DataLook look{
        .data = "folder/\"text\"", .modality = Modality::pairs, .goal = Goal::accuracy, .unit = "pairs"};
    look.size = 18'000'000'000'000'000'001ULL;
    look.held_out = 7;
    look.held_out_part = "last 10 %";
    look.classes = 3;
    look.image_height = 28;
    look.image_width = 29;
    look.image_channels = 1;
    look.length = 33;
    look.inputs = {
        {"bytes", "bytes", 257, 0, 192, 1, 55, 29.7, "counted", 0.1},
        {"bpe-500", "out/tokenizers/bpe-500.json", 500, 4, 80, 1.0 / 3, 0.1 + 0.2, 5e-324, "\n", 1 / 7.0}};
    look.dependence = {"bytes",   {{1, 1.0 / 7, 1e-17}, {2, 0, 3}}, 16, {{"left/right", 2.0 / 3, 0.01}}, 256,
                       {"a", "b"}};
    look.notes = {"one", ""};
    look.chance = 0.69061996;
    return look;
}

TEST(LookJson, ComesBackExactly) {
    const DataLook look = some_look();
    const auto text = to_json(look).dump();
    const auto back = look_from_json(parse_json(text, "look.json").value(), "look.json");
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_EQ(*back, look);
    EXPECT_EQ(to_json(*back).dump(), text);
}

TEST(LookJson, EveryModalityAndGoalHasAName) {
    for (const Modality modality : all_values(Modality{})) {
        for (const Goal goal : all_values(Goal{})) {
            DataLook look;
            look.modality = modality;
            look.goal = goal;
            EXPECT_EQ(to_json(look).at("modality"), std::string(name_of(modality)));
            EXPECT_EQ(look_from_json(to_json(look), "").value(), look);
        }
    }
}

// What reading a value says after its JSON was changed.
template <class T>
std::string error_after(const T& value, Result<T> (*read)(const Json&),
                        const std::function<void(Json&)>& change) {
    Json json = to_json(value);
    change(json);
    return error_text(read(json));
}

std::string look_error(const std::function<void(Json&)>& change) {
    const auto read = [](const Json& json) { return look_from_json(json, "look.json"); };
    return error_after<DataLook>(some_look(), read, change);
}

TEST(LookJson, SaysWhatIsWrong) {
    EXPECT_EQ(look_error([](Json& json) { json["size"] = -1; }),
              "look.json.size: is not in 0..18446744073709551615");
    EXPECT_EQ(look_error([](Json& json) { json["size"] = 1.5; }), "look.json.size: is not a whole number");
    EXPECT_EQ(look_error([](Json& json) { json["length"] = 1ULL << 63; }),
              "look.json.length: is not in -9223372036854775808..9223372036854775807");
    EXPECT_EQ(look_error([](Json& json) { json["modality"] = "video"; }),
              "look.json.modality: is none of text, tokens, images, pairs, sequences, rows");
    EXPECT_EQ(look_error([](Json& json) { json["goal"] = 0; }),
              "look.json.goal: is none of bits per byte, accuracy, explained variance");
    EXPECT_EQ(look_error([](Json& json) { json["inputs"][1]["rank"] = "x"; }),
              "look.json.inputs[1].rank: is not a number");
    EXPECT_EQ(look_error([](Json& json) { json.erase("notes"); }), "look.json.notes: is missing");
    EXPECT_EQ(look_error([](Json& json) { json["more"] = 1; }), "look.json.more: is unknown");
    EXPECT_EQ(look_error([](Json& json) { json["inputs"][0]["\033"] = 1; }),
              "look.json.inputs[0].\\x1b: is unknown");
    EXPECT_EQ(look_error([](Json& json) { json["dependence"] = 4; }), "look.json.dependence: is not a table");
    EXPECT_EQ(look_error([](Json& json) { json["notes"] = "a"; }), "look.json.notes: is not a list");
    EXPECT_EQ(look_error([](Json& json) { json["unit"] = 1; }), "look.json.unit: is not text");
    EXPECT_EQ(look_error([](Json& json) { json = Json::array(); }), "look.json: is not a table");
    EXPECT_EQ(look_error([](Json&) {}), "");
}

TEST(RaceJson, SaysWhatIsWrong) {
    Race race;
    race.entries = {{.candidate = "c01", .curve = {{1, 2}, {3, 4}}}};
    const auto error = [&](const auto& change) { return error_after<Race>(race, race_from_json, change); };
    EXPECT_EQ(error([](Json& json) { json["more"] = 1; }), "race.more: is unknown");
    EXPECT_EQ(error([](Json& json) { json["plan"]["budget"] = 1; }), "race.plan.budget: is unknown");
    EXPECT_EQ(error([](Json& json) { json["entries"][0]["rung"] = 3'000'000'000; }),
              "race.entries[0].rung: is not in -2147483648..2147483647");
    EXPECT_EQ(error([](Json& json) { json["entries"][0]["curve"][1] = 3; }),
              "race.entries[0].curve[1]: is not a pair");
    EXPECT_EQ(error([](Json& json) { json["entries"][0]["curve"][1][0] = "a"; }),
              "race.entries[0].curve[1][0]: is not a number");
    EXPECT_EQ(error([](Json& json) { json["complete"] = 1; }), "race.complete: is not true or false");
    EXPECT_EQ(error([](Json&) {}), "");
}

TEST(DecisionJson, SaysWhatIsWrong) {
    Decision decision;
    decision.rivals.resize(1);
    const auto error = [&](const auto& change) {
        return error_after<Decision>(decision, decision_from_json, change);
    };
    EXPECT_EQ(error([](Json& json) { json["seeds"] = -3; }),
              "decision.seeds: is not in 0..18446744073709551615");
    EXPECT_EQ(error([](Json& json) { json["rivals"][0]["more"] = 1; }),
              "decision.rivals[0].more: is unknown");
    EXPECT_EQ(error([](Json& json) { json["tenfold"].erase("known"); }),
              "decision.tenfold.known: is missing");
    EXPECT_EQ(error([](Json&) {}), "");
}

FitRequest some_request() {
    FitRequest request;
    request.data = "a.txt";
    request.parameters = 100'000;
    request.seconds = 60.5;
    request.families = {"mixer"};
    return request;
}

// fit() compares the request of a folder with the one at hand as JSON, whose keys have an order: this is the
// text that folders on disk hold.
TEST(RequestJson, IsTheTextThatFoldersHold) {
    const std::string text =
        R"({"data":"a.txt","params":100000,"families":["mixer"],"vocab":[],"context":0,"device":"cpu",)"
        R"("seed":1,"time":60.5,"flops":null,"style":"auto","recipe":null,"input":""})";
    EXPECT_EQ(to_json(some_request()).dump(), text);
    const auto back = request_from_json(parse_json(text, "request.json").value());
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_EQ(back->seconds, 60.5);
    EXPECT_EQ(back->flops, std::nullopt);
    EXPECT_EQ(to_json(*back).dump(), text);
}

TEST(RequestJson, OnlyTheBudgetMayBeMissing) {
    const auto error = [](const auto& change) {
        return error_after<FitRequest>(some_request(), request_from_json, change);
    };
    EXPECT_EQ(error([](Json& json) { json.erase("flops"); }), "");
    EXPECT_EQ(error([](Json& json) { json.erase("seed"); }), "request.seed: is missing");
    EXPECT_EQ(error([](Json& json) { json["time"] = "long"; }), "request.time: is not a number");
    EXPECT_EQ(error([](Json& json) { json["workers"] = 2; }), "request.workers: is unknown");
}

TEST(LookSentences, SpeakOfTheData) {
    DataLook look{.data = "x", .modality = Modality::images, .goal = Goal::accuracy, .unit = "images"};
    look.size = 70'000;
    look.held_out = 10'000;
    look.held_out_part = "test";
    look.classes = 10;
    look.image_height = look.image_width = 28;
    look.image_channels = 1;
    look.chance = 0.1;
    look.inputs = {{.name = "patch 4",
                    .patch = 4,
                    .tokens = 49,
                    .units_per_token = 16,
                    .rank = 16,
                    .effective_rank = 9.783}};
    look.notes = {"A note."};
    EXPECT_THAT(
        sentences(look),
        ElementsAre(
            "70000 images of 28 x 28 pixels and 1 channel in 10 classes; 10000 images are held out (test).",
            "Always the most frequent class is right in 10 % of the held-out images.",
            "patch 4: 49 tokens of 16 numbers, rank 16, effective rank 9.78 (measured).", "A note."));
    look.modality = Modality::text;
    look.goal = Goal::bits_per_byte;
    look.unit = "bytes";
    look.classes = 0;
    look.chance = 4.774;
    look.inputs = {{.name = "bpe-2000",
                    .vocab = 2000,
                    .tokens = 104,
                    .units_per_token = 2.551,
                    .rank = 1705,
                    .effective_rank = 1360.2}};
    EXPECT_THAT(
        sentences(look),
        ElementsAre(
            "68.4 KiB of text; 9.77 KiB are held out (test).", "Frequencies alone give 4.77 bits per byte.",
            "bpe-2000: vocabulary 2000, rank 1705 (counted), effective rank 1360, 2.55 bytes per token held "
            "out; 104 tokens an example.",
            "A note."));
}

TEST(ValueUnit, IsBytesOnlyWhereBytesAreKnown) {
    DataLook look;
    EXPECT_EQ(value_unit(look), "bits per byte");
    look.modality = Modality::tokens;
    EXPECT_EQ(value_unit(look), "bits per token");
    look.goal = Goal::accuracy;
    EXPECT_EQ(value_unit(look), "% accuracy");
}

}  // namespace
}  // namespace plimsoll::fit
