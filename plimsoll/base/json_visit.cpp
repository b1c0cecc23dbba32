#include "plimsoll/base/json_visit.h"

#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll {
namespace {

constexpr int max_nesting = 64;

// A parser's complaint quotes what it read, which may be a string of a hundred megabytes.
constexpr std::size_t max_complaint = 240;

// nlohmann's events, handed on to a visitor; false stops the parser.
class Events final : public nlohmann::json_sax<Json> {
  public:
    Events(JsonVisitor& visitor, std::string_view where) : visitor_(visitor), where_(where) {}
    [[nodiscard]] const Status& status() const { return status_; }

    bool null() override { return pass(visitor_.scalar(nullptr)); }
    bool boolean(bool value) override { return pass(visitor_.scalar(value)); }
    bool number_integer(number_integer_t value) override { return pass(visitor_.scalar(value)); }
    bool number_unsigned(number_unsigned_t value) override { return pass(visitor_.scalar(value)); }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        return pass(visitor_.scalar(value));
    }
    bool string(string_t& value) override { return pass(visitor_.scalar(std::move(value))); }
    bool binary(binary_t& /*value*/) override { return refuse("not valid JSON: binary value"); }
    bool key(string_t& name) override { return pass(visitor_.key(std::move(name))); }
    bool start_object(std::size_t /*count*/) override { return open(true); }
    bool start_array(std::size_t /*count*/) override { return open(false); }
    bool end_object() override { return close(true); }
    bool end_array() override { return close(false); }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& problem) override {
        return refuse(fmt::format("not valid JSON: {}", printable(problem.what(), max_complaint)));
    }

  private:
    bool open(bool is_object) {
        if (++depth_ > max_nesting) return refuse("nested deeper than 64 levels");
        return pass(visitor_.begin(is_object));
    }
    bool close(bool is_object) {
        --depth_;
        return pass(visitor_.end(is_object));
    }
    bool refuse(std::string message) { return pass(bad_input(std::string(where_), std::move(message))); }
    bool pass(Status status) {
        status_ = std::move(status);
        return status_.ok();
    }

    JsonVisitor& visitor_;
    std::string_view where_;
    Status status_;
    int depth_ = 0;
};

}  // namespace

Status visit_json(std::string_view text, std::string_view where, JsonVisitor& visitor) {
    Events events(visitor, where);
    const bool whole = Json::sax_parse(text, &events);
    PLIMSOLL_CHECK(whole == events.status().ok(), "a JSON text that stops without a reason");
    return events.status();
}

}  // namespace plimsoll
