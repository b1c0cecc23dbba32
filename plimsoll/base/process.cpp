#include "plimsoll/base/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ;  // NOLINT: POSIX wants it declared here

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr int signal_base = 128;

// What posix_spawn does in the child before the program starts.
class Actions {
  public:
    Actions() { ::posix_spawn_file_actions_init(&actions_); }
    ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;

    void open_empty_input() {
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    void append_to(int descriptor, const fs::path& file) {
        const char* path = file.empty() ? "/dev/null" : file.c_str();
        ::posix_spawn_file_actions_addopen(&actions_, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    }
    void work_in(const fs::path& folder) {
        if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

// No signal blocked or ignored.
class Attributes {
  public:
    explicit Attributes(bool own_group) {
        ::posix_spawnattr_init(&attributes_);
        sigset_t none, all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
        const int flags = group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
    }
    ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_{};
};

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

// posix_spawn does not say which of the files it could not open; look ourselves.
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

}  // namespace

Result<Process> Process::start(const ProcessRequest& request) {
    PLIMSOLL_RETURN_IF_ERROR(check_folder(request.folder));
    for (const auto& file : {request.out, request.err}) PLIMSOLL_RETURN_IF_ERROR(check_writable(file));
    Actions actions;
    actions.open_empty_input();
    actions.append_to(STDOUT_FILENO, request.out);
    actions.append_to(STDERR_FILENO, request.err);
    actions.work_in(request.folder);
    std::vector<std::string> words{request.program.string()};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<std::string> environment = environment_of(request);
    const Attributes attributes(request.own_group);
    pid_t id = -1;
    const int problem = ::posix_spawnp(&id, request.program.c_str(), actions.get(), attributes.get(),
                                       pointers_to(words).data(), pointers_to(environment).data());
    if (problem == 0) return Process(id, request.own_group);
    const std::string name = request.program.string();
    if (problem == ENOENT) return not_found(name, "no such program");
    return io_error(name, std::string("cannot be started: ") + std::strerror(problem));
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
