#include "plimsoll/store/line_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::store {
namespace {

using ::testing::HasSubstr;
using testing::TempDir;

TEST(LineFile, LinesAreThereWhenTheCallReturns) {
    const TempDir folder;
    auto file = LineFile::open(folder.path() / "f");
    ASSERT_TRUE(file.ok());
    LineFile lines = std::move(file).value();
    ASSERT_TRUE(lines.append("one").ok());
    ASSERT_TRUE(lines.append("").ok());
    EXPECT_EQ(*read_text(folder.path() / "f"), "one\n\n");
    EXPECT_EQ(lines.bytes(), 5U);
    EXPECT_TRUE(lines.sync().ok());
}

// Whatever a killed process left behind the last line end goes; what is before it stays, at every length.
TEST(LineFile, EveryTornEndIsCutAndNothingElse) {
    const TempDir folder;
    const auto path = folder.path() / "f";
    const std::string whole = "{\"step\":1}\n{\"step\":22}\n{\"step\":333}\n";
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        std::ofstream(path, std::ios::trunc) << whole.substr(0, length);
        ASSERT_TRUE(LineFile::open(path).ok());
        const auto end = whole.substr(0, length).rfind('\n');
        EXPECT_EQ(*read_text(path), end == std::string::npos ? "" : whole.substr(0, end + 1)) << length;
    }
}

TEST(LineFile, ATornEndLongerThanTheReadingPieceIsCut) {
    const TempDir folder;
    const auto path = folder.path() / "f";
    for (const std::size_t torn : {65'535U, 65'536U, 65'537U, 200'000U}) {
        std::ofstream(path, std::ios::trunc) << "first\n" << std::string(torn, '\0');
        ASSERT_TRUE(LineFile::open(path).ok());
        EXPECT_EQ(*read_text(path), "first\n") << torn;
    }
}

TEST(LineFile, CuttingBeyondTheEndIsRefused) {
    const TempDir folder;
    auto file = LineFile::open(folder.path() / "f");
    ASSERT_TRUE(file.ok());
    LineFile lines = std::move(file).value();
    ASSERT_TRUE(lines.append("abc").ok());
    const auto cut = lines.cut(5);
    ASSERT_FALSE(cut.ok());
    EXPECT_EQ(cut.error().kind, ErrorKind::io);
    EXPECT_THAT(cut.error().text(), HasSubstr("has 4 bytes, should have 5 at least"));
    EXPECT_TRUE(lines.cut(4).ok());
    EXPECT_EQ(*read_text(folder.path() / "f"), "abc\n");
}

TEST(LineFile, ALineEndInsideALineIsABug) {
    const TempDir folder;
    auto file = LineFile::open(folder.path() / "f");
    ASSERT_TRUE(file.ok());
    LineFile lines = std::move(file).value();
    EXPECT_THROW((void)lines.append("a\nb"), Bug);
}

}  // namespace
}  // namespace plimsoll::store
