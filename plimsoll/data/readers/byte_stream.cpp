#include "plimsoll/data/readers/byte_stream.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::data {
namespace {

template <std::size_t n>
bool starts_with(std::span<const std::byte> bytes, const std::array<unsigned char, n>& magic) {
    return bytes.size() >= n && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                           [](unsigned char a, std::byte b) { return std::byte{a} == b; });
}

// Most of a mapped file at a time, so that its size fits the libraries' 32-bit counts.
constexpr std::size_t most_at_a_time = std::size_t{1} << 30;

}  // namespace

// Turns the rest of a mapped file into content. The offsets are kept here, the format in a child.
class ByteStream::Decoder {
  public:
    Decoder(MappedFile file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
    virtual ~Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    Result<std::size_t> read(std::span<std::byte> out) {
        std::size_t filled = 0;
        while (filled < out.size() && !ended_) {
            PLIMSOLL_ASSIGN(count,
                            decode(out.subspan(filled, std::min(out.size() - filled, most_at_a_time))));
            filled += count;
            given_ += count;
        }
        return filled;
    }

    [[nodiscard]] virtual Compression compression() const = 0;
    [[nodiscard]] std::uint64_t taken() const { return taken_; }
    [[nodiscard]] std::uint64_t given() const { return given_; }
    [[nodiscard]] std::uint64_t size() const { return file_.bytes().size(); }

  protected:
    // Writes some content and calls take() and end() as it goes.
    virtual Result<std::size_t> decode(std::span<std::byte> out) = 0;

    [[nodiscard]] std::span<const std::byte> rest() const {
        const std::span<const std::byte> all = file_.bytes().subspan(taken_);
        return all.first(std::min(all.size(), most_at_a_time));
    }
    [[nodiscard]] bool at_end_of_file() const { return taken_ == size(); }
    void take(std::size_t count) { taken_ += count; }
    void end() { ended_ = true; }

    // "x.gz: damaged at byte 120 of 300 (content byte 4,000): incorrect data check"
    [[nodiscard]] Error damaged(std::string_view why) const {
        return bad_input(name_, fmt::format("damaged at byte {} of {} (byte {} of its content): {}", taken_,
                                            size(), given_, why));
    }
    [[nodiscard]] Error cut_short() const {
        return damaged(fmt::format("the file ends in the middle of its {} data", name_of()));
    }

  private:
    [[nodiscard]] std::string_view name_of() const {
        switch (compression()) {
            case Compression::gzip:
                return "gzip";
            case Compression::xz:
                return "xz";
            case Compression::zstd:
                return "zstd";
            case Compression::none:
                break;
        }
        return "plain";
    }

    MappedFile file_;
    std::string name_;
    std::uint64_t taken_ = 0, given_ = 0;
    bool ended_ = false;
};

namespace {

class PlainDecoder final : public ByteStream::Decoder {
  public:
    using Decoder::Decoder;
    [[nodiscard]] Compression compression() const override { return Compression::none; }

  private:
    Result<std::size_t> decode(std::span<std::byte> out) override {
        const std::size_t count = std::min(out.size(), rest().size());
        std::copy_n(rest().begin(), count, out.begin());
        take(count);
        if (at_end_of_file()) end();
        return count;
    }
};

class GzipDecoder final : public ByteStream::Decoder {
  public:
    GzipDecoder(MappedFile file, std::string name) : Decoder(std::move(file), std::move(name)) {
        constexpr int gzip_header = 16;
        PLIMSOLL_CHECK(inflateInit2(&stream_, MAX_WBITS + gzip_header) == Z_OK, "zlib without memory");
    }
    ~GzipDecoder() override { inflateEnd(&stream_); }
    [[nodiscard]] Compression compression() const override { return Compression::gzip; }

  private:
    Result<std::size_t> decode(std::span<std::byte> out) override {
        const std::span<const std::byte> in = rest();
        stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(in.data()));
        stream_.avail_in = static_cast<uInt>(in.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        const int code = inflate(&stream_, Z_NO_FLUSH);
        take(in.size() - stream_.avail_in);
        if (code == Z_STREAM_END) {
            next_member();
        } else if (code == Z_BUF_ERROR || (code == Z_OK && at_end_of_file() && stream_.avail_out > 0)) {
            return cut_short();
        } else if (code != Z_OK) {
            return damaged(stream_.msg != nullptr ? stream_.msg : "not gzip data");
        }
        return out.size() - stream_.avail_out;
    }
    void next_member() {
        if (at_end_of_file()) return end();
        inflateReset(&stream_);
    }

    z_stream stream_{};
};

class XzDecoder final : public ByteStream::Decoder {
  public:
    XzDecoder(MappedFile file, std::string name) : Decoder(std::move(file), std::move(name)) {
        PLIMSOLL_CHECK(lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) == LZMA_OK,
                       "liblzma without memory");
    }
    ~XzDecoder() override { lzma_end(&stream_); }
    [[nodiscard]] Compression compression() const override { return Compression::xz; }

