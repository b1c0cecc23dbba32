#include "plimsoll/data/readers/sentence_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/describe/corpus_report.h"
#include "tests/data/made_files.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SentencePairs parse(std::string_view text) { return parse_sentence_pairs(text, "f").value(); }
std::string pairs_error(std::string_view text) { return parse_sentence_pairs(text, "f").error().text(); }

TEST(SentencePairs, ATableIsReadByItsHeader) {
    const auto pairs = parse(
        "id\tsentence_B\tsentence_A\tentailment_judgment\r\n7\tb \"one\"\ta one\tNEUTRAL\r\n8\tb two\ta "
        "two\tENTAILMENT\r\n");
    EXPECT_THAT(pairs.first, ElementsAre("a one", "a two"));
    EXPECT_THAT(pairs.second, ElementsAre("b \"one\"", "b two"));
    EXPECT_THAT(pairs.label_names, ElementsAre("entailment", "neutral", "contradiction"));
    EXPECT_THAT(pairs.labels, ElementsAre(1, 0));
    EXPECT_TRUE(pairs.split_of.empty());
}

TEST(SentencePairs, LinesOfJsonAreTheSameAsATable) {
    const auto table = parse("split\tpremise\thypothesis\tlabel\ndev\tp\th\tyes\ntest\tq\ti\tno\n");
    const auto json = parse(R"({"premise":"p","hypothesis":"h","label":"entailment","split":"dev"}
{"label":false,"hypothesis":"i","premise":"q","split":"test","more":[1]}
)");
    EXPECT_EQ(table.first, json.first);
    EXPECT_EQ(table.second, json.second);
    EXPECT_EQ(table.labels, json.labels);
    EXPECT_EQ(table.label_names, json.label_names);
    EXPECT_THAT(json.split_names, ElementsAre("dev", "test"));
    EXPECT_THAT(json.label_names, ElementsAre("entailment", "not_entailment"));
}

// A test file may lack a label that the training file has; the numbers must not move.
TEST(SentencePairs, ALabelHasOneNumberInEveryFile) {
    const std::string header = "premise\thypothesis\tlabel\n";
    EXPECT_THAT(parse(header + "a\tb\tcontradiction\n").labels, ElementsAre(2));
    EXPECT_THAT(parse(header + "a\tb\tneutral\nc\td\tcontradiction\n").labels, ElementsAre(1, 2));
    EXPECT_THAT(parse(header + "a\tb\t2\n").labels, ElementsAre(2));
    EXPECT_THAT(parse(header + "a\tb\t2\n").label_names, ElementsAre("0", "1", "2"));
}

TEST(SentencePairs, PairsThatNobodyLabelledAreCounted) {
    const auto pairs = parse("gold_label\tsentence1\tsentence2\n-\ta\tb\nneutral\tc\td\n");
    EXPECT_THAT(pairs.first, ElementsAre("c"));
    EXPECT_EQ(pairs.left_out, 1U);
}

TEST(SentencePairs, BrokenLinesSayWhich) {
    const std::string header = "premise\thypothesis\tlabel\n";
    EXPECT_EQ(pairs_error(""), "f: is empty; a table of sentence pairs has a header line");
    EXPECT_THAT(
        pairs_error("premise\tlabel\n"),
        HasSubstr("f: line 1: no column for the second sentence; it may be named sentence2, hypothesis"));
    EXPECT_THAT(pairs_error("premise\tlabel\n"), HasSubstr("(--columns first,second,label names the three)"));
    EXPECT_EQ(pairs_error(header), "f: has no sentence pairs with a label");
    EXPECT_EQ(pairs_error(header + "a\tb\tyes\na\tb\n"), "f: line 3: 2 cells where the header has 3");
    EXPECT_THAT(pairs_error(header + "a\tb\tyes\nc\td\tmaybe\n"),
                HasSubstr("f: label 'maybe' among those of entailment; known beside them are entailment"));
    EXPECT_THAT(pairs_error(header + "a\tb\t4.5\n"), HasSubstr("f: label '4.5': labels are words, or whole"));
    EXPECT_EQ(pairs_error(header + "a\xff\tb\tyes\n"), "f: line 2: its first sentence is not UTF-8");
    EXPECT_EQ(pairs_error(header + "a\tb\t1\nc\td\tyes\n"), "f: some labels are numbers and some are words");
    EXPECT_THAT(pairs_error("{\"premise\":\"p\"}\n"), HasSubstr("f: line 1: has no second sentence"));
    EXPECT_THAT(pairs_error("{\"premise\":[]}\n"),
                HasSubstr("f: line 1: premise is neither a text nor a whole number"));
    EXPECT_THAT(pairs_error("{\"premise\":\"p\",\"hypothesis\":\"h\",\"label\":1}\n{oops\n"),
                HasSubstr("f: line 2"));
    EXPECT_THAT(
        pairs_error("{\"premise\":\"p\",\"hypothesis\":\"h\",\"label\":1,\"split\":\"a\"}\n{\"premise\":"
                    "\"p\",\"hypothesis\":\"h\",\"label\":1}\n"),
        HasSubstr("some pairs have a split and some have none"));
}

