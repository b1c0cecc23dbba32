#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/lab/experiment/experiment.h"
#include "plimsoll/lab/jobs/rows.h"

// Rows that plimsoll-torch measures on networks: singular values, how alike layers are, and how well trained
// runs predict a text in windows that start `stride` tokens apart.
namespace plimsoll::lab {

struct ProbeOptions {
    std::filesystem::path program;                 // plimsoll-torch; empty: only what was measured before
    std::filesystem::path folder;                  // of the output: programs work in it
    std::filesystem::path runs;                    // folder of runs
    std::string device = "cpu";                    // one; of several the first
    std::function<void(const std::string&)> tell;  // what is being measured; may be empty
    std::function<bool()> stop_requested;          // may be empty
};

// One row per weight matrix and singular value of the jobs' networks with fresh weights, nothing is trained:
// what names the run and its settings, then `matrix`, `rows`, `cols`, `copies`, `density`, `index` (from 1),
// `share` ((index - 1/2) / count), `value`, `law` (what independent entries would have there), `low_edge`,
// `high_edge`, `over_edge` (value over high_edge), `effective_rank`, `distance`. Of more than 64 values the
// largest 16 and 48 others down to the smallest.
Result<report::Table> spectra_rows(const std::vector<NamedPlan>& plans, const ProbeOptions& options);

// One row per layer of the first of each pair of finished runs: the columns of the first run (those of the
// second where it has none), `second_X` of the second, `pair` ("mixer / sw-mlp"), `layer`
// (from 1) of `layers`, `depth_share` (the one over the other), `name`, `cka` with the layer of the second at
// the same share of its depth, `best_cka` over all of its layers and `best_layer`. `runs` are rows of
// run_rows().
Result<report::Table> cka_rows(const std::vector<NamedPlan>& plans, const report::Table& runs,
                               const Pairs& pairs, const ProbeOptions& options);

// One row per finished run and stride: the columns of the run, then `stride` and what `plimsoll eval
// --stride` gives on the text that it held out: `stride_loss`, `stride_bits_per_byte`, `stride_perplexity`.
// `runs` are rows of run_rows().
Result<report::Table> stride_rows(const report::Table& runs, const std::vector<std::int64_t>& strides,
                                  const ProbeOptions& options);

}  // namespace plimsoll::lab
