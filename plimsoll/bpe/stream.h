#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/bpe/chunks.h"
#include "plimsoll/bpe/encode.h"

namespace plimsoll::bpe {

struct EncodeOptions {
    TextUnit unit = TextUnit::file;
    bool specials_as_text = false;
    std::size_t threads = 0;                // 0: all of the machine's
    std::uint64_t max_memory = UINT64_MAX;  // bytes of text without a place to cut
    ProgressCallback progress = nullptr;    // bytes of the file
};

// Takes the ids of a text in order, a part at a time.
using IdSink = std::function<Status(std::span<const std::uint32_t>)>;

struct Encoded {
    std::uint64_t bytes = 0, tokens = 0;
};

// Encodes a file, plain or compressed, on several threads; `sink` gets the ids in the order of the text, by
// one thread at a time. The ids are those of encode() for the whole text (of each line with TextUnit::line).
Result<Encoded> encode_file(const BpeEncoder& encoder, const std::filesystem::path& path,
                            const EncodeOptions& options, const IdSink& sink);

// Bytes of one id in a .bin file: 2 when all ids of the model fit, otherwise 4.
unsigned id_width(const BpeModel& model);

// The ids in little-endian numbers of `width` bytes, as they stand in a .bin file.
std::string binary_ids(std::span<const std::uint32_t> ids, unsigned width);

// Calls `sink` with the ids of a .bin file (by its name) or of a text of decimal numbers.
Status read_ids(const std::filesystem::path& path, unsigned width, const IdSink& sink);

// The same from the text of a stream that read() fills and says how much; 0 at its end.
Status read_id_text(const std::function<Result<std::size_t>(std::span<char>)>& read, const IdSink& sink);

}  // namespace plimsoll::bpe
