#include "plimsoll/data/describe/text_report.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "plimsoll/data/readers/byte_stream.h"
#include "plimsoll/data/readers/text_files.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

// Two independent 64-bit sums: files of one size with the same pair are taken for equal.
struct Fingerprint {
    std::uint64_t bytes = 0, a = 0x9e3779b97f4a7c15U, b = 0xc4ceb9fe1a85ec53U;
    auto operator<=>(const Fingerprint&) const = default;

    void add(std::span<const std::uint8_t> piece) {
        for (const std::uint8_t byte : piece) {
            a = (a ^ byte) * 0x100000001b3U;
            b = b * 0x5851f42d4c957f2dU + byte + 1;
        }
        bytes += piece.size();
    }
};

std::uint64_t bytes_on_disk(const std::vector<fs::path>& paths) {
    std::uint64_t total = 0;
    for (const auto& path : paths) {
        std::error_code problem;
        const auto size = fs::file_size(path, problem);
        if (!problem) total += size;
    }
    return total;
}

struct OneFile {
    TextTally tally;
    Fingerprint fingerprint;
    std::uint64_t file_bytes = 0;
};

Result<OneFile> read_one(const fs::path& path, const ProgressCallback& progress, std::uint64_t before,
                         std::uint64_t total) {
    PLIMSOLL_ASSIGN(stream, ByteStream::open(path));
    std::vector<std::uint8_t> buffer(std::size_t{1} << 20);
    OneFile file;
    for (std::size_t count = buffer.size(); count == buffer.size();) {
        PLIMSOLL_ASSIGN(got, stream.read(std::as_writable_bytes(std::span(buffer))));
        count = got;
        file.tally.add(std::span(buffer).first(count));
        file.fingerprint.add(std::span(buffer).first(count));
        if (progress) progress(before + stream.bytes_taken(), total);
    }
    file.tally.finish();
    file.file_bytes = stream.file_bytes();
    return file;
}

}  // namespace

void TextTally::mark_bad(std::uint64_t at) {
    if (!first_bad_) first_bad_ = at;
}

// The first byte of a character: how many follow and what the second may be (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF).
void TextTally::start_character(std::uint8_t byte, std::uint64_t at) {
    began_ = at;
    low_ = 0x80, high_ = 0xbf;
    if (byte < 0x80) {
        ++characters_;
    } else if (byte >= 0xc2 && byte <= 0xdf) {
        left_ = 1;
    } else if (byte >= 0xe0 && byte <= 0xef) {
        left_ = 2;
        if (byte == 0xe0) low_ = 0xa0;
        if (byte == 0xed) high_ = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
        left_ = 3;
        if (byte == 0xf0) low_ = 0x90;
        if (byte == 0xf4) high_ = 0x8f;
    } else {
        mark_bad(at);
    }
}

void TextTally::count_characters(std::span<const std::uint8_t> bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::uint8_t byte = bytes[i];
        if (left_ > 0 && (byte < low_ || byte > high_)) {
            mark_bad(began_);
            left_ = 0;
        }
        if (left_ == 0) {
            start_character(byte, bytes_ + i);
        } else {
            low_ = 0x80, high_ = 0xbf;
            if (--left_ == 0) ++characters_;
        }
    }
}

void TextTally::count_lines(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const auto* end = static_cast<const std::uint8_t*>(std::memchr(bytes.data(), '\n', bytes.size()));
        if (end == nullptr) {
            line_bytes_ += bytes.size();
            return;
        }
        const auto length = static_cast<std::size_t>(end - bytes.data());
        longest_ = std::max<std::uint64_t>(longest_, line_bytes_ + length);
        line_bytes_ = 0;
        ++lines_;
        bytes = bytes.subspan(length + 1);
    }
}

void TextTally::add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) ++histogram_[byte];
    count_lines(bytes);
    count_characters(bytes);
    bytes_ += bytes.size();
}

void TextTally::finish() {
    if (left_ > 0) mark_bad(began_);
    left_ = 0;
    if (line_bytes_ > 0) ++lines_;
    longest_ = std::max(longest_, line_bytes_);
    line_bytes_ = 0;
}

double entropy_bits(std::span<const std::uint64_t> counts) {
    double total = 0, bits = 0;
    for (const auto count : counts) total += static_cast<double>(count);
    for (const auto count : counts)
        if (count > 0)
            bits -= static_cast<double>(count) / total * std::log2(static_cast<double>(count) / total);
    return std::max(0.0, bits);
}

namespace {

// Files one after the other; those with the same bytes are found.
class TextReportMaker {
  public:
    void add(const std::string& name, const OneFile& file) {
        const TextTally& tally = file.tally;
        const auto [same, is_new] = seen_.try_emplace(file.fingerprint, name);
        report_.files.push_back({name, tally.bytes(), tally.lines(), tally.characters(),
                                 tally.longest_line_bytes(), tally.first_bad_byte(),
                                 is_new ? "" : same->second});
        report_.bytes += tally.bytes();
        report_.lines += tally.lines();
        report_.characters += tally.characters();
        for (std::size_t i = 0; i < histogram_.size(); ++i) histogram_[i] += tally.histogram()[i];
    }
    TextReport finish(std::vector<LeftOutFile> left_out) {
        report_.entropy_bits_per_byte = entropy_bits(histogram_);
        report_.distinct_bytes = static_cast<std::uint64_t>(
            std::count_if(histogram_.begin(), histogram_.end(), [](auto n) { return n > 0; }));
        report_.left_out = std::move(left_out);
        return std::move(report_);
    }

  private:
    TextReport report_;
    std::array<std::uint64_t, 256> histogram_{};
    std::map<Fingerprint, std::string> seen_;
};

}  // namespace

Result<TextReport> report_text(const fs::path& path, const ProgressCallback& progress) {
    PLIMSOLL_ASSIGN(listing, sort_out_text_files(path));
    const std::uint64_t total = bytes_on_disk(listing.taken);
    TextReportMaker maker;
    std::uint64_t before = 0;
    for (const auto& one : listing.taken) {
        PLIMSOLL_ASSIGN(file, read_one(one, progress, before, total));
        before += file.file_bytes;
        maker.add(one.string(), file);
    }
    return maker.finish(std::move(listing.left_out));
}

TextReport report_text(const TextFiles& text) {
    TextReportMaker maker;
    for (const auto& one : text.files) {
        const auto bytes = one.bytes.view();
        const std::span content(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        OneFile file;
        file.tally.add(content);
        file.tally.finish();
        file.fingerprint.add(content);
        maker.add(one.name, file);
    }
    return maker.finish(text.left_out);
}

}  // namespace plimsoll::data
