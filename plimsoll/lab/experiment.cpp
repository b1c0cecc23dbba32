#include "plimsoll/lab/experiment.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/synthetic.h"
#include "plimsoll/lab/places.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 1'000'000;  // of an experiment.toml
constexpr const char* file_name = "experiment.toml";

// A path that stays where it is put: relative, without "..".
bool stays_inside(const std::string& name) {
    const fs::path path = fs::path(name).lexically_normal();
    return !name.empty() && path.is_relative() && *path.begin() != ".." && path != ".";
}

// Reads one experiment.toml; errors name the line.
class Reader {
  public:
    Reader(const fs::path& folder, std::string_view text)
        : folder_(folder), places_((folder / file_name).string(), text) {
        experiment_.folder = folder;
        experiment_.id = fs::absolute(folder).lexically_normal().filename().string();
        if (experiment_.id.empty())
            experiment_.id = fs::absolute(folder).lexically_normal().parent_path().filename().string();
    }

    Result<Experiment> read(const Json& table) {
        PLIMSOLL_RETURN_IF_ERROR(
            refuse_unknown_keys(table,
                                {"title", "source", "question", "prediction", "predicted_on", "rows",
                                 "compute", "pairs", "strides", "smoke", "desk", "paper"},
                                places_.file()));
        PLIMSOLL_RETURN_IF_ERROR(read_words(table));
        PLIMSOLL_RETURN_IF_ERROR(read_rows(table));
        PLIMSOLL_RETURN_IF_ERROR(read_pairs(table));
        PLIMSOLL_RETURN_IF_ERROR(read_strides(table));
        for (const std::string& name : scale_names())
            if (table.contains(name)) PLIMSOLL_RETURN_IF_ERROR(read_scale(name, table.at(name)));
        PLIMSOLL_RETURN_IF_ERROR(check());
        return std::move(experiment_);
    }

  private:
    [[nodiscard]] Error wrong(const std::string& path, const std::string& what) const {
        return bad_input(places_.at(path), what);
    }

    Result<std::string> word(const Json& table, const std::string& key, const std::string& path) const {
        if (!table.contains(key)) return wrong(path, "is missing");
        if (!table.at(key).is_string() || trim(table.at(key).get<std::string>()).empty())
            return wrong(path, "must be text");
        return table.at(key).get<std::string>();
    }

    Result<std::vector<std::string>> words(const Json& table, const std::string& key,
                                           const std::string& path) const {
        std::vector<std::string> list;
        if (!table.contains(key)) return list;
        const Json& value = table.at(key);
        if (value.is_string()) return std::vector{value.get<std::string>()};
        if (!value.is_array()) return wrong(path, "must be a list of words");
        for (const Json& one : value) {
            if (!one.is_string()) return wrong(path, "must be a list of words");
            list.push_back(one.get<std::string>());
        }
        return list;
    }

    Status read_words(const Json& table) {
        const std::pair<const char*, std::string*> texts[] = {{"title", &experiment_.title},
                                                              {"source", &experiment_.source},
                                                              {"question", &experiment_.question},
                                                              {"prediction", &experiment_.prediction},
                                                              {"predicted_on", &experiment_.predicted_on}};
        for (const auto& [key, place] : texts) {
            PLIMSOLL_ASSIGN(text, word(table, key, key));
            *place = text;
        }
        return {};
    }

    Status read_rows(const Json& table) {
        PLIMSOLL_ASSIGN(kinds, words(table, "rows", "rows"));
        if (kinds.empty()) kinds = {"runs"};
        std::set<std::string> seen;
        for (const auto& kind : kinds) {
            if (std::ranges::find(row_kinds(), kind) == row_kinds().end())
                return wrong("rows", fmt::format("unknown '{}'{}", kind, suggestion(kind, row_kinds())));
            if (!seen.insert(kind).second) return wrong("rows", fmt::format("{} is there twice", kind));
        }
        experiment_.rows = kinds;
        if (!table.contains("compute")) return {};
        PLIMSOLL_ASSIGN(compute, word(table, "compute", "compute"));
        experiment_.compute = compute;
        return {};
    }

