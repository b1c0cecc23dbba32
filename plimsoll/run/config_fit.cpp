#include "plimsoll/run/config_fit.h"

#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/kind.h"
#include "plimsoll/data/synthetic/synthetic.h"

namespace plimsoll::run {
namespace {

ExampleKind examples_of(data::Kind kind) {
    switch (kind) {
        case data::Kind::text:
        case data::Kind::sentence_pairs:
            return ExampleKind::text;
        case data::Kind::tokens:
            return ExampleKind::tokens;
        case data::Kind::cifar10:
        case data::Kind::cifar100:
        case data::Kind::svhn:
        case data::Kind::stl10:
        case data::Kind::idx:
        case data::Kind::image_folder:
        case data::Kind::image_arrays:
            return ExampleKind::images;
        case data::Kind::table:
            return ExampleKind::rows;
    }
    return ExampleKind::images;
}

struct SyntheticRow {
    std::string_view name;
    ExampleKind examples;
};
constexpr std::array synthetic_sets{
    SyntheticRow{"synthetic:grammar", ExampleKind::text},
    SyntheticRow{"synthetic:shuffled", ExampleKind::text},
    SyntheticRow{"synthetic:hops", ExampleKind::tokens},
};

// The set itself is labelled by a network: what that one reads.
ExampleKind of_teacher(std::string_view name) {
    return name.find("spec=square") == std::string_view::npos ? ExampleKind::tokens : ExampleKind::matrices;
}

bool reads(InputKind input, ExampleKind examples) {
    switch (examples) {
        case ExampleKind::images:
            return input != InputKind::tokens && input != InputKind::row;
        case ExampleKind::text:
        case ExampleKind::tokens:
            return input == InputKind::tokens;
        case ExampleKind::matrices:
            return input == InputKind::matrix || input == InputKind::vector;
        case ExampleKind::rows:
            return input == InputKind::row || input == InputKind::vector;
    }
    return false;
}

std::string_view kind_title(ExampleKind examples) {
    constexpr std::array<std::string_view, 5> titles{"images", "text", "tokens", "matrices of numbers",
                                                     "rows of a table"};
    return titles.at(static_cast<std::size_t>(examples));
}

std::string_view kind_title(InputKind input) {
    constexpr std::array<std::string_view, 5> titles{
        "tokens", "images cut into patches", "matrices of numbers", "vectors of numbers", "rows of a table"};
    return titles.at(static_cast<std::size_t>(input));
}

InputKind of_parts(const arch::ImageInput& image, bool vocabulary) {
    if (image.used()) return InputKind::image;
    return vocabulary ? InputKind::tokens : InputKind::matrix;
}

struct InputOf {
    InputKind operator()(const arch::TransformerSpec& s) const { return of_parts(s.image, s.vocab > 0); }
    InputKind operator()(const arch::MixerSpec& s) const { return of_parts(s.image, s.vocab > 0); }
    InputKind operator()(const arch::AttentionSpec& s) const {
        return of_parts({}, s.embedding == arch::InputEmbedding::vocab);
    }
    InputKind operator()(const arch::SquareMixerSpec&) const { return InputKind::matrix; }
    InputKind operator()(const arch::SquareMlpSpec&) const { return InputKind::matrix; }
    InputKind operator()(const arch::PkSpec&) const { return InputKind::vector; }
    InputKind operator()(const arch::SwMlpSpec&) const { return InputKind::vector; }
    InputKind operator()(const arch::MonarchSpec&) const { return InputKind::vector; }
    InputKind operator()(const arch::MlpSpec& s) const {
        return s.categories.empty() ? InputKind::vector : InputKind::row;
    }
    InputKind operator()(const arch::S2MlpSpec&) const { return InputKind::image; }
    InputKind operator()(const arch::VipSpec&) const { return InputKind::image; }
    InputKind operator()(const arch::HireMlpSpec&) const { return InputKind::image; }
};

}  // namespace

std::vector<std::string> data_kind_names() {
    std::vector<std::string> names = data::kind_names();
    names.insert(names.begin(), "auto");
    return names;
}

std::vector<std::string> initialisation_names() {
    return {"default", "gpt2", "bert", "navon", "fan-in", "ntk"};
}

InputKind input_kind(const arch::ArchSpec& spec) { return std::visit(InputOf{}, spec); }

std::optional<ExampleKind> known_examples(const DataSettings& data) {
    if (data.name.starts_with("synthetic:teacher")) return of_teacher(data.name);
    for (const auto& row : synthetic_sets)
        if (data.name.starts_with(row.name)) return row.examples;
    if (const auto kind = data::kind_named(data.kind)) return examples_of(*kind);
    if (const auto* entry = data::in_catalogue(data.name)) return examples_of(entry->kind);
    return std::nullopt;
}

Status check_fits(const arch::ArchSpec& spec, ExampleKind examples) {
    const InputKind input = input_kind(spec);
    if (reads(input, examples)) return {};
    const std::string_view way = examples == ExampleKind::images ? "; give it a patch and an image size"
                                 : examples == ExampleKind::rows ? "; the family mlp reads them"
                                 : input == InputKind::matrix    ? "; give it a vocab"
                                                                 : "";
    return bad_input("model.spec",
                     fmt::format("{} as given reads {}, the data are {}{}", arch::family_name(spec),
                                 kind_title(input), kind_title(examples), way));
}

}  // namespace plimsoll::run
