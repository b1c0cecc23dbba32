#include "plimsoll/lab/jobs/rows.h"

#include <algorithm>
#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/jobs/run_results.h"
#include "plimsoll/lab/jobs/status.h"
#include "plimsoll/lab/sweep/setting.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using store::Cell;
using store::Facts;

// The value as one cell; empty for lists and tables.
Cell cell_of(const Json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return {};
}

Cell cell_of(const arch::Count& count) {
    if (count.fits_int64()) return static_cast<std::int64_t>(std::stoll(count.text()));
    return count.real();
}

template <class T>
Cell cell_of(const std::optional<T>& value) {
    return value ? Cell(*value) : Cell();
}

std::string column_of(std::string key) {
    std::ranges::replace(key, '.', '_');
    return key;
}

const Json& default_value(const std::string& key) {
    static std::map<std::string, Json> values;
    const auto [place, is_new] = values.try_emplace(key);
    if (is_new) place->second = value_in(run::RunConfig{}, key);
    return place->second;
}

// Seeds have a column of their own, and so has the spec.
bool has_its_own_column(const std::string& key) { return key == "model.spec" || key.starts_with("seeds."); }

Json planned_value(const Plan& plan, const Job& job, const std::string& column) {
    const auto found = std::ranges::find(plan.columns, column);
    if (found == plan.columns.end()) return {};
    return job.values[static_cast<std::size_t>(found - plan.columns.begin())];
}

Cell budget_of(const Plan& plan, const Job& job) {
    const Json value = planned_value(plan, job, "budget");
    return value.is_null() ? Cell(std::int64_t{0}) : cell_of(plain_word(value));
}

// Calls `visit` for each run of the plans once.
template <class Visit>
Status for_each_run(const std::vector<NamedPlan>& plans, const Visit& visit) {
    std::set<std::string> seen;
    for (const NamedPlan& plan : plans)
        for (const Job& job : plan.plan.jobs)
            if (seen.insert(job.id).second) PLIMSOLL_RETURN_IF_ERROR(visit(plan, job));
    return {};
}

Facts result_facts(const Job& job, const RunResults& found) {
    const auto steps = job.work.steps ? job.work.steps : found.steps;
    std::optional<double> flops;
    if (steps) flops = job.work.flops_per_step * static_cast<double>(*steps);
    const Measured& last = found.last;
    Facts facts{{"parameters", cell_of(job.parameters)},
                {"counted", cell_of(job.counted)},
                {"steps", cell_of(steps)},
                {"flops", cell_of(flops)},
                {"phase", phase_name(found.phase)},
                {"loss", cell_of(last.loss)},
                {"validation_loss", cell_of(last.validation_loss)},
                {"accuracy", cell_of(last.accuracy)},
                {"bits_per_byte", cell_of(last.bits_per_byte)},
                {"perplexity", cell_of(last.perplexity)},
                {"best_accuracy", cell_of(found.best_accuracy)},
                {"best_validation_loss", cell_of(found.best_validation_loss)},
                {"seconds", cell_of(found.seconds)},
                {"step_ms", cell_of(found.step_ms)},
                {"peak_mb", cell_of(found.peak_mb)},
                {"device", found.device.empty() ? Cell() : Cell(found.device)}};
    if (last.explained_variance)  // runs that predict numbers
        facts.emplace_back("explained_variance", cell_of(last.explained_variance));
    return facts;
}

void set_fact(Facts& facts, const std::string& key, Cell value) {
    std::ranges::find(facts, key, &Facts::value_type::first)->second = std::move(value);
}

// The row of a run with the numbers of one of its evaluations.
RowParts at_evaluation(RowParts row, const Job& job, const Measured& evaluation) {
    set_fact(row.results, "loss", cell_of(evaluation.loss));
    set_fact(row.results, "validation_loss", cell_of(evaluation.validation_loss));
    set_fact(row.results, "accuracy", cell_of(evaluation.accuracy));
    if (evaluation.explained_variance)
        set_fact(row.results, "explained_variance", cell_of(evaluation.explained_variance));
    set_fact(row.results, "bits_per_byte", cell_of(evaluation.bits_per_byte));
    set_fact(row.results, "perplexity", cell_of(evaluation.perplexity));
    std::optional<double> epoch;
    if (const auto examples = epoch_examples(job.config); examples && *examples > 0)
        epoch =
            static_cast<double>(evaluation.step * job.config.train.batch) / static_cast<double>(*examples);
    row.results.emplace_back("step", evaluation.step);
    row.results.emplace_back("epoch", cell_of(epoch));
    return row;
}

