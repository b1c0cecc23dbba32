#include "plimsoll/formats/tokenizer_json.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::formats {
namespace {

// 64 times a vocabulary of 262,144: a table by id may trust it.
constexpr std::uint64_t max_id = (1 << 24) - 1;

constexpr std::array<std::pair<TokenizerKind, std::string_view>, 4> kinds{
    {{TokenizerKind::bpe, "BPE"},
     {TokenizerKind::word_piece, "WordPiece"},
     {TokenizerKind::word_level, "WordLevel"},
     {TokenizerKind::unigram, "Unigram"}}};

constexpr std::array<std::pair<std::string_view, bool AddedToken::*>, 5> added_token_flags{
    {{"single_word", &AddedToken::single_word},
     {"lstrip", &AddedToken::lstrip},
     {"rstrip", &AddedToken::rstrip},
     {"normalized", &AddedToken::normalized},
     {"special", &AddedToken::special}}};

using IdsByToken = std::unordered_map<std::string_view, std::uint32_t>;

// Null stands for a member that is absent.
const Json& member(const Json& object, std::string_view key) {
    static const Json absent;
    const auto found = object.find(key);
    return found == object.end() ? absent : *found;
}

Result<std::uint32_t> read_id(const Json& value, const std::string& where, std::string_view token) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max_id) {
        return bad_input(where, fmt::format("the id of '{}' must be a whole number from 0 to {}, is {}",
                                            printable(token), max_id, printable(value.dump(), 40)));
    }
    return value.get<std::uint32_t>();
}

// "" for null and absence.
Result<std::string> read_text_member(const Json& model, std::string_view key, const std::string& where) {
    const Json& value = member(model, key);
    if (value.is_null()) return std::string();
    if (!value.is_string()) return bad_input(where, fmt::format("model.{} must be a string or null", key));
    return value.get<std::string>();
}

Result<TokenizerKind> read_kind(const Json& model, const std::string& where) {
    const Json& type = member(model, "type");
    // Files of before 2020 have no type; then merges tell a BPE.
    if (type.is_null() && member(model, "merges").is_array()) return TokenizerKind::bpe;
    if (!type.is_string()) return bad_input(where, "model.type must be a string");
    const auto& name = type.get_ref<const std::string&>();
    const auto* found = std::ranges::find(kinds, name, &std::pair<TokenizerKind, std::string_view>::second);
    if (found == kinds.end()) {
        return unsupported(
            where, fmt::format("model.type '{}' is not known (BPE, WordPiece, WordLevel and Unigram are)",
                               printable(name)));
    }
    return found->first;
}

// {"token": id}
Result<std::vector<VocabEntry>> read_vocab_object(const Json& vocab, const std::string& where) {
    if (!vocab.is_object()) return bad_input(where, "model.vocab must be an object from token to id");
    std::vector<VocabEntry> entries;
    entries.reserve(vocab.size());
    for (const auto& [token, id] : vocab.get_ref<const Json::object_t&>()) {
        PLIMSOLL_ASSIGN(number, read_id(id, where, token));
        entries.push_back({number, token});
    }
    return entries;
}

// [["token", score]], the id being the place.
Result<std::vector<VocabEntry>> read_vocab_list(const Json& vocab, const std::string& where) {
    if (!vocab.is_array())
        return bad_input(where, "model.vocab of a Unigram must be a list of [token, score]");
    std::vector<VocabEntry> entries;
    entries.reserve(vocab.size());
    for (const Json& pair : vocab) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number()) {
            return bad_input(where,
                             fmt::format("model.vocab entry {} must be [token, score]", entries.size()));
        }
        entries.push_back({static_cast<std::uint32_t>(entries.size()), pair[0].get<std::string>()});
    }
    return entries;
}

Status sort_by_unique_id(std::vector<VocabEntry>& vocab, const std::string& where) {
    std::ranges::sort(vocab, {}, &VocabEntry::id);
    const auto same = std::ranges::adjacent_find(vocab, {}, &VocabEntry::id);
    if (same == vocab.end()) return {};
    return bad_input(where, fmt::format("'{}' and '{}' both have id {}", printable(same->token),
                                        printable((same + 1)->token), same->id));
}

// ["a", "b"], or "a b" as before tokenizers 0.20, where the oldest writer left a line feed at the end.
std::optional<std::pair<std::string_view, std::string_view>> merge_texts(const Json& merge) {
    if (merge.is_array()) {
        if (merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string()) return std::nullopt;
        return std::pair<std::string_view, std::string_view>(merge[0].get_ref<const std::string&>(),
                                                             merge[1].get_ref<const std::string&>());
    }
    if (!merge.is_string()) return std::nullopt;
    std::string_view text = merge.get_ref<const std::string&>();
    if (text.ends_with('\n')) text.remove_suffix(1);
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos)
        return std::nullopt;
    return std::pair(text.substr(0, space), text.substr(space + 1));
}

