#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/result.h"

// Fits that are started from the page: plimsoll fit as a child, in a folder below that of the runs.
namespace plimsoll::server {

// Used from one thread. What it knows of a fit is in its folder, so that another server can resume it.
class Fits {
  public:
    // `folder` has a folder for each fit, named by an id of 16 hexadecimal digits; it is made when it is
    // needed.
    Fits(std::filesystem::path program, std::filesystem::path folder);
    // stop_all()
    ~Fits();
    Fits(const Fits&) = delete;
    Fits& operator=(const Fits&) = delete;

    // Starts `plimsoll fit` with these words, of which none is the folder; the id. One at a time: they take
    // all cores.
    Result<std::string> start(const std::vector<std::string>& words);
    // Asks it to stop at a checkpoint; it ends some seconds later, with the best answer so far.
    Status stop(const std::string& id);
    // Goes on with one that was stopped, as the same command does.
    Status resume(const std::string& id);

    // {"id", "state", "command", "log", "has_answer"} of each, the last one started first. The state is
    // running, stopping, stopped, done or failed; the log is the end of what the program said.
    [[nodiscard]] Json list();
    [[nodiscard]] Result<Json> show(const std::string& id);
    // The page that fit wrote; where nothing was there to draw its figures, the text instead.
    struct Answer {
        std::string text;
        bool page = true;
    };
    [[nodiscard]] Result<Answer> report(const std::string& id) const;
    // Where its runs are.
    [[nodiscard]] std::filesystem::path runs_of(const std::string& id) const {
        return folder_ / id / "fit" / "runs";
    }

    // Asks what runs to stop and waits until it has, at most so long; then it is killed.
    void stop_all(std::chrono::seconds most = std::chrono::seconds(60));

  private:
    [[nodiscard]] std::filesystem::path place(const std::string& id) const { return folder_ / id; }
    [[nodiscard]] Result<Json> noted(const std::string& id) const;
    Status note(const std::string& id, const Json& what) const;
    Status launch(const std::string& id, Json what);
    void look_after();

    std::filesystem::path program_, folder_;
    std::map<std::string, Process> running_;
};

}  // namespace plimsoll::server
