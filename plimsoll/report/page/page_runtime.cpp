// What the page carries so that it needs nothing else: colours, fonts, Vega.
#include <algorithm>
#include <array>
#include <cctype>

#include "plimsoll/base/format.h"
#include "plimsoll/report/page/figure_runtime.h"
#include "plimsoll/report/page/html_text.h"
#include "plimsoll/report/page/page_pieces.h"
#include "plimsoll/report/vega/theme.h"

namespace plimsoll::report {
namespace {

bool is_colour(std::string_view text) {
    return text.size() == 7 && text.front() == '#' &&
           std::all_of(text.begin() + 1, text.end(),
                       [](unsigned char digit) { return std::isxdigit(digit) != 0; });
}

std::string capitals(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return std::toupper(letter); });
    return text;
}

std::string variable(const std::string& light) { return "--f-" + light.substr(1); }

// Where the same value is one colour here and another there, they are a pair.
void collect(const Json& light, const Json& dark, ColourPairs& pairs) {
    if (light.is_string() && dark.is_string()) {
        const auto& a = light.get_ref<const std::string&>();
        const auto& b = dark.get_ref<const std::string&>();
        if (is_colour(a) && is_colour(b)) pairs.emplace(capitals(a), capitals(b));
    } else if (light.is_object() && dark.is_object()) {
        for (const auto& [key, value] : light.items())
            if (key != "data" && key != "datasets" && dark.contains(key)) collect(value, dark.at(key), pairs);
    } else if (light.is_array() && dark.is_array()) {
        for (std::size_t i = 0; i < std::min(light.size(), dark.size()); ++i)
            collect(light[i], dark[i], pairs);
    }
}

struct Face {
    const char* family;
    const char* package;
    int weight;
};
constexpr std::array<Face, 7> faces{{{"IBM Plex Sans", "sans", 400},
                                     {"IBM Plex Sans", "sans", 600},
                                     {"IBM Plex Sans Condensed", "sans-condensed", 400},
                                     {"IBM Plex Sans Condensed", "sans-condensed", 500},
                                     {"IBM Plex Sans Condensed", "sans-condensed", 600},
                                     {"IBM Plex Serif", "serif", 500},
                                     {"IBM Plex Mono", "mono", 400}}};

// A program without the line that makes debuggers ask for another file.
std::string without_source_map(std::string code) {
    const std::size_t line = code.rfind("//# sourceMappingURL=");
    return line == std::string::npos ? code : code.substr(0, line);
}

}  // namespace

ColourPairs colour_pairs(const Report& report) {
    ColourPairs pairs;
    collect(vega_config(Theme::light), vega_config(Theme::dark), pairs);
    for (const auto& figure : report.figures)
        collect(figure.vega_lite, with_theme(figure.vega_lite, Theme::dark), pairs);
    return pairs;
}

std::string colour_css(const ColourPairs& pairs) {
    const std::string surface = capitals(palette(Theme::light).surface);
    std::string light, dark, forced;
    for (const auto& [day, night] : pairs) {
        light += fmt::format("{}:{};", variable(day), day);
        dark += fmt::format("{}:{};", variable(day), night);
        forced += fmt::format("{}:{};", variable(day), day == surface ? "Canvas" : "CanvasText");
    }
    return fmt::format(
        ":root{{{}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{}}}}}\n"
        "@media (forced-colors: active){{:root{{{}}}}}\n",
        light, dark, forced);
}

std::string themed_svg(const std::string& svg, const ColourPairs& pairs) {
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = svg.find("=\"#"); at != std::string::npos; at = svg.find("=\"#", from)) {
        const auto pair = pairs.find(capitals(svg.substr(at + 2, 7)));
        const bool known = pair != pairs.end() && svg.compare(at + 9, 1, "\"") == 0;
        out += svg.substr(from, at + 2 - from);
        if (known) out += "var(" + variable(pair->first) + ")";
        from = known ? at + 9 : at + 2;
    }
    return out + svg.substr(from);
}

Json colour_variables(const ColourPairs& pairs) {
    Json out = Json::object();
    for (const auto& [light, dark] : pairs) out[light] = "var(" + variable(light) + ")";
    return out;
}

Result<std::string> font_css() {
    std::string out;
    for (const Face& face : faces) {
        PLIMSOLL_ASSIGN(font, runtime_file(fmt::format(
                                  "@fontsource/ibm-plex-{0}/files/ibm-plex-{0}-latin-{1}-normal.woff2",
                                  face.package, face.weight)));
        out += fmt::format(
            "@font-face{{font-family:\"{}\";font-weight:{};font-display:swap;src:url({}) "
            "format(\"woff2\")}}\n",
            face.family, face.weight, data_uri("font/woff2", font));
    }
    return out;
}

Result<std::string> runtime_scripts() {
    std::string out;
    for (const char* file : {"vega/build/vega.min.js", "vega-lite/build/vega-lite.min.js"}) {
        PLIMSOLL_ASSIGN(code, runtime_file(file));
        out += "<script>" + script_code(without_source_map(std::move(code))) + "</script>\n";
    }
    return out;
}

Result<std::string> licence_text() {
    std::string out;
    for (const auto& [what, file] :
         {std::pair("Vega", "vega-view/LICENSE"), std::pair("D3, in Vega", "d3-array/LICENSE"),
          std::pair("Vega-Lite", "vega-lite/LICENSE"),
          std::pair("IBM Plex", "@fontsource/ibm-plex-sans/LICENSE")}) {
        PLIMSOLL_ASSIGN(text, runtime_file(file));
        out += fmt::format("{}\n\n{}\n\n", what, text);
    }
    return out;
}

}  // namespace plimsoll::report