// Looks up the two tokens of a merge and what they become.
class MergeReader {
  public:
    MergeReader(const TokenizerJson& tokenizer, std::string where)
        : tokenizer_(tokenizer), where_(std::move(where)) {
        for (const VocabEntry& entry : tokenizer.vocab) ids_.emplace(entry.token, entry.id);
    }
    Result<Merge> read(const Json& merge, std::size_t number) const {
        const auto texts = merge_texts(merge);
        if (!texts) {
            return bad_input(where_, fmt::format("merge {} must be a pair of tokens, is {}", number,
                                                 printable(merge.dump(), 60)));
        }
        const auto& [left, right] = *texts;
        const std::string& prefix = tokenizer_.continuing_subword_prefix;
        const std::string_view tail = right.starts_with(prefix) ? right.substr(prefix.size()) : right;
        PLIMSOLL_ASSIGN(left_id, id_of(left, number));
        PLIMSOLL_ASSIGN(right_id, id_of(right, number));
        PLIMSOLL_ASSIGN(result_id, id_of(std::string(left) + std::string(tail), number));
        return Merge{left_id, right_id, result_id};
    }

  private:
    [[nodiscard]] Result<std::uint32_t> id_of(std::string_view token, std::size_t number) const {
        const auto found = ids_.find(token);
        if (found != ids_.end()) return found->second;
        return bad_input(where_, fmt::format("merge {} needs '{}', which is not in the vocabulary", number,
                                             printable(token)));
    }

    const TokenizerJson& tokenizer_;
    std::string where_;
    IdsByToken ids_;
};

Status read_merges(TokenizerJson& tokenizer, const Json& merges, const std::string& where) {
    if (!merges.is_array()) return bad_input(where, "model.merges must be a list");
    const MergeReader reader(tokenizer, where);
    tokenizer.merges.reserve(merges.size());
    for (const Json& merge : merges) {
        PLIMSOLL_ASSIGN(ids, reader.read(merge, tokenizer.merges.size()));
        tokenizer.merges.push_back(ids);
    }
    return {};
}

Result<AddedToken> read_added_token(const Json& json, const std::string& where) {
    const Json& content = json.is_object() ? member(json, "content") : json;
    if (!json.is_object() || !content.is_string()) {
        return bad_input(where, "an added token must be an object with id and content");
    }
    AddedToken token{.content = content.get<std::string>()};
    PLIMSOLL_ASSIGN(id, read_id(member(json, "id"), where, token.content));
    token.id = id;
    for (const auto& [name, flag] : added_token_flags) {
        const Json& value = member(json, name);
        if (value.is_null()) continue;
        if (!value.is_boolean()) {
            return bad_input(where, fmt::format("{} of the added token '{}' must be true or false", name,
                                                printable(token.content)));
        }
        token.*flag = value.get<bool>();
    }
    return token;
}

// Added tokens share no text with one another, and an id only with the same text in the vocabulary.
Status check_added_tokens(const TokenizerJson& tokenizer, const std::string& where) {
    std::unordered_map<std::uint32_t, std::string_view> texts;
    IdsByToken ids;
    for (const VocabEntry& entry : tokenizer.vocab) texts.emplace(entry.id, entry.token);
    for (const AddedToken& token : tokenizer.added_tokens) {
        const auto [text, fresh_id] = texts.emplace(token.id, token.content);
        if (!fresh_id && text->second != token.content) {
            return bad_input(where, fmt::format("'{}' and '{}' both have id {}", printable(text->second),
                                                printable(token.content), token.id));
        }
        if (!ids.emplace(token.content, token.id).second) {
            return bad_input(where, fmt::format("added token '{}' is given twice", printable(token.content)));
        }
    }
    return {};
}

Status read_added_tokens(TokenizerJson& tokenizer, const Json& tokens, const std::string& where) {
    if (tokens.is_null()) return {};
    if (!tokens.is_array()) return bad_input(where, "added_tokens must be a list");
    for (const Json& json : tokens) {
        PLIMSOLL_ASSIGN(token, read_added_token(json, where));
        tokenizer.added_tokens.push_back(std::move(token));
    }
    return check_added_tokens(tokenizer, where);
}

// The members of `object` that have no field of their own.
Json others(const Json& object, std::initializer_list<std::string_view> known) {
    Json rest = Json::object();
    for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) {
        if (std::ranges::find(known, key) == known.end()) append_member(rest, key, value);
    }
    return rest;
}

