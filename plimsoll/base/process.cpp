#include "plimsoll/base/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ;  // NOLINT: POSIX wants it declared here

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr int signal_base = 128;

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Our environment with the given variables in place of ours of the same name.
std::vector<std::string> environment_of(const ProcessRequest& request) {
    std::vector<std::string> lines;
    for (const auto& [name, value] : request.environment) lines.push_back(name + "=" + value);
    for (char** own = environ; *own != nullptr; ++own) {
        const std::string_view line = *own;
        const auto name = line.substr(0, line.find('='));
        bool replaced = false;
        for (const auto& given : request.environment) replaced = replaced || given.first == name;
        if (!replaced) lines.emplace_back(line);
    }
    return lines;
}

// The child could not say which of its files it could not open; look before.
Status check_writable(const fs::path& file) {
    if (file.empty()) return {};
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return io_error(file.string(), std::string("cannot be written: ") + std::strerror(errno));
    ::close(descriptor);
    return {};
}

Status check_folder(const fs::path& folder) {
    std::error_code ignored;
    if (folder.empty() || fs::is_directory(folder, ignored)) return {};
    return not_found(folder.string(), "no such folder");
}

ProcessEnd end_of(int status) {
    if (WIFSIGNALED(status)) return {signal_base + WTERMSIG(status), WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

// A pipe that ends with the program's start: the child's trouble before it comes through, else nothing.
class StartReport {
  public:
    StartReport() { open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
    ~StartReport() {
        close_end(0);
        close_end(1);
    }
    StartReport(const StartReport&) = delete;
    StartReport& operator=(const StartReport&) = delete;
    [[nodiscard]] bool open() const { return open_; }
    void send(int problem) const {
        // Nobody is left to tell when this fails.
        [[maybe_unused]] const auto sent = ::write(ends_[1], &problem, sizeof problem);
    }
    // Waits for the start; 0 when it went well.
    int receive() {
        close_end(1);
        int problem = 0;
        while (::read(ends_[0], &problem, sizeof problem) < 0 && errno == EINTR) {
        }
        return problem;
    }

  private:
    void close_end(std::size_t end) {
        if (open_ && ends_.at(end) >= 0) ::close(std::exchange(ends_.at(end), -1));
    }
    std::array<int, 2> ends_{-1, -1};
    bool open_ = false;
};

// What the child needs, made before the fork: after it nothing may be allocated.
struct Prepared {
    const ProcessRequest& request;
    char* const* words;
    char* const* environment;
    pid_t parent;
};

bool put_file(int descriptor, const char* file, int flags) {
    const int opened = ::open(*file == 0 ? "/dev/null" : file, flags, 0666);
    return opened >= 0 && (opened == descriptor || ::dup2(opened, descriptor) >= 0);
}

// No signal blocked or ignored.
void fresh_signals() {
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Whether the child still has a parent to die with.
bool tied(const Prepared& child) {
    if (child.request.when_we_die == 0) return true;
    return ::prctl(PR_SET_PDEATHSIG, child.request.when_we_die) == 0 && ::getppid() == child.parent;
}

// In the child: becomes the program, or reports why not.
[[noreturn]] void become(const Prepared& child, const StartReport& report) {
    constexpr int appending = O_WRONLY | O_CREAT | O_APPEND, no_start = 127;
    fresh_signals();
    if (child.request.own_group) ::setpgid(0, 0);
    const bool ready = tied(child) && put_file(STDIN_FILENO, "", O_RDONLY) &&
                       put_file(STDOUT_FILENO, child.request.out.c_str(), appending) &&
                       put_file(STDERR_FILENO, child.request.err.c_str(), appending) &&
                       (child.request.folder.empty() || ::chdir(child.request.folder.c_str()) == 0);
    if (ready) ::execvpe(child.request.program.c_str(), child.words, child.environment);
    report.send(errno);
    ::_exit(no_start);
}

Error start_error(const std::string& program, int problem) {
    if (problem == ENOENT) return not_found(program, "no such program");
    return io_error(program, std::string("cannot be started: ") + std::strerror(problem));
}

}  // namespace

Result<Process> Process::start(const ProcessRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_folder(request.folder));
    for (const auto& file : {request.out, request.err}) PLIMSOLL_RETURN_IF_ERROR(check_writable(file));
    std::vector<std::string> words{request.program.string()};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<std::string> environment = environment_of(request);
    const auto word_pointers = pointers_to(words), environment_pointers = pointers_to(environment);
    const Prepared child{request, word_pointers.data(), environment_pointers.data(), ::getpid()};
    StartReport report;
    const pid_t id = report.open() ? ::fork() : -1;
    if (id < 0) return start_error(request.program.string(), errno);
    if (id == 0) become(child, report);
    const int problem = report.receive();
    if (problem == 0) return Process(id, request.own_group);
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    return start_error(request.program.string(), problem);
}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)), group_(other.group_), end_(other.end_) {}

Process& Process::operator=(Process&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(group_, other.group_);
    std::swap(end_, other.end_);
    return *this;
}

Process::~Process() {
    if (id_ < 0 || end_) return;
    kill();
    wait();
}

std::optional<ProcessEnd> Process::poll() {
    if (end_) return end_;
    int status = 0;
    const pid_t ended = ::waitpid(id_, &status, WNOHANG);
    PLIMSOLL_CHECK(ended >= 0 || errno == EINTR, "looking at a process that is not ours");
    if (ended == id_) end_ = end_of(status);
    return end_;
}

ProcessEnd Process::wait() {
    int status = 0;
    while (!end_) {
        const pid_t ended = ::waitpid(id_, &status, 0);
        PLIMSOLL_CHECK(ended == id_ || errno == EINTR, "waiting for a process that is not ours");
        if (ended == id_) end_ = end_of(status);
    }
    return *end_;
}

std::optional<ProcessEnd> Process::wait_for(std::chrono::milliseconds most) {
    const auto until = std::chrono::steady_clock::now() + most;
    constexpr auto between_looks = std::chrono::milliseconds(2);
    while (!poll() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(between_looks);
    return end_;
}

void Process::terminate() { send(SIGTERM); }
void Process::kill() { send(SIGKILL); }

void Process::send(int signal) {
    if (id_ > 0 && !end_) ::kill(group_ ? -id_ : id_, signal);
}

}  // namespace plimsoll
