// `plimsoll eval`: splits by name, other sets, strides.
#include <algorithm>
#include <numbers>

#include "plimsoll/bpe/files.h"
#include "plimsoll/bpe/train.h"
#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/formats/tokenizer_json.h"
#include "plimsoll/train/feeds/tokenizer.h"
#include "tests/support/error_text.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

class EvaluateTest : public TrainTest {
  protected:
    // Text of the synthetic grammar; the numbers choose a piece.
    static std::string text(std::size_t from, std::size_t bytes) {
        static const data::Synthetic made = data::make_synthetic("synthetic:grammar,bytes=60000").value();
        const auto all = std::get<data::TextFiles>(made.dataset).files.front().bytes.view();
        return {all.begin() + static_cast<std::ptrdiff_t>(from),
                all.begin() + static_cast<std::ptrdiff_t>(from + bytes)};
    }
    static Evaluation evaluated(const RunSummary& summary, const EvaluateOptions& options = {}) {
        const auto result = evaluate(summary.folder, options);
        EXPECT_TRUE(result.ok()) << error_text(result);
        return result.ok() ? *result : Evaluation{};
    }
    static std::string refused(const RunSummary& summary, const EvaluateOptions& options) {
        const auto result = evaluate(summary.folder, options);
        EXPECT_FALSE(result.ok());
        return error_text(result);
    }
};

