#include "plimsoll/report/page/page.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/base64.h"
#include "plimsoll/base/files.h"
#include "plimsoll/report/page/html_text.h"
#include "plimsoll/report/page/markdown_html.h"
#include "plimsoll/report/page/page_assets.h"
#include "plimsoll/report/page/page_pieces.h"
#include "plimsoll/report/vega/theme.h"
#include "tests/report/page_support.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

// A page made with a runtime of a few bytes instead of node's packages.
class Page : public ::testing::Test {
  protected:
    Page() {
        for (const char* file :
             {"vega/build/vega.min.js", "vega-lite/build/vega-lite.min.js", "vega-view/LICENSE",
              "d3-array/LICENSE", "vega-lite/LICENSE", "@fontsource/ibm-plex-sans/LICENSE"})
            write(file, std::string("text of ") + file);
        for (const char* font :
             {"sans-latin-400", "sans-latin-600", "sans-condensed-latin-400", "sans-condensed-latin-500",
              "sans-condensed-latin-600", "serif-latin-500", "mono-latin-400"}) {
            const std::string name(font);
            write("@fontsource/ibm-plex-" + name.substr(0, name.find("-latin")) + "/files/ibm-plex-" + name +
                      "-normal.woff2",
                  "font");
        }
        ::setenv("PLIMSOLL_FIGURES", folder.path().c_str(), 1);
        content = testing::sample_page();
        content.first_paint = false;
    }
    ~Page() override { ::unsetenv("PLIMSOLL_FIGURES"); }

