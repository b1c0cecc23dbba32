#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/bpe/chunks.h"

namespace plimsoll::bpe {

// Words with their counts: open addressing, the bytes of the words in blocks that do not move.
class WordTable {
  public:
    struct Entry {
        std::uint64_t hash = 0, count = 0;
        const char* data = nullptr;  // null for a free slot
        std::uint64_t size = 0;
        [[nodiscard]] std::string_view word() const { return {data, size}; }
    };

    // Adds `count` of a word that is not empty; a new one is copied.
    void add(std::string_view word, std::uint64_t hash, std::uint64_t count);
    // Adds the words of another table without copying: it must outlive this one.
    void add_all(const WordTable& other);
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::uint64_t memory() const { return slots_.size() * sizeof(Entry) + block_bytes_; }
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const Entry& entry : slots_) {
            if (entry.data != nullptr) visit(entry.word(), entry.count);
        }
    }

  private:
    Entry& slot_of(std::string_view word, std::uint64_t hash);
    void grow();
    const char* keep(std::string_view word);

    std::vector<Entry> slots_;
    std::size_t size_ = 0;
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::uint64_t block_bytes_ = 0;
    std::size_t block_left_ = 0, next_block_ = std::size_t{1} << 12U;
};

std::uint64_t hash_of(std::string_view word);

// The words of a corpus: each word is in the table of its hash, and in one only.
class WordCounts {
  public:
    [[nodiscard]] std::uint64_t distinct() const;
    [[nodiscard]] std::uint64_t total() const;
    // How often a word occurs.
    [[nodiscard]] std::uint64_t count_of(std::string_view word) const;
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const WordTable* table : tables_) table->for_each(visit);
    }

  private:
    friend class WordCounter;
    std::vector<std::shared_ptr<void>> owners_;
    std::vector<const WordTable*> tables_;
};

struct WordOptions {
    Pretokenizer pretokenizer = Pretokenizer::gpt2;
    TextUnit unit = TextUnit::file;
    std::size_t threads = 0;                // 0: all of the machine's
    std::uint64_t max_memory = UINT64_MAX;  // bytes; `unsupported` when the words need more
    ProgressCallback progress = nullptr;    // bytes of the files
};

// Counts the pre-tokens of the files; the same whatever the number of threads and the order of the files.
Result<WordCounts> count_words(const std::vector<std::filesystem::path>& files, const WordOptions& options);

}  // namespace plimsoll::bpe