// Train and validation are the run's two parts: their losses, weighted by targets, make up nearly the loss of
// the whole (one window more or less at the seam).
TEST_F(EvaluateTest, TheSplitsOfATextAreTheRunsParts) {
    const auto summary = run(config_of(text_run, {"train.eval_batches=all"})).value();
    const Evaluation train = evaluated(summary, {.split = "train"}),
                     validation = evaluated(summary, {.split = "validation"}),
                     all = evaluated(summary, {.split = "all"}), usual = evaluated(summary);
    EXPECT_EQ(train.targets, 18'000 - 1);
    EXPECT_EQ(validation.targets, 2'000 - 1);
    EXPECT_EQ(all.targets, 20'000 - 1);
    EXPECT_EQ(usual.loss, validation.loss);
    EXPECT_EQ(usual.loss, summary.validation.loss);
    EXPECT_EQ(usual.split, "last 10 %");
    EXPECT_EQ(train.split, "first 90 %");
    const double sum = train.loss * 17'999 + validation.loss * 1'999;
    EXPECT_NEAR(sum / 19'998, all.loss, 0.02);
    EXPECT_NE(train.loss, validation.loss);
    EXPECT_EQ(refused(summary, {.split = "test"}),
              "split: there is no 'test' (one of: train, validation, all)");
}

// A folder whose files say what they are for: the files are the splits, and are not mixed.
TEST_F(EvaluateTest, FilesOfATextMayBeItsSplits) {
    write("corpus/a.train.txt", text(0, 8000));
    write("corpus/a.valid.txt", text(20'000, 1500));
    const std::string test = write("corpus/a.test.txt", text(40'000, 1200));
    const auto summary = run(config_of(text_run, {"train.eval_batches=all",
                                                  "data.name=" + (folder_.path() / "corpus").string()}))
                             .value();
    EXPECT_EQ(summary.validation.targets, 1500 - 1);
    EXPECT_EQ(evaluated(summary, {.split = "train"}).targets, 8000 - 1);
    const Evaluation by_name = evaluated(summary, {.split = "test"});
    EXPECT_EQ(by_name.targets, 1200 - 1);
    EXPECT_EQ(by_name.split, "a.test.txt");
    EXPECT_EQ(evaluated(summary, {.data = test}).loss, by_name.loss) << "the same bytes, given as a file";
}

// All of another file, read with the run's tokenizer, and its bits are those of its bytes.
TEST_F(EvaluateTest, AnotherTextIsReadWhole) {
    const std::string train = write("train.txt", text(0, 30'000)),
                      other = write("other.txt", text(40'000, 3000));
    const auto summary = run(config_of(text_run, {"data.name=" + train})).value();
    const Evaluation bytes = evaluated(summary, {.data = other});
    EXPECT_EQ(bytes.targets, 3000 - 1);
    EXPECT_EQ(bytes.split, "all");
    EXPECT_NEAR(bytes.bits_per_byte, bytes.loss / std::numbers::ln2, 1e-12) << "a token is a byte";
    EXPECT_EQ(evaluated(summary, {.data = other, .split = "validation"}).targets, 300 - 1)
        << "by the run's rule";
    std::filesystem::remove(train);
    EXPECT_EQ(evaluated(summary, {.data = other}).loss, bytes.loss) << "the run's own text is not needed";
}

// Whatever the tokens: bits per byte times the bytes of the file after its first token is the whole loss.
TEST_F(EvaluateTest, BitsPerByteDoNotDependOnTheVocabulary) {
    const std::string train = write("train.txt", text(0, 30'000)),
                      other = write("other.txt", text(40'000, 3000));
    const auto bpe = bpe::train_bpe({train}, {.vocab = 300, .threads = 1}).value().model;
    const std::string file = (folder_.path() / "tokenizer.json").string();
    ASSERT_TRUE(formats::write_tokenizer_json(file, bpe::json_of_bpe(bpe)).ok());
    const auto summary =
        run(config_of(text_run, {"data.name=" + train, "data.tokenizer=" + file,
                                 "model.spec=transformer:depth=1,width=16,heads=2,vocab=300,context=16"}))
            .value();
    const Tokenizer tokenizer = Tokenizer::open(file).value();
    const auto ids = tokenizer.encode(text(40'000, 3000));
    const double first = tokenizer.bytes()[ids.front()];
    const Evaluation result = evaluated(summary, {.data = other});
    EXPECT_LT(ids.size(), 2500U) << "tokens of more than a byte";
    EXPECT_EQ(result.targets, static_cast<std::int64_t>(ids.size()) - 1);
    EXPECT_NEAR(result.bits_per_byte * (3000 - first),
                result.loss * static_cast<double>(result.targets) / std::numbers::ln2, 1e-6);
}

TEST_F(EvaluateTest, WindowsMayOverlapButNotLeaveGaps) {
    const auto summary = run(config_of(text_run)).value();
    EXPECT_EQ(evaluated(summary, {.stride = 1}).targets, evaluated(summary).targets);
    EXPECT_EQ(evaluated(summary, {.stride = 16}).loss, evaluated(summary).loss);
    EXPECT_EQ(refused(summary, {.stride = 17}), "stride: must be from 1 to the context 16, got 17");
    EXPECT_EQ(refused(summary, {.stride = -1}), "stride: must be from 1 to the context 16, got -1");
    const auto labelled = run(config_of(hops_run)).value();
    EXPECT_EQ(refused(labelled, {.stride = 2}), "stride: is for text");
}

TEST_F(EvaluateTest, LabelledSequencesHaveTheirOwnSplits) {
    const auto summary = run(config_of(hops_run)).value();
    EXPECT_EQ(evaluated(summary, {.split = "train"}).targets, 200);
    EXPECT_EQ(evaluated(summary, {.split = "test"}).targets, 20);
    EXPECT_EQ(evaluated(summary, {.split = "all"}).targets, 220);
    EXPECT_EQ(evaluated(summary).split, "test");
    const auto some = run(config_of(hops_run, {"data.examples=50"})).value();
    EXPECT_EQ(evaluated(some, {.split = "train"}).targets, 50) << "what it was trained on";
}

constexpr const char* pair_run = R"(
[model]
spec = "transformer:depth=1,width=16,heads=2,vocab=257,context=4,stack=encoder,head=classes,classes=2,segments=2"
[train]
steps = 5
batch = 8
)";

TEST_F(EvaluateTest, SentencePairsKeepTheSplitsOfTheSet) {
    const std::string set = write_pairs("nli.tsv", {"train", "train", "dev", "test"}, 80);
    const auto summary = run(config_of(pair_run, {"data.name=" + set})).value();
    EXPECT_EQ(summary.validation.targets, 20) << "dev, not the last tenth";
    EXPECT_EQ(evaluated(summary, {.split = "train"}).targets, 40);
    EXPECT_EQ(evaluated(summary, {.split = "test"}).targets, 20);
    EXPECT_EQ(evaluated(summary, {.split = "validation"}).split, "dev");
    EXPECT_EQ(evaluated(summary).loss, summary.validation.loss);
    const auto on_test = run(config_of(pair_run, {"data.name=" + set, "data.validation=test"})).value();
    EXPECT_EQ(evaluated(on_test).split, "test");
    EXPECT_EQ(refused(summary, {.split = "devel"}),
              "split: there is no 'devel' (one of: train, validation, all, dev, test)");
}

TEST_F(EvaluateTest, SentencePairsWithoutSplitsHoldOutTheSameShareEveryTime) {
    const std::string set = write_pairs("nli.tsv", {}, 60);
    const run::RunConfig config = config_of(pair_run, {"data.name=" + set, "data.validation_fraction=0.25"});
    const auto summary = run(config).value();
    EXPECT_EQ(summary.validation.targets, 15);
    EXPECT_EQ(evaluated(summary).loss, summary.validation.loss);
    EXPECT_EQ(run(config, "again").value().validation.loss, summary.validation.loss);
    EXPECT_EQ(evaluated(summary, {.split = "train"}).targets, 45);
}

// The other file names its labels in another order and lacks one; names count, numbers do not.
TEST_F(EvaluateTest, LabelsOfAnotherSetAreMatchedByName) {
    const std::string set = write_pairs("nli.tsv", {}, 60);
    const auto summary = run(config_of(pair_run, {"data.name=" + set, "train.steps=200"})).value();
    const std::string head = "sentence1\tsentence2\tlabel\n",
                      rows = "a\tb\tnot_entailment\nb\tc\tnot_entailment\n";
    const Evaluation one_label = evaluated(summary, {.data = write("one.tsv", head + rows)});
    const Evaluation both =
        evaluated(summary, {.data = write("both.tsv", head + rows + "a\ta\tentailment\n")});
    const Evaluation only_same = evaluated(summary, {.data = write("same.tsv", head + "a\ta\tentailment\n")});
    EXPECT_NEAR(2 * one_label.loss + only_same.loss, 3 * both.loss, 1e-5);
    EXPECT_EQ(refused(summary, {.data = write("new.tsv", head + "a\tb\tneutral\n")}),
              "data: the label 'neutral' is not one of the run's: entailment, not_entailment");
}

// Folders are classes in the order of their names: without the first one all numbers shift.
TEST_F(EvaluateTest, ClassesOfAnotherFolderAreMatchedByName) {
    const auto add = [&](const std::string& folder, const std::string& name, std::uint8_t grey, int count) {
        const data::ImageShape shape{3, 4, 4};
        for (int i = 0; i < count; ++i) {
            std::vector<std::uint8_t> pixels(shape.bytes(), static_cast<std::uint8_t>(grey + i));
            write(folder + "/" + name + "/" + std::to_string(i) + ".png",
                  data::encode_png(pixels, shape).value());
        }
    };
    add("own", "black", 0, 20);
    add("own", "grey", 100, 20);
    add("own", "white", 200, 20);
    add("some", "grey", 100, 10);
    add("some", "white", 200, 10);
    const auto summary =
        run(config_of("[model]\nspec = \"mixer:depth=1,channels=8,patch=2,image=4,classes=3\"\n"
                      "[optimizer]\nlr = 1e-2\n[train]\nsteps = 150\nbatch = 16\n",
                      {"data.name=" + (folder_.path() / "own").string()}))
            .value();
    EXPECT_EQ(evaluated(summary, {.split = "all"}).accuracy, 1);
    EXPECT_EQ(evaluated(summary).targets, 6) << "two of twenty, of each class";
    EXPECT_EQ(evaluated(summary).split, "10 % of each class, drawn with seed 1");
    EXPECT_EQ(evaluated(summary, {.data = (folder_.path() / "some").string()}).accuracy, 1);
    // What a run of 0.1 was not trained on is the end of the set.
    const auto environment = summary.folder / "environment.json";
    std::string text = read_text(environment).value();
    const auto version = text.find("\"version\": \"") + 12;
    text.replace(version, text.find('"', version) - version, "0.1.0");
    ASSERT_TRUE(atomic_write(environment, text).ok());
    EXPECT_EQ(evaluated(summary).split, "last 10 %");
    add("some", "red", 0, 1);
    EXPECT_EQ(refused(summary, {.data = (folder_.path() / "some").string()}),
              "data: the label 'red' is not one of the run's: black, grey, white");
}

// The end of a folder of classes is its last class alone.
TEST_F(EvaluateTest, AHeldOutPartWithoutAClassIsNotTrainedFor) {
    for (int i = 0; i < 20; ++i) {
        const std::vector<std::uint8_t> pixels(16, static_cast<std::uint8_t>(10 * i));
        write((i < 12 ? "ends/a/" : "ends/b/") + std::to_string(100 + i) + ".png",
              data::encode_png(pixels, {1, 4, 4}).value());
    }
    const auto error = [&](const std::string& order) {
        return error_text(run(config_of(
            "[model]\nspec = \"mixer:depth=1,channels=8,patch=2,image=4,image_channels=1,classes=2\"\n"
            "[train]\nsteps = 2\nbatch = 4\n",
            {"data.name=" + (folder_.path() / "ends").string(), "data.split_seed=" + order})));
    };
    EXPECT_EQ(error("2"), "");
    EXPECT_THAT(error("order"),
                HasSubstr("data.validation: the part held out has no example of 1 of the 2 classes "
                          "trained on ('a'), so its accuracy says nothing about them"));
}

// An image is scaled by the images the run was trained on, not by those beside it.
TEST_F(EvaluateTest, AnotherSetOfImagesIsScaledAsTheRuns) {
    const std::string own = write_images("own", 4, Light::quarter, 40, 8),
                      dark = write_images("dark", 4, Light::quarter, 8, 8);
    const run::RunConfig config = config_of(
        "[model]\nspec = \"mixer:depth=1,channels=8,patch=2,image=4,image_channels=1,classes=4\"\n"
        "[train]\nsteps = 5\nbatch = 8\n",
        {"data.name=" + own});
    const auto summary = run(config).value();
    const Evaluation test = evaluated(summary);
    EXPECT_EQ(test.split, "test");
    EXPECT_EQ(test.loss, summary.validation.loss);
    // The same test images beside training images that are all black: nothing changes.
    const std::filesystem::path images = std::filesystem::path(dark) / "train-images-idx3-ubyte";
    std::string bytes = read_text(images).value();
    std::fill(bytes.begin() + 16, bytes.end(), '\0');
    ASSERT_TRUE(atomic_write(images, bytes).ok());
    EXPECT_EQ(evaluated(summary, {.data = dark}).loss, test.loss);
}

// Two networks that cannot be trained on a text: what they should predict is what they read.
TEST_F(EvaluateTest, NetworksThatSeeTheirTargetsAreRefused) {
    for (const char* spec : {"transformer:depth=1,width=16,heads=2,vocab=256,context=16,stack=encoder",
                             "mixer:depth=1,channels=8,tokens=16,vocab=256,causal=off"}) {
        EXPECT_THAT(refusal(config_of(text_run, {std::string("model.spec=") + spec})),
                    HasSubstr("sees the tokens that it should predict"))
            << spec;
    }
}

}  // namespace
}  // namespace plimsoll::train
