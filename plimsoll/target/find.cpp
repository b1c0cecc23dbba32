#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/run_list.h"
#include "plimsoll/target/fit_folder.h"
#include "plimsoll/target/hub.h"
#include "plimsoll/target/target.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;

struct Prefix {
    std::string_view text;
    Kind kind;
};

// What says where to look, where a name alone has several meanings.
constexpr std::array prefixes{Prefix{"hub:", Kind::hub}, Prefix{"run:", Kind::run},
                              Prefix{"zoo:", Kind::zoo}};

std::vector<std::string> family_names() {
    std::vector<std::string> names;
    for (const auto& family : arch::families()) names.push_back(family.name);
    return names;
}

// "family:key=value", or the name of a family alone.
bool is_spec_text(const std::string& name) {
    if (name.find(':') != std::string::npos) return true;
    return std::ranges::any_of(arch::families(), [&](const auto& family) { return family.name == name; });
}

bool is_plain_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

Kind kind_of_folder(const fs::path& folder) {
    if (is_plain_file(folder / "config.toml")) return Kind::run;
    return is_fit_folder(folder) ? Kind::fit : Kind::model;
}

Meaning of_path(const std::string& name) {
    const fs::path path(name);
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return {kind_of_folder(path), name, path, nullptr};
    if (path.extension() == ".toml") return {Kind::settings, name, path, nullptr};
    if (path.filename() == "fit.json" && is_fit_folder(path.parent_path() / "."))
        return {Kind::fit, name, path.parent_path() / ".", nullptr};
    return {Kind::model, name, path, nullptr};
}

// What each place says of a name: a meaning, or why it has none.
struct Answers {
    Result<Meaning> hub, run, zoo;

    [[nodiscard]] std::vector<Meaning> found() const {
        std::vector<Meaning> all;
        for (const auto* answer : {&hub, &run, &zoo})
            if (answer->ok()) all.push_back(**answer);
        return all;
    }
};

Result<Meaning> in_hub(const std::string& name, const SearchFolders& places) {
    const auto id = parse_hub_id(name);
    if (!id) return not_found(name, "is not an id of the Hugging Face hub");
    PLIMSOLL_ASSIGN(snapshot, find_snapshot(*id, places.hub));
    return Meaning{Kind::hub, name, snapshot, nullptr};
}

Result<Meaning> in_runs(const std::string& name, const SearchFolders& places) {
    PLIMSOLL_ASSIGN(run, store::find_run(places.runs, name));
    return Meaning{Kind::run, name, run.folder, nullptr};
}

Result<Meaning> in_zoo(const std::string& name) {
    PLIMSOLL_ASSIGN(row, audit::find_in_zoo(name));
    return Meaning{Kind::zoo, name, {}, row};
}

// An id of the hub has its slash; a name without one is looked up there by "hub:" alone.
bool may_be_hub_id(const std::string& name) {
    return name.find('/') != std::string::npos && parse_hub_id(name).has_value();
}

Answers ask(const std::string& name, const SearchFolders& places) {
    auto hub = may_be_hub_id(name) ? in_hub(name, places)
                                   : Result<Meaning>(not_found(name, "is not an id of the Hugging Face hub"));
    return {std::move(hub), in_runs(name, places), in_zoo(name)};
}

bool has_weights(const Meaning& meaning) { return meaning.kind == Kind::run || meaning.kind == Kind::fit; }

// A folder of data may be called like a run: a verb that loads weights means the run.
Meaning of_existing_path(const std::string& name, Use use, const SearchFolders& places) {
    Meaning meaning = of_path(name);
    if (use == Use::shape || has_weights(meaning)) return meaning;
    auto run = in_runs(name, places);
    return run.ok() ? std::move(run).value() : meaning;
}

Result<Meaning> usable(Meaning meaning, Use use) {
    if (use == Use::shape || has_weights(meaning)) return meaning;
    return unsupported(meaning.name,
                       fmt::format("is {}; this verb loads trained weights: give a run (plimsoll runs list) "
                                   "or the folder of a fit",
                                   words(meaning)));
}

Error ambiguous(const std::string& name, const std::vector<Meaning>& found) {
    std::vector<std::string> meanings;
    for (const auto& meaning : found) meanings.push_back(words(meaning));
    return bad_input(name, fmt::format("may be {}; write hub:{}, run:{}, zoo:{} or a path",
                                       join(meanings, " or "), name, name, name));
}

// What the zoo has that is called like the last part of an id, for the error.
std::string nearest_of_zoo(const std::string& id) {
    const auto named = audit::find_in_zoo(id.substr(id.find('/') + 1));
    if (named.ok()) return fmt::format("the zoo has {}", (*named)->shape.name);
    return named.error().message;
}

