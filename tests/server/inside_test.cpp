#include "plimsoll/server/inside.h"

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/scratch_folder.h"

namespace plimsoll::server {
namespace {

namespace fs = std::filesystem;

class Inside : public ::testing::Test {
  protected:
    Inside() : scratch_(std::move(ScratchFolder::make("inside")).value()) {
        fs::create_directories(run());
        fs::create_directory(scratch_.path() / "elsewhere");
        EXPECT_TRUE(atomic_write(scratch_.path() / "elsewhere" / "secret", "x").ok());
        EXPECT_TRUE(atomic_write(run() / "log.txt", "x").ok());
    }
    [[nodiscard]] fs::path runs() const { return scratch_.path() / "runs"; }
    [[nodiscard]] fs::path run() const { return runs() / "0123456789abcdef"; }
    [[nodiscard]] fs::path secret() const { return scratch_.path() / "elsewhere" / "secret"; }

    ScratchFolder scratch_;
};

TEST_F(Inside, LetsRunsBe) {
    EXPECT_TRUE(check_links(runs(), run()).ok());
    EXPECT_TRUE(check_links(runs(), runs() / "fedcba9876543210").ok());  // the verb says that there is none
    EXPECT_TRUE(lies_inside(runs(), run() / "log.txt"));
    EXPECT_FALSE(lies_inside(runs(), run() / "none"));
    EXPECT_FALSE(lies_inside(runs(), scratch_.path() / "runs-of-others"));
}

// The whole folder may be a link: what counts is that nothing in it leads out.
TEST_F(Inside, TheFolderItselfMayBeALink) {
    fs::create_directory_symlink(runs(), scratch_.path() / "link");
    EXPECT_TRUE(check_links(scratch_.path() / "link", scratch_.path() / "link" / "0123456789abcdef").ok());
    fs::create_symlink(run() / "log.txt", run() / "inside.txt");
    EXPECT_TRUE(check_links(runs(), run()).ok());
}

TEST_F(Inside, RefusesLinksThatLeadOut) {
    fs::create_symlink(secret(), run() / "metrics.jsonl");
    const auto refused = check_links(runs(), run());
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::not_found);
    EXPECT_EQ(refused.error().text(), "metrics.jsonl: is a link that leads out of the folder of runs");
    fs::create_directory_symlink(secret().parent_path(), runs() / "fedcba9876543210");
    EXPECT_FALSE(check_links(runs(), runs() / "fedcba9876543210").ok());
    fs::create_symlink("/nowhere/at/all", runs() / "1111111111111111");
    EXPECT_FALSE(check_links(runs(), runs() / "1111111111111111").ok());
}

}  // namespace
}  // namespace plimsoll::server
