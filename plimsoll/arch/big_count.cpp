#include "plimsoll/arch/big_count.h"

#include <algorithm>

namespace plimsoll::arch {

std::string Count::text() const {
    std::string digits;
    Wide rest = value_;
    do {
        digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
        rest /= 10;
    } while (rest != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

std::string Count::grouped() const {
    const std::string digits = text();
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i != 0 && (digits.size() - i) % 3 == 0) out.push_back(',');
        out.push_back(digits[i]);
    }
    return out;
}

}  // namespace plimsoll::arch
