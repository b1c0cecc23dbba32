// run_logits RUN_FOLDER OUT.safetensors: what a trained run answers to random inputs, for
// tools/check_hf_export to compare with what the real library answers. Inputs: `tokens` (with `segments` and
// `attention_mask` for an encoder) or `pixels`; answers: `logits`; of a text run also `line_ids`, our ids of
// the line in the metadata.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <ATen/ATen.h>

#include "plimsoll/base/random.h"
#include "plimsoll/exporter/stock.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "plimsoll/model/layers.h"
#include "plimsoll/train/feeds/tokenizer.h"
#include "plimsoll/train/trained_run.h"

namespace plimsoll::train {
namespace {

static_assert(exporter::stock_norm_epsilon == model::norm_epsilon);

using Tensors = std::vector<model::NamedTensor>;

constexpr std::int64_t batch = 3;
constexpr const char* line =
    "How deep, and how  wide?\n\tDon't say 42: \xc3\xa4\xe2\x82\xac \xf0\x9f\x8c\x8a.";

at::Tensor random_ids(std::int64_t positions, std::int64_t below, const char* name) {
    RandomStream stream(1, name);
    at::Tensor ids = at::empty({batch, positions}, at::kLong);
    for (std::int64_t k = 0; k < ids.numel(); ++k)
        ids.data_ptr<std::int64_t>()[k] =
            static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(below)));
    return ids;
}

at::Tensor random_pixels(const arch::ImageInput& image) {
    RandomStream stream(1, "pixels");
    at::Tensor pixels = at::empty({batch, image.image_channels, image.image, image.image_width}, at::kDouble);
    for (std::int64_t k = 0; k < pixels.numel(); ++k) pixels.data_ptr<double>()[k] = 4 * stream.uniform() - 2;
    return pixels;
}

// The last quarter of the second sequence is not there.
at::Tensor some_padding(std::int64_t positions) {
    at::Tensor padding = at::zeros({batch, positions}, at::kBool);
    padding[1].narrow(0, positions - positions / 4, positions / 4).fill_(true);
    return padding;
}

model::Input input_of(const arch::TransformerSpec& spec, at::ScalarType type, Tensors& shown) {
    model::Input input;
    if (spec.image.used()) {
        input.values = random_pixels(spec.image).to(type);
        shown.push_back({"pixels", input.values});
        return input;
    }
    input.tokens = random_ids(spec.context, spec.vocab, "tokens");
    shown.push_back({"tokens", input.tokens});
    if (spec.stack != arch::Stack::encoder) return input;
    input.padding = some_padding(spec.context);
    shown.push_back({"attention_mask", input.padding.logical_not().to(at::kLong)});
    if (spec.segments == 0) return input;
    input.segments = random_ids(spec.context, spec.segments, "segments");
    shown.push_back({"segments", input.segments});
    return input;
}

Status add_line(const run::RunConfig& config, Tensors& shown) {
    if (run::input_kind(config.model.spec) != run::InputKind::tokens) return {};
    PLIMSOLL_ASSIGN(tokenizer, Tokenizer::open(config.data.tokenizer));
    const auto ids = tokenizer.encode(line);
    shown.push_back({"line_ids", at::tensor(std::vector<std::int64_t>(ids.begin(), ids.end()), at::kLong)});
    return {};
}

formats::Dtype dtype_of(const at::Tensor& tensor) {
    if (tensor.scalar_type() == at::kLong) return formats::Dtype::i64;
    return tensor.scalar_type() == at::kDouble ? formats::Dtype::f64 : formats::Dtype::f32;
}

Status write(const std::filesystem::path& path, const Tensors& tensors) {
    std::vector<formats::TensorData> data;
    for (const auto& [name, tensor] : tensors) {
        PLIMSOLL_CHECK(tensor.is_contiguous(), name);
        data.push_back({name,
                        dtype_of(tensor),
                        {tensor.sizes().begin(), tensor.sizes().end()},
                        {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()}});
    }
    return formats::write_safetensors(path, data, Json{{"line", line}});
}

Status run(const std::filesystem::path& folder, const std::filesystem::path& out) {
    const at::NoGradGuard no_grad;
    PLIMSOLL_ASSIGN(trained, open_trained(folder, torch::kCPU));
    const auto* spec = std::get_if<arch::TransformerSpec>(&trained.config.model.spec);
    if (spec == nullptr) return unsupported(folder.string(), "only transformers have a stock class");
    const auto type = trained.network->parameters().front().tensor.scalar_type();
    Tensors shown;
    const model::Input input = input_of(*spec, type, shown);
    shown.push_back({"logits", trained.network->forward(input, 0).contiguous()});
    PLIMSOLL_RETURN_IF_ERROR(add_line(trained.config, shown));
    return write(out, shown);
}

}  // namespace
}  // namespace plimsoll::train

int main(int argc, char** argv) {
    if (argc != 3) return std::fputs("usage: run_logits RUN_FOLDER OUT.safetensors\n", stderr), 2;
    const auto done = plimsoll::train::run(argv[1], argv[2]);
    if (done.ok()) return 0;
    std::fprintf(stderr, "error: %s\n", done.error().text().c_str());
    return static_cast<int>(done.error().kind);
}
