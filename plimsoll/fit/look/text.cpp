#include "plimsoll/base/text.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/data/describe/text_report.h"
#include "plimsoll/fit/look/input_rank.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/fit/look/row_dependence.h"
#include "plimsoll/run/splits.h"

namespace plimsoll::fit {
namespace {

constexpr std::uint64_t least_held_out = 1000;  // bytes or tokens: a loss of them is known to 0.1 bits
constexpr std::int64_t most_ids = std::int64_t{1} << 24U;
constexpr std::uint64_t most_counted = std::uint64_t{32} << 20U;

struct TextParts {
    TextPieces train, held_out;
    std::string held_out_name;
    bool cut = false;        // the held-out part is the end of the text, not a file of its own
    bool exact_cut = false;  // no token of any vocabulary crosses it
};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

// Whether GPT-2's pieces end before `at`, whatever stands further off: a word with its space begins there, or
// a line that follows a single line end.
bool is_seam(std::string_view text, std::size_t at) {
    if (at < 2 || at + 1 >= text.size()) return false;
    const char before = text[at - 1], here = text[at];
    if (here == ' ') return is_visible(before) && is_letter(text[at + 1]);
    return before == '\n' && !is_space(text[at - 2]) && is_visible(text[at - 2]) && is_visible(here);
}

// The last seam at or before `at`, no further than a twentieth of the way or a megabyte.
std::optional<std::size_t> seam_before(std::string_view text, std::size_t at) {
    constexpr std::size_t furthest = std::size_t{1} << 20U;
    for (std::size_t back = 0; back <= std::min(at / 20, furthest); ++back)
        if (is_seam(text, at - back)) return at - back;
    return std::nullopt;
}

// Cuts the text of all files in two where the held-out part of a run on bytes begins, or at the seam before.
TextParts cut_text(const TextPieces& files, const run::SetParts& parts) {
    TextParts result{.held_out_name = parts.held_out.name, .cut = true};
    std::uint64_t left = run::last_tokens_begin(bytes_of(files), default_fraction);
    for (const auto file : files) {
        if (!result.held_out.empty() || left == 0) {
            result.held_out.push_back(file);
        } else if (file.size() <= left) {
            result.train.push_back(file);
            left -= file.size();
            result.exact_cut = true;
        } else {
            const auto seam = seam_before(file, left);
            result.exact_cut = seam.has_value();
            result.train.push_back(file.substr(0, seam.value_or(left)));
            result.held_out.push_back(file.substr(seam.value_or(left)));
            left = 0;
        }
    }
    return result;
}

Result<TextParts> text_parts(const data::TextFiles& files) {
    TextPieces pieces;
    std::vector<std::string> names;
    std::vector<std::uint64_t> sizes;
    for (const auto& file : files.files) {
        pieces.emplace_back(file.bytes.view().data(), file.bytes.size());
        names.push_back(file.name);
        sizes.push_back(file.bytes.size());
    }
    const auto splits = run::text_splits(names, sizes, run::DataSettings{});
    PLIMSOLL_ASSIGN(parts, run::parts_of(splits, run::DataSettings{}));
    if (parts.held_out.cut != run::Cut::whole) return cut_text(pieces, parts);
    TextParts result{.held_out_name = parts.held_out.name};
    for (const std::size_t i : parts.train.splits) result.train.push_back(pieces[i]);
    for (const std::size_t i : parts.held_out.splits) result.held_out.push_back(pieces[i]);
    return result;
}

// The share that makes a run cut `total` tokens after the first `train` of them.
double fraction_for(std::uint64_t train, std::uint64_t total) {
    return 1 - (static_cast<double>(train) + 0.5) / static_cast<double>(total);
}

struct TextLook {
    const TextParts& parts;
    const LookTask& task;
    DataLook& look;
};

// Tokens that show as many bytes as the dependence reaches, within what the machine can afford.
std::int64_t context_for(const TextLook& text, double bytes_per_token) {
    if (text.task.request.context > 0) return text.task.request.context;
    const double least = text.task.on_cpu() ? 128 : 256, most = text.task.on_cpu() ? 256 : 1024;
    const auto reach = static_cast<std::uint64_t>(std::clamp(text.look.dependence.reach, least, most));
    const double tokens = static_cast<double>(std::bit_ceil(reach)) / bytes_per_token;
    return std::max<std::int64_t>(16, 8 * std::llround(tokens / 8));
}

void add_choice(const TextLook& text, std::string name, std::string tokenizer, const TokenCount& train,
                const TokenCount& held_out) {
    InputChoice choice{.name = std::move(name), .tokenizer = std::move(tokenizer)};
    choice.vocab = static_cast<std::int64_t>(train.counts.size());
    choice.units_per_token = static_cast<double>(held_out.bytes) / static_cast<double>(held_out.tokens);
    choice.tokens = context_for(text, choice.units_per_token);
    const InputRank rank = vocabulary_rank(train.counts);
    choice.rank = rank.rank;
    choice.effective_rank = rank.effective_rank;
    choice.rank_source = rank.source;
    choice.validation_fraction =
        text.parts.cut ? fraction_for(train.tokens, train.tokens + held_out.tokens) : default_fraction;
    text.look.inputs.push_back(std::move(choice));
}

Status add_text_vocabularies(const TextLook& text) {
    const auto sizes = wanted_vocabularies(text.task, bytes_of(text.parts.train), text.look.notes);
    VocabularyTrainer trainer(text.task.request.out / "tokenizers", text.parts.train);
    const std::uint64_t most = text.parts.cut ? UINT64_MAX : most_counted;
    for (const std::int64_t size : sizes) {
        PLIMSOLL_ASSIGN(encoder, trainer.get(size));
        add_choice(text, fmt::format("bpe-{}", size), trainer.path_of(size).string(),
                   count_tokens(encoder, text.parts.train, most),
                   count_tokens(encoder, text.parts.held_out, most));
        text.task.advance();
    }
    return {};
}

// A run reads one token more than the context, of either part.
Status check_contexts(const DataLook& look) {
    const auto shortest = static_cast<double>(std::min(look.held_out, look.size - look.held_out));
    for (const InputChoice& choice : look.inputs) {
        const double tokens = shortest / choice.units_per_token;
        if (static_cast<double>(choice.tokens) < tokens - 1) continue;
        return bad_input(
            "context",
            fmt::format("must be below the {:.0f} tokens that the shorter part has with {}, got {}",
                        tokens - 1, choice.name, choice.tokens));
    }
    return {};
}

Status check_size(const TextParts& parts, const LookTask& task) {
    const std::uint64_t train = bytes_of(parts.train), held_out = bytes_of(parts.held_out);
    if (train + held_out == 0) return bad_input(task.name, "is empty: there is nothing to learn from");
    if (train >= least_held_out && held_out >= least_held_out) return {};
    return bad_input(
        task.name, fmt::format("has {} bytes of text, of which {} can be held out ({}); at least {} must be, "
                               "or no two networks can be told apart: give at least {} bytes",
                               train + held_out, held_out, parts.held_out_name, least_held_out,
                               static_cast<std::uint64_t>(least_held_out / default_fraction)));
}

// Miller and Madow's correction included: short noise has too few bytes to show all 256 alike.
double corrected_entropy(const TokenCount& count) {
    const auto used = static_cast<double>(std::ranges::count_if(count.counts, [](auto c) { return c > 0; }));
    return data::entropy_bits(count.counts) +
           (used - 1) / (2 * static_cast<double>(count.tokens) * std::log(2.0));
}

Status check_content(const TokenCount& train, const Dependence& dependence, const LookTask& task) {
    constexpr double noisy = 7.5;  // bits per byte; text in any script stays below 6.5
    const double entropy = corrected_entropy(train);
    if (entropy == 0)
        return bad_input(task.name, "is one byte value again and again: there is nothing to learn");
    if (entropy < noisy || dependence.reach > 0) return {};
    double most = 0;
    for (const auto& point : dependence.by_distance) most = std::max(most, point.bits);
    return bad_input(
        task.name,
        fmt::format("looks like noise: {:.2f} bits per byte, and no byte tells anything about another "
                    "(at most {:.2g} bits; independent bytes show up to {:.2g}). Compressed or "
                    "encrypted data cannot be learned; .gz, .xz and .zst are unpacked as they are read",
                    entropy, most, dependence.by_distance.front().noise));
}

void note_order(const Dependence& dependence, DataLook& look) {
    if (dependence.reach > 0) return;
    look.notes.push_back(
        "No unit tells anything about another above noise: the frequencies are all that can be learned.");
}

std::vector<std::uint32_t> ids_of(const data::Tokens& tokens, std::size_t from, std::size_t end) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = from; i < end; ++i) ids.push_back(tokens[i]);
    return ids;
}

