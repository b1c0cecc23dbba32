#include "plimsoll/theory/ids/vectors.h"

#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/error_text.h"
#include "tests/support/shared_data.h"
#include "tests/theory/fixtures.h"

namespace plimsoll::theory {
namespace {

using ::testing::HasSubstr;

std::string listed(const CheckReport& report) {
    std::string out;
    for (const auto& d : report.differences) out += d.id + " " + d.inputs + ": " + d.reason + "\n";
    return out;
}

void expect_all_pass(const Json& file, std::size_t count) {
    const auto report = check_vectors(file, "fixture");
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_EQ(report->checked, count);
    EXPECT_TRUE(report->differences.empty()) << listed(*report);
}

TEST(Vectors, FixturesPass) {
    expect_all_pass(theory_fixture("papers.json"), 160);
    expect_all_pass(theory_fixture("capacity.json"), 99);
}

TEST(Vectors, AttainmentFixturesPass) { expect_all_pass(theory_fixture("attainment.json"), 46); }

// What somebody else computed, where it lies next to the checkout.
TEST(Vectors, SharedFilesPass) {
    const std::filesystem::path shared = shared_folder();
    int checked = 0;
    for (const char* name : {"vectors.json", "capacity_vectors.json", "attain_vectors.json"}) {
        const auto path = shared / "theory" / name;
        if (!std::filesystem::exists(path)) continue;
        const auto file = read_json(path);
        ASSERT_TRUE(file.ok()) << file.error().text();
        expect_all_pass(*file, (*file)["vectors"].size());
        ++checked;
    }
    if (checked == 0) GTEST_SKIP() << "no theory/vectors.json under " << shared;
}

Json one(const Json& vector) { return {{"vectors", Json::array({vector})}}; }

// The one difference of a file with one vector; empty when there is none.
std::string difference_of(const Json& vector) {
    const auto report = check_vectors(one(vector), "file");
    EXPECT_TRUE(report.ok()) << report.error().text();
    if (!report.ok() || report->differences.empty()) return "";
    return report->differences.front().reason;
}

// Changes the last digit of every decimal text inside.
int damage(Json& value, const std::function<void()>& check) {
    int changed = 0;
    if (value.is_string()) {
        const std::string before = value.get<std::string>();
        const auto at = before.find_last_of("0123456789");
        if (at == std::string::npos) return 0;
        std::string after = before;
        // Two units: one unit of the last place still agrees.
        after[at] = static_cast<char>('0' + (before[at] - '0' + 5) % 10);
        value = after;
        check();
        value = before;
        return 1;
    }
    if (value.is_number_unsigned()) {
        const auto before = value.get<std::uint64_t>();
        value = before + 1;
        check();
        value = before;
        return 1;
    }
    if (value.is_object() || value.is_array()) {
        for (auto& item : value) changed += damage(item, check);
    }
    return changed;
}

// A changed digit in any part of any output is found.
TEST(Vectors, AChangedDigitIsReported) {
    std::set<std::string> kinds;
    int changed = 0;
    for (const char* name : {"papers.json", "capacity.json"}) {
        const Json fixture = theory_fixture(name);
        for (const auto& original : fixture["vectors"]) {
            const std::string kind = original["output"].begin().key();
            const std::string key =
                kind == "rational" && original["output"]["rational"].contains("frac") ? "frac" : kind;
            if (!kinds.insert(key).second) continue;  // one of each kind
            Json vector = original;
            changed += damage(vector["output"].begin().value(), [&] {
                EXPECT_THAT(difference_of(vector), HasSubstr("expected")) << vector.dump().substr(0, 300);
            });
            EXPECT_EQ(difference_of(vector), "");
        }
    }
    for (const char* kind :
         {"int", "int_summary", "rational", "frac", "dec30", "dec", "str", "null", "ints"}) {
        EXPECT_TRUE(kinds.contains(kind)) << kind;
    }
    EXPECT_GE(changed, 15);
}

TEST(Vectors, OneUnitOfTheLastPlaceAgreesAndTwoDoNot) {
    const auto with = [](const char* kind, const char* text) {
        return difference_of({{"id", "LEVINE-TH"}, {"inputs", {{"dx", 768}}}, {"output", {{kind, text}}}});
    };
    EXPECT_EQ(with("dec30", "6.04743802857165949679621691474"), "");
    EXPECT_EQ(with("dec", "6.047"), "");
    EXPECT_EQ(with("dec", "6.048"), "");
    EXPECT_NE(with("dec", "6.049"), "");
    EXPECT_NE(with("dec", "6.046"), "");
    EXPECT_NE(with("dec30", "6.05"), "");  // dec30 counts thirty digits whatever is written
    EXPECT_NE(with("dec", "six"), "");
    EXPECT_NE(with("str", "6.047"), "");
    EXPECT_NE(with("int", "6"), "");
    EXPECT_NE(with("null", "true"), "");
}

TEST(Vectors, WrongInputsAreDifferencesNotErrors) {
    EXPECT_THAT(difference_of({{"id", "LEVINE-C"}, {"inputs", {{"L", -1}}}, {"output", {{"int", "1"}}}}),
                HasSubstr("must be an integer from 0"));
    EXPECT_THAT(difference_of({{"id", "LEVINE-CC"}, {"inputs", {{"L", 1}}}, {"output", {{"int", "1"}}}}),
                HasSubstr("no such id"));
    EXPECT_THAT(difference_of({{"id", "SEP-DEF"}, {"inputs", Json::object()}, {"output", {{"int", "1"}}}}),
                HasSubstr("is a statement"));
    EXPECT_THAT(difference_of({{"id", "LEVINE-C"}, {"inputs", {{"K", 1}}}, {"output", {{"int", "1"}}}}),
                HasSubstr("unknown input 'K'"));
}

std::string file_error(const Json& file) {
    const auto report = check_vectors(file, "v.json");
    EXPECT_FALSE(report.ok()) << file.dump();
    return error_text(report);
}

TEST(Vectors, BrokenFilesAreRefusedWithTheirPlace) {
    const Json good{{"id", "LEVINE-C"}, {"inputs", {{"L", 1}}}, {"output", {{"int", "1"}}}};
    EXPECT_EQ(difference_of(good), "");
    EXPECT_THAT(file_error(Json::array()), HasSubstr("v.json: must be an object with a list 'vectors'"));
    EXPECT_THAT(file_error(Json::object()), HasSubstr("must be an object with a list 'vectors'"));
    EXPECT_THAT(file_error({{"vectors", 3}}), HasSubstr("must be an object with a list 'vectors'"));
    EXPECT_THAT(file_error({{"count", 2}, {"vectors", Json::array({good})}}),
                HasSubstr("count is 2, but there are 1 vectors"));
    EXPECT_THAT(file_error({{"vectors", Json::array()}, {"note", 1}}), HasSubstr("note"));
    const auto broken = [&](const std::function<void(Json&)>& change) {
        Json vector = good;
        change(vector);
        return file_error({{"vectors", Json::array({good, vector})}});
    };
    EXPECT_THAT(broken([](Json& v) { v.erase("id"); }), HasSubstr("v.json: vectors[1]: id must be a text"));
    EXPECT_THAT(broken([](Json& v) { v["id"] = 3; }), HasSubstr("id must be a text"));
    EXPECT_THAT(broken([](Json& v) { v.erase("inputs"); }), HasSubstr("inputs must be an object"));
    EXPECT_THAT(broken([](Json& v) { v.erase("output"); }),
                HasSubstr("output must be an object with one kind"));
    EXPECT_THAT(broken([](Json& v) { v["output"]["dec"] = "1"; }),
                HasSubstr("output must be an object with one kind"));
    EXPECT_THAT(broken([](Json& v) { v["output"] = {{"real", "1"}}; }), HasSubstr("unknown kind 'real'"));
    EXPECT_THAT(broken([](Json& v) { v["extra"] = 1; }), HasSubstr("extra"));
    EXPECT_THAT(broken([](Json& v) { v = 7; }), HasSubstr("must be an object with id, inputs and output"));
    EXPECT_FALSE(parse_json("{\"vectors\": [", "v.json").ok());
    EXPECT_FALSE(parse_json("{\"vectors\": [], \"vectors\": []}", "v.json").ok());  // a key twice
    EXPECT_FALSE(parse_json("not json", "v.json").ok());
}

// Kinds whose contents are of the wrong type never agree and never throw.
TEST(Vectors, IllTypedOutputsAreDifferences) {
    const Json junk[] = {Json(nullptr),         Json(77),  Json("x"), Json::array(), Json::object(),
                         Json::array({1, "2"}), Json(true)};
    for (const char* kind :
         {"int", "int_summary", "rational", "dec30", "dec", "str", "bool", "null", "ints"}) {
        for (const char* id : {"LEVINE-C", "LEVINE-TH", "LEVINE-REGIME", "LEVINE-L2", "CAP-hvec"}) {
            for (const auto& output : junk) {
                Json inputs{{"L", 2}};
                if (std::string(id) == "LEVINE-TH") inputs = {{"dx", 5}};
                if (std::string(id) == "LEVINE-REGIME") inputs = {{"L", 2}, {"dx", 5}};
                if (std::string(id) == "LEVINE-L2") inputs = {{"n", 3}, {"k", 3}, {"M", 8}};
                if (std::string(id) == "CAP-hvec") inputs = {{"d", 4}, {"q", 2}};
                const Json file = one({{"id", id}, {"inputs", inputs}, {"output", {{kind, output}}}});
                const ::testing::ScopedTrace trace(__FILE__, __LINE__, file.dump());
                EXPECT_NO_THROW({
                    const auto report = check_vectors(file, "v.json");
                    if (report.ok()) {
                        EXPECT_EQ(report->differences.size(), 1U);
                    }
                });
            }
        }
    }
}

TEST(ToJson, ShowsEveryKind) {
    const auto shown = [](const Value& value, int digits = 30) { return to_json(value, digits)->dump(); };
    EXPECT_EQ(shown(None{}), R"({"null":true})");
    EXPECT_EQ(shown(true), R"({"bool":true})");
    EXPECT_EQ(shown(std::string("efficient")), R"({"str":"efficient"})");
    EXPECT_EQ(shown(Integer(12)), R"({"int":"12"})");
    EXPECT_EQ(shown(Rational(3)), R"({"int":"3"})");
    EXPECT_EQ(shown(std::vector<Integer>{1, 3}), R"({"ints":["1","3"]})");
    EXPECT_THAT(shown(Rational(Integer(7), Integer(2))), HasSubstr(R"("frac":"7/2")"));
    EXPECT_EQ(shown(Real([](int bits) { return Ball::pi(bits); }), 5), R"({"dec":"3.1416"})");
    EXPECT_THAT(shown(Value(pow(Integer(7), 5000))), HasSubstr("int_summary"));
    EXPECT_FALSE(to_json(Real([](int bits) { return log(Ball(-1, bits)); })).ok());
    // A number that no precision settles is refused, not guessed.
    const Real vague = [](int bits) { return Ball::hull(Ball(1, bits), Ball(2, bits)); };
    EXPECT_THAT(to_json(vague).error().text(), HasSubstr("cannot be decided"));
}

// What the program prints of very large and very small numbers it also reads.
TEST(Vectors, PowersOfTenAreReadAsTheyAreWritten) {
    const auto report = [](const std::string& value, const char* kind) {
        const std::string file =
            R"({"vectors":[{"id":"LEVINE-T3-LOG3","inputs":{"L":100,"dx":1024,"H":16},"output":{")" +
            std::string(kind) + R"(":")" + value + R"("}}]})";
        return check_vectors(*parse_json(file, "file"), "file")->differences.size();
    };
    EXPECT_EQ(report("1.62947169822399842314854865772e+48", "dec30"), 0U);
    EXPECT_EQ(report("1.629471698e48", "dec"), 0U);
    EXPECT_EQ(report("1.629471600e48", "dec"), 1U);
    EXPECT_EQ(report("1.62947169822399842314854865792e+48", "dec30"), 1U);
    EXPECT_EQ(*Rational::from_text("-2.5e-3"), Rational(Integer(-1), Integer(400)));
    EXPECT_FALSE(Rational::from_text("1e999999999").has_value());
    EXPECT_FALSE(Rational::from_text("1e").has_value());
    EXPECT_FALSE(Rational::from_text("e5").has_value());
}

}  // namespace
}  // namespace plimsoll::theory
