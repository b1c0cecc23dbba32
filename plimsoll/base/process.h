#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "plimsoll/base/result.h"

namespace plimsoll {

struct ProcessRequest {
    std::filesystem::path program;  // looked up on the PATH when it has no slash
    std::vector<std::string> arguments;
    std::filesystem::path out, err;  // files that stdout and stderr are appended to; empty: thrown away
    std::filesystem::path folder;    // to work in; empty: ours
    std::vector<std::pair<std::string, std::string>> environment;  // beside and before ours
    std::uint64_t max_memory = 0;  // bytes of address space it may have (RLIMIT_AS); 0: as many as we
    bool channel = false;          // stdin and stdout are a channel to us (say, hear); `out` is not used then
    bool own_group = true;         // leads a process group: a Ctrl-C in the terminal does not reach it
    int when_we_die =
        0;  // the signal it gets when the thread that started it ends, kill -9 included; 0: none
};

// How a process ended.
struct ProcessEnd {
    int exit_code = 0;  // 0 to 255; 128 + signal when a signal ended it, as shells have it
    int signal = 0;     // 0: it ended by itself

    [[nodiscard]] bool ok() const { return exit_code == 0; }
};

// Our end of a child's stdin and stdout: a socket, so that a child that hung up is no SIGPIPE. Never waits.
// Moves but does not copy.
class Channel {
  public:
    explicit Channel(int descriptor = -1) : descriptor_(descriptor) {}
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;
    ~Channel();

    // Sends text as far as the child takes it now; the rest goes with the next call. Nothing once it hung up.
    void say(std::string_view text);
    // What the child said since the last call, a megabyte at most; empty when that was nothing.
    std::string hear();
    // Whether the child can say something yet: false when there is no channel, or it closed its end and
    // everything was heard.
    [[nodiscard]] bool open() const { return descriptor_ >= 0; }
    // Ends the child's stdin; what it says is still heard.
    void hang_up();
    // For poll(); -1 when it is not open.
    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    void close();

    int descriptor_;
    std::string unsent_;
};

// A child process with an empty stdin, or a channel in its place. In a group of its own it hears no Ctrl-C:
// its parent must forward it. Moves but does not copy; destroyed while it runs it is killed, with its
// group.
class Process {
  public:
    // `not_found` or `io` when the program or one of the files cannot be opened; signals are as in a fresh
    // process.
    static Result<Process> start(const ProcessRequest& request);
    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();

    [[nodiscard]] pid_t id() const { return id_; }
    // Never open unless it was asked for.
    [[nodiscard]] Channel& channel() { return channel_; }
    // How it ended, or nothing while it runs.
    std::optional<ProcessEnd> poll();
    // Waits for its end.
    ProcessEnd wait();
    // Waits for its end, at most so long.
    std::optional<ProcessEnd> wait_for(std::chrono::milliseconds most);

    // Asks it and its group to end (SIGTERM), ends them (SIGKILL), or sends any signal; nothing once it
    // ended.
    void terminate();
    void kill();
    void send(int signal);

  private:
    Process(pid_t id, bool group, Channel channel) : id_(id), group_(group), channel_(std::move(channel)) {}

    pid_t id_ = -1;  // -1: moved away
    bool group_ = true;
    std::optional<ProcessEnd> end_;  // once it was waited for
    Channel channel_;
};

}  // namespace plimsoll
