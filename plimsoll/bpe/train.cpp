#include "plimsoll/bpe/train.h"

#include <algorithm>
#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/bpe/corpus.h"

namespace plimsoll::bpe {
namespace {

constexpr std::uint64_t bytes_in_alphabet = 256;
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 24U;

Status check_specials(const std::vector<std::string>& specials) {
    for (auto one = specials.begin(); one != specials.end(); ++one) {
        if (one->empty() || !is_utf8(*one)) return bad_input("special", "must be UTF-8 and not empty");
        if (std::find(specials.begin(), one, *one) != one)
            return bad_input("special", fmt::format("'{}' is given twice", printable(*one)));
        const auto bytes = bytes_of_text(*one);
        if (bytes.ok() && bytes->size() == 1) {
            return bad_input("special",
                             fmt::format("'{}' already stands for a byte in the vocabulary", *one));
        }
    }
    return {};
}

Status check_request(const BpeTraining& training) {
    PLIMSOLL_RETURN_IF_ERROR(check_specials(training.specials));
    const std::uint64_t least = bytes_in_alphabet + training.specials.size();
    if (training.vocab >= least && training.vocab <= most_tokens) return {};
    return bad_input("vocab", fmt::format("must be {} (256 bytes and {} special tokens) to {}, got {}", least,
                                          training.specials.size(), most_tokens, training.vocab));
}

// Special tokens first, then the bytes in the order of their printable characters.
BpeModel start_of(const BpeTraining& training) {
    BpeModel model{.pretokenizer = training.pretokenizer};
    for (const std::string& text : training.specials) {
        model.specials.push_back({static_cast<std::uint32_t>(model.tokens.size()), text});
        model.tokens.push_back(text);
    }
    for (const unsigned char byte : alphabet_order()) model.tokens.emplace_back(1, static_cast<char>(byte));
    return model;
}

// What one merge changes for the pairs of one neighbour.
struct Change {
    std::int64_t lost = 0;   // of the pair that was there before
    std::int64_t fresh = 0;  // of the pair with the new token
    std::uint32_t places = 0;
    std::uint32_t* list = nullptr;
};

// The changes on one side of the merged places, by the token that stands there.
class Side {
  public:
    void grow(std::size_t tokens) { changes_.resize(tokens); }
    // A new pair with `token`, found at `place`.
    void add(std::uint32_t token, std::uint32_t place, std::int64_t count, std::int64_t lost) {
        Change& change = changes_[token];
        if (change.places++ == 0) tokens_.push_back(token);
        change.fresh += count;
        change.lost += lost;
        records_.push_back({token, place});
    }
    // A pair that was added and is gone again.
    void undo(std::uint32_t token, std::int64_t count) { changes_[token].fresh -= count; }

    // Calls settle(token, change) for each token with its list of places, and forgets all.
    template <class Settle>
    void settle(PlaceArena& arena, const Settle& settle) {
        for (const std::uint32_t token : tokens_) {
            Change& change = changes_[token];
            if (change.fresh > 0) change.list = arena.take(change.places);
            change.places = 0;
        }
        for (const auto& [token, place] : records_) {
            Change& change = changes_[token];
            if (change.list != nullptr) change.list[change.places++] = place;
        }
        for (const std::uint32_t token : tokens_) {
            settle(token, changes_[token]);
            changes_[token] = {};
        }
        tokens_.clear();
        records_.clear();
    }

  private:
    struct Record {
        std::uint32_t token, place;
    };
    std::vector<Change> changes_;
    std::vector<std::uint32_t> tokens_;
    std::vector<Record> records_;
};

// Learns merges from a corpus until the vocabulary is full or no pair is left.
class Trainer {
  public:
    Trainer(BpeModel model, BpeCorpus corpus, const BpeTraining& training)
        : model_(std::move(model)), corpus_(std::move(corpus)), training_(training) {
        for (const SpecialToken& special : model_.specials)
            special_bytes_.push_back(bytes_of_text(special.text));
        for (const std::string& token : model_.tokens) note_length(token);
    }

    Result<BpeModel> run() {
        if (model_.tokens.size() < training_.vocab) start();
        while (model_.tokens.size() < training_.vocab && !queue_.empty()) {
            const PairQueue::Item top = queue_.pop();
            const PairPositions pair = pairs_[top.key];
            if (pair.count != top.count) {
                if (pair.count > 0) queue_.push({pair.count, top.key});
                continue;
            }
            if (static_cast<std::uint64_t>(top.count) < training_.min_frequency) break;
            PLIMSOLL_RETURN_IF_ERROR(merge(pair));
        }
        return std::move(model_);
    }

  private:
    void note_length(const std::string& token) {
        lengths_.push_back(static_cast<std::uint32_t>(token.size()));
        left_.grow(lengths_.size());
        right_.grow(lengths_.size());
    }
    void start() {
        corpus_.collect_pairs(pairs_, arena_);
        pairs_.for_each([&](const PairPositions& pair) { queue_.push({pair.count, pair.key}); });
    }

    Status merge(const PairPositions& pair) {
        const std::uint32_t left = left_of(pair.key), right = right_of(pair.key);
        PLIMSOLL_ASSIGN(token, token_for(left, right));
        model_.merges.push_back({left, right, token, static_cast<std::uint32_t>(model_.merges.size())});
        const auto places = pair.all();
        constexpr std::size_t ahead = 16;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (i + ahead < places.size()) corpus_.prefetch(places[i + ahead]);
            if (corpus_.at(places[i]) == left && corpus_.at(places[i] + lengths_[left]) == right)
                merge_at(places[i], left, right, token);
        }
        settle(left, right, token);
        if (training_.merging) training_.merging(model_.tokens.size(), training_.vocab);
        return check_memory();
    }

