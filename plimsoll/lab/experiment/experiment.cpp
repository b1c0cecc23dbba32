#include "plimsoll/lab/experiment/experiment.h"

#include <algorithm>
#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/shared_folder.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/toml_fields.h"
#include "plimsoll/data/synthetic/synthetic.h"
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
        const TomlFields file(table, "", places_);
        PLIMSOLL_RETURN_IF_ERROR(
            file.refuse_others({"title", "source", "question", "prediction", "predicted_on", "rows",
                                "compute", "pairs", "strides", "smoke", "desk", "paper"}));
        PLIMSOLL_RETURN_IF_ERROR(read_words(file));
        PLIMSOLL_RETURN_IF_ERROR(read_rows(file));
        if (file.has("pairs")) PLIMSOLL_RETURN_IF_ERROR(read_pairs(file));
        PLIMSOLL_ASSIGN(strides, file.counts("strides"));
        experiment_.strides = strides;
        for (const std::string& name : scale_names())
            if (file.has(name)) PLIMSOLL_RETURN_IF_ERROR(read_scale(file, name));
        PLIMSOLL_RETURN_IF_ERROR(check());
        return std::move(experiment_);
    }

  private:
    [[nodiscard]] Error wrong(const std::string& path, const std::string& what) const {
        return bad_input(places_.at(path), what);
    }

    Status read_words(const TomlFields& file) {
        const std::pair<const char*, std::string*> texts[] = {{"title", &experiment_.title},
                                                              {"source", &experiment_.source},
                                                              {"question", &experiment_.question},
                                                              {"prediction", &experiment_.prediction},
                                                              {"predicted_on", &experiment_.predicted_on}};
        for (const auto& [key, place] : texts) {
            PLIMSOLL_ASSIGN(text, file.needed(key));
            *place = text;
        }
        return {};
    }

    Status read_rows(const TomlFields& file) {
        PLIMSOLL_ASSIGN(kinds, file.texts_or_one("rows"));
        if (kinds.empty()) kinds = {"runs"};
        std::set<std::string> seen;
        for (const auto& kind : kinds) {
            if (std::ranges::find(row_kinds(), kind) == row_kinds().end())
                return wrong("rows", fmt::format("unknown '{}'{}", kind, suggestion(kind, row_kinds())));
            if (!seen.insert(kind).second) return wrong("rows", fmt::format("{} appears twice", kind));
        }
        experiment_.rows = kinds;
        if (!file.has("compute")) return {};
        PLIMSOLL_ASSIGN(compute, file.needed("compute"));
        experiment_.compute = compute;
        return {};
    }

    Status read_pairs(const TomlFields& file) {
        PLIMSOLL_ASSIGN(given, file.table("pairs"));
        PLIMSOLL_RETURN_IF_ERROR(given.refuse_others({"by", "of", "match"}));
        Pairs pairs;
        if (given.has("by")) {
            PLIMSOLL_ASSIGN(by, given.needed("by"));
            pairs.by = by;
        }
        PLIMSOLL_ASSIGN(of, given.texts_or_one("of"));
        PLIMSOLL_ASSIGN(match, given.texts_or_one("match"));
        if (of.size() < 2) return wrong("pairs.of", "needs two values or more to compare");
        pairs.of = of;
        pairs.match = given.has("match") ? match : std::vector<std::string>{"seed"};
        experiment_.pairs = pairs;
        return {};
    }

    Status read_scale(const TomlFields& file, const std::string& name) {
        PLIMSOLL_ASSIGN(fields, file.table(name));
        PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"sweeps", "cost", "data", "prepare", "arguments"}));
        Scale scale;
        scale.name = name;
        PLIMSOLL_ASSIGN(cost, fields.needed("cost"));
        PLIMSOLL_ASSIGN(sweeps, fields.texts_or_one("sweeps"));
        PLIMSOLL_ASSIGN(data, fields.texts_or_one("data"));
        scale.cost = cost;
        scale.data = data;
        scale.arguments = Json::object();
        if (fields.has("arguments")) PLIMSOLL_RETURN_IF_ERROR(fields.table("arguments"));
        if (fields.has("arguments")) scale.arguments = fields.value("arguments");
        for (const auto& sweep : sweeps) {
            std::error_code ignored;
            if (!fs::is_regular_file(folder_ / sweep, ignored))
                return not_found(fields.place("sweeps"), fmt::format("no file {} here", sweep));
            scale.sweeps.push_back(folder_ / sweep);
        }
        PLIMSOLL_ASSIGN(preparations, fields.tables("prepare"));
        for (const TomlFields& preparation : preparations) {
            PLIMSOLL_ASSIGN(one, read_preparation(preparation));
            scale.prepare.push_back(std::move(one));
        }
        experiment_.scales.push_back(std::move(scale));
        return {};
    }

    static Result<Preparation> read_preparation(const TomlFields& fields) {
        PLIMSOLL_RETURN_IF_ERROR(fields.refuse_others({"tokenizer", "file", "from", "vocab", "bytes"}));
        Preparation one;
        one.tokenizer = fields.has("tokenizer");
        if (one.tokenizer == fields.has("file"))
            return bad_input(fields.place(), "needs either tokenizer or file: the file to make");
        PLIMSOLL_ASSIGN(file, fields.needed(one.tokenizer ? "tokenizer" : "file"));
        PLIMSOLL_ASSIGN(from, fields.needed("from"));
        one.file = file;
        one.from = from;
        if (!stays_inside(one.file))
            return bad_input(fields.place(),
                             fmt::format("{} must lie below the folder of the output", one.file));
        if (!one.tokenizer && !data::is_synthetic(one.from))
            return bad_input(fields.place("from"),
                             "a file is made from a synthetic set; data kinds lists them");
        if (!one.tokenizer && (fields.has("vocab") || fields.has("bytes")))
            return bad_input(fields.place(), "vocab and bytes are for a tokenizer");
        return with_sizes(std::move(one), fields);
    }

    static Result<Preparation> with_sizes(Preparation one, const TomlFields& fields) {
        if (!one.tokenizer) return one;
        PLIMSOLL_ASSIGN(vocab, fields.count("vocab"));
        one.vocab = vocab;
        if (one.vocab < 257)
            return bad_input(fields.place("vocab"), "must be 257 or more: 256 bytes and a special one");
        if (!fields.has("bytes")) return one;
        PLIMSOLL_ASSIGN(bytes, fields.count("bytes"));
        if (bytes == 0) return bad_input(fields.place("bytes"), "must be 1 or more");
        one.bytes = static_cast<std::uint64_t>(bytes);
        return one;
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
    return shared_folder("PLIMSOLL_EXPERIMENTS", "experiments", PLIMSOLL_EXPERIMENTS_FOLDER);
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
        near_misses(text, ids).empty() ? "; plimsoll reproduce --list shows all" : suggestion(text, ids);
    return not_found(text, "no experiment of that name, and no folder with an experiment.toml" + hint);
}

}  // namespace plimsoll::lab
