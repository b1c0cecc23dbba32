#include "plimsoll/data/readers/standard_input.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::data {

Status keep_copy(int from, const std::filesystem::path& file, std::uint64_t most_bytes) {
    constexpr std::size_t step = std::size_t{1} << 20;
    PLIMSOLL_ASSIGN(copy, AtomicFile::create(file));
    std::string buffer(step, '\0');
    std::uint64_t bytes = 0;
    while (true) {
        const ssize_t count = ::read(from, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return io_error("standard input", std::strerror(errno));
        if (count == 0) break;
        bytes += static_cast<std::uint64_t>(count);
        if (bytes > most_bytes)
            return bad_input("standard input", fmt::format("is more than the {} that are allowed here",
                                                           human_bytes(static_cast<double>(most_bytes))));
        PLIMSOLL_RETURN_IF_ERROR(
            copy.write(std::string_view(buffer).substr(0, static_cast<std::size_t>(count))));
    }
    return copy.commit();
}

}  // namespace plimsoll::data
