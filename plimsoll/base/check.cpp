#include "plimsoll/base/check.h"

#include "plimsoll/base/format.h"

namespace plimsoll {

void throw_bug(const char* condition, const char* file, int line, const std::string& message) {
    throw Bug(fmt::format("{}:{}: {} [{}]", file, line, message, condition));
}

}  // namespace plimsoll
