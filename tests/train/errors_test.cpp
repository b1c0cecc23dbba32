// The outside world goes wrong: a clear error, and a run that goes on afterwards as if nothing had happened.
#include <cmath>
#include <csignal>
#include <fstream>

#include <c10/util/Exception.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plimsoll/base/format.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/store/run_list.h"
#include "plimsoll/train/out_of_memory.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// No file of this process may grow beyond `bytes` while it lives: a full disk without a disk.
class SmallFiles {
  public:
    explicit SmallFiles(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

  private:
    rlimit before_{};
};

// This process may use so many bytes of addresses more than it does, as long as the object lives.
class AddressLimit {
  public:
    explicit AddressLimit(rlim_t more) {
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        ::getrlimit(RLIMIT_AS, &before_);
        const rlimit now{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more, before_.rlim_max};
        ::setrlimit(RLIMIT_AS, &now);
    }
    ~AddressLimit() { ::setrlimit(RLIMIT_AS, &before_); }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;

  private:
    rlimit before_{};
};

class ErrorsTest : public TrainTest {
  protected:
    store::RunInfo only_run() {
        const auto runs = store::list_runs(folder_.path() / "runs").value();
        EXPECT_EQ(runs.size(), 1U);
        return runs.front();
    }
    // The run, disturbed before, ends with the bytes of one that nobody disturbed.
    void goes_on_as_ever(const run::RunConfig& config, bool from_checkpoint) {
        const auto after = run(config);
        ASSERT_TRUE(after.ok()) << after.error().text();
        EXPECT_EQ(after->resumed, from_checkpoint);
        EXPECT_EQ(metrics(*after), metrics(run(config, "undisturbed").value()));
        EXPECT_EQ(only_run().state.phase, store::Phase::done);
    }
};

TEST_F(ErrorsTest, ADiskThatIsFullForTheMetrics) {
    const run::RunConfig config = config_of(text_run, {"train.log_every=1", "train.checkpoint_every=end"});
    {
        const SmallFiles full(3000);  // 30 rows of metrics need more, the files before them less
        const auto failed = run(config);
        ASSERT_FALSE(failed.ok());
        EXPECT_EQ(failed.error().kind, ErrorKind::io);
        EXPECT_THAT(failed.error().text(), HasSubstr(".jsonl: cannot be written: "));
    }
    EXPECT_GT(store::read_metrics(only_run().folder)->size(), 5U) << "what was written is whole";
    EXPECT_EQ(only_run().state.phase, store::Phase::running) << "not failed: the same sweep tries it again";
    goes_on_as_ever(config, false);
}

TEST_F(ErrorsTest, ADiskThatIsFullForACheckpoint) {
    const run::RunConfig config = config_of(text_run);
    std::optional<SmallFiles> full;
    const auto failed = run_until(config, 15, [&] { full.emplace(10'000); });  // weights have 20 kB
    full.reset();
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::io);
    EXPECT_THAT(failed.error().text(), HasSubstr("weights.safetensors"));
    EXPECT_EQ(store::latest_checkpoint(only_run().folder).value()->step, 10) << "the last one is kept";
    goes_on_as_ever(config, true);
}

TEST_F(ErrorsTest, DataThatAreNotThere) {
    const auto failed = run(config_of(text_run, {"data.name=/no/such/text.txt"}));
    EXPECT_EQ(failed.error().kind, ErrorKind::not_found);
    EXPECT_THAT(failed.error().text(), HasSubstr("/no/such/text.txt: no such file or folder"));
}

TEST_F(ErrorsTest, DataThatWereRemovedBetweenSessions) {
    const auto made = data::make_synthetic("synthetic:grammar,bytes=20000").value();
    const auto bytes = std::get<data::TextFiles>(made.dataset).files.front().bytes.view();
    const std::string content(bytes.begin(), bytes.end()), file = write("text.txt", content);
    const run::RunConfig config = config_of(text_run, {"data.name=" + file});
    stop_at(config, 15);
    std::filesystem::remove(file);
    const auto failed = run(config);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::not_found);
    EXPECT_THAT(failed.error().text(), HasSubstr(file));
    EXPECT_EQ(only_run().state.phase, store::Phase::failed);
    EXPECT_EQ(only_run().state.reason, failed.error().text());
    EXPECT_EQ(store::latest_checkpoint(only_run().folder).value()->step, 10);
    write("text.txt", content);
    goes_on_as_ever(config, true);
}

TEST_F(ErrorsTest, ShapesThatDoNotFit) {
    const std::string images = write_images("images", 8, Light::quarter, 8, 4),
                      text = write("short.txt", "0123456789");
    const auto with = [&](const std::string& spec, const std::string& data) {
        return refusal(config_of(text_run, {"model.spec=" + spec, "data.name=" + data}));
    };
    const std::string decoder = "transformer:depth=1,width=16,heads=2,vocab=256,context=16";
    EXPECT_THAT(
        with(decoder, images),
        HasSubstr("model.spec: transformer as given reads tokens, the data are images; give it a patch"));
    EXPECT_EQ(with(decoder, text), "data: the training text has 9 tokens, and one example needs 17");
    EXPECT_THAT(with("mixer:depth=1,channels=4,patch=4,image=32,classes=4", images),
                HasSubstr("must be (batch, 3, 32, 32), got (8, 1, 8, 8)"));
    EXPECT_THAT(with("mixer:depth=1,channels=4,patch=4,image=8,image_channels=1,classes=3", images),
                HasSubstr("must have an output for each of the 4 labels of the data, has 3"));
    EXPECT_THAT(with("mixer:depth=1,channels=4,patch=4,image=8,image_channels=1", images),
                HasSubstr("must have a classifier (classes=...) for labelled data"));
    EXPECT_THAT(with("sw-mlp:depth=1,width=16,connections=64,inputs=63,classes=4", images), HasSubstr("63"));
}

// A system that lends memory it does not have would kill the test instead, so the address space is bounded.
TEST_F(ErrorsTest, ABatchFarTooLarge) {
    const AddressLimit limit(rlim_t{64} << 30);
    const auto failed = run(config_of(text_run, {"train.batch=1000000000"}));
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::io);
    EXPECT_THAT(failed.error().text(), HasSubstr("cpu: out of memory; a smaller train.batch"));
    const auto small = run(config_of(text_run)).value();
    const auto evaluated = evaluate(small.folder, {.batch = 1'000'000'000'000});
    ASSERT_FALSE(evaluated.ok());
    EXPECT_EQ(evaluated.error().text(), "cpu: out of memory; a smaller --batch needs less");
}

// The words of the devices, thrown in the middle of a run.
TEST_F(ErrorsTest, MemoryThatRunsOutLater) {
    const run::RunConfig config = config_of(text_run);
    const auto failed = run_until(config, 15, [] {
        TORCH_CHECK(
            false,
            "CUDA out of memory. Tried to allocate 20.00 GiB (GPU 0; 139.80 GiB total capacity; 100.12 "
            "GiB already allocated; 18.50 GiB free; 120.00 GiB reserved in total by PyTorch)");
    });
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::io);
    EXPECT_THAT(failed.error().text(), EndsWith("the run resumes from its last checkpoint"));
    goes_on_as_ever(config, true);
}

