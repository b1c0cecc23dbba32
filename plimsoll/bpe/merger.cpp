#include "plimsoll/bpe/merger.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>

#include "plimsoll/bpe/pairs.h"

namespace plimsoll::bpe {
namespace {

constexpr std::size_t short_piece = 48;
constexpr std::uint64_t smallest_window = std::uint64_t{1} << 24U;
constexpr std::uint32_t no_rank = std::numeric_limits<std::uint32_t>::max();

// The tokens of a long piece as a list in an array, joined in the order of a heap.
class LongPiece {
  public:
    LongPiece(std::string_view piece, const std::array<std::uint32_t, 256>& byte_ids,
              const MergeTable& merges)
        : merges_(merges), links_(piece.size()) {
        for (std::uint32_t i = 0; i < piece.size(); ++i)
            links_[i] = {byte_ids[static_cast<unsigned char>(piece[i])], i - 1, i + 1};
        std::vector<WaitingMerge> first;
        for (std::uint32_t i = 0; i + 1 < piece.size(); ++i) {
            const MergeFact& merge = merges_.find(links_[i].id, links_[i + 1].id);
            if (merge.rank != no_rank) first.push_back({merge.rank, i, merge.key});
        }
        heap_ = Heap(Later(), std::move(first));
    }
    void run() {
        while (!heap_.empty()) {
            const WaitingMerge top = heap_.top();
            heap_.pop();
            const std::uint32_t next = links_[top.place].next;
            if (links_[top.place].id == gone || next >= links_.size()) continue;
            if (pair_key(links_[top.place].id, links_[next].id) == top.key) join(top.place, next);
        }
    }
    void append_to(std::vector<std::uint32_t>& ids) const {
        for (std::uint32_t i = 0; i < links_.size(); i = links_[i].next) ids.push_back(links_[i].id);
    }

  private:
    static constexpr std::uint32_t gone = no_rank;
    struct Link {
        std::uint32_t id, previous, next;  // a place that is none is beyond the end
    };
    struct WaitingMerge {
        std::uint32_t rank, place;
        std::uint64_t key;
    };
    struct Later {
        bool operator()(const WaitingMerge& a, const WaitingMerge& b) const {
            return a.rank != b.rank ? a.rank > b.rank : a.place > b.place;
        }
    };
    using Heap = std::priority_queue<WaitingMerge, std::vector<WaitingMerge>, Later>;

    void join(std::uint32_t place, std::uint32_t next) {
        Link& link = links_[place];
        link.id = merges_.find(link.id, links_[next].id).result;
        link.next = links_[next].next;
        links_[next].id = gone;
        if (link.next < links_.size()) links_[link.next].previous = place;
        if (link.previous < links_.size()) offer(link.previous);
        offer(place);
    }
    void offer(std::uint32_t place) {
        const std::uint32_t next = links_[place].next;
        if (next >= links_.size()) return;
        const MergeFact& merge = merges_.find(links_[place].id, links_[next].id);
        if (merge.rank != no_rank) heap_.push({merge.rank, place, merge.key});
    }

    const MergeTable& merges_;
    std::vector<Link> links_;
    Heap heap_;
};

}  // namespace

MergeTable::MergeTable(const std::vector<BpeMerge>& merges)
    : slots_(std::bit_ceil(std::max<std::size_t>(16, 2 * merges.size()))) {
    const std::size_t mask = slots_.size() - 1;
    for (const BpeMerge& merge : merges) {
        const std::uint64_t key = pair_key(merge.left, merge.right);
        std::size_t at = spread(key) & mask;
        while (slots_[at].key != UINT64_MAX && slots_[at].key != key) at = (at + 1) & mask;
        slots_[at] = {key, merge.rank, merge.result};
    }
}

const MergeFact& MergeTable::find(std::uint32_t left, std::uint32_t right) const {
    static constexpr MergeFact nothing;
    const std::uint64_t key = pair_key(left, right);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = spread(key) & mask;; at = (at + 1) & mask) {
        if (slots_[at].key == key) return slots_[at];
        if (slots_[at].key == UINT64_MAX) return nothing;
    }
}

