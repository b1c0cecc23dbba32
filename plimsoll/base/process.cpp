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
#include <sys/resource.h>
#include <sys/socket.h>
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

// The two ends of a channel; those nobody took are closed.
class ChannelEnds {
  public:
    // errno says why not.
    bool make() { return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) == 0; }
    ~ChannelEnds() {
        for (const int end : ends_)
            if (end >= 0) ::close(end);
    }
    ChannelEnds() = default;
    ChannelEnds(const ChannelEnds&) = delete;
    ChannelEnds& operator=(const ChannelEnds&) = delete;
    [[nodiscard]] int of_child() const { return ends_[1]; }
    Channel take_ours() { return Channel(std::exchange(ends_[0], -1)); }

  private:
    std::array<int, 2> ends_{-1, -1};
};

// What the child needs, made before the fork: after it nothing may be allocated.
struct Prepared {
    const ProcessRequest& request;
    char* const* words;
    char* const* environment;
    pid_t parent;
    int channel;  // -1: none
};

bool put_file(int descriptor, const char* file, int flags) {
    const int opened = ::open(*file == 0 ? "/dev/null" : file, flags, 0666);
    return opened >= 0 && (opened == descriptor || ::dup2(opened, descriptor) >= 0);
}

// Its stdin and stdout: the channel, or nothing and a file.
bool put_input_and_output(const Prepared& child, int appending) {
    if (child.channel >= 0)
        return ::dup2(child.channel, STDIN_FILENO) >= 0 && ::dup2(child.channel, STDOUT_FILENO) >= 0;
    return put_file(STDIN_FILENO, "", O_RDONLY) &&
           put_file(STDOUT_FILENO, child.request.out.c_str(), appending);
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

bool set_memory(const Prepared& child) {
    if (child.request.max_memory == 0) return true;
    const struct rlimit limit{child.request.max_memory, child.request.max_memory};
    return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

// In the child: becomes the program, or reports why not.
[[noreturn]] void become(const Prepared& child, const StartReport& report) {
    constexpr int appending = O_WRONLY | O_CREAT | O_APPEND, no_start = 127;
    fresh_signals();
    if (child.request.own_group) ::setpgid(0, 0);
    const bool ready = tied(child) && set_memory(child) && put_input_and_output(child, appending) &&
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

Channel::Channel(Channel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), unsent_(std::move(other.unsent_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(unsent_, other.unsent_);
    return *this;
}

Channel::~Channel() { close(); }

void Channel::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Channel::say(std::string_view text) {
    unsent_ += text;
    while (open() && !unsent_.empty()) {
        const auto sent = ::send(descriptor_, unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return;  // full, or the other end is gone: hear() finds that out
        unsent_.erase(0, static_cast<std::size_t>(sent));
    }
}

std::string Channel::hear() {
    say("");
    constexpr std::size_t most = 1'000'000;
    std::string heard;
    std::array<char, 4096> part{};
    while (open() && heard.size() < most) {
        const auto got = ::recv(descriptor_, part.data(), part.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        if (got <= 0)
            close();
        else
            heard.append(part.data(), static_cast<std::size_t>(got));
    }
    return heard;
}

void Channel::hang_up() {
    if (open()) ::shutdown(descriptor_, SHUT_WR);
}

Result<Process> Process::start(const ProcessRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_folder(request.folder));
    for (const auto& file : {request.out, request.err}) PLIMSOLL_RETURN_IF_ERROR(check_writable(file));
    std::vector<std::string> words{request.program.string()};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<std::string> environment = environment_of(request);
    const auto word_pointers = pointers_to(words), environment_pointers = pointers_to(environment);
    ChannelEnds ends;
    if (request.channel && !ends.make()) return start_error(request.program.string(), errno);
    const Prepared child{request, word_pointers.data(), environment_pointers.data(), ::getpid(),
                         ends.of_child()};
    StartReport report;
    const pid_t id = report.open() ? ::fork() : -1;
    if (id < 0) return start_error(request.program.string(), errno);
    if (id == 0) become(child, report);
    const int problem = report.receive();
    if (problem == 0) return Process(id, request.own_group, ends.take_ours());
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    return start_error(request.program.string(), problem);
}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      group_(other.group_),
      end_(other.end_),
      channel_(std::move(other.channel_)) {}

Process& Process::operator=(Process&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(group_, other.group_);
    std::swap(end_, other.end_);
    std::swap(channel_, other.channel_);
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