// The ids to train on, and how many are held out.
struct TokenParts {
    std::vector<std::uint32_t> train;
    std::size_t held_out = 0;
    std::string held_out_name;
};
Result<TokenParts> token_parts(const data::Tokens& tokens) {
    if (tokens.splits.empty()) {
        const std::size_t cut = run::last_tokens_begin(tokens.count(), default_fraction);
        return TokenParts{ids_of(tokens, 0, cut), tokens.count() - cut, "last 10 %"};
    }
    std::vector<std::string> names;
    std::vector<std::size_t> first{0};
    for (const auto& split : tokens.splits) {
        names.push_back(split.name);
        first.push_back(first.back() + split.count);
    }
    PLIMSOLL_ASSIGN(parts, run::parts_of(names, run::DataSettings{}));
    TokenParts result{{}, 0, parts.held_out.name};
    for (const std::size_t i : parts.train.splits) {
        const auto some = ids_of(tokens, first[i], first[i + 1]);
        result.train.insert(result.train.end(), some.begin(), some.end());
    }
    for (const std::size_t i : parts.held_out.splits) result.held_out += tokens.splits[i].count;
    return result;
}

std::vector<std::uint64_t> counts_of(std::span<const std::uint32_t> ids, std::size_t vocab) {
    std::vector<std::uint64_t> counts(vocab);
    for (const std::uint32_t id : ids) ++counts[id];
    return counts;
}

