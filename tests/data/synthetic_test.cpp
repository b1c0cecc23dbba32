#include "plimsoll/data/synthetic/synthetic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/text.h"
#include "plimsoll/data/synthetic/grammar.h"
#include "plimsoll/data/synthetic/synthetic_file.h"
#include "tests/support/error_text.h"

namespace plimsoll::data {
namespace {

using ::testing::HasSubstr;

template <class Set>
Set made(const std::string& name) {
    return std::get<Set>(make_synthetic(name).value().dataset);
}

std::string text_of(const std::string& name) {
    const auto set = made<TextFiles>(name);
    const auto bytes = set.files.at(0).bytes.view();
    return {bytes.begin(), bytes.end()};
}

std::string refusal(const std::string& name) {
    const auto result = make_synthetic(name);
    EXPECT_FALSE(result.ok()) << name;
    return error_text(result);
}

std::vector<std::uint16_t> example(const LabelledSequences& set, std::size_t index) {
    const auto tokens = set.tokens.view().subspan(index * set.length, set.length);
    return {tokens.begin(), tokens.end()};
}

// --- hops

// The answer by walking the pairs, as a reader would.
std::uint16_t walked(const std::vector<std::uint16_t>& tokens, std::size_t symbols, std::size_t hops) {
    std::map<std::uint16_t, std::uint16_t> target;
    for (std::size_t i = 0; i < symbols; ++i) target[tokens[2 * i]] = tokens[2 * i + 1];
    EXPECT_EQ(target.size(), symbols);
    std::uint16_t at = tokens.back();
    for (std::size_t hop = 0; hop < hops; ++hop) at = target.at(at);
    return at;
}

TEST(Hops, TheLabelIsWhereThePointersLead) {
    for (const std::size_t hops : {1, 2, 5}) {
        const auto set = made<LabelledSequences>("synthetic:hops=" + std::to_string(hops) +
                                                 ",symbols=6,count=50,test=7,seed=3");
        ASSERT_EQ(set.labels.size(), 57U);
        EXPECT_EQ(set.test_count, 7U);
        EXPECT_EQ(set.length, 13U);
        for (std::size_t i = 0; i < set.labels.size(); ++i) {
            EXPECT_EQ(set.labels[i], walked(example(set, i), 6, hops));
            EXPECT_NE(set.labels[i], example(set, i).back()) << "all symbols are on one circle";
        }
    }
}

TEST(Hops, AMixedExampleSaysItsHops) {
    const auto set = made<LabelledSequences>("synthetic:hops=3,symbols=5,count=100,mixed=on");
    EXPECT_EQ(set.vocabulary, 8U);
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
        const auto tokens = example(set, i);
        const std::size_t hops = tokens[tokens.size() - 2] - 5 + 1;
        seen.insert(hops);
        EXPECT_EQ(set.labels[i], walked(tokens, 5, hops));
    }
    EXPECT_EQ(seen, (std::set<std::size_t>{1, 2, 3}));
}

// Chi-square over 16 labels: 37.7 is passed once in a thousand sets, and the set is always the same.
TEST(Hops, EveryLabelIsAsFrequent) {
    const auto set = made<LabelledSequences>("synthetic:hops=3,count=8000,test=0");
    std::vector<double> counts(16);
    for (const auto label : set.labels) ++counts[label];
    double chi_square = 0;
    for (const double count : counts) chi_square += (count - 500) * (count - 500) / 500;
    EXPECT_LT(chi_square, 37.7);
}

// --- any set

TEST(Synthetic, TheNameSaysAll) {
    const auto first = make_synthetic("synthetic:hops=3,count=10").value();
    EXPECT_EQ(first.name, "synthetic:hops=3,symbols=16,mixed=off,count=10,test=1000,seed=1");
    const auto second = make_synthetic(first.name).value();
    EXPECT_EQ(second.name, first.name);
    EXPECT_TRUE(std::ranges::equal(std::get<LabelledSequences>(first.dataset).tokens,
                                   std::get<LabelledSequences>(second.dataset).tokens));
}

TEST(Synthetic, EveryFullNameIsReadBack) {
    for (const std::string kind : {"grammar,bytes=9", "shuffled,bytes=9", "hops=1,count=2", "teacher,count=2",
                                   "teacher,count=2,spec=square-mixer:rows=2,cols=2,depth=1"}) {
        const std::string name = make_synthetic("synthetic:" + kind).value().name;
        EXPECT_EQ(make_synthetic(name).value().name, name);
    }
}

TEST(Synthetic, ALargerSetStartsWithTheSmallerOne) {
    for (const std::string kind : {"hops=2,", "teacher,"}) {
        const auto small = made<LabelledSequences>("synthetic:" + kind + "count=20,test=0");
        const auto large = made<LabelledSequences>("synthetic:" + kind + "count=30,test=0");
        EXPECT_TRUE(std::ranges::equal(small.tokens.view(), large.tokens.view().first(small.tokens.size())));
        EXPECT_TRUE(std::equal(small.labels.begin(), small.labels.end(), large.labels.begin()));
    }
    EXPECT_TRUE(text_of("synthetic:grammar,bytes=5000").starts_with(text_of("synthetic:grammar,bytes=3000")));
}

TEST(Synthetic, AnotherSeedGivesAnotherSet) {
    for (const std::string kind : {"grammar", "shuffled"}) {
        const std::string name = "synthetic:" + kind + ",bytes=1000,seed=";
        EXPECT_NE(text_of(name + "1"), text_of(name + "2"));
    }
}

TEST(Synthetic, WhatIsWrongIsSaid) {
    EXPECT_THAT(refusal("synthetic:hop=3"), HasSubstr("did you mean hops?"));
    EXPECT_THAT(refusal("synthetic:"), HasSubstr("one of: grammar, hops, shuffled, teacher"));
    EXPECT_THAT(refusal("synthetic:hops=3,symbol=4"), HasSubstr("did you mean symbols?"));
    EXPECT_THAT(refusal("synthetic:hops=16"), HasSubstr("hops: must be from 1 to 15, got 16"));
    EXPECT_THAT(refusal("synthetic:hops=0"), HasSubstr("must be from 1 to 15, got 0"));
    EXPECT_THAT(refusal("synthetic:hops=2,hops=3"), HasSubstr("'hops' is given twice"));
    EXPECT_THAT(refusal("synthetic:hops=2,mixed=yes"), HasSubstr("must be on or off, got 'yes'"));
    EXPECT_THAT(refusal("synthetic:grammar=3"), HasSubstr("no setting 'grammar'"));
    EXPECT_THAT(refusal("synthetic:grammar,bytes=0"), HasSubstr("must be from 1"));
    EXPECT_THAT(refusal("synthetic:teacher,spec=transformer:depth=2,width=8,heads=1"),
                HasSubstr("teachers are"));
    EXPECT_THAT(refusal("synthetic:teacher,spec=attention:depth=1,width=2,heads=1"),
                HasSubstr("embedding=vocab"));
    EXPECT_THAT(refusal("synthetic:teacher,spec=attention:depht=1"), HasSubstr("did you mean depth?"));
    EXPECT_THAT(refusal("synthetic:teacher,count=3,classes=1"), HasSubstr("must be from 2"));
}

// --- teacher

TEST(Teacher, EveryLabelIsAboutAsFrequent) {
    const auto set = made<LabelledSequences>("synthetic:teacher,count=3000,test=0,classes=3");
    std::vector<int> counts(3);
    for (const auto label : set.labels) ++counts[label];
    // Quantiles of 1,000 calibration inputs are off by 1.5 % (one deviation); five deviations are allowed.
    for (const int count : counts) EXPECT_NEAR(count, 1000, 3000 * 5 * 0.015);
}

TEST(Teacher, TheSplitMatters) {
    // The label depends on both halves: replacing the second half by another example's changes some labels.
    const auto set = made<LabelledSequences>("synthetic:teacher,count=2000,test=0,positions=4");
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::set<std::uint16_t>> by_first_half;
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
        const auto tokens = example(set, i);
        by_first_half[{tokens[0], tokens[1]}].insert(set.labels[i]);
    }
    EXPECT_TRUE(std::ranges::any_of(by_first_half, [](const auto& one) { return one.second.size() == 2; }));
}

