#include "plimsoll/run/config_keys.h"

#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/run/config_fit.h"
#include "plimsoll/run/config_values.h"
#include "plimsoll/run/recipes.h"

namespace plimsoll::run {
namespace {

template <class T>
using Field = std::function<T&(RunConfig&)>;

// Reading of one value of type T, and writing it as TOML.
template <class T>
struct Form {
    std::string allowed;
    bool words = false;
    std::function<Result<T>(const Json&, const std::string&)> read;
    std::function<std::string(const T&)> write;
};

Form<std::int64_t> whole(WholeRange range) {
    const auto write = [range](std::int64_t value) {
        return value == 0 && !range.zero.empty() ? toml_string(range.zero) : std::to_string(value);
    };
    const auto read = [range](const Json& value, const std::string& where) {
        return read_whole(value, range, where);
    };
    return {range.text(), false, read, write};
}

Form<std::uint64_t> seed() {
    const WholeRange range{0};
    const auto read = [range](const Json& value, const std::string& where) -> Result<std::uint64_t> {
        PLIMSOLL_ASSIGN(number, read_whole(value, range, where));
        return static_cast<std::uint64_t>(number);
    };
    return {range.text(), false, read, [](std::uint64_t value) { return std::to_string(value); }};
}

Form<double> real(RealRange range) {
    const auto read = [range](const Json& value, const std::string& where) {
        return read_real(value, range, where);
    };
    return {range.text(), false, read, real_text};
}

Form<std::optional<double>> real_or_none(RealRange range) {
    const auto read = [range](const Json& value, const std::string& where) -> Result<std::optional<double>> {
        if (value == "none") return std::optional<double>();
        PLIMSOLL_ASSIGN(number, read_real(value, range, where, ", or \"none\""));
        return std::optional(number);
    };
    const auto write = [](const std::optional<double>& value) {
        return value ? real_text(*value) : toml_string("none");
    };
    return {range.text() + ", or \"none\"", false, read, write};
}

Form<bool> truth() {
    return {"true or false", false, read_truth, [](bool value) { return value ? "true" : "false"; }};
}

Form<std::string> words(std::string allowed) { return {std::move(allowed), true, read_words, toml_string}; }

// One of `names`, which are in the order of the enumeration's values.
template <class E>
Form<E> one_of(std::vector<std::string> names) {
    const auto read = [names](const Json& value, const std::string& where) -> Result<E> {
        PLIMSOLL_ASSIGN(index, read_name(value, names, where));
        return static_cast<E>(index);
    };
    const auto write = [names](E value) { return toml_string(names.at(static_cast<std::size_t>(value))); };
    return {join(names, "|"), true, read, write};
}

Form<std::string> one_of_words(const std::vector<std::string>& names) {
    const auto read = [names](const Json& value, const std::string& where) -> Result<std::string> {
        PLIMSOLL_ASSIGN(index, read_name(value, names, where));
        return names[index];
    };
    return {join(names, "|"), true, read, toml_string};
}

Form<arch::ArchSpec> spec() {
    const auto read = [](const Json& value, const std::string& where) -> Result<arch::ArchSpec> {
        PLIMSOLL_ASSIGN(text, read_words(value, where));
        const auto parsed = arch::parse_spec(text);
        if (!parsed.ok()) return bad_input(where, parsed.error().text());
        return parsed;
    };
    return {"family:key=value,...", true, read,
            [](const arch::ArchSpec& value) { return toml_string(arch::to_text(value)); }};
}

class Table {
  public:
    void section(std::string name) { section_ = std::move(name); }

