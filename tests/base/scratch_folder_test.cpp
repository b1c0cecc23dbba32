#include "plimsoll/base/scratch_folder.h"

#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, GoesAwayWithEverythingInItAndMovesWithItsOwner) {
    fs::path path;
    {
        std::optional<ScratchFolder> kept;
        {
            auto made = ScratchFolder::make("test");
            ASSERT_TRUE(made.ok());
            path = made->path();
            EXPECT_THAT(path.filename().string(), ::testing::StartsWith("plimsoll-test-"));
            fs::create_directory(path / "inner");
            std::ofstream(path / "inner" / "file") << "x";
            kept.emplace(std::move(made).value());
        }
        EXPECT_TRUE(fs::exists(path / "inner" / "file"));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, SaysWhereItCouldNotBeMade) {
    const auto made = ScratchFolder::make("no/such");
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().kind, ErrorKind::io);
    EXPECT_THAT(made.error().text(),
                ::testing::AllOf(::testing::HasSubstr("plimsoll-no/such-"),
                                 ::testing::HasSubstr(": cannot be made: No such file or directory")));
}

}  // namespace
}  // namespace plimsoll
