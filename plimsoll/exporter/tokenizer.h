#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::exporter {

// One small file of an export.
struct ExportFile {
    std::string name, text;
};

// tokenizer.json and tokenizer_config.json, or none and why.
struct TokenizerFiles {
    std::vector<ExportFile> files;
    std::string why_none;  // empty when there are files, or when the run reads no tokens
};

// The tokenizer of a run as the Hugging Face libraries read it: the run's BPE, or one with the 256 bytes as
// its tokens. `tokenizer` replaces the run's: bytes, or a file. Data that were ids already have none.
Result<TokenizerFiles> tokenizer_files(const run::RunConfig& config, const std::string& tokenizer);

}  // namespace plimsoll::exporter
