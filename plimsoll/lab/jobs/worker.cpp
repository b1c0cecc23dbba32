#include "plimsoll/lab/jobs/worker.h"

#include <csignal>
#include <cstdlib>

#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/lab/jobs/job_files.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

// Between hanging up and the end of its process.
constexpr std::chrono::seconds time_to_end{10};

// A program with a slash in its name is found from wherever its caller is.
fs::path found_from(const fs::path& folder, const fs::path& program) {
    return !folder.empty() && program.has_parent_path() ? fs::absolute(program) : program;
}

}  // namespace

Environment thread_environment(int threads) {
    if (threads <= 0) return {};
    return {{"OMP_NUM_THREADS", std::to_string(threads)}};
}

Environment worker_environment(const fs::path& folder, int threads) {
    auto environment = thread_environment(threads);
    const char* data = std::getenv("PLIMSOLL_DATA");
    if (!folder.empty() && data != nullptr && *data != 0)
        environment.emplace_back("PLIMSOLL_DATA", fs::absolute(data).string());
    return environment;
}

Worker::Worker(WorkerKind kind, fs::path log, std::chrono::milliseconds silence, Process process)
    : kind_(std::move(kind)),
      log_(std::move(log)),
      until_(Clock::now() + silence),
      process_(std::move(process)) {}

Result<Worker> Worker::start(const WorkerKind& kind, const fs::path& log, std::chrono::milliseconds silence) {
    PLIMSOLL_RETURN_IF_ERROR(reserve_log(log));
    ProcessRequest request;
    request.program = found_from(kind.folder, kind.program);
    request.arguments = {"worker", "--device", kind.device};
    request.err = kind.folder.empty() ? log : fs::absolute(log);
    request.folder = kind.folder;
    request.environment = kind.environment;
    request.channel = true;
    request.when_we_die = SIGTERM;
    PLIMSOLL_ASSIGN(process, Process::start(request));
    return Worker(kind, log, silence, std::move(process));
}

std::vector<WorkerAnswer> Worker::hear() {
    std::vector<WorkerAnswer> answers;
    if (!end_) end_ = process_.poll();  // first: what it said before its end is heard below
    for (bool more = true; more;) {
        const std::string text = process_.channel().hear();
        lines_.add(text);
        while (const auto line = lines_.next()) take(*line, answers);
        more = end_ && !text.empty();  // to the last word of one that ended
    }
    mind_silence();
    return answers;
}

void Worker::take(const Result<std::string>& line, std::vector<WorkerAnswer>& answers) {
    if (!broken_.empty()) return;
    const auto answer = line.ok() ? decode_answer(*line) : Result<WorkerAnswer>(line.error());
    if (!answer.ok())
        return give_up(fmt::format("its worker violated the protocol ({}): {}", answer.error().text(),
                                   printable(line.ok() ? *line : "")));
    if (const auto* hello = std::get_if<WorkerHello>(&*answer)) return greet(*hello);
    if (!ready_) return give_up("its worker did not say hello first");
    if (const auto* refused = std::get_if<LineRefused>(&*answer))
        return give_up(fmt::format("its worker did not understand: {}", refused->reason));
    answers.push_back(*answer);
}

void Worker::greet(const WorkerHello& hello) {
    if (ready_) return give_up("its worker said hello twice");
    ready_ = hello.version == worker_protocol;
    if (ready_) return;
    objection_ =
        unsupported(kind_.program.string(),
                    fmt::format("speaks version {} of the workers' protocol, this program version {}; "
                                "both must be of one build",
                                hello.version, worker_protocol));
    give_up(objection_->text());
}

void Worker::give_up(const std::string& reason) {
    if (broken_.empty()) broken_ = reason;
    process_.kill();
}

// Neither saying nothing at all nor hanging up without ending may hold up a sweep.
void Worker::mind_silence() {
    if (end_) return;
    if (!process_.channel().open() && !std::exchange(hung_up_, true)) until_ = Clock::now() + time_to_end;
    if ((ready_ && !hung_up_) || Clock::now() < until_) return;
    give_up(hung_up_ ? "its worker closed the connection" : "its worker printed nothing");
}

std::string Worker::reason_of(const ProcessEnd& end) const {
    if (!broken_.empty()) return broken_;
    if (end.signal != 0) return fmt::format("its process was ended by signal {}", end.signal);
    if (end.ok()) return "its process exited with 0, but the run is not done";
    return fmt::format("its process ended with exit code {}", end.exit_code);
}

std::optional<WorkerEnd> Worker::ended() {
    if (!end_) return std::nullopt;
    return WorkerEnd{*end_, reason_of(*end_), ready_, objection_};
}

WorkerPool::~WorkerPool() {
    for (const auto& worker : workers_)
        if (worker) worker->dismiss();
    for (const auto& worker : workers_)
        if (worker) worker->wait_for(time_to_end);
}

Result<Worker*> WorkerPool::worker(std::size_t slot, const WorkerKind& kind, const fs::path& log,
                                   std::chrono::milliseconds silence) {
    if (workers_.size() <= slot) workers_.resize(slot + 1);
    auto& place = workers_[slot];
    if (place) place->hear();
    if (place && !place->ended() && place->kind() == kind) return place.get();
    place.reset();
    PLIMSOLL_ASSIGN(started, Worker::start(kind, log, silence));
    place = std::make_unique<Worker>(std::move(started));
    return place.get();
}

Worker* WorkerPool::at(std::size_t slot) const {
    return slot < workers_.size() ? workers_[slot].get() : nullptr;
}

void WorkerPool::remove(std::size_t slot) {
    if (slot < workers_.size()) workers_[slot].reset();
}

void WorkerPool::stop() {
    for (const auto& worker : workers_)
        if (worker) worker->stop();
}

void WorkerPool::kill() {
    for (const auto& worker : workers_)
        if (worker) worker->kill();
}

}  // namespace plimsoll::lab
