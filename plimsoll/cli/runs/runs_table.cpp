#include "plimsoll/cli/runs/runs_table.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/spec.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/run/run_config.h"
#include "plimsoll/store/run_list.h"

namespace plimsoll::cli {
namespace {

using store::Cell, store::RunRow, store::RunTable;

// Empty for a spec that cannot be read or is too large to count.
Cell parameters_of(const std::string& spec) {
    const auto parsed = arch::parse_spec(spec);
    if (!parsed.ok()) return {};
    const arch::Count count = arch::parameter_count(*parsed);
    const auto whole = parse_integer(count.text(), "parameters");
    return whole.ok() ? Cell(*whole) : Cell(count.real());
}

// "mixer:depth=8,patch=4" has spec.depth and spec.patch.
void add_spec_keys(store::Facts& facts, const std::string& spec) {
    const auto colon = spec.find(':');
    if (colon == std::string::npos) return;
    for (const auto& pair : split(std::string_view(spec).substr(colon + 1), ',')) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos) continue;
        const std::string value = pair.substr(equals + 1);
        const auto whole = parse_integer(value, "");
        facts.emplace_back("spec." + pair.substr(0, equals), whole.ok() ? Cell(*whole) : Cell(value));
    }
}

// Specs repeat in a sweep: each is counted once.
class CountedSpecs {
  public:
    Cell parameters(const std::string& spec) {
        const std::lock_guard guard(mutex_);
        const auto found = known_.find(spec);
        return found != known_.end() ? found->second : known_[spec] = parameters_of(spec);
    }

  private:
    std::mutex mutex_;
    std::unordered_map<std::string, Cell> known_;
};

bool is_config_key(const std::string& key) {
    static const std::vector<run::ConfigKeyInfo> keys = run::config_keys();
    return std::ranges::find(keys, key, &run::ConfigKeyInfo::key) != keys.end();
}

// The value of a default, written as TOML; none for a required key.
Cell default_of(const std::string& toml) {
    if (toml.empty()) return {};
    const auto value = parse_toml("value = " + toml, "default");
    return value.ok() ? store::flattened(*value).front().second : Cell(toml);
}

// Whether a comparison of two runs has this key: settings, and those of the spec where both are of one
// family.
bool is_compared(const std::string& key, bool one_family) {
    if (key == "model.spec") return !one_family;
    if (key.starts_with("spec.")) return one_family;
    return is_config_key(key) && key != "name";
}

}  // namespace

store::DerivedFacts spec_facts() {
    auto counted = std::make_shared<CountedSpecs>();
    return [counted](const Json& config) {
        store::Facts facts;
        if (!config.contains("model") || !config.at("model").is_object()) return facts;
        const Json spec = config.at("model").value("spec", Json());
        if (!spec.is_string()) return facts;
        facts.emplace_back("parameters", counted->parameters(spec.get<std::string>()));
        add_spec_keys(facts, spec.get<std::string>());
        return facts;
    };
}

Result<RunTable> selected_runs(const std::filesystem::path& runs, const store::TableQuery& query,
                               bool use_index) {
    ProgressBar bar("reading runs");
    PLIMSOLL_ASSIGN(table,
                    store::read_run_table(
                        runs, {.derive = spec_facts(), .use_index = use_index, .progress = bar.callback()}));
    for (const auto& warning : table.warnings) fmt::print(stderr, "warning: {}\n", warning);
    PLIMSOLL_RETURN_IF_ERROR(store::select(table, query));
    return table;
}

Result<RunRow> row_named(const RunTable& table, const std::string& name, const std::filesystem::path& runs) {
    std::vector<store::RunName> names;
    for (const auto& row : table.rows) names.push_back({row.id, store::cell_text(table.at(row, "name"))});
    PLIMSOLL_ASSIGN(id, store::find_among(names, name, runs));
    return *std::ranges::find(table.rows, id, &RunRow::id);
}

Result<std::vector<std::string>> columns_named(const RunTable& table, const std::string& list) {
    std::vector<std::string> columns;
    for (const auto& name : split(list, ',')) {
        PLIMSOLL_ASSIGN(key, store::key_named(table, trim(name), "columns"));
        columns.push_back(std::move(key));
    }
    return columns;
}

Result<RunTable> runs_to_prune(RunTable table, const PruneChoice& choice, bool queried) {
    if (!choice.checkpoints && !choice.failed && !choice.unfinished && !queried)
        return bad_input("prune", "needs --checkpoints, --failed, --unfinished or --where: what to remove");
    std::vector<std::string> phases;
    if (choice.failed) phases.emplace_back("failed");
    if (choice.unfinished) phases.insert(phases.end(), {"created", "interrupted"});
    if (phases.empty() && !queried) phases.emplace_back("done");
    if (phases.empty()) return table;
    std::erase_if(table.rows, [&](const RunRow& row) {
        return std::ranges::find(phases, store::cell_text(table.at(row, "phase"))) == phases.end();
    });
    return table;
}

std::vector<Difference> config_differences(const RunTable& table, const RunRow& a, const RunRow& b) {
    std::vector<Difference> all;
    const bool one_family = table.at(a, "family") == table.at(b, "family");
    for (const auto& key : table.keys)
        if (is_compared(key, one_family) && table.at(a, key) != table.at(b, key))
            all.push_back({key, table.at(a, key), table.at(b, key)});
    return all;
}

std::vector<Difference> number_pairs(const RunTable& table, const RunRow& a, const RunRow& b) {
    std::vector<std::string> keys{"phase", "step", "parameters", "loss"};
    for (const auto& key : table.keys)
        if (key.starts_with("validation.")) keys.push_back(key);
    keys.insert(keys.end(), {"seconds", "host", "device"});
    std::vector<Difference> all;
    for (const auto& key : keys) {
        Difference pair{key, table.at(a, key), table.at(b, key)};
        if (!store::is_empty(pair.first) || !store::is_empty(pair.second)) all.push_back(std::move(pair));
    }
    return all;
}

std::vector<Difference> unusual_settings(const RunTable& table, const RunRow& row) {
    std::vector<Difference> all;
    for (const auto& key : run::config_keys()) {
        const Cell value = table.at(row, key.key), usual = default_of(key.fallback);
        const bool same = store::is_empty(value) || store::cell_text(value) == store::cell_text(usual);
        if (!same && key.key != "name") all.push_back({key.key, value, usual});
    }
    return all;
}

}  // namespace plimsoll::cli
