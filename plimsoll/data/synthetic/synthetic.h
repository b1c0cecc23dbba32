#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"

// Sets whose right answer is known because we made them. A name is "synthetic:kind", followed by settings:
// "synthetic:hops=3,symbols=16,count=20000,seed=2". The same name gives the same bytes everywhere.
namespace plimsoll::data {

// One thing that is known about a set: {"bits per byte of its source", "1.83"}.
struct KnownFact {
    std::string what, value;
};

// The network that labelled a set; its separation rank can be measured.
struct Teacher {
    arch::ArchSpec spec;
    std::optional<std::int64_t> positions;  // attention, which reads tokens

    // "plimsoll rank SPEC ...".
    [[nodiscard]] std::string rank_command() const;
};

struct Synthetic {
    std::string name;  // with every setting, so that it says all
    Dataset dataset;
    std::vector<KnownFact> known;
    std::optional<Teacher> teacher;
};

// Whether `name` starts with "synthetic:".
bool is_synthetic(std::string_view name);

// Makes the set; the error lists the kinds or the settings of the kind.
Result<Synthetic> make_synthetic(std::string_view name, const ProgressCallback& progress = {});

// One setting of a kind, for help.
struct SyntheticSetting {
    std::string key, fallback, meaning;
};
struct SyntheticKind {
    std::string name, meaning;
    std::vector<SyntheticSetting> settings;
};
std::vector<SyntheticKind> synthetic_kinds();

}  // namespace plimsoll::data
