#include "plimsoll/data/synthetic/grammar.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/synthetic/synthetic_settings.h"

namespace plimsoll::data {
namespace {

// "bade", "bude", ... : at least two syllables, a different word for every number, none ends in s.
std::string made_up_word(std::size_t number) {
    constexpr std::string_view consonants = "bdfgklmnprtvz", vowels = "aeiou";
    constexpr std::size_t syllables = consonants.size() * vowels.size();
    std::string word;
    for (std::size_t rest = number + syllables; rest > 0; rest /= syllables) {
        const std::size_t syllable = rest % syllables;
        word += consonants[syllable % consonants.size()];
        word += vowels[syllable / consonants.size()];
    }
    return word;
}

std::string capitalised(std::string word) {
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
    return word;
}

}  // namespace

ZipfWords::ZipfWords(std::size_t count, std::size_t family, std::size_t families) {
    constexpr double bend = 3.7;
    double sum = 0;
    for (std::size_t rank = 0; rank < count; ++rank) {
        words_.push_back(made_up_word(rank * families + family));
        up_to_.push_back(sum += 1 / (static_cast<double>(rank) + bend));
    }
    for (double& probability : up_to_) probability /= sum;
}

const std::string& ZipfWords::draw(RandomStream& stream, double& bits) const {
    const auto found = std::ranges::upper_bound(up_to_, stream.uniform());
    const std::size_t rank = std::min(static_cast<std::size_t>(found - up_to_.begin()), words_.size() - 1);
    bits -= std::log2(up_to_[rank] - (rank == 0 ? 0 : up_to_[rank - 1]));
    return words_[rank];
}

// Writes one paragraph and adds up what its choices tell.
class Grammar::Writer {
  public:
    Writer(const Grammar& grammar, RandomStream stream) : grammar_(grammar), stream_(stream) {}

    Paragraph write() {
        const std::string name = capitalised(grammar_.names_.draw(stream_, bits_));
        text_ = name + ":";
        do {
            sentence(0);
            text_ += '.';
        } while (chosen(another_sentence));
        text_ += " so said " + name + ".\n\n";
        return {std::move(text_), bits_};
    }

  private:
    static constexpr double another_sentence = 0.8, has_adjective = 0.3, has_clause = 0.25, of_object = 0.5,
                            has_object = 0.5, has_aside = 0.1, plain_article = 0.5;
    static constexpr int deepest = 6;  // no clause or aside below it

    bool chosen(double probability) {
        const bool yes = stream_.uniform() < probability;
        bits_ -= std::log2(yes ? probability : 1 - probability);
        return yes;
    }
    void word(const std::string& next) {
        text_ += ' ';
        text_ += next;
    }
    void verb(bool plural) { word(grammar_.verbs_.draw(stream_, bits_) + (plural ? "" : "s")); }

    void sentence(int depth) {
        const bool plural = subject(depth);
        verb_phrase(plural, depth);
    }
    // Whether it is plural.
    bool subject(int depth) {
        const bool plural = chosen(0.5);
        word(chosen(plain_article) ? "the" : plural ? "many" : "a");
        if (chosen(has_adjective)) word(grammar_.adjectives_.draw(stream_, bits_));
        word(grammar_.nouns_.draw(stream_, bits_) + (plural ? "s" : ""));
        if (depth < deepest && chosen(has_clause)) clause(plural, depth + 1);
        return plural;
    }
    void clause(bool plural, int depth) {
        word("that");
        if (chosen(of_object)) {
            verb(subject(depth));
        } else {
            verb_phrase(plural, depth);
        }
    }
    void verb_phrase(bool plural, int depth) {
        verb(plural);
        if (chosen(has_object)) {
            subject(depth);
        } else if (depth < deepest && chosen(has_aside)) {
            aside(depth + 1);
        }
    }
    void aside(int depth) {
        text_ += " (";
        const std::size_t start = text_.size();
        sentence(depth);
        text_.erase(start, 1);  // the space before its first word
        text_ += ')';
    }

