#include "plimsoll/base/json.h"

#include <algorithm>
#include <set>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll {
namespace {

constexpr int max_nesting = 64;

// Watches the parser's events for what nlohmann accepts and we do not: repeated keys and deep nesting.
class StrictEvents {
  public:
    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (depth > max_nesting) fail("nested deeper than 64 levels");
        if (event == Event::object_start) open_.emplace_back();
        if (event == Event::key && !open_.empty()) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!open_.back().insert(key).second) fail(fmt::format("key '{}' is given twice", key));
        }
        if (event == Event::object_end && !open_.empty()) open_.pop_back();
        return true;
    }
    [[nodiscard]] const std::string& complaint() const { return complaint_; }

  private:
    void fail(std::string complaint) {
        if (complaint_.empty()) complaint_ = std::move(complaint);
    }
    std::vector<std::set<std::string>> open_;
    std::string complaint_;
};

// nlohmann recurses per level, so the depth is bounded before it sees the text.
bool too_deep(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > max_nesting) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view where) {
    if (too_deep(text)) return bad_input(std::string(where), "nested deeper than 64 levels");
    StrictEvents events;
    try {
        Json value = Json::parse(text, std::ref(events));
        if (!events.complaint().empty()) return bad_input(std::string(where), events.complaint());
        return value;
    } catch (const Json::exception& problem) {
        return bad_input(std::string(where), fmt::format("not valid JSON: {}", problem.what()));
    }
}

Result<Json> read_json(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path));
    return parse_json(text, path.string());
}

Status refuse_unknown_keys(const Json& object, std::initializer_list<std::string_view> allowed,
                           std::string_view where) {
    const std::vector<std::string> known(allowed.begin(), allowed.end());
    for (const auto& item : object.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            return bad_input(std::string(where),
                             fmt::format("unknown key '{}'{}", item.key(), suggestion(item.key(), known)));
        }
    }
    return {};
}

}  // namespace plimsoll