TEST_F(ErrorsTest, TheWordsForNoMemory) {
    for (const char* words :
         {"CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 139.80 GiB",
          "CUDA error: out of memory",
          "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
          "[enforce fail at alloc_cpu.cpp:66] . DefaultCPUAllocator: can't allocate memory: you tried to "
          "allocate "
          "8 bytes. Error code 12 (Cannot allocate memory)",
          "DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes."})
        EXPECT_TRUE(is_out_of_memory(std::runtime_error(words))) << words;
    EXPECT_TRUE(is_out_of_memory(std::bad_alloc()));
    EXPECT_FALSE(
        is_out_of_memory(std::runtime_error("CUDA error: an illegal memory access was encountered")));
}

// A polynomial of high degree and a rate that climbs: a few good steps, then none.
TEST_F(ErrorsTest, ARunThatDivergesKeepsItsLastGoodCheckpoint) {
    const std::string run_toml =
        "[model]\nspec = \"attention:depth=2,width=8,heads=2,vocab=4,residual=on\"\n"
        "[data]\nname = \"synthetic:teacher,count=256,test=32,positions=3,"
        "spec=attention:depth=1,width=4,heads=1,vocab=4\"\n"
        "[optimizer]\nkind = \"sgd\"\nlr = 0.01\nweight_decay = 0.0\n[schedule]\nwarmup = 40\n"
        "[train]\nsteps = 40\nbatch = 16\nlog_every = 1\ncheckpoint_every = 2\n";
    const auto failed = run(config_of(run_toml));
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().where, "train");
    const auto info = only_run();
    EXPECT_EQ(info.state.phase, store::Phase::failed);
    EXPECT_THAT(info.state.reason, HasSubstr(fmt::format("at step {}", info.state.step)));
    EXPECT_THAT(failed.error().message, HasSubstr("diverged: " + info.state.reason));
    EXPECT_THAT(read_text(info.folder / "log.txt").value(), HasSubstr(info.state.reason));
    const auto kept = store::latest_checkpoint(info.folder).value();
    ASSERT_TRUE(kept.has_value());
    EXPECT_LT(kept->step, info.state.step);
    EXPECT_TRUE(std::isfinite(evaluate(info.folder, {}).value().loss));
    const auto other = run(config_of(run_toml, {"optimizer.lr=1e-6"}));
    ASSERT_TRUE(other.ok()) << other.error().text();
    EXPECT_NE(other->id, info.id) << "another rate is another run";
    EXPECT_FALSE(other->resumed);
}

