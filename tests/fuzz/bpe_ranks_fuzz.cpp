// Any text is a file of tiktoken ranks or an error; what was read is written the same, and gives any text
// back.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/bpe/encode.h"
#include "plimsoll/bpe/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    // A vocabulary of bytes before it, so that small inputs are tokenizers.
    bpe::BpeModel bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.tokens.emplace_back(1, static_cast<char>(byte));
    static_cast<void>(bpe::bpe_of_ranks(input, {}, "input"));
    const auto model = bpe::bpe_of_ranks(bpe::rank_text(bytes) + std::string(input), {}, "input");
    if (!model.ok()) return 0;
    const auto again = bpe::bpe_of_ranks(bpe::rank_text(*model), {}, "again");
    PLIMSOLL_CHECK(again.ok() && *again == *model, "what was written must be read the same");
    const auto encoder = bpe::BpeEncoder::make(*model);
    bpe::BpeEncoder::Scratch scratch;
    std::vector<std::uint32_t> ids;
    encoder->encode(input, false, scratch, ids);
    std::string text;
    PLIMSOLL_CHECK(encoder->decode(ids, text).ok() && text == input, "what was encoded must come back");
    return 0;
}
