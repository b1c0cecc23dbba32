#include "plimsoll/server/api.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "tests/server/http_client.h"

namespace plimsoll::server {
namespace {

using testing::ask;
using testing::body_of;
using testing::Client;
using testing::RunningServer;
using testing::status_of;

// One server for all: it judges the zoo when it starts.
class ApiTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        ApiSettings settings;
        settings.program = PLIMSOLL_PROGRAM;
        settings.limits.memory = PLIMSOLL_CHILD_MEMORY;
        api_ = std::move(Api::make(settings)).value();
        HttpSettings http;
        http.body_limit = [](const Request& request) { return api_->body_limit(request); };
        http.handler = [](const std::shared_ptr<Exchange>& exchange) { api_->answer(exchange); };
        server_ = std::make_unique<RunningServer>(std::move(http));
    }
    static void TearDownTestSuite() {
        api_->stop();
        server_.reset();
        api_.reset();
    }

    static std::string get(const std::string& target) { return testing::get(server_->port(), target); }
    static std::string post(const std::string& target, const std::string& body) {
        return ask(server_->port(), "POST", target, body);
    }
    static Json json(const std::string& answer) {
        const auto read = parse_json(body_of(answer), "answer");
        return read.ok() ? *read : Json(read.error().text());
    }
    static std::string message(const std::string& answer) {
        const Json error = json(answer).value("error", Json::object());
        return error.value("where", "") + ": " + error.value("message", "");
    }

    static std::unique_ptr<Api> api_;
    static std::unique_ptr<RunningServer> server_;
};
std::unique_ptr<Api> ApiTest::api_;
std::unique_ptr<RunningServer> ApiTest::server_;

std::string printed(std::vector<std::string> words) {
    auto child =
        Process::start({.program = PLIMSOLL_PROGRAM, .arguments = std::move(words), .channel = true});
    std::string text;
    for (auto process = std::move(child).value(); process.channel().open();) text += process.channel().hear();
    return text;
}

// The answer is what --json prints, byte for byte, with the command beside it.
TEST_F(ApiTest, AnswersAsTheVerbs) {
    const std::string audit = get("/api/v1/audit?model=t5-11b");
    EXPECT_EQ(body_of(audit), printed({"audit", "t5-11b", "--json"}));
    EXPECT_NE(audit.find("Plimsoll-Command: plimsoll audit zoo:t5-11b"), std::string::npos);
    EXPECT_EQ(body_of(get("/api/v1/audit?model=t5-11b&context=2048")),
              printed({"audit", "t5-11b", "--context=2048", "--json"}));
    EXPECT_EQ(body_of(get("/api/v1/advise?params=5M")), printed({"advise", "--params=5M", "--json"}));
    EXPECT_EQ(body_of(get("/api/v1/count?model=gpt2")), printed({"count", "gpt2", "--json"}));
    EXPECT_EQ(body_of(get("/api/v1/zoo?filter=year%3E2024")),
              printed({"zoo", "--filter=year>2024", "--json"}));
    EXPECT_EQ(body_of(get("/api/v1/bounds?id=LEVINE-T3&input=L%3D3&input=dx%3D8&input=H%3D2")),
              printed({"bounds", "LEVINE-T3", "L=3", "dx=8", "H=2", "--json"}));
}

TEST_F(ApiTest, MapHasTheZoo) {
    const Json map = json(get("/api/v1/map"));
    const Json zoo = json(get("/api/v1/zoo")).at("rows");
    EXPECT_EQ(map.at("models").size(), zoo.size());
    EXPECT_EQ(map.at("models").at(0).at("name"), zoo.at(0).at("name"));
}

TEST_F(ApiTest, RankGrowsAsEvents) {
    const std::string answer =
        get("/api/v1/rank/stream?spec=attention:depth%3D2,width%3D2,heads%3D1&positions=4");
    EXPECT_NE(answer.find("text/event-stream"), std::string::npos);
    EXPECT_NE(answer.find("event: size\ndata: {\"size\":8,"), std::string::npos);
    const auto report = answer.find("event: report\ndata: {");
    ASSERT_NE(report, std::string::npos) << answer;
    EXPECT_NE(answer.find("\"spec\":\"attention:depth=2,width=2,heads=1\"", report), std::string::npos);
    const std::string wrong =
        "/api/v1/rank/stream?spec=attention:depth%3D2,width%3D2,heads%3D1&positions=4&left=9,8";
    EXPECT_NE(get(wrong).find("event: problem\ndata: {\"where\":\"left\""), std::string::npos) << get(wrong);
}

TEST_F(ApiTest, GivesAConfigToTrainFrom) {
    const std::string answer = get("/api/v1/advise/config?params=10M");
    EXPECT_NE(answer.find("Content-Disposition: attachment; filename=\"config.json\""), std::string::npos);
    EXPECT_TRUE(json(answer).contains("model_type"));
}

