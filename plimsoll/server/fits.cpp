#include "plimsoll/server/fits.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/server/http/gate.h"
#include "plimsoll/server/inside.h"

namespace plimsoll::server {
namespace {

constexpr std::size_t id_digits = 16, log_bytes = 4000, most_log_bytes = 20'000'000,
                      most_report_bytes = 50'000'000;

bool is_fit_id(const std::string& name) {
    return name.size() == id_digits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string last_bytes(const std::string& text) {
    if (text.size() <= log_bytes) return text;
    const auto line = text.find('\n', text.size() - log_bytes);
    return line == std::string::npos ? text.substr(text.size() - log_bytes) : text.substr(line + 1);
}

bool has_answer(const std::filesystem::path& fit) {
    return std::filesystem::is_regular_file(fit / "report.html") ||
           std::filesystem::is_regular_file(fit / "report.md");
}

// What a fit of the page is doing, in its note and in the API.
enum class FitState { running, stopping, stopped, done, failed };

std::string_view name_of(FitState state) {
    constexpr std::array<std::string_view, 5> names{"running", "stopping", "stopped", "done", "failed"};
    return names.at(static_cast<std::size_t>(state));
}

FitState state_after(const ProcessEnd& end) {
    if (end.signal != 0 || end.exit_code == exit_stopped) return FitState::stopped;
    return end.exit_code == 0 ? FitState::done : FitState::failed;
}

std::int64_t seconds_now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Fits::Fits(std::filesystem::path program, std::filesystem::path folder)
    : program_(std::move(program)), folder_(std::move(folder)) {}

Fits::~Fits() { stop_all(); }

Result<Json> Fits::noted(const std::string& id) const {
    if (!is_fit_id(id) || !lies_inside(folder_, place(id)))
        return not_found("fit", "there is none with that id");
    PLIMSOLL_RETURN_IF_ERROR(check_links(folder_, place(id)));
    return read_json(place(id) / "serve.json");
}

Status Fits::note(const std::string& id, const Json& what) const {
    return atomic_write(place(id) / "serve.json", what.dump(2) + "\n");
}

// The words of the command, with its folder: the same words go on with it.
Status Fits::launch(const std::string& id, Json what) {
    look_after();
    if (!running_.empty())
        return unsupported(
            "fit", fmt::format("{} is running and takes all cores; stop it first", running_.begin()->first));
    ProcessRequest request;
    request.program = program_;
    request.arguments = what.at("words").get<std::vector<std::string>>();
    request.out = request.err = place(id) / "log.txt";
    request.folder = place(id);
    request.environment = {{"NO_COLOR", "1"}};
    request.when_we_die = SIGTERM;
    PLIMSOLL_ASSIGN(process, Process::start(request));
    running_.emplace(id, std::move(process));
    what["state"] = name_of(FitState::running);
    return note(id, what);
}

Result<std::string> Fits::start(const std::vector<std::string>& words) {
    const std::string id = random_token().substr(0, id_digits);
    std::error_code problem;
    std::filesystem::create_directories(place(id), problem);
    if (problem) return io_error(folder_.string(), problem.message());
    auto all = words;
    all.push_back("--out=" + (place(id) / "fit").string());
    const auto status = launch(id, {{"words", all}, {"started", seconds_now()}});
    if (status.ok()) return id;
    std::filesystem::remove_all(place(id), problem);
    return status.error();
}

Status Fits::stop(const std::string& id) {
    look_after();
    PLIMSOLL_ASSIGN(what, noted(id));
    const auto found = running_.find(id);
    if (found == running_.end()) return unsupported("fit", "does not run");
    found->second.terminate();
    what["state"] = name_of(FitState::stopping);
    return note(id, what);
}

Status Fits::resume(const std::string& id) {
    look_after();
    PLIMSOLL_ASSIGN(what, noted(id));
    if (running_.contains(id)) return unsupported("fit", "runs already");
    return launch(id, what);
}

// Notes how those that ended did.
void Fits::look_after() {
    for (auto at = running_.begin(); at != running_.end();) {
        const auto end = at->second.poll();
        if (!end) {
            ++at;
            continue;
        }
        if (auto what = noted(at->first); what.ok()) {
            Json after = *what;
            after["state"] = name_of(state_after(*end));
            (void)note(at->first, after).ok();
        }
        at = running_.erase(at);
    }
}

Json Fits::list() {
    look_after();
    std::vector<Json> all;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, problem)) {
        const auto one = show(entry.path().filename().string());
        if (one.ok()) all.push_back(*one);
    }
    std::ranges::sort(all, [](const Json& a, const Json& b) { return a.at("started") > b.at("started"); });
    return all;
}

Result<Json> Fits::show(const std::string& id) {
    look_after();
    PLIMSOLL_ASSIGN(what, noted(id));
    const std::string stopped(name_of(FitState::stopped));
    std::string state = what.value("state", stopped);
    // A server that was killed could not note the end.
    const bool open = state == name_of(FitState::running) || state == name_of(FitState::stopping);
    if (!running_.contains(id) && open) state = stopped;
    std::string command = "plimsoll";
    for (const auto& word : what.at("words")) command += " " + shell_word(word.get<std::string>());
    const auto log = read_text(place(id) / "log.txt", most_log_bytes);
    return Json{{"id", id},
                {"state", state},
                {"started", what.value("started", std::int64_t{0})},
                {"command", command},
                {"has_answer", has_answer(place(id) / "fit")},
                {"log", log.ok() ? last_bytes(*log) : ""}};
}

Result<Fits::Answer> Fits::report(const std::string& id) const {
    PLIMSOLL_ASSIGN(what, noted(id));
    PLIMSOLL_RETURN_IF_ERROR(check_links(folder_, place(id) / "fit"));
    const auto page = read_text(place(id) / "fit" / "report.html", most_report_bytes);
    if (page.ok()) return Answer{*page, true};
    PLIMSOLL_ASSIGN(text, read_text(place(id) / "fit" / "report.md", most_report_bytes));
    return Answer{std::move(text), false};
}

void Fits::stop_all(std::chrono::seconds most) {
    for (auto& [id, process] : running_) process.terminate();
    const auto end = std::chrono::steady_clock::now() + most;
    while (!running_.empty() && std::chrono::steady_clock::now() < end) {
        look_after();
        if (!running_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    for (auto& [id, process] : running_) process.kill();
    running_.clear();
}

}  // namespace plimsoll::server
