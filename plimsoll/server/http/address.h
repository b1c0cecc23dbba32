#pragma once

#include <string>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/server/http/message.h"

// The address line of a request, as untrusted text.
namespace plimsoll::server {

// "a%20b" as "a b"; a plus is a space only in a query. An error for a broken escape, a NUL and bytes that are
// no UTF-8.
Result<std::string> decoded(std::string_view text, bool in_query);

struct Address {
    std::string path;
    Query query;
};

// "/api/v1/zoo?sort=-width" decoded. The path begins with a slash and has no empty part, no "." and no "..",
// written plainly or escaped, and no backslash.
Result<Address> parse_address(std::string_view target);

}  // namespace plimsoll::server
