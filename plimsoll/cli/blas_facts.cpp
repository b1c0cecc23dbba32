#include "plimsoll/cli/blas_facts.h"

#include <filesystem>

#include <link.h>

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

int remember_name(dl_phdr_info* info, std::size_t, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(info->dlpi_name);
    return 0;
}

}  // namespace

BlasKind blas_kind(const std::string& file) {
    if (file.empty()) return BlasKind::none;
    if (has(file, "openblas-openmp")) return BlasKind::openblas_openmp;
    if (has(file, "openblas-pthread")) return BlasKind::openblas_pthread;
    if (has(file, "openblas-serial")) return BlasKind::openblas_serial;
    if (has(file, "/blas/libblas")) return BlasKind::reference;
    return BlasKind::other;
}

BlasFacts choose_blas(const std::vector<std::string>& files) {
    for (const char* name : {"libopenblas", "libmkl", "libblis", "libblas.so", "libblas"}) {
        for (const auto& file : files) {
            if (has(file, name)) return {blas_kind(file), file};
        }
    }
    return {};
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
    std::vector<std::string> names, files;
    dl_iterate_phdr(remember_name, &names);
    for (const auto& name : names) {
        if (const std::string file = resolved(name); !file.empty()) files.push_back(file);
    }
    return choose_blas(files);
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
