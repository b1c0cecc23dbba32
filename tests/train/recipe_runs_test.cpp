// Every recipe trains: scaled down, on made data of the kind it is for.
#include "plimsoll/base/format.h"
#include "plimsoll/run/recipes.h"
#include "plimsoll/store/run_folder.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

// What makes a recipe small enough for a test. The rest of it stays as published.
struct SmallRecipe {
    const char* name;
    bool images;
    std::vector<std::string> changes;
};

const std::vector<SmallRecipe>& small_recipes() {
    static const std::string decoder = "model.spec=transformer:depth=1,width=32,heads=2,vocab=256,context=32";
    static const std::string mixer =
        "model.spec=mixer:depth=1,channels=32,patch=8,image=32,token_hidden=64,channel_hidden=32,classes=10";
    static const std::vector<SmallRecipe> list{
        {"wies",
         false,
         {decoder, "data.context=32", "schedule.warmup=10", "train.steps=120", "train.batch=8",
          "train.eval_batches=4"}},
        {"navon-cifar", true, {mixer, "train.epochs=20", "train.eval_every=16", "train.batch=16"}},
        {"navon-svhn", true, {mixer, "train.epochs=20", "train.eval_every=16", "train.batch=16"}},
        {"gpt2-small-text",
         false,
         {decoder, "data.context=32", "schedule.warmup=10", "train.steps=120", "train.batch=8",
          "optimizer.accumulate=2", "train.eval_every=60", "train.eval_batches=4",
          "train.checkpoint_every=60", "optimizer.lr=6e-3"}},
    };
    return list;
}

using RecipeRuns = TrainTest;

TEST_F(RecipeRuns, NoneIsForgotten) {
    ASSERT_EQ(small_recipes().size(), run::recipes().size());
    for (std::size_t i = 0; i < run::recipes().size(); ++i)
        EXPECT_EQ(small_recipes()[i].name, run::recipes()[i].name);
}

TEST_F(RecipeRuns, EachOneLearns) {
    const std::string cifar = write_cifar("cifar", 256, 32);
    for (const auto& recipe : small_recipes()) {
        auto changes = recipe.changes;
        changes.push_back("data.name=" + (recipe.images ? cifar : "synthetic:grammar,bytes=20000"));
        changes.push_back(std::string("recipe=") + recipe.name);
        const auto summary = run(config_of("", changes));
        ASSERT_TRUE(summary.ok()) << recipe.name << ": " << summary.error().text();
        const auto rows = store::read_metrics(summary->folder).value();
        const double first = rows.front()["loss"].get<double>();
        EXPECT_LT(summary->validation.loss, 0.75 * first) << recipe.name;
    }
}

}  // namespace
}  // namespace plimsoll::train
