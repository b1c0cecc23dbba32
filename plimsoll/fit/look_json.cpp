#include <array>
#include <type_traits>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/look.h"

namespace plimsoll::fit {
namespace {

// Every member with its key, once for both directions.
template <class Visit>
void members(auto& point, const Visit& visit)
    requires(std::is_same_v<std::remove_cvref_t<decltype(point)>, DependencePoint>)
{
    visit("distance", point.distance);
    visit("bits", point.bits);
    visit("noise", point.noise);
}

template <class Visit>
void members(auto& split, const Visit& visit)
    requires(std::is_same_v<std::remove_cvref_t<decltype(split)>, SplitDependence>)
{
    visit("split", split.split);
    visit("bits", split.bits);
    visit("noise", split.noise);
}

template <class Visit>
void members(auto& dependence, const Visit& visit)
    requires(std::is_same_v<std::remove_cvref_t<decltype(dependence)>, Dependence>)
{
    visit("of", dependence.of);
    visit("by_distance", dependence.by_distance);
    visit("window", dependence.window);
    visit("splits", dependence.splits);
    visit("reach", dependence.reach);
    visit("sentences", dependence.sentences);
}

template <class Visit>
void members(auto& choice, const Visit& visit)
    requires(std::is_same_v<std::remove_cvref_t<decltype(choice)>, InputChoice>)
{
    visit("name", choice.name);
    visit("tokenizer", choice.tokenizer);
    visit("vocab", choice.vocab);
    visit("patch", choice.patch);
    visit("tokens", choice.tokens);
    visit("units_per_token", choice.units_per_token);
    visit("rank", choice.rank);
    visit("effective_rank", choice.effective_rank);
    visit("rank_source", choice.rank_source);
    visit("validation_fraction", choice.validation_fraction);
}

template <class Visit>
void members(auto& look, const Visit& visit)
    requires(std::is_same_v<std::remove_cvref_t<decltype(look)>, DataLook>)
{
    visit("data", look.data);
    visit("modality", look.modality);
    visit("goal", look.goal);
    visit("unit", look.unit);
    visit("size", look.size);
    visit("held_out", look.held_out);
    visit("held_out_part", look.held_out_part);
    visit("classes", look.classes);
    visit("image_height", look.image_height);
    visit("image_width", look.image_width);
    visit("image_channels", look.image_channels);
    visit("length", look.length);
    visit("inputs", look.inputs);
    visit("dependence", look.dependence);
    visit("notes", look.notes);
    visit("chance", look.chance);
}

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

template <class T>
Json written(const T& value) {
    if constexpr (std::is_enum_v<T>) {
        return std::string(name_of(value));
    } else if constexpr (is_list<T>) {
        Json list = Json::array();
        for (const auto& item : value) list.push_back(written(item));
        return list;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
        return value;
    } else {
        Json object = Json::object();
        members(value, [&](const char* key, const auto& member) { object[key] = written(member); });
        return object;
    }
}

// Reads values and keeps the first thing that is wrong.
class Reader {
  public:
    explicit Reader(std::string where) : where_(std::move(where)) {}
    [[nodiscard]] const Status& status() const { return status_; }

    template <class T>
    void read(const Json& json, T& value) {
        if constexpr (std::is_enum_v<T>) {
            read_name(json, value);
        } else if constexpr (is_list<T>) {
            read_list(json, value);
        } else if constexpr (std::is_same_v<T, std::string>) {
            if (json.is_string())
                value = json.get<std::string>();
            else
                wrong("text");
        } else if constexpr (std::is_same_v<T, double>) {
            if (json.is_number())
                value = json.get<double>();
            else
                wrong("a number");
        } else if constexpr (std::is_arithmetic_v<T>) {
            read_whole(json, value);
        } else {
            read_object(json, value);
        }
    }

  private:
    void wrong(std::string_view wanted) {
        if (status_.ok()) status_ = bad_input(where_ + path_, fmt::format("must be {}", wanted));
    }

    template <class T>
    void read_whole(const Json& json, T& value) {
        const bool fits = std::is_signed_v<T> ? json.is_number_integer() : json.is_number_unsigned();
        if (fits)
            value = json.get<T>();
        else
            wrong("a whole number");
    }

    template <class T>
    void read_list(const Json& json, std::vector<T>& list) {
        if (!json.is_array()) return wrong("a list");
        list.clear();
        for (const auto& item : json) read(item, list.emplace_back());
    }

    template <class E>
    void read_name(const Json& json, E& value) {
        constexpr int last = std::is_same_v<E, Modality> ? static_cast<int>(Modality::sequences)
                                                         : static_cast<int>(Goal::accuracy);
        for (int i = 0; i <= last; ++i) {
            if (json != std::string(name_of(static_cast<E>(i)))) continue;
            value = static_cast<E>(i);
            return;
        }
        wrong("a known name");
    }

    template <class T>
    void read_object(const Json& json, T& value) {
        if (!json.is_object()) return wrong("an object");
        const std::string outer = path_;
        std::size_t known = 0;
        members(value, [&](const char* key, auto& member) {
            path_ = outer + "." + key;
            ++known;
            if (const auto found = json.find(key); found != json.end())
                read(*found, member);
            else
                wrong("there");
        });
        path_ = outer;
        if (json.size() > known) wrong(fmt::format("an object of {} members", known));
    }

    std::string where_, path_;
    Status status_;
};

template <class T>
Result<T> read_from(const Json& json, std::string_view where) {
    T value;
    Reader reader{std::string(where)};
    reader.read(json, value);
    if (!reader.status().ok()) return reader.status().error();
    return value;
}

}  // namespace

Json to_json(const DataLook& look) { return written(look); }
Json to_json(const InputChoice& choice) { return written(choice); }
Json to_json(const Dependence& dependence) { return written(dependence); }

Result<DataLook> look_from_json(const Json& json, std::string_view where) {
    return read_from<DataLook>(json, where);
}
Result<InputChoice> choice_from_json(const Json& json, std::string_view where) {
    return read_from<InputChoice>(json, where);
}

}  // namespace plimsoll::fit