TEST(Teacher, NamesTheCommandThatMeasuresItsRank) {
    const auto attention = make_synthetic("synthetic:teacher,count=5,test=0,positions=6").value();
    EXPECT_EQ(attention.teacher->rank_command(),
              "plimsoll rank attention:depth=2,width=4,heads=1,vocab=16 --positions 6 --tokens");
    const auto mixer =
        make_synthetic("synthetic:teacher,count=5,test=1,spec=square-mixer:rows=2,cols=4,depth=3").value();
    EXPECT_THAT(mixer.teacher->rank_command(), HasSubstr("plimsoll rank square-mixer:"));
    const auto& set = std::get<LabelledMatrices>(mixer.dataset);
    EXPECT_EQ(set.rows, 2U);
    EXPECT_EQ(set.cols, 4U);
    EXPECT_EQ(set.values.size(), 6U * 8U);
}

// --- as a file

TEST(SyntheticFile, HasALinePerExample) {
    const auto set = make_synthetic("synthetic:hops=1,symbols=2,count=2,test=1").value();
    const std::string text = file_text(set.dataset);
    const auto& sequences = std::get<LabelledSequences>(set.dataset);
    const auto lines = split(text, '\n');
    ASSERT_EQ(lines.size(), 5U);  // headings, three examples, nothing after the last line end
    EXPECT_EQ(lines[0], "label\ttokens");
    const auto first = split(lines[1], '\t');
    EXPECT_EQ(first[0], std::to_string(sequences.labels[0]));
    EXPECT_EQ(split(first[1], ' ').size(), sequences.length);
    EXPECT_EQ(split(first[1], ' ').back(), std::to_string(sequences.tokens[sequences.length - 1]));
}