    const Grammar& grammar_;
    RandomStream stream_;
    std::string text_;
    double bits_ = 0;
};

Grammar::Grammar(std::uint64_t seed, std::size_t nouns)
    : seed_(seed),
      nouns_(nouns, 0, 4),
      verbs_(std::max<std::size_t>(nouns / 2, 1), 1, 4),
      adjectives_(std::max<std::size_t>(nouns / 4, 1), 2, 4),
      names_(nouns, 3, 4) {}

Grammar::Paragraph Grammar::paragraph(std::uint64_t index) const {
    return Writer(*this, RandomStream(seed_, fmt::format("data/grammar/{}", index))).write();
}

namespace {

struct GrammarText {
    std::string text;
    double bits_per_byte = 0;  // of its whole paragraphs
    std::uint64_t seed = 0;
};

Result<GrammarText> grammar_text(const SyntheticSettings& settings, const ProgressCallback& progress) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40, most_nouns = 1'000'000;
    PLIMSOLL_ASSIGN(bytes, settings.count("bytes", 1, most_bytes));
    PLIMSOLL_ASSIGN(nouns, settings.count("nouns", 1, most_nouns));
    PLIMSOLL_ASSIGN(seed, settings.count("seed", 0, INT64_MAX));
    const Grammar grammar(seed, nouns);
    GrammarText result{.seed = seed};
    result.text.reserve(bytes + 4096);
    double bits = 0;
    for (std::uint64_t index = 0; result.text.size() < bytes; ++index) {
        const auto paragraph = grammar.paragraph(index);
        result.text += paragraph.text;
        bits += paragraph.bits;
        if (progress && index % 256 == 0) progress(std::min<std::uint64_t>(result.text.size(), bytes), bytes);
    }
    result.bits_per_byte = bits / static_cast<double>(result.text.size());
    result.text.resize(bytes);
    return result;
}

Dataset as_dataset(const std::string& text) {
    return TextFiles{{TextFile{"text", HostArray(std::vector<char>(text.begin(), text.end()))}}};
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", from), text.size());
        if (end > from) words.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

// Bits of a word when only frequencies are known.
double word_entropy(std::vector<std::string_view> words) {
    std::ranges::sort(words);
    double bits = 0;
    for (std::size_t from = 0; from < words.size();) {
        const auto next =
            std::upper_bound(words.begin() + static_cast<std::ptrdiff_t>(from), words.end(), words[from]);
        const auto end = static_cast<std::size_t>(next - words.begin());
        const double share = static_cast<double>(end - from) / static_cast<double>(words.size());
        bits -= share * std::log2(share);
        from = end;
    }
    return bits;
}

}  // namespace

Result<Synthetic> make_grammar(const SyntheticSettings& settings, const ProgressCallback& progress) {
    PLIMSOLL_ASSIGN(made, grammar_text(settings, progress));
    Synthetic result{.name = settings.full_name(), .dataset = as_dataset(made.text)};
    result.known = {{"bits per byte under the true model", fmt::format("{:.4f}", made.bits_per_byte)}};
    return result;
}

Result<Synthetic> make_shuffled(const SyntheticSettings& settings, const ProgressCallback& progress) {
    PLIMSOLL_ASSIGN(made, grammar_text(settings, progress));
    auto words = words_of(made.text);
    RandomStream stream(made.seed, "data/shuffled");
    for (std::size_t i = words.size(); i > 1; --i) std::swap(words[i - 1], words[stream.below(i)]);
    std::string text;
    text.reserve(made.text.size());
    for (const std::string_view word : words) text.append(word).push_back(' ');
    const double bits = word_entropy(words) * static_cast<double>(words.size());
    Synthetic result{.name = settings.full_name(), .dataset = as_dataset(text)};
    result.known = {{"bits per byte of word frequencies",
                     fmt::format("{:.4f}", bits / static_cast<double>(text.size()))}};
    return result;
}

}  // namespace plimsoll::data
