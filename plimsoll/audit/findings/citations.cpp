#include <array>

#include "plimsoll/audit/findings/diagnosis.h"

namespace plimsoll::audit {
namespace {

using Number = ModelShape::Number;

// A model a paper speaks about, known by its numbers (never by its name); an absent number is not asked for.
struct Reported {
    Number depth, width, heads, head_dim, vocab, embedding_rank;
    std::optional<double> redundancy;  // as a share of the parameters
    const char* shown;
    const char* reading;
    const char* text;
    const char* where;
};

const std::array reported{
    Reported{
        {},
        4096,
        {},
        {},
        {},
        128,
        0.25,
        "25 %",
        "for ALBERT-xxlarge",
        "Wies et al. put the redundancy of ALBERT-xxlarge, rank 128 of width 4096, at 25 %: at rank 16 of "
        "width 680 (about 70 M parameters) they saw a network without bottleneck and 25 % smaller do as "
        "well, and call the ratio close. It was not measured at this size.",
        "Wies et al. 2021, section 5.1, figure 2"},
    Reported{{},
             1024,
             32,
             128,
             {},
             {},
             0.25,
             "25 %",
             "for T5-3B",
             "Wies et al. name T5-3B: at ratio 4 of attention to width a baseline with about 75 % of the "
             "parameters did as well. Measured on networks of 30 M to 70 M parameters.",
             "Wies et al. 2021, section 5.3, figure 4"},
    Reported{
        {},
        1024,
        128,
        128,
        {},
        {},
        0.45,
        "45 %",
        "for T5-11B",
        "Wies et al. name T5-11B: at ratio 16 of attention to width a baseline with about 55 % of the "
        "parameters did as well, so about 6 B would do. Measured on networks of 30 M to 70 M parameters.",
        "Wies et al. 2021, section 5.3, figure 4"},
    Reported{
        33,
        1280,
        {},
        {},
        33,
        {},
        std::nullopt,
        "33 : 1280",
        "ESM-1b named, no figure",
        "Wies et al. name ESM-1b, vocabulary 33 at width 1280, and say that a larger vocabulary would have "
        "strengthened it. They give a figure (25 %) for rank 16 of width 680 only.",
        "Wies et al. 2021, section 5.1"},
};

bool same(const Number& wanted, const Number& got) { return !wanted || wanted == got; }

bool is_about(const Reported& entry, const ModelShape& shape) {
    return same(entry.depth, shape.depth) && same(entry.width, shape.width) &&
           same(entry.heads, shape.heads) && same(entry.head_dim, shape.head_dim) &&
           same(entry.vocab, shape.vocab) && same(entry.embedding_rank, shape.embedding_rank);
}

}  // namespace

void find_citations(const ModelShape& shape, Diagnosis& out) {
    for (const auto& entry : reported) {
        if (!is_about(entry, shape)) continue;
        Finding finding = make_finding("reported-redundancy");
        finding.value = entry.redundancy;
        finding.shown = entry.shown;
        finding.reading = entry.reading;
        finding.text = entry.text;
        finding.source.citation = entry.where;
        out.findings.push_back(std::move(finding));
    }
}

}  // namespace plimsoll::audit
