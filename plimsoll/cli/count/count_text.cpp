#include "plimsoll/cli/count/count_text.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

std::string share(arch::Count part, arch::Count whole) {
    return whole == 0 ? "" : fmt::format("{:.1f} %", 100 * part.real() / whole.real());
}

Table parts_table(const arch::CountReport& report) {
    Table table({{"part", Align::left}, {"parameters"}, {"share"}, {"forward FLOPs/" + report.unit}});
    for (const auto& part : report.parts) {
        table.add({part.name, part.parameters.grouped(), share(part.parameters, report.parameters),
                   human_count(part.forward_flops.real())});
    }
    table.add({"total", report.parameters.grouped(), "", human_count(report.forward_flops.real())});
    return table;
}

// Words of `text` in lines of at most 80 columns; the first is indented by `indent`, the others by two more.
void print_wrapped(const std::string& text, std::size_t indent) {
    std::string line(indent, ' ');
    std::size_t start = indent;
    for (const auto& word : split(text, ' ')) {
        if (line.size() > start && line.size() + word.size() + 1 > 80) {
            fmt::print("{}\n", line);
            start = indent + 2;
            line.assign(start, ' ');
        }
        line += (line.size() > start ? " " : "") + word;
    }
    fmt::print("{}\n", line);
}

void print_row(const std::string& name, const std::string& value, const std::string& remark = "") {
    fmt::print("  {:<16} {:>20}{}{}\n", name, value, remark.empty() ? "" : "  ", remark);
}

void print_memory(const arch::CountReport& r) {
    const auto& o = r.options;
    print_row("activations", human_bytes(r.activation_bytes.real()),
              fmt::format("batch {}, {} bytes a value", o.batch, o.bytes_per_value));
    if (r.score_bytes != 0) print_row("  scores", human_bytes(r.score_bytes.real()));
    if (r.kv_bytes_per_token != 0) print_row("KV cache", r.kv_bytes_per_token.grouped(), "bytes per token");
    if (r.cross_kv_bytes_per_token != 0) {
        print_row("cross KV cache", r.cross_kv_bytes_per_token.grouped(), "bytes per source token");
    }
    if (r.state_bytes != 0) print_row("state", r.state_bytes.grouped(), "bytes, for any length");
}

std::string unit_text(const arch::CountReport& r) {
    if (r.unit == "input") return "per input";
    const bool whole = r.unit == "image" || r.unit == "sequence";
    return whole ? fmt::format("per {} of {} tokens", r.unit, r.tokens)
                 : fmt::format("per {}, context {}", r.unit, r.tokens);
}

}  // namespace

void print_count(const arch::ArchSpec& spec, const arch::CountReport& r) {
    fmt::print("{}\n\n", arch::to_text(spec));
    parts_table(r).print();
    fmt::print("\n");
    print_row("parameters", r.parameters.grouped());
    print_row("  embedding", r.embedding.grouped());
    print_row("  non-embedding", r.non_embedding.grouped());
    if (r.active != r.parameters) print_row("  active", r.active.grouped(), "used by one token");
    print_row("forward FLOPs", r.forward_flops.grouped(), unit_text(r));
    print_row("training FLOPs", r.training_flops.grouped(), unit_text(r));
    print_memory(r);
    fmt::print("\n");
    for (const auto& sentence : arch::counting_conventions()) print_wrapped(sentence, 2);
}

void print_predicted(const formats::ModelShape& shape, const audit::PredictedCount& count,
                     const Error& no_spec) {
    fmt::print("{}, {}\n\n", printable(shape.name), name_of(shape.kind));
    Table table({{"part", Align::left}, {"parameters"}, {"share"}});
    for (const auto& part : count.parts)
        table.add({part.name, part.parameters.grouped(), share(part.parameters, count.parameters)});
    table.add({"total", count.parameters.grouped()});
    table.print();
    fmt::print("\n");
    print_wrapped(fmt::format("parameters: {}{}", count.exact ? "" : "about, ", count.note), 2);
    print_wrapped("FLOPs and bytes are not counted: " + no_spec.message, 2);
}

Json predicted_json(const formats::ModelShape& shape, const audit::PredictedCount& count,
                    const Error& no_spec) {
    Json parts = Json::array();
    for (const auto& part : count.parts)
        parts.push_back({{"name", part.name}, {"parameters", part.parameters.text()}});
    return {{"name", shape.name},
            {"spec", nullptr},
            {"why_no_spec", no_spec.message},
            {"parameters", count.parameters.text()},
            {"exact", count.exact},
            {"note", count.note},
            {"parts", std::move(parts)}};
}

void print_families() {
    Table table({{"family", Align::left}, {"meaning", Align::left}});
    for (const auto& family : arch::families()) table.add({family.name, family.meaning});
    table.print();
    fmt::print("\n  plimsoll count --keys transformer   the keys of a family\n");
}

void print_keys(const arch::FamilyInfo& family) {
    fmt::print("{}: {}\n\n", family.name, family.meaning);
    for (const auto& key : family.keys) {
        const std::string otherwise = key.fallback.empty() ? "required" : "default: " + key.fallback;
        print_wrapped(fmt::format("{}={}", key.name, key.allowed), 2);
        print_wrapped(fmt::format("{}; {}", key.meaning, otherwise), 6);
    }
}

Json families_json() {
    Json out = Json::array();
    for (const auto& family : arch::families()) {
        Json keys = Json::array();
        for (const auto& key : family.keys) {
            keys.push_back({{"name", key.name},
                            {"allowed", key.allowed},
                            {"required", key.fallback.empty()},
                            {"default", key.fallback},
                            {"meaning", key.meaning}});
        }
        out.push_back({{"name", family.name}, {"meaning", family.meaning}, {"keys", keys}});
    }
    return out;
}

}  // namespace plimsoll::cli
