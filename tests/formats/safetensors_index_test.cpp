#include "plimsoll/formats/safetensors/safetensors_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/formats/byte_text.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "tests/formats/hostile_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::formats {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A folder with shards of one-float tensors and an index.
class ShardIndexTest : public ::testing::Test {
  protected:
    void shard(const std::string& name, const std::vector<std::string>& tensors) {
        std::vector<TensorData> data;
        for (const auto& tensor : tensors)
            data.push_back({.name = tensor, .shape = {1}, .bytes = as_bytes(one_)});
        ASSERT_TRUE(write_safetensors(folder_.path() / name, data, {{"from", name}}).ok());
    }
    void index(std::string_view text) {
        ASSERT_TRUE(atomic_write(folder_.path() / shard_index_name, text).ok());
    }
    [[nodiscard]] std::string complaint() const { return error_text(read_sharded(folder_.path())); }
    testing::TempDir folder_;
    std::string one_ = "1234";
};

TEST(ShardIndex, EveryAttackIsRefusedWithItsSentence) {
    for (const auto& file : testing::hostile_indexes()) {
        const auto index = parse_shard_index(file.bytes, "i.json");
        ASSERT_FALSE(index.ok()) << file.name;
        EXPECT_EQ(index.error().kind, file.kind) << file.name;
        EXPECT_THAT(index.error().text(), HasSubstr(file.sentence)) << file.name;
    }
}

TEST(ShardIndex, TextCutAnywhereIsRefused) {
    for (const auto& file : testing::valid_indexes()) {
        ASSERT_TRUE(parse_shard_index(file.bytes, "i").ok()) << file.name;
        for (std::size_t size = 0; size < file.bytes.size(); ++size) {
            EXPECT_FALSE(parse_shard_index(file.bytes.substr(0, size), "i").ok())
                << file.name << " at " << size;
        }
    }
}

TEST(ShardIndex, ShardsAndTensorsAreSorted) {
    const auto index = parse_shard_index(testing::valid_indexes()[0].bytes, "i");
    ASSERT_TRUE(index.ok());
    EXPECT_THAT(index->shards, ElementsAre("1.safetensors", "2.safetensors"));
    EXPECT_THAT(index->tensors, ElementsAre(std::pair("a", 0U), std::pair("b", 1U), std::pair("c", 0U)));
    EXPECT_EQ(index->total_size, 8U);
}

TEST_F(ShardIndexTest, AllShardsMakeOneTable) {
    shard("1.safetensors", {"a", "c"});
    shard("2.safetensors", {"b"});
    index(
        R"({"metadata":{"total_size":12},"weight_map":{"b":"2.safetensors","a":"1.safetensors","c":"1.safetensors"}})");
    for (const fs::path& path : {folder_.path(), folder_.path() / shard_index_name}) {
        const auto table = read_safetensors_model(path);
        ASSERT_TRUE(table.ok()) << table.error().text();
        EXPECT_THAT(table->files,
                    ElementsAre(folder_.path() / "1.safetensors", folder_.path() / "2.safetensors"));
        EXPECT_EQ(table->elements(), 3U);
        EXPECT_EQ(table->find("b")->file, 1U);
        EXPECT_EQ(table->find("c")->file, 0U);
        EXPECT_EQ(table->metadata["from"], "1.safetensors");
        EXPECT_TRUE(table->remarks.empty());
    }
}

TEST_F(ShardIndexTest, AWrongTotalSizeIsSaidAndNotRefused) {
    shard("1.safetensors", {"a"});
    index(R"({"metadata":{"total_size":5},"weight_map":{"a":"1.safetensors"}})");
    EXPECT_THAT(read_sharded(folder_.path())->remarks,
                ElementsAre("the index states a total_size of 5 bytes, its tensors have 4"));
}

TEST_F(ShardIndexTest, AMissingShardIsNotFoundByName) {
    index(R"({"weight_map":{"a":"gone.safetensors"}})");
    EXPECT_THAT(complaint(), HasSubstr("names the shard gone.safetensors, which is not there"));
    EXPECT_EQ(read_sharded(folder_.path()).error().kind, ErrorKind::not_found);
}

TEST_F(ShardIndexTest, IndexAndShardsMustHoldTheSameTensors) {
    shard("1.safetensors", {"a", "c"});
    shard("2.safetensors", {"b"});
    index(R"({"weight_map":{"a":"1.safetensors"}})");
    EXPECT_THAT(complaint(), HasSubstr("tensor 'c' of 1.safetensors is not in the weight_map for that file"));
    index(R"({"weight_map":{"a":"1.safetensors","b":"1.safetensors","c":"1.safetensors"}})");
    EXPECT_THAT(complaint(), HasSubstr("tensor 'b' should be in 1.safetensors and is not"));
    index(R"({"weight_map":{"a":"1.safetensors","c":"1.safetensors","z":"1.safetensors"}})");
    EXPECT_THAT(complaint(), HasSubstr("tensor 'z' should be in 1.safetensors and is not"));
    index(R"({"weight_map":{"a":"1.safetensors","c":"1.safetensors","b":"2.safetensors"}})");
    EXPECT_EQ(complaint(), "");
}

TEST_F(ShardIndexTest, ATensorInTwoShardsIsRefused) {
    shard("1.safetensors", {"a"});
    shard("2.safetensors", {"a", "b"});
    index(R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
    EXPECT_THAT(complaint(), HasSubstr("tensor 'a' of 2.safetensors is not in the weight_map for that file"));
}

TEST_F(ShardIndexTest, ABrokenShardIsNamed) {
    ASSERT_TRUE(atomic_write(folder_.path() / "1.safetensors", "xx").ok());
    index(R"({"weight_map":{"a":"1.safetensors"}})");
    EXPECT_THAT(complaint(), HasSubstr("1.safetensors: is 2 bytes long"));
}

TEST_F(ShardIndexTest, AFolderWithoutAModelIsNotFound) {
    const auto none = read_safetensors_model(folder_.path());
    EXPECT_EQ(none.error().kind, ErrorKind::not_found);
    EXPECT_THAT(none.error().text(),
                HasSubstr("holds neither model.safetensors nor model.safetensors.index.json"));
    shard("model.safetensors", {"a"});
    EXPECT_EQ(read_safetensors_model(folder_.path())->elements(), 1U);
}

}  // namespace
}  // namespace plimsoll::formats
