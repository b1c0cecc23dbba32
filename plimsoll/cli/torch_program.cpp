#include "plimsoll/cli/torch_program.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "plimsoll/cli/session.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "plimsoll-torch";

bool runnable(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

}  // namespace

bool is_installed() {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    return fs::is_directory(program.parent_path().parent_path() / "share" / "plimsoll", ignored);
}

Result<fs::path> find_torch_program() {
    std::error_code ignored;
    const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).replace_filename(program_name);
    if (runnable(beside)) return beside;
    if (const char* named = std::getenv("PLIMSOLL_TORCH_BIN"); named != nullptr && *named != 0) {
        if (runnable(named)) return fs::path(named);
        return not_found("PLIMSOLL_TORCH_BIN", std::string("no program at ") + named);
    }
    const char* remedy = is_installed()
                             ? "not installed; apt-get install plimsoll-torch"
                             : "not built; bin/plimsoll doctor --torch installs LibTorch and builds it";
    return not_found(program_name, remedy);
}

Error exec_torch_program(const std::vector<std::string>& arguments) {
    if (session().capture != nullptr)
        return unsupported("plimsoll-torch", "is a program of its own; it cannot answer inside this one");
    PLIMSOLL_ASSIGN(program, find_torch_program());
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::fflush(nullptr);
    ::execv(program.c_str(), pointers.data());
    return io_error(program.string(), std::strerror(errno));
}

}  // namespace plimsoll::cli
