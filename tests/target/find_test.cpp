#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/files.h"
#include "plimsoll/target/target.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* two_layers =
    R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2, "n_positions": 16, "vocab_size": 11})";

// Folders of their own for runs and files; the hub is empty.
class Find : public ::testing::Test {
  protected:
    void write(const fs::path& path, std::string_view text) const {
        const fs::path full = folder_.path() / path;
        fs::create_directories(full.parent_path());
        ASSERT_TRUE(atomic_write(full, text).ok());
    }
    void add_run(const std::string& id, const std::string& name) const {
        write("runs/" + id + "/config.toml",
              "name = \"" + name + "\"\n[model]\nspec = \"transformer:depth=3,width=8,heads=2,vocab=11\"\n");
    }
    [[nodiscard]] std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    [[nodiscard]] Result<Meaning> meaning(const std::string& name, Use use = Use::shape) const {
        return find(name, use, {folder_.path() / "runs", folder_.path() / "hub"});
    }
    [[nodiscard]] Kind kind(const std::string& name) const {
        const auto found = meaning(name);
        EXPECT_TRUE(found.ok()) << error_text(found);
        return found.ok() ? found->kind : Kind::spec;
    }

    testing::TempDir folder_;
};

TEST_F(Find, EveryKindOfNameIsRecognised) {
    add_run("0123456789abcdef", "mine");
    write("model/config.json", two_layers);
    write("run.toml", "[model]\nspec = \"transformer:depth=3,width=8,heads=2,vocab=11\"\n");
    write("fit/fit.json", "{}");
    write("begun/request.json", "{}");
    write("begun/steps/look.json", "{}");
    EXPECT_EQ(kind("transformer:depth=1,width=8,heads=1"), Kind::spec);
    EXPECT_EQ(kind("transformer"), Kind::spec);
    EXPECT_EQ(kind("gpt2"), Kind::zoo);
    EXPECT_EQ(kind("ViT-B/16"), Kind::zoo);
    EXPECT_EQ(kind("0123"), Kind::run);
    EXPECT_EQ(kind("mine"), Kind::run);
    EXPECT_EQ(kind(at("runs/0123456789abcdef")), Kind::run);
    EXPECT_EQ(kind(at("model")), Kind::model);
    EXPECT_EQ(kind(at("model/config.json")), Kind::model);
    EXPECT_EQ(kind(at("run.toml")), Kind::settings);
    EXPECT_EQ(kind(at("fit")), Kind::fit);
    EXPECT_EQ(kind(at("begun")), Kind::fit);
    EXPECT_EQ(kind(at("fit/fit.json")), Kind::fit);
}

TEST_F(Find, AFileThatExistsWins) {
    write("gpt2", two_layers);
    const auto found = meaning(at("gpt2"));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(model_of(*found)->shape.depth, 2);
    EXPECT_EQ(model_of(*meaning("gpt2"))->shape.depth, 12);
}

