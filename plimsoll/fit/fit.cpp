#include "plimsoll/fit/fit.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "plimsoll/arch/key_text.h"
#include "plimsoll/arch/transformer_keys.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/decide.h"
#include "plimsoll/fit/hand_over.h"
#include "plimsoll/fit/look/look.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/fit/places.h"
#include "plimsoll/fit/propose/propose.h"
#include "plimsoll/fit/race/input_choice.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::fit {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double reserve_share = 0.02, least_reserve = 2,
                 most_reserve = 10;  // seconds for the last two steps

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// "fit-enwik8" for "data/enwik8.xz", "fit-hops" for "synthetic:hops=2,count=500".
fs::path folder_for(const std::string& data) {
    std::string name = data;
    if (const auto colon = name.find(':'); name.starts_with("synthetic:")) {
        name = name.substr(colon + 1);
        name = name.substr(0, name.find_first_of("=,"));
    } else {
        fs::path path = fs::path(data).lexically_normal();
        if (!path.has_filename()) path = path.parent_path();
        name = path.filename().string();
        name = name.substr(0, std::max<std::size_t>(1, name.find('.', 1)));
    }
    return "fit-" + (name.empty() || name == "." ? "data" : name);
}

// A request.json as it would be written now: before there were styles every network had that of GPT-2, and
// there were no recipes and no ladders. Who asks for no style takes the one that is there.
Json as_written_now(Json request, const std::string& asked) {
    if (!request.is_object()) return request;
    if (!request.contains("style")) request["style"] = "gpt2";
    if (!request.contains("recipe")) request["recipe"] = nullptr;
    if (!request.contains("input")) request["input"] = "";
    if (asked == automatic_style) request["style"] = asked;
    return request;
}

// Keys whose values differ, "params, time".
std::string differences(const Json& a, const Json& b) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : a.items())
        if (!b.contains(key) || b.at(key) != value) keys.push_back(key);
    return join(keys, ", ");
}

// A step from its file, or made now and kept there.
template <class Made, class Read, class Make>
Result<Made> kept_step(const fs::path& file, Read read, Make make, bool& again) {
    again = is_there(file);
    if (again) {
        PLIMSOLL_ASSIGN(json, read_json(file));
        return read(json);
    }
    PLIMSOLL_ASSIGN(made, make());
    PLIMSOLL_RETURN_IF_ERROR(atomic_write(file, to_json(made).dump(1) + "\n"));
    return made;
}

class Fitter {
  public:
    Fitter(const FitRequest& request, const FitOptions& options)
        : request_(request), options_(options), places_(request.out) {}

    Result<FitOutcome> go() {
        PLIMSOLL_RETURN_IF_ERROR(check_request(request_));
        const bool was_there = is_there(request_.out);
        PLIMSOLL_RETURN_IF_ERROR(claim_folder());
        if (const Status proposed = look_and_propose(); !proposed.ok()) {
            if (!was_there && !is_there(places_.look())) take_folder_back();
            return proposed.error();
        }
        if (options_.dry_run) return std::move(outcome_);
        if (stop_asked()) return stopped();
        PLIMSOLL_RETURN_IF_ERROR(race_them());
        if (race_has_value()) PLIMSOLL_RETURN_IF_ERROR(decide_and_hand_over());
        return std::move(outcome_);
    }

  private:
    // The folder keeps the request it was made for: another one would mix two races.
    Status claim_folder() {
        const Json asked = to_json(request_);
        PLIMSOLL_RETURN_IF_ERROR(store::make_folders(places_.steps()));
        if (!is_there(places_.request())) return atomic_write(places_.request(), asked.dump(1) + "\n");
        PLIMSOLL_ASSIGN(written, read_json(places_.request()));
        const Json before = as_written_now(std::move(written), request_.style);
        if (before == asked) return {};
        if (!is_there(places_.race())) return begin_anew(asked);
        return bad_input("out", fmt::format("{} holds a fit with another {}; give --out another folder, or "
                                            "remove it",
                                            request_.out.string(), differences(asked, before)));
    }

    // Nothing has raced yet: the new request takes the folder over.
    Status begin_anew(const Json& asked) {
        std::error_code problem;
        for (const auto& step : {places_.look(), places_.proposal()}) {
            fs::remove(step, problem);
            if (problem) return store::write_error(step, problem.value());
        }
        return atomic_write(places_.request(), asked.dump(1) + "\n");
    }

    Status look_and_propose() {
        PLIMSOLL_RETURN_IF_ERROR(look_at_data());
        return propose_networks();
    }

    // A fit whose data could not be read leaves no folder behind, unless somebody else wrote into it.
    void take_folder_back() const {
        std::error_code ignored;
        fs::remove(places_.request(), ignored);
        for (const auto& folder : {places_.steps(), places_.out}) fs::remove(folder, ignored);
    }

    Status look_at_data() {
        bool again = false;
        PLIMSOLL_ASSIGN(seen,
                        kept_step<DataLook>(
                            places_.look(),
                            [&](const Json& json) { return look_from_json(json, places_.look().string()); },
                            [&] { return look(request_, options_.watch.look_progress); }, again));
        outcome_.look = std::move(seen);
        if (options_.watch.looked) options_.watch.looked(outcome_.look, again);
        return {};
    }

    // The proposal and the plan of its race are made together, because a slow machine gets smaller networks.
    Status propose_networks() {
        bool again = false;
        std::optional<Fitting> made;
        const auto make = [&]() -> Result<Proposal> {
            PLIMSOLL_ASSIGN(fitted,
                            fitting(request_, outcome_.look, runner(), [this] { return seconds_left(); }));
            made = std::move(fitted);
            return made->proposal;
        };
        PLIMSOLL_ASSIGN(proposed, kept_step<Proposal>(places_.proposal(), proposal_from_json, make, again));
        outcome_.proposal = std::move(proposed);
        if (options_.watch.proposed) options_.watch.proposed(outcome_.proposal, again);
        if (!made && options_.dry_run) PLIMSOLL_RETURN_IF_ERROR(plan_again(made));
        if (made && options_.watch.planned) options_.watch.planned(*made);
        if (made) planned_ = std::move(made->race);
        return {};
    }