InputChoice id_choice(const LookTask& task, const std::vector<std::uint64_t>& counts,
                      const Dependence& dependence) {
    const InputRank rank = vocabulary_rank(counts);
    InputChoice choice{
        .name = "ids", .tokenizer = "bytes", .vocab = static_cast<std::int64_t>(counts.size())};
    const double most = task.on_cpu() ? 128 : 1024;
    const auto reach = static_cast<std::uint64_t>(std::clamp(dependence.reach, 32.0, most));
    choice.tokens =
        task.request.context > 0 ? task.request.context : static_cast<std::int64_t>(std::bit_ceil(reach));
    choice.units_per_token = 1;
    choice.rank = rank.rank;
    choice.effective_rank = rank.effective_rank;
    choice.rank_source = rank.source;
    choice.validation_fraction = default_fraction;
    return choice;
}

}  // namespace

Result<DataLook> look_at(const data::TextFiles& files, const LookTask& task) {
    PLIMSOLL_ASSIGN(parts, text_parts(files));
    PLIMSOLL_RETURN_IF_ERROR(check_size(parts, task));
    DataLook look{
        .data = task.name, .modality = Modality::text, .goal = Goal::bits_per_byte, .unit = "bytes"};
    const TokenCount train = count_bytes(parts.train), held_out = count_bytes(parts.held_out);
    look.size = train.bytes + held_out.bytes;
    look.held_out = held_out.bytes;
    look.held_out_part = parts.held_out_name;
    look.chance = data::entropy_bits(train.counts);
    look.dependence = dependence_of_row(sampled_bytes(parts.train, most_counted), "bytes", task.seed());
    PLIMSOLL_RETURN_IF_ERROR(check_content(train, look.dependence, task));
    note_order(look.dependence, look);
    task.advance();
    const TextLook text{parts, task, look};
    if (wants_bytes(task.request)) add_choice(text, "bytes", "bytes", train, held_out);
    PLIMSOLL_RETURN_IF_ERROR(add_text_vocabularies(text));
    PLIMSOLL_RETURN_IF_ERROR(check_contexts(look));
    if (parts.cut && !parts.exact_cut && look.inputs.size() > 1)
        look.notes.push_back(
            "The held-out texts of two vocabularies may differ by a token: no place between words was "
            "found near the cut.");
    return look;
}

Result<DataLook> look_at(const data::Tokens& tokens, const LookTask& task) {
    const std::size_t total = tokens.count();
    if (total == 0) return bad_input(task.name, "is empty: there is nothing to learn from");
    PLIMSOLL_ASSIGN(parts, token_parts(tokens));
    if (parts.held_out < least_held_out)
        return bad_input(task.name,
                         fmt::format("has {} tokens, of which {} can be held out; at least {} must be", total,
                                     parts.held_out, least_held_out));
    const auto& ids = parts.train;
    const auto all = ids_of(tokens, 0, total);
    const auto needed = static_cast<std::int64_t>(*std::ranges::max_element(all)) + 1;
    if (needed > most_ids)
        return bad_input(
            task.name,
            fmt::format("has ids up to {}: no vocabulary is that large; are they 16 bits wide?", needed - 1));
    const auto& asked = task.request.vocabularies;
    const std::int64_t vocab = asked.empty() ? needed : asked.front();
    if (vocab < needed)
        return bad_input("vocab",
                         fmt::format("must be at least {}, the ids of the data, got {}", needed, vocab));
    const auto counts = counts_of(ids, static_cast<std::size_t>(vocab));
    DataLook look{
        .data = task.name, .modality = Modality::tokens, .goal = Goal::bits_per_byte, .unit = "tokens"};
    look.size = parts.train.size() + parts.held_out;
    look.held_out = parts.held_out;
    look.held_out_part = parts.held_out_name;
    look.chance = data::entropy_bits(counts);
    if (look.chance == 0)
        return bad_input(task.name, "is one token again and again: there is nothing to learn");
    look.dependence = dependence_of_row(std::span<const std::uint32_t>(ids), "tokens", task.seed());
    note_order(look.dependence, look);
    look.inputs.push_back(id_choice(task, counts, look.dependence));
    PLIMSOLL_RETURN_IF_ERROR(check_contexts(look));
    look.notes.push_back("Bytes are not known: losses are in bits per token.");
    return look;
}

}  // namespace plimsoll::fit
