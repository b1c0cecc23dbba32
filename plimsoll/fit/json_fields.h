#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// Structs as JSON with one list of fields for both directions: a struct has a function
// fields(visit, value) that calls visit("key", value.key) for each of its members.
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

// Reads fields; the first that is missing or of another type is the error, at its key.
class FieldReader {
  public:
    FieldReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) fail("is not a table");
    }
    template <class T>
    void operator()(const char* key, T& value) {
        if (error_.has_value()) return;
        const auto found = json_.find(key);
        const std::string place = where_ + "." + key;
        if (found == json_.end()) return set(bad_input(place, "is missing"));
        if (const Status status = read(*found, value, place); !status.ok()) set(status.error());
    }
    [[nodiscard]] Status status() const { return error_ ? Status(*error_) : Status(); }

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
        if (!json.is_number_integer()) return bad_input(place, "is not a whole number");
        value = json.get<T>();
        return {};
    }
    template <class A, class B>
    static Status read(const Json& json, std::pair<A, B>& value, const std::string& place) {
        if (!json.is_array() || json.size() != 2) return bad_input(place, "is not a pair");
        PLIMSOLL_RETURN_IF_ERROR(read(json[0], value.first, place));
        return read(json[1], value.second, place);
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
    static Status read(const Json& json, T& value, const std::string& place) {
        FieldReader reader(json, place);
        fields(reader, value);
        return reader.status();
    }

  private:
    void set(Error error) { error_ = std::move(error); }
    void fail(std::string message) { set(bad_input(where_, std::move(message))); }

    const Json& json_;
    std::string where_;
    std::optional<Error> error_;
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
