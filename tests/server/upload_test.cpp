#include "plimsoll/server/upload.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"

namespace plimsoll::server {
namespace {

Request sent(const std::string& body, Query query) {
    return {"POST", "/api/v1/audit", std::move(query), {}, body, ""};
}

TEST(Upload, BecomesAFileOfAFixedName) {
    const auto upload = store_upload(sent("{}", {{"kind", "config"}}));
    ASSERT_TRUE(upload.ok());
    EXPECT_EQ(*read_text(upload->folder.path() / "upload" / "config.json"), "{}");
    EXPECT_EQ(upload->words, (std::vector<std::string>{"audit", "./config.json", "--json"}));
}

// A header alone, in a file as long as the real one that takes no room.
TEST(Upload, StretchesWeights) {
    const auto upload = store_upload(sent("12345678{}", {{"kind", "safetensors"}, {"size", "16000000000"}}));
    ASSERT_TRUE(upload.ok()) << upload.error().text();
    EXPECT_EQ(std::filesystem::file_size(upload->folder.path() / "upload" / "model.safetensors"),
              16'000'000'000U);
}

TEST(Upload, GoesAway) {
    std::filesystem::path folder;
    {
        const auto upload = store_upload(sent("{}", {{"kind", "config"}}));
        folder = upload->folder.path();
        EXPECT_TRUE(std::filesystem::exists(folder));
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Upload, RefusesOtherKindsAndSizes) {
    EXPECT_FALSE(store_upload(sent("{}", {})).ok());
    EXPECT_FALSE(store_upload(sent("{}", {{"kind", "../x"}})).ok());
    EXPECT_FALSE(store_upload(sent("{}", {{"kind", "pickle"}})).ok());
    EXPECT_FALSE(store_upload(sent("", {{"kind", "config"}})).ok());
    EXPECT_FALSE(store_upload(sent("12345678", {{"kind", "gguf"}, {"size", "7"}})).ok());
    EXPECT_FALSE(store_upload(sent("12345678", {{"kind", "gguf"}, {"size", "99T"}})).ok());
    EXPECT_FALSE(store_upload(sent("12345678", {{"kind", "gguf"}, {"size", "x"}})).ok());
}

}  // namespace
}  // namespace plimsoll::server
