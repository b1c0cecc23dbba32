#include "plimsoll/target/hub.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "plimsoll/base/files.h"
#include "plimsoll/target/target.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* hub_config =
    R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2, "n_positions": 16, "vocab_size": 11})";
constexpr const char* commit = "0123456789abcdef0123456789abcdef01234567";

// A cache with one model, as the library lays it out: files of a snapshot are links to blobs.
class HubCache : public ::testing::Test {
  protected:
    HubCache() {
        write(root() / "blobs/aa", hub_config);
        write(root() / "refs/main", commit);
        fs::create_directories(snapshot());
        fs::create_symlink("../../blobs/aa", snapshot() / "config.json");
    }
    [[nodiscard]] fs::path hub() const { return folder_.path() / "hub"; }
    [[nodiscard]] fs::path root() const { return hub() / "models--org--name"; }
    [[nodiscard]] fs::path snapshot() const { return root() / "snapshots" / commit; }
    [[nodiscard]] fs::path outside() const { return folder_.path() / "outside"; }
    void write(const fs::path& path, std::string_view text) const {
        fs::create_directories(path.parent_path());
        ASSERT_TRUE(atomic_write(path, text).ok());
    }
    [[nodiscard]] std::string error_of(const std::string& id) const {
        return error_text(find_snapshot(*parse_hub_id(id), hub()));
    }

    testing::TempDir folder_;
};

TEST_F(HubCache, AnIdIsItsMainRevision) {
    const auto meaning = find("org/name", Use::shape, {"none", hub()});
    ASSERT_TRUE(meaning.ok()) << meaning.error().text();
    EXPECT_EQ(meaning->kind, Kind::hub);
    EXPECT_EQ(meaning->path, snapshot());
    const auto model = model_of(*meaning);
    ASSERT_TRUE(model.ok()) << model.error().text();
    EXPECT_EQ(model->shape.name, "org/name");
    EXPECT_EQ(model->shape.depth, 2);
}

TEST_F(HubCache, RevisionsAreBranchesOrCommits) {
    write(root() / "refs/v1", "short");
    fs::create_directories(root() / "snapshots/short");
    EXPECT_EQ(*find_snapshot({"org/name", "v1"}, hub()), root() / "snapshots/short");
    EXPECT_EQ(*find_snapshot({"org/name", commit}, hub()), snapshot());
    EXPECT_THAT(error_of("org/name@v2"), HasSubstr("holds no files of the revision v2"));
}

TEST_F(HubCache, ASingleSnapshotNeedsNoReference) {
    fs::remove_all(root() / "refs");
    EXPECT_EQ(*find_snapshot({"org/name"}, hub()), snapshot());
    fs::create_directories(root() / "snapshots/other");
    EXPECT_THAT(error_of("org/name"), HasSubstr("holds no files of the revision main"));
}

TEST_F(HubCache, AReferenceThatIsNoCommitIsRefused) {
    for (const char* text : {"../../../outside", "..", ".hidden", "a/b", "", "two words"}) {
        write(root() / "refs/main", text);
        EXPECT_THAT(error_of("org/name"), HasSubstr("refs/main: does not hold a commit")) << text;
    }
    write(root() / "refs/main", std::string(5000, 'a'));
    EXPECT_THAT(error_of("org/name"), HasSubstr("refs/main"));
}

TEST_F(HubCache, LinksThatLeadOutAreRefused) {
    write(outside() / "config.json", hub_config);
    fs::remove(snapshot() / "config.json");
    fs::create_symlink(outside() / "config.json", snapshot() / "config.json");
    EXPECT_THAT(error_of("org/name"), HasSubstr("config.json: leads out of "));
    fs::remove_all(snapshot());
    fs::create_directory_symlink(outside(), snapshot());
    EXPECT_THAT(error_of("org/name"), HasSubstr("leads out of "));
    fs::remove_all(root());
    fs::create_directory_symlink(outside(), root());
    EXPECT_THAT(error_of("org/name"), HasSubstr("leads out of "));
}

TEST_F(HubCache, AReferenceThatIsALinkOrAPipeIsRefused) {
    write(outside() / "secret", commit);
    fs::remove(root() / "refs/main");
    fs::create_symlink(outside() / "secret", root() / "refs/main");
    EXPECT_THAT(error_of("org/name"), HasSubstr("refs/main: leads out of "));
    fs::remove(root() / "refs/main");
    ASSERT_EQ(::mkfifo((root() / "refs/main").c_str(), 0600), 0);
    EXPECT_THAT(error_of("org/name"), HasSubstr("is not a regular file"));
}

// Half a download: the link is there, its blob is not.
TEST_F(HubCache, ABrokenLinkIsNoModel) {
    fs::remove(root() / "blobs/aa");
    const auto meaning = find("org/name", Use::shape, {"none", hub()});
    ASSERT_TRUE(meaning.ok()) << meaning.error().text();
    EXPECT_FALSE(model_of(*meaning).ok());
}

TEST_F(HubCache, AnAbsentIdNamesTheZooAndTheCommand) {
    const auto meaning = find("openai-community/gpt2-large", Use::shape, {"none", hub()});
    ASSERT_FALSE(meaning.ok());
    EXPECT_EQ(meaning.error().kind, ErrorKind::not_found);
    EXPECT_THAT(meaning.error().message, HasSubstr("the zoo has gpt2-large"));
    EXPECT_THAT(meaning.error().message, HasSubstr("hf download openai-community/gpt2-large config.json"));
}

TEST_F(HubCache, AnIdIsNoPath) {
    for (const char* text :
         {"../name", "org/..", "org//name", "a/b/c", "/name", "org/", "", ".git/x", "a/b@../c"})
        EXPECT_FALSE(parse_hub_id(text).has_value()) << text;
    EXPECT_EQ(parse_hub_id("a.b/c-d_e@v1.0")->revision, "v1.0");
    EXPECT_EQ(parse_hub_id("gpt2")->id, "gpt2");
}

TEST(HubFolder, TheVariablesOfTheLibraryDecide) {
    ::setenv("HF_HOME", "/home-of-hf", 1);
    ::unsetenv("HF_HUB_CACHE");
    EXPECT_EQ(usual_hub_folder(), "/home-of-hf/hub");
    ::setenv("HF_HUB_CACHE", "/cache", 1);
    EXPECT_EQ(usual_hub_folder(), "/cache");
    ::unsetenv("HF_HUB_CACHE");
    ::unsetenv("HF_HOME");
}

}  // namespace
}  // namespace plimsoll::target