TEST(SyntheticFile, ATextIsItself) {
    EXPECT_EQ(file_text(make_synthetic("synthetic:grammar,bytes=500").value().dataset),
              text_of("synthetic:grammar,bytes=500"));
}

// --- grammar

// Reads a sentence back by the grammar of synthetic_grammar.h; returns false where number or nesting is
// wrong.
class Reader {
  public:
    explicit Reader(std::string_view text) {
        std::string padded;
        for (const char c : text) {
            if (c == '(' || c == ')' || c == '.' || c == ':') {
                padded += ' ', padded += c, padded += ' ';
            } else {
                padded += c == '\n' ? ' ' : c;
            }
        }
        for (const auto& word : split(padded, ' ')) {
            if (!word.empty()) words_.push_back(word);
        }
    }
    bool paragraph() {
        const std::string name = next();
        if (next() != ":") return false;
        do {
            if (!sentence() || next() != ".") return false;
        } while (peek() != "so");
        return next() == "so" && next() == "said" && next() == name && next() == "." && at_ == words_.size();
    }
    int deepest = 0;  // nesting seen

  private:
    std::string peek() const { return at_ < words_.size() ? words_[at_] : ""; }
    std::string next() { return at_ < words_.size() ? words_[at_++] : ""; }
    bool starts_subject() const { return peek() == "the" || peek() == "a" || peek() == "many"; }
    bool sentence() {
        bool plural = false;
        return subject(plural) && verb_phrase(plural);
    }
    bool subject(bool& plural) {
        const std::string article = next();
        // An adjective, if there is one, is followed by another word that is no keyword and no verb: number
        // is read off the noun, the last of at most two words before "that", a verb or the end.
        std::string noun = next();
        if (is_adjective(noun)) noun = next();
        plural = noun.back() == 's';
        if (article == "a" && plural) return false;
        if (article == "many" && !plural) return false;
        if (peek() != "that") return true;
        next();
        Level level(*this);
        if (!starts_subject()) return verb_phrase(plural);
        bool inner = false;
        return subject(inner) && verb(inner);
    }
    bool verb(bool plural) {
        const std::string word = next();
        return is_verb(word) && (word.back() == 's') == !plural;
    }
    bool verb_phrase(bool plural) {
        if (!verb(plural)) return false;
        bool ignored = false;
        if (starts_subject()) return subject(ignored);
        if (peek() != "(") return true;
        next();
        Level level(*this);
        return sentence() && next() == ")";
    }
    static std::string base(const std::string& word) {
        return word.back() == 's' ? word.substr(0, word.size() - 1) : word;
    }
    static bool is_in(const std::vector<std::string>& words, const std::string& word) {
        return std::ranges::find(words, word) != words.end();
    }
    bool is_adjective(const std::string& word) const { return is_in(adjectives_.words(), word); }
    bool is_verb(const std::string& word) const { return is_in(verbs_.words(), base(word)); }

