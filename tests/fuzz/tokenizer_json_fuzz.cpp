// Any text is a tokenizer.json or an error; a BPE can be written and is then read the same, and one that is
// byte-level gives any text back.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/bpe/encode.h"
#include "plimsoll/bpe/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = formats::parse_tokenizer_json(input, "input");
    if (!tokenizer.ok()) return 0;
    static_cast<void>(tokenizer->rows());
    if (tokenizer->kind != formats::TokenizerKind::bpe) return 0;
    const auto text = formats::tokenizer_json_text(*tokenizer);  // reads its own text back
    PLIMSOLL_CHECK(text.ok(), "what was read must be writable");
    auto model = bpe::bpe_of_json(*tokenizer, "input");
    if (!model.ok()) return 0;
    const auto encoder = bpe::BpeEncoder::make(std::move(model).value());
    bpe::BpeEncoder::Scratch scratch;
    std::vector<std::uint32_t> ids;
    encoder->encode(input, false, scratch, ids);
    std::string again;
    PLIMSOLL_CHECK(encoder->decode(ids, again).ok() && again == input, "what was encoded must come back");
    return 0;
}
