#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "plimsoll/store/run_folder.h"
#include "tests/run/config_support.h"

namespace plimsoll::exporter {

// A spec that a stock class computes.
struct Fitting {
    const char* class_name;
    const char* spec;
};

inline const std::vector<Fitting>& fitting_specs() {
    static const std::vector<Fitting> specs{
        {"GPT2LMHeadModel", "transformer:depth=2,width=8,heads=2,vocab=300,context=16"},
        {"GPT2LMHeadModel",
         "transformer:depth=1,width=6,heads=3,vocab=300,context=9,ffn=7,tied=off,activation=relu"},
        {"LlamaForCausalLM",
         "transformer:depth=2,width=8,heads=4,kv_heads=2,head_dim=6,ffn=20,ffn_matrices=3,vocab=300,context="
         "16,"
         "norm=rms,positions=rope,bias=off,activation=silu,tied=off"},
        {"LlamaForCausalLM",
         "transformer:depth=1,width=8,heads=2,ffn_matrices=3,vocab=300,norm=rms,positions=rope"},
        {"Qwen3ForCausalLM", "transformer:depth=2,width=8,heads=2,vocab=300,context=16,style=modern"},
        {"Qwen3ForCausalLM",
         "transformer:depth=1,width=8,heads=3,head_dim=4,kv_heads=1,vocab=300,context=16,style=modern,tied="
         "off,"
         "qkv_bias=on,out_bias=on,activation=gelu"},
        {"OPTForCausalLM", "transformer:depth=2,width=8,heads=2,vocab=300,context=16,embedding_rank=3"},
        {"OPTForCausalLM",
         "transformer:depth=2,width=8,heads=2,vocab=300,context=16,bias=off,activation=relu"},
        {"OPTForCausalLM", "transformer:depth=2,width=8,heads=2,vocab=300,context=16,norm_order=post"},
        {"OPTForCausalLM",
         "transformer:depth=1,width=8,heads=2,vocab=300,context=16,embedding_rank=12,tied=off,head_rank=12"},
        {"BertForMaskedLM",
         "transformer:depth=2,width=8,heads=2,vocab=300,context=16,stack=encoder,norm_order=post,segments=2,"
         "embedding_norm=on,head_transform=on,head_bias=on"},
        {"BertForSequenceClassification",
         "transformer:depth=2,width=8,heads=2,vocab=300,context=16,stack=encoder,norm_order=post,segments=2,"
         "embedding_norm=on,pooler=on,classes=3"},
        {"ViTForImageClassification", "transformer:depth=2,width=8,heads=2,patch=4,image=12,classes=5"},
        {"ViTForImageClassification",
         "transformer:depth=1,width=8,heads=2,patch=2,patch_width=3,image=4,image_width=9,image_channels=2,"
         "classes=5,qkv_bias=off"},
    };
    return specs;
}

inline run::RunConfig config_of(const std::string& spec, const std::string& more = "") {
    const bool image = spec.find("patch=") != std::string::npos;
    return run::parsed(fmt::format("model.spec = \"{}\"\ndata.name = \"{}\"\n{}", spec,
                                   image ? "pictures" : "synthetic:grammar,bytes=5000", more));
}

// Numbers that name their place: tensor t has t + k / 2^12 at place k; every one of them is exact.
inline float invented(std::size_t tensor, std::size_t place) {
    return static_cast<float>(tensor) + static_cast<float>(place) / 4096;
}

using Values = std::map<std::string, std::vector<float>>;

inline Values invented_values(const arch::ArchSpec& spec) {
    Values values;
    const auto shapes = arch::tensors(spec);
    for (std::size_t t = 0; t < shapes.size(); ++t) {
        auto& list = values[shapes[t].name];
        const auto size = static_cast<std::size_t>(std::stoll(shapes[t].size().text()));
        for (std::size_t k = 0; k < size; ++k) list.push_back(invented(t, k));
    }
    return values;
}

inline std::vector<formats::TensorData> tensor_data(const std::vector<arch::TensorShape>& shapes,
                                                    const Values& values) {
    std::vector<formats::TensorData> data;
    for (const auto& one : shapes) {
        data.push_back({one.name,
                        formats::Dtype::f32,
                        {one.shape.begin(), one.shape.end()},
                        std::as_bytes(std::span(values.at(one.name)))});
    }
    return data;
}

// A run with a checkpoint of invented weights for `tensors`, usually those of its spec.
inline std::filesystem::path make_run(const std::filesystem::path& runs, const run::RunConfig& config,
                                      const std::vector<arch::TensorShape>& tensors) {
    const auto values = invented_values(config.model.spec);
    const auto write = [&](const std::filesystem::path& path) {
        return formats::write_safetensors(path, tensor_data(tensors, values), Json{{"format", "pt"}});
    };
    auto run = store::Run::create_or_open(runs, run::to_toml(config)).value();
    EXPECT_TRUE(run.write_checkpoint(7, {{"weights.safetensors", store::FileWriter(write)}}).ok());
    return run.folder();
}

inline std::filesystem::path make_run(const std::filesystem::path& runs, const run::RunConfig& config) {
    return make_run(runs, config, arch::tensors(config.model.spec));
}

// Name to values of a file of F32 tensors.
inline Values read_values(const std::filesystem::path& path) {
    const auto table = formats::read_safetensors(path).value();
    const std::string bytes = read_text(path).value();
    Values values;
    for (const auto& tensor : table.tensors) {
        auto& list = values[tensor.name];
        list.resize(tensor.elements);
        std::memcpy(list.data(), bytes.data() + tensor.begin, tensor.bytes);
    }
    return values;
}

}  // namespace plimsoll::exporter