    void write(const std::string& file, const std::string& text) {
        const auto path = folder.path() / "node_modules" / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    [[nodiscard]] std::string page() const {
        auto made = html_page(content);
        EXPECT_TRUE(made.ok()) << error_text(made);
        return made.ok() ? std::move(made).value() : "";
    }

    testing::TempDir folder;
    PageContent content;
};

TEST_F(Page, NothingOfOthersIsReadAsMarkup) {
    const std::string text = page();
    EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(text, Not(HasSubstr("<img src=x")));
    // Data, vega, vega-lite and ours; each element ends once.
    EXPECT_EQ(times(text, "<script"), 4U);
    EXPECT_EQ(times(text, "</script"), 4U);
    // Title, source, question, prediction, finding, note, cells, where, protocol, machine, command, rows...
    EXPECT_GT(times(text, html_text(testing::hostile)), 40U);
}

TEST_F(Page, ARuntimeWithTheEndOfAScriptInAStringStaysOneScript) {
    write("vega/build/vega.min.js",
          "var a='</SCRIPT>',b='<!-- <script';\n//# sourceMappingURL=vega.min.js.map\n");
    const std::string text = page();
    EXPECT_EQ(times(text, "</SCRIPT"), 0U);
    EXPECT_EQ(times(text, "</script"), 4U);
    EXPECT_THAT(text, HasSubstr("var a='<\\/SCRIPT>',b='<\\!-- <script';"));
    EXPECT_THAT(text, Not(HasSubstr("sourceMappingURL")));
}

TEST_F(Page, PredictionComesBeforeFindingsAndFindingsBeforeFigures) {
    const std::string text = page();
    const std::size_t question = text.find("Where is the error lowest?");
    const std::size_t prediction = text.find("Predicted on 2026-11-15: Between 1 and 2.");
    const std::size_t findings = text.find("id=\"findings\""),
                      figures = text.find("<figure id=\"figure-ratio\"");
    const std::size_t protocol = text.find("id=\"protocol\""), provenance = text.find("id=\"provenance\"");
    ASSERT_NE(provenance, std::string::npos);
    EXPECT_TRUE(question < prediction && prediction < findings && findings < figures && figures < protocol &&
                protocol < provenance);
}

TEST_F(Page, EachOutcomeHasItsWordAndItsSymbol) {
    const std::string text = page();
    for (const auto& [style, outcome] :
         {std::pair("agrees", Outcome::as_predicted), std::pair("differs", Outcome::against),
          std::pair("undecided", Outcome::inside_noise), std::pair("measured", Outcome::no_prediction)}) {
        EXPECT_EQ(times(text, std::string("class=\"finding ") + style), 1U) << style;
        EXPECT_THAT(text, HasSubstr("class=\"outcome\">" + std::string(name_of(outcome)) + "<"));
    }
}

TEST_F(Page, TheRowsAreInTheFileAsTableAndAsTheSameCsv) {
    const std::string text = page();
    const std::string before = "href=\"data:text/csv;charset=utf-8;base64,";
    const std::size_t from = text.find(before);
    ASSERT_NE(from, std::string::npos);
    const std::size_t start = from + before.size();
    EXPECT_EQ(bytes_of_base64(text.substr(start, text.find('"', start) - start)),
              csv_text(content.rows[0].table));
    EXPECT_THAT(text, HasSubstr("<td class=\"number\">3.75</td>"));
    EXPECT_THAT(text, HasSubstr("31 rows in the table runs. The figure takes those with phase == done, "));
    EXPECT_EQ(times(text, "data-rows=\"rows-runs\""), 2U);  // one click from each figure
    EXPECT_EQ(times(text, "id=\"rows-runs\""), 1U);
}

TEST_F(Page, ALongTableIsCutOnThePageAndWholeInTheCsv) {
    auto& table = content.rows[0].table;
    while (table.rows.size() < 777) table.rows.push_back(table.rows.front());
    const std::string text = page();
    EXPECT_THAT(text, HasSubstr("The first 500 of 777 rows; the CSV has all."));
    EXPECT_EQ(times(text, "<td>run-1</td>"), 500U - 30U);
    EXPECT_THAT(text, HasSubstr(base64(csv_text(table))));
}

TEST_F(Page, AsksForNothingFromOutside) {
    const std::string text = page();
    EXPECT_THAT(text, HasSubstr("default-src 'none'"));
    for (const char* asking : {"src=\"http", "href=\"http", "url(http", "@import", "<link"})
        EXPECT_THAT(text, Not(HasSubstr(asking)));
}

TEST_F(Page, WhatIsEmptyIsLeftOut) {
    content = {};
    content.title = "Bare";
    const std::string text = page();
    for (const char* part :
         {"Predicted", "id=\"findings\"", "<figure", "id=\"protocol\"", "id=\"provenance\"", "id=\"rows\""})
        EXPECT_THAT(text, Not(HasSubstr(part)));
}

TEST_F(Page, AFigureIsDescribedByWhatWasFound) {
    EXPECT_THAT(
        page(),
        HasSubstr(
            "test error, % against depth / log2(width), by budget. mixer against RP-mixer, as predicted: "
            "The difference is -1.2 (-1.9 to -0.5)."));
}

TEST_F(Page, NameAndOutcomeOfAFindingStandOnce) {
    content.report.findings = {{"contrast",
                                "a against b",
                                Outcome::against,
                                "a against b: it is 2 (1 to 3): against the prediction.",
                                {},
                                {}}};
    EXPECT_THAT(page(), HasSubstr("<p>It is 2 (1 to 3).</p>"));
}

TEST_F(Page, TheSubtitleOfAPictureIsTextOnThePage) {
    content.report.figures[0].vega_lite["title"] = {
        {"text", "x"}, {"subtitle", {"Mean and 95 % interval", "over <3> seeds."}}};
    EXPECT_THAT(page(), HasSubstr("<p class=\"how\">Mean and 95 % interval over &lt;3&gt; seeds.</p>"));
    EXPECT_FALSE(page_specs(content.report)[0].contains("title"));
}

TEST_F(Page, NumbersOfATableStandOnTheRightWithTheirSign) {
    content.report.tables[0].cells = {{"4", "12.5 +- 0.3"}, {"x", "-8"}};
    const std::string text = page();
    EXPECT_THAT(text,
                HasSubstr("<tr><td class=\"short\">4</td><td class=\"number\">12.5 \u00b1 0.3</td></tr>"));
    EXPECT_THAT(text, HasSubstr("<tr><td class=\"short\">x</td><td class=\"number\">-8</td></tr>"));
}

TEST_F(Page, OnlyNumbersStandOnTheRight) {
    content.report.tables[0].cells = {{"7 \u00d7 56, 4 heads", "300 K"}, {"12 runs", "1.2e-05"}};
    const std::string text = page();
    EXPECT_THAT(text, HasSubstr("<td class=\"short\">12 runs</td><td class=\"number\">1.2e-05</td>"));
    content.report.tables[0].cells = {{"a sentence that is longer than a few words", ""}};
    EXPECT_THAT(page(), HasSubstr("<td>a sentence that is longer than a few words</td>"));
}

TEST_F(Page, TheAnswerAndFreeSectionsComeBeforeTheFindingsAsText) {
    EXPECT_THAT(page(), Not(HasSubstr("id=\"answer\"")));
    content.partial = std::string("it was stopped ") + testing::hostile;
    content.answer = {std::string("Recommended ") + testing::hostile,
                      std::string("6 \u00d7 96 ") + testing::hostile,
                      testing::hostile,
                      testing::hostile,
                      {{testing::hostile, testing::hostile}}};
    content.sections = {
        {std::string("Next ") + testing::hostile, std::string("**Do** this. ") + testing::hostile}};
    const std::string text = page();
    const std::size_t partial = text.find("Incomplete: it was stopped"), answer = text.find("id=\"answer\""),
                      value = text.find("</svg>6 \u00d7 96"), next = text.find("<h2>Next"),
                      findings = text.find("id=\"findings\"");
    ASSERT_NE(findings, std::string::npos);
    EXPECT_TRUE(partial < answer && answer < value && value < next && next < findings);
    EXPECT_THAT(text, HasSubstr("<strong>Do</strong> this."));
    EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(text, Not(HasSubstr("<img src=x")));
}

TEST_F(Page, SaysWhatToRunWhereTheRuntimeIsMissing) {
    ::setenv("PLIMSOLL_FIGURES", (folder.path() / "nowhere").c_str(), 1);
    const auto made = html_page(content);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().kind, ErrorKind::not_found);
    EXPECT_THAT(made.error().text(),
                HasSubstr("tools/figure_runtime in the source tree installs the programs that draw figures"));
}

