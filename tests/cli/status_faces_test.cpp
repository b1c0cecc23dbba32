// No face says more than theory's status table: formula list, bounds' facts, audit's findings, advice. Fit's
// findings are advise's (tests/fit/propose_test.cpp).
#include <array>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/advise/advise.h"
#include "plimsoll/audit/diagnose.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/bounds/bounds_text.h"
#include "plimsoll/theory/ids/status.h"

namespace plimsoll::cli {
namespace {

using ::testing::HasSubstr;
using theory::status_of;

// What a user reads beside a claim.
struct FaceLine {
    std::string where, claim, standing, text;
};

// Phrases that no proof stands behind, each once printed by a face.
constexpr std::array<std::string_view, 10> unproved_phrases{
    "triples per",         "triples with", "stops tripling", "quadruples",           "capacity doubles",
    "with depth for ever", "never one",    "proved to cost", "on the strings limit", "cost nothing"};

std::vector<std::string> phrases_in(std::string_view text) {
    std::vector<std::string> found;
    for (const auto phrase : unproved_phrases) {
        if (text.find(phrase) != std::string_view::npos) found.emplace_back(phrase);
    }
    return found;
}

bool is_proved(const theory::ClaimStatus& status) {
    return status.standing == theory::Standing::proved || status.standing == theory::Standing::repaired;
}

void expect_no_more(const FaceLine& line) {
    SCOPED_TRACE(line.where + ": " + line.claim + ": " + line.text);
    ASSERT_TRUE(theory::has_status(line.claim));
    const auto& status = status_of(line.claim);
    EXPECT_EQ(line.standing, brief_text(status));
    EXPECT_THAT(line.standing, HasSubstr(std::string(status.needs)));
    EXPECT_TRUE(is_proved(status) || line.standing.find("proved") == std::string::npos);
    EXPECT_THAT(phrases_in(line.text), ::testing::IsEmpty());
}

std::vector<FaceLine> audit_lines() {
    std::vector<FaceLine> lines;
    for (const auto& rule : audit::finding_rules())
        lines.push_back({"rule " + std::string(rule.id), std::string(rule.source.claim), rule.source.basis(),
                         std::string(rule.severe_when) + " " + std::string(rule.notice_when)});
    for (const auto& row : audit::zoo()) {
        for (const auto& finding : audit::diagnose({row.shape, std::nullopt, "zoo", &row}).findings)
            lines.push_back({"audit " + row.shape.name, std::string(finding.source.claim),
                             finding.source.basis(), finding.reading + " " + finding.text});
    }
    return lines;
}

std::vector<advise::AdviceRequest> sample_requests() {
    advise::AdviceRequest text, bytes, mixer, patches;
    text.parameters = 100'000'000;
    text.vocab = 32000;
    text.context = 1024;
    bytes = text;
    bytes.parameters = 10'000'000;
    bytes.vocab = 257;
    mixer.parameters = 5'000'000;
    mixer.family = advise::AdviceFamily::mixer;
    patches.parameters = 86'000'000;
    patches.image = {224, 224, 3, 16, 16};
    patches.context = 197;
    patches.classes = 1000;
    return {text, bytes, mixer, patches};
}

std::vector<FaceLine> advice_lines() {
    std::vector<FaceLine> lines;
    for (const auto& request : sample_requests()) {
        const auto advice = advise::advise(request);
        EXPECT_TRUE(advice.ok());
        for (const auto& reason : advice->reasons)
            lines.push_back({"advise", reason.claim, reason.standing(), reason.name + " " + reason.reading});
        for (const auto& sentence : advice->sentences)
            EXPECT_THAT(phrases_in(sentence), ::testing::IsEmpty());
    }
    return lines;
}

TEST(StatusFaces, AuditSaysNoMore) {
    for (const auto& line : audit_lines()) expect_no_more(line);
}

TEST(StatusFaces, AdviceSaysNoMore) {
    for (const auto& line : advice_lines()) expect_no_more(line);
}

TEST(StatusFaces, FactsOfBoundsSayNoMore) {
    for (const char* spec : {"attention:depth=12,width=768,heads=12,embedding=vocab,vocab=50257",
                             "transformer:depth=12,width=768,heads=12,vocab=50257",
                             "square-mixer:depth=6,rows=8,cols=8", "mixer:depth=4,tokens=16,channels=16"}) {
        const auto parsed = arch::parse_spec(spec);
        const bool mixer = std::string_view(spec).find("mixer") != std::string_view::npos;
        const auto table =
            theory::bounds_for(*parsed, mixer ? std::nullopt : std::optional<std::int64_t>(1024));
        ASSERT_TRUE(table.ok());
        for (const auto& fact : table->facts)
            EXPECT_THAT(phrases_in(fact.note), ::testing::IsEmpty()) << spec;
        for (const auto& row : table->rows) EXPECT_EQ(row.standing, status_of(row.id).standing) << row.id;
    }
}

// The printed list has each id with the table's words and its condition.
TEST(StatusFaces, TheListSaysNoMore) {
    ::testing::internal::CaptureStdout();
    ::setenv("COLUMNS", "120", 1);  // no cell is folded
    print_formulas();
    ::unsetenv("COLUMNS");
    const auto lines = split(::testing::internal::GetCapturedStdout(), '\n');
    for (const auto& formula : theory::all_formulas()) {
        const auto row = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
            return std::string(trim(line)).starts_with(formula.id + " ");
        });
        ASSERT_NE(row, lines.end()) << formula.id;
        EXPECT_THAT(std::string(*row), HasSubstr(" " + std::string(to_text(formula.standing))));
        EXPECT_THAT(std::string(*row), HasSubstr(std::string(status_of(formula.id).needs)));
    }
}

// Pages of docs; measurements and experiments show what was printed when they ran.
TEST(StatusFaces, PagesSayNoMore) {
    const std::filesystem::path root = PLIMSOLL_SOURCE_DIR;
    std::vector<std::filesystem::path> pages{root / "README.md"};
    for (const char* name : {"ADVICE.md", "AUDIT.md", "BOUNDS.md", "FIT.md", "FIT_METHOD.md"})
        pages.push_back(root / "docs" / name);
    for (const auto& entry : std::filesystem::directory_iterator(root / "docs" / "bounds"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    for (const auto& page : pages)
        EXPECT_THAT(phrases_in(read_text(page).value()), ::testing::IsEmpty()) << page;
}

}  // namespace
}  // namespace plimsoll::cli
