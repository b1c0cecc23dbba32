#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/report/page/page.h"

// The pieces of html_page.
namespace plimsoll::report {

// The colours of the figures in both looks: light to dark, each "#RRGGBB" in capitals.
using ColourPairs = std::map<std::string, std::string>;
ColourPairs colour_pairs(const Report& report);

// CSS variables for them, by theme; the surface and what is like it stay the canvas when colours are forced.
std::string colour_css(const ColourPairs& pairs);
// An SVG with these colours as CSS variables.
std::string themed_svg(const std::string& svg, const ColourPairs& pairs);
// "var(--f-14222E)" by colour, for the script.
Json colour_variables(const ColourPairs& pairs);

// The @font-face rules with the fonts inside.
Result<std::string> font_css();
// Vega and Vega-Lite as <script> elements.
Result<std::string> runtime_scripts();
// The licences of what the page carries, as text.
Result<std::string> licence_text();

// The sentence of a finding without its name and outcome, which stand beside it on the page.
std::string bare_sentence(const Judgement& finding);
// A list of notes, or nothing.
std::string notes_html(const std::vector<std::string>& notes);

// The figures, each with its place for the plot, notes and rows. `pictures`: static SVG by figure, or none.
std::string figures_html(const PageContent& content, const std::vector<std::string>& pictures);
// Every table of rows once, with its CSV.
std::string rows_html(const PageContent& content);
// The figures' specs for the script: without titles and margins, which the page has itself.
std::vector<Json> page_specs(const Report& report);

}  // namespace plimsoll::report
