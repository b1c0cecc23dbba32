// kernel_times: a library that CUDA loads into a program named in CUDA_INJECTION64_PATH; at its end it prints
// what each kernel took, the longest first. No header of ours, so that it builds anywhere CUPTI is:
//   g++ -std=c++20 -shared -fPIC kernel_times.cpp -I$CUDA/include -I$CUDA/extras/CUPTI/include -L$CUDA/lib64
//   -lcupti CUDA_INJECTION64_PATH=$PWD/libkernel_times.so step_bench cuda --stack 20 mixer
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <cupti.h>
#include <cxxabi.h>

namespace {

struct Times {
    double milliseconds = 0;
    std::int64_t calls = 0;
};

std::mutex mutex;
std::map<std::string, Times> kernels;

constexpr std::size_t buffer_bytes = 8 << 20;

void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
    *size = buffer_bytes;
    *most_records = 0;
}

void take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    const std::lock_guard lock(mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
        const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
        Times& times = kernels[kernel->name];
        times.milliseconds += static_cast<double>(kernel->end - kernel->start) / 1e6;
        ++times.calls;
    }
    std::free(buffer);
}

std::string readable(const std::string& name) {
    int status = 0;
    char* plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 ? plain : name;
    std::free(plain);
    constexpr std::size_t longest = 150;
    return result.substr(0, longest);
}

void print() {
    cuptiActivityFlushAll(1);
    std::vector<std::pair<double, std::string>> lines;
    double all = 0;
    for (const auto& [name, times] : kernels) {
        lines.push_back({times.milliseconds, name});
        all += times.milliseconds;
    }
    std::ranges::sort(lines, std::greater<>());
    std::fprintf(stderr, "kernels: %.1f ms in all\n", all);
    for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 40); ++i) {
        std::fprintf(stderr, "%6.2f %% %9.2f ms %8lld calls  %s\n", 100 * lines[i].first / all,
                     lines[i].first, static_cast<long long>(kernels[lines[i].second].calls),
                     readable(lines[i].second).c_str());
    }
}

}  // namespace

extern "C" int InitializeInjection() {
    cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    std::atexit(print);
    return 1;
}
