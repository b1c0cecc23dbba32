#include "plimsoll/lab/slurm/slurm_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_text.h"

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SlurmArray an_array() {
    return {"plimsoll-0123abcd-1",
            "12 of 40 jobs of sweep.toml",
            12,
            "/opt/plimsoll",
            "/home/me",
            "/data/runs/.sweeps/0123/submission-1.jobs",
            "/data/runs",
            "/data/runs/.sweeps/0123",
            "cpu"};
}

std::string refused_script(const SlurmArray& array, const SlurmSettings& settings) {
    const auto script = slurm_script(array, settings);
    EXPECT_FALSE(script.ok());
    return error_text(script);
}

TEST(SlurmScript, IsThisText) {
    EXPECT_EQ(*slurm_script(an_array(), {}),
              "#!/bin/bash\n"
              "# plimsoll: 12 of 40 jobs of sweep.toml\n"
              "#SBATCH --job-name=plimsoll-0123abcd-1\n"
              "#SBATCH --array=0-11\n"
              "#SBATCH --requeue\n"
              "#SBATCH --open-mode=append\n"
              "#SBATCH --signal=B:USR1@60\n"
              "#SBATCH --output=/data/runs/.sweeps/0123/slurm-%A_%a.log\n"
              "#SBATCH --chdir=/home/me\n"
              "#SBATCH --ntasks=1\n"
              "#SBATCH --cpus-per-task=1\n"
              "export OMP_NUM_THREADS=1\n"
              "exec /opt/plimsoll sweep task /data/runs/.sweeps/0123/submission-1.jobs --number "
              "\"$SLURM_ARRAY_TASK_ID\" --runs /data/runs --device cpu\n");
}

TEST(SlurmScript, SaysEveryWish) {
    SlurmSettings settings;
    settings.partition = "gpu";
    settings.time = "1-00:00:00";
    settings.gpus = "a100:2";
    settings.memory = "8G";
    settings.account = "me";
    settings.qos = "low";
    settings.constraint = "a100&ib";
    settings.cpus = 8;
    settings.array_limit = 3;
    settings.grace = 120;
    settings.options = {"--mail-type=END", "--comment=two words"};
    settings.setup = {"module load cuda", "export A=\"$B\""};
    const std::string script = *slurm_script(an_array(), settings);
    for (const char* line :
         {"--array=0-11%3\n", "--signal=B:USR1@120\n", "--cpus-per-task=8\n", "--partition=gpu\n",
          "--time=1-00:00:00\n", "--gres=gpu:a100:2\n", "--mem=8G\n", "--account=me\n", "--qos=low\n",
          "'--constraint=a100&ib'\n", "--mail-type=END\n", "'--comment=two words'\n"})
        EXPECT_THAT(script, HasSubstr(std::string("#SBATCH ") + line));
    EXPECT_THAT(script, HasSubstr("export OMP_NUM_THREADS=8\nmodule load cuda\nexport A=\"$B\"\nexec "));
}

TEST(SlurmScript, APatternInAPathIsNone) {
    SlurmArray array = an_array();
    array.logs = "/data/100%A/logs";
    EXPECT_THAT(*slurm_script(array, {}), HasSubstr("#SBATCH --output=/data/100%%A/logs/slurm-%A_%a.log\n"));
}

TEST(SlurmScript, RefusesWhatNoQuotingMakesSafe) {
    SlurmArray array = an_array();
    array.folder = "/home/me\n#SBATCH --uid=0";
    EXPECT_THAT(refused_script(array, {}), HasSubstr("--slurm: a line end or another control character"));
    array = an_array();
    array.about = "1 of 1 jobs of a\nrm -rf x.toml";
    EXPECT_THAT(refused_script(array, {}), HasSubstr("control character"));
    array = an_array();
    array.logs = "/data/back\\slash";
    EXPECT_THAT(refused_script(array, {}),
                HasSubstr("a backslash means something else to Slurm: /data/back\\slash"));
    EXPECT_THAT(refused_script(an_array(), {.partition = "a\nb"}), HasSubstr("--partition: a line end"));
    SlurmSettings settings;
    settings.setup = {"true\nfalse"};
    EXPECT_THAT(refused_script(an_array(), settings), HasSubstr("--setup: one line of shell each"));
}

TEST(SlurmScript, RefusesNumbersOutOfRange) {
    SlurmSettings settings;
    settings.cpus = 0;
    EXPECT_THAT(refused_script(an_array(), settings), HasSubstr("--cpus: must be 1 or more, got 0"));
    settings = {};
    settings.grace = 70000;
    EXPECT_THAT(refused_script(an_array(), settings),
                HasSubstr("--grace: must be 1 to 65535 seconds, got 70000"));
    settings = {};
    settings.array_limit = -1;
    EXPECT_THAT(refused_script(an_array(), settings), HasSubstr("--array-limit: must be 1 or more, got -1"));
}

TEST(SlurmScript, KeepsItsOwnOptions) {
    for (const char* option : {"--output=x", "--outp=x", "-o", "-ox", "-o x", "--array=0-3", "-a1",
                               "--no-requeue", "--signal=TERM@1", "--wrap=id", "-D/tmp", "--arr=1"}) {
        SlurmSettings settings;
        settings.options = {option};
        EXPECT_THAT(refused_script(an_array(), settings), HasSubstr("is set by plimsoll: ")) << option;
    }
    for (const char* option : {"x", "-", ""}) {
        SlurmSettings settings;
        settings.options = {option};
        EXPECT_THAT(refused_script(an_array(), settings),
                    HasSubstr("must be an option such as --mail-type=END"))
            << option;
    }
    for (const char* option : {"--exclusive", "-A", "--nodelist=a", "--requeue", "--dependency=singleton"}) {
        SlurmSettings settings;
        settings.options = {option};
        EXPECT_TRUE(slurm_script(an_array(), settings).ok()) << option;
    }
}

}  // namespace
}  // namespace plimsoll::lab
