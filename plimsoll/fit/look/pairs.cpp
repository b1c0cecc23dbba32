#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/look/input_rank.h"
#include "plimsoll/fit/look/labels.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/fit/look/row_dependence.h"
#include "plimsoll/run/splits.h"

namespace plimsoll::fit {
namespace {

using Rows = std::vector<std::size_t>;

struct PairParts {
    Rows train, held_out;
    std::string held_out_name;
};

// The pairs of a part, as the trainer takes them: those of its splits in the order of the file, then cut.
Rows rows_of(const data::SentencePairs& pairs, const run::SetPart& part) {
    Rows rows;
    for (std::size_t i = 0; i < pairs.labels.size(); ++i) {
        const std::size_t split = pairs.split_of.empty() ? 0 : pairs.split_of[i];
        if (std::ranges::find(part.splits, split) != part.splits.end()) rows.push_back(i);
    }
    std::vector<std::uint16_t> labels;
    for (const std::size_t row : rows) labels.push_back(pairs.labels[row]);
    Rows some;
    for (const std::size_t place : run::rows_of(labels, part.cut, run::DataSettings{}))
        some.push_back(rows[place]);
    return some;
}

Result<PairParts> pair_parts(const data::SentencePairs& pairs) {
    const auto names = pairs.split_of.empty() ? std::vector<std::string>{"all"} : pairs.split_names;
    PLIMSOLL_ASSIGN(parts, run::labelled_parts_of(names, run::DataSettings{}));
    return PairParts{rows_of(pairs, parts.train), rows_of(pairs, parts.held_out), parts.held_out.name};
}

std::vector<std::uint16_t> labels_of(const data::SentencePairs& pairs, const Rows& rows) {
    std::vector<std::uint16_t> labels;
    for (const std::size_t row : rows) labels.push_back(pairs.labels[row]);
    return labels;
}

// The sentences of the pairs, first and second in turn.
TextPieces sentences_of(const data::SentencePairs& pairs, const Rows& rows) {
    TextPieces pieces;
    for (const std::size_t row : rows) {
        pieces.emplace_back(pairs.first[row]);
        pieces.emplace_back(pairs.second[row]);
    }
    return pieces;
}

// The same with a line end behind each, so that no word runs into the next.
std::string lines_of(const TextPieces& pieces) {
    std::string text;
    for (const auto piece : pieces) (text += piece) += '\n';
    return text;
}

// Tokens, in eights, that hold 99 of 100 pairs with what separates their sentences.
std::int64_t tokens_for(const std::vector<std::uint64_t>& lengths, std::int64_t asked) {
    if (asked > 0) return asked;
    std::vector<std::uint64_t> pairs;
    for (std::size_t i = 0; i + 1 < lengths.size(); i += 2) pairs.push_back(lengths[i] + 1 + lengths[i + 1]);
    const auto at = pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() * 99 / 100);
    std::ranges::nth_element(pairs, at);
    return static_cast<std::int64_t>((*at + 7) / 8 * 8);
}

struct PairTexts {
    TextPieces train, held_out;
    const LookTask& task;
};

using Count = std::function<TokenCount(const TextPieces&)>;

InputChoice choice_of(const PairTexts& texts, std::string name, std::string tokenizer, const Count& count) {
    const TokenCount train = count(texts.train), held_out = count(texts.held_out);
    const InputRank rank = vocabulary_rank(train.counts);
    InputChoice choice{.name = std::move(name), .tokenizer = std::move(tokenizer)};
    choice.vocab = static_cast<std::int64_t>(train.counts.size());
    choice.tokens = tokens_for(train.lengths, texts.task.request.context);
    choice.units_per_token = static_cast<double>(held_out.bytes) /
                             static_cast<double>(std::max<std::uint64_t>(1, held_out.tokens));
    choice.rank = rank.rank;
    choice.effective_rank = rank.effective_rank;
    choice.rank_source = rank.source;
    choice.validation_fraction = default_fraction;
    return choice;
}

// Bytes and an id of its own between the sentences.
InputChoice byte_choice(const PairTexts& texts) {
    return choice_of(texts, "bytes", "bytes", [](const TextPieces& pieces) {
        TokenCount count = count_bytes(pieces);
        count.counts.push_back(pieces.size() / 2);
        return count;
    });
}

Status add_pair_vocabularies(const PairTexts& texts, DataLook& look) {
    const std::string lines = lines_of(texts.train);
    const auto sizes = wanted_vocabularies(texts.task, lines.size(), look.notes);
    VocabularyTrainer trainer(texts.task.request.out / "tokenizers", {lines});
    for (const std::int64_t size : sizes) {
        PLIMSOLL_ASSIGN(encoder, trainer.get(size));
        look.inputs.push_back(
            choice_of(texts, fmt::format("bpe-{}", size), trainer.path_of(size).string(),
                      [&](const TextPieces& pieces) { return count_tokens(encoder, pieces, UINT64_MAX); }));
        texts.task.advance();
    }
    return {};
}

}  // namespace

Result<DataLook> look_at(const data::SentencePairs& pairs, const LookTask& task) {
    PLIMSOLL_ASSIGN(parts, pair_parts(pairs));
    DataLook look{.modality = Modality::pairs};
    const LabelledParts labels{labels_of(pairs, parts.train), labels_of(pairs, parts.held_out),
                               pairs.label_names, "pairs"};
    PLIMSOLL_RETURN_IF_ERROR(describe_labels(labels, task, look));
    look.held_out_part = parts.held_out_name;
    const PairTexts texts{sentences_of(pairs, parts.train), sentences_of(pairs, parts.held_out), task};
    if (bytes_of(texts.train) == 0)
        return bad_input(task.name, "has nothing but empty sentences to train on");
    const std::string lines = lines_of(texts.train);
    look.dependence = dependence_of_row(sampled_bytes({lines}, std::size_t{1} << 25U), "bytes", task.seed());
    task.advance();
    if (wants_bytes(task.request)) look.inputs.push_back(byte_choice(texts));
    PLIMSOLL_RETURN_IF_ERROR(add_pair_vocabularies(texts, look));
    if (pairs.left_out > 0)
        look.notes.push_back(fmt::format("{} pairs without an agreed label are left out.", pairs.left_out));
    return look;
}

}  // namespace plimsoll::fit