    // The places are visited in ascending order, so a merged pair may stand on the left but not on the right.
    void merge_at(std::uint32_t place, std::uint32_t left, std::uint32_t right, std::uint32_t token) {
        const std::int64_t count = corpus_.count_at(place);
        const auto [neighbour, where] = corpus_.before(place);
        if (neighbour == token) {
            right_.undo(left, count);
            left_.add(token, where, count, 0);
        } else if (neighbour != BpeCorpus::none) {
            left_.add(neighbour, where, count, count);
        }
        const std::uint32_t behind = corpus_.at(place + lengths_[left] + lengths_[right]);
        if (behind != BpeCorpus::none) right_.add(behind, place, count, count);
        corpus_.join(place, lengths_[left], lengths_[right], token);
    }

    void settle(std::uint32_t left, std::uint32_t right, std::uint32_t token) {
        left_.settle(arena_, [&](std::uint32_t neighbour, const Change& change) {
            if (change.lost > 0) pairs_[pair_key(neighbour, left)].count -= change.lost;
            make_pair(pair_key(neighbour, token), change);
        });
        right_.settle(arena_, [&](std::uint32_t neighbour, const Change& change) {
            if (change.lost > 0) pairs_[pair_key(right, neighbour)].count -= change.lost;
            make_pair(pair_key(token, neighbour), change);
        });
    }
    void make_pair(std::uint64_t key, const Change& change) {
        if (change.fresh <= 0) return;
        PairPositions& pair = pairs_[key];
        pair.count = change.fresh;
        pair.places = change.list;
        pair.size = change.places;
        queue_.push({pair.count, key});
    }

    // A new token, or the special token whose text the merge spells.
    Result<std::uint32_t> token_for(std::uint32_t left, std::uint32_t right) {
        std::string bytes = model_.tokens[left] + model_.tokens[right];
        for (std::size_t i = 0; i < special_bytes_.size(); ++i) {
            if (!special_bytes_[i].ok() || *special_bytes_[i] != bytes) continue;
            if (bytes == model_.specials[i].text) return model_.specials[i].id;
            return bad_input("special",
                             fmt::format("'{}' is the written form of a token of this text; choose another",
                                         printable(model_.specials[i].text)));
        }
        note_length(bytes);
        model_.tokens.push_back(std::move(bytes));
        return static_cast<std::uint32_t>(model_.tokens.size() - 1);
    }

    [[nodiscard]] Status check_memory() const {
        const std::uint64_t used = corpus_.memory() + pairs_.memory() + arena_.memory() + queue_.memory();
        if (used <= training_.max_memory) return {};
        return unsupported("max-memory",
                           fmt::format("the pairs of the text need more than {}; allow more memory",
                                       human_bytes(double(training_.max_memory))));
    }

    BpeModel model_;
    BpeCorpus corpus_;
    const BpeTraining& training_;
    std::vector<Result<std::string>> special_bytes_;
    std::vector<std::uint32_t> lengths_;
    PairTable pairs_;
    PlaceArena arena_;
    PairQueue queue_;
    Side left_, right_;
};

Status check_cells(const WordCounts& words, const BpeTraining& training) {
    const std::uint64_t cells = BpeCorpus::cells_of(words);
    if (BpeCorpus::memory_for(cells) <= training.max_memory && cells <= BpeCorpus::most_cells) return {};
    return unsupported(
        "max-memory",
        fmt::format("the distinct words of the text have {} bytes, which need {}; allow more, or "
                    "cut the text into shorter words (--unit line, --pretokenizer gpt2)",
                    cells, human_bytes(double(BpeCorpus::memory_for(cells)))));
}

Error ran_out(const BpeTraining& training, std::size_t reached) {
    const std::string rare =
        training.min_frequency > 1 ? fmt::format(" that occurs {} times", training.min_frequency) : "";
    return bad_input("vocab", fmt::format("the text has no pair{} left after {} tokens of the {} requested; "
                                          "give more text, or accept {} (--allow-smaller)",
                                          rare, reached, training.vocab, reached));
}

}  // namespace

Result<TrainedBpe> train_bpe(const WordCounts& words, const BpeTraining& training) {
    PLIMSOLL_RETURN_IF_ERROR(check_request(training));
    PLIMSOLL_RETURN_IF_ERROR(check_cells(words, training));
    BpeModel model = start_of(training);
    PLIMSOLL_ASSIGN(byte_ids, model.byte_ids());
    PLIMSOLL_ASSIGN(learned, Trainer(std::move(model), BpeCorpus(words, byte_ids), training).run());
    if (learned.tokens.size() < training.vocab && !training.allow_smaller)
        return ran_out(training, learned.tokens.size());
    return TrainedBpe{std::move(learned), words.total(), words.distinct()};
}

Result<TrainedBpe> train_bpe(const std::vector<std::filesystem::path>& files, const BpeTraining& training) {
    PLIMSOLL_RETURN_IF_ERROR(check_request(training));
    const WordOptions options{training.pretokenizer, training.unit, training.threads, training.max_memory,
                              training.counting};
    PLIMSOLL_ASSIGN(words, count_words(files, options));
    return train_bpe(words, training);
}

}  // namespace plimsoll::bpe
