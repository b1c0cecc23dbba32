#include "plimsoll/fit/look/vocabularies.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/bpe/train.h"
#include "plimsoll/formats/tokenizer_json.h"

namespace plimsoll::fit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_training_bytes = std::uint64_t{64} << 20U;
constexpr std::int64_t ladder[] = {500, 1000, 2000, 4000, 8000, 16000, 32000};

}  // namespace

std::uint64_t bytes_of(const TextPieces& pieces) {
    std::uint64_t sum = 0;
    for (const auto piece : pieces) sum += piece.size();
    return sum;
}

std::vector<std::int64_t> vocabulary_ladder(std::uint64_t training_bytes, std::int64_t parameters) {
    constexpr double bytes_per_token = 3, times_met = 100, layers = 6;
    const double by_text = static_cast<double>(training_bytes) / (bytes_per_token * times_met);
    const double half = static_cast<double>(parameters) / 2;
    const double width = std::sqrt(half / (12 * layers));
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : ladder)
        if (static_cast<double>(size) <= std::min(by_text, half / width)) sizes.push_back(size);
    return sizes;
}

VocabularyTrainer::VocabularyTrainer(fs::path folder, TextPieces training)
    : folder_(std::move(folder)), text_(folder_ / "training-part.tmp"), training_(std::move(training)) {}

VocabularyTrainer::~VocabularyTrainer() {
    std::error_code ignored;
    if (written_) fs::remove(text_, ignored);
}

fs::path VocabularyTrainer::path_of(std::int64_t vocab) const {
    return folder_ / fmt::format("bpe-{}.json", vocab);
}

Status VocabularyTrainer::write_text() {
    if (written_) return {};
    std::error_code problem;
    fs::create_directories(folder_, problem);
    if (problem) return io_error(folder_.string(), problem.message());
    PLIMSOLL_ASSIGN(file, AtomicFile::create(text_));
    std::uint64_t left = most_training_bytes;
    for (const auto piece : training_) {
        const auto some = piece.substr(0, std::min<std::uint64_t>(left, piece.size()));
        PLIMSOLL_RETURN_IF_ERROR(file.write(some));
        left -= some.size();
    }
    PLIMSOLL_RETURN_IF_ERROR(file.commit());
    written_ = true;
    return {};
}

Status VocabularyTrainer::train(std::int64_t vocab) {
    PLIMSOLL_RETURN_IF_ERROR(write_text());
    bpe::BpeTraining training{.vocab = static_cast<std::uint64_t>(vocab), .min_frequency = 2};
    const auto trained = bpe::train_bpe({text_}, training);
    if (!trained.ok()) {
        if (trained.error().kind != ErrorKind::bad_input) return trained.error();
        return bad_input("vocab", fmt::format("the training part, {}, does not support {} tokens: {}",
                                              human_bytes(static_cast<double>(bytes_of(training_))), vocab,
                                              trained.error().message));
    }
    return formats::write_tokenizer_json(path_of(vocab), bpe::json_of_bpe(trained->model));
}

Result<bpe::BpeEncoder> VocabularyTrainer::get(std::int64_t vocab) {
    if (!fs::exists(path_of(vocab))) PLIMSOLL_RETURN_IF_ERROR(train(vocab));
    PLIMSOLL_ASSIGN(model, bpe::read_bpe(path_of(vocab)));
    if (model.size() != static_cast<std::size_t>(vocab)) {
        return bad_input(path_of(vocab).string(),
                         fmt::format("has {} tokens, not {}: it belongs to something else; remove it or give "
                                     "another folder",
                                     model.size(), vocab));
    }
    return bpe::BpeEncoder::make(std::move(model));
}

TokenCount count_tokens(const bpe::BpeEncoder& encoder, const TextPieces& pieces, std::uint64_t most_bytes) {
    TokenCount count{.counts = std::vector<std::uint64_t>(encoder.model().tokens.size()), .lengths = {}};
    bpe::BpeEncoder::Scratch scratch;
    std::vector<std::uint32_t> ids;
    const auto take = [&](std::vector<std::uint32_t>& some) {
        for (const std::uint32_t id : some) ++count.counts[id];
        count.tokens += some.size();
        some.clear();
    };
    for (const auto piece : pieces) {
        const auto text = piece.substr(0, std::min<std::uint64_t>(most_bytes - count.bytes, piece.size()));
        const std::uint64_t before = count.tokens;
        encoder.encode(text, true, scratch, ids, take);
        take(ids);
        count.lengths.push_back(count.tokens - before);
        count.bytes += text.size();
    }
    return count;
}

TokenCount count_bytes(const TextPieces& pieces) {
    TokenCount count{.counts = std::vector<std::uint64_t>(256), .lengths = {}};
    for (const auto piece : pieces) {
        for (const char byte : piece) ++count.counts[static_cast<unsigned char>(byte)];
        count.lengths.push_back(piece.size());
    }
    count.tokens = count.bytes = bytes_of(pieces);
    return count;
}

}  // namespace plimsoll::fit
