#include "plimsoll/formats/gguf/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/formats/byte_text.h"
#include "tests/formats/hostile_files.h"
#include "tests/formats/random_tensors.h"
#include "tests/support/error_text.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/random_spec.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::formats {
namespace {

using testing::gguf_bool;
using testing::gguf_f32;
using testing::gguf_header;
using testing::gguf_padding;
using testing::gguf_text;
using testing::gguf_texts;
using testing::gguf_u32;
using testing::gguf_u32s;
using testing::gguf_u64;
using testing::write_gguf;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<GgufFile> parse(std::string_view bytes) { return parse_gguf(as_bytes(bytes), bytes.size(), "f"); }

std::string valid(std::string_view name) {
    for (const auto& file : testing::valid_ggufs()) {
        if (file.name == name) return file.bytes;
    }
    return "";
}

TEST(Gguf, EveryAttackIsRefusedWithItsSentence) {
    for (const auto& file : testing::hostile_ggufs()) {
        const auto parsed = parse(file.bytes);
        ASSERT_FALSE(parsed.ok()) << file.name;
        EXPECT_EQ(parsed.error().kind, file.kind) << file.name;
        EXPECT_THAT(parsed.error().text(), HasSubstr("f: ")) << file.name;
        EXPECT_THAT(parsed.error().text(), HasSubstr(file.sentence)) << file.name;
    }
}

TEST(Gguf, AFileCutAnywhereBeforeTheEndOfItsDataIsRefused) {
    for (const auto& file : testing::valid_ggufs()) {
        const auto parsed = parse(file.bytes);
        ASSERT_TRUE(parsed.ok()) << file.name << ": " << parsed.error().text();
        std::size_t end = parsed->table.tensors.empty() ? file.bytes.size() : 0;
        for (const auto& tensor : parsed->table.tensors) end = std::max(end, tensor.begin + tensor.bytes);
        for (std::size_t size = 0; size < end; ++size) {
            EXPECT_FALSE(parse(file.bytes.substr(0, size)).ok()) << file.name << " cut at " << size;
        }
    }
}

TEST(Gguf, AChangedByteNeverGivesATensorOutsideTheFile) {
    for (const auto& file : testing::valid_ggufs()) {
        for (std::size_t i = 0; i < file.bytes.size(); ++i) {
            for (const char change : {'\x01', '\x10', '\x80', '\xff'}) {
                std::string bytes = file.bytes;
                bytes[i] = static_cast<char>(bytes[i] ^ change);
                const auto parsed = parse(bytes);
                if (!parsed.ok()) continue;
                for (const auto& tensor : parsed->table.tensors)
                    EXPECT_LE(tensor.begin + tensor.bytes, bytes.size());
                static_cast<void>(parsed->table.metadata.dump());
            }
        }
    }
}

TEST(Gguf, KeysKeepTheirNamesAndTypes) {
    const auto file = parse(valid("keys_and_tensors"));
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(file->keys[1].name, "llama.block_count");
    EXPECT_EQ(file->find("llama.block_count")->type, GgufType::u32);
    EXPECT_EQ(as_integer(*file->find("llama.context_length")), 4096);
    EXPECT_EQ(as_text(*file->find("general.architecture")), "llama");
    EXPECT_EQ(file->find("llama"), nullptr);
    EXPECT_EQ(file->table.metadata.dump(),
              R"({"general.architecture":"llama","llama.block_count":2,"llama.context_length":4096,)"
              R"("general.quantized":true,"tokenizer.ggml.tokens":["a",")"
              "\xEF\xBF\xBD"
              R"("],"nested":{"type":"array","count":1}})");
}

TEST(Gguf, ShapesAreOutermostFirstAndTensorsInTheOrderOfTheirData) {
    const auto file = parse(valid("keys_and_tensors"));
    ASSERT_TRUE(file.ok());
    const auto& tensors = file->table.tensors;
    ASSERT_EQ(tensors.size(), 2U);
    EXPECT_EQ(tensors[0].name, "a");
    EXPECT_THAT(tensors[0].shape, ElementsAre(2, 4));
    EXPECT_EQ(tensors[0].bytes, 32U);
    EXPECT_EQ(tensors[1].name, "b");
    EXPECT_THAT(tensors[1].shape, ElementsAre(2, 32));
    EXPECT_EQ(type_name(tensors[1]), "Q4_0");
    EXPECT_EQ(tensors[1].elements, 64U);
    EXPECT_EQ(tensors[1].bytes, 36U);
    EXPECT_EQ(tensors[1].begin - tensors[0].begin, 64U);
    EXPECT_EQ(tensors[0].begin % 32, 0U);
}

TEST(Gguf, WhatIsOddButReadableIsSaid) {
    EXPECT_THAT(
        parse(valid("part_2_of_3"))->table.remarks,
        ElementsAre("this is part 2 of 3 of a split model; the tensors of the other parts are not counted"));
    EXPECT_THAT(parse(valid("trailing"))->table.remarks,
                ElementsAre("32 bytes follow the last tensor and belong to nothing"));
    EXPECT_THAT(parse(valid("keys_and_tensors"))->table.remarks, IsEmpty())
        << "less than the alignment is padding";
    EXPECT_THAT(parse(valid("nothing"))->table.remarks, IsEmpty());
}

