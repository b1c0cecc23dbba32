#include "plimsoll/cli/doctor/blas_facts.h"

#include <filesystem>

#include <dlfcn.h>

#include "plimsoll/cli/build_facts.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

std::string resolved(const fs::path& path) {
    std::error_code problem;
    const fs::path real = fs::canonical(path, problem);
    return problem ? std::string() : real.string();
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

BlasKind blas_kind(const std::string& file) {
    if (file.empty()) return BlasKind::none;
    if (has(file, "openblas-openmp")) return BlasKind::openblas_openmp;
    if (has(file, "openblas-pthread")) return BlasKind::openblas_pthread;
    if (has(file, "openblas-serial")) return BlasKind::openblas_serial;
    if (has(file, "/blas/libblas")) return BlasKind::reference;
    return BlasKind::other;
}

BlasFacts blas_on_disk() {
    const fs::path system = fs::path("/usr/lib") / build_facts::library_architecture;
    for (const fs::path& folder : {fs::path(build_facts::blas_folder), system / "openblas-openmp", system}) {
        const std::string file = folder.empty() ? "" : resolved(folder / "libblas.so.3");
        if (!file.empty()) return {blas_kind(file), file};
    }
    return {};
}

BlasFacts blas_loaded() {
    // The lookup the loader itself made when it bound libtorch's call.
    void* kernel = ::dlsym(RTLD_DEFAULT, "sgemm_");
    Dl_info place{};
    if (kernel == nullptr || ::dladdr(kernel, &place) == 0) return {};
    const std::string file = resolved(place.dli_fname);
    return {blas_kind(file), file};
}

std::string blas_verdict(BlasKind kind) {
    switch (kind) {
        case BlasKind::none:
            return "no BLAS";
        case BlasKind::openblas_openmp:
            return "OpenBLAS with OpenMP threads";
        case BlasKind::openblas_pthread:
            return "OpenBLAS with its own threads, 3 to 6 times slower under torch";
        case BlasKind::openblas_serial:
            return "OpenBLAS with one thread";
        case BlasKind::reference:
            return "reference BLAS, 25 times slower";
        case BlasKind::other:
            return "a BLAS we have not measured";
    }
    return "";
}

}  // namespace plimsoll::cli
