#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {

// A program in the place of plimsoll-torch: a script of sh, alone in a folder.
class FakeTrainer {
  public:
    explicit FakeTrainer(const std::string& script) {
        EXPECT_TRUE(atomic_write(program(), "#!/bin/sh\n" + script).ok());
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::filesystem::path program() const { return folder_.path() / "trainer"; }
    [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }

  private:
    testing::TempDir folder_;
};

// The start of scripts that play a run: $id, $seed, $run (its folder, made), and a line in `calls`.
inline const std::string run_script =
    "here=${0%/*}; id=${2##*/}; id=${id%.toml}; run=$4/$id; mkdir -p $run\n"
    "while read -r key equals value; do case $key in init) seed=$value;; esac; done < \"$2\"\n"
    "cp $2 $run/config.toml; echo \"$seed $6\" >> $here/calls\n"
    "state() { echo \"{\\\"phase\\\": \\\"$1\\\", \\\"step\\\": 3, \\\"reason\\\": \\\"$2\\\"}\" > "
    "$run/state.json; }\n"
    "finish() { printf '{\"step\": 3, \"loss\": 1.5}\\n' > $run/metrics.jsonl; state done; }\n";

}  // namespace plimsoll::lab
