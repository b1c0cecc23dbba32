// Files of the world, where they are ($PLIMSOLL_SHARED/data/models).
#include <gtest/gtest.h>

#include "plimsoll/formats/gguf/gguf.h"
#include "plimsoll/formats/safetensors/safetensors_index.h"
#include "tests/support/shared_data.h"

namespace plimsoll::formats {
namespace {

namespace fs = std::filesystem;

fs::path models() { return shared_folder() / "data" / "models"; }

TEST(RealFiles, TinyTimeMixerHas946336Parameters) {
    if (!fs::exists(models() / "ttm_v1")) GTEST_SKIP() << "no data/models/ttm_v1";
    const auto table = read_safetensors_model(models() / "ttm_v1");
    ASSERT_TRUE(table.ok()) << table.error().text();
    EXPECT_EQ(table->tensors.size(), 134U);
    EXPECT_EQ(table->elements(), 946'336U);
    EXPECT_EQ(table->metadata.dump(), R"({"format":"pt"})");
}

TEST(RealFiles, AnMnistPerceptron) {
    if (!fs::exists(models() / "mnist_mlp")) GTEST_SKIP() << "no data/models/mnist_mlp";
    const auto table = read_safetensors_model(models() / "mnist_mlp");
    ASSERT_TRUE(table.ok()) << table.error().text();
    EXPECT_EQ(table->elements(), 784U * 128 + 128 * 10) << "two matrices, no biases";
}

TEST(RealFiles, VocabulariesInGguf) {
    if (!fs::exists(models() / "gguf")) GTEST_SKIP() << "no data/models/gguf";
    const auto gpt2 = read_gguf(models() / "gguf" / "ggml-vocab-gpt-2.gguf");
    ASSERT_TRUE(gpt2.ok()) << gpt2.error().text();
    EXPECT_EQ(as_text(*gpt2->find("general.architecture")), "gpt2");
    EXPECT_EQ(gpt2->find("tokenizer.ggml.tokens")->count, 50'257U);
    EXPECT_TRUE(gpt2->table.remarks.empty());
    EXPECT_EQ(gpt2->find("tokenizer.ggml.merges")->count, 50'000U);
    EXPECT_EQ(as_texts(*gpt2->find("tokenizer.ggml.tokens")).back(), "<|endoftext|>");
    const auto llama = read_gguf(models() / "gguf" / "ggml-vocab-llama-spm.gguf");
    ASSERT_TRUE(llama.ok()) << llama.error().text();
    EXPECT_EQ(llama->find("tokenizer.ggml.tokens")->count, 32'000U);
    EXPECT_EQ(as_integer(*llama->find("llama.block_count")), 32);
}

}  // namespace
}  // namespace plimsoll::formats
