#include "plimsoll/base/process.h"

#include <csignal>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll {
namespace {

ProcessRequest shell(const std::string& script, const std::vector<std::string>& more = {}) {
    ProcessRequest request;
    request.program = "sh";
    request.arguments = {"-c", script, "sh"};
    request.arguments.insert(request.arguments.end(), more.begin(), more.end());
    return request;
}

Process started(const ProcessRequest& request) {
    auto process = Process::start(request);
    EXPECT_TRUE(process.ok()) << process.error().text();
    return std::move(process).value();
}

// Waits until a file has a whole line, which is a process id.
pid_t id_in(const std::filesystem::path& file) {
    while (true) {
        const auto text = read_text(file);
        if (text.ok() && text->ends_with('\n')) return static_cast<pid_t>(*parse_integer(trim(*text), "id"));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

// Gone, or a zombie that nobody collects.
bool ended(pid_t id) {
    std::ifstream stat("/proc/" + std::to_string(id) + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
}

void wait_until_ended(pid_t id) {
    while (!ended(id)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Process, OutputGoesToFilesAndTheExitCodeComesBack) {
    const testing::TempDir folder;
    auto request = shell("echo out; echo err >&2; exit 3");
    request.out = folder.path() / "out";
    request.err = folder.path() / "err";
    for (int i = 0; i < 2; ++i) {
        const ProcessEnd end = started(request).wait();
        EXPECT_EQ(end.exit_code, 3);
        EXPECT_EQ(end.signal, 0);
        EXPECT_FALSE(end.ok());
    }
    EXPECT_EQ(*read_text(request.out), "out\nout\n") << "appended";
    EXPECT_EQ(*read_text(request.err), "err\nerr\n");
}

TEST(Process, ArgumentsFolderAndEnvironmentArriveAsTheyAre) {
    const testing::TempDir folder;
    auto request = shell("printf '[%s]' \"$@\" \"$PLIMSOLL_X\" \"$PWD\" \"${HOME:+home}\"; cat",
                         {"two words", "", "$x '\""});
    request.out = folder.path() / "out";
    request.folder = std::filesystem::canonical(folder.path());
    request.environment = {{"PLIMSOLL_X", "a=b"}, {"HOME", ""}};
    EXPECT_TRUE(started(request).wait().ok());
    EXPECT_EQ(*read_text(request.out), "[two words][][$x '\"][a=b][" + request.folder.string() + "][]");
}

TEST(Process, WhatCannotBeStartedIsAnError) {
    ProcessRequest request;
    request.program = "plimsoll-no-such-program";
    EXPECT_EQ(Process::start(request).error().kind, ErrorKind::not_found);
    EXPECT_EQ(Process::start(request).error().text(), "plimsoll-no-such-program: no such program");
    request.program = "/etc/passwd";
    EXPECT_THAT(Process::start(request).error().text(),
                ::testing::StartsWith("/etc/passwd: cannot be started: "));
    request = shell("true");
    request.out = "/no/such/folder/out";
    EXPECT_THAT(Process::start(request).error().text(),
                ::testing::StartsWith("/no/such/folder/out: cannot be written: "));
    request = shell("true");
    request.folder = "/no/such/folder";
    EXPECT_EQ(Process::start(request).error().text(), "/no/such/folder: no such folder");
}

TEST(Process, SignalsReachTheWholeGroupAndEndTheWait) {
    const testing::TempDir folder;
    for (const bool gently : {true, false}) {
        auto request = shell("sleep 600 & echo $!; wait");
        request.out = folder.path() / (gently ? "gently" : "not");
        Process process = started(request);
        EXPECT_EQ(::getpgid(process.id()), process.id());
        const pid_t grandchild = id_in(request.out);
        EXPECT_FALSE(process.poll());
        EXPECT_FALSE(process.wait_for(std::chrono::milliseconds(1)));
        gently ? process.terminate() : process.kill();
        EXPECT_EQ(process.wait().signal, gently ? SIGTERM : SIGKILL);
        EXPECT_EQ(process.poll()->exit_code, 128 + (gently ? SIGTERM : SIGKILL));
        wait_until_ended(grandchild);
        process.kill();  // nothing
    }
}

TEST(Process, ForgottenProcessesAreKilled) {
    const testing::TempDir folder;
    auto request = shell("echo $$; exec sleep 600");
    request.out = folder.path() / "out";
    pid_t id = -1;
    {
        const Process process = started(request);
        id = id_in(request.out);
        EXPECT_EQ(id, process.id());
    }
    EXPECT_TRUE(ended(id));
}

TEST(Process, AMovedProcessIsOne) {
    Process first = started(shell("exit 1"));
    Process second = started(shell("exit 2"));
    first = std::move(second);
    Process third = std::move(first);
    EXPECT_EQ(third.wait().exit_code, 2);
}

// Whoever starts it may have blocked or ignored signals; the child must still hear them.
TEST(Process, SignalsAreAsInAFreshProcess) {
    sigset_t blocked, before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto ignored = ::signal(SIGUSR1, SIG_IGN);
    const ProcessEnd by_term = started(shell("kill -TERM $$; exit 0")).wait();
    const ProcessEnd by_user = started(shell("kill -USR1 $$; exit 0")).wait();
    ::signal(SIGUSR1, ignored);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(by_term.signal, SIGTERM);
    EXPECT_EQ(by_user.signal, SIGUSR1);
}

// A parent that is killed with -9 can do nothing any more; the system sends the signal.
TEST(Process, AChildHearsThatItsParentDied) {
    const testing::TempDir folder;
    auto request = shell("trap 'echo heard; exit' TERM; echo $$; while :; do sleep 0.01; done");
    request.out = folder.path() / "out";
    request.when_we_die = SIGTERM;
    const pid_t parent = ::fork();
    if (parent == 0) {
        const Process child = started(request);
        id_in(request.out);
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(parent, &status, 0), parent);
    EXPECT_TRUE(WIFSIGNALED(status));
    while (!read_text(request.out)->ends_with("heard\n")) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

TEST(Process, WithoutAGroupOfItsOwnItStaysInOurs) {
    auto request = shell("sleep 600");
    request.own_group = false;
    Process process = started(request);
    EXPECT_EQ(::getpgid(process.id()), ::getpgrp());
    process.terminate();
    EXPECT_EQ(process.wait().signal, SIGTERM);
}

// All that a process says until it hangs up.
std::string heard_from(Process& process) {
    std::string all;
    while (process.channel().open()) {
        all += process.channel().hear();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return all;
}

ProcessRequest with_channel(const std::string& script) {
    auto request = shell(script);
    request.channel = true;
    return request;
}

TEST(Process, AChannelCarriesWordsBothWays) {
    Process process = started(with_channel("while read -r line; do echo \"[$line]\"; done; echo end"));
    process.channel().say("one\ntw");
    process.channel().say("o\n");
    while (process.channel().hear().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.channel().hang_up();
    EXPECT_THAT(heard_from(process), ::testing::EndsWith("end\n"));
    EXPECT_TRUE(process.wait().ok());
}

TEST(Process, MoreThanAChannelHoldsIsSentBitByBit) {
    const std::string text(3'000'000, 'x');
    Process process = started(with_channel("sleep 0.05; head -c 3000000 | wc -c"));
    process.channel().say(text);
    EXPECT_THAT(trim(heard_from(process)), "3000000");
}

TEST(Process, WhoeverHungUpIsNoSignalForUs) {
    Process process = started(with_channel("exit 4"));
    EXPECT_EQ(process.wait().exit_code, 4);
    process.channel().say("is anybody there?\n");
    EXPECT_EQ(heard_from(process), "");
    process.channel().say("no\n");
    process.channel().hang_up();
    EXPECT_FALSE(started(shell("true")).channel().open()) << "none was asked for";
}

TEST(Process, AMovedChannelIsOne) {
    Process first = started(with_channel("exec cat"));
    first.channel().say("before ");
    Process second = std::move(first);
    second.channel().say("after");
    second.channel().hang_up();
    EXPECT_EQ(heard_from(second), "before after");
    EXPECT_FALSE(first.channel().open());  // NOLINT: what is left of it
}

}  // namespace
}  // namespace plimsoll
