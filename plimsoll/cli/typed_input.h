#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/base/scratch_folder.h"

namespace plimsoll::cli {

// A file that a verb reads: the one that is named, or, for "-", a copy of standard input that goes away with
// this.
class TypedInput {
  public:
    // The copy's file name ends with `ending`, by which readers know what a file is.
    static Result<TypedInput> open(const std::string& name, const std::string& ending = "");

    // Where it lies.
    [[nodiscard]] std::string path() const { return path_.string(); }
    // What to call it.
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::string name_;
    std::filesystem::path path_;
    std::optional<ScratchFolder> folder_;
};

}  // namespace plimsoll::cli
