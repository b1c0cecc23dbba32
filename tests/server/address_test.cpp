#include "plimsoll/server/http/address.h"

#include <gtest/gtest.h>

namespace plimsoll::server {
namespace {

TEST(Address, SplitsPathAndQuery) {
    const auto address = parse_address("/api/v1/zoo?filter=year%3E2020&filter=a+b&sort=-width&empty&=x#part");
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->path, "/api/v1/zoo");
    const Query expected{
        {"filter", "year>2020"}, {"filter", "a b"}, {"sort", "-width"}, {"empty", ""}, {"", "x"}};
    EXPECT_EQ(address->query, expected);
}

TEST(Address, APlusInThePathIsAPlus) { EXPECT_EQ(parse_address("/a+b%20c")->path, "/a+b c"); }

// Every way to write a step upwards, or a byte that ends a C string.
TEST(Address, RefusesWaysOut) {
    for (const char* target : {"/..",
                               "/../etc/passwd",
                               "/a/../b",
                               "/a/./b",
                               "/%2e%2e/etc/passwd",
                               "/%2E%2e",
                               "/a/%2e%2e%2fb",
                               "/a//b",
                               "//evil.example/x",
                               "/a%2f%2fb",
                               "/a\\..\\b",
                               "/%5c..%5c",
                               "/a%00.json",
                               "/%c0%ae%c0%ae/",
                               "/%ff",
                               "",
                               "a",
                               "http://evil.example/",
                               "*",
                               "/%",
                               "/%4",
                               "/%zz",
                               "/a?b=%00",
                               "/a?b=%e0%80"}) {
        EXPECT_FALSE(parse_address(target).ok()) << target;
    }
}

TEST(Address, DecodesOnce) {
    EXPECT_EQ(parse_address("/%252e%252e/x")->path, "/%2e%2e/x");  // a name that nothing has
}

TEST(Address, CountsParameters) {
    std::string query = "/a?";
    for (int i = 0; i < 64; ++i) query += "x=1&";
    EXPECT_TRUE(parse_address(query).ok());
    EXPECT_FALSE(parse_address(query + "x=1").ok());
}

}  // namespace
}  // namespace plimsoll::server
