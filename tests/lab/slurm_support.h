#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/lab/slurm/slurm_submit.h"
#include "tests/lab/sweep_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {

inline const std::string three_jobs =
    "[base]\nmodel.spec = \"transformer:depth=1,width=8,heads=2,vocab=256,context=32\"\n"
    "data.name = \"x.txt\"\ntrain.steps = 10\n[axes]\noptimizer.lr = [1e-3, 2e-3, 3e-3]\n";

// Slurm played by short scripts, which note their calls; what they say can be set.
class PlayedSlurm {
  public:
    PlayedSlurm() {
        play("sbatch", "echo $(($(grep -c ^sbatch " + (folder_.path() / "calls").string() + ") * 100))");
        play("squeue", "true");
        play("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
        play("scancel", "true");
        play("scontrol", "echo 'MaxArraySize            = 1001'");
    }
    void play(const std::string& name, const std::string& script) {
        const auto path = folder_.path() / "bin" / name;
        std::filesystem::create_directories(path.parent_path());
        const std::string note =
            "echo \"" + name + " $*\" >> '" + (folder_.path() / "calls").string() + "'\n";
        EXPECT_TRUE(atomic_write(path, "#!/bin/sh\n" + note + script + "\n").ok());
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    // What squeue says: lines of array|index|job|state|reason|name.
    void queue(const std::string& lines) { play("squeue", "cat <<'END'\n" + lines + "END"); }

    [[nodiscard]] std::string calls() const {
        const auto text = read_text(folder_.path() / "calls");
        return text.ok() ? *text : "";
    }
    [[nodiscard]] Slurm slurm() const { return Slurm(folder_.path() / "bin"); }
    [[nodiscard]] std::filesystem::path runs() const { return folder_.path() / "runs"; }
    [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }
    [[nodiscard]] SubmitOptions options() const {
        SubmitOptions options;
        options.runs = runs();
        options.program = "/opt/plimsoll";
        options.folder = folder_.path();
        options.slurm = slurm();
        return options;
    }
    // Marks a run as done, without its other files.
    void finish(const std::string& id) const {
        std::filesystem::create_directories(runs() / id);
        EXPECT_TRUE(atomic_write(runs() / id / "config.toml", "").ok());
        EXPECT_TRUE(
            atomic_write(runs() / id / "state.json", "{\"phase\":\"done\",\"step\":10,\"reason\":\"\"}")
                .ok());
    }

  private:
    testing::TempDir folder_;
};

}  // namespace plimsoll::lab
