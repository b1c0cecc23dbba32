#pragma once

#include "plimsoll/arch/key_table.h"
#include "plimsoll/arch/mixer.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// The keys of MLP-Mixers: the simple one has one matrix per direction, the permuted one random permutations.
KeyTable<MixerSpec> mixer_keys(bool simple, bool permuted);

// What the keys say together: an error for a contradiction, at the key to change.
Status check(const MixerSpec& spec);

}  // namespace plimsoll::arch
