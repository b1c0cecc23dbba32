// docs/bounds: every id has a page that lists it, and what a page names exists.
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::theory {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path source_root = PLIMSOLL_SOURCE_DIR;
const fs::path pages_folder = source_root / "docs" / "bounds";

// A page as the tests see it: the ids of its first line and its text.
struct Page {
    std::vector<std::string> ids;
    std::string text;
    bool well_formed = false;  // the first line starts with "ids: "
};

Page read_page(const fs::path& path) {
    Page page;
    page.text = read_text(path).value();
    const std::string first = page.text.substr(0, page.text.find('\n'));
    const std::string_view mark = "ids: ";
    page.well_formed = first.starts_with(mark);
    if (!page.well_formed || first == "ids: none") return page;
    for (const auto& id : split(first.substr(mark.size()), ',')) page.ids.emplace_back(trim(id));
    return page;
}

// Pages by name; the index is not one of them.
const std::map<std::string, Page>& all_pages() {
    static const std::map<std::string, Page> pages = [] {
        std::map<std::string, Page> out;
        for (const auto& entry : fs::directory_iterator(pages_folder)) {
            const std::string name = entry.path().stem().string();
            if (entry.path().extension() == ".md" && name != "README")
                out.emplace(name, read_page(entry.path()));
        }
        return out;
    }();
    return pages;
}

// The paragraphs of `text` that start with `mark`, up to the next empty line each.
std::string paragraphs(const std::string& text, const std::string& mark) {
    std::string out;
    for (auto at = text.find("\n" + mark); at != std::string::npos; at = text.find("\n" + mark, at + 1)) {
        const auto end = text.find("\n\n", at + 1);
        out += text.substr(at, end == std::string::npos ? end : end - at);
    }
    return out;
}

std::set<std::string> files_named(const std::string& text, const std::string& pattern) {
    const std::regex path(pattern);
    std::set<std::string> out;
    for (std::sregex_iterator match(text.begin(), text.end(), path), end; match != end; ++match)
        out.insert(match->str());
    return out;
}

void expect_files(const std::string& page, const std::string& where, const std::set<std::string>& files) {
    EXPECT_FALSE(files.empty()) << page << ".md names no file under " << where;
    for (const auto& file : files)
        EXPECT_TRUE(fs::exists(source_root / file)) << page << ".md names " << file;
}

TEST(BoundsPages, EveryIdHasAPageThatListsIt) {
    for (const auto& formula : all_formulas()) {
        const auto page = all_pages().find(formula.page);
        if (page == all_pages().end()) {
            ADD_FAILURE() << formula.id << " wants docs/bounds/" << formula.page << ".md";
            continue;
        }
        EXPECT_THAT(page->second.ids, ::testing::Contains(formula.id)) << formula.page << ".md";
    }
}

TEST(BoundsPages, EveryListedIdIsAFormulaOfThatPage) {
    for (const auto& [name, page] : all_pages()) {
        EXPECT_TRUE(page.well_formed) << name << ".md must start with 'ids: '";
        for (const auto& id : page.ids) {
            const auto formula = find_formula(id);
            ASSERT_TRUE(formula.ok()) << name << ".md lists " << id << ", which is not a formula";
            EXPECT_EQ((*formula)->page, name) << id;
        }
    }
}

TEST(BoundsPages, EveryPageNamesItsFunctionAndItsTest) {
    for (const auto& [name, page] : all_pages()) {
        expect_files(name, "Function:",
                     files_named(paragraphs(page.text, "Function:"), R"(plimsoll/[a-z0-9_/]+\.(cpp|h))"));
        expect_files(name, "Test:",
                     files_named(paragraphs(page.text, "Test:"), R"(tests/[a-z0-9_/]+\.(cpp|test|py))"));
    }
}

// The word of the table, or "definition" for what is defined.
TEST(BoundsPages, EveryPageSaysWhatTheTableSaysAboutItsIds) {
    for (const auto& formula : all_formulas()) {
        const auto page = all_pages().find(formula.page);
        if (page == all_pages().end()) continue;  // the first test says so
        const std::string status = paragraphs(page->second.text, "Status:");
        const bool said = status.find(to_text(formula.standing)) != std::string::npos ||
                          (formula.standing == Standing::defined && status.find("definition") != status.npos);
        EXPECT_TRUE(said) << formula.page << ".md does not call " << formula.id << " "
                          << to_text(formula.standing);
        EXPECT_THAT(page->second.text, HasSubstr(formula.erratum)) << formula.id;
    }
}

TEST(BoundsPages, TheIndexHasEveryPage) {
    const std::string index = read_text(pages_folder / "README.md").value();
    for (const auto& [name, page] : all_pages()) EXPECT_THAT(index, HasSubstr("(" + name + ".md)"));
}

}  // namespace
}  // namespace plimsoll::theory
