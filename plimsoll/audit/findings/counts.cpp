#include <algorithm>
#include <array>
#include <limits>

#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/audit/findings/parameter_counts.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

using formats::TensorInfo;
using formats::TensorTable;

// Ends of names under which the input embedding is stored ...
constexpr std::array embedding_ends{"embed_tokens.weight", "word_embeddings.weight", "wte.weight",
                                    "shared.weight",       "token_embd.weight",      "tok_embeddings.weight",
                                    "embed_in.weight",     "word_embedding.weight"};
// ... and those of an output layer that may be the same matrix.
constexpr std::array output_ends{"lm_head.weight",   "output.weight",          "predictions.decoder.weight",
                                 "embed_out.weight", "lm_head.decoder.weight", "lm_loss.weight"};
// Ends of names of what is stored but not trained.
constexpr std::array buffer_ends{".position_ids",   ".attn.masked_bias",     ".rotary_emb.inv_freq",
                                 ".running_mean",   ".running_var",          ".num_batches_tracked",
                                 ".token_type_ids", ".attention.masked_bias"};

bool ends_with_any(std::string_view name, const auto& ends) {
    return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return name.ends_with(end); });
}

// GPT-2 stores its causal mask as h.0.attn.bias of shape (1, 1, N, N).
bool is_mask(const TensorInfo& tensor) {
    return tensor.shape.size() == 4 && tensor.shape[0] == 1 && tensor.shape[1] == 1 &&
           (tensor.name.ends_with(".attn.bias") || tensor.name.ends_with(".attention.bias"));
}

bool is_buffer(const TensorInfo& tensor) {
    return ends_with_any(tensor.name, buffer_ends) || is_mask(tensor);
}

// A second copy of a tied embedding: an output layer, or another embedding, of the first one's shape.
bool is_copy_of(const TensorInfo& tensor, const TensorInfo& embedding) {
    if (&tensor == &embedding || tensor.shape != embedding.shape) return false;
    return ends_with_any(tensor.name, output_ends) || ends_with_any(tensor.name, embedding_ends);
}

const TensorInfo* input_embedding(const TensorTable& table) {
    const auto found = std::find_if(table.tensors.begin(), table.tensors.end(), [](const TensorInfo& t) {
        return ends_with_any(t.name, embedding_ends);
    });
    return found == table.tensors.end() ? nullptr : &*found;
}

std::int64_t clamped(std::uint64_t value) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(value, most));
}

void count_header(const TensorTable& table, bool tied, ParameterCounts& counts) {
    const TensorInfo* embedding = input_embedding(table);
    std::uint64_t trained = 0, twice = 0, buffers = 0;
    for (const auto& tensor : table.tensors) {
        if (is_buffer(tensor)) {
            buffers += tensor.elements;
        } else if (tied && embedding != nullptr && is_copy_of(tensor, *embedding)) {
            twice += tensor.elements;
            counts.twice_name = tensor.name;
        } else {
            trained += tensor.elements;
        }
    }
    counts.from_header = clamped(trained);
    counts.stored_twice = clamped(twice);
    counts.buffers = clamped(buffers);
}

Finding count_finding(const ParameterCounts& counts) {
    Finding finding = make_finding("parameters");
    const std::int64_t counted = *counts.best();
    finding.value = static_cast<double>(counted);
    finding.shown = fmt::format("{}", counted);
    finding.reading = counts.published.empty() ? fmt::format("by {}", counts.best_from())
                                               : "published as " + counts.published;
    finding.text = counts.from_header
                       ? fmt::format("The file holds {} trained numbers, tied weights once", counted)
                       : fmt::format("The shape has {} trained numbers (by {})", counted, counts.best_from());
    if (counts.buffers > 0)
        finding.text += fmt::format(", beside {} of masks, ids and running statistics", counts.buffers);
    finding.text += ".";
    return finding;
}

// Header against prediction; an estimate is shown and not judged.
void compare(const ParameterCounts& counts, Finding& finding) {
    if (!counts.from_header || !counts.predicted) return;
    const std::int64_t off = *counts.from_header - *counts.predicted;
    const std::string note = counts.predicted_note.empty() ? "" : " (" + counts.predicted_note + ")";
    finding.line = static_cast<double>(*counts.predicted);
    finding.reading = off == 0 ? "as predicted"
                               : fmt::format("{} {} than shape", std::abs(off), off > 0 ? "more" : "fewer");
    finding.text +=
        fmt::format(" The shape predicts {}{}{}", counts.exact ? "" : "about ", *counts.predicted, note);
    finding.text += off == 0 ? "." : fmt::format(", {} {}.", std::abs(off), off > 0 ? "fewer" : "more");
    if (off == 0) finding.severity = Severity::ok;
    if (off == 0 || !counts.exact) return;
    finding.severity = Severity::notice;
    finding.remedy =
        "check that configuration and file belong together, or look for parts beside the model "
        "(a pooler, a task's head, adapters)";
}

void predict(const Target& target, ParameterCounts& counts) {
    if (!target.described) return;
    std::vector<NotAnalysed> ignored;  // diagnose() names them
    const auto predicted = predicted_parameters(checked_shape(target.shape, ignored));
    if (!predicted || !predicted->parameters.fits_int64()) return;
    counts.predicted = std::stoll(predicted->parameters.text());
    counts.exact = predicted->exact;
    counts.predicted_note = predicted->note;
}

}  // namespace

std::optional<std::int64_t> ParameterCounts::best() const {
    if (from_header) return from_header;
    return zoo && !exact ? zoo : predicted;
}

std::string_view ParameterCounts::best_from() const {
    if (!best()) return "";
    if (from_header) return "header";
    if (exact) return "prediction";
    return zoo ? "zoo" : "estimate";
}

ParameterCounts count_parameters(const Target& target) {
    ParameterCounts counts;
    predict(target, counts);
    if (target.zoo != nullptr) {
        counts.published = target.zoo->published;
        counts.zoo = target.zoo->computed;
    }
    if (target.tensors && !target.tensors->tensors.empty())
        count_header(*target.tensors, target.shape.tied.value_or(false), counts);
    return counts;
}

void find_counts(const ParameterCounts& counts, Diagnosis& out) {
    if (!counts.best()) {
        const std::string known = counts.published.empty() ? "" : "; published as " + counts.published;
        out.not_analysed.push_back(
            {"parameters", "no tensors, and the shape does not say enough to count" + known});
        return;
    }
    Finding finding = count_finding(counts);
    compare(counts, finding);
    out.findings.push_back(std::move(finding));
    if (counts.stored_twice == 0) return;
    Finding twice = make_finding("tied-weights");
    twice.severity = Severity::notice;
    twice.value = static_cast<double>(counts.stored_twice);
    twice.shown = fmt::format("{}", counts.stored_twice);
    twice.reading = "tied, but stored again";
    twice.text = fmt::format(
        "The configuration ties the embedding to the output, but the file holds it again "
        "as {}: {} numbers that are counted once here.",
        counts.twice_name, counts.stored_twice);
    twice.remedy = "leave the copy out of the file";
    out.findings.push_back(std::move(twice));
}

}  // namespace plimsoll::audit
