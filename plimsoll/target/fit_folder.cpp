#include "plimsoll/target/fit_folder.h"

#include <initializer_list>
#include <optional>

#include "plimsoll/store/run_list.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;

constexpr const char* fit_json_name = "fit.json";

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

// The value under these keys; null where one of them is absent.
const Json& value_at(const Json& object, std::initializer_list<const char*> keys) {
    static const Json none;
    const Json* at = &object;
    for (const char* key : keys) {
        if (!at->is_object() || !at->contains(key)) return none;
        at = &at->at(key);
    }
    return *at;
}

std::string text_at(const Json& object, std::initializer_list<const char*> keys) {
    const Json& value = value_at(object, keys);
    return value.is_string() ? value.get<std::string>() : std::string();
}

const Json& list_at(const Json& object, std::initializer_list<const char*> keys) {
    static const Json none = Json::array();
    const Json& value = value_at(object, keys);
    return value.is_array() ? value : none;
}

Result<arch::ArchSpec> spec_of_candidate(const Json& fit, const std::string& id, const fs::path& file) {
    for (const Json& candidate : list_at(fit, {"proposal", "candidates"})) {
        if (text_at(candidate, {"id"}) != id) continue;
        auto spec = arch::parse_spec(text_at(candidate, {"spec"}));
        if (!spec.ok()) return bad_input(file.string(), "proposal: " + spec.error().text());
        return spec;
    }
    return bad_input(file.string(), "the winner " + id + " is not among the candidates");
}

// The best of the winner's runs on the rung that decided, for a fit.json that does not name it.
std::string best_run(const Json& fit, const std::string& winner) {
    const bool higher = text_at(fit, {"look", "goal"}) != "bits per byte";
    const Json& rung = value_at(fit, {"decision", "rung"});
    std::optional<double> best;
    std::string run;
    for (const Json& entry : list_at(fit, {"race", "entries"})) {
        const Json& value = value_at(entry, {"value"});
        const bool counts = text_at(entry, {"candidate"}) == winner && text_at(entry, {"state"}) == "done" &&
                            value_at(entry, {"rung"}) == rung && value.is_number();
        if (!counts) continue;
        const double number = value.get<double>();
        if (best && (higher ? number <= *best : number >= *best)) continue;
        best = number;
        run = text_at(entry, {"run"});
    }
    return run;
}

}  // namespace

bool is_fit_folder(const fs::path& folder) {
    return is_file(folder / fit_json_name) ||
           (is_file(folder / "request.json") && is_file(folder / "steps/look.json"));
}

Result<Json> read_fit(const fs::path& folder) {
    const fs::path file = folder / fit_json_name;
    if (!is_file(file))
        return not_found(folder.string(), "this fit is not over: the command that began it resumes it");
    PLIMSOLL_ASSIGN(fit, read_json(file));
    if (text_at(fit, {"format"}) != "plimsoll-fit-1")
        return bad_input(file.string(), "is not the fit.json of a plimsoll fit");
    return fit;
}

Result<FitWinner> fit_winner(const fs::path& folder) {
    PLIMSOLL_ASSIGN(fit, read_fit(folder));
    FitWinner winner;
    winner.candidate = text_at(fit, {"decision", "winner"});
    if (winner.candidate.empty()) return not_found(folder.string(), "this fit decided nothing");
    winner.sentence = text_at(fit, {"decision", "sentence"});
    winner.raced = list_at(fit, {"proposal", "candidates"}).size();
    PLIMSOLL_ASSIGN(spec, spec_of_candidate(fit, winner.candidate, folder / fit_json_name));
    winner.spec = std::move(spec);
    std::string run = text_at(fit, {"handed_over", "run"});
    if (run.empty()) run = best_run(fit, winner.candidate);
    if (store::is_run_id(run)) winner.run = folder / "runs" / run;
    return winner;
}

}  // namespace plimsoll::target
