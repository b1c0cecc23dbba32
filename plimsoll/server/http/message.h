#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/json.h"

// What passes between the HTTP library and those who answer; no type of the library.
namespace plimsoll::server {

// The parameters behind the question mark, decoded, in their order.
using Query = std::vector<std::pair<std::string, std::string>>;

struct Request {
    std::string method;                          // "GET"
    std::string path;                            // decoded: "/api/v1/zoo"; begins with a slash
    Query query;                                 // decoded
    std::map<std::string, std::string> headers;  // names in lower case; of a repeated one the first
    std::string body;
    std::string client;  // its address, without the port

    // The header of that name in lower case; empty when there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;
    // The first parameter of that name, or null.
    [[nodiscard]] const std::string* parameter(std::string_view name) const;
};

struct Response {
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
};

// JSON as --json prints it, and on one line; bytes that are no UTF-8 are replaced.
std::string indented(const Json& json);
std::string on_one_line(const Json& json);

// {"error": {"status", "where", "message"}}, as everything that goes wrong is answered.
Response refusal(int status, std::string_view where, std::string_view message);

// A request in progress. One of respond() and begin_events() is called once, from any thread; both may also
// come after the client has gone.
class Exchange {
  public:
    virtual ~Exchange() = default;
    [[nodiscard]] virtual const Request& request() const = 0;

    virtual void respond(Response response) = 0;

    // Server-sent events instead of a body, then any number of them, then the end.
    virtual void begin_events() = 0;
    virtual void send_event(std::string_view name, std::string_view data) = 0;
    virtual void end_events() = 0;

    // Calls back once, at once or later, when the client hangs up before it has its answer.
    virtual void when_gone(std::function<void()> tell) = 0;
};

using Handler = std::function<void(const std::shared_ptr<Exchange>&)>;

}  // namespace plimsoll::server
