#include "plimsoll/server/page_files.h"

namespace plimsoll::server {

std::string_view packed_page() { return {}; }

}  // namespace plimsoll::server
