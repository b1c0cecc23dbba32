#include "plimsoll/formats/gguf/gguf_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/gguf_writer.h"

namespace plimsoll::formats {
namespace {

using testing::gguf_bool;
using testing::gguf_f32;
using testing::gguf_text;
using testing::gguf_texts;
using testing::gguf_u32;
using testing::gguf_u32s;
using testing::gguf_u64;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <class T>
GgufValue scalar(GgufType type, T value) {
    return {.type = type, .bytes = store_little(value)};
}

TEST(GgufValue, EveryWholeNumberTypeIsReadAsAWholeNumber) {
    EXPECT_EQ(as_integer(scalar<std::uint8_t>(GgufType::u8, 200)), 200);
    EXPECT_EQ(as_integer(scalar<std::int8_t>(GgufType::i8, -3)), -3);
    EXPECT_EQ(as_integer(scalar<std::uint16_t>(GgufType::u16, 65535)), 65535);
    EXPECT_EQ(as_integer(scalar<std::int16_t>(GgufType::i16, -300)), -300);
    EXPECT_EQ(as_integer(gguf_u32(4294967295U)), 4294967295);
    EXPECT_EQ(as_integer(scalar<std::int32_t>(GgufType::i32, -70000)), -70000);
    EXPECT_EQ(as_integer(gguf_u64(1ULL << 62)), std::int64_t{1} << 62);
    EXPECT_EQ(as_integer(gguf_u64(~0ULL)), std::nullopt) << "does not fit";
    EXPECT_EQ(as_integer(scalar<std::int64_t>(GgufType::i64, -1)), -1);
    for (const GgufValue& other : {gguf_f32(1), gguf_bool(true), gguf_text("1")}) {
        EXPECT_EQ(as_integer(other), std::nullopt);
    }
}

TEST(GgufValue, NumbersAndTexts) {
    EXPECT_EQ(to_json(gguf_f32(0.5)), 0.5);
    EXPECT_EQ(to_json(scalar(GgufType::f64, 0.1)), 0.1);
    EXPECT_EQ(to_json(gguf_u32(3)), 3);
    EXPECT_EQ(to_json(gguf_text("3")), "3");
    EXPECT_EQ(as_text(gguf_text("abc")), "abc");
    EXPECT_EQ(as_text(gguf_u32(3)), std::nullopt);
}

TEST(GgufValue, ArraysAreReadWholeOrNotAtAll) {
    const std::vector<std::uint32_t> numbers{8, 4, 8};
    const std::vector<std::string> words{"", "ab"};
    EXPECT_EQ(to_json(gguf_u32s(numbers)).dump(), "[8,4,8]");
    EXPECT_EQ(to_json(gguf_texts(words)).dump(), R"(["","ab"])");
    EXPECT_THAT(as_texts(gguf_texts(words)), ElementsAre("", "ab"));
    EXPECT_THAT(as_texts(gguf_u32s(numbers)), IsEmpty());
    EXPECT_THAT(as_texts(gguf_text("ab")), IsEmpty());
}

TEST(GgufValue, LargeValuesAreSummarisedInJson) {
    const std::vector<std::uint32_t> some(1024, 1), many(1025, 1);
    EXPECT_EQ(to_json(gguf_u32s(some)).size(), 1024U);
    EXPECT_EQ(to_json(gguf_u32s(many)).dump(), R"({"type":"u32","count":1025})");
    EXPECT_EQ(to_json(gguf_text(std::string(65'537, 'x'))).dump(), R"({"type":"string","bytes":65537})");
    EXPECT_EQ(to_json(gguf_text("a\xff")).dump(), "\"a\xEF\xBF\xBD\"");
    EXPECT_EQ(to_json(gguf_bool(false)).dump(), "false");
}

TEST(GgufValue, TypesHaveNamesAndSizes) {
    EXPECT_EQ(name_of(GgufType::boolean), "bool");
    EXPECT_EQ(size_of(GgufType::f64), 8U);
    EXPECT_EQ(size_of(GgufType::string), 0U);
}

}  // namespace
}  // namespace plimsoll::formats