// A finite loss and gradient, and a step that throws the weights away: no checkpoint of that.
TEST_F(ErrorsTest, WeightsThatAreNotFiniteAreNotSaved) {
    const auto failed = run(config_of(text_run, {"optimizer.lr=1e300", "optimizer.kind=sgd",
                                                 "schedule.kind=constant", "train.checkpoint_every=1"}));
    ASSERT_FALSE(failed.ok());
    EXPECT_THAT(failed.error().text(), HasSubstr("train: diverged: a weight is not finite after step 1"));
    EXPECT_FALSE(store::latest_checkpoint(only_run().folder).value().has_value());
    EXPECT_EQ(only_run().state.phase, store::Phase::failed);
}

// As nobody, where root could write anywhere.
TEST_F(ErrorsTest, AFolderThatMayNotBeWritten) {
    namespace fs = std::filesystem;
    const fs::path locked = folder_.path() / "locked";
    fs::create_directories(locked);
    fs::permissions(folder_.path(), fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
    fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                fs::perms::others_exec);
    const bool root = ::geteuid() == 0;
    constexpr uid_t nobody = 65534;
    ASSERT_TRUE(!root || ::seteuid(nobody) == 0);
    const auto failed = run(config_of(text_run), "locked/runs");
    ASSERT_TRUE(!root || ::seteuid(0) == 0);
    fs::permissions(locked, fs::perms::owner_all);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::io);
    EXPECT_THAT(failed.error().text(), HasSubstr("cannot be written: Permission denied"));
}

TEST_F(ErrorsTest, ARunThatSomebodyElseHasOpen) {
    const run::RunConfig config = config_of(text_run);
    {
        const auto theirs = store::Run::create_or_open(folder_.path() / "runs", run::to_toml(config)).value();
        const auto failed = run(config);
        ASSERT_FALSE(failed.ok());
        EXPECT_EQ(failed.error().kind, ErrorKind::unsupported);
        EXPECT_THAT(failed.error().text(),
                    HasSubstr(fmt::format("is being written by process {} on ", ::getpid())));
    }
    goes_on_as_ever(config, false);
}

}  // namespace
}  // namespace plimsoll::train