    // The race of a proposal that an earlier call made.
    Status plan_again(std::optional<Fitting>& made) {
        made = Fitting{outcome_.proposal, {}, {}};
        const auto runner_here = runner();
        const RacePlanner planner(request_, outcome_.look, made->proposal, runner_here,
                                  [this] { return seconds_left(); });
        PLIMSOLL_ASSIGN(forecast, planner.begin(made->race));
        made->forecast = forecast;
        return {};
    }

    [[nodiscard]] lab::RunnerOptions runner() const {
        lab::RunnerOptions runner = options_.race.runner;
        runner.workers = std::max(1, runner.workers);
        const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        runner.threads = std::max(1, cores / runner.workers);
        return runner;
    }

    // Of the request's time, for the race.
    [[nodiscard]] double seconds_left() const {
        return request_.seconds.value_or(0) - seconds_so_far() - reserve();
    }

    [[nodiscard]] bool stop_asked() const {
        const auto& asked = options_.race.runner.stop_requested;
        return asked && asked();
    }

    Result<FitOutcome> stopped() {
        outcome_.stopped = true;
        return std::move(outcome_);
    }

    // Of a race that an earlier call ended; empty: there is none.
    std::string decided_before() const {
        const auto race = read_json(places_.race()), decision = read_json(places_.decision());
        const bool there = race.ok() && decision.ok() && race->is_object() && decision->is_object();
        if (!there || race->value("complete", Json()) != true) return "";
        const Json winner = decision->value("winner", Json());
        return winner.is_string() ? winner.get<std::string>() : "";
    }

    // The runs are the same and the rules are not: a folder of an earlier version may get another answer.
    void note_another_decision(Decision& decision, const std::string& before) const {
        const Candidate* candidate = find_candidate(outcome_.proposal, before);
        if (candidate == nullptr || before == decision.winner) return;
        decision.notes.push_back(
            fmt::format("An earlier version recommended {} ({}) from the same runs; it judged them by other "
                        "rules.",
                        candidate->label, before));
    }

    Status race_them() {
        before_ = decided_before();
        RaceOptions options = options_.race;
        options.runner = runner();
        options.planned = planned_;
        options.tell = options_.watch.raced;
        options.seconds_spent = seconds_so_far() + reserve();
        PLIMSOLL_ASSIGN(race, run_race(request_, outcome_.look, outcome_.proposal, options));
        outcome_.race = std::move(race);
        PLIMSOLL_ASSIGN(settled, proposal_of(request_.out, outcome_.proposal, outcome_.race));
        outcome_.proposal = std::move(settled);
        outcome_.stopped = !outcome_.race.complete;
        return {};
    }

    // Of this call before the race; what an earlier call needed to look is not counted again.
    [[nodiscard]] double seconds_so_far() const {
        return std::chrono::duration<double>(Clock::now() - begun_).count();
    }

    [[nodiscard]] double reserve() const {
        return std::clamp(reserve_share * request_.seconds.value_or(0), least_reserve, most_reserve);
    }

    [[nodiscard]] bool race_has_value() const {
        return std::ranges::any_of(outcome_.race.entries, [](const auto& e) { return e.state == "done"; });
    }

    Status decide_and_hand_over() {
        PLIMSOLL_ASSIGN(decision, decide(request_, outcome_.look, outcome_.proposal, outcome_.race));
        note_another_decision(decision, before_);
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(places_.decision(), to_json(decision).dump(1) + "\n"));
        outcome_.decision = std::move(decision);
        HandOverOptions options{places_.runs(), options_.command, ""};
        if (outcome_.stopped)
            options.partial = "the race was stopped before its end; rerun the same command to resume.";
        PLIMSOLL_ASSIGN(handed, hand_over(request_, outcome_.look, outcome_.proposal, outcome_.race,
                                          *outcome_.decision, options));
        outcome_.handed = std::move(handed);
        return {};
    }

    const FitRequest& request_;
    const FitOptions& options_;
    Places places_;
    Clock::time_point begun_ = Clock::now();
    std::optional<Race> planned_;  // by this call
    std::string before_;           // winner of a race that an earlier call ended
    FitOutcome outcome_;
};

}  // namespace

Status check_request(const FitRequest& request) {
    if (request.seconds && request.flops) return bad_input("time", "give --time or --flops, not both");
    if (request.seconds && !(*request.seconds > 0)) return bad_input("time", "must be more than 0");
    if (request.flops && !(*request.flops > 0)) return bad_input("flops", "must be more than 0");
    if (request.context < 0) return bad_input("context", "must be 1 or more");
    if (request.seed < 0) return bad_input("seed", "must be 0 or more");
    if (request.style != automatic_style)
        PLIMSOLL_RETURN_IF_ERROR(arch::read_choice(request.style, arch::transformer_styles(), "style"));
    PLIMSOLL_RETURN_IF_ERROR(check_asked(request));
    return find_look_data(request);
}

FitRequest with_defaults(FitRequest request) {
    if (request.data.empty()) request.data = embedded_data;
    if (!request.seconds && !request.flops) request.seconds = usual_seconds(request.on_gpu());
    if (request.out.empty()) request.out = folder_for(request.data);
    return request;
}

Result<FitOutcome> fit(const FitRequest& request, const FitOptions& options) {
    return Fitter(request, options).go();
}

}  // namespace plimsoll::fit
