#pragma once

#include "plimsoll/arch/key_table.h"
#include "plimsoll/arch/vision_mlps.h"
#include "plimsoll/base/result.h"

namespace plimsoll::arch {

// The keys of the vision MLPs.
KeyTable<S2MlpSpec> s2_mlp_keys();
KeyTable<VipSpec> vip_keys();
KeyTable<HireMlpSpec> hire_mlp_keys();

// What the keys say together: an error for a contradiction, at the key to change.
Status check(const S2MlpSpec& spec);
Status check(const VipSpec& spec);
Status check(const HireMlpSpec& spec);

}  // namespace plimsoll::arch
