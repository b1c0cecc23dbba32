#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/audit/weights/weight_spectra.h"
#include "plimsoll/base/json.h"

namespace plimsoll::audit {

// Everything an audit says about one model; the terminal, JSON and Markdown show this one struct.
struct Report {
    ModelShape shape;
    std::string source;
    const ZooRow* zoo = nullptr;

    ParameterCounts counts;
    std::optional<std::int64_t> parameters;  // the best of them

    std::optional<double> attention_over_width, input_rank_over_width;
    std::vector<Finding> findings;          // severe first, then notices, passed and infos
    std::vector<NotAnalysed> not_analysed;  // never empty: what the bounds leave out is always there

    std::optional<WeightReport> weights;  // spectra, where they were asked for

    // Findings of that severity.
    [[nodiscard]] std::size_t count(Severity severity) const;
    // The finding of that id, or null.
    [[nodiscard]] const Finding* find(std::string_view id) const;
};

// Puts measured spectra into the report, in the place of the remark that they were not measured.
void add_weights(Report& report, WeightReport weights);

// The report as JSON; every key is always there, null where nothing is known.
Json to_json(const Report& report);

// The report as Markdown for issues and papers: a heading, facts, a table of findings and what was left out.
std::string to_markdown(const Report& report);

// One or two sentences on what matters most.
std::string verdict(const Report& report);

// "24 + 24 layers, width 1024, 128 heads of 128, vocabulary 32128, 11.3 B parameters".
std::string facts(const Report& report);

}  // namespace plimsoll::audit
