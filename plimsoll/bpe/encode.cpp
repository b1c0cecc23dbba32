#include "plimsoll/bpe/encode.h"

#include <algorithm>
#include <cstring>

#include "plimsoll/base/format.h"
#include "plimsoll/bpe/merger.h"

namespace plimsoll::bpe {
namespace {

constexpr std::size_t key_bytes = 16;  // the last one holds the length
constexpr std::size_t slot_ids = 11;
constexpr std::size_t slot_count = std::size_t{1} << 16U;
constexpr std::size_t probes = 4;
constexpr std::size_t most_held = std::size_t{1} << 22U;  // ids, when a sink takes them

// The first `count` bytes of a word of eight.
std::uint64_t low_bytes(std::uint64_t word, std::size_t count) {
    return count >= sizeof(word) ? word : word & ((std::uint64_t{1} << (8 * count)) - 1);
}

}  // namespace

// The ids of the pieces met before.
struct BpeEncoder::Scratch::State {
    struct Key {
        std::uint64_t low = 0, high = 0;
        bool operator==(const Key&) const = default;
        // The key of a piece of 1 to 15 bytes in a text that ends at `last`.
        static Key of(std::string_view piece, const char* last);
        [[nodiscard]] std::size_t slot() const {
            std::uint64_t hash = (low ^ high >> 29U ^ high << 35U) * 0x9e3779b97f4a7c15U;
            hash = (hash ^ hash >> 32U) * 0xd6e8feb86659fd93U;
            return (hash >> 40U) & (slot_count - 1);
        }
    };

    // One cache line: a piece and its ids.
    struct alignas(64) Slot {
        Key key;
        std::uint32_t count = 0;
        std::array<std::uint32_t, slot_ids> ids{};
    };
    static_assert(sizeof(Slot) == 64);

    std::vector<Slot> slots = std::vector<Slot>(slot_count);

    // The slot of the key, or the one to put it in.
    Slot& find(const Key& key) {
        const std::size_t home = key.slot();
        for (std::size_t step = 0; step < probes; ++step) {
            Slot& slot = slots[(home + step) & (slot_count - 1)];
            if (slot.key == key || slot.count == 0) return slot;
        }
        return slots[home];
    }
};

// The bytes of a piece of 1 to 15 and its length. Read in two words where the text continues after it: many
// times as fast as copying byte by byte.
inline auto BpeEncoder::Scratch::State::Key::of(std::string_view piece, const char* last) -> Key {
    constexpr std::size_t half = key_bytes / 2;
    std::array<char, key_bytes> copy{};
    const char* from = piece.data();
    if (last - from < static_cast<std::ptrdiff_t>(key_bytes)) {
        std::memcpy(copy.data(), from, piece.size());
        from = copy.data();
    }
    Key key;
    std::memcpy(&key.low, from, half);
    std::memcpy(&key.high, from + half, half);
    key.low = low_bytes(key.low, piece.size());
    key.high = low_bytes(key.high, piece.size() - std::min(piece.size(), half));
    key.high |= std::uint64_t{piece.size()} << 56U;
    return key;
}

BpeEncoder::Scratch::Scratch() : state_(std::make_unique<State>()) {}
BpeEncoder::Scratch::~Scratch() = default;
BpeEncoder::Scratch::Scratch(Scratch&&) noexcept = default;

// A special token in a text: where, and which; nullptr for none.
struct BpeEncoder::Found {
    std::size_t place = 0;
    const SpecialToken* token = nullptr;
};

BpeEncoder::BpeEncoder(BpeModel model, const std::array<std::uint32_t, 256>& byte_ids)
    : model_(std::move(model)) {
    // The longest first: of two that begin at a place, the longer is meant.
    std::ranges::stable_sort(model_.specials, std::greater(),
                             [](const SpecialToken& token) { return token.text.size(); });
    for (const SpecialToken& token : model_.specials)
        starts_special_[static_cast<unsigned char>(token.text.front())] = true;
    merger_ = std::make_unique<PieceMerger>(model_, byte_ids);
}

BpeEncoder::BpeEncoder(BpeEncoder&&) noexcept = default;
BpeEncoder::~BpeEncoder() = default;

Result<BpeEncoder> BpeEncoder::make(BpeModel model) {
    PLIMSOLL_ASSIGN(byte_ids, model.byte_ids());
    return BpeEncoder(std::move(model), byte_ids);
}

BpeEncoder::Found BpeEncoder::find_special(std::string_view text, std::size_t from) const {
    for (std::size_t place = from; place < text.size(); ++place) {
        if (!starts_special_[static_cast<unsigned char>(text[place])]) continue;
        for (const SpecialToken& token : model_.specials) {
            if (text.substr(place).starts_with(token.text)) return {place, &token};
        }
    }
    return {text.size(), nullptr};
}

void BpeEncoder::encode(std::string_view text, bool specials_as_text, Scratch& scratch,
                        std::vector<std::uint32_t>& ids, const Pause& pause) const {
    if (specials_as_text || model_.specials.empty()) return encode_ordinary(text, scratch, ids, pause);
    for (std::size_t from = 0; from < text.size();) {
        const Found found = find_special(text, from);
        encode_ordinary(text.substr(from, found.place - from), scratch, ids, pause);
        if (found.token == nullptr) return;
        ids.push_back(found.token->id);
        from = found.place + found.token->text.size();
    }
}

void BpeEncoder::encode_ordinary(std::string_view text, Scratch& scratch, std::vector<std::uint32_t>& ids,
                                 const Pause& pause) const {
    auto& cache = *scratch.state_;
    const char* const last = text.data() + text.size();
    for_each_pretoken(model_.pretokenizer, text, [&](std::string_view piece) {
        if (pause && ids.size() > most_held) pause(ids);
        if (piece.size() >= key_bytes) return merger_->merge(piece, ids, pause);
        const auto key = Scratch::State::Key::of(piece, last);
        auto& slot = cache.find(key);
        if (slot.key == key) {
            ids.insert(ids.end(), slot.ids.begin(), slot.ids.begin() + slot.count);
            return;
        }
        const std::size_t before = ids.size();
        merger_->merge(piece, ids);
        const std::size_t count = ids.size() - before;
        if (count > slot_ids) return;
        slot.key = key;
        slot.count = static_cast<std::uint32_t>(count);
        std::copy(ids.end() - static_cast<std::ptrdiff_t>(count), ids.end(), slot.ids.begin());
    });
}

Status BpeEncoder::decode(std::span<const std::uint32_t> ids, std::string& bytes) const {
    for (const std::uint32_t id : ids) {
        if (id >= model_.tokens.size() || model_.tokens[id].empty()) {
            return bad_input("ids",
                             fmt::format("{} is not a token of this vocabulary of {}", id, model_.size()));
        }
        bytes += model_.tokens[id];
    }
    return {};
}

}  // namespace plimsoll::bpe
