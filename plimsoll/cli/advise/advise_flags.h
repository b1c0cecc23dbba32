#pragma once

#include <string>

#include "plimsoll/advise/advise.h"

namespace plimsoll::cli {

// The flags of `plimsoll advise` as typed; empty means not given.
struct AdviseFlags {
    std::string params, flops, gpu_hours, gpu, by = "flops";
    std::string family = "transformer", vocab, patch, image, classes, context, multiple_of, head_dim, block,
                embedding_rank, emit, table;
    bool json = false, force = false;
};

// The request they make, with what they leave open assumed and said; the error names the flag.
Result<advise::AdviceRequest> advice_request(const AdviseFlags& flags);

}  // namespace plimsoll::cli
