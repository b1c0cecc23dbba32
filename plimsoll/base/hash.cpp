#include "plimsoll/base/hash.h"

#include <array>

#include <nettle/sha2.h>

#include "plimsoll/base/format.h"

namespace plimsoll {

std::string sha256_hex(std::string_view text) {
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context, digest.size(), digest.data());
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace plimsoll
