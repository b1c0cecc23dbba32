#include <algorithm>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/probe/torch/examples.h"
#include "plimsoll/probe/torch/guard.h"
#include "plimsoll/probe/torch/similarity.h"
#include "plimsoll/train/run_setup.h"

namespace plimsoll::probe {
namespace {

// What each layer of a network makes of the examples.
struct Layers {
    std::vector<std::string> names;
    std::vector<torch::Tensor> grams;  // (examples, examples)
};

Layers observe(const model::Network& network, model::Input input) {
    Layers layers;
    input.observe = [&](const torch::Tensor& x) {
        layers.names.push_back(fmt::format("{}", layers.grams.size() + 1));
        layers.grams.push_back(gram_of(x));
    };
    const at::NoGradGuard no_grad;
    const torch::Tensor y = network.forward(input, 0);
    layers.names.emplace_back("output");
    layers.grams.push_back(gram_of(y));
    return layers;
}

Status check_layers(const Layers& layers, const SubjectFacts& subject) {
    for (std::size_t k = 0; k < layers.grams.size(); ++k) {
        if (layers.grams[k].isfinite().all().item<bool>()) continue;
        return unsupported(subject.spec, fmt::format("layer {} is not finite: the network overflows on "
                                                     "these inputs",
                                                     layers.names[k]));
    }
    return {};
}

std::int64_t vocab_of(const arch::ArchSpec& spec) {
    return std::visit(
        [](const auto& s) -> std::int64_t {
            if constexpr (requires { s.vocab; }) return s.vocab;
            return 0;
        },
        spec);
}

// Whether the second network can read what the first one reads.
Status check_same_inputs(const OpenSubject& first, const OpenSubject& second, const Examples& examples) {
    const auto status = model::check_input(second.config.model.spec, examples.input);
    if (!status.ok()) {
        const auto refused = [&](const std::string& why) {
            return bad_input("networks", fmt::format("do not read the same inputs: what {} reads, {} "
                                                     "refuses ({})",
                                                     first.facts.spec, second.facts.spec, why));
        };
        return refused(status.error().text());
    }
    if (!examples.input.tokens.defined()) return {};
    const std::int64_t vocab = vocab_of(second.config.model.spec);
    const auto largest = examples.input.tokens.max().item<std::int64_t>();
    if (largest < vocab) return {};
    return bad_input("networks", fmt::format("do not read the same inputs: {} knows ids below {}, got {}",
                                             second.facts.spec, vocab, largest));
}

Status check_cka_question(const CkaQuestion& question) {
    constexpr std::int64_t fewest = 4, most = 20'000;
    if (question.examples >= fewest && question.examples <= most) return {};
    return bad_input("examples", fmt::format("must be {} to {}, got {}", fewest, most, question.examples));
}

rank::DenseMatrix<double> compare(const Layers& first, const Layers& second, bool unbiased,
                                  const ProgressCallback& progress) {
    rank::DenseMatrix<double> values(first.grams.size(), second.grams.size());
    for (std::size_t i = 0; i < first.grams.size(); ++i) {
        for (std::size_t j = 0; j < second.grams.size(); ++j)
            values(i, j) = cka(first.grams[i], second.grams[j], unbiased);
        if (progress) progress(i + 1, first.grams.size());
    }
    return values;
}

Result<CkaReport> cka_report(const CkaQuestion& question, const ProgressCallback& progress) {
    PLIMSOLL_RETURN_IF_ERROR(check_cka_question(question));
    PLIMSOLL_ASSIGN(device, train::device_named(question.inputs.device));
    PLIMSOLL_ASSIGN(first, open_subject(question.first, device));
    PLIMSOLL_ASSIGN(second, open_subject(question.second, device));
    PLIMSOLL_ASSIGN(examples, draw_examples(first, question.inputs, question.examples, device));
    PLIMSOLL_RETURN_IF_ERROR(check_same_inputs(first, second, examples));
    const Layers left = observe(*first.network, examples.input);
    const Layers right = observe(*second.network, examples.input);
    PLIMSOLL_RETURN_IF_ERROR(check_layers(left, first.facts));
    PLIMSOLL_RETURN_IF_ERROR(check_layers(right, second.facts));
    return CkaReport{first.facts,
                     second.facts,
                     left.names,
                     right.names,
                     compare(left, right, question.unbiased, progress),
                     count_of(examples.input),
                     examples.source,
                     question.unbiased};
}

}  // namespace

Result<CkaReport> measure_cka(const CkaQuestion& question, const ProgressCallback& progress) {
    return guarded("cka", [&] { return cka_report(question, progress); });
}

}  // namespace plimsoll::probe
