#pragma once

#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plimsoll/store/run_folder.h"

namespace plimsoll::store {

// The exit code of a child process that runs `body`; -1 when it was killed.
inline int in_another_process(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

inline Run open_run(const std::filesystem::path& runs, std::string_view config = "name = \"a\"\n") {
    auto run = Run::create_or_open(runs, config);
    EXPECT_TRUE(run.ok()) << run.error().text();
    return std::move(run).value();
}

inline Json row(std::int64_t step, double loss = 0.5) {
    Json json;
    json["step"] = step;
    json["loss"] = loss;
    return json;
}

// A checkpoint of two files that say the step, one given and one written by a callback.
inline std::vector<CheckpointFile> two_files(std::int64_t step) {
    const std::string text = std::to_string(step);
    const FileWriter writer = [text](const std::filesystem::path& path) {
        return atomic_write(path, std::string(5000, 'x') + text);
    };
    return {{"state.json", text}, {"weights", writer}};
}

}  // namespace plimsoll::store
