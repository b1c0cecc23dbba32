#include <cstdio>

#include <plimsoll/base/hash.h>
#include <plimsoll/base/text.h>
#include <plimsoll/theory/capacity/capacity.h>

int main() {
    const auto count = plimsoll::parse_count("1.5B", "params");
    if (!count.ok() || *count != 1'500'000'000) return 1;
    std::printf("%lld parameters, %s\n", static_cast<long long>(*count), plimsoll::sha256_hex("abc").c_str());
    // The repaired bound at depth 3 and width 3, a number that was also measured.
    return plimsoll::theory::full_bound(3, 3) == 3102 ? 0 : 1;
}
