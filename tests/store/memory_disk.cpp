#include <cstdlib>
#include <filesystem>

// These tests sync hundreds of files: their temporary folders lie in memory where the system has such a
// place, so that they take milliseconds on a busy disk too. killed_test uses a real disk.
namespace {

const bool in_memory = [] {
    std::error_code none;
    return std::filesystem::is_directory("/dev/shm", none) && ::setenv("TMPDIR", "/dev/shm", 0) == 0;
}();

}  // namespace
