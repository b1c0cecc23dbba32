#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::run {

// What the examples of a set are made of.
enum class ExampleKind { images, text, tokens, matrices, rows };  // rows: of a table

// The names data.kind takes: auto and the kinds of data's loaders.
std::vector<std::string> data_kind_names();

// The names model.init takes: those of model::initialisations(), which this half cannot ask (a test holds the
// two lists against one another).
std::vector<std::string> initialisation_names();

// What the set of a config is made of, as far as its name and kind say it without opening a file.
std::optional<ExampleKind> known_examples(const DataSettings& data);

// Whether the network can read such examples; the error is at model.spec.
Status check_fits(const arch::ArchSpec& spec, ExampleKind examples);

}  // namespace plimsoll::run