    template <class T>
    void key(std::string name, Field<T> field, Form<T> form, std::string meaning) {
        ConfigKey key;
        key.section = section_;
        key.name = std::move(name);
        key.allowed = form.allowed;
        key.meaning = std::move(meaning);
        key.words = form.words;
        key.write = [field, write = form.write](const RunConfig& config) {
            return write(field(const_cast<RunConfig&>(config)));
        };
        key.read = [field, read = form.read](RunConfig& config, const Json& value, const std::string& where) {
            auto parsed = read(value, where);
            if (!parsed.ok()) return Status(parsed.error());
            field(config) = std::move(parsed).value();
            return Status();
        };
        keys.push_back(std::move(key));
    }
    void last_is_required() { keys.back().required = true; }
    void last_matters_when(std::function<bool(const RunConfig&)> condition) {
        keys.back().matters = std::move(condition);
    }

    std::vector<ConfigKey> keys;

  private:
    std::string section_;
};

// The member `member` of the section `part` of a config.
template <class S, class T>
Field<T> in(S RunConfig::* part, T S::* member) {
    return [part, member](RunConfig& config) -> T& { return config.*part.*member; };
}

constexpr RealRange positive{0, true};
constexpr RealRange not_negative{};
constexpr RealRange below_one{0, false, 1};
constexpr RealRange up_to_one{0, false, 1, true};
constexpr RealRange inside_one{0, true, 1};

void add_top(Table& table) {
    table.key<std::string>(
        "name", [](RunConfig& c) -> std::string& { return c.name; }, words("text"),
        "a name; runs can be found by it");
    std::vector<std::string> names{"none"};
    for (const auto& recipe : recipes()) names.push_back(recipe.name);
    table.key<std::string>(
        "recipe", [](RunConfig& c) -> std::string& { return c.recipe; }, one_of_words(names),
        "published settings that replace the defaults");
}

void add_parameterization(Table& table) {
    const auto part = &RunConfig::model;
    using M = ModelSettings;
    constexpr std::int64_t most = 1'000'000'000;
    const auto scaled = [](const RunConfig& c) {
        return c.model.parameterization != Parameterization::standard;
    };
    const auto deep = [](const RunConfig& c) {
        return c.model.parameterization == Parameterization::completep;
    };
    table.key(
        "parameterization", in(part, &M::parameterization),
        one_of<Parameterization>({"standard", "mup", "completep"}),
        "scales initialisation, rates and branches with width (mup), or with width and depth (completep)");
    table.last_matters_when(scaled);
    table.key("base_width", in(part, &M::base_width), whole({1, most, "none"}),
              "mup, completep: width (or channels) at which it equals standard");
    table.last_matters_when(scaled);
    table.key("base_depth", in(part, &M::base_depth), whole({1, most, "none"}),
              "completep: depth at which it equals standard");
    table.last_matters_when(deep);
    table.key("base_heads", in(part, &M::base_heads), whole({1, most, "none"}),
              "mup, completep: heads at that width; none: the spec's heads");
    table.last_matters_when(scaled);
}

void add_model(Table& table) {
    table.section("model");
    table.key("spec", in(&RunConfig::model, &ModelSettings::spec), spec(),
              "the architecture, as for `plimsoll count`");
    table.last_is_required();
    table.key("init", in(&RunConfig::model, &ModelSettings::init), one_of_words(initialisation_names()),
              "initialisation of the weights; default: the usual one of the family");
    table.key("dropout", in(&RunConfig::model, &ModelSettings::dropout), real(below_one),
              "share of values dropped after embedding, attention and feed-forward layers");
    add_parameterization(table);
}

// A key is in the resolved config, and so in the id of the run, only where it is not as usual.
template <class T>
void last_matters_unless_usual(Table& table, T DataSettings::* member) {
    table.last_matters_when(
        [member](const RunConfig& config) { return config.data.*member != DataSettings{}.*member; });
}

// How a set is read and split, where it does not say it itself.
void add_reading(Table& table) {
    const auto part = &RunConfig::data;
    using D = DataSettings;
    table.key("split_seed", in(part, &D::split_seed), whole({1, INT64_MAX, "order"}),
              "seed that draws the held-out part of a set without splits, by class or by file; order: take "
              "its end");
    last_matters_unless_usual(table, &D::split_seed);
    table.key("field", in(part, &D::field), words("auto, or a name"),
              "JSON lines: the field with the text (auto: text); a table: the column to read as text");
    last_matters_unless_usual(table, &D::field);
    table.key("columns", in(part, &D::columns), words("auto, or first,second,label"),
              "sentence pairs: the columns of both sentences and the label");
    last_matters_unless_usual(table, &D::columns);
    table.key("label", in(part, &D::label), words("auto, or a column"), "tables: the column to predict");
    last_matters_unless_usual(table, &D::label);
    table.key("token_bits", in(part, &D::token_bits), whole({16, 32, "header"}),
              "16 or 32: the width of token ids without a header");
    last_matters_unless_usual(table, &D::token_bits);
    table.key("resize", in(part, &D::resize), whole({1, 4096, "most"}),
              "images: resize all to squares with this side; most: the most frequent size");
    last_matters_unless_usual(table, &D::resize);
}

void add_data(Table& table) {
    const auto part = &RunConfig::data;
    using D = DataSettings;
    table.section("data");
    table.key("name", in(part, &D::name), words("file, folder, catalogue name or synthetic:..."),
              "what to train on");
    table.last_is_required();
    table.key("kind", in(part, &D::kind), one_of_words(data_kind_names()),
              "how to read it; auto: detected from the files");
    table.key("tokenizer", in(part, &D::tokenizer), words("bytes, or a tokenizer.json"),
              "how text becomes tokens");
    table.key("context", in(part, &D::context), whole({1, 1'000'000'000, "spec"}),
              "tokens per example; spec: the spec's context");
    table.key("examples", in(part, &D::examples), whole({1, INT64_MAX, "all"}),
              "number of examples of the training split to use");
    table.key("validation", in(part, &D::validation), words("auto, or the name of a split"),
              "data to evaluate on; auto: the set's validation or test split, otherwise its last part");
    table.key("validation_fraction", in(part, &D::validation_fraction), real(inside_one),
              "size of that last part, as a share of the set");
    add_reading(table);
    table.key("crop", in(part, &D::crop), whole({0, 10'000}),
              "pad images by this number of pixels, then crop at random");
    table.key("flip", in(part, &D::flip), truth(), "mirror images at random");
    table.key("normalize", in(part, &D::normalize), one_of<Normalization>({"none", "channels"}),
              "channels: mean 0 and deviation 1 of each colour over the training images");
}

void add_optimizer(Table& table) {
    const auto part = &RunConfig::optimizer;
    using O = OptimizerSettings;
    table.section("optimizer");
    table.key("kind", in(part, &O::kind), one_of<OptimizerKind>({"adamw", "adam", "sgd"}),
              "adamw decays weights directly, adam and sgd through the gradient");
    table.key("lr", in(part, &O::lr), real(positive), "learning rate at the peak of the schedule");
    table.key("beta1", in(part, &O::beta1), real(below_one), "adamw, adam: decay rate of the mean");
    table.key("beta2", in(part, &O::beta2), real(below_one), "adamw, adam: decay rate of the squares");
    table.key("eps", in(part, &O::eps), real(positive), "adamw, adam: added to the root of the squares");
    table.key("momentum", in(part, &O::momentum), real(below_one), "sgd only");
    table.key("nesterov", in(part, &O::nesterov), truth(), "sgd with momentum only");
    table.key("weight_decay", in(part, &O::weight_decay), real(not_negative), "strength of weight decay");
    table.key("decay", in(part, &O::decay), one_of<DecayedTensors>({"matrices", "all"}),
              "tensors that decay; matrices: those with two or more dimensions");
    table.key("clip", in(part, &O::clip), real_or_none(positive),
              "largest norm of the whole gradient; larger ones are scaled down");
    table.key("accumulate", in(part, &O::accumulate), whole({1, 1'000'000}),
              "number of parts of a batch, to save memory; divides train.batch");
}

void add_schedule(Table& table) {
    const auto part = &RunConfig::schedule;
    using S = ScheduleSettings;
    table.section("schedule");
    table.key("kind", in(part, &S::kind), one_of<ScheduleKind>({"constant", "linear", "cosine", "wsd"}),
              "shape of the learning rate after warm-up; wsd: stable, then a linear decay");
    table.key("warmup", in(part, &S::warmup), whole({0}), "steps of linear warm-up from 0 to the peak");
    table.key("min_lr_ratio", in(part, &S::min_lr_ratio), real(up_to_one),
              "linear, cosine, wsd: rate of the last step as a share of the peak");
    const auto is_wsd = [](const RunConfig& config) { return config.schedule.kind == ScheduleKind::wsd; };
    table.key("decay", in(part, &S::decay), whole({1, most_steps, "none"}),
              "wsd only: number of decay steps at the end of the run");
    table.last_matters_when(is_wsd);
    table.key("share_trunk", in(part, &S::share_trunk), truth(),
              "wsd only: start from the trunk that runs of several lengths share, if it exists");
    table.last_matters_when(is_wsd);
}

void add_train(Table& table) {
    const auto part = &RunConfig::train;
    using T = TrainSettings;
    constexpr std::int64_t most = most_steps;
    table.section("train");
    table.key("steps", in(part, &T::steps), whole({1, most, "none"}),
              "updates of the weights; or give epochs");
    table.key("epochs", in(part, &T::epochs), whole({1, most, "none"}),
              "passes over the training split; or give steps");
    table.key("batch", in(part, &T::batch), whole({1, 1'000'000'000}),
              "examples per step, over all processes");
    table.key("precision", in(part, &T::precision), one_of<Precision>({"fp32", "bf16", "fp64"}),
              "precision of the matrix products; weights are fp32, or fp64");
    table.key("eval_every", in(part, &T::eval_every), whole({1, most, "end"}), "steps between evaluations");
    table.key("eval_batches", in(part, &T::eval_batches), whole({1, most, "all"}),
              "batches per evaluation, spread evenly over the split");
    table.key("checkpoint_every", in(part, &T::checkpoint_every), whole({1, most, "end"}),
              "steps between checkpoints");
    table.key("log_every", in(part, &T::log_every), whole({1, most}), "steps between rows of metrics.jsonl");
    table.key("noise_every", in(part, &T::noise_every), whole({1, most, "none"}),
              "steps between measurements of the gradient-noise scale");
    table.last_matters_when([](const RunConfig& config) { return config.train.noise_every > 0; });
}

void add_seeds(Table& table) {
    const auto part = &RunConfig::seeds;
    table.section("seeds");
    table.key("init", in(part, &SeedSettings::init), seed(), "seed of the weights");
    table.key("data", in(part, &SeedSettings::data), seed(),
              "seed of the order of examples, crops and flips");
    table.key("dropout", in(part, &SeedSettings::dropout), seed(), "seed of dropout");
}

std::vector<ConfigKey> made_table() {
    Table table;
    for (const auto add : {add_top, add_model, add_data, add_optimizer, add_schedule, add_train, add_seeds})
        add(table);
    return std::move(table.keys);
}

}  // namespace

const std::vector<ConfigKey>& config_key_table() {
    static const std::vector<ConfigKey> table = made_table();
    return table;
}

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F)
            out += fmt::format("\\u{:04X}", byte);
        else if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else
            out += c;
    }
    return out + "\"";
}

std::vector<ConfigKeyInfo> config_keys() {
    const RunConfig defaults;
    std::vector<ConfigKeyInfo> infos;
    for (const auto& key : config_key_table())
        infos.push_back({key.full_name(), key.allowed, key.required ? "" : key.write(defaults), key.meaning});
    return infos;
}

}  // namespace plimsoll::run
