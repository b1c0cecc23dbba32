#pragma once

#include <optional>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/data/kind.h"
#include "plimsoll/data/read_options.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

// The flags that say how data is read, as they were typed; `data info` and `fit` share them.
struct ReadFlags {
    std::string kind, field, columns, label;
    int token_bits = 0, resize = 0;
};

// Adds them to a verb; `flags` must outlive it.
void add_read_flags(CLI::App& verb, ReadFlags& flags);

// What they ask for; the error names the flag.
Result<data::ReadOptions> read_options(const ReadFlags& flags);
Result<std::optional<data::Kind>> asked_kind(const ReadFlags& flags);

}  // namespace plimsoll::cli
