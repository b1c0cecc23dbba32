#include "plimsoll/server/http/http_server.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/http_client.h"

namespace plimsoll::server {
namespace {

using namespace std::chrono_literals;
using testing::ask;
using testing::body_of;
using testing::Client;
using testing::get;
using testing::RunningServer;
using testing::status_of;

// Answers with what it was asked; "/slow" never, "/events" with three events, "/large" with 64 MB.
HttpSettings echo(std::shared_ptr<std::atomic<int>> gone = std::make_shared<std::atomic<int>>(0)) {
    HttpSettings settings;
    settings.body_limit = [](const Request& request) { return request.path == "/body" ? 1000 : 0; };
    settings.handler = [gone](const std::shared_ptr<Exchange>& exchange) {
        const Request& request = exchange->request();
        if (request.path == "/slow") return exchange->when_gone([gone, exchange] { ++*gone; });
        if (request.path == "/large")
            return exchange->respond({200, "text/plain", std::string(64'000'000, 'x')});
        if (request.path != "/events")
            return exchange->respond(
                {200, "text/plain", request.method + " " + request.path + " " + request.body});
        exchange->begin_events();
        for (const char* data : {"1", "2", "3"}) exchange->send_event("number", data);
        exchange->end_events();
    };
    return settings;
}

// With deadlines that a test can wait for; a busy machine may not keep them for honest clients.
HttpSettings hasty() {
    HttpSettings settings = echo();
    settings.limits.header_time = settings.limits.idle_time = settings.limits.body_time =
        settings.limits.write_time = 1s;
    return settings;
}

std::string head(const RunningServer& server, const std::string& target) {
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
}

TEST(HttpServer, AnswersOneAfterTheOther) {
    const RunningServer server(echo());
    const Client client(server.port());
    for (const char* target : {"/one", "/two", "/three"}) {
        ASSERT_TRUE(client.send(head(server, target) + "\r\n"));
        EXPECT_NE(client.read(std::string("GET ") + target).find("200 OK"), std::string::npos);
    }
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
    const RunningServer server(echo());
    const Client client(server.port());
    client.send(head(server, "/one") + "\r\n" + head(server, "/two") + "\r\n");
    const std::string answer = client.read("GET /two");
    EXPECT_LT(answer.find("GET /one"), answer.find("GET /two"));
}

TEST(HttpServer, SaysHeadersThatProtect) {
    const RunningServer server(echo());
    const std::string answer = get(server.port(), "/");
    for (const char* header :
         {"Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
          "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin"})
        EXPECT_NE(answer.find(header), std::string::npos) << header;
    EXPECT_EQ(answer.find("unsafe-inline"), std::string::npos);
}

TEST(HttpServer, SendsEventsAndTheEnd) {
    const RunningServer server(echo());
    EXPECT_EQ(body_of(get(server.port(), "/events")),
              "event: number\ndata: 1\n\nevent: number\ndata: 2\n\nevent: number\ndata: 3\n\n");
}

TEST(HttpServer, RefusesWhatIsTooLargeOrNoHttp) {
    const RunningServer server(echo());
    EXPECT_EQ(status_of(ask(server.port(), "POST", "/body", std::string(1000, 'x'))), 200);
    EXPECT_EQ(status_of(ask(server.port(), "POST", "/body", std::string(1001, 'x'))), 413);
    EXPECT_EQ(status_of(ask(server.port(), "POST", "/other", "x")), 413);
    EXPECT_EQ(status_of(ask(server.port(), "GET", "/", "", "X: " + std::string(20'000, 'x') + "\r\n")), 431);
    EXPECT_EQ(status_of(ask(server.port(), "GET", "/../x")), 400);
    const Client client(server.port());
    client.send("\x16\x03\x01\x02 this is TLS\r\n\r\n");
    EXPECT_EQ(status_of(client.read()), 400);
}

TEST(HttpServer, RefusesChunksBeyondTheLimit) {
    const RunningServer server(echo());
    const Client client(server.port());
    client.send("POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 20; ++i) client.send("64\r\n" + std::string(100, 'x') + "\r\n");
    EXPECT_EQ(status_of(client.read()), 413);
}

// A byte now and then does not keep a connection: the deadline is for the whole header.
TEST(HttpServer, DropsThoseWhoTrickle) {
    const RunningServer server(hasty());
    const Client client(server.port());
    client.send(head(server, "/"));
    bool open = true;
    const auto begin = std::chrono::steady_clock::now();
    while (open && std::chrono::steady_clock::now() - begin < 60s) {
        open = client.send("a: b\r\n") && !client.is_closed(100ms);
    }
    EXPECT_FALSE(open);
}

// Nothing sent, half a header, half a body, nothing after an answer: gone after a second.
TEST(HttpServer, DropsThoseWhoFallSilent) {
    const RunningServer server(hasty());
    const Client silent(server.port()), half(server.port()), body(server.port()), idle(server.port());
    half.send(head(server, "/"));
    idle.send(head(server, "/") + "\r\n");
    body.send("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345");
    for (const Client* client : {&silent, &half, &body, &idle}) EXPECT_TRUE(client->is_closed(60s));
}

// The one connection there may be does not read its answer: another gets one when it has been dropped, not
// before.
TEST(HttpServer, DropsThoseWhoDoNotRead) {
    auto settings = hasty();
    settings.limits.connections = 1;
    const RunningServer server(std::move(settings));
    const Client client(server.port());
    client.send(head(server, "/large") + "\r\n");
    ASSERT_NE(client.read("200 OK"), "");
    int status = 0;
    for (int i = 0; i < 1200 && status == 0; ++i) {
        status = status_of(get(server.port(), "/"));
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_EQ(status, 200);
    EXPECT_LT(client.read("", 60s).size(), 64'000'000U);
}

// More connections than there may be, all of them silent: the next one is answered all the same.
TEST(HttpServer, MakesRoomForThoseWhoAsk) {
    auto settings = echo();
    settings.limits.connections = 32;
    settings.limits.header_time = 600s;
    const RunningServer server(std::move(settings));
    std::vector<std::unique_ptr<Client>> silent;
    for (int i = 0; i < 200; ++i) silent.push_back(std::make_unique<Client>(server.port()));
    EXPECT_EQ(status_of(get(server.port(), "/")), 200);  // the silent ones have ten minutes
}

TEST(HttpServer, NoticesAClientThatLeaves) {
    const auto gone = std::make_shared<std::atomic<int>>(0);
    const RunningServer server(echo(gone));
    {
        const Client client(server.port());
        client.send(head(server, "/slow") + "\r\n");
        std::this_thread::sleep_for(200ms);
        EXPECT_EQ(*gone, 0);
    }
    for (int i = 0; i < 3000 && *gone == 0; ++i) std::this_thread::sleep_for(20ms);
    EXPECT_EQ(*gone, 1);
}

TEST(HttpServer, SaysWhenThePortIsTaken) {
    const RunningServer first(echo());
    auto settings = echo();
    settings.port = first.port();
    const auto second = HttpServer::listen(std::move(settings));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().where, "port");
    HttpSettings wrong;
    wrong.address = "localhost";
    EXPECT_EQ(HttpServer::listen(std::move(wrong)).error().text(),
              "listen: must be an IP address, got 'localhost'");
}

}  // namespace
}  // namespace plimsoll::server
