// transcript_test FILE...: plays *.test files, and the ```console blocks of *.md files, against
// $PLIMSOLL_BIN.
#include "tests/cli/transcript.h"

#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/shared_data.h"

namespace plimsoll::testing {
namespace {

namespace fs = std::filesystem;

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// The world the commands see: the built program first on the PATH, no colour, the fixtures by name.
void set_the_stage() {
    const fs::path program = environment("PLIMSOLL_BIN");
    const std::string path = program.parent_path().string() + ":" + environment("PATH");
    ::setenv("PATH", path.c_str(), 1);
    ::setenv("NO_COLOR", "1", 1);
    ::setenv("LC_ALL", "C", 1);
    ::unsetenv("PLIMSOLL_TORCH_BIN");
    ::unsetenv("SHARED");
    if (const auto shared = shared_data_folder()) ::setenv("SHARED", fs::absolute(*shared).c_str(), 1);
}

bool available(const std::string& need) {
    if (need == "shared") return *environment("SHARED") != 0;
    if (need == "torch")
        return fs::exists(fs::path(environment("PLIMSOLL_BIN")).replace_filename("plimsoll-torch"));
    throw std::runtime_error("unknown need '" + need + "' (one of: shared, torch)");
}

class TranscriptFile : public ::testing::Test {
  public:
    explicit TranscriptFile(fs::path file) : file_(std::move(file)) {}
    void TestBody() override {
        const auto text = read_text(file_);
        ASSERT_TRUE(text.ok()) << text.error().text();
        const auto transcript =
            file_.extension() == ".md" ? parse_console_blocks(*text) : parse_transcript(*text);
        for (const auto& need : transcript.needs) {
            if (!available(need)) GTEST_SKIP() << file_.filename() << " needs " << need;
        }
        EXPECT_FALSE(transcript.blocks.empty()) << "nothing to run";
        EXPECT_EQ(play(transcript), "") << "in " << file_;
    }

  private:
    fs::path file_;
};

}  // namespace
}  // namespace plimsoll::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    plimsoll::testing::set_the_stage();
    for (int i = 1; i < argc; ++i) {
        const std::filesystem::path file = std::filesystem::absolute(argv[i]);
        ::testing::RegisterTest(
            "Transcript", file.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [file]() -> ::testing::Test* { return new plimsoll::testing::TranscriptFile(file); });
    }
    return RUN_ALL_TESTS();
}
