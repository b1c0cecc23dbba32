#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/arch/big_count.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

namespace plimsoll::exporter {

struct ExportOptions {
    bool hf = false;        // as a stock Hugging Face class, where one fits
    bool force = false;     // replace an earlier export in the folder
    std::string tokenizer;  // instead of the run's: bytes, or a file; empty: the run's
};

// What an export wrote.
struct Exported {
    std::filesystem::path folder;
    std::int64_t step = 0;           // of the checkpoint
    std::string stock_class;         // "GPT2LMHeadModel"; empty for plimsoll.toml and our own names
    std::string why_plain;           // which properties have no stock class; empty unless one was asked for
    std::string why_no_tokenizer;    // of a run that reads tokens; else empty
    std::size_t tensors = 0;         // in model.safetensors
    arch::Count parameters;          // numbers in them
    std::vector<std::string> files;  // their names
};

// Writes the last checkpoint of a run to a folder of its own: config.json and model.safetensors of a stock
// Hugging Face class where one computes exactly the same, otherwise plimsoll.toml (the resolved config) and
// model.safetensors with our names; tokenizer.json beside them for text (docs/EXPORT.md). The folder appears
// whole or not at all. A folder with anything in it is refused; `force` replaces one that holds nothing but
// an export. `not_found` before the first checkpoint.
Result<Exported> export_run(const std::filesystem::path& run_folder, const std::filesystem::path& target,
                            const ExportOptions& options);

Json to_json(const Exported& exported);

}  // namespace plimsoll::exporter
