#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/run/table_encoding.h"

namespace plimsoll::run {
namespace {

// Reads the members of one JSON object; the first that is missing or of another type is remembered, and
// nothing is read after it.
class Members {
  public:
    Members(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
        if (!object.is_object()) fail("", "must be an object");
    }

    std::string text(const char* key) {
        const Json* value = find(key, &Json::is_string, "a text");
        return value == nullptr ? std::string() : value->get<std::string>();
    }
    bool truth(const char* key) {
        const Json* value = find(key, &Json::is_boolean, "true or false");
        return value != nullptr && value->get<bool>();
    }
    float number(const char* key) {
        const Json* value = find(key, &Json::is_number, "a number");
        const float number = value == nullptr ? 1 : value->get<float>();
        if (!std::isfinite(number)) fail(key, "must be a finite number");
        return number;
    }
    std::vector<std::string> texts(const char* key) {
        std::vector<std::string> list;
        for (const Json& item : array(key)) {
            if (!item.is_string()) return fail(key, "must be a list of texts"), list;
            list.push_back(item.get<std::string>());
        }
        return list;
    }
    // The items of a list; none after an error.
    const Json& array(const char* key) {
        static const Json nothing = Json::array();
        const Json* value = find(key, &Json::is_array, "a list");
        return value == nullptr ? nothing : *value;
    }
    // 0 or less would divide by it.
    float deviation(const char* key) {
        const float value = number(key);
        if (!(value > 0)) fail(key, "must be above 0");
        return value;
    }
    [[nodiscard]] const Status& status() const { return status_; }

  private:
    const Json* find(const char* key, bool (Json::*is)() const noexcept, const char* wanted) {
        if (!status_.ok()) return nullptr;
        const auto found = object_.find(key);
        if (found != object_.end() && ((*found).*is)()) return &*found;
        return fail(key, std::string("must be ") + wanted), nullptr;
    }
    void fail(const std::string& key, const std::string& message) {
        if (status_.ok()) status_ = bad_input(key.empty() ? where_ : where_ + ": " + key, message);
    }

    const Json& object_;
    std::string where_;
    Status status_;
};

Result<NumberRule> number_rule(const Json& json, const std::string& where) {
    Members members(json, where);
    NumberRule rule{members.text("name"), members.number("mean"), members.deviation("deviation"),
                    members.truth("gaps")};
    PLIMSOLL_RETURN_IF_ERROR(members.status());
    return rule;
}

Result<CategoryRule> category_rule(const Json& json, const std::string& where) {
    Members members(json, where);
    CategoryRule rule{members.text("name"), members.texts("values"), members.truth("gaps"),
                      members.truth("rare"), members.text("usual")};
    PLIMSOLL_RETURN_IF_ERROR(members.status());
    if (!std::ranges::is_sorted(rule.values, std::ranges::less_equal()))
        return bad_input(where + ": values", "must be in alphabetical order, each once");
    const bool known = std::ranges::binary_search(rule.values, rule.usual);
    if (!known && !rule.has_gaps && !rule.has_rare)
        return bad_input(where + ": usual", "must be one of the values");
    return rule;
}

Result<LabelRule> label_rule(const Json& json, const std::string& where) {
    Members members(json, where);
    LabelRule rule{members.text("name"), members.texts("classes")};
    if (rule.is_number()) {
        rule.mean = members.number("mean");
        rule.deviation = members.deviation("deviation");
    }
    PLIMSOLL_RETURN_IF_ERROR(members.status());
    return rule;
}

}  // namespace

Json to_json(const TableEncoding& encoding) {
    Json numbers = Json::array(), categories = Json::array();
    for (const auto& rule : encoding.numbers)
        numbers.push_back({{"name", rule.name},
                           {"mean", rule.mean},
                           {"deviation", rule.deviation},
                           {"gaps", rule.has_gaps}});
    for (const auto& rule : encoding.categories)
        categories.push_back({{"name", rule.name},
                              {"values", rule.values},
                              {"gaps", rule.has_gaps},
                              {"rare", rule.has_rare},
                              {"usual", rule.usual}});
    const LabelRule& own = encoding.label;
    Json label{{"name", own.name}, {"classes", own.classes}};
    if (own.is_number()) label.update(Json{{"mean", own.mean}, {"deviation", own.deviation}});
    return {{"numbers", numbers}, {"categories", categories}, {"label", label}};
}

Result<TableEncoding> table_encoding_from_json(const Json& json, std::string_view where) {
    const std::string name(where);
    Members members(json, name);
    TableEncoding encoding;
    for (const Json& item : members.array("numbers")) {
        PLIMSOLL_ASSIGN(rule, number_rule(item, name + ": numbers"));
        encoding.numbers.push_back(std::move(rule));
    }
    for (const Json& item : members.array("categories")) {
        PLIMSOLL_ASSIGN(rule, category_rule(item, name + ": categories"));
        encoding.categories.push_back(std::move(rule));
    }
    PLIMSOLL_RETURN_IF_ERROR(members.status());
    if (!json.contains("label")) return bad_input(name + ": label", "missing");
    PLIMSOLL_ASSIGN(label, label_rule(json.at("label"), name + ": label"));
    encoding.label = std::move(label);
    return encoding;
}

}  // namespace plimsoll::run
