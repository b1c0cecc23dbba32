#include "plimsoll/run/recipes.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "tests/run/config_support.h"

namespace plimsoll::run {
namespace {

const std::string mixer =
    "model.spec = \"mixer:depth=2,channels=8,patch=4,image=32,classes=10\"\ndata.name = \"cifar10\"\n";

TEST(Recipes, EachSaysItsSourceAndWhatIsNotKnown) {
    std::set<std::string> names;
    for (const auto& recipe : recipes()) {
        EXPECT_TRUE(names.insert(recipe.name).second);
        EXPECT_NE(recipe.source, "");
        EXPECT_FALSE(recipe.values.empty());
        EXPECT_FALSE(recipe.differs.empty());
    }
}

// SPEC.md, WIES-RECIPE: 1M steps of 512 x 128 tokens are 6.5536e10.
TEST(Recipes, Wies) {
    const RunConfig config = parsed(
        "recipe = \"wies\"\n"
        "model.spec = \"transformer:depth=24,width=144,heads=2,vocab=257\"\n"
        "data.name = \"x\"\n");
    EXPECT_EQ(config.train.steps * config.train.batch * context_length(config), 65'536'000'000);
    EXPECT_EQ(config.optimizer.kind, OptimizerKind::adamw);
    EXPECT_EQ(config.optimizer.weight_decay, 0.01);
    EXPECT_EQ(config.model.dropout, 0.1);
    EXPECT_EQ(config.schedule.warmup, 12'000);
}

TEST(Recipes, Navon) {
    const RunConfig cifar = parsed("recipe = \"navon-cifar\"\n" + mixer);
    EXPECT_EQ(cifar.optimizer.kind, OptimizerKind::adam) << "torch.optim.Adam decays through the gradient";
    EXPECT_EQ(cifar.optimizer.decay, DecayedTensors::all);
    EXPECT_EQ(cifar.optimizer.weight_decay, 5e-5);
    EXPECT_EQ(cifar.model.dropout, 0.5);
    EXPECT_EQ(cifar.train.epochs, 41);
    EXPECT_EQ(cifar.train.steps, 0);
    EXPECT_EQ(cifar.train.eval_every, (50'000 + 127) / 128) << "once an epoch";
    EXPECT_EQ(learning_rate(cifar, 1, 10), learning_rate(cifar, 10, 10));
    RunConfig svhn = parsed("recipe = \"navon-svhn\"\n" + mixer);
    EXPECT_EQ(svhn.train.eval_every, (73'257 + 127) / 128);
    EXPECT_FALSE(svhn.data.flip);
    svhn.recipe = cifar.recipe;
    svhn.data.flip = cifar.data.flip;
    svhn.train.eval_every = cifar.train.eval_every;
    EXPECT_EQ(svhn, cifar) << "nothing else differs";
}

TEST(Recipes, Gpt2SmallText) {
    const RunConfig config = parsed("recipe = \"gpt2-small-text\"\ndata.name = \"owt\"\n");
    EXPECT_EQ(config.train.batch * context_length(config), 491'520);
    EXPECT_DOUBLE_EQ(config.optimizer.lr * config.schedule.min_lr_ratio, 6e-5);
    EXPECT_EQ(config.optimizer.clip, 1.0);
}

TEST(Recipes, TheFileAndTheOverridesWin) {
    const RunConfig config = parsed(
        "recipe = \"navon-cifar\"\ntrain.steps = 10\noptimizer.lr = 0.5\n" + mixer, {"optimizer.lr=0.25"});
    EXPECT_EQ(config.train.steps, 10);
    EXPECT_EQ(config.train.epochs, 0);
    EXPECT_EQ(config.optimizer.lr, 0.25);
    EXPECT_EQ(config.model.dropout, 0.5);
    EXPECT_EQ(parsed(mixer, {"recipe=navon-cifar"}).train.epochs, 41) << "named by an override";
}

}  // namespace
}  // namespace plimsoll::run
