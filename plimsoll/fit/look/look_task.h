#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/data/dataset.h"
#include "plimsoll/fit/look/look.h"
#include "plimsoll/fit/look/vocabularies.h"

// The parts of look(); not for other modules.
namespace plimsoll::fit {

struct LoadedData {
    std::string name;  // as a run names it
    data::Dataset set;
};
// The set that a run with this data.name reads.
Result<LoadedData> load_look_data(const FitRequest& request);

// What the looks at the kinds of sets share.
struct LookTask {
    const FitRequest& request;
    std::string name;
    std::function<void()> advance;  // one of the look's steps is done
    [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(request.seed); }
    // The parameters that the choices must leave room in; estimated where nobody said, as the data is not
    // known yet.
    [[nodiscard]] std::int64_t parameters() const;
    [[nodiscard]] bool on_cpu() const { return !request.on_gpu(); }
};

Result<DataLook> look_at(const data::TextFiles& files, const LookTask& task);
Result<DataLook> look_at(const data::Tokens& tokens, const LookTask& task);
Result<DataLook> look_at(const data::SentencePairs& pairs, const LookTask& task);
Result<DataLook> look_at(const data::Images& images, const LookTask& task);
Result<DataLook> look_at(const data::LabelledSequences& set, const LookTask& task);
Result<DataLook> look_at(const data::LabelledMatrices& set, const LookTask& task);

// The labels of a set, and what is said about them.
struct LabelledParts {
    std::vector<std::uint16_t> train, held_out;
    std::vector<std::string> names;  // may be empty
    std::string unit;                // "images"
};
// Fills sizes, classes and chance; refuses sets with nothing to tell apart or too few to do it.
Status describe_labels(const LabelledParts& parts, const LookTask& task, DataLook& look);

// The BPE vocabularies to try: those asked for (bytes are 257 and below), or the ladder's; a vocabulary that
// can only be written with a folder is left out with a note.
std::vector<std::int64_t> wanted_vocabularies(const LookTask& task, std::uint64_t training_bytes,
                                              std::vector<std::string>& notes);
bool wants_bytes(const FitRequest& request);

// Dependence of a long row of bytes or of token ids: `of` names them.
Dependence dependence_of_row(std::span<const std::uint8_t> symbols, std::string of, std::uint64_t seed);
Dependence dependence_of_row(std::span<const std::uint32_t> ids, std::string of, std::uint64_t seed);

// At most `most` symbols of a long row, in stretches from all over it.
std::vector<std::uint8_t> sampled_bytes(const TextPieces& pieces, std::size_t most);

// Writes reach and sentences from the numbers; `window` says what was split: "a window of 16 bytes".
void describe(Dependence& dependence, std::string_view window);

}  // namespace plimsoll::fit
