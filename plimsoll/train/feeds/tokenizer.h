#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/bpe/encode.h"

namespace plimsoll::train {

// The tokenizer of a run: bytes as they are, or byte-level BPE.
class Tokenizer {
  public:
    // "bytes", or a file that bpe::read_bpe() reads.
    static Result<Tokenizer> open(const std::string& name);

    // The ids of a text; special tokens are text like any other.
    [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text) const;
    // The bytes of the ids; an id without bytes (a separator, a padded vocabulary) gives none.
    [[nodiscard]] std::string decode(const std::vector<std::uint32_t>& ids) const;
    // Bytes that each id stands for.
    [[nodiscard]] std::vector<double> bytes() const;
    // Ids are below it.
    [[nodiscard]] std::size_t size() const { return encoder_ ? encoder_->model().tokens.size() : 256; }
    // What stands between two sentences: the first special token, or an id of its own after the others.
    [[nodiscard]] std::uint32_t separator() const;

  private:
    explicit Tokenizer(std::optional<bpe::BpeEncoder> encoder) : encoder_(std::move(encoder)) {}
    std::optional<bpe::BpeEncoder> encoder_;
};

}  // namespace plimsoll::train
