#include <cstdio>

#include <plimsoll/base/hash.h>
#include <plimsoll/base/text.h>

int main() {
    const auto count = plimsoll::parse_count("1.5B", "params");
    if (!count.ok() || *count != 1'500'000'000) return 1;
    std::printf("%lld parameters, %s\n", static_cast<long long>(*count), plimsoll::sha256_hex("abc").c_str());
    return 0;
}
