#include "plimsoll/bpe/stream.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "plimsoll/bpe/threads.h"

namespace plimsoll::bpe {
namespace {

// Threads take chunks in order, encode them at the same time and hand them on in order again.
class StreamEncoder {
  public:
    StreamEncoder(const BpeEncoder& encoder, ChunkReader reader, const EncodeOptions& options,
                  const IdSink& sink)
        : encoder_(encoder), reader_(std::move(reader)), options_(options), sink_(sink) {}

    Result<Encoded> run() {
        run_on_threads(thread_count(options_.threads), [this](std::size_t) {
            try {
                work();
            } catch (...) {
                stop(std::nullopt);
                throw;
            }
        });
        if (problem_) return *problem_;
        return done_;
    }

  private:
    void work() {
        BpeEncoder::Scratch scratch;
        std::vector<std::uint32_t> ids;
        while (const auto chunk = next_chunk()) {
            ids.clear();
            const Pause pause = [&](std::vector<std::uint32_t>& part) {
                hand_on(*chunk, part, false);
                part.clear();
            };
            for_each_unit(options_.unit, chunk->text, [&](std::string_view unit) {
                encoder_.encode(unit, options_.specials_as_text, scratch, ids, pause);
            });
            if (!hand_on(*chunk, ids, true)) return;
        }
    }
    std::optional<Chunk> next_chunk() {
        const std::lock_guard lock(reading_);
        if (stopped()) return std::nullopt;
        auto chunk = reader_.next();
        if (!chunk.ok()) {
            stop(chunk.error());
            return std::nullopt;
        }
        if (options_.progress) options_.progress(reader_.bytes_taken(), reader_.bytes_total());
        return std::move(chunk).value();
    }
    // Waits for the turn of the chunk and hands on its ids, or with `last` false a part of them; false when
    // a thread stopped.
    bool hand_on(const Chunk& chunk, std::span<const std::uint32_t> ids, bool last) {
        std::unique_lock lock(mutex_);
        turn_came_.wait(lock, [&] { return stopped_ || turn_ == chunk.index; });
        if (stopped_) return false;
        const Status written = sink_(ids);
        if (!written.ok()) {
            stopped_ = true;
            problem_ = written.error();
        }
        done_.tokens += ids.size();
        if (last) {
            done_.bytes += chunk.text.size();
            ++turn_;
        }
        turn_came_.notify_all();
        return !stopped_;
    }
    bool stopped() {
        const std::lock_guard lock(mutex_);
        return stopped_;
    }
    void stop(std::optional<Error> problem) {
        const std::lock_guard lock(mutex_);
        if (!stopped_) problem_ = std::move(problem);
        stopped_ = true;
        turn_came_.notify_all();
    }

    const BpeEncoder& encoder_;
    ChunkReader reader_;
    const EncodeOptions& options_;
    const IdSink& sink_;
    std::mutex reading_, mutex_;
    std::condition_variable turn_came_;
    std::uint64_t turn_ = 0;
    bool stopped_ = false;
    std::optional<Error> problem_;
    Encoded done_;
};

}  // namespace

Result<Encoded> encode_file(const BpeEncoder& encoder, const std::filesystem::path& path,
                            const EncodeOptions& options, const IdSink& sink) {
    CutRule rule{encoder.model().pretokenizer, options.unit};
    if (!options.specials_as_text) {
        for (const SpecialToken& special : encoder.model().specials) rule.whole.push_back(special.text);
    }
    PLIMSOLL_ASSIGN(reader, ChunkReader::open({path}, rule, {.most_bytes = options.max_memory}));
    return StreamEncoder(encoder, std::move(reader), options, sink).run();
}

}  // namespace plimsoll::bpe