    Status read_pairs(const Json& table) {
        if (!table.contains("pairs")) return {};
        const Json& given = table.at("pairs");
        if (!given.is_object()) return wrong("pairs", "must be a table: [pairs]");
        PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(given, {"by", "of", "match"}, places_.at("pairs")));
        Pairs pairs;
        if (given.contains("by")) {
            PLIMSOLL_ASSIGN(by, word(given, "by", "pairs.by"));
            pairs.by = by;
        }
        PLIMSOLL_ASSIGN(of, words(given, "of", "pairs.of"));
        PLIMSOLL_ASSIGN(match, words(given, "match", "pairs.match"));
        if (of.size() < 2) return wrong("pairs.of", "needs two values or more to compare");
        pairs.of = of;
        pairs.match = given.contains("match") ? match : std::vector<std::string>{"seed"};
        experiment_.pairs = pairs;
        return {};
    }

    Status read_strides(const Json& table) {
        if (!table.contains("strides")) return {};
        const Json& given = table.at("strides");
        if (!given.is_array()) return wrong("strides", "must be a list of whole numbers");
        for (const Json& one : given) {
            if (!one.is_number_integer() || one.get<std::int64_t>() < 1)
                return wrong("strides", "must be a list of whole numbers, 1 or more");
            experiment_.strides.push_back(one.get<std::int64_t>());
        }
        return {};
    }

    Status read_scale(const std::string& name, const Json& table) {
        if (!table.is_object()) return wrong(name, fmt::format("must be a table: [{}]", name));
        PLIMSOLL_RETURN_IF_ERROR(
            refuse_unknown_keys(table, {"sweeps", "cost", "data", "prepare", "arguments"}, places_.at(name)));
        Scale scale;
        scale.name = name;
        PLIMSOLL_ASSIGN(cost, word(table, "cost", name + ".cost"));
        PLIMSOLL_ASSIGN(sweeps, words(table, "sweeps", name + ".sweeps"));
        PLIMSOLL_ASSIGN(data, words(table, "data", name + ".data"));
        scale.cost = cost;
        scale.data = data;
        scale.arguments = table.value("arguments", Json::object());
        if (!scale.arguments.is_object()) return wrong(name + ".arguments", "must be a table");
        for (const auto& sweep : sweeps) {
            std::error_code ignored;
            if (!fs::is_regular_file(folder_ / sweep, ignored))
                return not_found(places_.at(name + ".sweeps"), fmt::format("no file {} here", sweep));
            scale.sweeps.push_back(folder_ / sweep);
        }
        PLIMSOLL_RETURN_IF_ERROR(read_preparations(scale, table.value("prepare", Json::array())));
        experiment_.scales.push_back(std::move(scale));
        return {};
    }

    Status read_preparations(Scale& scale, const Json& list) {
        const std::string path = scale.name + ".prepare";
        if (!list.is_array()) return wrong(path, fmt::format("must be tables: [[{}]]", path));
        for (std::size_t i = 0; i < list.size(); ++i) {
            PLIMSOLL_ASSIGN(one, read_preparation(list[i], fmt::format("{}[{}]", path, i)));
            scale.prepare.push_back(std::move(one));
        }
        return {};
    }

    Result<Preparation> read_preparation(const Json& table, const std::string& path) {
        if (!table.is_object()) return wrong(path, "must be a table");
        PLIMSOLL_RETURN_IF_ERROR(
            refuse_unknown_keys(table, {"tokenizer", "file", "from", "vocab", "bytes"}, places_.at(path)));
        Preparation one;
        one.tokenizer = table.contains("tokenizer");
        if (one.tokenizer == table.contains("file"))
            return wrong(path, "needs one of tokenizer and file: what is made");
        PLIMSOLL_ASSIGN(file, word(table, one.tokenizer ? "tokenizer" : "file", path));
        PLIMSOLL_ASSIGN(from, word(table, "from", path + ".from"));
        one.file = file;
        one.from = from;
        if (!stays_inside(one.file))
            return wrong(path, fmt::format("{} must lie below the folder of the output", one.file));
        if (!one.tokenizer && !data::is_synthetic(one.from))
            return wrong(path + ".from", "a file is made from a synthetic set; data kinds lists them");
        if (!one.tokenizer && (table.contains("vocab") || table.contains("bytes")))
            return wrong(path, "vocab and bytes are for a tokenizer");
        return with_sizes(std::move(one), table, path);
    }

    Result<Preparation> with_sizes(Preparation one, const Json& table, const std::string& path) const {
        if (!one.tokenizer) return one;
        PLIMSOLL_ASSIGN(vocab, count(table, "vocab", path));
        one.vocab = vocab;
        if (one.vocab < 257)
            return wrong(path + ".vocab", "must be 257 or more: 256 bytes and a special one");
        if (!table.contains("bytes")) return one;
        PLIMSOLL_ASSIGN(bytes, count(table, "bytes", path));
        if (bytes == 0) return wrong(path + ".bytes", "must be 1 or more");
        one.bytes = static_cast<std::uint64_t>(bytes);
        return one;
    }

    Result<std::int64_t> count(const Json& table, const std::string& key, const std::string& path) const {
        const Json value = table.value(key, Json());
        if (value.is_number_integer() && value.get<std::int64_t>() >= 0) return value.get<std::int64_t>();
        if (value.is_string()) return parse_count(value.get<std::string>(), places_.at(path + "." + key));
        return wrong(path + "." + key, "must be a count such as 500 or \"20M\"");
    }

    // What belongs together.
    Status check() {
        const bool computed = experiment_.has_rows("computed");
        if (computed != !experiment_.compute.empty())
            return wrong(computed ? "rows" : "compute", "rows = \"computed\" and compute belong together");
        if (experiment_.has_rows("cka") && !experiment_.pairs)
            return wrong("rows", "cka needs the table [pairs]: by, of, match");
        if (experiment_.has_rows("strides") == experiment_.strides.empty())
            return wrong("strides", "rows = \"strides\" and strides = [1, ...] belong together");
        if (computed && experiment_.scales.empty())
            for (const auto& name : scale_names()) {
                Scale same;
                same.name = name;
                same.cost = "computed, nothing is trained";
                experiment_.scales.push_back(std::move(same));
            }
        if (experiment_.scales.empty())
            return bad_input(places_.file(), "has no scale: [smoke], [desk] or [paper]");
        for (const Scale& scale : experiment_.scales)
            if (!computed && scale.sweeps.empty()) return wrong(scale.name + ".sweeps", "is missing");
        return {};
    }

    fs::path folder_;
    Places places_;
    Experiment experiment_;
};

}  // namespace

