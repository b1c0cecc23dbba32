#pragma once

#include <string>
#include <vector>

#include "plimsoll/arch/key_table.h"
#include "plimsoll/arch/transformer.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// The keys of Transformers.
KeyTable<TransformerSpec> transformer_keys();

// The values of the key `style`, the default first.
std::vector<std::string> transformer_styles();

// What the keys say together: an error for a contradiction, at the key to change.
Status check(const TransformerSpec& spec);

}  // namespace plimsoll::arch
