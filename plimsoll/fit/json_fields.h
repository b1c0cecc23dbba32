#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/base/utf8.h"

// Structs as JSON with one list of fields for both directions: a struct has a function
// fields(visit, value) that calls visit("key", value.key) for each of its members. An enum is its name_of(),
// and all_values() lists it; an architecture is its text; an optional that is empty is null.
namespace plimsoll::fit {

// Writes fields; an infinite number becomes "inf" or "-inf", one that is none becomes null.
class FieldWriter {
  public:
    template <class T>
    void operator()(const char* key, const T& value) {
        json_[key] = written(value);
    }
    Json take() { return std::move(json_); }

    static Json written(const std::string& value) { return value; }
    static Json written(bool value) { return value; }
    static Json written(double value) {
        if (std::isfinite(value)) return value;
        return std::isnan(value) ? Json(nullptr) : Json(value > 0 ? "inf" : "-inf");
    }
    template <std::integral T>
    static Json written(T value) {
        return value;
    }
    static Json written(const arch::ArchSpec& value) { return arch::to_text(value); }
    template <class T>
    static Json written(const std::optional<T>& value) {
        return value ? written(*value) : Json(nullptr);
    }
    template <class A, class B>
    static Json written(const std::pair<A, B>& value) {
        return Json::array({written(value.first), written(value.second)});
    }
    template <class T>
    static Json written(const std::vector<T>& values) {
        Json list = Json::array();
        for (const auto& value : values) list.push_back(written(value));
        return list;
    }
    template <class T>
    static Json written(T value)
        requires std::is_enum_v<T>
    {
        return std::string(name_of(value));
    }
    template <class T>
    static Json written(const T& value)
        requires std::is_class_v<T>
    {
        FieldWriter writer;
        fields(writer, value);
        return writer.take();
    }

  private:
    Json json_ = Json::object();
};

// Reads fields; the first that is missing, of another type or unknown is the error, with the path of its
// keys. Only an optional may be missing.
class FieldReader {
  public:
    FieldReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) status_ = bad_input(where_, "is not a table");
    }
    template <class T>
    void operator()(const char* key, T& value) {
        known_.emplace_back(key);
        if (!status_.ok()) return;
        const auto found = json_.find(key);
        const std::string place = where_ + "." + key;
        status_ = found == json_.end() ? missing(value, place) : read(*found, value, place);
    }
    // What was wrong with the fields that were visited, or that there are others.
    [[nodiscard]] Status status() const { return status_.ok() ? refuse_others() : status_; }

    static Status read(const Json& json, std::string& value, const std::string& place) {
        if (!json.is_string()) return bad_input(place, "is not text");
        value = json.get<std::string>();
        return {};
    }
    static Status read(const Json& json, bool& value, const std::string& place) {
        if (!json.is_boolean()) return bad_input(place, "is not true or false");
        value = json.get<bool>();
        return {};
    }
    static Status read(const Json& json, double& value, const std::string& place) {
        using Limits = std::numeric_limits<double>;
        const bool infinite = json == "inf" || json == "-inf";
        if (!json.is_number() && !json.is_null() && !infinite) return bad_input(place, "is not a number");
        if (infinite) value = json == "inf" ? Limits::infinity() : -Limits::infinity();
        if (!infinite) value = json.is_null() ? Limits::quiet_NaN() : json.get<double>();
        return {};
    }
    template <std::integral T>
    static Status read(const Json& json, T& value, const std::string& place) {
        using Limits = std::numeric_limits<T>;
        if (!json.is_number_integer()) return bad_input(place, "is not a whole number");
        const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                    : std::in_range<T>(json.get<std::int64_t>());
        if (!fits) return bad_input(place, fmt::format("is not in {}..{}", Limits::min(), Limits::max()));
        value = json.get<T>();
        return {};
    }
    static Status read(const Json& json, arch::ArchSpec& value, const std::string& place) {
        std::string text;
        PLIMSOLL_RETURN_IF_ERROR(read(json, text, place));
        auto spec = arch::parse_spec(text);
        if (!spec.ok()) return Error{spec.error().kind, place, spec.error().text()};
        value = std::move(spec).value();
        return {};
    }
    template <class T>
    static Status read(const Json& json, std::optional<T>& value, const std::string& place) {
        if (json.is_null()) return missing(value, place);
        return read(json, value.emplace(), place);
    }
    template <class A, class B>
    static Status read(const Json& json, std::pair<A, B>& value, const std::string& place) {
        if (!json.is_array() || json.size() != 2) return bad_input(place, "is not a pair");
        PLIMSOLL_RETURN_IF_ERROR(read(json[0], value.first, place + "[0]"));
        return read(json[1], value.second, place + "[1]");
    }
    template <class T>
    static Status read(const Json& json, std::vector<T>& values, const std::string& place) {
        if (!json.is_array()) return bad_input(place, "is not a list");
        values.clear();
        for (const auto& item : json) {
            const std::string at = fmt::format("{}[{}]", place, values.size());
            PLIMSOLL_RETURN_IF_ERROR(read(item, values.emplace_back(), at));
        }
        return {};
    }
    template <class T>
    static Status read(const Json& json, T& value, const std::string& place)
        requires std::is_enum_v<T>
    {
        std::vector<std::string_view> names;
        for (const T one : all_values(T{})) {
            if (json == Json(name_of(one))) {
                value = one;
                return {};
            }
            names.push_back(name_of(one));
        }
        return bad_input(place, fmt::format("is none of {}", fmt::join(names, ", ")));
    }
    template <class T>
    static Status read(const Json& json, T& value, const std::string& place)
        requires std::is_class_v<T>
    {
        FieldReader reader(json, place);
        fields(reader, value);
        return reader.status();
    }

  private:
    template <class T>
    static Status missing(T&, const std::string& place) {
        return bad_input(place, "is missing");
    }
    template <class T>
    static Status missing(std::optional<T>& value, const std::string&) {
        value.reset();
        return {};
    }
    [[nodiscard]] Status refuse_others() const {
        for (const auto& item : json_.items())
            if (std::ranges::find(known_, item.key()) == known_.end())
                return bad_input(where_ + "." + printable(item.key()), "is unknown");
        return {};
    }

    const Json& json_;
    std::string where_;
    std::vector<std::string_view> known_;
    Status status_;
};

// A struct with fields() as JSON.
template <class T>
Json write_fields(const T& value) {
    return FieldWriter::written(value);
}

// The struct of such JSON; `where` names it in errors.
template <class T>
Result<T> read_fields(const Json& json, const std::string& where) {
    T value;
    PLIMSOLL_RETURN_IF_ERROR(FieldReader::read(json, value, where));
    return value;
}

}  // namespace plimsoll::fit
