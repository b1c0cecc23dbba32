#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "plimsoll/base/result.h"

namespace plimsoll::probe {

// What `body` gives; what LibTorch throws, almost always for want of memory, becomes an error.
template <class Body>
auto guarded(const char* where, const Body& body) -> decltype(body()) {
    try {
        return body();
    } catch (const c10::Error& error) {
        return unsupported(where, error.what_without_backtrace());
    }
}

}  // namespace plimsoll::probe