// One name, two meanings: an error that lists them, and words that choose.
TEST_F(Find, TwoMeaningsAreListed) {
    add_run("0123456789abcdef", "gpt2");
    const auto both = meaning("gpt2");
    ASSERT_FALSE(both.ok());
    EXPECT_EQ(both.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(both.error().text(), HasSubstr("gpt2: may be the run "));
    EXPECT_THAT(both.error().text(), HasSubstr(" or gpt2 of the zoo, sizes without weights; write hub:gpt2, "
                                               "run:gpt2, zoo:gpt2 or a path"));
    EXPECT_EQ(kind("zoo:gpt2"), Kind::zoo);
    EXPECT_EQ(kind("run:gpt2"), Kind::run);
    EXPECT_THAT(error_text(meaning("hub:gpt2")), HasSubstr("gpt2: is not in the local hub cache"));
}

// Ids of the hub have dots that start no file ending.
TEST_F(Find, AnIdWithADotIsNoFile) {
    for (const char* id : {"Qwen/Qwen2.5-7B", "mistralai/Mistral-7B-v0.1"}) {
        const std::string said = error_text(meaning(id));
        EXPECT_THAT(said, HasSubstr("it is not in the local hub cache"));
        EXPECT_THAT(said, HasSubstr("the zoo has " + std::string(id).substr(std::string(id).find('/') + 1)));
        EXPECT_THAT(said, HasSubstr("hf download"));
    }
    EXPECT_EQ(error_text(meaning("some/config.json")), "some/config.json: no such file");
}

// A verb that loads weights has no use for the zoo: there the name means the run.
TEST_F(Find, WhatAVerbCannotUseIsNoMeaning) {
    add_run("0123456789abcdef", "gpt2");
    EXPECT_EQ(meaning("gpt2", Use::weights)->kind, Kind::run);
}

TEST_F(Find, TheStartOfAPublishedNameYieldsToARun) {
    EXPECT_EQ(kind("tiny"), Kind::zoo);
    add_run("0123456789abcdef", "tiny");
    EXPECT_EQ(kind("tiny"), Kind::run);
    EXPECT_THAT(error_text(meaning("pythia-70", Use::weights)), HasSubstr("pythia-70: no such run in "));
}

TEST_F(Find, AFolderOfDataCalledLikeARunIsNotInTheWay) {
    const std::string corpus = at("corpus");
    write("corpus/train.txt", "text");
    add_run("0123456789abcdef", corpus);
    EXPECT_EQ(meaning(corpus, Use::weights)->kind, Kind::run);
    EXPECT_EQ(meaning(corpus)->kind, Kind::model);
}

TEST_F(Find, WhatAVerbCannotUseIsRefusedWithWhatItMeans) {
    const std::string end =
        "; this verb loads trained weights: give a run (plimsoll runs list) or the folder of a fit";
    EXPECT_EQ(error_text(meaning("gpt2", Use::weights)),
              "gpt2: is gpt2 of the zoo, sizes without weights" + end);
    EXPECT_EQ(error_text(meaning("mixer:depth=1", Use::weights)),
              "mixer:depth=1: is a spec, a network without weights" + end);
    write("model/config.json", two_layers);
    EXPECT_EQ(error_text(meaning(at("model"), Use::weights)),
              at("model") + ": is a file or folder of a model" + end);
    EXPECT_EQ(meaning("gpt2", Use::weights).error().kind, ErrorKind::unsupported);
}

TEST_F(Find, ManyRunsAreListed) {
    add_run("0123456789abcdef", "a");
    add_run("01ff456789abcdef", "b");
    EXPECT_THAT(error_text(meaning("01")),
                HasSubstr("01: fits 2 runs: 0123456789abcdef (a), 01ff456789abcdef (b)"));
}

TEST_F(Find, WhatIsNothingNamesWhatIsNear) {
    add_run("0123456789abcdef", "mine");
    EXPECT_THAT(error_text(meaning("bert-bsae-uncased")), HasSubstr("nearest: BERT-base-uncased"));
    EXPECT_THAT(error_text(meaning("transfomer")), HasSubstr("did you mean transformer?"));
    EXPECT_THAT(error_text(meaning("t5")), HasSubstr("may be one of 6"));
    EXPECT_EQ(error_text(meaning("nowhere/config.json")), "nowhere/config.json: no such file");
    EXPECT_EQ(error_text(meaning("")), "target: is empty");
    EXPECT_THAT(error_text(meaning("nobody", Use::weights)), HasSubstr("nobody: no such "));
    EXPECT_EQ(meaning(std::string(5000, 'x')).error().kind, ErrorKind::not_found);
}

// One architecture by every name of it.
TEST_F(Find, OneNetworkHasOneSpec) {
    add_run("0123456789abcdef", "mine");
    write("run.toml", "[model]\nspec = \"transformer:depth=3,width=8,heads=2,vocab=11\"\n");
    write("plain.toml", "family = \"transformer\"\ndepth = 3\nwidth = 8\nheads = 2\nvocab = 11\n");
    const std::string spec = "transformer:depth=3,width=8,heads=2,vocab=11";
    for (const std::string& name : {spec, std::string("mine"), at("run.toml"), at("plain.toml")}) {
        const auto found = meaning(name);
        ASSERT_TRUE(found.ok()) << error_text(found);
        EXPECT_EQ(arch::to_text(*spec_of(*found)), spec) << name;
        const auto model = model_of(*found);
        ASSERT_TRUE(model.ok());
        EXPECT_EQ(model->shape.depth, 3) << name;
        EXPECT_TRUE(model->shape.tensors.known) << name;
    }
    EXPECT_EQ(arch::parameter_count(*spec_of(*meaning("gpt2"))).grouped(), "124,439,808");
    EXPECT_EQ(arch::parameter_count(*spec_of(*meaning("llama-3-8b"))).grouped(), "8,030,261,248");
}

TEST_F(Find, SettingsWithoutANetworkAreRefused) {
    write("sweep.toml", "[axes]\nlr = [1, 2]\n");
    write("wrong.toml", "[model]\nspec = \"transformer:depth=0\"\n");
    write("broken.toml", "[model\n");
    EXPECT_THAT(error_text(spec_of(*meaning(at("sweep.toml")))), HasSubstr("describes no network"));
    EXPECT_THAT(error_text(spec_of(*meaning(at("wrong.toml")))), HasSubstr("wrong.toml: depth: "));
    EXPECT_FALSE(spec_of(*meaning(at("broken.toml"))).ok());
}

TEST_F(Find, ALoopOfLinksIsAnError) {
    fs::create_symlink(at("loop"), at("loop"));
    EXPECT_EQ(meaning(at("loop")).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace plimsoll::target