const std::vector<std::string>& row_kinds() {
    static const std::vector<std::string> kinds{"runs", "curves", "cka", "spectra", "strides", "computed"};
    return kinds;
}

const std::vector<std::string>& scale_names() {
    static const std::vector<std::string> names{"smoke", "desk", "paper"};
    return names;
}

bool Experiment::has_rows(std::string_view kind) const { return std::ranges::find(rows, kind) != rows.end(); }

Result<const Scale*> Experiment::scale(const std::string& name) const {
    std::vector<std::string> names;
    for (const Scale& one : scales) {
        if (one.name == name) return &one;
        names.push_back(one.name);
    }
    return bad_input("scale", fmt::format("{} has no '{}'{}", id, name, suggestion(name, names)));
}

Result<Experiment> read_experiment(const fs::path& folder) {
    PLIMSOLL_ASSIGN(text, read_text(folder / file_name, most_bytes));
    PLIMSOLL_ASSIGN(table, parse_toml(text, (folder / file_name).string()));
    return Reader(folder, text).read(table);
}

fs::path experiments_folder() {
    const char* named = std::getenv("PLIMSOLL_EXPERIMENTS");
    return named != nullptr && *named != 0 ? fs::path(named) : fs::path(PLIMSOLL_EXPERIMENTS_FOLDER);
}

Result<std::vector<Experiment>> list_experiments(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return not_found(folder.string(), "no such folder; $PLIMSOLL_EXPERIMENTS names the experiments");
    PLIMSOLL_ASSIGN(entries, store::entries_of(folder));
    std::vector<Experiment> found;
    for (const auto& entry : entries) {
        if (!fs::exists(entry / file_name, ignored)) continue;
        PLIMSOLL_ASSIGN(experiment, read_experiment(entry));
        found.push_back(std::move(experiment));
    }
    return found;
}

Result<Experiment> find_experiment(const std::string& text) {
    std::error_code ignored;
    const bool plain = text.find('/') == std::string::npos;
    if (fs::exists(fs::path(text) / file_name, ignored)) return read_experiment(text);
    const fs::path all = experiments_folder();
    if (plain && !text.empty() && fs::exists(all / text / file_name, ignored))
        return read_experiment(all / text);
    std::vector<std::string> ids;
    if (const auto entries = store::entries_of(all); entries.ok())
        for (const auto& entry : *entries)
            if (fs::exists(entry / file_name, ignored)) ids.push_back(entry.filename().string());
    const std::string hint =
        near_misses(text, ids).empty() ? "; plimsoll reproduce --list has them all" : suggestion(text, ids);
    return not_found(text, "no experiment of that name, and no folder with an experiment.toml" + hint);
}

}  // namespace plimsoll::lab
