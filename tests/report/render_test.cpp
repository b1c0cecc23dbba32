#include "plimsoll/report/page/render.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/report/page/figure_runtime.h"
#include "plimsoll/report/page/page.h"
#include "plimsoll/report/page/page_pieces.h"
#include "tests/report/page_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::report {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The real node and the packages of web/figures.
class Render : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!figures_ready().ok())
            GTEST_SKIP() << "node or its packages are not here (tools/figure_runtime --tests)";
    }
};

Json plot(const std::string& title) {
    return {{"title", title},
            {"width", 200},
            {"height", 100},
            {"data", {{"values", {{{"x", 1}, {"y", 2}}, {{"x", 2}, {"y", 3}}}}}},
            {"mark", "point"},
            {"encoding",
             {{"x", {{"field", "x"}, {"type", "quantitative"}}},
              {"y", {{"field", "y"}, {"type", "quantitative"}}}}}};
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes.at(at + i));
    return value;
}

TEST_F(Render, SeveralFiguresComeBackInOrder) {
    const auto svgs = render_svgs({plot("first <one>"), plot("second & last")});
    ASSERT_TRUE(svgs.ok()) << svgs.error().text();
    ASSERT_EQ(svgs->size(), 2U);
    EXPECT_THAT(svgs->at(0), StartsWith("<svg "));
    EXPECT_THAT(svgs->at(0), HasSubstr("first &lt;one&gt;"));
    EXPECT_THAT(svgs->at(1), HasSubstr("second &amp; last"));
}

TEST_F(Render, PngHasTheSizeOfTheSvgTimesTheScale) {
    const auto svg = render_svg(plot("size"));
    ASSERT_TRUE(svg.ok()) << svg.error().text();
    const auto number_after = [&](const std::string& key) {
        return std::stoi(svg->substr(svg->find(key) + key.size()));
    };
    for (const double scale : {1.0, 3.0}) {
        const auto png = png_of_svg(*svg, scale);
        ASSERT_TRUE(png.ok()) << png.error().text();
        EXPECT_THAT(*png, StartsWith("\x89PNG"));
        EXPECT_EQ(big_endian(*png, 16), number_after(" width=\"") * scale);
        EXPECT_EQ(big_endian(*png, 20), number_after(" height=\"") * scale);
    }
    const auto once = png_of_svg(*svg, 2), again = png_of_svg(*render_svg(plot("size")), 2);
    ASSERT_TRUE(once.ok() && again.ok());
    EXPECT_EQ(*once, *again);
}

TEST_F(Render, ASpecThatVegaCannotDrawIsNamedWithItsWords) {
    Json broken = plot("x");
    broken["mark"] = "pie in the sky";
    const auto svgs = render_svgs({plot("good"), broken});
    ASSERT_FALSE(svgs.ok());
    EXPECT_EQ(svgs.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(svgs.error().text(), HasSubstr("figure-2.json: "));
}

TEST_F(Render, ThePagesFirstPaintIsTheFigureInTheThemesColours) {
    const auto page = html_page(testing::sample_page());
    ASSERT_TRUE(page.ok()) << page.error().text();
    EXPECT_THAT(*page, ContainsRegex("role=\"img\" aria-label=\"[^\"]*\"><svg "));
    EXPECT_THAT(*page, HasSubstr("fill=\"var(--f-14222E)\""));
    EXPECT_THAT(*page, HasSubstr("depth / log2(width)</text>"));
}

TEST_F(Render, FiguresHaveTheWidthOfTheirFontsNotOfAGuess) {
    // The y labels are one digit wide: the axis takes some 30 pixels, and Vega's guess without fonts takes
    // more.
    Json wide = plot("x");
    wide["encoding"]["y"]["title"] = nullptr;
    wide["title"] = nullptr;
    const auto svg = render_svg(wide);
    ASSERT_TRUE(svg.ok());
    const int width = std::stoi(svg->substr(svg->find(" width=\"") + 8));
    EXPECT_GT(width, 215);
    EXPECT_LT(width, 240);
}

TEST(RenderWithout, NodeSaysWhatToRun) {
    const testing::TempDir empty;
    ::setenv("PLIMSOLL_FIGURES", empty.path().c_str(), 1);
    const auto svg = render_svg(plot("x"));
    ::unsetenv("PLIMSOLL_FIGURES");
    ASSERT_FALSE(svg.ok());
    EXPECT_EQ(svg.error().kind, ErrorKind::not_found);
    EXPECT_THAT(svg.error().text(), HasSubstr("tools/figure_runtime"));
}

TEST(RenderWithout, NodeSaysWhatToInstall) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const auto svg = render_svg(plot("x"));
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_FALSE(svg.ok());
    EXPECT_EQ(svg.error().text(),
              "node: is not on this machine: Debian's package nodejs brings it (18 or newer)");
}

TEST(RenderWithout, RsvgSaysWhatToInstall) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const auto png = png_of_svg("<svg/>", 1);
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_FALSE(png.ok());
    EXPECT_EQ(png.error().text(),
              "rsvg-convert: is not on this machine: Debian's package librsvg2-bin brings it");
}

TEST(RenderWithout, AScaleThatIsNoScaleIsRefused) {
    EXPECT_EQ(png_of_svg("<svg/>", 0).error().text(), "scale: must be above 0 and at most 16, got 0");
}

}  // namespace
}  // namespace plimsoll::report
