#include "plimsoll/lab/experiment/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/bpe/files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A folder of output and one of data, and what was made in it.
class Prepared {
  public:
    Status make(const std::vector<Preparation>& files) {
        told.clear();
        return prepare(files, {.folder = out(),
                               .data_folder = data(),
                               .tell = [this](const std::string& line) { told.push_back(line); }});
    }
    [[nodiscard]] fs::path out() const { return folder_.path() / "out"; }
    [[nodiscard]] fs::path data() const { return folder_.path() / "data"; }
    void write(const fs::path& file, const std::string& text) const {
        fs::create_directories(file.parent_path());
        EXPECT_TRUE(atomic_write(file, text).ok());
    }
    std::vector<std::string> told;

  private:
    testing::TempDir folder_;
};

Preparation set_of(const std::string& bytes) {
    return {false, "data/grammar.txt", "synthetic:grammar,bytes=" + bytes, 0, 0};
}
Preparation tokenizer(std::int64_t vocab, const std::string& from, std::uint64_t bytes = 0) {
    return {true, "tokenizers/t.json", from, vocab, bytes};
}

TEST(Prepare, MakesWhatIsNotThereOnce) {
    Prepared made;
    ASSERT_TRUE(made.make({set_of("2000")}).ok());
    EXPECT_THAT(made.told, ElementsAre("making data/grammar.txt from synthetic:grammar,bytes=2000"));
    const auto text = read_text(made.out() / "data/grammar.txt").value();
    EXPECT_EQ(text.size(), 2000U);
    ASSERT_TRUE(made.make({set_of("2000")}).ok());
    EXPECT_THAT(made.told, IsEmpty());
    EXPECT_EQ(read_text(made.out() / "data/grammar.txt").value(), text);
}

TEST(Prepare, MakesAgainWhatWasMadeFromSomethingElse) {
    Prepared made;
    ASSERT_TRUE(made.make({set_of("2000")}).ok());
    ASSERT_TRUE(made.make({set_of("3000")}).ok());
    EXPECT_EQ(read_text(made.out() / "data/grammar.txt").value().size(), 3000U);
}

TEST(Prepare, LeavesAFileThatSomebodyPutThere) {
    Prepared made;
    made.write(made.out() / "data/grammar.txt", "mine");
    ASSERT_TRUE(made.make({set_of("2000")}).ok());
    EXPECT_EQ(read_text(made.out() / "data/grammar.txt").value(), "mine");
}

// A tokenizer from a set that was made just before, and from the training file of a folder of data.
TEST(Prepare, TrainsTokenizersOnTrainingTextOnly) {
    Prepared made;
    ASSERT_TRUE(made.make({set_of("5000"), tokenizer(260, "data/grammar.txt")}).ok());
    EXPECT_EQ(bpe::read_bpe(made.out() / "tokenizers/t.json").value().tokens.size(), 260U);
    made.write(made.data() / "wiki/train.txt", "abab abab abab");
    made.write(made.data() / "wiki/valid.txt", "xyxy xyxy xyxy xyxy xyxy xyxy");
    ASSERT_TRUE(made.make({tokenizer(258, "wiki")}).ok());
    const auto model = bpe::read_bpe(made.out() / "tokenizers/t.json").value();
    EXPECT_EQ(model.tokens.back(), "ab");  // not "xy", which is more frequent in all
}

TEST(Prepare, UsesTheFirstBytesThatAreAskedFor) {
    Prepared made;
    made.write(made.data() / "words.txt", "abab " + std::string(40, 'z'));
    ASSERT_TRUE(made.make({tokenizer(258, "words.txt", 5)}).ok());
    EXPECT_EQ(bpe::read_bpe(made.out() / "tokenizers/t.json").value().tokens.back(), "ab");
    ASSERT_TRUE(made.make({tokenizer(258, "words.txt")}).ok());  // all of it: made again
    EXPECT_EQ(bpe::read_bpe(made.out() / "tokenizers/t.json").value().tokens.back(), "zz");
    EXPECT_FALSE(fs::exists(made.out() / "tokenizers/t.json.text"));
}

TEST(Prepare, SaysWhatIsMissingOrIsNoText) {
    Prepared made;
    EXPECT_THAT(made.make({tokenizer(300, "nowhere")}).error().text(), HasSubstr("nowhere: no such file"));
    EXPECT_THAT(made.make({tokenizer(300, "synthetic:hops=2")}).error().text(), HasSubstr("this is none"));
    EXPECT_FALSE(fs::exists(made.out() / "tokenizers/t.json"));
}

TEST(CheckData, FindsSetsBelowTheDataFolder) {
    Prepared made;
    made.write(made.data() / "wiki/train.txt", "x");
    EXPECT_TRUE(check_data("wiki", made.data()).ok());
    EXPECT_EQ(check_data("wiki", "").error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace plimsoll::lab
