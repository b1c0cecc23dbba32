#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/run/recipes.h"
#include "tests/run/config_support.h"

namespace plimsoll::run {
namespace {

using ::testing::HasSubstr;

std::string page() { return *read_text(PLIMSOLL_SOURCE_DIR "/docs/RUNS.md"); }

// '|' would end a cell.
std::string cell(std::string text) {
    for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

// The page wraps its lines at 120 columns, the code does not.
std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

// The lines of the page between two marks.
std::string between(const std::string& mark) {
    const std::string text = page(), start = "<!-- " + mark + " -->\n", end = "<!-- end -->";
    const auto from = text.find(start);
    if (from == std::string::npos) return "";
    return text.substr(from + start.size(), text.find(end, from) - from - start.size());
}

TEST(RunsPage, TheTableOfKeysIsTheCodes) {
    std::string table = "| key | values | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const auto& key : config_keys()) {
        const std::string fallback = key.fallback.empty() ? "required" : fmt::format("`{}`", key.fallback);
        table +=
            fmt::format("| `{}` | {} | {} | {} |\n", key.key, cell(key.allowed), fallback, cell(key.meaning));
    }
    EXPECT_EQ(between("keys"), table);
}

TEST(RunsPage, TheRecipesAreTheCodes) {
    std::string text;
    for (const auto& recipe : recipes()) {
        text += fmt::format("### {}\n\nSource: {}.\n\n```toml\n", recipe.name, recipe.source);
        for (const auto& [key, value] : recipe.values) text += fmt::format("{} = {}\n", key, value);
        text += "```\n\n";
        for (const auto& line : recipe.differs) text += fmt::format("- {}.\n", line);
        text += "\n";
    }
    EXPECT_EQ(words(between("recipes")), words(text));
}

TEST(RunsPage, TheExampleIsAValidRun) {
    const std::string text = page(), start = "```toml\n# run.toml\n";
    const auto from = text.find(start);
    ASSERT_NE(from, std::string::npos);
    const auto config =
        parse_run_config(text.substr(from + 8, text.find("```", from + 8) - from - 8), "RUNS.md");
    EXPECT_TRUE(config.ok()) << config.error().text();
}

TEST(RunsPage, EveryFileOfARunIsExplained) {
    for (const char* name : {"config.toml", "metrics.jsonl", "timings.jsonl", "environment.json", "log.txt",
                             "state.json", "run.lock", "claims/", "checkpoint/", "manifest.json"})
        EXPECT_THAT(page(), HasSubstr(std::string("`") + name)) << name;
}

}  // namespace
}  // namespace plimsoll::run
