#include "plimsoll/server/http/gate.h"

#include <gtest/gtest.h>

namespace plimsoll::server {
namespace {

using Headers = std::map<std::string, std::string>;

int status(const Gate& gate, Headers headers, const std::string& method = "GET",
           const std::string& path = "/api/v1/map", Query query = {}) {
    if (!headers.contains("host")) headers["host"] = "127.0.0.1:8420";
    const Request request{method, path, std::move(query), std::move(headers), "", "127.0.0.1"};
    const auto refused = gate.refused(request);
    return refused ? refused->status : 200;
}

TEST(Gate, LetsThisMachineIn) {
    for (const char* host :
         {"localhost", "localhost:8420", "LOCALHOST:1", "127.0.0.1:8420", "[::1]:8420", "10.0.0.7"})
        EXPECT_EQ(status({}, {{"host", host}}), 200) << host;
}

// A name of another site that was made to point here.
TEST(Gate, RefusesNamesOfOthers) {
    for (const char* host : {"evil.example", "evil.example:8420", "localhost.evil.example",
                             "127.0.0.1.evil.example", "", "[evil]", "[::1", "localhost@evil.example"})
        EXPECT_EQ(status({}, {{"host", host}}), 421) << host;
}

TEST(Gate, RefusesOtherOrigins) {
    EXPECT_EQ(status({}, {{"origin", "http://127.0.0.1:8420"}}, "POST"), 200);
    EXPECT_EQ(status({}, {{"origin", "http://evil.example"}}, "POST"), 403);
    EXPECT_EQ(status({}, {{"origin", "null"}}, "POST"), 403);
    EXPECT_EQ(status({}, {{"origin", "http://127.0.0.1:9999"}}, "POST"), 403);
    EXPECT_EQ(status({}, {{"origin", "https://127.0.0.1:8420"}}, "POST"), 403);
    EXPECT_EQ(status({}, {{"sec-fetch-site", "cross-site"}}), 403);
    EXPECT_EQ(status({}, {{"sec-fetch-site", "same-site"}}), 403);
    EXPECT_EQ(status({}, {{"sec-fetch-site", "same-origin"}}), 200);
    EXPECT_EQ(status({}, {{"sec-fetch-site", "none"}}), 200);
}

// Somebody's link may open the page, and nothing of the API.
TEST(Gate, ALinkOpensThePageAlone) {
    const Headers link{{"sec-fetch-site", "cross-site"}, {"sec-fetch-mode", "navigate"}};
    EXPECT_EQ(status({}, link, "GET", "/"), 200);
    EXPECT_EQ(status({}, link, "GET", "/api/v1/map"), 403);
    EXPECT_EQ(status({}, link, "POST", "/"), 403);
}

TEST(Gate, WantsTheTokenElsewhere) {
    const Gate gate{false, "0123456789abcdef"};
    EXPECT_EQ(status(gate, {}), 401);
    EXPECT_EQ(status(gate, {{"authorization", "Bearer 0123456789abcdef"}}), 200);
    EXPECT_EQ(status(gate, {{"authorization", "Bearer 0123456789abcdeF"}}), 401);
    EXPECT_EQ(status(gate, {{"authorization", "Bearer "}}), 401);
    EXPECT_EQ(status(gate, {{"cookie", "a=b; plimsoll_token=0123456789abcdef"}}), 200);
    EXPECT_EQ(status(gate, {{"cookie", "plimsoll_token=0123456789abcdef0"}}), 401);
    EXPECT_EQ(status(gate, {}, "GET", "/", {{"token", "0123456789abcdef"}}), 303);
    EXPECT_EQ(status(gate, {}, "GET", "/api/v1/map", {{"token", "0123456789abcdef"}}), 401);
    EXPECT_EQ(status(gate, {}, "GET", "/", {{"token", "wrong"}}), 401);
}

TEST(Gate, SecretsAreComparedWhole) {
    EXPECT_TRUE(same_secret("abc", "abc"));
    for (const char* wrong : {"", "a", "abd", "abcabc", "abcd", "ABC"})
        EXPECT_FALSE(same_secret(wrong, "abc")) << wrong;
    EXPECT_FALSE(same_secret("", ""));
}

TEST(Gate, TokensAreLongAndDiffer) {
    const std::string token = random_token();
    EXPECT_EQ(token.size(), 32U);
    EXPECT_NE(token, random_token());
}

}  // namespace
}  // namespace plimsoll::server
