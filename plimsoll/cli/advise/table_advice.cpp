#include "plimsoll/cli/advise/table_advice.h"

#include <algorithm>
#include <array>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/fit/propose/assess.h"
#include "plimsoll/fit/propose/field.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::cli {
namespace {

// Half octaves over what searches try, and a little beyond.
constexpr std::array<std::int64_t, 7> tried_depths{1, 2, 3, 4, 6, 8, 12};

constexpr const char* silence =
    "Theory and the studies behind the load line are silent on networks for tables. Searches try 1 to 8 "
    "layers "
    "(Gorishniy et al. 2021), of which 3 is the middle; plimsoll fit TABLE races these depths on the data "
    "itself.";

Status check_flags(const AdviseFlags& flags) {
    const std::array others{
        std::pair("flops", &flags.flops),     std::pair("gpu-hours", &flags.gpu_hours),
        std::pair("vocab", &flags.vocab),     std::pair("patch", &flags.patch),
        std::pair("image", &flags.image),     std::pair("classes", &flags.classes),
        std::pair("context", &flags.context), std::pair("head-dim", &flags.head_dim),
        std::pair("block", &flags.block),     std::pair("embedding-rank", &flags.embedding_rank),
        std::pair("emit", &flags.emit),       std::pair("multiple-of", &flags.multiple_of)};
    for (const auto& [name, text] : others)
        if (!text->empty())
            return bad_input(name, "is not for --family mlp, which takes --params and --table");
    if (flags.params.empty())
        return bad_input("params", "missing; --family mlp needs a budget of parameters");
    if (flags.table.empty())
        return bad_input(
            "table", "missing; it is what data info says of the table: inputs=5,categories=3+4,classes=2");
    return {};
}

struct TableAdvice {
    std::int64_t budget = 0;
    std::vector<fit::FieldShape> shapes;  // by depth
};

Result<TableAdvice> advice_of(const AdviseFlags& flags) {
    PLIMSOLL_RETURN_IF_ERROR(check_flags(flags));
    PLIMSOLL_ASSIGN(budget, parse_count(flags.params, "params"));
    const fit::DataLook look{.modality = fit::Modality::rows};
    fit::InputChoice input{.name = "columns"};
    input.spec_keys = flags.table;
    PLIMSOLL_ASSIGN(field, fit::make_field("mlp", input, look, budget, fit::automatic_style));
    if (field.shapes.empty())
        return bad_input("params", fmt::format("{} pay for no network with {}; give more",
                                               human_count(static_cast<double>(budget)), flags.table));
    TableAdvice advice{budget, {}};
    for (auto& shape : field.shapes)
        if (std::ranges::find(tried_depths, shape.depth) != tried_depths.end())
            advice.shapes.push_back(std::move(shape));
    return advice;
}

double parameters_of(const arch::ArchSpec& spec) { return arch::parameter_count(spec).real(); }

double flops_of(const arch::ArchSpec& spec) {
    const auto counted = arch::count(spec, {});
    PLIMSOLL_CHECK(counted.ok(), counted.error().text());
    return counted->forward_flops.real();
}

bool is_usual(const fit::FieldShape& shape) {
    return static_cast<double>(shape.depth) == fit::usual_depth_of_tables;
}

Json json_of(const TableAdvice& advice) {
    Json shapes = Json::array();
    for (const auto& shape : advice.shapes)
        shapes.push_back({{"spec", arch::to_text(shape.spec)},
                          {"depth", shape.depth},
                          {"width", shape.width},
                          {"parameters", static_cast<std::int64_t>(parameters_of(shape.spec))},
                          {"forward_flops", flops_of(shape.spec)},
                          {"usual", is_usual(shape)}});
    return {{"family", "mlp"}, {"parameters", advice.budget}, {"basis", silence}, {"shapes", shapes}};
}

void print_table_advice(const TableAdvice& advice) {
    fmt::print("{} parameters, a network for a table\n\n{}\n",
               human_count(static_cast<double>(advice.budget)), wrapped(silence, 2));
    Table table({{"layers"}, {"width"}, {"params"}, {"FLOPs/row"}, {"spec", Align::left}});
    for (const auto& shape : advice.shapes)
        table.add(
            {std::to_string(shape.depth), std::to_string(shape.width), human_count(parameters_of(shape.spec)),
             human_count(flops_of(shape.spec)), arch::to_text(shape.spec)},
            is_usual(shape) ? Mark::advised : Mark::none);
    table.print();
}

}  // namespace

Result<int> advise_table(const AdviseFlags& flags) {
    PLIMSOLL_ASSIGN(advice, advice_of(flags));
    if (flags.json) return print_json("table-advice", json_of(advice)), 0;
    print_table_advice(advice);
    return 0;
}

}  // namespace plimsoll::cli
