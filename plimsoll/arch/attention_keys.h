#pragma once

#include "plimsoll/arch/attention.h"
#include "plimsoll/arch/key_table.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// The keys of analysed linear attention.
KeyTable<AttentionSpec> attention_keys();

// What the keys say together: an error for a contradiction, at the key to change.
Status check(const AttentionSpec& spec);

}  // namespace plimsoll::arch
