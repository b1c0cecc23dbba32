#include "plimsoll/lab/jobs/worker_service.h"

#include <array>
#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plimsoll/base/exit_codes.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// The configs of twenty runs, as files that all tests share.
struct WrittenConfigs {
    WrittenConfigs() {
        const Plan plan = planned(
            "seeds = 20\n[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=32\"\n"
            "data.name = \"x.txt\"\ntrain.steps = 3\n");
        for (const Job& job : plan.jobs) {
            files.push_back(folder.path() / (job.id + ".toml"));
            ids.push_back(job.id);
            EXPECT_TRUE(atomic_write(files.back(), run::to_toml(job.config)).ok());
        }
    }
    testing::TempDir folder;
    std::vector<fs::path> files;
    std::vector<std::string> ids;
};

const WrittenConfigs& written_configs() {
    static const WrittenConfigs configs;
    return configs;
}

// serve() in a thread, spoken to through a socket. Up to `room` runs fit into memory.
class Served {
  public:
    Served() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
    ~Served() {
        end();
        for (const int one : ends_) ::close(one);
    }
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    void start() {
        server_ = std::thread([this] {
            code_ = serve(ends_[1], ends_[1],
                          {"cpu", [this](const auto& order, const auto& runs) { return train(order, runs); },
                           [this] { return told.load(); }});
            ::shutdown(ends_[1], SHUT_RDWR);
        });
    }
    void say(const std::string& line) const {
        EXPECT_EQ(::write(ends_[0], line.data(), line.size()), std::ssize(line));
    }
    // Orders a stack of the first so many configs.
    void order(std::int64_t number, std::size_t runs) const {
        const std::vector<fs::path> some(configs.begin(),
                                         configs.begin() + static_cast<std::ptrdiff_t>(runs));
        say(encode(StackOrder{number, "runs", some}).value() + "\n");
    }
    // How the runs of the next stack ended, in the order of the answers; what else was said goes to `others`.
    std::vector<RunEnd> ends() {
        std::vector<RunEnd> all;
        while (const auto answer = hear()) {
            if (std::holds_alternative<StackFinished>(*answer)) break;
            if (const auto* one = std::get_if<RunEnd>(&*answer))
                all.push_back(*one);
            else
                others.push_back(encode(*answer));
        }
        return all;
    }
    // The next answer; nothing when it hung up.
    std::optional<WorkerAnswer> hear() {
        while (true) {
            if (const auto line = lines_.next()) return decode_answer(line->value()).value();
            std::array<char, 256> part{};
            const auto got = ::read(ends_[0], part.data(), part.size());
            if (got <= 0) return std::nullopt;
            lines_.add({part.data(), static_cast<std::size_t>(got)});
        }
    }
    // No more orders; the exit code.
    int end() {
        ::shutdown(ends_[0], SHUT_WR);
        if (server_.joinable()) server_.join();
        return code_;
    }

    std::vector<fs::path> configs = written_configs().files;
    std::vector<std::string> ids = written_configs().ids;
    std::atomic<bool> told = false;
    std::size_t room = 1000;
    std::vector<std::size_t> sizes;  // of the stacks that were trained
    std::vector<StackOrder> orders;  // as those who train them saw them
    std::vector<std::string> others;

  private:
    std::vector<Result<RunOutcome>> train(const StackOrder& order, const std::vector<run::RunConfig>& runs) {
        sizes.push_back(runs.size());
        orders.push_back(order);
        if (runs.size() > room)
            return {runs.size(), io_error("", fmt::format("out of memory: {} runs", runs.size()))};
        return {runs.size(), told ? RunOutcome::stopped : RunOutcome::done};
    }

    std::array<int, 2> ends_{-1, -1};
    std::thread server_;
    WorkerLines lines_;
    int code_ = -1;
};

TEST(WorkerService, SaysHelloAndEndsWithItsInput) {
    Served served;
    served.start();
    const auto hello = served.hear();
    ASSERT_TRUE(hello);
    EXPECT_EQ(encode(*hello), encode(WorkerHello{worker_protocol, "cpu", ::getpid()}));
    EXPECT_EQ(served.end(), 0);
}

TEST(WorkerService, HalfAStackHasItsOwnPartOfTheOrder) {
    Served served;
    served.room = 2;
    served.start();
    const auto& files = served.configs;
    const StackOrder order{3, "runs", {files[0], files[1], files[2]}, true, {{1}, {2, 3}, {}}};
    served.say(encode(order).value() + "\n");
    served.ends();
    served.end();
    ASSERT_EQ(served.orders.size(), 3u);
    EXPECT_EQ(served.orders[0], order);
    EXPECT_EQ(served.orders[1], (StackOrder{3, "runs", {files[0], files[1]}, true, {{1}, {2, 3}}}));
    EXPECT_EQ(served.orders[2], (StackOrder{3, "runs", {files[2]}, true, {{}}}));
}

