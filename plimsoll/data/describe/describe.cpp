#include "plimsoll/data/describe/describe.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/data/describe/contact_sheet.h"
#include "plimsoll/data/readers/byte_stream.h"
#include "plimsoll/data/readers/text_files.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t shown_examples = 3, shown_ids = 16, shown_letters = 60;

std::string quoted_start(std::string_view text) {
    return "\"" + printable(text.substr(0, shown_letters), 4 * shown_letters) +
           (text.size() > shown_letters ? "...\"" : "\"");
}

// The first examples as they were understood.
struct FirstOf {
    std::vector<std::string> operator()(const Images& images) const {
        std::vector<std::string> labels;
        const ImageSplit& split = images.splits.front();
        for (std::size_t i = 0; i < std::min(split.labels.size(), shown_ids); ++i)
            labels.push_back(printable(images.class_names[split.labels[i]], 20));
        if (labels.empty()) return {};
        return {fmt::format("{}: {}{}", split.name, join(labels, " "),
                            split.labels.size() > shown_ids ? " ..." : "")};
    }
    std::vector<std::string> operator()(const TextFiles& text) const {
        if (text.files.empty()) return {};
        const auto bytes = text.files.front().bytes.view();
        return {quoted_start({bytes.data(), bytes.size()})};
    }
    std::vector<std::string> operator()(const Tokens& tokens) const {
        std::string ids;
        for (std::size_t i = 0; i < std::min(tokens.count(), shown_ids); ++i)
            ids += fmt::format("{}{}", i > 0 ? " " : "", tokens[i]);
        if (tokens.count() > shown_ids) ids += " ...";
        return {ids};
    }
    std::vector<std::string> operator()(const SentencePairs& pairs) const {
        std::vector<std::string> lines;
        for (std::size_t i = 0; i < std::min(pairs.labels.size(), shown_examples); ++i)
            lines.push_back(fmt::format("{}: {} / {}", pairs.label_names[pairs.labels[i]],
                                        quoted_start(pairs.first[i]), quoted_start(pairs.second[i])));
        return lines;
    }
    std::vector<std::string> operator()(const auto&) const { return {}; }
};

// What the kind of set says of itself.
struct FactsOf {
    const DataRequest& request;
    decltype(DataReport::facts) operator()(const Images& images) const {
        return report_images(images, request.options.progress);
    }
    decltype(DataReport::facts) operator()(const TextFiles& text) const { return report_text(text); }
    decltype(DataReport::facts) operator()(const Tokens& tokens) const { return report_tokens(tokens); }
    decltype(DataReport::facts) operator()(const SentencePairs& pairs) const { return report_pairs(pairs); }
    decltype(DataReport::facts) operator()(const Table& table) const { return report_table(table); }
    decltype(DataReport::facts) operator()(const auto&) const {
        PLIMSOLL_CHECK(false, "no file holds such a set");
        return TextReport{};
    }
};

// A text that is never held in memory.
Status stream_text(const FoundData& found, const DataRequest& request, DataReport& report) {
    PLIMSOLL_ASSIGN(text, report_text(found.path, request.options.progress));
    PLIMSOLL_ASSIGN(stream, ByteStream::open(text.files.front().name));
    std::string first(shown_letters + 1, '\0');
    PLIMSOLL_ASSIGN(count, stream.read(std::as_writable_bytes(std::span(first))));
    if (count > 0) report.first = {quoted_start(std::string_view(first).substr(0, count))};
    report.facts = std::move(text);
    return {};
}

}  // namespace

Result<DataReport> describe(const DataRequest& request, bool contact_sheet) {
    PLIMSOLL_ASSIGN(found, find_data(request));
    DataReport report{.kind = found.kind, .path = found.path, .reading = found.reading};
    if (report.reading.empty()) report.reading = std::string(kind_title(found.kind));
    if (contact_sheet && !is_images(found.kind))
        return bad_input("contact-sheet", fmt::format("{} is {}, which has no images", request.target,
                                                      kind_title(found.kind)));
    if (found.kind == Kind::text && found.plain_text) {
        PLIMSOLL_RETURN_IF_ERROR(stream_text(found, request, report));
        return report;
    }
    PLIMSOLL_ASSIGN(data, load_data(found, request));
    report.facts = std::visit(FactsOf{request}, data);
    report.first = std::visit(FirstOf{}, data);
    if (contact_sheet) {
        PLIMSOLL_ASSIGN(png, contact_sheet_png(std::get<Images>(data)));
        report.contact_sheet = std::move(png);
    }
    report.set = std::move(data);
    return report;
}

}  // namespace plimsoll::data
