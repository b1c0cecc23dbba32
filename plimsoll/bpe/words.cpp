#include "plimsoll/bpe/words.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/bpe/threads.h"

namespace plimsoll::bpe {
namespace {

constexpr std::size_t first_slots = 16;
constexpr std::size_t largest_block = std::size_t{1} << 20U;
constexpr unsigned shard_bits = 6;
constexpr std::size_t shards = std::size_t{1} << shard_bits;

std::size_t shard_of(std::uint64_t hash) { return hash >> (64U - shard_bits); }

std::uint64_t mix(std::uint64_t value) {
    value *= 0x9e3779b97f4a7c15U;
    return value ^ value >> 32U;
}

using Shards = std::array<WordTable, shards>;

std::uint64_t memory_of(const Shards& tables) {
    std::uint64_t sum = 0;
    for (const WordTable& table : tables) sum += table.memory();
    return sum;
}

}  // namespace

std::uint64_t hash_of(std::string_view word) {
    std::uint64_t hash = word.size();
    const char* at = word.data();
    std::size_t left = word.size();
    std::uint64_t piece = 0;
    for (; left >= sizeof(piece); at += sizeof(piece), left -= sizeof(piece)) {
        std::memcpy(&piece, at, sizeof(piece));
        hash = mix(hash ^ piece);
    }
    piece = 0;
    if (left > 0) std::memcpy(&piece, at, left);
    return mix(mix(hash ^ piece));
}

WordTable::Entry& WordTable::slot_of(std::string_view word, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        Entry& entry = slots_[at];
        if (entry.data == nullptr || (entry.hash == hash && entry.word() == word)) return entry;
    }
}

void WordTable::grow() {
    std::vector<Entry> old(std::max(first_slots, 2 * slots_.size()));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Entry& entry : old) {
        if (entry.data == nullptr) continue;
        std::size_t at = entry.hash & mask;
        while (slots_[at].data != nullptr) at = (at + 1) & mask;
        slots_[at] = entry;
    }
}

const char* WordTable::keep(std::string_view word) {
    if (word.size() > block_left_) {
        const std::size_t size = std::max(word.size(), next_block_);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
        block_bytes_ += size;
        block_left_ = size;
        next_block_ = std::min(2 * next_block_, largest_block);
    }
    // Blocks are filled from the back, so that one number says what is left.
    char* const place = blocks_.back().get() + (block_left_ - word.size());
    std::memcpy(place, word.data(), word.size());
    block_left_ -= word.size();
    return place;
}

void WordTable::add(std::string_view word, std::uint64_t hash, std::uint64_t count) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Entry& entry = slot_of(word, hash);
    if (entry.data == nullptr) {
        entry = {hash, 0, keep(word), word.size()};
        ++size_;
    }
    entry.count += count;
}

void WordTable::add_all(const WordTable& other) {
    for (const Entry& theirs : other.slots_) {
        if (theirs.data == nullptr) continue;
        if (2 * (size_ + 1) > slots_.size()) grow();
        Entry& entry = slot_of(theirs.word(), theirs.hash);
        if (entry.data == nullptr) {
            entry = theirs;
            ++size_;
        } else {
            entry.count += theirs.count;
        }
    }
}

std::uint64_t WordCounts::distinct() const {
    std::uint64_t sum = 0;
    for (const WordTable* table : tables_) sum += table->size();
    return sum;
}

std::uint64_t WordCounts::total() const {
    std::uint64_t sum = 0;
    for_each([&](std::string_view, std::uint64_t count) { sum += count; });
    return sum;
}

std::uint64_t WordCounts::count_of(std::string_view word) const {
    std::uint64_t found = 0;
    for_each([&](std::string_view other, std::uint64_t count) { found += other == word ? count : 0; });
    return found;
}

// Each thread counts the chunks it takes in tables of its own; then the tables of each hash are added up.
class WordCounter {
  public:
    WordCounter(ChunkReader reader, const WordOptions& options)
        : reader_(std::move(reader)), options_(options), threads_(thread_count(options.threads)) {}

    Result<WordCounts> run() {
        for (std::size_t i = 0; i < threads_; ++i) tables_.push_back(std::make_shared<Shards>());
        run_on_threads(threads_, [this](std::size_t thread) { count_chunks(*tables_[thread]); });
        if (problem_) return *problem_;
        std::atomic<std::size_t> next{0};
        run_on_threads(threads_, [&](std::size_t) {
            for (std::size_t shard; (shard = next++) < shards;) add_up(shard);
        });
        WordCounts counts;
        counts.owners_.assign(tables_.begin(), tables_.end());
        for (const WordTable& table : *tables_.front()) counts.tables_.push_back(&table);
        return counts;
    }

  private:
    void count_chunks(Shards& tables) {
        std::uint64_t memory = 0;
        while (const auto chunk = next_chunk()) {
            count_chunk(chunk->text, tables);
            const std::uint64_t now = memory_of(tables);
            check_memory(memory_ += now - memory);
            memory = now;
        }
    }
    std::optional<Chunk> next_chunk() {
        const std::lock_guard lock(mutex_);
        if (problem_) return std::nullopt;
        auto chunk = reader_.next();
        if (!chunk.ok()) {
            problem_ = chunk.error();
            return std::nullopt;
        }
        if (options_.progress) options_.progress(reader_.bytes_taken(), reader_.bytes_total());
        return std::move(chunk).value();
    }
    void count_chunk(std::string_view text, Shards& tables) const {
        for_each_unit(options_.unit, text, [&](std::string_view unit) {
            for_each_pretoken(options_.pretokenizer, unit, [&](std::string_view word) {
                const std::uint64_t hash = hash_of(word);
                tables[shard_of(hash)].add(word, hash, 1);
            });
        });
    }
    void check_memory(std::uint64_t used) {
        if (used <= options_.max_memory) return;
        const std::lock_guard lock(mutex_);
        if (problem_) return;
        problem_ =
            unsupported("max-memory", fmt::format("the words of the text need more than {}; give more, "
                                                  "or fewer threads",
                                                  human_bytes(double(options_.max_memory))));
    }
    void add_up(std::size_t shard) {
        for (std::size_t thread = 1; thread < threads_; ++thread)
            (*tables_[0])[shard].add_all((*tables_[thread])[shard]);
    }

    ChunkReader reader_;
    const WordOptions& options_;
    std::size_t threads_;
    std::mutex mutex_;
    std::optional<Error> problem_;
    std::atomic<std::uint64_t> memory_{0};
    std::vector<std::shared_ptr<Shards>> tables_;
};

Result<WordCounts> count_words(const std::vector<std::filesystem::path>& files, const WordOptions& options) {
    const CutRule rule{options.pretokenizer, options.unit};
    PLIMSOLL_ASSIGN(reader, ChunkReader::open(files, rule, {.most_bytes = options.max_memory}));
    return WordCounter(std::move(reader), options).run();
}

}  // namespace plimsoll::bpe
