#include "plimsoll/base/json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json_visit.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll {
namespace {

// Bounds the memory of a hostile text; 262,144 tokens with twice as many merges are two million values.
constexpr std::size_t max_values = 10'000'000;
constexpr std::size_t max_file_bytes = 100'000'000;

// Builds the value that the events describe.
class Builder final : public JsonVisitor {
  public:
    explicit Builder(std::string_view where) : where_(where) {}
    [[nodiscard]] Json take() { return std::move(root_); }

    Status begin(bool is_object) override {
        PLIMSOLL_RETURN_IF_ERROR(count_one());
        open_.push_back(&place(is_object ? Json::object() : Json::array()));
        return {};
    }
    Status end(bool is_object) override {
        const Json& closed = *open_.back();
        open_.pop_back();
        const std::string* repeated = is_object ? repeated_key(closed) : nullptr;
        if (repeated == nullptr) return {};
        return bad_input(std::string(where_), fmt::format("key '{}' is given twice", printable(*repeated)));
    }
    Status key(std::string name) override {
        key_ = std::move(name);
        return {};
    }
    Status scalar(Json value) override {
        PLIMSOLL_RETURN_IF_ERROR(count_one());
        place(std::move(value));
        return {};
    }

  private:
    Status count_one() {
        if (++values_ <= max_values) return {};
        return bad_input(std::string(where_), fmt::format("holds more than {} values", max_values));
    }
    // An open container does not grow while one inside it is open, so the addresses in open_ stay good.
    Json& place(Json value) {
        if (open_.empty()) return root_ = std::move(value);
        Json& parent = *open_.back();
        if (parent.is_array()) return parent.get_ref<Json::array_t&>().emplace_back(std::move(value));
        append_member(parent, std::move(key_), std::move(value));
        return parent.get_ref<Json::object_t&>().back().second;
    }

    std::string_view where_;
    Json root_;
    std::vector<Json*> open_;
    std::string key_;
    std::size_t values_ = 0;
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view where) {
    Builder builder(where);
    PLIMSOLL_RETURN_IF_ERROR(visit_json(text, where, builder));
    return builder.take();
}

Result<Json> read_json(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path, max_file_bytes));
    return parse_json(text, path.string());
}

void append_member(Json& object, std::string key, Json value) {
    object.get_ref<Json::object_t&>().emplace_back(std::move(key), std::move(value));
}

const std::string* repeated_key(const Json& object) {
    std::vector<const std::string*> keys;
    for (const auto& member : object.get_ref<const Json::object_t&>()) keys.push_back(&member.first);
    std::ranges::sort(keys, {}, [](const std::string* key) { return std::string_view(*key); });
    const auto same = [](const std::string* a, const std::string* b) { return *a == *b; };
    const auto found = std::ranges::adjacent_find(keys, same);
    return found == keys.end() ? nullptr : *found;
}

Status refuse_unknown_keys(const Json& object, std::initializer_list<std::string_view> allowed,
                           std::string_view where) {
    const std::vector<std::string> known(allowed.begin(), allowed.end());
    for (const auto& item : object.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            return bad_input(std::string(where), fmt::format("unknown key '{}'{}", printable(item.key()),
                                                             suggestion(item.key(), known)));
        }
    }
    return {};
}

}  // namespace plimsoll
