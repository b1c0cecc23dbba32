#include "plimsoll/bpe/chunks.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/readers/byte_stream.h"

namespace plimsoll::bpe {
namespace {

constexpr std::size_t npos = std::string_view::npos;

bool is_alphanumeric(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

// True when no occurrence of `whole` lies across `place`.
bool keeps_whole(std::string_view text, std::size_t place, std::string_view whole) {
    if (whole.size() < 2) return true;
    const std::size_t first = place - std::min(place, whole.size() - 1);
    const std::string_view around = text.substr(first, place - first + whole.size() - 1);
    return around.find(whole) == npos;
}

// Behind an ASCII letter or digit and before a space or line end: both patterns end a piece there, whatever
// stands on the other side, because no piece has white space behind a letter or digit.
std::size_t first_word_end(std::string_view text, std::size_t from, const CutRule& rule) {
    for (std::size_t place = from; (place = text.find_first_of(" \n", place)) != npos; ++place) {
        const auto kept = [&](const std::string& whole) { return keeps_whole(text, place, whole); };
        if (is_alphanumeric(text[place - 1]) && std::ranges::all_of(rule.whole, kept)) return place;
    }
    return npos;
}

std::size_t longest(const std::vector<std::string>& texts) {
    std::size_t size = 0;
    for (const std::string& text : texts) size = std::max(size, text.size());
    return size;
}

}  // namespace

std::string_view name_of(TextUnit unit) { return unit == TextUnit::file ? "file" : "line"; }

Result<TextUnit> parse_text_unit(std::string_view name) {
    if (name == "file") return TextUnit::file;
    if (name == "line") return TextUnit::line;
    const std::vector<std::string> names{"file", "line"};
    return bad_input("unit", "unknown '" + std::string(name) + "'" + suggestion(name, names));
}

std::size_t first_cut(std::string_view text, std::size_t from, const CutRule& rule) {
    if (rule.unit == TextUnit::line) {
        const std::size_t line_end = text.find('\n', from - 1);
        return line_end == npos ? npos : line_end + 1;
    }
    return rule.pretokenizer == Pretokenizer::none ? npos : first_word_end(text, from, rule);
}

// Plain files are cut where they lie in memory, compressed ones as they are unpacked.
class ChunkReader::Source {
  public:
    static Result<std::unique_ptr<Source>> open(const std::filesystem::path& path);
    virtual ~Source() = default;
    // The next chunk of this file; an empty text at its end.
    virtual Result<Chunk> next(const CutRule& rule, const Limits& limits) = 0;
    [[nodiscard]] virtual std::uint64_t bytes_taken() const = 0;
    [[nodiscard]] virtual std::uint64_t bytes_total() const = 0;
};

namespace {

class MappedSource final : public ChunkReader::Source {
  public:
    explicit MappedSource(MappedFile file) : file_(std::move(file)) {}

    Result<Chunk> next(const CutRule& rule, const ChunkReader::Limits& limits) override {
        const auto bytes = file_.bytes().subspan(taken_);
        const std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::size_t cut =
            rest.size() <= limits.chunk_bytes ? npos : first_cut(rest, limits.chunk_bytes, rule);
        const std::size_t size = std::min(cut, rest.size());
        taken_ += size;
        return Chunk{.index = 0, .text = rest.substr(0, size), .memory = {}};
    }
    [[nodiscard]] std::uint64_t bytes_taken() const override { return taken_; }
    [[nodiscard]] std::uint64_t bytes_total() const override { return file_.bytes().size(); }

  private:
    MappedFile file_;
    std::size_t taken_ = 0;
};

class StreamSource final : public ChunkReader::Source {
  public:
    StreamSource(data::ByteStream stream, std::string name)
        : stream_(std::move(stream)), name_(std::move(name)) {}