TEST(Gguf, TheHeadIsEnoughWhateverFollowsIt) {
    auto bytes =
        testing::gguf_start(1, 0).text("t").u32(1).u64(25'000'000'000).u32(0).u64(0).zeros(32, 0).str();
    const auto file = parse_gguf(as_bytes(bytes), bytes.size() + 100'000'000'000ULL, "f");
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(file->table.elements(), 25'000'000'000ULL);
}

// The limit is on what is read, not on what the file holds: 100 MB of strings in a mapped, sparse file.
TEST(Gguf, AHeadAboveTheLimitIsRefused) {
    const testing::TempDir folder;
    const auto path = folder.path() / "x.gguf";
    ASSERT_TRUE(
        atomic_write(path, testing::gguf_start(0, 1).text("k").u32(8).u64(max_gguf_header).str()).ok());
    std::filesystem::resize_file(path, 2 * max_gguf_header);
    EXPECT_THAT(
        read_gguf(path).error().text(),
        HasSubstr(
            "its keys and tensor descriptions go past the limit of 100000000 bytes (in a string value"));
}

std::vector<GgufKey> random_keys(RandomStream& random) {
    std::vector<GgufKey> keys{{"a", gguf_u32(static_cast<std::uint32_t>(random.next()))},
                              {"b", gguf_u64(random.next())},
                              {"c", gguf_f32(static_cast<float>(random.uniform()))},
                              {"d", gguf_bool(random.below(2) == 1)},
                              {"e", gguf_text(std::string(random.below(9), '\xff'))}};
    const std::vector<std::uint32_t> numbers(random.below(5), 7);
    const std::vector<std::string> texts(random.below(5), std::string(random.below(3), 'x'));
    keys.push_back({"f", gguf_u32s(numbers)});
    keys.push_back({"g", gguf_texts(texts)});
    if (random.below(2) == 1) keys.push_back({"general.alignment", gguf_u32(8U << random.below(5))});
    return keys;
}

std::string whole_file(const testing::RandomTensors& drawn, const std::vector<GgufKey>& keys) {
    std::string bytes = *gguf_header(keys, drawn.tensors);
    for (const std::string& data : drawn.data)
        bytes += data + std::string(gguf_padding(data.size(), keys), '\0');
    return bytes;
}

TEST(Gguf, WhatIsWrittenIsReadBack) {
    for (int seed = 0; seed < 50 * testing::test_scale(); ++seed) {
        RandomStream random(static_cast<std::uint64_t>(seed), "gguf");
        const auto drawn =
            testing::random_tensors(random, 6, 1, {Dtype::f32, Dtype::bf16, Dtype::i8, Dtype::f64});
        const auto keys = random_keys(random);
        const std::string bytes = whole_file(drawn, keys);
        const auto file = parse(bytes);
        ASSERT_TRUE(file.ok()) << "seed " << seed << ": " << file.error().text();
        EXPECT_EQ(file->version, 3U);
        EXPECT_EQ(file->keys, keys);
        EXPECT_THAT(file->table.remarks, IsEmpty());
        EXPECT_EQ(file->table.tensors.size(), drawn.tensors.size());
        for (const TensorData& tensor : drawn.tensors) {
            const TensorInfo* info = file->table.find(tensor.name);
            ASSERT_NE(info, nullptr);
            EXPECT_EQ(info->shape, tensor.shape);
            EXPECT_EQ(info->dtype, tensor.dtype);
            EXPECT_EQ(std::string_view(bytes).substr(info->begin, info->bytes), as_text(tensor.bytes));
        }
    }
}

TEST(Gguf, AFileHoldsHeadAndData) {
    const testing::TempDir folder;
    const auto path = folder.path() / "x.gguf";
    RandomStream random(3, "gguf");
    const auto drawn = testing::random_tensors(random, 6, 1, {Dtype::f16});
    const auto keys = random_keys(random);
    ASSERT_TRUE(write_gguf(path, keys, drawn.tensors).ok());
    EXPECT_EQ(*read_text(path), whole_file(drawn, keys));
    EXPECT_EQ(read_gguf(path)->keys, keys);
}

TEST(Gguf, TheWriterRefusesWhatTheReaderWould) {
    const std::string data(32, 'x');
    const auto complaint = [&](std::vector<GgufKey> keys, const TensorData& tensor) {
        return error_text(gguf_header(keys, std::span(&tensor, 1)));
    };
    const TensorData good{.name = "t", .shape = {8}, .bytes = as_bytes(data)};
    EXPECT_EQ(complaint({}, good), "");
    EXPECT_THAT(complaint({{"", gguf_u32(1)}}, good), HasSubstr("a key is empty"));
    EXPECT_THAT(complaint({{"general.alignment", gguf_u32(1U << 31)}}, good), HasSubstr("power of two"));
    EXPECT_THAT(complaint({{"k", {.type = GgufType::u32, .bytes = "xyz"}}}, good),
                HasSubstr("GGUF to be written"));
    TensorData wrong = good;
    wrong.dtype = Dtype::u8;
    EXPECT_THAT(complaint({}, wrong), HasSubstr("tensor 't': ggml has no type for U8"));
    wrong = good;
    wrong.shape = {4};
    EXPECT_THAT(complaint({}, wrong), HasSubstr("tensor 't': its shape and type need 16 bytes"));
    wrong = good;
    wrong.shape = {1, 1, 1, 1, 8};
    EXPECT_THAT(complaint({}, wrong), HasSubstr("has 5 dimensions"));
}

}  // namespace
}  // namespace plimsoll::formats