  private:
    Result<std::size_t> decode(std::span<std::byte> out) override {
        const std::span<const std::byte> in = rest();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        stream_.avail_in = in.size();
        stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        stream_.avail_out = out.size();
        const bool all = in.size() + taken() == size();
        const lzma_ret code = lzma_code(&stream_, all ? LZMA_FINISH : LZMA_RUN);
        take(in.size() - stream_.avail_in);
        if (code == LZMA_STREAM_END) {
            end();
        } else if (code == LZMA_BUF_ERROR) {
            return cut_short();
        } else if (code != LZMA_OK) {
            return damaged(reason(code));
        }
        return out.size() - stream_.avail_out;
    }
    static std::string_view reason(lzma_ret code) {
        switch (code) {
            case LZMA_FORMAT_ERROR:
                return "not xz data";
            case LZMA_DATA_ERROR:
                return "corrupt xz data";
            case LZMA_OPTIONS_ERROR:
                return "xz options that this liblzma does not know";
            case LZMA_MEM_ERROR:
                return "no memory for its dictionary";
            default:
                return "liblzma refuses it";
        }
    }

    lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdDecoder final : public ByteStream::Decoder {
  public:
    ZstdDecoder(MappedFile file, std::string name) : Decoder(std::move(file), std::move(name)) {
        PLIMSOLL_CHECK(context_ != nullptr, "zstd without memory");
    }
    ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }
    [[nodiscard]] Compression compression() const override { return Compression::zstd; }

  private:
    Result<std::size_t> decode(std::span<std::byte> out) override {
        const std::span<const std::byte> in = rest();
        ZSTD_inBuffer source{in.data(), in.size(), 0};
        ZSTD_outBuffer place{out.data(), out.size(), 0};
        const std::size_t code = ZSTD_decompressStream(context_, &place, &source);
        take(source.pos);
        if (ZSTD_isError(code) != 0) return damaged(ZSTD_getErrorName(code));
        if (at_end_of_file() && place.pos < place.size) {
            if (code != 0) return cut_short();
            end();
        }
        return place.pos;
    }

    ZSTD_DCtx* context_ = ZSTD_createDCtx();
};

}  // namespace

Compression compression_of(std::span<const std::byte> first_bytes) {
    constexpr std::array<unsigned char, 2> gzip{0x1f, 0x8b};
    constexpr std::array<unsigned char, 6> xz{0xfd, '7', 'z', 'X', 'Z', 0};
    constexpr std::array<unsigned char, 4> zstd{0x28, 0xb5, 0x2f, 0xfd};
    if (starts_with(first_bytes, gzip)) return Compression::gzip;
    if (starts_with(first_bytes, xz)) return Compression::xz;
    if (starts_with(first_bytes, zstd)) return Compression::zstd;
    return Compression::none;
}

ByteStream::ByteStream(std::unique_ptr<Decoder> decoder) : decoder_(std::move(decoder)) {}
ByteStream::ByteStream(ByteStream&&) noexcept = default;
ByteStream& ByteStream::operator=(ByteStream&&) noexcept = default;
ByteStream::~ByteStream() = default;

Result<ByteStream> ByteStream::open(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    const auto make = [&]() -> std::unique_ptr<Decoder> {
        switch (compression_of(file.bytes())) {
            case Compression::gzip:
                return std::make_unique<GzipDecoder>(std::move(file), path.string());
            case Compression::xz:
                return std::make_unique<XzDecoder>(std::move(file), path.string());
            case Compression::zstd:
                return std::make_unique<ZstdDecoder>(std::move(file), path.string());
            case Compression::none:
                break;
        }
        return std::make_unique<PlainDecoder>(std::move(file), path.string());
    };
    return ByteStream(make());
}

Result<std::size_t> ByteStream::read(std::span<std::byte> out) { return decoder_->read(out); }
Compression ByteStream::compression() const { return decoder_->compression(); }
std::uint64_t ByteStream::bytes_taken() const { return decoder_->taken(); }
std::uint64_t ByteStream::file_bytes() const { return decoder_->size(); }
std::uint64_t ByteStream::bytes_given() const { return decoder_->given(); }

Result<std::vector<std::byte>> read_bytes(const std::filesystem::path& path, std::uint64_t most_bytes) {
    constexpr std::size_t step = std::size_t{1} << 22;
    PLIMSOLL_ASSIGN(stream, ByteStream::open(path));
    std::vector<std::byte> content;
    for (std::size_t filled = 0;;) {
        content.resize(filled + std::max(step, filled / 2));
        PLIMSOLL_ASSIGN(count, stream.read(std::span(content).subspan(filled)));
        filled += count;
        if (filled > most_bytes) {
            return bad_input(path.string(), fmt::format("holds more than the {} that are allowed here",
                                                        human_bytes(static_cast<double>(most_bytes))));
        }
        if (filled < content.size()) {
            content.resize(filled);
            return content;
        }
    }
}

}  // namespace plimsoll::data
