// The public header of probe in a file of its own, without LibTorch.
#include "plimsoll/probe/probe.h"

#ifdef C10_API
#error "plimsoll/probe/probe.h includes LibTorch"
#endif
