#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/fit/look.h"

namespace plimsoll::fit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
    for (int i = 0; i <= static_cast<int>(Modality::sequences); ++i) {
        DataLook look;
        look.modality = static_cast<Modality>(i);
        look.goal = i % 2 == 0 ? Goal::accuracy : Goal::bits_per_byte;
        EXPECT_EQ(look_from_json(to_json(look), "").value(), look);
    }
}

TEST(LookJson, ChoicesComeBackByThemselves) {
    const InputChoice choice = some_look().inputs[1];
    EXPECT_EQ(choice_from_json(to_json(choice), "").value(), choice);
}

std::string error_after(const std::function<void(Json&)>& change) {
    Json json = to_json(some_look());
    change(json);
    const auto back = look_from_json(json, "look.json");
    return back.ok() ? "no error" : back.error().text();
}

TEST(LookJson, SaysWhatIsWrong) {
    EXPECT_EQ(error_after([](Json& json) { json["size"] = -1; }), "look.json.size: must be a whole number");
    EXPECT_EQ(error_after([](Json& json) { json["modality"] = "video"; }),
              "look.json.modality: must be a known name");
    EXPECT_EQ(error_after([](Json& json) { json["inputs"][1]["rank"] = "x"; }),
              "look.json.inputs.rank: must be a number");
    EXPECT_EQ(error_after([](Json& json) { json.erase("notes"); }), "look.json.notes: must be there");
    EXPECT_EQ(error_after([](Json& json) { json["more"] = 1; }),
              "look.json: must be an object of 16 members");
    EXPECT_EQ(error_after([](Json& json) { json["dependence"] = 4; }),
              "look.json.dependence: must be an object");
    EXPECT_EQ(error_after([](Json& json) { json["notes"] = "a"; }), "look.json.notes: must be a list");
    EXPECT_EQ(error_after([](Json& json) { json["unit"] = 1; }), "look.json.unit: must be text");
    EXPECT_EQ(error_after([](Json&) {}), "no error");
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

}  // namespace
}  // namespace plimsoll::fit
