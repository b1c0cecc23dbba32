#include "plimsoll/cli/report/fit_report.h"

#include <array>
#include <string>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

struct Line {
    const char* label;
    const char* key;
};

// The sentences of a decision, in the order of the page.
constexpr std::array decision_lines{
    Line{"sure", "certainty"},
    Line{"theory", "theory_verdict"},
    Line{"depth", "depth_sentence"},
    Line{"next", "change_first"},
};

// Files of the answer, below the folder of the fit.
constexpr std::array file_lines{Line{"page", "report"}, Line{"model", "model"}, Line{"settings", "config"}};

std::string text_in(const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object.at(key).is_string()) return "";
    return printable(object.at(key).get<std::string>());
}

const Json& part_of(const Json& object, const char* key) {
    static const Json none;
    return object.is_object() && object.contains(key) ? object.at(key) : none;
}

void print_labelled(const char* label, const std::string& text) {
    if (!text.empty()) fmt::print("{}", labelled(label, text));
}

}  // namespace

void print_fit_report(const std::filesystem::path& folder, const Json& fit) {
    const Json& decision = part_of(fit, "decision");
    const Json& files = part_of(fit, "handed_over");
    fmt::print("{}\n\n{}\n", printable(folder.string()), wrapped(text_in(decision, "sentence"), 2));
    for (const auto& [label, key] : decision_lines) print_labelled(label, text_in(decision, key));
    print_labelled("tenfold", text_in(part_of(decision, "tenfold"), "sentence"));
    fmt::print("\n");
    for (const auto& [label, key] : file_lines) {
        const std::string file = text_in(files, key);
        if (!file.empty()) print_labelled(label, (folder / file).string());
    }
    print_labelled("train", text_in(files, "command"));
}

}  // namespace plimsoll::cli