void add_columns(std::vector<std::string>& columns, const Facts& facts) {
    for (const auto& fact : facts)
        if (std::ranges::find(columns, fact.first) == columns.end()) columns.push_back(fact.first);
}

void fill(std::vector<Cell>& cells, const std::vector<std::string>& columns, const Facts& facts) {
    for (const auto& [name, value] : facts) {
        Cell& cell = cells[static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin())];
        if (store::is_empty(cell)) cell = value;
    }
}

}  // namespace

Result<std::vector<NamedPlan>> plan_sweeps(const std::vector<fs::path>& files) {
    std::vector<NamedPlan> plans;
    for (const auto& file : files) {
        PLIMSOLL_ASSIGN(sweep, read_sweep(file));
        PLIMSOLL_ASSIGN(planned, plan(sweep));
        plans.push_back({file.stem().string(), std::move(planned)});
    }
    return plans;
}

std::vector<std::string> telling_keys(const std::vector<NamedPlan>& plans) {
    std::vector<std::string> keys;
    for (const std::string& key : all_keys({})) {
        if (has_its_own_column(key)) continue;
        const bool tells = std::ranges::any_of(plans, [&](const NamedPlan& plan) {
            if (std::ranges::find(plan.plan.columns, key) != plan.plan.columns.end()) return true;
            return std::ranges::any_of(plan.plan.jobs, [&](const Job& job) {
                return value_in(job.config, key) != default_value(key);
            });
        });
        if (tells) keys.push_back(key);
    }
    return keys;
}

RowParts planned_parts(const NamedPlan& plan, const Job& job, const std::vector<std::string>& keys) {
    const arch::ArchSpec& spec = job.config.model.spec;
    RowParts row;
    row.head = {{"sweep", plan.name},
                {"run", job.id},
                {"seed", static_cast<std::int64_t>(job.config.seeds.init)},
                {"family", arch::family_name(spec)},
                {"spec", arch::to_text(spec)},
                {"budget", budget_of(plan.plan, job)}};
    const Json fields = arch::to_json(spec);
    for (const auto& [name, value] : fields.items())
        if (const Cell cell = cell_of(plain_word(value)); !store::is_empty(cell) && name != "family")
            row.settings.emplace_back(name, cell);
    for (const std::string& key : keys)
        row.settings.emplace_back(column_of(key), cell_of(value_in(job.config, key)));
    return row;
}

report::Table table_of_parts(const std::vector<RowParts>& rows, const std::vector<RowParts>& shapes) {
    report::Table table;
    for (Facts RowParts::* part : {&RowParts::head, &RowParts::settings, &RowParts::results}) {
        for (const RowParts& row : rows) add_columns(table.columns, row.*part);
        for (const RowParts& shape : shapes) add_columns(table.columns, shape.*part);
    }
    for (const RowParts& row : rows) {
        std::vector<Cell> cells(table.columns.size());
        for (Facts RowParts::* part : {&RowParts::head, &RowParts::results, &RowParts::settings})
            fill(cells, table.columns, row.*part);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Result<report::Table> run_rows(const std::vector<NamedPlan>& plans, const fs::path& runs) {
    const auto keys = telling_keys(plans);
    std::vector<RowParts> rows;
    PLIMSOLL_RETURN_IF_ERROR(for_each_run(plans, [&](const NamedPlan& plan, const Job& job) -> Status {
        PLIMSOLL_ASSIGN(found, read_results(job, runs));
        rows.push_back(planned_parts(plan, job, keys));
        rows.back().results = result_facts(job, found);
        return {};
    }));
    return table_of_parts(rows);
}

Result<report::Table> curve_rows(const std::vector<NamedPlan>& plans, const fs::path& runs) {
    const auto keys = telling_keys(plans);
    std::vector<RowParts> rows, shapes;
    PLIMSOLL_RETURN_IF_ERROR(for_each_run(plans, [&](const NamedPlan& plan, const Job& job) -> Status {
        PLIMSOLL_ASSIGN(found, read_results(job, runs));
        RowParts row = planned_parts(plan, job, keys);
        row.results = result_facts(job, found);
        shapes.push_back(at_evaluation(row, job, {}));
        for (const Measured& one : found.evaluations) rows.push_back(at_evaluation(row, job, one));
        return {};
    }));
    return table_of_parts(rows, shapes);
}

}  // namespace plimsoll::lab
