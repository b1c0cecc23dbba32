#include "tests/server/http_client.h"

#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"

namespace plimsoll::server::testing {

using Clock = std::chrono::steady_clock;

Client::Client(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    PLIMSOLL_CHECK(::connect(descriptor_, generic, sizeof address) == 0,
                   "cannot connect to the server under test");
}

Client::~Client() { ::close(descriptor_); }

bool Client::send(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const auto count = ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

std::string Client::read(const std::string& until, std::chrono::milliseconds most) const {
    const auto end = Clock::now() + most;
    std::string text;
    std::array<char, 65536> part{};
    while (Clock::now() < end) {
        if (!until.empty() && text.find(until) != std::string::npos) return text;
        pollfd waits{descriptor_, POLLIN, 0};
        if (::poll(&waits, 1, 20) <= 0) continue;
        const auto count = ::recv(descriptor_, part.data(), part.size(), 0);
        if (count <= 0) return text;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    return text;
}

bool Client::is_closed(std::chrono::milliseconds most) const {
    const auto begin = Clock::now();
    read("", most);
    return Clock::now() - begin < most;
}

std::string ask(std::uint16_t port, const std::string& method, const std::string& target,
                const std::string& body, const std::string& headers) {
    const Client client(port);
    const std::string host =
        headers.find("Host:") == std::string::npos ? fmt::format("Host: 127.0.0.1:{}\r\n", port) : "";
    const std::string length =
        body.empty() && method != "POST" ? "" : fmt::format("Content-Length: {}\r\n", body.size());
    client.send(fmt::format("{} {} HTTP/1.1\r\n{}{}{}Connection: close\r\n\r\n{}", method, target, host,
                            headers, length, body));
    return client.read();
}

int status_of(const std::string& answer) {
    return answer.size() > 12 && answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

std::string body_of(const std::string& answer) {
    const auto end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
}

RunningServer::RunningServer(HttpSettings settings) {
    settings.port = 0;
    auto made = HttpServer::listen(std::move(settings));
    PLIMSOLL_CHECK(made.ok(), "cannot listen");
    server_ = std::move(made).value();
    thread_ = std::thread([this] { server_->run(false); });
}

RunningServer::~RunningServer() {
    server_->stop();
    thread_.join();
}

}  // namespace plimsoll::server::testing