    Result<Chunk> next(const CutRule& rule, const ChunkReader::Limits& limits) override {
        // What is read must reach behind a cut by the longest text that is to stay whole.
        const std::size_t ahead = longest(rule.whole) + 1;
        std::size_t from = limits.chunk_bytes;
        for (;;) {
            PLIMSOLL_RETURN_IF_ERROR(fill(from + limits.chunk_bytes + ahead));
            const std::string_view text(pending_.data(), pending_.size());
            if (ended_ && text.size() <= limits.chunk_bytes) return take(text.size());
            const std::size_t seen = ended_ ? text.size() : text.size() - ahead;
            const std::size_t cut = first_cut(text, from, rule);
            if (cut < seen) return take(cut);
            if (ended_) return take(text.size());
            if (text.size() > limits.most_bytes) return too_long(limits);
            from = seen;
        }
    }
    [[nodiscard]] std::uint64_t bytes_taken() const override { return stream_.bytes_taken(); }
    [[nodiscard]] std::uint64_t bytes_total() const override { return stream_.file_bytes(); }

  private:
    Status fill(std::size_t wanted) {
        if (ended_ || pending_.size() >= wanted) return {};
        const std::size_t before = pending_.size();
        pending_.resize(std::max(wanted, before + before / 2));
        PLIMSOLL_ASSIGN(count, stream_.read(std::as_writable_bytes(std::span(pending_)).subspan(before)));
        ended_ = before + count < pending_.size();
        pending_.resize(before + count);
        return {};
    }
    Chunk take(std::size_t size) {
        Chunk chunk{.index = 0, .text = {}, .memory = std::move(pending_)};
        pending_.assign(chunk.memory.begin() + static_cast<std::ptrdiff_t>(size), chunk.memory.end());
        chunk.text = std::string_view(chunk.memory.data(), size);
        return chunk;
    }
    [[nodiscard]] Error too_long(const ChunkReader::Limits& limits) const {
        return unsupported(name_, fmt::format("has {} without a place to cut, which exceeds the memory "
                                              "limit; unpack the file, or cut it by lines (--unit line)",
                                              human_bytes(static_cast<double>(limits.most_bytes))));
    }

    data::ByteStream stream_;
    std::string name_;
    std::vector<char> pending_;
    bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ChunkReader::Source>> ChunkReader::Source::open(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    if (data::compression_of(file.bytes()) == data::Compression::none)
        return std::unique_ptr<Source>(std::make_unique<MappedSource>(std::move(file)));
    PLIMSOLL_ASSIGN(stream, data::ByteStream::open(path));
    return std::unique_ptr<Source>(std::make_unique<StreamSource>(std::move(stream), path.string()));
}

struct ChunkReader::State {
    std::vector<std::unique_ptr<Source>> sources;
    CutRule rule;
    Limits limits;
    std::size_t current = 0;
    std::uint64_t chunks = 0;
};

ChunkReader::ChunkReader() : state_(std::make_unique<State>()) {}
ChunkReader::ChunkReader(ChunkReader&&) noexcept = default;
ChunkReader::~ChunkReader() = default;

Result<ChunkReader> ChunkReader::open(std::vector<std::filesystem::path> files, CutRule rule, Limits limits) {
    ChunkReader reader;
    for (const auto& path : files) {
        PLIMSOLL_ASSIGN(source, Source::open(path));
        reader.state_->sources.push_back(std::move(source));
    }
    reader.state_->rule = std::move(rule);
    reader.state_->limits = limits;
    return reader;
}

Result<std::optional<Chunk>> ChunkReader::next() {
    State& state = *state_;
    for (; state.current < state.sources.size(); ++state.current) {
        PLIMSOLL_ASSIGN(chunk, state.sources[state.current]->next(state.rule, state.limits));
        if (chunk.text.empty()) continue;
        chunk.index = state.chunks++;
        return std::optional<Chunk>(std::move(chunk));
    }
    return std::optional<Chunk>();
}

std::uint64_t ChunkReader::bytes_taken() const {
    std::uint64_t sum = 0;
    for (const auto& source : state_->sources) sum += source->bytes_taken();
    return sum;
}
std::uint64_t ChunkReader::bytes_total() const {
    std::uint64_t sum = 0;
    for (const auto& source : state_->sources) sum += source->bytes_total();
    return sum;
}

}  // namespace plimsoll::bpe
