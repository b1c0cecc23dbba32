#include "plimsoll/audit/models/zoo.h"

#include <array>
#include <cctype>

#include "plimsoll/audit/models/zoo_config.h"
#include "plimsoll/base/check.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

using formats::ModelKind;
using formats::ModelShape;
using Number = ModelShape::Number;

struct NumberColumn {
    std::string_view name;
    Number ModelShape::* field;
};

constexpr std::array number_columns{
    NumberColumn{"depth", &ModelShape::depth},
    NumberColumn{"decoder_depth", &ModelShape::decoder_depth},
    NumberColumn{"width", &ModelShape::width},
    NumberColumn{"heads", &ModelShape::heads},
    NumberColumn{"kv_heads", &ModelShape::kv_heads},
    NumberColumn{"head_dim", &ModelShape::head_dim},
    NumberColumn{"ffn", &ModelShape::ffn},
    NumberColumn{"ffn_matrices", &ModelShape::ffn_matrices},
    NumberColumn{"experts", &ModelShape::experts},
    NumberColumn{"experts_active", &ModelShape::experts_active},
    NumberColumn{"expert_ffn", &ModelShape::expert_ffn},
    NumberColumn{"q_rank", &ModelShape::q_lora_rank},
    NumberColumn{"kv_rank", &ModelShape::kv_lora_rank},
    NumberColumn{"vocab", &ModelShape::vocab},
    NumberColumn{"embedding_rank", &ModelShape::embedding_rank},
    NumberColumn{"patch", &ModelShape::patch_height},
    NumberColumn{"patch", &ModelShape::patch_width},
    NumberColumn{"channels", &ModelShape::channels},
    NumberColumn{"image", &ModelShape::image_height},
    NumberColumn{"image", &ModelShape::image_width},
    NumberColumn{"tokens", &ModelShape::tokens},
    NumberColumn{"token_ffn", &ModelShape::token_ffn},
    NumberColumn{"input_dim", &ModelShape::input_dim},
    NumberColumn{"context", &ModelShape::context},
    NumberColumn{"layer_groups", &ModelShape::layer_groups},
};

constexpr std::array kinds{ModelKind::decoder, ModelKind::encoder, ModelKind::encoder_decoder,
                           ModelKind::mixer, ModelKind::state_space};

ModelKind kind_from(std::string_view name) {
    for (const ModelKind kind : kinds)
        if (name_of(kind) == name) return kind;
    PLIMSOLL_CHECK(false, "data/zoo.csv: unknown kind " + std::string(name));
}

std::size_t column(std::string_view name) {
    const auto& names = zoo_columns();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return i;
    PLIMSOLL_CHECK(false, "data/zoo.csv has no column " + std::string(name));
}

Number whole_number_in(const std::string& cell, std::string_view where) {
    if (cell.empty()) return std::nullopt;
    const auto number = parse_integer(cell, where);
    PLIMSOLL_CHECK(number.ok(), "data/zoo.csv: " + number.error().text());
    return *number;
}

ModelShape shape_of(const std::vector<std::string>& cells) {
    ModelShape shape;
    shape.name = cells[column("name")];
    shape.family = cells[column("family")];
    shape.kind = kind_from(cells[column("kind")]);
    for (const auto& [name, field] : number_columns)
        shape.*field = whole_number_in(cells[column(name)], name);
    if (const auto& tied = cells[column("tied")]; !tied.empty()) shape.tied = tied == "yes";
    if (shape.kind == ModelKind::mixer) shape.channel_ffn = shape.ffn;
    // An image model sees its patches; the table gives them as tokens.
    if (!shape.context && shape.kind != ModelKind::mixer) shape.context = shape.tokens;
    if (const auto& config = cells[column("config")]; !config.empty()) return with_family(shape, config);
    shape.tensors.no_count = "the row does not say which tensors its layers have";
    return shape;
}

ZooRow row_of(std::vector<std::string> cells) {
    PLIMSOLL_CHECK(cells.size() == zoo_columns().size(), "data/zoo.csv: a row of the wrong length");
    ZooRow row;
    row.shape = shape_of(cells);
    row.modality = cells[column("modality")];
    row.year = whole_number_in(cells[column("year")], "year").value_or(0);
    row.published = cells[column("published")];
    row.computed = whole_number_in(cells[column("computed")], "computed");
    row.source = cells[column("source")];
    row.check = cells[column("check")];
    row.notes = cells[column("notes")];
    row.count_note = cells[column("count_note")];
    row.cells = std::move(cells);
    return row;
}

// data/zoo.csv, its header first.
const std::vector<CsvRow>& zoo_lines() {
    static const auto lines = [] {
        auto parsed = parse_csv(zoo_csv(), "data/zoo.csv");
        PLIMSOLL_CHECK(parsed.ok(), parsed.error().text());
        return std::move(parsed).value();
    }();
    return lines;
}

std::vector<ZooRow> all_rows() {
    std::vector<ZooRow> rows;
    const auto& lines = zoo_lines();
    for (std::size_t i = 1; i < lines.size(); ++i) rows.push_back(row_of(texts_of(lines[i])));
    return rows;
}

}  // namespace

std::string_view confidence(const ZooRow& row) {
    const auto says = [&](std::string_view words) { return row.check.find(words) != std::string::npos; };
    if (row.check == "from memory") return "memory";
    if (says("partly from memory") || says("heads from memory")) return "partly";
    return says("secondary") ? "copy" : "read";
}

std::string zoo_argument(const ZooRow& row) {
    std::string out;
    for (const unsigned char c : row.shape.name) {
        const bool plain = std::isalnum(c) != 0 || c == '.' || c == '-';
        if (plain) out += static_cast<char>(std::tolower(c));
        if (!plain && !out.empty() && out.back() != '-') out += '-';
    }
    while (out.ends_with('-')) out.pop_back();
    return out;
}

const std::vector<std::string>& zoo_columns() {
    static const auto names = texts_of(zoo_lines().front());
    return names;
}

const std::vector<ZooRow>& zoo() {
    static const auto rows = all_rows();
    return rows;
}

}  // namespace plimsoll::audit
