#pragma once

#include <filesystem>

namespace plimsoll::fit {

// The files of a fit below its folder.
struct FitFolders {
    std::filesystem::path out;

    explicit FitFolders(std::filesystem::path folder) : out(std::move(folder)) {}
    [[nodiscard]] std::filesystem::path request() const { return out / "request.json"; }
    [[nodiscard]] std::filesystem::path steps() const { return out / "steps"; }
    [[nodiscard]] std::filesystem::path look() const { return steps() / "look.json"; }
    [[nodiscard]] std::filesystem::path proposal() const { return steps() / "proposal.json"; }
    // The proposal for the inputs that the race chose; counts when race.json says that they are.
    [[nodiscard]] std::filesystem::path settled() const { return steps() / "settled.json"; }
    [[nodiscard]] std::filesystem::path race() const { return steps() / "race.json"; }
    [[nodiscard]] std::filesystem::path decision() const { return steps() / "decision.json"; }
    [[nodiscard]] std::filesystem::path runs() const { return out / "runs"; }
};

}  // namespace plimsoll::fit
