#include "plimsoll/lab/sweep/sweep.h"

#include <algorithm>
#include <map>
#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/sweep/sweep_budget.h"
#include "plimsoll/lab/sweep/values.h"

namespace plimsoll::lab {
namespace {

constexpr std::size_t most_bytes = 1'000'000;  // of a sweep.toml or its base

// A key, and where it is set.
struct Given {
    std::string key, place;
};

class Reader {
  public:
    Reader(std::string_view text, const std::string& file, std::filesystem::path folder)
        : places_(file, text), folder_(std::move(folder)) {
        sweep_.file = file;
    }

    Result<Sweep> read(const Json& table) {
        PLIMSOLL_RETURN_IF_ERROR(
            refuse_unknown_keys(table, {"base", "axes", "zip", "budget", "seeds", "keep"}, places_.file()));
        PLIMSOLL_RETURN_IF_ERROR(read_base(table));
        PLIMSOLL_RETURN_IF_ERROR(read_axes(table));
        PLIMSOLL_RETURN_IF_ERROR(read_zips(table));
        std::ranges::sort(sweep_.axes, {}, [](const Axis& axis) { return axis.keys.front(); });
        PLIMSOLL_RETURN_IF_ERROR(find_families());
        PLIMSOLL_RETURN_IF_ERROR(check_settings());
        PLIMSOLL_RETURN_IF_ERROR(read_rest(table));
        PLIMSOLL_RETURN_IF_ERROR(check_given_once());
        return std::move(sweep_);
    }

  private:
    Status read_base(const Json& table) {
        const Json base = table.value("base", Json());
        if (base.is_string()) return read_base_file(base.get<std::string>());
        if (!base.is_object())
            return bad_input(places_.at("base"),
                             "must be the path of a run.toml or a table [base] of settings");
        for (auto& one : flattened(base, "base."))
            sweep_.base.push_back({one.key, std::move(one.value), places_.at(one.path)});
        return {};
    }

    Status read_base_file(const std::string& name) {
        const auto path = folder_ / name;
        const auto text = read_text(path, most_bytes);
        if (!text.ok()) return Error{text.error().kind, places_.at("base"), text.error().text()};
        PLIMSOLL_ASSIGN(table, parse_toml(*text, name));
        const Places places(name, *text);
        for (auto& one : flattened(table, ""))
            sweep_.base.push_back({one.key, std::move(one.value), places.at(one.path)});
        return {};
    }

    Status read_axes(const Json& table) {
        const Json axes = table.value("axes", Json::object());
        if (!axes.is_object()) return bad_input(places_.at("axes"), "must be a table: [axes]");
        for (const auto& one : flattened(axes, "axes.")) {
            PLIMSOLL_ASSIGN(axis, read_axis({one}));
            sweep_.axes.push_back(std::move(axis));
        }
        return {};
    }

    Status read_zips(const Json& table) {
        const Json zips = table.value("zip", Json::array());
        if (!zips.is_array()) return bad_input(places_.at("zip"), "must be tables of axes: [[zip]]");
        for (std::size_t i = 0; i < zips.size(); ++i) {
            const std::string path = fmt::format("zip[{}]", i);
            if (!zips[i].is_object()) return bad_input(places_.at(path), "must be a table of axes: [[zip]]");
            auto keys = flattened(zips[i], path + ".");
            if (keys.size() < 2)
                return bad_input(places_.at(path),
                                 "needs two or more keys that vary together; a single key is an axis");
            std::ranges::sort(keys, {}, &FlatSetting::key);
            PLIMSOLL_ASSIGN(axis, read_axis(keys));
            sweep_.axes.push_back(std::move(axis));
        }
        return {};
    }

    // One key, or several of the same length.
    Result<Axis> read_axis(const std::vector<FlatSetting>& columns) const {
        Axis axis;
        for (const auto& column : columns) {
            const std::string place = places_.at(column.path);
            PLIMSOLL_ASSIGN(values, read_values(column.value, place));
            if (axis.keys.empty()) axis.points.resize(values.size());
            if (values.size() != axis.points.size()) {
                return bad_input(place, fmt::format("must have as many values as {}, {}, got {}",
                                                    axis.keys[0], axis.points.size(), values.size()));
            }
            axis.keys.push_back(column.key);
            axis.places.push_back(place);
            for (std::size_t i = 0; i < values.size(); ++i) axis.points[i].push_back(values[i]);
        }
        return axis;
    }

    // Calls `use` with every setting that the base or an axis can give; it may change the value.
    template <class Use>
    Status each_setting(Use use) {
        for (auto& setting : sweep_.base)
            PLIMSOLL_RETURN_IF_ERROR(use(setting.key, setting.value, setting.place));
        for (auto& axis : sweep_.axes)
            for (auto& point : axis.points)
                for (std::size_t k = 0; k < axis.keys.size(); ++k)
                    PLIMSOLL_RETURN_IF_ERROR(use(axis.keys[k], point[k], axis.places[k]));
        return {};
    }