TEST_F(ApiTest, ErrorsAreTheEnginesOwn) {
    EXPECT_EQ(status_of(get("/api/v1/advise?params=1")), 400);
    EXPECT_EQ(status_of(get("/api/v1/audit?model=flan-ul3")), 404);
    EXPECT_EQ(message(get("/api/v1/advise?params=1M&flops=1e20")),
              "params: give one of --params, --flops and --gpu-hours");
    EXPECT_EQ(status_of(get("/api/v1/nothing")), 404);
    EXPECT_EQ(status_of(get("/etc/passwd")), 404);
    EXPECT_EQ(status_of(ask(server_->port(), "PUT", "/api/v1/audit")), 405);
    EXPECT_EQ(status_of(ask(server_->port(), "DELETE", "/")), 405);
}

TEST_F(ApiTest, AuditsAConfig) {
    const auto audit = json(
        post("/api/v1/audit?kind=config",
             R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257})"));
    EXPECT_EQ(audit.at("width"), 768);
    EXPECT_EQ(audit.at("name"), "upload");
}

TEST_F(ApiTest, ReportsExperiments) {
    const Json all = json(get("/api/v1/experiments")).at("rows");
    EXPECT_EQ(std::ranges::count(all, "navon-fig1", [](const Json& row) { return row.at("id"); }), 1);
    EXPECT_EQ(body_of(get("/api/v1/experiments/navon-fig1")), printed({"report", "navon-fig1", "--json"}));
    const std::string page = get("/api/v1/experiments/navon-fig1/page");
    EXPECT_EQ(status_of(page), 200);  // text where nothing is there to draw figures
    EXPECT_NE(page.find("Test error of mixers of one budget"), std::string::npos);
    if (page.find("text/html") != std::string::npos)
        EXPECT_NE(page.find("sandbox allow-scripts"), std::string::npos);
    EXPECT_EQ(status_of(get("/api/v1/experiments/none-such")), 404);
    EXPECT_EQ(status_of(get("/api/v1/experiments/none-such/page")), 404);
    EXPECT_EQ(status_of(get("/api/v1/experiments/..%2f..%2fetc/page")), 400);
}

// What a stranger sends ends in an error, whatever it is, and the server goes on.
TEST_F(ApiTest, HostileUploadsAreErrors) {
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    const std::string huge =
        R"({"model_type": "gpt2", "n_embd": 1e308, "n_layer": -5, "n_head": 99999999999999999999})";
    for (const auto& body : {deep, huge, std::string("{"), std::string("null"), std::string("\xff\xfe{}"),
                             std::string(3'000'000, '9')})
        EXPECT_GE(status_of(post("/api/v1/audit?kind=config", body)), 400) << body.substr(0, 20);
    const std::string endless = std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + "{}";
    EXPECT_GE(status_of(post("/api/v1/audit?kind=safetensors&size=1000000", endless)), 400);
    std::string counts("GGUF\x03\0\0\0", 8);
    counts += std::string(16, '\xff');
    EXPECT_GE(status_of(post("/api/v1/audit?kind=gguf&size=1000000000000", counts)), 400);
    EXPECT_GE(status_of(post("/api/v1/audit?kind=../../x", "{}")), 400);
    EXPECT_EQ(status_of(get("/api/v1/map")), 200);
}

// A body of some megabytes arrives whole: the reader, not the server, refuses it.
TEST_F(ApiTest, LargeUploadsArrive) {
    const std::string answer =
        post("/api/v1/audit?kind=config", "{\"a\": \"" + std::string(3'000'000, 'x') + "\"}");
    EXPECT_NE(message(answer).find("config.json"), std::string::npos) << message(answer);
}

TEST_F(ApiTest, RefusesBodiesElsewhere) {
    EXPECT_EQ(status_of(ask(server_->port(), "POST", "/api/v1/zoo", "x")), 413);
    EXPECT_EQ(
        status_of(ask(server_->port(), "POST", "/api/v1/audit?kind=config", std::string(33'000'000, ' '))),
        413);
}

// A client that asks without pause does not stop another.
TEST_F(ApiTest, AGreedyClientStopsNobody) {
    std::atomic<bool> stop = false;
    std::atomic<int> asked = 0;
    std::thread greedy([&] {
        const Client client(server_->port());
        while (!stop) {
            client.send(fmt::format("GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
                                    server_->port()));
            client.read("\"components\"");
            ++asked;
        }
    });
    while (asked < 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(status_of(get("/api/v1/audit?model=gpt2")), 200);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    stop = true;
    greedy.join();
}

TEST_F(ApiTest, KeepsAnswers) {
    KeptAnswers kept(100);
    kept.keep("a", std::string(20, 'a'));
    kept.keep("large", std::string(26, 'x'));
    EXPECT_FALSE(kept.find("large").has_value());
    for (const char* name : {"b", "c", "d", "e"}) {
        EXPECT_TRUE(kept.find("a").has_value());  // used again and again: it stays
        kept.keep(name, std::string(25, 'x'));
    }
    EXPECT_TRUE(kept.find("a").has_value());
    EXPECT_FALSE(kept.find("b").has_value());
    EXPECT_TRUE(kept.find("e").has_value());
}

}  // namespace
}  // namespace plimsoll::server
