#include "plimsoll/lab/sweep/work.h"

#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/synthetic/synthetic.h"

namespace plimsoll::lab {
namespace {

run::RunConfig config(const std::string& spec, const std::string& data, const std::string& more = "") {
    const auto parsed = run::parse_run_config(
        fmt::format("model.spec = \"{}\"\ndata.name = \"{}\"\n{}", spec, data, more), "run.toml");
    EXPECT_TRUE(parsed.ok()) << parsed.error().text();
    return parsed.ok() ? *parsed : run::RunConfig{};
}

const std::string text_spec = "transformer:depth=2,width=8,heads=2,vocab=256,context=32";
const std::string image_spec = "mixer:depth=1,channels=8,patch=4,image=32,classes=10";

TEST(Work, FlopsAreArchsTimesTokensAndBatch) {
    const auto work = *work_of(config(text_spec, "x.txt", "train.batch = 5\ntrain.steps = 7\n"));
    const auto report = *arch::count(*arch::parse_spec(text_spec), {});
    EXPECT_EQ(work.flops_per_step, report.training_flops.real() * 32 * 5);
    EXPECT_EQ(work.steps, 7);
    EXPECT_EQ(*work.flops(), work.flops_per_step * 7);
    const auto shorter = *work_of(config(text_spec, "x.txt", "train.batch = 5\ndata.context = 16\n"));
    EXPECT_EQ(shorter.flops_per_step,
              arch::count(*arch::parse_spec(text_spec), {.context = 16})->training_flops.real() * 16 * 5);
    const auto images = *work_of(config(image_spec, "cifar10", "train.batch = 3\n"));
    EXPECT_EQ(images.flops_per_step,
              arch::count(*arch::parse_spec(image_spec), {})->training_flops.real() * 3);
    const auto matrices = *work_of(config("square-mixer:rows=4,cols=4,depth=2",
                                          "synthetic:teacher,spec=square-mixer:rows=4,cols=4,depth=2"));
    EXPECT_GT(matrices.flops_per_step, 0);
}

TEST(Work, EpochsOfKnownSetsAreSteps) {
    const auto steps = [](const std::string& data, const std::string& more = "") {
        return work_of(config(image_spec, data, "train.epochs = 41\ntrain.batch = 128\n" + more))->steps;
    };
    EXPECT_EQ(steps("cifar10"), 41 * 390);
    EXPECT_EQ(steps("svhn"), 41 * 572);
    EXPECT_EQ(steps("cifar10", "data.examples = 1000\n"), 41 * 7);
    EXPECT_EQ(steps("cifar10", "data.examples = 100\n"), 41) << "an epoch has at least one step";
    EXPECT_EQ(steps("cifar10", "data.validation = \"train\"\n"), 41 * (45000 / 128));
    EXPECT_EQ(steps("some/folder"), std::nullopt);
    EXPECT_FALSE(work_of(config(image_spec, "some/folder", "train.epochs = 2\n"))->flops().has_value());
}

// Two ways: the numbers of images, and the sizes of the catalogue's files.
TEST(Work, KnownSetsAreAsLongAsTheirFiles) {
    struct Layout {
        std::string name, files;
        std::uint64_t header, record;
    };
    for (const auto& layout :
         {Layout{"cifar10", "data_batch", 0, 3073}, Layout{"cifar100", "train.bin", 0, 3074},
          Layout{"stl10", "train_y.bin", 0, 1}, Layout{"mnist", "train-labels", 8, 1},
          Layout{"fashion-mnist", "train-labels", 8, 1}}) {
        std::uint64_t examples = 0;
        for (const auto& file : data::in_catalogue(layout.name)->files)
            if (file.name.starts_with(layout.files)) examples += (file.bytes - layout.header) / layout.record;
        EXPECT_EQ(epoch_examples(config(image_spec, layout.name)), static_cast<std::int64_t>(examples))
            << layout.name;
    }
    for (const auto& entry : data::catalogue())
        EXPECT_TRUE(epoch_examples(config(image_spec, std::string(entry.name)))) << entry.name;
}

TEST(Work, SyntheticSetsAreAsLongAsTheyAreMade) {
    const auto text = data::make_synthetic("synthetic:grammar,bytes=5000");
    const auto bytes = std::get<data::TextFiles>(text->dataset).files[0].bytes.size();
    EXPECT_EQ(epoch_examples(config(text_spec, "synthetic:grammar,bytes=5000")),
              (static_cast<std::int64_t>(0.9 * static_cast<double>(bytes)) - 1) / 32);
    EXPECT_EQ(epoch_examples(config(text_spec, "synthetic:shuffled,bytes=5000")), std::nullopt);
    EXPECT_EQ(
        epoch_examples(config(text_spec, "synthetic:grammar,bytes=5000", "data.tokenizer = \"t.json\"\n")),
        std::nullopt);
    const std::string hops = "synthetic:hops=3,count=100,test=20";
    const auto made = data::make_synthetic(hops);
    const auto& set = std::get<data::LabelledSequences>(made->dataset);
    EXPECT_EQ(epoch_examples(config(text_spec, hops)),
              static_cast<std::int64_t>(set.labels.size() - set.test_count));
    EXPECT_EQ(epoch_examples(config(text_spec, "synthetic:hops=3,count=100,test=0")), 90);
    EXPECT_EQ(epoch_examples(config(text_spec, hops, "data.examples = 30\n")), 30);
}

}  // namespace
}  // namespace plimsoll::lab