TEST(SentencePairs, ACsvIsTheSameAsATsv) {
    const auto tsv = parse("sentence1\tsentence2\tlabel\na, b\tsays \"c\"\t1\nd\te\t0\n");
    const auto csv = parse("sentence1,sentence2,label\n\"a, b\",\"says \"\"c\"\"\",1\nd,e,0\n");
    EXPECT_EQ(tsv.first, csv.first);
    EXPECT_EQ(tsv.second, csv.second);
    EXPECT_EQ(tsv.labels, csv.labels);
}

TEST(SentencePairs, ColumnsCanBeNamed) {
    const std::vector<std::string> columns{"left", "Right", "same"};
    const auto table = parse_sentence_pairs("id,left,right,same\n7,a,b,0\n8,c,d,1\n", "f", columns).value();
    const auto json = parse_sentence_pairs(
                          "{\"left\":\"a\",\"right\":\"b\",\"same\":0,\"label\":9}\n"
                          "{\"left\":\"c\",\"right\":\"d\",\"same\":1}\n",
                          "f", columns)
                          .value();
    EXPECT_THAT(table.first, ElementsAre("a", "c"));
    EXPECT_EQ(table.second, json.second);
    EXPECT_EQ(table.labels, json.labels);
    EXPECT_EQ(
        parse_sentence_pairs("a,b\n", "f", std::vector<std::string>{"a", "b"}).error().text(),
        "columns: names the first sentence, the second and the label, with commas between; got 2 names");
}

// Words that are none of entailment's are classes of their own; HF's -1 is no label.
TEST(SentencePairs, OtherWordsAreClasses) {
    const auto pairs = parse("text1,text2,label\na,b,same\nc,d,other\ne,f,\ng,h,same\n");
    EXPECT_THAT(pairs.label_names, ElementsAre("other", "same"));
    EXPECT_THAT(pairs.labels, ElementsAre(1, 0, 1));
    EXPECT_EQ(pairs.left_out, 1U);
    EXPECT_EQ(parse("{\"premise\":\"p\",\"hypothesis\":\"h\",\"label\":-1}\n"
                    "{\"premise\":\"p\",\"hypothesis\":\"h\",\"label\":2}\n")
                  .left_out,
              1U);
}

TEST(PairReport, CountsSplitsAndDuplicates) {
    const auto pairs =
        parse("split\tpremise\thypothesis\tlabel\na\tp\th\tyes\nb\tp\th\tno\nb\tp\th\tyes\nb\tpp\thhh\tno\n");
    const PairReport report = report_pairs(pairs);
    EXPECT_EQ(report.splits[1].count, 3U);
    EXPECT_THAT(report.splits[1].histogram, ElementsAre(1, 2));
    EXPECT_EQ(report.repeated, 2U);
    EXPECT_EQ(report.label_conflicts, 1U);
    EXPECT_DOUBLE_EQ(report.mean_first_bytes, 5.0 / 4);
    EXPECT_DOUBLE_EQ(report.mean_second_bytes, 6.0 / 4);
}

}  // namespace
}  // namespace plimsoll::data
