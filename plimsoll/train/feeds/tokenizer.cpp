#include "plimsoll/train/feeds/tokenizer.h"

#include "plimsoll/bpe/files.h"

namespace plimsoll::train {

Result<Tokenizer> Tokenizer::open(const std::string& name) {
    if (name == "bytes") return Tokenizer(std::nullopt);
    PLIMSOLL_ASSIGN(model, bpe::read_bpe(name));
    PLIMSOLL_ASSIGN(encoder, bpe::BpeEncoder::make(std::move(model)));
    return Tokenizer(std::move(encoder));
}

std::vector<std::uint32_t> Tokenizer::encode(std::string_view text) const {
    std::vector<std::uint32_t> ids;
    if (encoder_) {
        bpe::BpeEncoder::Scratch scratch;
        encoder_->encode(text, true, scratch, ids);
        return ids;
    }
    ids.reserve(text.size());
    for (const char byte : text) ids.push_back(static_cast<unsigned char>(byte));
    return ids;
}

std::string Tokenizer::decode(const std::vector<std::uint32_t>& ids) const {
    std::string text;
    for (const std::uint32_t id : ids) {
        if (id >= size()) continue;
        if (encoder_) {
            text += encoder_->model().tokens[id];
        } else {
            text += static_cast<char>(id);
        }
    }
    return text;
}

std::vector<double> Tokenizer::bytes() const {
    if (!encoder_) return std::vector<double>(256, 1.0);
    std::vector<double> result;
    for (const auto& token : encoder_->model().tokens) result.push_back(static_cast<double>(token.size()));
    return result;
}

std::uint32_t Tokenizer::separator() const {
    if (!encoder_) return 256;
    const auto& specials = encoder_->model().specials;
    return specials.empty() ? static_cast<std::uint32_t>(size()) : specials.front().id;
}

}  // namespace plimsoll::train
