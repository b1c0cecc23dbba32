// What Hugging Face tokenizers and tiktoken said, recorded by tools/bpe_peer.py.
#include <gtest/gtest.h>

#include "plimsoll/base/json.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/bpe/stream.h"
#include "tests/bpe/bpe_support.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::bpe {
namespace {

using Ids = std::vector<std::uint32_t>;

const std::filesystem::path recorded = std::filesystem::path(PLIMSOLL_FIXTURES) / "data" / "bpe_peer.json";

Json written_merges(const BpeModel& model) {
    Json merges = Json::array();
    for (const BpeMerge& merge : model.merges)
        merges.push_back({byte_text(model.tokens[merge.left]), byte_text(model.tokens[merge.right])});
    return merges;
}

TEST(BpePeer, TrainsAndEncodesAsRecorded) {
    if (!std::filesystem::exists(recorded)) GTEST_SKIP() << "tests/fixtures/data/bpe_peer.json is absent";
    const Json file = read_json(recorded).value();
    const testing::TempDir folder;
    const auto text = write_file(folder.path() / "text", file["text"].get<std::string>());
    for (const Json& one : file["cases"]) {
        const auto unit = parse_text_unit(one["unit"].get<std::string>()).value();
        const auto pretokenizer = parse_pretokenizer(one["pretokenizer"].get<std::string>()).value();
        const BpeModel model = trained(
            {text}, {.vocab = one["vocab"].get<std::uint64_t>(), .pretokenizer = pretokenizer, .unit = unit});
        EXPECT_EQ(written_merges(model), one["merges"]) << name_of(pretokenizer) << name_of(unit);
        Ids ids;
        const auto sink = [&](std::span<const std::uint32_t> part) {
            ids.insert(ids.end(), part.begin(), part.end());
            return Status();
        };
        ASSERT_TRUE(encode_file(encoder_of(model), text, {.unit = unit}, sink).ok());
        EXPECT_EQ(ids, one["ids"].get<Ids>()) << name_of(pretokenizer) << name_of(unit);
    }
}

TEST(BpePeer, GivesGpt2sIdsAsRecorded) {
    const auto vocab = shared_file("data/tokenizers/gpt2_encoder.json");
    if (!std::filesystem::exists(recorded) || !vocab)
        GTEST_SKIP() << "tests/fixtures/data/bpe_peer.json or data/tokenizers/gpt2_encoder.json is absent";
    const Json file = read_json(recorded).value();
    const BpeEncoder encoder = encoder_of(read_bpe(vocab->parent_path()).value());
    const Ids ids = encoded(encoder, file["text"].get<std::string>(), true);
    EXPECT_EQ(ids, file["gpt2_ids_tokenizers"].get<Ids>());
    EXPECT_EQ(ids, file["gpt2_ids_tiktoken"].get<Ids>());
}

}  // namespace
}  // namespace plimsoll::bpe
