#include "plimsoll/arch/attention.h"
#include "plimsoll/arch/square_nets.h"
