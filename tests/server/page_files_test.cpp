#include "plimsoll/server/page_files.h"

#include <gtest/gtest.h>

namespace plimsoll::server {
namespace {

const std::string pack =
    R"([{"path":"/","type":"text/html","tag":"\"a\"","offset":0,"size":5,"gzip_offset":5,"gzip_size":2},)"
    R"({"path":"/x.woff2","type":"font/woff2","tag":"\"b\"","offset":7,"size":3}])"
    "\nhellogzfon";

Request asking(const std::string& path, std::map<std::string, std::string> headers = {}) {
    return {"GET", path, {}, std::move(headers), "", ""};
}

TEST(PageFiles, AnswerWithWhatIsInThePack) {
    const auto files = PageFiles::of(pack);
    ASSERT_TRUE(files.ok());
    EXPECT_EQ(files->answer(asking("/"))->body, "hello");
    EXPECT_EQ(files->answer(asking("/", {{"accept-encoding", "gzip, br"}}))->body, "gz");
    EXPECT_EQ(files->answer(asking("/x.woff2", {{"accept-encoding", "gzip"}}))->body, "fon");
    EXPECT_EQ(files->answer(asking("/", {{"if-none-match", "\"a\""}}))->status, 304);
    EXPECT_FALSE(files->answer(asking("/y")).has_value());
}

TEST(PageFiles, ABinaryWithoutThePageSaysSo) {
    EXPECT_TRUE(PageFiles::of("")->empty());
    EXPECT_NE(no_page().body.find("bin/plimsoll serve"), std::string::npos);
}

TEST(PageFiles, RefuseAPackThatIsCutOff) {
    EXPECT_FALSE(PageFiles::of(pack.substr(0, pack.size() - 1)).ok());
    EXPECT_FALSE(PageFiles::of("[{").ok());
}

// What this binary carries, where it carries one.
TEST(PageFiles, TheirOwnPackIsWhole) {
    const auto files = PageFiles::of(packed_page());
    ASSERT_TRUE(files.ok());
    if (!files->empty()) EXPECT_TRUE(files->all().contains("/") && files->all().contains("/page.js"));
}

}  // namespace
}  // namespace plimsoll::server