PieceMerger::PieceMerger(const BpeModel& model, const std::array<std::uint32_t, 256>& byte_ids)
    : byte_ids_(byte_ids), merges_(model.merges), reach_(reach_of(model)) {
    for (const std::string& token : model.tokens) lengths_.push_back(token.size());
    if (!model.whole_pieces_first) return;
    for (std::uint32_t id = 0; id < model.tokens.size(); ++id) {
        const bool special = std::ranges::find(model.specials, id, &SpecialToken::id) != model.specials.end();
        if (!special && !model.tokens[id].empty()) whole_.emplace(model.tokens[id], id);
    }
}

// Where every merge comes after those that make its parts, merging is one pass from left to right for each
// rank in turn. A pass decides about a token by the token on its right and by what happened on its left, so
// it carries influence to the left by one token at most; all passes together by their number times the
// longest.
std::uint64_t PieceMerger::reach_of(const BpeModel& model) const {
    std::vector<std::uint32_t> made(model.tokens.size(), 0);  // one more than the rank that makes a token
    std::uint64_t longest = 1;
    for (const BpeMerge& merge : model.merges) {
        if (made[merge.left] > merge.rank || made[merge.right] > merge.rank) return UINT64_MAX;
        if (made[merge.result] != 0) return UINT64_MAX;
        made[merge.result] = merge.rank + 1;
        longest = std::max<std::uint64_t>(longest, model.tokens[merge.result].size());
    }
    for (const BpeMerge& merge : model.merges) {
        if (made[merge.left] > merge.rank || made[merge.right] > merge.rank) return UINT64_MAX;
    }
    return (model.merges.size() + 1) * longest;
}

void PieceMerger::merge(std::string_view piece, std::vector<std::uint32_t>& ids, const Pause& pause) const {
    if (!whole_.empty()) {
        const auto found = whole_.find(piece);
        if (found != whole_.end()) return ids.push_back(found->second);
    }
    if (piece.size() <= short_piece) return merge_short(piece, ids);
    merge_in_windows(piece, std::max(smallest_window, reach_ < UINT64_MAX / 8 ? 8 * reach_ : UINT64_MAX), ids,
                     pause);
}

void PieceMerger::merge_in_windows(std::string_view piece, std::uint64_t window,
                                   std::vector<std::uint32_t>& ids, const Pause& pause) const {
    while (piece.size() > window && window > reach_) {
        // Tokens that end farther from the window's end than the reach are those of the whole piece.
        const std::size_t first = ids.size();
        merge_long(piece.substr(0, window), ids);
        std::size_t done = 0, kept = first;
        while (kept < ids.size() && done + lengths_[ids[kept]] + reach_ <= window)
            done += lengths_[ids[kept++]];
        if (done == 0) {
            ids.resize(first);
            break;
        }
        ids.resize(kept);
        piece.remove_prefix(done);
        if (pause) pause(ids);
    }
    merge_long(piece, ids);
}

void PieceMerger::merge_short(std::string_view piece, std::vector<std::uint32_t>& ids) const {
    struct Part {
        std::uint32_t id, rank, result;  // of the merge with the next part
    };
    std::array<Part, short_piece> parts{};
    std::size_t count = piece.size();
    for (std::size_t i = 0; i < count; ++i)
        parts[i] = {byte_ids_[static_cast<unsigned char>(piece[i])], no_rank, 0};
    const auto look_up = [&](std::size_t i) {
        parts[i].rank = no_rank;
        if (i + 1 >= count) return;
        const MergeFact& merge = merges_.find(parts[i].id, parts[i + 1].id);
        parts[i].rank = merge.rank;
        parts[i].result = merge.result;
    };
    for (std::size_t i = 0; i < count; ++i) look_up(i);
    for (;;) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < count; ++i) best = parts[i].rank < parts[best].rank ? i : best;
        if (parts[best].rank == no_rank) break;
        parts[best].id = parts[best].result;
        --count;
        for (std::size_t i = best + 1; i < count; ++i) parts[i] = parts[i + 1];
        look_up(best);
        if (best > 0) look_up(best - 1);
    }
    for (std::size_t i = 0; i < count; ++i) ids.push_back(parts[i].id);
}

void PieceMerger::merge_long(std::string_view piece, std::vector<std::uint32_t>& ids) const {
    LongPiece long_piece(piece, byte_ids_, merges_);
    long_piece.run();
    long_piece.append_to(ids);
}

}  // namespace plimsoll::bpe