TEST(WorkerService, AnswersOnceForEachRunInTheOrderOfTheConfigs) {
    Served served;
    served.start();
    served.order(5, 3);
    served.order(6, 1);
    const auto first = served.ends(), second = served.ends();
    ASSERT_THAT(first, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(first[i].stack, 5);
        EXPECT_EQ(first[i].number, static_cast<std::int64_t>(i));
        EXPECT_EQ(first[i].run, served.ids[i]);
        EXPECT_EQ(first[i].outcome.value(), RunOutcome::done);
    }
    ASSERT_THAT(second, SizeIs(1));
    EXPECT_EQ(second[0].stack, 6);
    EXPECT_EQ(served.end(), 0);
    EXPECT_THAT(served.sizes, ElementsAre(3, 1));
}

// However many and however little memory: every run ends once, and no more than fit are trained at a time.
TEST(WorkerService, AStackThatDoesNotFitIsHalvedUntilItDoes) {
    for (std::size_t runs = 1; runs <= 20; runs += 3) {
        for (std::size_t room = 1; room <= 20; room += 2) {
            Served served;
            served.room = room;
            served.start();
            served.order(1, runs);
            const auto ends = served.ends();
            EXPECT_THAT(ends, SizeIs(runs));
            for (const auto& end : ends) EXPECT_TRUE(end.outcome.ok() && *end.outcome == RunOutcome::done);
            EXPECT_EQ(served.others.size() > 1, runs > room) << "beside hello, what was halved";
        }
    }
}

TEST(WorkerService, HalvingIsSaid) {
    Served served;
    served.room = 2;
    served.start();
    served.order(9, 5);
    EXPECT_THAT(served.ends(), SizeIs(5));
    served.end();
    EXPECT_THAT(served.sizes, ElementsAre(5, 3, 2, 1, 2));
    ASSERT_THAT(served.others, SizeIs(3));
    EXPECT_EQ(served.others[1], encode(StackHalved{9, 5, "out of memory: 5 runs"}));
    EXPECT_EQ(served.others[2], encode(StackHalved{9, 3, "out of memory: 3 runs"}));
}

TEST(WorkerService, WhatDoesNotFitAloneIsAnError) {
    Served served;
    served.room = 0;
    served.start();
    served.order(1, 3);
    for (const auto& end : served.ends())
        EXPECT_THAT(end.outcome.error().text(), HasSubstr("out of memory: 1 runs"));
}

TEST(WorkerService, AConfigThatCannotBeReadIsItsOwnError) {
    Served served;
    served.configs[1] = "/no/such/config.toml";
    served.start();
    served.order(1, 3);
    const auto ends = served.ends();
    ASSERT_THAT(ends, SizeIs(3));
    EXPECT_TRUE(ends[0].outcome.ok() && ends[2].outcome.ok());
    EXPECT_EQ(ends[1].outcome.error().kind, ErrorKind::not_found);
    EXPECT_EQ(ends[1].run, "");
    served.end();
    EXPECT_THAT(served.sizes, ElementsAre(2));
}

TEST(WorkerService, NonsenseIsRefusedAndTheNextOrderTaken) {
    Served served;
    served.start();
    served.hear();
    for (const std::string line : {"", "x", "[]", R"({"train":1})", R"({"event":"finished","stack":1})"}) {
        served.say(line + "\n");
        const auto answer = served.hear();
        ASSERT_TRUE(answer && std::holds_alternative<LineRefused>(*answer)) << line;
    }
    served.order(1, 1);
    EXPECT_THAT(served.ends(), SizeIs(1));
}

TEST(WorkerService, ToldToStopItSaysSoAndLeaves) {
    Served idle;
    idle.start();
    idle.hear();
    idle.told = true;
    EXPECT_FALSE(idle.hear()) << "it hung up";
    EXPECT_EQ(idle.end(), exit_stopped);

    Served halving;
    halving.room = 0;
    halving.start();
    halving.hear();
    halving.order(1, 2);
    halving.told = true;
    for (const auto& end : halving.ends()) {
        EXPECT_TRUE(!end.outcome.ok() || *end.outcome == RunOutcome::stopped);
    }
    EXPECT_EQ(halving.end(), exit_stopped);
}

}  // namespace
}  // namespace plimsoll::lab
