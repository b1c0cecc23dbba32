#pragma once

#include "plimsoll/arch/key_table.h"
#include "plimsoll/arch/square_nets.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// The keys of the analysed square nets.
KeyTable<SquareMixerSpec> square_mixer_keys();
KeyTable<SquareMlpSpec> square_mlp_keys();

// What the keys say together: an error for a contradiction, at the key to change.
Status check(const SquareMixerSpec& spec);
Status check(const SquareMlpSpec& spec);

}  // namespace plimsoll::arch
