#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {

// What every experiment.toml has.
inline const std::string experiment_words =
    "title = \"A title\"\nsource = \"ours\"\nquestion = \"Why?\"\n"
    "prediction = \"So.\"\npredicted_on = \"2026-11-15\"\n";
inline const std::string one_scale = "[smoke]\nsweeps = [\"small.toml\"]\ncost = \"a second\"\n";

// A folder with an experiment.toml, a sweep small.toml of one tiny run and a figure.toml.
class MadeExperiment {
  public:
    explicit MadeExperiment(const std::string& toml, const std::string& figure = "") {
        write("experiment.toml", toml);
        write("small.toml",
              "seeds = 2\n[base]\nmodel.spec = \"transformer:depth=1,heads=1,vocab=256,context=16\"\n"
              "data.name = \"data/words.txt\"\ntrain.steps = 3\n[axes]\nmodel.width = [8, 16]\n");
        write("figure.toml", figure);
    }
    [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }
    void write(const std::string& name, const std::string& text) const {
        EXPECT_TRUE(atomic_write(folder() / name, text).ok());
    }

  private:
    testing::TempDir folder_;
};

}  // namespace plimsoll::lab
