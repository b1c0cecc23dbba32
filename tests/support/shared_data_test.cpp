#include "tests/support/shared_data.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// A folder with a README of the given first line and one data file, named by PLIMSOLL_SHARED for the test.
class SharedData : public ::testing::Test {
  protected:
    SharedData() { ::setenv("PLIMSOLL_SHARED", folder_.path().c_str(), 1); }
    ~SharedData() override { ::unsetenv("PLIMSOLL_SHARED"); }

    void make(const std::string& title) const {
        fs::create_directories(folder_.path() / "data");
        std::ofstream(folder_.path() / "data" / "README.md") << title << "\nmore\n";
        std::ofstream(folder_.path() / "data" / "file") << "x";
    }
    [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

  private:
    testing::TempDir folder_;
};

TEST_F(SharedData, IsRecognisedByItsReadme) {
    make("# Real data and real model files for development and tests");
    EXPECT_EQ(shared_data_folder(), folder());
    EXPECT_EQ(shared_folder(), folder());
    EXPECT_EQ(shared_file("data/file"), folder() / "data/file");
    EXPECT_EQ(shared_file("data/none"), std::nullopt);
}

TEST_F(SharedData, AnUnrelatedFolderOfThatNameDoesNotCount) {
    EXPECT_EQ(shared_data_folder(), std::nullopt) << "an empty folder";
    make("# Photos");
    EXPECT_EQ(shared_data_folder(), std::nullopt);
    EXPECT_EQ(shared_file("data/file"), std::nullopt);
    EXPECT_FALSE(fs::exists(shared_folder()));
    EXPECT_FALSE(fs::exists(shared_folder() / "data/file"));
}

}  // namespace
}  // namespace plimsoll
