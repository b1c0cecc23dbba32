#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/request.h"
#include "plimsoll/run/run_config.h"

// What look() does with each kind of set; not for other modules.
namespace plimsoll::fit {

// The share of the data that runs hold out when nobody said.
inline const double default_fraction = run::DataSettings{}.validation_fraction;

// A set and its name.
struct LoadedData {
    std::string name;  // as a run names it
    data::Dataset set;
};
// The set that a run with this data.name reads.
Result<LoadedData> load_look_data(const FitRequest& request);

// Whether there is such a set; says what is where there is none. Reads nothing of a file that is there.
Status find_look_data(const FitRequest& request);

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

// The look at one kind of set.
Result<DataLook> look_at(const data::TextFiles& files, const LookTask& task);
Result<DataLook> look_at(const data::Tokens& tokens, const LookTask& task);
Result<DataLook> look_at(const data::SentencePairs& pairs, const LookTask& task);
Result<DataLook> look_at(const data::Images& images, const LookTask& task);
Result<DataLook> look_at(const data::LabelledSequences& set, const LookTask& task);
Result<DataLook> look_at(const data::LabelledMatrices& set, const LookTask& task);
Result<DataLook> look_at(const data::Table& table, const LookTask& task);

// The BPE vocabularies to try: those asked for (bytes are 257 and below), or the ladder's; a vocabulary that
// can only be written with a folder is left out with a note.
std::vector<std::int64_t> wanted_vocabularies(const LookTask& task, std::uint64_t training_bytes,
                                              std::vector<std::string>& notes);
// Whether bytes are among the vocabularies asked for.
bool wants_bytes(const FitRequest& request);

}  // namespace plimsoll::fit
