#include "plimsoll/data/archives/tar.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t block = 512;
constexpr std::size_t name_at = 0, name_bytes = 100, size_at = 124, size_bytes = 12, sum_at = 148,
                      sum_bytes = 8, type_at = 156, magic_at = 257, prefix_at = 345, prefix_bytes = 155;

using Block = std::span<const std::uint8_t>;

// The text of a field up to its first NUL.
std::string text_in(Block header, std::size_t at, std::size_t bytes) {
    const auto field = header.subspan(at, bytes);
    return {field.begin(), std::ranges::find(field, std::uint8_t{0})};
}

// Octal digits with spaces around, or GNU's base 256, which starts with the byte 0x80.
std::optional<std::uint64_t> number_in(Block header, std::size_t at, std::size_t bytes) {
    const auto field = header.subspan(at, bytes);
    if (field[0] == 0x80) {
        std::uint64_t value = 0;
        for (const std::uint8_t byte : field.subspan(1)) {
            if (value >> 55 != 0) return std::nullopt;
            value = value << 8 | byte;
        }
        return value;
    }
    const std::string text = text_in(header, at, bytes);
    const auto first = text.find_first_not_of(' ');
    if (first == std::string::npos) return 0;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value, 8);
    const bool rest_is_space = std::all_of(end, text.data() + text.size(), [](char c) { return c == ' '; });
    return error == std::errc() && rest_is_space ? std::optional(value) : std::nullopt;
}

// The sum of a header's bytes, its own field taken as spaces.
std::uint64_t sum_of(Block header) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < block; ++i)
        sum += i >= sum_at && i < sum_at + sum_bytes ? std::uint8_t{' '} : header[i];
    return sum;
}

// The value of `key` in a pax header: lines "LENGTH KEY=VALUE\n".
std::optional<std::string> pax_value(std::string_view text, std::string_view key) {
    std::optional<std::string> found;
    while (!text.empty()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        const auto digits = static_cast<std::size_t>(end - text.data());
        if (error != std::errc() || length <= digits + 1 || length > text.size()) return found;
        const std::string_view line = text.substr(digits + 1, length - digits - 2);
        if (line.starts_with(key) && line.substr(key.size()).starts_with('='))
            found = std::string(line.substr(key.size() + 1));
        text.remove_prefix(length);
    }
    return found;
}

class TarReader {
  public:
    explicit TarReader(const LoadedFile& archive) : archive_(archive), all_(archive.bytes.view()) {}

    Result<std::vector<ArchiveMember>> read() {
        while (at_ + block <= all_.size() && !at_end()) PLIMSOLL_RETURN_IF_ERROR(read_one());
        if (at_ < all_.size() && all_.size() - at_ < block && !only_zeros(all_.subspan(at_)))
            return wrong("the file ends inside a header");
        return std::move(members_);
    }

  private:
    [[nodiscard]] static bool only_zeros(Block bytes) {
        return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
    }
    [[nodiscard]] bool at_end() const { return only_zeros(all_.subspan(at_, block)); }
    [[nodiscard]] Error wrong(std::string_view what) const {
        return bad_input(archive_.name, fmt::format("byte {}: no sound tar archive: {}", at_, what));
    }

    Status read_one() {
        const Block header = all_.subspan(at_, block);
        const auto sum = number_in(header, sum_at, sum_bytes);
        if (!sum || *sum != sum_of(header)) return wrong("a header with a wrong sum");
        auto size = number_in(header, size_at, size_bytes);
        if (pax_size_) size = pax_size_;
        if (!size) return wrong("a size that is no number");
        const std::size_t first = at_ + block;
        if (*size > all_.size() - first)
            return wrong(fmt::format("states {} bytes; {} follow", *size, all_.size() - first));
        const Block content = all_.subspan(first, static_cast<std::size_t>(*size));
        PLIMSOLL_RETURN_IF_ERROR(take(header, content));
        const std::size_t padded = (content.size() + block - 1) / block * block;
        at_ = std::min(first + padded, all_.size());
        return {};
    }

    Status take(Block header, Block content) {
        const char type = static_cast<char>(header[type_at]);
        const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
        if (type == 'L') {
            long_name_ = std::string(text.substr(0, text.find('\0')));
            return {};
        }
        if (type == 'x') return take_pax(text);
        if (type == 'S') return wrong("a sparse file; make the archive without -S");
        if (type == '0' || type == '\0' || type == '7') PLIMSOLL_RETURN_IF_ERROR(add(header, content));
        long_name_.reset();
        pax_size_.reset();
        return {};
    }

    Status take_pax(std::string_view text) {
        if (auto path = pax_value(text, "path")) long_name_ = std::move(path);
        if (const auto size = pax_value(text, "size")) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(size->data(), size->data() + size->size(), value);
            if (error != std::errc() || end != size->data() + size->size())
                return wrong("a size that is no number");
            pax_size_ = value;
        }
        return {};
    }

    Status add(Block header, Block content) {
        std::string name = long_name_.value_or(text_in(header, name_at, name_bytes));
        const std::string prefix = text_in(header, prefix_at, prefix_bytes);
        const bool posix = text_in(header, magic_at, 6) == "ustar";
        if (!long_name_ && posix && !prefix.empty()) name = prefix + "/" + name;
        while (name.starts_with("./")) name.erase(0, 2);
        PLIMSOLL_RETURN_IF_ERROR(check_member_name(archive_.name, name));
        if (name.ends_with('/')) return {};  // a folder, as old tars write it
        members_.push_back(
            {std::move(name), {content, archive_.bytes.keeper()}, false, content.size(), 0, false});
        return {};
    }

    const LoadedFile& archive_;
    Block all_;
    std::size_t at_ = 0;
    std::optional<std::string> long_name_;
    std::optional<std::uint64_t> pax_size_;
    std::vector<ArchiveMember> members_;
};

}  // namespace

Result<std::vector<ArchiveMember>> list_tar(const LoadedFile& archive) { return TarReader(archive).read(); }

}  // namespace plimsoll::data
