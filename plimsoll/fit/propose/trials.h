#pragma once

#include <string>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/propose/field.h"

// Which way to cut the data is best is found before the depths race, on one small network for each.
namespace plimsoll::fit {

// The least depth of a comparison of inputs and of the search for the rate: it trains fast at any rate.
constexpr double trial_depth = 4;

// Beyond it a vocabulary leaves too little to the layers.
constexpr double raced_table_share = 0.6;

// The field of that input in `chosen`; theory's where none is chosen for the family, or the field is empty.
const Field* chosen_field(const std::vector<Field>& fields, const std::vector<FamilyInput>& chosen);

// A network near four layers of each family on each of its inputs; a permuted mixer has only the one of
// theory's input, as it races as its twin's. Nothing where no family has two inputs. Says in `pruned` what is
// left out.
std::optional<Trials> make_trials(const std::vector<std::vector<Field>>& all, const DataLook& look,
                                  std::vector<std::string>& pruned);

}  // namespace plimsoll::fit
