// Any bytes are token ids or an error, in both widths; no id is outside the vocabulary.
#include <cstdint>

#include "plimsoll/base/check.h"
#include "plimsoll/data/describe/corpus_report.h"
#include "plimsoll/data/readers/token_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll::data;
    const LoadedFile file{"input", std::vector<std::uint8_t>(data, data + size)};
    constexpr std::uint64_t vocabulary = 50257;
    for (const auto width : {std::optional<TokenWidth>(), std::optional(TokenWidth::bits16),
                             std::optional(TokenWidth::bits32)}) {
        const auto tokens = parse_tokens(file, {width, vocabulary});
        if (!tokens.ok()) continue;
        PLIMSOLL_CHECK(tokens->count() <= size / 2, "no more ids than bytes hold");
        PLIMSOLL_CHECK(report_tokens(*tokens).largest < vocabulary, "no id outside the vocabulary");
    }
    return 0;
}
