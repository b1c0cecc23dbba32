#include "plimsoll/target/model_files.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/base/files.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* gpt2_config =
    R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2, "n_positions": 16, "vocab_size": 11})";

class ModelFiles : public ::testing::Test {
  protected:
    [[nodiscard]] std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    void write(const std::string& name, std::string_view text) const {
        fs::create_directories(fs::path(at(name)).parent_path());
        ASSERT_TRUE(atomic_write(at(name), text).ok());
    }
    void write_tensors(const std::string& name, std::vector<std::uint64_t> shape) const {
        std::uint64_t elements = 1;
        for (const auto size : shape) elements *= size;
        const std::vector<float> data(elements, 1.0F);
        const formats::TensorData tensor{"transformer.wte.weight", formats::Dtype::f32, std::move(shape),
                                         std::as_bytes(std::span(data)), 0};
        const std::vector tensors{tensor};
        ASSERT_TRUE(formats::write_safetensors(at(name), tensors, Json::object()).ok());
    }
    // The error as the command line would have it: kind and message.
    [[nodiscard]] std::string error_of(const std::string& target) const {
        const auto opened = read_model_files(target);
        if (opened.ok()) return "opened";
        return std::to_string(static_cast<int>(opened.error().kind)) + " " + opened.error().message;
    }

    testing::TempDir folder_;
};

TEST_F(ModelFiles, AFileWithoutAnEndIsReadByItsContent) {
    write("gpt2", gpt2_config);
    const auto target = read_model_files(at("gpt2"));
    ASSERT_TRUE(target.ok()) << target.error().text();
    EXPECT_EQ(target->shape.depth, 2);
}

TEST_F(ModelFiles, AConfigIsNamedAfterItselfOrItsFolder) {
    write("mine/config.json", gpt2_config);
    write("mine/small.config.json", gpt2_config);
    EXPECT_EQ(read_model_files(at("mine/config.json"))->shape.name, "mine");
    EXPECT_EQ(read_model_files(at("mine/small.config.json"))->shape.name, "small");
}

TEST_F(ModelFiles, AFolderGivesShapeAndTensors) {
    write("model/config.json", gpt2_config);
    write_tensors("model/model.safetensors", {11, 8});
    const auto target = read_model_files(at("model"));
    ASSERT_TRUE(target.ok()) << target.error().text();
    EXPECT_EQ(target->shape.width, 8);
    ASSERT_TRUE(target->tensors.has_value());
    EXPECT_EQ(target->tensors->elements(), 88U);
    // A config whose model has more than the file holds is a finding: 2 (12 d^2 + 13 d) + 11 d + 16 d + 2 d.
    const audit::Report report = audit::diagnose(*target);
    EXPECT_EQ(report.parameters, 88);
    EXPECT_EQ(report.find("parameters")->severity, audit::Severity::notice);
    EXPECT_THAT(report.find("parameters")->text, HasSubstr("The shape predicts 1976 "));
}

TEST_F(ModelFiles, WeightsThatAreNoneAreSaid) {
    write("pointer/config.json", gpt2_config);
    write("pointer/model.safetensors", "version https://git-lfs.example/spec/v1\noid sha256:0\nsize 1\n");
    write("pickled/config.json", gpt2_config);
    write("pickled/pytorch_model.bin", "x");
    EXPECT_THAT(read_model_files(at("pointer"))->shape.not_analysed.back().reason,
                HasSubstr("was not fetched"));
    EXPECT_THAT(read_model_files(at("pickled"))->shape.not_analysed.back().reason,
                HasSubstr("pytorch_model.bin is not read"));
}

TEST_F(ModelFiles, WrongFilesAreRefusedWithASentence) {
    write("empty.gguf", "");
    write("empty.json", "");
    write("empty.safetensors", "");
    write("text.json", "hello");
    write("list.json", "[1, 2]");
    write("noise", "hello");
    write("old.gguf", std::string("GGUF\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24));
    EXPECT_EQ(error_of(at("empty.gguf")), "2 is empty (0 bytes)");
    EXPECT_EQ(error_of(at("empty.json")), "2 is empty (0 bytes)");
    EXPECT_EQ(error_of(at("empty.safetensors")), "2 is empty (0 bytes)");
    EXPECT_THAT(error_of(at("text.json")), HasSubstr("2 not valid JSON"));
    EXPECT_THAT(error_of(at("list.json")), HasSubstr("4 is JSON but not an object"));
    EXPECT_THAT(error_of(at("noise")), HasSubstr("4 is neither a config.json nor safetensors nor GGUF"));
    EXPECT_EQ(error_of(at("old.gguf")), "4 is GGUF version 1; versions 2 and 3 are read");
    EXPECT_EQ(error_of(at("absent.json")), "3 no such file");
}

TEST_F(ModelFiles, FoldersWithoutAModelAreRefused) {
    fs::create_directory(at("empty"));
    write("two/a.gguf", "x");
    write("two/b.gguf", "x");
    write("pickled/model.bin", "x");
    EXPECT_EQ(error_of(at("empty")), "3 no config.json, .safetensors or .gguf in this folder");
    EXPECT_EQ(error_of(at("two")), "2 holds 2 .gguf files; give one of them: a.gguf, b.gguf");
    EXPECT_THAT(error_of(at("pickled")), HasSubstr("4 has no config.json, and model.bin is not read"));
}

TEST_F(ModelFiles, PipesAndLoopsDoNotHang) {
    ASSERT_EQ(::mkfifo(at("pipe.json").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    fs::create_symlink(at("loop"), at("loop"));
    EXPECT_EQ(error_of(at("pipe.json")), "2 is not a regular file");
    EXPECT_EQ(error_of(at("pipe")), "2 is not a regular file");
    EXPECT_THAT(error_of(at("loop")), HasSubstr("5 "));
}

TEST_F(ModelFiles, AFileIsReadByItsContentWhereItsNameSaysNothing) {
    write_tensors("weights", {11, 8});
    const auto target = read_model_files(at("weights"));
    ASSERT_TRUE(target.ok()) << target.error().text();
    EXPECT_EQ(target->tensors->elements(), 88U);
    EXPECT_FALSE(target->described);
}

}  // namespace
}  // namespace plimsoll::target