    struct Level {
        explicit Level(Reader& r) : reader(r) { reader.deepest = std::max(reader.deepest, ++reader.level_); }
        ~Level() { --reader.level_; }
        Reader& reader;
    };

    ZipfWords verbs_{100, 1, 4}, adjectives_{50, 2, 4};
    std::vector<std::string> words_;
    std::size_t at_ = 0;
    int level_ = 0;
};

TEST(Grammar, EveryVerbAgreesAcrossWhateverIsNested) {
    const Grammar grammar(1, 200);
    int deepest = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const auto paragraph = grammar.paragraph(i);
        Reader reader(paragraph.text);
        EXPECT_TRUE(reader.paragraph()) << paragraph.text;
        deepest = std::max(deepest, reader.deepest);
    }
    EXPECT_GE(deepest, 3);
}

TEST(Grammar, TheReaderSeesAWrongNumber) {
    std::string text = Grammar(1, 200).paragraph(0).text;
    const std::size_t many = text.find(" many "), a = text.find(" a ");
    if (many != std::string::npos) {
        text.replace(many, 6, " a ");
    } else {
        ASSERT_NE(a, std::string::npos) << text;
        text.replace(a, 3, " many ");
    }
    EXPECT_FALSE(Reader(text).paragraph());
}

TEST(Grammar, HasTheSizeAskedFor) {
    for (const std::size_t bytes : {1, 100, 12345}) {
        EXPECT_EQ(text_of("synthetic:grammar,bytes=" + std::to_string(bytes)).size(), bytes);
    }
}

TEST(Grammar, WordsFollowZipf) {
    const ZipfWords words(50, 0, 1);
    RandomStream stream(1, "tests/zipf");
    std::map<std::string, int> counts;
    double bits = 0;
    constexpr int draws = 20'000;
    for (int i = 0; i < draws; ++i) ++counts[words.draw(stream, bits)];
    // 3.7 / 4.7 of the first word's frequency; deviations of a ratio of two counts near 1,900 are 3 %.
    const double ratio = static_cast<double>(counts[words.words()[1]]) / counts[words.words()[0]];
    EXPECT_NEAR(ratio, 3.7 / 4.7, 0.12);
    double entropy = 0;
    for (const auto& [word, count] : counts) entropy -= count * std::log2(static_cast<double>(count) / draws);
    EXPECT_NEAR(bits / draws, entropy / draws, 0.02);  // two ways to the entropy
}

TEST(Grammar, FamiliesShareNoWord) {
    std::set<std::string> all;
    for (std::size_t family = 0; family < 4; ++family) {
        const ZipfWords family_words(3000, family, 4);
        for (const auto& word : family_words.words()) EXPECT_TRUE(all.insert(word).second) << word;
    }
}

TEST(Shuffled, HasTheSameWordsInAnotherOrder) {
    const auto sorted_words = [](const std::string& text) {
        std::string spaced = text;
        std::ranges::replace(spaced, '\n', ' ');
        auto words = split(spaced, ' ');
        std::erase(words, "");
        std::ranges::sort(words);
        return words;
    };
    const std::string text = text_of("synthetic:grammar,bytes=20000"),
                      shuffled = text_of("synthetic:shuffled,bytes=20000");
    EXPECT_NE(text.substr(0, 200), shuffled.substr(0, 200));
    EXPECT_EQ(sorted_words(text), sorted_words(shuffled));
}

TEST(Shuffled, TheGrammarNeedsFewerBits) {
    const auto bits = [](const std::string& name) {
        return std::stod(make_synthetic(name).value().known.at(0).value);
    };
    EXPECT_LT(bits("synthetic:grammar,bytes=300000"), bits("synthetic:shuffled,bytes=300000"));
}

}  // namespace
}  // namespace plimsoll::data
