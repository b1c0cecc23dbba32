#include "plimsoll/server/http/http_server.h"

#include <csignal>
#include <deque>
#include <limits>
#include <list>
#include <optional>
#include <utility>

#include <sys/socket.h>

// Boost 1.74's Asio uses std::exchange without including it: <utility> comes first.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/server/http/address.h"

namespace plimsoll::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int bad_request = 400, too_large = 413, header_too_large = 431;

std::string text_of(boost::string_view text) { return {text.data(), text.size()}; }
std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
}

// On every answer. The page has no inline script and asks nobody but this server.
void add_standing_headers(http::response_header<>& header) {
    header.set(http::field::server, "plimsoll");
    header.set(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src "
        "'self'; "
        "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    header.set("X-Content-Type-Options", "nosniff");
    header.set("Referrer-Policy", "no-referrer");
    header.set("Cross-Origin-Resource-Policy", "same-origin");
    header.set("Cross-Origin-Opener-Policy", "same-origin");
    header.set("Cache-Control", "no-store");
}

// The client speaks, but not HTTP; not that it fell silent.
bool is_bad_syntax(error_code problem) {
    return problem && problem.category() == make_error_code(http::error::bad_target).category() &&
           problem != http::error::end_of_stream && problem != http::error::partial_message;
}

// What is read of the header; an error where the address cannot be understood.
Result<Request> request_of(const http::request_header<>& header, const std::string& client) {
    Request request;
    request.method = text_of(header.method_string());
    request.client = client;
    PLIMSOLL_ASSIGN(address, parse_address(text_of(header.target())));
    request.path = std::move(address.path);
    request.query = std::move(address.query);
    for (const auto& field : header)
        request.headers.emplace(lower(text_of(field.name_string())), text_of(field.value()));
    return request;
}

class Server;

// One connection with its requests, one after the other; everything happens on the server's thread.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(tcp::socket socket, Server& server);

    void start() { wait_for_request(true); }
    void close();

    // Of the exchange with that number; those of an earlier one are too late.
    void respond(std::uint64_t exchange, Response response);
    void begin_events(std::uint64_t exchange);
    void send_event(std::uint64_t exchange, std::string text);
    void end_events(std::uint64_t exchange);
    void when_gone(std::uint64_t exchange, std::function<void()> tell);

    [[nodiscard]] asio::any_io_executor executor() { return stream_.get_executor(); }
    std::list<std::weak_ptr<Connection>>::iterator place;  // among those that wait for a request
    bool waiting = false;

  private:
    void wait_for_request(bool fresh);
    void read_header();
    void on_header(error_code problem);
    void read_body();
    void on_body(error_code problem);
    void dispatch();
    void watch();
    void answer(Response response);
    void write_events();
    void leave();
    [[nodiscard]] const HttpLimits& limits() const;

    Server& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    std::shared_ptr<http::response<http::string_body>> response_;
    std::shared_ptr<http::response<http::empty_body>> event_header_;
    std::shared_ptr<http::response_serializer<http::empty_body>> event_serializer_;
    Request request_;
    std::string client_;
    std::uint64_t exchange_ = 0;  // the number of the request in progress
    bool busy_ = false;           // it has no answer yet
    bool keep_ = true, head_ = false, closed_ = false;
    std::function<void()> gone_;
    std::deque<std::string> events_;
    std::size_t unsent_ = 0;
    bool events_open_ = false, writing_ = false, events_end_ = false;
};

class Server : public HttpServer {
  public:
    explicit Server(HttpSettings settings)
        : settings_(std::move(settings)), acceptor_(context_), pause_(context_) {}

    Status open();
    [[nodiscard]] std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }
    void run(bool signals) override;
    void stop() override {
        asio::post(context_, [this] { shut(); });
    }

    [[nodiscard]] const HttpSettings& settings() const { return settings_; }
    void begin_wait(const std::shared_ptr<Connection>& connection);
    void end_wait(Connection& connection);
    void joined() { ++count_; }
    void left() { --count_; }

  private:
    void accept();
    void make_room();
    void shut();

    HttpSettings settings_;
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    asio::steady_timer pause_;
    std::list<std::weak_ptr<Connection>> waiting_;  // the longest first
    std::size_t count_ = 0;
};

// What a handler holds: calls go to the connection's thread.
class ConnectionExchange : public Exchange {
  public:
    ConnectionExchange(std::shared_ptr<Connection> connection, std::uint64_t number, Request request)
        : connection_(std::move(connection)), number_(number), request_(std::move(request)) {}

    [[nodiscard]] const Request& request() const override { return request_; }
    void respond(Response response) override {
        call([response = std::move(response)](Connection& c, std::uint64_t number) mutable {
            c.respond(number, std::move(response));
        });
    }
    void begin_events() override {
        call([](Connection& c, std::uint64_t number) { c.begin_events(number); });
    }
    void send_event(std::string_view name, std::string_view data) override {
        call([text = fmt::format("event: {}\ndata: {}\n\n", name, data)](
                 Connection& c, std::uint64_t number) { c.send_event(number, text); });
    }
    void end_events() override {
        call([](Connection& c, std::uint64_t number) { c.end_events(number); });
    }
    void when_gone(std::function<void()> tell) override {
        call([tell = std::move(tell)](Connection& c, std::uint64_t number) { c.when_gone(number, tell); });
    }

