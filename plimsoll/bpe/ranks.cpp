// tiktoken's file of ranks: a line for each token, its bytes in base64 and its rank.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "plimsoll/base/base64.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/bpe/files.h"

namespace plimsoll::bpe {
namespace {

constexpr std::uint32_t max_rank = (1U << 24U) - 1;

struct RankLine {
    std::string token;
    std::uint32_t rank = 0;
};

std::optional<RankLine> read_line(std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const auto bytes = bytes_of_base64(line.substr(0, space));
    std::uint32_t rank = 0;
    const char* const last = line.data() + line.size();
    const auto [end, problem] = std::from_chars(line.data() + space + 1, last, rank);
    if (!bytes || problem != std::errc() || end != last || rank > max_rank) return std::nullopt;
    return RankLine{*bytes, rank};
}

using Ranks = std::unordered_map<std::string, std::uint32_t>;

Status place_token(BpeModel& model, std::uint32_t id, const std::string& token, const std::string& where) {
    if (id >= model.tokens.size()) model.tokens.resize(id + 1);
    if (!model.tokens[id].empty()) return bad_input(where, fmt::format("rank {} is given twice", id));
    model.tokens[id] = token;
    return {};
}

Result<Ranks> read_lines(BpeModel& model, std::string_view text, const std::string& where) {
    Ranks ranks;
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
    for (std::size_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const auto found = read_line(line);
        if (!found) {
            return bad_input(
                where, fmt::format("line {} must be a token in base64, a space and its rank, is '{}'", number,
                                   printable(line, 60)));
        }
        if (!ids_are_dense(std::uint64_t{found->rank} + 1, lines))
            return unsupported(where, fmt::format("has the rank {} among {} lines", found->rank, lines));
        PLIMSOLL_RETURN_IF_ERROR(place_token(model, found->rank, found->token, where));
        if (!ranks.emplace(found->token, found->rank).second)
            return bad_input(where, fmt::format("line {} gives its token a second rank", number));
    }
    return ranks;
}

// Every way to make the token of two tokens.
void add_merges(BpeModel& model, const Ranks& ranks, std::uint32_t id) {
    const std::string& token = model.tokens[id];
    for (std::size_t cut = 1; cut < token.size(); ++cut) {
        const auto left = ranks.find(token.substr(0, cut)), right = ranks.find(token.substr(cut));
        if (left != ranks.end() && right != ranks.end())
            model.merges.push_back({left->second, right->second, id, id});
    }
}

// The work and memory of add_merges() are the square of a token's length.
constexpr std::size_t longest_token = 4096;

}  // namespace

std::string rank_text(const BpeModel& model) {
    std::string text;
    for (std::uint32_t id = 0; id < model.tokens.size(); ++id) {
        const bool special = std::ranges::find(model.specials, id, &SpecialToken::id) != model.specials.end();
        if (!special && !model.tokens[id].empty())
            text += fmt::format("{} {}\n", base64(model.tokens[id]), id);
    }
    return text;
}

Result<BpeModel> bpe_of_ranks(std::string_view text, const RankFileFacts& facts, std::string_view where) {
    const std::string place(where);
    BpeModel model{
        .pretokenizer = facts.pretokenizer, .specials = facts.specials, .whole_pieces_first = true};
    PLIMSOLL_ASSIGN(ranks, read_lines(model, text, place));
    const auto longest = std::ranges::max_element(model.tokens, {}, &std::string::size);
    if (longest != model.tokens.end() && longest->size() > longest_token)
        return unsupported(
            place, fmt::format("has a token of {} bytes, more than {}", longest->size(), longest_token));
    for (std::uint32_t id = 0; id < model.tokens.size(); ++id) add_merges(model, ranks, id);
    for (const SpecialToken& special : facts.specials) {
        if (!ids_are_dense(special.id, model.tokens.size()))
            return unsupported(
                place, fmt::format("is given a special token of id {}, far beyond its ranks", special.id));
        PLIMSOLL_RETURN_IF_ERROR(place_token(model, special.id, special.text, place));
    }
    const auto bytes = model.byte_ids();
    if (!bytes.ok()) return unsupported(place, bytes.error().message);
    return model;
}

}  // namespace plimsoll::bpe
