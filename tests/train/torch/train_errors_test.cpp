#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/store/run_list.h"
#include "plimsoll/train/train.h"
#include "tests/support/temp_dir.h"

// What the outside world does to a run while it trains; none of it may cost more than the steps since the
// last checkpoint.
namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

RunConfig config_of(const std::vector<std::string>& overrides = {}) {
    return parse_run_config(R"(
[model]
spec = "transformer:depth=1,width=16,heads=2,vocab=256,context=16"
[data]
name = "synthetic:grammar,bytes=20000"
[train]
steps = 30
batch = 8
eval_batches = 4
log_every = 5
checkpoint_every = 10
)",
                            "run.toml", overrides)
        .value();
}

// A limit of this process, as long as the object lives.
class Limit {
  public:
    Limit(__rlimit_resource which, rlim_t most) : which_(which) {
        ::getrlimit(which, &before_);
        const rlimit limit{most, before_.rlim_max};
        ::setrlimit(which, &limit);
    }
    ~Limit() { ::setrlimit(which_, &before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

  private:
    __rlimit_resource which_;
    rlimit before_{};
};

// The address space that this process uses now, in bytes.
rlim_t address_space() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

class TrainErrorsTest : public ::testing::Test {
  protected:
    TrainOptions options(const std::string& folder) {
        TrainOptions result;
        result.runs = folder_.path() / folder;
        result.alone = true;
        return result;
    }
    store::RunState state_in(const std::string& folder) {
        return store::list_runs(folder_.path() / folder).value().at(0).state;
    }
    static std::string metrics(const RunSummary& summary) {
        return read_text(summary.folder / "metrics.jsonl").value();
    }
    testing::TempDir folder_;
};

TEST_F(TrainErrorsTest, AFullDiskCostsTheStepsSinceTheLastCheckpoint) {
    const auto undisturbed = train(config_of(), options("whole")).value();
    // A file-size limit stands in for the full disk; the signal that comes with it is turned off.
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    std::optional<Limit> full;
    TrainOptions disturbed = options("full");
    disturbed.tell = [&](const TrainProgress& progress) {
        if (progress.step == 15) full.emplace(RLIMIT_FSIZE, 200);
    };
    const auto failed = train(config_of(), disturbed);
    full.reset();
    std::signal(SIGXFSZ, old);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::io);
    EXPECT_THAT(failed.error().text(), HasSubstr("metrics.jsonl"));

    const auto resumed = train(config_of(), options("full")).value();
    EXPECT_TRUE(resumed.resumed);
    EXPECT_EQ(metrics(resumed), metrics(undisturbed));
    EXPECT_EQ(resumed.validation.loss, undisturbed.validation.loss);
}

TEST_F(TrainErrorsTest, WantOfMemoryIsSaidAndMarksTheRun) {
    const Limit memory(RLIMIT_AS, address_space() + (rlim_t{64} << 30));  // nobody goes looking for 2 TB
    const auto failed = train(config_of({"train.batch=1000000000"}), options("big"));
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::io);
    EXPECT_EQ(failed.error().text(),
              "cpu: out of memory; a smaller train.batch or a larger optimizer.accumulate needs less");
    EXPECT_EQ(state_in("big").phase, store::Phase::failed);
    EXPECT_EQ(state_in("big").reason, failed.error().text());
}

TEST_F(TrainErrorsTest, MissingDataMarksTheRunThatCanBeTakenUpAgain) {
    const auto text = folder_.path() / "text.txt";
    const auto config = config_of({"data.name=" + text.string()});
    const auto failed = train(config, options("late"));
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::not_found);
    EXPECT_THAT(failed.error().text(), HasSubstr("text.txt"));
    EXPECT_EQ(state_in("late").phase, store::Phase::failed);

    ASSERT_TRUE(atomic_write(text, std::string(5000, 'a')).ok());
    EXPECT_EQ(train(config, options("late")).value().step, 30);
    EXPECT_EQ(state_in("late").phase, store::Phase::done);
}

}  // namespace
}  // namespace plimsoll::train
