#include "plimsoll/run/recipes.h"

namespace plimsoll::run {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

// The protocol of Navon & Bronstein's code but for what differs between its data sets.
Values navon_values(const std::string& flip, const std::string& steps_per_epoch) {
    return {{"model.dropout", "0.5"},
            {"data.crop", "4"},
            {"data.flip", flip},
            {"data.normalize", "\"channels\""},
            {"data.validation", "\"test\""},
            {"optimizer.kind", "\"adam\""},
            {"optimizer.lr", "1e-3"},
            {"optimizer.beta1", "0.9"},
            {"optimizer.beta2", "0.999"},
            {"optimizer.eps", "1e-8"},
            {"optimizer.weight_decay", "5e-5"},
            {"optimizer.decay", "\"all\""},
            {"schedule.kind", "\"constant\""},
            {"train.epochs", "41"},
            {"train.batch", "128"},
            {"train.eval_every", steps_per_epoch}};
}

const char* const navon_source =
    "the public code of Navon & Bronstein 2022 (transformervsmlpmixer/Transformer_Vs_MLP_mixer: trainer.py, "
    "utils.py, config_file.yaml)";

std::vector<std::string> navon_differs(const std::string& statistics) {
    return {
        "the spec is yours; theirs is a mixer of depth p and width d with patch 4 on 32 x 32 pixels, token "
        "hidden 64 and channel hidden d",
        "the code trains in fp16 with automatic scaling, this in fp32 (or bf16 on request)",
        "the code normalises by constants (" + statistics +
            "), this by the mean and deviation of the training images",
        "the code reports the best test accuracy over the epochs; metrics.jsonl has all of them",
        "initialisation: torch's defaults there, default here",
        "the paper's text says 40 epochs and 5 seeds; the code has 41 and seeds 20, 30, ..., 70 (to 90 on "
        "SVHN)"};
}

Recipe wies() {
    return {"wies",
            "Wies et al. 2021, appendix C (WIES-RECIPE, docs/bounds/wies-recipe.md)",
            {{"model.dropout", "0.1"},
             {"data.context", "128"},
             {"optimizer.kind", "\"adamw\""},
             {"optimizer.lr", "1.6e-3"},
             {"optimizer.beta1", "0.9"},
             {"optimizer.beta2", "0.999"},
             {"optimizer.weight_decay", "0.01"},
             {"schedule.kind", "\"cosine\""},
             {"schedule.warmup", "12000"},
             {"schedule.min_lr_ratio", "0.0"},
             {"train.steps", "1000000"},
             {"train.batch", "512"}},
            {"the spec is yours; theirs is a decoder with 2 heads (12 in section 5.3) and an untied output "
             "matrix in section 5.1",
             "their data (Wikipedia, BookCorpus and OpenWebText, 60 GB) are not one public file; 40,000 "
             "sequences were held out",
             "not known: eps, clipping, precision, initialisation, which tensors decay, how often they "
             "evaluated"}};
}

Recipe gpt2_small_text() {
    return {
        "gpt2-small-text",
        "nanoGPT's settings for GPT-2 124M on OpenWebText (karpathy/nanoGPT: config/train_gpt2.py and the "
        "defaults of train.py)",
        {{"model.spec", "\"transformer:depth=12,width=768,heads=12,vocab=50257\""},
         {"model.dropout", "0.0"},
         {"data.context", "1024"},
         {"optimizer.kind", "\"adamw\""},
         {"optimizer.lr", "6e-4"},
         {"optimizer.beta1", "0.9"},
         {"optimizer.beta2", "0.95"},
         {"optimizer.weight_decay", "0.1"},
         {"optimizer.decay", "\"matrices\""},
         {"optimizer.clip", "1.0"},
         {"optimizer.accumulate", "40"},
         {"schedule.kind", "\"cosine\""},
         {"schedule.warmup", "2000"},
         {"schedule.min_lr_ratio", "0.1"},
         {"train.steps", "600000"},
         {"train.batch", "480"},
         {"train.precision", "\"bf16\""},
         {"train.eval_every", "1000"},
         {"train.eval_batches", "200"},
         {"train.checkpoint_every", "1000"}},
        {"GPT-2's own training settings were never published",
         "nanoGPT has no biases and pads the vocabulary to 50,304; the spec here is GPT-2's own, with "
         "biases and 50,257 tokens",
         "data.name and data.tokenizer (GPT-2's tokenizer.json) are yours to give"}};
}

}  // namespace

const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> all{
        wies(),
        {"navon-cifar", navon_source, navon_values("true", "391"),
         navon_differs("CIFAR-10: 0.4914, 0.4822, 0.4465 and 0.2470, 0.2435, 0.2616")},
        {"navon-svhn", navon_source, navon_values("false", "573"),
         navon_differs("0.4377, 0.4438, 0.4728 and 0.1980, 0.2010, 0.1970")},
        gpt2_small_text(),
    };
    return all;
}

}  // namespace plimsoll::run
