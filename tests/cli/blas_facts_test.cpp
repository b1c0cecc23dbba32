#include "plimsoll/cli/doctor/blas_facts.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

TEST(BlasFacts, TheFolderTellsTheBuild) {
    EXPECT_EQ(blas_kind(""), BlasKind::none);
    EXPECT_EQ(blas_kind("/usr/lib/x/openblas-openmp/libopenblasp-r0.3.so"), BlasKind::openblas_openmp);
    EXPECT_EQ(blas_kind("/usr/lib/x/openblas-pthread/libblas.so.3"), BlasKind::openblas_pthread);
    EXPECT_EQ(blas_kind("/usr/lib/x/openblas-serial/libblas.so.3"), BlasKind::openblas_serial);
    EXPECT_EQ(blas_kind("/usr/lib/x/blas/libblas.so.3.11.0"), BlasKind::reference);
    EXPECT_EQ(blas_kind("/opt/libblis.so.4"), BlasKind::other);
}

TEST(BlasFacts, TheFileAndTheKindGoTogether) {
    for (const BlasFacts& blas : {blas_loaded(), blas_on_disk()}) {
        EXPECT_EQ(blas.kind, blas_kind(blas.file));
        EXPECT_EQ(blas.kind == BlasKind::none, blas.file.empty());
    }
}

TEST(BlasFacts, EveryKindHasItsWords) {
    for (const auto kind : {BlasKind::none, BlasKind::openblas_openmp, BlasKind::openblas_pthread,
                            BlasKind::openblas_serial, BlasKind::reference, BlasKind::other}) {
        EXPECT_FALSE(blas_verdict(kind).empty());
    }
}

}  // namespace
}  // namespace plimsoll::cli