  private:
    template <class Action>
    void call(Action action) {
        asio::post(connection_->executor(),
                   [connection = connection_, number = number_, action = std::move(action)]() mutable {
                       action(*connection, number);
                   });
    }

    std::shared_ptr<Connection> connection_;
    std::uint64_t number_;
    Request request_;
};

Connection::Connection(tcp::socket socket, Server& server)
    : server_(server),
      stream_(std::move(socket)),
      buffer_(server.settings().limits.header_bytes + 64 * 1024) {
    error_code problem;
    const auto peer = stream_.socket().remote_endpoint(problem);
    if (!problem) client_ = peer.address().to_string();
    server_.joined();
}

const HttpLimits& Connection::limits() const { return server_.settings().limits; }

// The first request must come within header_time; a later one may let wait, but then has as long.
void Connection::wait_for_request(bool fresh) {
    server_.begin_wait(shared_from_this());
    if (fresh || buffer_.size() > 0) return read_header();
    stream_.expires_after(limits().idle_time);
    constexpr std::size_t first_part = 4096;
    stream_.async_read_some(buffer_.prepare(first_part),
                            [self = shared_from_this()](error_code problem, std::size_t size) {
                                if (problem) return self->leave();
                                self->buffer_.commit(size);
                                self->read_header();
                            });
}

void Connection::read_header() {
    parser_.emplace();
    parser_->header_limit(limits().header_bytes);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // until read_body() knows what it is for
    stream_.expires_after(limits().header_time);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code problem, std::size_t) { self->on_header(problem); });
}

void Connection::on_header(error_code problem) {
    server_.end_wait(*this);
    ++exchange_;
    busy_ = true;
    keep_ = false;
    head_ = false;
    if (problem == http::error::header_limit)
        return answer(refusal(header_too_large, "header",
                              fmt::format("must be at most {} bytes", limits().header_bytes)));
    if (is_bad_syntax(problem))
        return answer(refusal(bad_request, "request", "is no HTTP/1.1: " + problem.message()));
    if (problem) return leave();
    auto request = request_of(parser_->get().base(), client_);
    if (!request.ok()) return answer(refusal(bad_request, request.error().where, request.error().message));
    request_ = std::move(request).value();
    head_ = request_.method == "HEAD";
    if (auto refused = server_.settings().gate.refused(request_)) return answer(std::move(*refused));
    read_body();
}

void Connection::read_body() {
    const auto most = server_.settings().body_limit(request_);
    parser_->body_limit(most);
    const auto length = parser_->content_length();
    if (length && *length > most)
        return answer(
            refusal(too_large, "body", fmt::format("must be at most {} bytes, has {}", most, *length)));
    stream_.expires_after(limits().body_time);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code problem, std::size_t) { self->on_body(problem); });
}

void Connection::on_body(error_code problem) {
    if (problem == http::error::body_limit)
        return answer(refusal(too_large, "body", "is larger than allowed here"));
    if (problem) return leave();
    keep_ = parser_->keep_alive();
    request_.body = std::move(parser_->get().body());
    dispatch();
}

void Connection::dispatch() {
    stream_.expires_never();
    watch();
    const auto exchange =
        std::make_shared<ConnectionExchange>(shared_from_this(), exchange_, std::move(request_));
    request_ = {};
    server_.settings().handler(exchange);
}

// Notices a client that hangs up while its answer is being made. One that sends the next request already is
// not watched any further.
void Connection::watch() {
    stream_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this(),
                                                         number = exchange_](error_code problem) {
        if (problem || self->exchange_ != number || self->closed_ || !(self->busy_ || self->events_open_))
            return;
        char byte = 0;
        const auto got = ::recv(self->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (got <= 0) self->leave();
    });
}

void Connection::respond(std::uint64_t exchange, Response response) {
    if (exchange == exchange_ && busy_ && !closed_) answer(std::move(response));
}

void Connection::answer(Response response) {
    busy_ = false;
    gone_ = nullptr;
    auto made = std::make_shared<http::response<http::string_body>>(
        static_cast<http::status>(response.status), 11);  // HTTP/1.1
    add_standing_headers(made->base());
    made->set(http::field::content_type, response.type);
    for (const auto& [name, value] : response.headers) made->set(name, value);
    made->keep_alive(keep_);
    made->content_length(response.body.size());
    if (!head_) made->body() = std::move(response.body);
    response_ = made;
    stream_.expires_after(limits().write_time);
    http::async_write(stream_, *response_, [self = shared_from_this()](error_code problem, std::size_t) {
        self->response_.reset();
        if (problem || !self->keep_) return self->leave();
        self->wait_for_request(false);
    });
}

