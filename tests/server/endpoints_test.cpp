#include "plimsoll/server/endpoints.h"

#include <set>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/server/http/address.h"

namespace plimsoll::server {
namespace {

Request asked(const std::string& target, const std::string& method = "GET") {
    const auto address = parse_address(target);
    EXPECT_TRUE(address.ok()) << target;
    return {method, address->path, address->query, {}, "", ""};
}

Result<std::vector<std::string>> words(const std::string& target) {
    std::string path_value;
    const Request request = asked(target);
    const auto* endpoint = find_endpoint(request, path_value);
    EXPECT_NE(endpoint, nullptr) << target;
    return words_of(*endpoint, request, path_value);
}

TEST(Endpoints, BecomeCommands) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(*words("/api/v1/advise?params=100M&head_dim=64,128"),
              (Words{"advise", "--params=100M", "--head-dim=64,128"}));
    EXPECT_EQ(*words("/api/v1/audit?model=T5%2011B&context=512"),
              (Words{"audit", "zoo:t5-11b", "--context=512"}));
    EXPECT_EQ(*words("/api/v1/bounds?id=LEVINE-T3&input=L%3D3&input=dx%3D8"),
              (Words{"bounds", "LEVINE-T3", "L=3", "dx=8"}));
    EXPECT_EQ(*words("/api/v1/capacity?enclosure=true&widths=64,128"),
              (Words{"capacity", "--enclosure", "--widths=64,128"}));
    EXPECT_EQ(*words("/api/v1/runs?where=loss%3C0.5"), (Words{"runs", "list", "--where=loss<0.5"}));
    EXPECT_EQ(*words("/api/v1/runs/0123456789abcdef"), (Words{"runs", "show", "0123456789abcdef"}));
    EXPECT_EQ(*words("/api/v1/runs/0123456789abcdef/metrics"),
              (Words{"runs", "export", "json", "--metrics", "--where=id=0123456789abcdef"}));
    EXPECT_EQ(*words("/api/v1/experiments"), (Words{"reproduce", "--list"}));
    EXPECT_EQ(*words("/api/v1/experiments/navon-fig1"), (Words{"report", "navon-fig1"}));
    EXPECT_EQ(*words("/api/v1/zoo?filter=year%3E2020&sort=-width"),
              (Words{"zoo", "--filter=year>2020", "--sort=-width"}));
}

// Specs are read and written anew: what reaches a child is what plimsoll itself would say.
TEST(Endpoints, SpecsAreWrittenAnew) {
    EXPECT_EQ((*words("/api/v1/bounds?spec=attention:heads%3D1,width%3D3,depth%3D3"))[1],
              "attention:depth=3,width=3,heads=1");
}

// Nothing becomes a flag, a path or a word of another form.
TEST(Endpoints, RefuseWhatIsNotOfTheForm) {
    for (const char* target : {"/api/v1/audit?model=/etc/passwd",
                               "/api/v1/audit?model=../secret",
                               "/api/v1/audit?model=run:0123456789abcdef",
                               "/api/v1/audit?model=hub:gpt2",
                               "/api/v1/audit?model=",
                               "/api/v1/audit?spec=/etc/passwd",
                               "/api/v1/audit?spec=config.json",
                               "/api/v1/bounds?id=--check",
                               "/api/v1/bounds?id=/etc/passwd",
                               "/api/v1/bounds?input=--check=/etc/passwd",
                               "/api/v1/advise?params=100M%20--emit=/tmp/x",
                               "/api/v1/advise?params=-1",
                               "/api/v1/advise?emit=/tmp/x",
                               "/api/v1/advise?force=true",
                               "/api/v1/capacity?vega=/tmp/x",
                               "/api/v1/capacity?enclosure=yes",
                               "/api/v1/rank?out=/tmp/x",
                               "/api/v1/rank?table=x",
                               "/api/v1/verify?vega=/tmp/x",
                               "/api/v1/zoo?filter=a%0ab",
                               "/api/v1/advise?params=1&params=2",
                               "/api/v1/runs/0123",
                               "/api/v1/runs/..%2e",
                               "/api/v1/runs/0123456789ABCDEF",
                               "/api/v1/experiments/..%2e",
                               "/api/v1/experiments/sweep.toml",
                               "/api/v1/experiments/--list",
                               "/api/v1/experiments/navon-fig1?out=/tmp/x",
                               "/api/v1/runs/deep/metrics",
                               "/api/v1/runs/0123456789abcdef/diff?with=/etc/passwd",
                               "/api/v1/runs?runs=/etc"}) {
        EXPECT_FALSE(words(target).ok()) << target;
    }
}

// A fit takes names of data, never a path.
TEST(Endpoints, AFitTakesNoPath) {
    std::string path_value;
    for (const char* data : {"/etc/passwd", "../x", ".hidden", "--out=x", "-", "a/b", "x.txt", ""}) {
        Request request{"POST", "/api/v1/fits", {{"data", data}}, {}, "", ""};
        EXPECT_FALSE(words_of(*find_endpoint(request, path_value), request, path_value).ok()) << data;
    }
    Request request{
        "POST", "/api/v1/fits", {{"data", "synthetic:grammar,bytes=1000"}, {"time", "1m"}}, {}, "", ""};
    EXPECT_EQ(*words_of(*find_endpoint(request, path_value), request, path_value),
              (std::vector<std::string>{"synthetic:grammar,bytes=1000", "--time=1m"}));
}

TEST(Endpoints, NameTheParameterThatIsUnknown) {
    const auto answer = words("/api/v1/advise?parms=1");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().text(), "parms: is not asked here (did you mean params?)");
}

TEST(Endpoints, AreFoundByMethodAndPath) {
    std::string path_value;
    EXPECT_NE(find_endpoint(asked("/api/v1/audit", "POST"), path_value), nullptr);
    EXPECT_NE(find_endpoint(asked("/api/v1/audit", "HEAD"), path_value), nullptr);
    EXPECT_EQ(find_endpoint(asked("/api/v1/audit", "PUT"), path_value), nullptr);
    EXPECT_EQ(find_endpoint(asked("/api/v1/zoo", "POST"), path_value), nullptr);
    EXPECT_EQ(find_endpoint(asked("/api/v1/audit/x"), path_value), nullptr);
    EXPECT_EQ(find_endpoint(asked("/api/v2/audit"), path_value), nullptr);
}

// The file that others read says what the server does.
TEST(OpenApi, IsTheFileInDocs) {
    const auto file = read_json(PLIMSOLL_SOURCE_DIR "/docs/openapi.json");
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(*file, openapi()) << "plimsoll serve --openapi > docs/openapi.json";
}

TEST(OpenApi, HasEveryEndpointOnce) {
    const Json paths = openapi().at("paths");
    std::set<std::string> seen;
    for (const auto& endpoint : endpoints()) {
        EXPECT_TRUE(seen.insert(std::string(endpoint.method) + std::string(endpoint.path)).second)
            << endpoint.path;
        const auto& operation =
            paths.at(std::string(endpoint.path)).at(endpoint.method == "GET" ? "get" : "post");
        EXPECT_EQ(operation.at("parameters").size(), endpoint.parameters.size()) << endpoint.path;
    }
}

}  // namespace
}  // namespace plimsoll::server
