#pragma once

#include "plimsoll/arch/flat_nets.h"
#include "plimsoll/arch/key_table.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// The keys of the nets on a flat vector.
KeyTable<PkSpec> pk_keys();
KeyTable<SwMlpSpec> sw_mlp_keys();
KeyTable<MonarchSpec> monarch_keys();
KeyTable<MlpSpec> mlp_keys();

// What the keys say together: an error for a contradiction, at the key to change.
Status check(const PkSpec& spec);
Status check(const SwMlpSpec& spec);
Status check(const MonarchSpec& spec);
Status check(const MlpSpec& spec);

}  // namespace plimsoll::arch