    Status find_families() {
        std::set<std::string> families;
        std::set<std::string> from_recipes;
        PLIMSOLL_RETURN_IF_ERROR(each_setting([&](const auto& key, Json& value, const auto& place) -> Status {
            if (!value.is_string() || (key != "model.spec" && key != "recipe")) return {};
            const bool own = key == "model.spec";
            const std::string text =
                own ? value.get<std::string>() : spec_of_recipe(value.get<std::string>());
            if (text.empty() && !own) return {};
            PLIMSOLL_ASSIGN(spec, split_spec(text, place));
            (own ? families : from_recipes).insert(spec.family);
            return {};
        }));
        if (families.empty()) families = from_recipes;
        if (families.empty())
            return bad_input(
                places_.file(),
                "model.spec is missing: give base.model.spec, with the keys that no axis varies");
        sweep_.families.assign(families.begin(), families.end());
        return {};
    }

    Status check_settings() {
        for (const auto& setting : sweep_.base)
            PLIMSOLL_RETURN_IF_ERROR(check_key(setting.key, sweep_.families, setting.place));
        for (const auto& axis : sweep_.axes)
            for (std::size_t k = 0; k < axis.keys.size(); ++k)
                PLIMSOLL_RETURN_IF_ERROR(check_key(axis.keys[k], sweep_.families, axis.places[k]));
        return each_setting([&](const auto& key, Json& value, const auto& place) -> Status {
            PLIMSOLL_ASSIGN(plain, plain_value({key, value, place}));
            value = std::move(plain);
            return {};
        });
    }

    Status read_rest(const Json& table) {
        if (table.contains("budget")) {
            PLIMSOLL_ASSIGN(budget, read_budget(table.at("budget"), sweep_.families, places_));
            sweep_.budget = std::move(budget);
        }
        if (table.contains("seeds")) {
            PLIMSOLL_ASSIGN(seeds, read_seeds(table.at("seeds"), places_.at("seeds")));
            sweep_.seeds = std::move(seeds);
        }
        return read_keep(table.value("keep", Json::array()));
    }

    Status read_keep(const Json& value) {
        const std::string place = places_.at("keep");
        auto keys = all_keys(sweep_.families);
        keys.emplace_back("parameters");
        for (const Json& one : value.is_array() ? value : Json::array({value})) {
            if (!one.is_string())
                return bad_input(place, "must be conditions in quotes: [\"model.depth <= 12\"]");
            PLIMSOLL_ASSIGN(condition, read_condition(one.get<std::string>(), keys, place));
            sweep_.keep.push_back(std::move(condition));
        }
        return {};
    }

    Status add_spec_fields(std::vector<Given>& given, const Json& text, const std::string& place) {
        PLIMSOLL_ASSIGN(spec, split_spec(text.get<std::string>(), place));
        for (const auto& field : spec.fields) given.push_back({"model." + field.first, place});
        return {};
    }

    // Everything that is set; the fields inside a spec's text are set where the text is.
    Result<std::vector<Given>> all_given() {
        std::vector<Given> given;
        for (const auto& setting : sweep_.base) given.push_back({setting.key, setting.place});
        for (const auto& axis : sweep_.axes)
            for (std::size_t k = 0; k < axis.keys.size(); ++k)
                given.push_back({axis.keys[k], axis.places[k]});
        if (sweep_.budget) given.push_back({sweep_.budget->adjust, sweep_.budget->place});
        if (!sweep_.seeds.empty())
            for (const char* key : {"seeds.init", "seeds.data", "seeds.dropout"})
                given.push_back({key, places_.at("seeds")});
        PLIMSOLL_RETURN_IF_ERROR(each_setting([&](const auto& key, Json& value, const auto& place) -> Status {
            return key == "model.spec" ? add_spec_fields(given, value, place) : Status();
        }));
        return given;
    }

    Status check_given_once() {
        PLIMSOLL_ASSIGN(given, all_given());
        std::map<std::string, std::string> first;
        for (const auto& [key, place] : given) {
            const auto [found, is_new] = first.emplace(key, place);
            if (!is_new && found->second != place)
                return bad_input(place, fmt::format("{} is given twice, also at {}", key, found->second));
        }
        return {};
    }

    Places places_;
    std::filesystem::path folder_;
    Sweep sweep_;
};

}  // namespace

Result<Sweep> parse_sweep(std::string_view text, const std::string& file,
                          const std::filesystem::path& folder) {
    PLIMSOLL_ASSIGN(table, parse_toml(text, file));
    return Reader(text, file, folder).read(table);
}

Result<Sweep> read_sweep(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(text, read_text(path, most_bytes));
    return parse_sweep(text, path.string(), path.parent_path());
}

}  // namespace plimsoll::lab
