// Any text is a tokenizer.json or an error; a BPE can be written and is then read the same.
#include <cstdint>
#include <string_view>

#include "plimsoll/base/check.h"
#include "plimsoll/formats/tokenizer_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace plimsoll;
    const auto tokenizer =
        formats::parse_tokenizer_json({reinterpret_cast<const char*>(data), size}, "input");
    if (!tokenizer.ok()) return 0;
    static_cast<void>(tokenizer->rows());
    if (tokenizer->kind != formats::TokenizerKind::bpe) return 0;
    const auto text = formats::tokenizer_json_text(*tokenizer);  // reads its own text back
    PLIMSOLL_CHECK(text.ok(), "what was read must be writable");
    return 0;
}