Error not_in_hub(const std::string& name, const Error& error, const SearchFolders& places) {
    const std::string id = parse_hub_id(name)->id;
    return not_found(name,
                     fmt::format("no such file, and {} ({}); {}. \"hf download {} config.json\" brings "
                                 "its sizes where there is a network",
                                 "it is not in the local hub cache",
                                 error.kind == ErrorKind::not_found ? places.hub.string() : error.text(),
                                 nearest_of_zoo(id), id));
}

// Names of models have dots as well (Qwen/Qwen2.5-7B), so that only endings of files tell a file.
bool has_file_ending(const std::string& name) {
    constexpr std::array ends{".bin",  ".ckpt", ".csv", ".gguf", ".gz",          ".h5",     ".json", ".jsonl",
                              ".md",   ".onnx", ".pt",  ".pth",  ".py",          ".tar",    ".toml", ".txt",
                              ".yaml", ".yml",  ".zip", ".npz",  ".safetensors", ".msgpack"};
    return std::ranges::any_of(ends, [&](const char* end) { return name.ends_with(end); });
}

bool looks_like_a_path(const std::string& name) {
    return name.find('/') != std::string::npos || has_file_ending(name);
}

Error unknown(const std::string& name, Use use, const Answers& answers, const SearchFolders& places) {
    if (answers.run.error().kind == ErrorKind::bad_input) return answers.run.error();
    if (use == Use::weights) return answers.run.error();
    if (!near_misses(name, family_names()).empty()) return arch::parse_spec(name).error();
    if (may_be_hub_id(name) && !has_file_ending(name)) return not_in_hub(name, answers.hub.error(), places);
    if (looks_like_a_path(name)) return not_found(name, "no such file");
    return answers.zoo.error();
}

// The start of a published model's name means it where nothing else has that name and no run is asked for.
bool is_start_of_zoo_name(const Meaning& meaning) {
    return meaning.kind == Kind::zoo &&
           audit::plain_name(meaning.name) != audit::plain_name(meaning.zoo->shape.name);
}

Result<Meaning> of_name(const std::string& name, Use use, const SearchFolders& places) {
    const Answers answers = ask(name, places);
    if (!answers.hub.ok() && answers.hub.error().kind != ErrorKind::not_found) return answers.hub.error();
    std::vector<Meaning> found = answers.found();
    if (found.empty()) return unknown(name, use, answers, places);
    if (use == Use::weights || found.size() > 1) std::erase_if(found, is_start_of_zoo_name);
    if (use == Use::weights && std::ranges::any_of(found, has_weights))
        std::erase_if(found, [](const Meaning& one) { return !has_weights(one); });
    if (found.empty()) return answers.run.error();
    if (found.size() > 1) return ambiguous(name, found);
    return usable(found.front(), use);
}

Result<Meaning> of_prefixed(Kind kind, const std::string& name, const SearchFolders& places) {
    if (kind == Kind::hub) return in_hub(name, places);
    return kind == Kind::run ? in_runs(name, places) : in_zoo(name);
}

}  // namespace

Result<Meaning> find(const std::string& name, Use use, const SearchFolders& places) {
    if (name.empty()) return bad_input("target", "is empty");
    std::error_code error;
    const fs::file_status status = fs::status(name, error);
    if (fs::exists(status)) return usable(of_existing_path(name, use, places), use);
    for (const auto& prefix : prefixes) {
        if (!name.starts_with(prefix.text)) continue;
        PLIMSOLL_ASSIGN(meaning, of_prefixed(prefix.kind, name.substr(prefix.text.size()), places));
        return usable(meaning, use);
    }
    if (is_spec_text(name)) return usable({Kind::spec, name, {}, nullptr}, use);
    if (status.type() == fs::file_type::none && error && error != std::errc::filename_too_long)
        return io_error(name, error.message());
    return of_name(name, use, places);
}

std::string words(const Meaning& meaning) {
    switch (meaning.kind) {
        case Kind::spec:
            return "a spec, a network without weights";
        case Kind::settings:
            return "a file of settings, a network without weights";
        case Kind::model:
            return "a file or folder of a model";
        case Kind::hub:
            return "a model of the Hugging Face hub in the local cache";
        case Kind::run:
            return "the run " + meaning.path.string();
        case Kind::fit:
            return "the fit " + meaning.path.string();
        case Kind::zoo:
            return fmt::format("{} of the zoo, sizes without weights", meaning.zoo->shape.name);
    }
    return "";
}

}  // namespace plimsoll::target