Status read_model(TokenizerJson& tokenizer, const Json& model, const std::string& where) {
    if (!model.is_object()) return bad_input(where, "has no model object");
    PLIMSOLL_ASSIGN(kind, read_kind(model, where));
    const Json& vocab = member(model, "vocab");
    PLIMSOLL_ASSIGN(entries, kind == TokenizerKind::unigram ? read_vocab_list(vocab, where)
                                                            : read_vocab_object(vocab, where));
    PLIMSOLL_RETURN_IF_ERROR(sort_by_unique_id(entries, where));
    PLIMSOLL_ASSIGN(prefix, read_text_member(model, "continuing_subword_prefix", where));
    PLIMSOLL_ASSIGN(suffix, read_text_member(model, "end_of_word_suffix", where));
    tokenizer.kind = kind;
    tokenizer.vocab = std::move(entries);
    tokenizer.continuing_subword_prefix = std::move(prefix);
    tokenizer.end_of_word_suffix = std::move(suffix);
    tokenizer.model_settings =
        others(model, {"type", "vocab", "merges", "continuing_subword_prefix", "end_of_word_suffix"});
    if (kind != TokenizerKind::bpe) return {};
    return read_merges(tokenizer, member(model, "merges"), where);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json vocab_json(const TokenizerJson& tokenizer) {
    Json vocab = Json::object();
    for (const VocabEntry& entry : tokenizer.vocab) append_member(vocab, entry.token, entry.id);
    return vocab;
}

Result<Json> merges_json(const TokenizerJson& tokenizer, const std::string& where) {
    std::unordered_map<std::uint32_t, std::string_view> texts;
    for (const VocabEntry& entry : tokenizer.vocab) texts.emplace(entry.id, entry.token);
    Json merges = Json::array();
    for (const Merge& merge : tokenizer.merges) {
        const auto left = texts.find(merge.left), right = texts.find(merge.right);
        if (left == texts.end() || right == texts.end()) {
            return bad_input(where,
                             fmt::format("merge {} has an id that is not in the vocabulary", merges.size()));
        }
        merges.push_back(Json::array({left->second, right->second}));
    }
    return merges;
}

Json added_tokens_json(const TokenizerJson& tokenizer) {
    Json tokens = Json::array();
    for (const AddedToken& token : tokenizer.added_tokens) {
        Json json{{"id", token.id}, {"content", token.content}};
        for (const auto& [name, flag] : added_token_flags) json[std::string(name)] = token.*flag;
        tokens.push_back(std::move(json));
    }
    return tokens;
}

// Version and the stages that stand before added_tokens come first, as Hugging Face writes them.
Json whole_json(const TokenizerJson& tokenizer, Json merges) {
    Json file = Json::object();
    Json model{{"type", "BPE"},
               {"continuing_subword_prefix", text_or_null(tokenizer.continuing_subword_prefix)},
               {"end_of_word_suffix", text_or_null(tokenizer.end_of_word_suffix)}};
    for (const auto& [key, value] : tokenizer.model_settings.items()) append_member(model, key, value);
    append_member(model, "vocab", vocab_json(tokenizer));
    append_member(model, "merges", std::move(merges));
    for (const auto& [key, value] : tokenizer.stages.items()) append_member(file, key, value);
    append_member(file, "added_tokens", added_tokens_json(tokenizer));
    append_member(file, "model", std::move(model));
    return file;
}

}  // namespace

std::string_view name_of(TokenizerKind kind) {
    const auto* found = std::ranges::find(kinds, kind, &std::pair<TokenizerKind, std::string_view>::first);
    PLIMSOLL_CHECK(found != kinds.end(), "a tokenizer kind without a name");
    return found->second;
}

std::uint64_t TokenizerJson::rows() const {
    std::uint64_t rows = vocab.empty() ? 0 : std::uint64_t{vocab.back().id} + 1;
    for (const AddedToken& token : added_tokens) rows = std::max(rows, std::uint64_t{token.id} + 1);
    return rows;
}

Result<TokenizerJson> parse_tokenizer_json(std::string_view text, std::string_view where) {
    const std::string place(where);
    PLIMSOLL_ASSIGN(json, parse_json(text, where));
    if (!json.is_object()) return bad_input(place, "must be a JSON object");
    TokenizerJson tokenizer;
    PLIMSOLL_RETURN_IF_ERROR(read_model(tokenizer, member(json, "model"), place));
    PLIMSOLL_RETURN_IF_ERROR(read_added_tokens(tokenizer, member(json, "added_tokens"), place));
    tokenizer.stages = others(json, {"model", "added_tokens"});
    return tokenizer;
}

Result<std::string> tokenizer_json_text(const TokenizerJson& tokenizer) {
    const std::string where = "tokenizer.json to be written";
    if (tokenizer.kind != TokenizerKind::bpe) {
        return unsupported(where, fmt::format("only BPE is written, this is {}", name_of(tokenizer.kind)));
    }
    PLIMSOLL_ASSIGN(merges, merges_json(tokenizer, where));
    std::string text;
    try {
        text = whole_json(tokenizer, std::move(merges)).dump(2);
    } catch (const Json::exception&) {
        return bad_input(where, "its tokens must be UTF-8");
    }
    PLIMSOLL_ASSIGN(again, parse_tokenizer_json(text, where));
    if (again != tokenizer)
        return bad_input(where, "its entries are not in order of id or contradict one another");
    return text;
}

Status write_tokenizer_json(const std::filesystem::path& path, const TokenizerJson& tokenizer) {
    PLIMSOLL_ASSIGN(text, tokenizer_json_text(tokenizer));
    return atomic_write(path, text);
}

}  // namespace plimsoll::formats
