#include "plimsoll/data/describe/describe.h"

#include "plimsoll/base/format.h"
#include "plimsoll/data/describe/contact_sheet.h"

namespace plimsoll::data {
namespace {

Status add_facts(const Images& images, const DataRequest& request, bool contact_sheet, DataReport& report) {
    if (contact_sheet) {
        PLIMSOLL_ASSIGN(png, contact_sheet_png(images));
        report.contact_sheet = std::move(png);
    }
    report.facts = report_images(images, request.options.progress);
    return {};
}

}  // namespace

Result<DataReport> describe(const DataRequest& request, bool contact_sheet) {
    PLIMSOLL_ASSIGN(found, find_data(request));
    DataReport report{found.kind, found.path, {}, {}};
    const bool images = found.kind <= Kind::image_folder;
    if (contact_sheet && !images)
        return bad_input("contact-sheet", fmt::format("{} is {}, which has no images", request.target,
                                                      kind_title(found.kind)));
    if (found.kind == Kind::text) {  // never held in memory
        PLIMSOLL_ASSIGN(text, report_text(found.path, request.options.progress));
        report.facts = std::move(text);
        return report;
    }
    PLIMSOLL_ASSIGN(data, load_data(found, request));
    if (const auto* set = std::get_if<Images>(&data))
        PLIMSOLL_RETURN_IF_ERROR(add_facts(*set, request, contact_sheet, report));
    if (const auto* tokens = std::get_if<Tokens>(&data)) report.facts = report_tokens(*tokens);
    if (const auto* pairs = std::get_if<SentencePairs>(&data)) report.facts = report_pairs(*pairs);
    return report;
}

}  // namespace plimsoll::data
