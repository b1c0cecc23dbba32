#include "plimsoll/report/formula.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/report/derived.h"
#include "tests/support/error_text.h"

namespace plimsoll::report {
namespace {

using ::testing::ElementsAre;

const std::map<std::string, double> numbers{{"a", 3}, {"b", 4}, {"zero", 0}, {"log2_width", 8}};

FormulaValue value(const std::string& text) {
    const auto formula = Formula::parse(text, "place");
    EXPECT_TRUE(formula.ok()) << formula.error().text();
    return formula->value([](const std::string& name) -> std::optional<double> {
        const auto found = numbers.find(name);
        return found == numbers.end() ? std::nullopt : std::optional(found->second);
    });
}
double number(const std::string& text) { return value(text).number.value_or(NAN); }

std::string formula_problem(const std::string& text) { return error_text(Formula::parse(text, "place")); }

TEST(ReportFormula, OperatorsBindAsInArithmetic) {
    EXPECT_EQ(number("1 + 2 * 3"), 7);
    EXPECT_EQ(number("(1 + 2) * 3"), 9);
    EXPECT_EQ(number("8 - 4 - 2"), 2);
    EXPECT_EQ(number("8 / 4 / 2"), 1);
    EXPECT_EQ(number("2 ^ 3 ^ 2"), 512);
    EXPECT_EQ(number("-2 ^ 2"), -4);
    EXPECT_EQ(number("2 ^ -1"), 0.5);
    EXPECT_EQ(number("--3"), 3);
    EXPECT_EQ(number("2 * -3"), -6);
    EXPECT_EQ(number("a*b-a"), 9);
}

TEST(ReportFormula, NumbersAsPeopleWriteThem) {
    EXPECT_EQ(number("64K"), 64000);
    EXPECT_EQ(number("64K-1"), 63999);
    EXPECT_EQ(number("1e-3"), 0.001);
    EXPECT_EQ(number("1e3-1"), 999);
    EXPECT_EQ(number(".5"), 0.5);
    EXPECT_EQ(number("1.5B"), 1.5e9);
}

TEST(ReportFormula, FunctionsAreThoseOfTheLibrary) {
    EXPECT_EQ(number("log2(8)"), 3);
    EXPECT_NEAR(number("log3(81)"), 4, 1e-14);
    EXPECT_EQ(number("log10(1000)"), 3);
    EXPECT_EQ(number("ln(exp(2))"), 2);
    EXPECT_EQ(number("sqrt(a ^ 2 + b ^ 2)"), 5);
    EXPECT_EQ(number("min(5, a, b)"), 3);
    EXPECT_EQ(number("max(a, b)"), 4);
    EXPECT_EQ(number("log2_width / 2"), 4);
}

TEST(ReportFormula, NoAnswerIsNothingWithAReason) {
    for (const auto& [text, reason] :
         std::map<std::string, std::string>{{"1 / zero", "division by zero"},
                                            {"zero ^ -1", "division by zero"},
                                            {"ln(-1)", "logarithm of a number that is not positive"},
                                            {"log2(0)", "logarithm of a number that is not positive"},
                                            {"log3(zero - 1)", "logarithm of a number that is not positive"},
                                            {"log10(zero)", "logarithm of a number that is not positive"},
                                            {"sqrt(-1)", "square root of a negative number"},
                                            {"(-8) ^ (1 / 3)", "a broken power of a negative number"},
                                            {"exp(1000)", "too large a number"},
                                            {"1e308 * 10", "too large a number"},
                                            {"min(1, 1 / zero)", "division by zero"},
                                            {"absent + 1", ""}}) {
        EXPECT_FALSE(value(text).number) << text;
        EXPECT_EQ(value(text).reason, reason) << text;
    }
}

TEST(ReportFormula, WhatCannotBeReadIsRefused) {
    EXPECT_EQ(formula_problem(""), "place: '': a number or a name is missing at the end");
    EXPECT_EQ(formula_problem("1 +"), "place: '1 +': a number or a name is missing at the end");
    EXPECT_EQ(formula_problem("(1"), "place: '(1': a parenthesis is never closed");
    EXPECT_EQ(formula_problem("1 2"), "place: '1 2': '2' is out of place");
    EXPECT_EQ(formula_problem("a)"), "place: 'a)': ')' is out of place");
    EXPECT_EQ(formula_problem("2x"), "place: '2x': '2x' is no number");
    EXPECT_EQ(formula_problem("* 2"), "place: '* 2': '* 2' where a number or a name belongs");
    EXPECT_EQ(formula_problem("lg2(3)"), "place: 'lg2(3)': unknown function 'lg2' (did you mean log2?)");
    EXPECT_EQ(formula_problem("sqrt(1, 2)"), "place: 'sqrt(1, 2)': sqrt takes one number, got 2");
    EXPECT_EQ(formula_problem("min(1)"), "place: 'min(1)': min takes two numbers or more, got 1");
    EXPECT_EQ(formula_problem(std::string(200, '(') + "1"),
              "place: '" + std::string(120, '(') + "...': is nested deeper than 100");
}

TEST(ReportFormula, ConstantsHaveNoNames) {
    EXPECT_EQ(*constant_value("2 * log2(64)", "x"), 12);
    EXPECT_EQ(constant_value("2 * depth", "x").error().text(),
              "x: '2 * depth': must be a number or arithmetic of numbers; depth is a name");
    EXPECT_EQ(constant_value("1 / 0", "x").error().text(), "x: '1 / 0': division by zero");
    EXPECT_THAT(Formula::parse("a + b * a", "")->names(), ElementsAre("a", "b"));
}

Table rows() {
    return *parse_table(
        "depth,channels,family,accuracy\n"
        "4,16,mixer,0.5\n"
        "8,1,mixer,nan\n"
        "2,,attention,0.25\n",
        "");
}

std::string refusal(const std::vector<DerivedColumn>& columns) {
    return error_text(with_columns(rows(), columns));
}

TEST(ReportDerived, ColumnsFollowFromEachOther) {
    const auto made = with_columns(rows(), {{"half", "ratio / 2", "p"},
                                            {"ratio", "depth / log2(channels)", "p"},
                                            {"error", "1 - accuracy", "p"}});
    ASSERT_TRUE(made.ok());
    EXPECT_THAT(made->table.columns,
                ElementsAre("depth", "channels", "family", "accuracy", "ratio", "half", "error"));
    EXPECT_EQ(made->table.rows[0][4], Cell(1.0));
    EXPECT_EQ(made->table.rows[0][5], Cell(0.5));
    EXPECT_EQ(made->table.rows[1][4], Cell());  // log2(1) = 0
    EXPECT_EQ(made->table.rows[1][5], Cell());
    EXPECT_EQ(made->table.rows[2][4], Cell());  // no channels
    EXPECT_EQ(made->table.rows[1][6], Cell());  // nan has no value
    EXPECT_THAT(made->notes, ElementsAre("ratio: 1 row has no value (division by zero)"));
    EXPECT_EQ(csv_text(made->table).find("nan", csv_text(made->table).find("8,1,mixer,nan") + 13),
              std::string::npos);
}

TEST(ReportDerived, AColumnOfAnotherTableIsLeftOutAndTold) {
    const auto made = with_columns(rows(), {{"speed", "steps / seconds", "p"}, {"faster", "2 * speed", "p"}});
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(made->table.columns.size(), 4u);
    ASSERT_EQ(made->missing.size(), 2u);
    EXPECT_EQ(made->missing[0].reason,
              "speed needs the column steps (one of: depth, channels, family, accuracy)");
}

TEST(ReportDerived, NumbersAreListedForTexts) {
    const DerivedColumn rank{"rank", "", "p", "family", {{"mixer", 7}}};
    const auto made = with_columns(rows(), {{"twice", "2 * rank", "p"}, rank});
    ASSERT_TRUE(made.ok());
    EXPECT_THAT(made->table.columns, ElementsAre("depth", "channels", "family", "accuracy", "rank", "twice"));
    EXPECT_EQ(made->table.rows[0][4], Cell(7.0));
    EXPECT_EQ(made->table.rows[1][5], Cell(14.0));
    EXPECT_EQ(made->table.rows[2][4], Cell());  // attention is not listed
    EXPECT_THAT(made->notes, ElementsAre("rank: 1 row has no value (their family is not listed)"));
    const DerivedColumn nowhere{"rank", "", "p", "famly", {{"mixer", 7}}};
    EXPECT_EQ(with_columns(rows(), {nowhere})->missing.at(0).reason,
              "rank needs the column famly (did you mean family?)");
    const DerivedColumn there{"depth", "", "p", "family", {{"mixer", 7}}};
    EXPECT_EQ(refusal({there}), "p: the rows have a column depth already");
}

TEST(ReportDerived, WrongColumnsAreRefused) {
    EXPECT_EQ(refusal({{"depth", "1", "p"}}), "p: the rows have a column depth already");
    EXPECT_EQ(refusal({{"a", "b", "p"}, {"b", "a", "p"}}), "p: column a is made from itself");
    EXPECT_EQ(refusal({{"a", "family + 1", "p"}}),
              "p: column family holds 'mixer': formulas take numbers only");
    EXPECT_EQ(refusal({{"a", "1 +", "p"}}), "p: '1 +': a number or a name is missing at the end");
}

}  // namespace
}  // namespace plimsoll::report
