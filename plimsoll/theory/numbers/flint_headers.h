#pragma once

// The one file that knows where FLINT and Arb live: two libraries in Debian 12, one since FLINT 3.
#include <flint/arith.h>
#include <flint/flint.h>
#if __FLINT_RELEASE >= 30000
#include <flint/acb.h>
#include <flint/arb.h>
#include <flint/arb_mat.h>
#include <flint/arf.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>
#else
#include <acb.h>
#include <arb.h>
#include <arb_mat.h>
#include <arf.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>
#endif
