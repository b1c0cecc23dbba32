#include "plimsoll/data/synthetic/synthetic_file.h"

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

template <class T>
std::string lines_of(const HostArray<T>& values, const std::vector<std::uint16_t>& labels, std::size_t size,
                     std::string_view heading) {
    std::string text = fmt::format("label\t{}\n", heading);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        text += fmt::format("{}\t{}\n", labels[i], fmt::join(values.view().subspan(i * size, size), " "));
    }
    return text;
}

}  // namespace

std::string file_text(const Dataset& dataset) {
    if (const auto* text = std::get_if<TextFiles>(&dataset)) {
        const auto bytes = text->files.front().bytes.view();
        return {bytes.begin(), bytes.end()};
    }
    if (const auto* set = std::get_if<LabelledSequences>(&dataset)) {
        return lines_of(set->tokens, set->labels, set->length, "tokens");
    }
    const auto* set = std::get_if<LabelledMatrices>(&dataset);
    PLIMSOLL_CHECK(set != nullptr, "no synthetic set is of this kind");
    return lines_of(set->values, set->labels, set->rows * set->cols, "numbers");
}

}  // namespace plimsoll::data