void Connection::begin_events(std::uint64_t exchange) {
    if (exchange != exchange_ || !busy_ || closed_) return;
    busy_ = false;
    keep_ = false;
    events_open_ = writing_ = true;
    event_header_ = std::make_shared<http::response<http::empty_body>>(http::status::ok, 11);
    add_standing_headers(event_header_->base());
    event_header_->set(http::field::content_type, "text/event-stream");
    event_header_->keep_alive(false);
    event_serializer_ = std::make_shared<http::response_serializer<http::empty_body>>(*event_header_);
    stream_.expires_after(limits().write_time);
    http::async_write_header(stream_, *event_serializer_,
                             [self = shared_from_this()](error_code problem, std::size_t) {
                                 self->writing_ = false;
                                 if (problem) return self->leave();
                                 self->write_events();
                             });
}

void Connection::send_event(std::uint64_t exchange, std::string text) {
    if (exchange != exchange_ || !events_open_ || events_end_ || closed_) return;
    unsent_ += text.size();
    if (unsent_ > limits().unsent_bytes) return leave();
    events_.push_back(std::move(text));
    write_events();
}

void Connection::end_events(std::uint64_t exchange) {
    if (exchange != exchange_ || !events_open_ || closed_) return;
    events_end_ = true;
    write_events();
}

void Connection::write_events() {
    if (writing_ || closed_) return;
    if (events_.empty()) {
        if (events_end_) leave();
        return;
    }
    writing_ = true;
    stream_.expires_after(limits().write_time);
    asio::async_write(stream_, asio::buffer(events_.front()),
                      [self = shared_from_this()](error_code problem, std::size_t) {
                          self->writing_ = false;
                          if (problem) return self->leave();
                          self->stream_.expires_never();
                          self->unsent_ -= self->events_.front().size();
                          self->events_.pop_front();
                          self->write_events();
                      });
}

void Connection::when_gone(std::uint64_t exchange, std::function<void()> tell) {
    if (exchange != exchange_ || closed_) return tell();
    if (busy_ || events_open_) gone_ = std::move(tell);
}

void Connection::leave() {
    if (closed_) return;
    if (gone_ && !events_end_) std::exchange(gone_, nullptr)();
    gone_ = nullptr;
    close();
}

void Connection::close() {
    if (std::exchange(closed_, true)) return;
    server_.end_wait(*this);
    server_.left();
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
    if (gone_) std::exchange(gone_, nullptr)();
}

Status Server::open() {
    error_code problem;
    const auto address = asio::ip::make_address(settings_.address, problem);
    if (problem)
        return bad_input("listen", fmt::format("must be an IP address, got '{}'", settings_.address));
    const tcp::endpoint endpoint(address, settings_.port);
    acceptor_.open(endpoint.protocol(), problem);
    if (!problem) acceptor_.set_option(asio::socket_base::reuse_address(true), problem);
    if (!problem) acceptor_.bind(endpoint, problem);
    if (!problem) acceptor_.listen(asio::socket_base::max_listen_connections, problem);
    if (!problem) return {};
    const bool taken = problem == asio::error::address_in_use;
    return io_error("port", fmt::format("{} of {} cannot be had: {}{}", settings_.port, settings_.address,
                                        problem.message(), taken ? "; --port 0 takes one that is free" : ""));
}

void Server::run(bool signals) {
    asio::signal_set asked(context_);
    if (signals) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) asked.add(signal);
        asked.async_wait([this](error_code problem, int) {
            if (!problem) shut();
        });
    }
    accept();
    context_.run();
}

// Stops to listen and closes what waits; what is written is lost with its connection when run() ends.
void Server::shut() {
    error_code ignored;
    acceptor_.close(ignored);
    context_.stop();
}

void Server::accept() {
    acceptor_.async_accept([this](error_code problem, tcp::socket socket) {
        if (!acceptor_.is_open()) return;
        if (!problem) {
            make_room();
            if (count_ < settings_.limits.connections)
                std::make_shared<Connection>(std::move(socket), *this)->start();
            return accept();
        }
        // Out of descriptors, for instance: asking again at once would only heat the room.
        pause_.expires_after(std::chrono::milliseconds(50));
        pause_.async_wait([this](error_code) { accept(); });
    });
}

void Server::make_room() {
    while (count_ >= settings_.limits.connections && !waiting_.empty()) {
        if (const auto oldest = waiting_.front().lock()) {
            oldest->close();
        } else {
            waiting_.pop_front();
        }
    }
}

void Server::begin_wait(const std::shared_ptr<Connection>& connection) {
    if (connection->waiting) return;
    connection->waiting = true;
    connection->place = waiting_.insert(waiting_.end(), connection);
}

void Server::end_wait(Connection& connection) {
    if (std::exchange(connection.waiting, false)) waiting_.erase(connection.place);
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(HttpSettings settings) {
    auto server = std::make_unique<Server>(std::move(settings));
    PLIMSOLL_RETURN_IF_ERROR(server->open());
    return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace plimsoll::server