TEST_F(Page, EveryColourOfTheFiguresHasItsDarkTwin) {
    const auto pairs = colour_pairs(content.report);
    EXPECT_EQ(pairs.at("#14222E"), "#E8EEF1");
    EXPECT_EQ(pairs.at("#FFFFFF"), "#131E27");
    EXPECT_EQ(themed_svg("<g fill=\"#14222e\" stroke=\"#123456\"/>", pairs),
              "<g fill=\"var(--f-14222E)\" stroke=\"#123456\"/>");
    const std::string css = colour_css(pairs);
    EXPECT_THAT(css, HasSubstr("--f-14222E:#14222E;"));
    EXPECT_THAT(css, HasSubstr("--f-14222E:#E8EEF1;"));
    EXPECT_THAT(css, HasSubstr("--f-14222E:CanvasText;"));
    EXPECT_THAT(css, HasSubstr("--f-FFFFFF:Canvas;"));
}

TEST(HtmlText, EscapesMarkupAndReplacesWhatHtmlForbids) {
    EXPECT_EQ(html_text("a<b> & \"c\" 'd'\n"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\n");
    EXPECT_EQ(html_text(std::string("\0\x1b\xff", 3)), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(html_text("\xC3\x97 \xE2\x80\xAF"), "\xC3\x97 \xE2\x80\xAF");
}

TEST(HtmlText, JsonForAScriptIsTheSameJsonWithoutABracket) {
    const Json value{{"a", "</script>\xff"}};
    const std::string text = script_json(value);
    EXPECT_THAT(text, Not(HasSubstr("<")));
    const auto back = parse_json(text, "page");
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->at("a"), "</script>\xEF\xBF\xBD");
}

TEST(HtmlText, NamesForFilesAndIdsHoldNothingElse) {
    EXPECT_EQ(plain_name("a b/../c\"<>.csv"), "a-b-..-c---.csv");
}

TEST(MarkdownHtml, KnowsTheMarksOfOurOwnPages) {
    EXPECT_EQ(markdown_html("one `a<b` **two**\nthree\n\n- x\n  y\n- z\n"),
              "<p>one <code>a&lt;b</code> <strong>two</strong> three</p>\n<ul><li>x y</li><li>z</li></ul>\n");
    EXPECT_EQ(markdown_html("| a | b |\n|---|---|\n| 1 | [two](page.md) |\n"),
              "<div "
              "class=\"wide\"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</"
              "td><td>two</td></tr></tbody>"
              "</table></div>\n");
    EXPECT_EQ(markdown_html("```\na < b\n\nc\n```\n"), "<pre>a &lt; b\n\nc</pre>\n");
    EXPECT_EQ(markdown_html("## Head\ntext"), "<p><strong>Head</strong></p>\n<p>text</p>\n");
}

TEST(MarkdownHtml, WhatIsNotClosedIsText) {
    EXPECT_EQ(markdown_html("a * b ` c [ d ** e <i>"), "<p>a * b ` c [ d ** e &lt;i&gt;</p>\n");
}

TEST(PageAssets, AreTheFilesOfTheRepository) {
    for (const auto& [name, text] : {std::pair("page.css", page_css()), std::pair("page.js", page_js())}) {
        const auto file =
            read_text(std::filesystem::path(PLIMSOLL_SOURCE_DIR) / "plimsoll/report/page/assets" / name);
        ASSERT_TRUE(file.ok());
        EXPECT_EQ(*file, text);
    }
}

}  // namespace
}  // namespace plimsoll::report
