#include "plimsoll/formats/safetensors/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/formats/byte_text.h"
#include "tests/formats/hostile_files.h"
#include "tests/formats/random_tensors.h"
#include "tests/support/error_text.h"
#include "tests/support/random_spec.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::formats {
namespace {

using ::testing::HasSubstr;

Result<TensorTable> parse(std::string_view bytes) {
    return parse_safetensors(as_bytes(bytes), bytes.size(), "f");
}

TEST(Safetensors, EveryAttackIsRefusedWithItsSentence) {
    for (const auto& file : testing::hostile_safetensors()) {
        const auto table = parse(file.bytes);
        ASSERT_FALSE(table.ok()) << file.name;
        EXPECT_EQ(table.error().kind, file.kind) << file.name;
        EXPECT_THAT(table.error().text(), HasSubstr("f: ")) << file.name;
        EXPECT_THAT(table.error().text(), HasSubstr(file.sentence)) << file.name;
    }
}

TEST(Safetensors, AFileCutAnywhereIsRefused) {
    for (const auto& file : testing::valid_safetensors()) {
        ASSERT_TRUE(parse(file.bytes).ok()) << file.name << ": " << parse(file.bytes).error().text();
        for (std::size_t size = 0; size < file.bytes.size(); ++size) {
            EXPECT_FALSE(parse(file.bytes.substr(0, size)).ok()) << file.name << " cut at " << size;
        }
        EXPECT_FALSE(parse(file.bytes + '\0').ok()) << file.name << " with a byte too many";
    }
}

TEST(Safetensors, AChangedByteNeverGivesATensorOutsideTheFile) {
    for (const auto& file : testing::valid_safetensors()) {
        for (std::size_t i = 0; i < file.bytes.size(); ++i) {
            for (const char change : {'\x01', '\x10', '\x80', '\xff'}) {
                std::string bytes = file.bytes;
                bytes[i] = static_cast<char>(bytes[i] ^ change);
                const auto table = parse(bytes);
                if (!table.ok()) continue;
                for (const TensorInfo& tensor : table->tensors) {
                    EXPECT_LE(tensor.begin + tensor.bytes, bytes.size());
                }
            }
        }
    }
}

TEST(Safetensors, TensorsComeInTheOrderOfTheirData) {
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"late":{"dtype":"BF16","shape":[2,3],"data_offsets":[4,16]},)"
        R"("early":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}  )";
    const auto table = parse(testing::safetensors_file(header, 16));
    ASSERT_TRUE(table.ok()) << table.error().text();
    ASSERT_EQ(table->tensors.size(), 2U);
    const std::uint64_t data = 8 + header.size();
    EXPECT_EQ(table->tensors[0], (TensorInfo{.name = "early", .elements = 1, .begin = data, .bytes = 4}));
    EXPECT_EQ(table->tensors[1], (TensorInfo{.name = "late",
                                             .dtype = Dtype::bf16,
                                             .shape = {2, 3},
                                             .elements = 6,
                                             .begin = data + 4,
                                             .bytes = 12}));
    EXPECT_EQ(table->metadata.dump(), R"({"format":"pt"})");
    EXPECT_EQ(table->elements(), 7U);
}

TEST(Safetensors, TheHeaderIsEnoughWhateverFollowsIt) {
    const std::string header =
        R"({"t":{"dtype":"F32","shape":[25000000000],"data_offsets":[0,100000000000]}})";
    const std::string bytes = testing::safetensors_file(header, 0);
    const auto table = parse_safetensors(as_bytes(bytes), bytes.size() + 100'000'000'000ULL, "f");
    ASSERT_TRUE(table.ok()) << table.error().text();
    EXPECT_EQ(table->elements(), 25'000'000'000ULL);
    const auto less = parse_safetensors(as_bytes(bytes).first(50), bytes.size() + 100'000'000'000ULL, "f");
    EXPECT_THAT(less.error().text(), HasSubstr("is cut short"));
}

std::string whole_file(const testing::RandomTensors& drawn, const Json& metadata) {
    std::string bytes = *safetensors_header(drawn.tensors, metadata);
    for (const std::string& data : drawn.data) bytes += data;
    return bytes;
}

TEST(Safetensors, WhatIsWrittenIsReadBack) {
    for (int seed = 0; seed < 50 * testing::test_scale(); ++seed) {
        RandomStream random(static_cast<std::uint64_t>(seed), "safetensors");
        const auto drawn =
            testing::random_tensors(random, 6, 0, {Dtype::f32, Dtype::bf16, Dtype::u8, Dtype::f64});
        const Json metadata = seed % 2 == 0 ? Json::object() : Json{{"k\n", "v\xE2\x82\xAC"}, {"", ""}};
        const std::string file = whole_file(drawn, metadata);
        const auto table = parse(file);
        ASSERT_TRUE(table.ok()) << "seed " << seed << ": " << table.error().text();
        EXPECT_EQ(load_little<std::uint64_t>(as_bytes(file)) % 8, 0U) << "the header is padded";
        EXPECT_EQ(table->metadata, metadata);
        EXPECT_EQ(table->tensors.size(), drawn.tensors.size());
        for (const TensorData& tensor : drawn.tensors) {
            const TensorInfo* info = table->find(tensor.name);
            ASSERT_NE(info, nullptr);
            EXPECT_EQ(info->shape, tensor.shape);
            EXPECT_EQ(info->dtype, tensor.dtype);
            EXPECT_EQ(std::string_view(file).substr(info->begin, info->bytes), as_text(tensor.bytes));
        }
    }
}

TEST(Safetensors, AFileHoldsHeaderAndData) {
    const testing::TempDir folder;
    const auto path = folder.path() / "x.safetensors";
    RandomStream random(3, "safetensors");
    const auto drawn = testing::random_tensors(random, 6, 1, {Dtype::f32});
    ASSERT_TRUE(write_safetensors(path, drawn.tensors, Json::object()).ok());
    EXPECT_EQ(*read_text(path), whole_file(drawn, Json::object()));
    EXPECT_EQ(read_safetensors(path)->tensors, parse(*read_text(path))->tensors);
}

TEST(Safetensors, TheWriterRefusesWhatTheReaderWould) {
    const std::string data(4, 'x');
    const auto complaint = [&](TensorData tensor, const Json& metadata) {
        const std::vector<TensorData> tensors{std::move(tensor)};
        return error_text(safetensors_header(tensors, metadata));
    };
    const TensorData good{.name = "t", .shape = {1}, .bytes = as_bytes(data)};
    EXPECT_EQ(complaint(good, Json::object()), "");
    EXPECT_THAT(complaint(good, {{"k", 1}}), HasSubstr("must map strings to strings"));
    TensorData wrong = good;
    wrong.shape = {2};
    EXPECT_THAT(complaint(wrong, Json::object()), HasSubstr("need 8 bytes, its data_offsets hold 4"));
    wrong = good;
    wrong.name = "__metadata__";
    EXPECT_THAT(complaint(wrong, Json::object()), HasSubstr("'__metadata__'"));
    wrong = good;
    wrong.name = "\xff";
    EXPECT_THAT(complaint(wrong, Json::object()), HasSubstr("must be UTF-8"));
    wrong = good;
    wrong.dtype = Dtype::ggml_block;
    EXPECT_THAT(complaint(wrong, Json::object()), HasSubstr("dtype 'GGML' is not known"));
    const std::vector<TensorData> twice{good, good};
    EXPECT_THAT(safetensors_header(twice, Json::object()).error().text(),
                HasSubstr("tensor 't' is given twice"));
}

}  // namespace
}  // namespace plimsoll::formats
