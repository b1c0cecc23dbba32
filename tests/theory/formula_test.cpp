#include "plimsoll/theory/ids/formula.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/ids/vectors.h"
#include "tests/theory/fixtures.h"
#include "tests/theory/laws.h"

namespace plimsoll::theory {
namespace {

using ::testing::HasSubstr;
using Given = std::map<std::string, Json>;

const Formula& formula(std::string_view id) { return **find_formula(id); }

Result<Value> value_of(std::string_view id, const Given& given) {
    auto inputs = read_inputs(formula(id), given);
    if (!inputs.ok()) return inputs.error();
    return evaluate(formula(id), *inputs);
}

// The value in the form of the vectors files; the error's text when there is none.
std::string shown(std::string_view id, const Given& given) {
    const auto value = value_of(id, given);
    if (!value.ok()) return value.error().text();
    const auto json = to_json(*value);
    return json.ok() ? json->dump() : json.error().text();
}

Error error_of(std::string_view id, const Given& given) {
    const auto value = value_of(id, given);
    EXPECT_FALSE(value.ok()) << id;
    return value.ok() ? Error{} : value.error();
}

TEST(Formulas, IdsAreUniqueAndEveryOneIsDescribed) {
    std::set<std::string> ids;
    for (const auto& f : all_formulas()) {
        EXPECT_TRUE(ids.insert(f.id).second) << f.id;
        EXPECT_FALSE(f.summary.empty()) << f.id;
        EXPECT_FALSE(f.source.empty()) << f.id;
        EXPECT_FALSE(f.page.empty()) << f.id;
        EXPECT_NE(to_text(f.standing), "") << f.id;
        // What is refuted says where.
        if (f.standing == Standing::refuted) {
            EXPECT_FALSE(f.erratum.empty()) << f.id;
        }
        for (const auto& rule : f.inputs) {
            EXPECT_LE(rule.low, rule.high) << f.id << " " << rule.name;
            if (rule.kind == InputKind::word) {
                EXPECT_FALSE(rule.words.empty()) << f.id;
            }
        }
    }
    EXPECT_GE(ids.size(), 130U);
}

// Every formula is a statement, or evaluates on the inputs of the fixtures or on small ones.
TEST(Formulas, EveryOneEvaluatesOrIsAStatement) {
    std::map<std::string, Given> samples;
    for (const char* file : {"papers.json", "capacity.json", "attainment.json"}) {
        const Json fixture = theory_fixture(file);
        for (const auto& vector : fixture["vectors"]) {
            Given given;
            for (const auto& [name, value] : vector["inputs"].items()) given[name] = value;
            samples.emplace(vector["id"].get<std::string>(), given);
        }
    }
    int statements = 0, evaluated = 0;
    for (const auto& f : all_formulas()) {
        if (!f.is_number()) {
            ++statements;
            const auto result = evaluate(f, Inputs());
            ASSERT_FALSE(result.ok());
            EXPECT_EQ(result.error().kind, ErrorKind::unsupported);
            EXPECT_THAT(result.error().text(), HasSubstr("docs/bounds/" + f.page + ".md"));
            continue;
        }
        Given given;
        const std::string base = f.id.ends_with("-LOG3") ? f.id.substr(0, f.id.size() - 5) : f.id;
        if (samples.contains(f.id)) {
            given = samples[f.id];
        } else if (samples.contains(base)) {
            given = samples[base];
        } else {
            for (const auto& rule : f.inputs) given[rule.name] = std::max(rule.low, Integer(4)).text();
            if (f.id.starts_with("WIES-T2") || given.contains("H")) given["H"] = "2";
        }
        const auto value = value_of(f.id, given);
        ASSERT_TRUE(value.ok()) << f.id << ": " << value.error().text();
        EXPECT_TRUE(to_json(*value).ok()) << f.id;
        ++evaluated;
    }
    EXPECT_GE(statements, 20);
    EXPECT_GE(evaluated, 100);
}

// ID-LOG3 against the logarithm of ID, on random small inputs.
TEST(Formulas, LogarithmicTwinsContainTheExactValue) {
    int compared = 0;
    for (const auto& f : all_formulas()) {
        if (!f.log3) continue;
        const auto twin = find_formula(f.id + "-LOG3");
        ASSERT_TRUE(twin.ok()) << f.id;
        for_seeds(12, [&](RandomStream& stream) {
            Given given;
            for (const auto& rule : f.inputs) {
                if (rule.kind == InputKind::pairs) {
                    given[rule.name] = Json::array({{1, 2}, {0, 3}, {1, 1}, {2, 0}});
                } else {
                    given[rule.name] = random_between(stream, std::max(rule.low, Integer(2)).to_int64(), 7);
                }
            }
            if (f.id == "ERR-COUNTEREXAMPLE") given = {{"d", 5}, {"L", 4}, {"ab", given["ab"]}};
            const auto inputs = read_inputs(f, given);
            ASSERT_TRUE(inputs.ok()) << f.id << ": " << inputs.error().text();
            const auto exact_value = evaluate(f, *inputs), log_value = evaluate(**twin, *inputs);
            if (!exact_value.ok() || !log_value.ok()) return;  // outside the domain, odd differences
            const auto* whole = std::get_if<Integer>(&*exact_value);
            const Rational number = whole != nullptr ? Rational(*whole) : std::get<Rational>(*exact_value);
            if (number <= Rational(0)) return;
            const Ball direct = log3(Ball(number, 400)), ball = std::get<Real>(*log_value)(64);
            // WIES-L6-V is twice a bound plus one; its twin is the logarithm of the bound.
            if (f.id == "WIES-L6-V") return;
            EXPECT_TRUE(ball.contains(direct)) << f.id << " " << number.text();
            ++compared;
        });
    }
    EXPECT_GE(compared, 150);
}

TEST(Formulas, UnknownIdSuggestsItsNeighbours) {
    const auto missing = find_formula("LEVINE-T33");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
    EXPECT_THAT(missing.error().text(), HasSubstr("did you mean"));
    EXPECT_THAT(missing.error().text(), HasSubstr("LEVINE-T3"));
    EXPECT_THAT(find_formula("qqqqqqqqqqqq").error().text(), HasSubstr("plimsoll bounds --list"));
}

TEST(Inputs, UnknownMissingAndIllTypedNamesAreErrors) {
    const Given good{{"L", 3}, {"dx", 8}, {"H", 2}};
    EXPECT_EQ(shown("LEVINE-T3", good), R"({"int":"10000000000000"})");
    Given extra = good;
    extra["heads"] = 3;
    EXPECT_THAT(error_of("LEVINE-T3", extra).text(), HasSubstr("unknown input 'heads'"));
    EXPECT_THAT(error_of("LEVINE-T3", {{"L", 3}, {"dx", 8}}).text(),
                HasSubstr("input 'H' is missing (inputs: L, dx, H)"));
    EXPECT_THAT(error_of("NAVON-P5.10", {{"x", 1}}).text(), HasSubstr("it takes no inputs"));
    const std::string range = "must be an integer from 1 to";
    for (const Json& wrong :
         {Json("x"), Json(1.5), Json(true), Json(nullptr), Json::array(), Json("3.0"), Json("")}) {
        EXPECT_THAT(error_of("LEVINE-T3", {{"L", wrong}, {"dx", 8}, {"H", 2}}).text(), HasSubstr(range));
    }
    for (const Json& outside : {Json(0), Json(-3), Json(100'001), Json("99999999999999999999999")}) {
        const Error error = error_of("LEVINE-T3", {{"L", outside}, {"dx", 8}, {"H", 2}});
        EXPECT_THAT(error.text(), HasSubstr(range));
        EXPECT_EQ(error.kind, ErrorKind::bad_input);
        EXPECT_EQ(error.where, "L");
    }
    EXPECT_THAT(error_of("LEVINE-COR1",
                         {{"L_deep", 6}, {"dx_deep", 100}, {"H", 2}, {"L_shallow", 2}, {"which", "mid"}})
                    .text(),
                HasSubstr("'mid' is not a choice"));
    EXPECT_THAT(error_of("NAVON-P5.10-BASE", {{"alpha", "one"}}).text(),
                HasSubstr("must be a decimal number such as 1.5"));
    EXPECT_THAT(error_of("NAVON-P5.10-BASE", {{"alpha", "-1"}}).text(), HasSubstr("must be at least 0"));
    EXPECT_FALSE(value_of("HAYASE-MAXW", {{"Omega", 100}, {"gamma", 0}}).ok());
    EXPECT_FALSE(value_of("HAYASE-MAXW", {{"Omega", 0}, {"gamma", 1}}).ok());
}

TEST(Inputs, NumbersMayBeTextsOfAnyLength) {
    EXPECT_EQ(shown("LEVINE-REGIME", {{"L", "7"}, {"dx", "1000"}}), R"({"str":"inefficient"})");
    EXPECT_EQ(shown("HAYASE-WIDTH", {{"S", "10000000000000000000000"}, {"C", 2}}),
              R"({"int":"20000000000000000000000"})");
}

TEST(Inputs, PairsMustBePairsOfIntegers) {
    const auto with = [](const Json& ab) {
        return error_of("ERR-COUNTEREXAMPLE", {{"d", 4}, {"L", 1}, {"ab", ab}}).text();
    };
    const std::string rule = "must be a list of pairs such as [[1,2],[0,3]]";
    EXPECT_THAT(with(3), HasSubstr(rule));
    EXPECT_THAT(with(Json::array({1, 2})), HasSubstr(rule));
    EXPECT_THAT(with(Json::array({Json::array({1})})), HasSubstr(rule));
    EXPECT_THAT(with(Json::array({Json::array({1, 2.5})})), HasSubstr(rule));
    EXPECT_THAT(with("[[1,18446744073709551615]]"), HasSubstr(rule));  // would wrap to -1
    EXPECT_THAT(with("[[1,2]"), HasSubstr("ab"));
    EXPECT_THAT(with(Json::array()), HasSubstr("must have one pair per layer, L = 1, got 0"));
    EXPECT_THAT(
        error_of("ERR-COUNTEREXAMPLE", {{"d", 4}, {"L", 1}, {"ab", "[[1,2]]"}, {"output_coordinate", 4}})
            .text(),
        HasSubstr("must be below d = 4"));
    EXPECT_EQ(shown("ERR-COUNTEREXAMPLE", {{"d", 2}, {"L", 2}, {"ab", "[[0,0],[0,1]]"}}), R"({"int":"12"})");
}

TEST(Domain, WhatTheTheoremsDoNotCoverIsRefused) {
    EXPECT_THAT(error_of("LEVINE-T1-LOWER", {{"L", 2}, {"dx", 8}, {"H", 8}}).text(),
                HasSubstr("must exceed H = 8, got 8"));
    EXPECT_THAT(error_of("LEVINE-T2-LOWER", {{"L", 2}, {"dx", 4}, {"H", 8}}).text(),
                HasSubstr("must exceed H = 8, got 4"));
    EXPECT_THAT(error_of("LEVINE-MS-LOWER", {{"L", 3}, {"dx", 8}, {"H", 3}}).text(),
                HasSubstr("dx - H must be even and not negative, got 5"));
    EXPECT_THAT(error_of("LEVINE-MID-N", {{"L", 3}, {"dx", 4}, {"H", 2}}).text(),
                HasSubstr("needs n = (dx - H)/2 > 1"));
    EXPECT_THAT(error_of("CAP-mixer_rows_int", {{"n", 3}, {"m", 4}, {"p", 2}}).text(),
                HasSubstr("must be even for a split into halves, got 3"));
    EXPECT_THAT(error_of("CAP-heads_bound_int", {{"L", 2}, {"d", 4}, {"H", 1}, {"da", 5}}).text(),
                HasSubstr("must be at most d = 4, got 5"));
    EXPECT_THAT(error_of("LEVINE-MS-CONSTRUCT-LOG3", {{"L", 3}, {"H", 2}, {"da", 2}}).text(),
                HasSubstr("must be at least 3"));
    EXPECT_THAT(error_of("MULTISET-LOG3", {{"n", 0}, {"k", 3}}).text(), HasSubstr("must be at least 1"));
}

TEST(Domain, TooManyDigitsPointToTheLogarithm) {
    for (const auto& [id, given] :
         {std::pair<const char*, Given>{"LEVINE-T3", {{"L", 24}, {"dx", 1024}, {"H", 16}}},
          {"LEVINE-T4", {{"L", 96}, {"dx", 1'000'000}}},
          {"CAP-bound_full_int", {{"L", 200}, {"d", 20'000}}},
          {"NAVON-T5.6", {{"p", 40}, {"m", 8}, {"n", 4}, {"H", 2}}},
          {"WIES-T3", {{"L", 24}, {"r", 1'000'000}, {"re", 1}}}}) {
        const Error error = error_of(id, given);
        EXPECT_EQ(error.kind, ErrorKind::unsupported) << id;
        EXPECT_THAT(error.text(), HasSubstr(std::string("too many to write out; ask for ") + id + "-LOG3"));
        EXPECT_TRUE(value_of(std::string(id) + "-LOG3", given).ok()) << id;
    }
    EXPECT_THAT(error_of("CAP-degree_int", {{"d", 100'000}, {"q", 8}}).text(),
                HasSubstr("ask for CAP-ln_degree"));
    EXPECT_EQ(error_of("CAP-hvec", {{"d", 1024}, {"q", 512}}).kind, ErrorKind::unsupported);
    EXPECT_THAT(error_of("CAP-bound_int", {{"L", 3}, {"d", 1024}, {"qA", 512}, {"qB", 512}}).text(),
                HasSubstr("plimsoll bounds SPEC --context N"));
}

// Numbers that are zero without being exact: log3 9 - 2 and the like.
TEST(Values, AVanishingCancellationIsZero) {
    EXPECT_EQ(shown("LEVINE-T2-LOWER", {{"L", 5}, {"dx", 20}, {"H", 2}}), R"({"dec30":"0.0"})");
    EXPECT_EQ(shown("LEVINE-L2-LOG3", {{"n", 1}, {"k", 12}, {"M", 40}}), R"({"dec30":"0.0"})");
}

std::string absurd(RandomStream& stream) {
    static const std::vector<std::string> texts{
        "",    "x",       "-1", "0",    "1.5", "1e9",  "99999999999999999999999999",
        "nan", "[[1,2]]", "[",  "null", "2 ",  "0x10", "--",
        "1/0", "1/3",     "٣",  "0.0",  "-0",  "inf",  "true"};
    return texts[stream.below(texts.size())];
}

Json random_input(const InputRule& rule, RandomStream& stream) {
    if (stream.below(12) == 0) return absurd(stream);
    switch (rule.kind) {
        case InputKind::integer:
            return stream.below(6) == 0 ? rule.low.text() : std::to_string(random_between(stream, 0, 9));
        case InputKind::decimal:
            return std::to_string(random_between(stream, 0, 300)) + "." +
                   std::to_string(random_between(stream, 0, 99));
        case InputKind::word:
            return rule.words[stream.below(rule.words.size())];
        case InputKind::pairs: {
            Json list = Json::array();
            for (std::uint64_t n = stream.below(6); n > 0; --n) {
                list.push_back({random_between(stream, -9, 9), random_between(stream, -9, 9)});
            }
            return list;
        }
    }
    return nullptr;
}

// Whatever is typed, the answer is a value or an error, never a Bug. Small numbers: every formula is quick
// there.
TEST(Formulas, NoInputCanThrow) {
    for (const auto& f : all_formulas()) {
        for_seeds(40, [&](RandomStream& stream) {
            Given given;
            for (const auto& rule : f.inputs) {
                if (stream.below(30) != 0) given[rule.name] = random_input(rule, stream);
            }
            if (given.contains("ab") && given["ab"].is_array()) given["L"] = given["ab"].size();
            if (given.contains("L") && f.id.starts_with("CAP-heads"))
                given["L"] = random_between(stream, 0, 5);
            const ::testing::ScopedTrace trace(__FILE__, __LINE__, f.id + " " + Json(given).dump());
            EXPECT_NO_THROW({
                const auto inputs = read_inputs(f, given);
                if (inputs.ok()) {
                    const auto value = evaluate(f, *inputs);
                    if (value.ok()) (void)to_json(*value).ok();
                }
            });
        });
    }
}

TEST(Inputs, AskingForWhatWasNotDeclaredIsABug) {
    EXPECT_THROW((void)Inputs().integer("L"), Bug);
    EXPECT_FALSE(Inputs().has("L"));
}

}  // namespace
}  // namespace plimsoll::theory
