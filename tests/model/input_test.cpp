#include "tests/model/model_test_support.h"
#include "tests/support/error_text.h"
#include "tests/support/random_spec.h"

namespace plimsoll::model {
namespace {

std::string complaint(const std::string& spec, const Input& input) {
    return error_text(check_input(*arch::parse_spec(spec), input));
}

Input tokens(std::vector<std::int64_t> shape) {
    Input input;
    input.tokens = at::zeros(shape, at::kLong);
    return input;
}

Input values(std::vector<std::int64_t> shape) {
    Input input;
    input.values = at::zeros(shape);
    return input;
}

TEST(CheckInput, AcceptsWhatEveryFamilyReads) {
    testing::for_random_specs(
        5, [](const arch::ArchSpec& spec) { EXPECT_TRUE(check_input(spec, sample_input(spec, 1, 3)).ok()); });
}

TEST(CheckInput, SaysWhatIsWrong) {
    const std::string text = "transformer:depth=1,width=8,heads=2,vocab=7,context=6";
    EXPECT_EQ(complaint(text, values({2, 6})), "tokens: missing; the network reads (batch, positions) ids");
    EXPECT_EQ(complaint(text, tokens({2, 7})), "tokens: must have 1 to 6 positions, got 7");
    EXPECT_EQ(complaint(text, tokens({2})), "tokens: must be (batch, positions) 64-bit integers");
    EXPECT_EQ(complaint(text + ",positions=alibi", tokens({2, 7})), "");
    Input padded = tokens({2, 6});
    padded.padding = at::zeros({2, 5}, at::kBool);
    EXPECT_EQ(complaint(text, padded), "padding: must have the shape of tokens");
    EXPECT_EQ(complaint("mixer:depth=1,tokens=4,channels=8,vocab=7", tokens({2, 3})), "");
    EXPECT_EQ(complaint("mixer:depth=1,tokens=4,channels=8,vocab=7,causal=off", tokens({2, 3})),
              "tokens: must have 4 positions, got 3");
    const std::string image = "mixer:depth=1,channels=8,patch=4,image=8,image_channels=3,classes=2";
    EXPECT_EQ(complaint(image, values({5, 3, 8, 7})), "values: must be (batch, 3, 8, 8), got (5, 3, 8, 7)");
    EXPECT_EQ(complaint(image, tokens({1, 1})), "values: missing; the network reads (batch, 3, 8, 8)");
    EXPECT_EQ(complaint("sw-mlp:depth=1,width=8,connections=3,inputs=192", values({5, 3, 8, 8})), "");
    EXPECT_EQ(complaint("sw-mlp:depth=1,width=8,connections=3", values({5, 7})),
              "values: must be (batch, 8), got (5, 7)");
    EXPECT_EQ(complaint("attention:depth=1,width=4,heads=1,positions=free,context=3", values({1, 4, 4})),
              "values: must have at most 3 positions, got 4");
}

}  // namespace
}  // namespace plimsoll::model
