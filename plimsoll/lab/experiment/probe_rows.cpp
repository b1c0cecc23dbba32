#include "plimsoll/lab/experiment/probe_rows.h"

#include <algorithm>
#include <csignal>
#include <set>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/text.h"
#include "plimsoll/lab/experiment/prepare.h"
#include "plimsoll/lab/jobs/job_files.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;
using report::Table;
using store::Cell;

// Answers of plimsoll-torch probe, kept in FOLDER/probes: networks and inputs are fixed, so an answer stays
// true.
class Prober {
  public:
    explicit Prober(const ProbeOptions& options) : options_(options), folder_(options.folder / "probes") {}

    [[nodiscard]] bool stopped() const { return options_.stop_requested && options_.stop_requested(); }

    // The answer under this name, asked for when it is not there; nothing when it was asked to stop, or when
    // there is no program to ask.
    Result<std::optional<Json>> answer(const std::string& name, const std::vector<std::string>& words) const {
        const fs::path file = folder_ / (name + ".json");
        if (auto known = read_json(file); known.ok()) return std::optional(std::move(known).value());
        if (stopped() || options_.program.empty()) return std::optional<Json>();
        if (options_.tell) options_.tell(fmt::format("measuring {}", name));
        PLIMSOLL_RETURN_IF_ERROR(store::make_folders(folder_));
        fs::path part = file, log = file;
        part += ".part";
        log += ".log";
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(part));
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(log));
        PLIMSOLL_ASSIGN(ended, asked(words, part, log));
        if (!ended) return std::optional<Json>();
        PLIMSOLL_ASSIGN(answer, read_json(part));
        PLIMSOLL_RETURN_IF_ERROR(store::rename_path(part, file));
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(log));
        return std::optional(std::move(answer));
    }

  private:
    // True when the program answered, false when it was asked to stop; its own words when it failed.
    Result<bool> asked(const std::vector<std::string>& words, const fs::path& out,
                       const fs::path& log) const {
        const fs::path data = data_folder();
        PLIMSOLL_ASSIGN(
            process, Process::start(
                         {.program = fs::absolute(options_.program),
                          .arguments = words,
                          .out = fs::absolute(out),
                          .err = fs::absolute(log),
                          .folder = options_.folder,
                          .environment = {{"PLIMSOLL_DATA", data.empty() ? "" : fs::absolute(data).string()}},
                          .when_we_die = SIGTERM}));
        constexpr std::chrono::milliseconds between_looks{50};
        auto end = process.wait_for(between_looks);
        for (; !end; end = process.wait_for(between_looks)) {
            if (!stopped()) continue;
            process.kill();
            process.wait();
            return false;
        }
        if (end->ok()) return true;
        const auto lines = last_lines(log, 0, 1);
        return bad_input("plimsoll-torch " + words[0] + " " + words[1],
                         lines.empty() ? fmt::format("ended with exit code {}", end->exit_code) : lines[0]);
    }

    const ProbeOptions& options_;
    fs::path folder_;
};

Cell number_cell(const Json& object, const char* key) {
    if (!object.contains(key) || !object.at(key).is_number()) return {};
    if (object.at(key).is_number_integer()) return object.at(key).get<std::int64_t>();
    return object.at(key).get<double>();
}

std::string first_device(const std::string& devices) { return devices.substr(0, devices.find(',')); }

// ---- spectra ----

// One singular value of a matrix.
store::Facts value_facts(const Json& matrix, std::size_t k) {
    const Json &values = matrix.at("values"), &law = matrix.at("law"), &edges = matrix.at("edges");
    const double value = values[k], high = edges[1];
    return {{"matrix", matrix.at("name").get<std::string>()},
            {"rows", matrix.at("shape")[0].get<std::int64_t>()},
            {"cols", matrix.at("shape")[1].get<std::int64_t>()},
            {"copies", number_cell(matrix, "copies")},
            {"density", number_cell(matrix, "density")},
            {"index", static_cast<std::int64_t>(k + 1)},
            {"share", (static_cast<double>(k) + 0.5) / static_cast<double>(values.size())},
            {"value", value},
            {"law", k < law.size() ? Cell(law[k].get<double>()) : Cell()},
            {"low_edge", edges[0].get<double>()},
            {"high_edge", high},
            {"over_edge", high > 0 ? Cell(value / high) : Cell()},
            {"effective_rank", number_cell(matrix, "effective_rank")},
            {"distance", number_cell(matrix, "distance")}};
}

// The values of a long list that are shown: the largest ones, then as many again and again as far apart, and
// the smallest.
std::vector<std::size_t> shown(std::size_t count) {
    constexpr std::size_t most = 64, largest = 16;
    std::vector<std::size_t> indices;
    if (count <= most) {
        for (std::size_t k = 0; k < count; ++k) indices.push_back(k);
        return indices;
    }
    for (std::size_t k = 0; k < largest; ++k) indices.push_back(k);
    for (std::size_t k = 1; k <= most - largest; ++k)
        indices.push_back(largest - 1 + k * (count - largest) / (most - largest));
    return indices;
}

// Names of columns that have no value yet.
store::Facts named(std::initializer_list<const char*> names) {
    store::Facts facts;
    for (const char* name : names) facts.emplace_back(name, Cell());
    return facts;
}

store::Facts spectra_columns() {
    return named({"matrix", "rows", "cols", "copies", "density", "index", "share", "value", "law", "low_edge",
                  "high_edge", "over_edge", "effective_rank", "distance"});
}

std::vector<std::string> spectra_words(const Job& job) {
    return {"probe",
            "spectra",
            arch::to_text(job.config.model.spec),
            "--init",
            job.config.model.init,
            "--seed",
            std::to_string(job.config.seeds.init),
            "--json"};
}

// ---- similarity ----

using Rows = std::vector<std::size_t>;

struct PairOfRuns {
    std::size_t first, second;  // rows of the table of runs
    std::string name;
};

class Pairing {
  public:
    Pairing(const Table& runs, const Pairs& pairs) : runs_(runs), pairs_(pairs) {}

    Result<std::vector<PairOfRuns>> all() {
        PLIMSOLL_ASSIGN(by, report::column_named(runs_, pairs_.by, "pairs.by"));
        PLIMSOLL_ASSIGN(phase, report::column_named(runs_, "phase", "rows"));
        std::vector<std::size_t> match;
        for (const auto& name : pairs_.match) {
            PLIMSOLL_ASSIGN(column, report::column_named(runs_, name, "pairs.match"));
            match.push_back(column);
        }
        std::vector<PairOfRuns> found;
        for (std::size_t i = 0; i < pairs_.of.size(); ++i)
            for (std::size_t j = i + 1; j < pairs_.of.size(); ++j) add(found, i, j, {by, phase, match});
        return found;
    }

  private:
    struct Columns {
        std::size_t by, phase;
        std::vector<std::size_t> match;
    };

    [[nodiscard]] Rows finished(const std::string& value, const Columns& columns) const {
        Rows rows;
        for (std::size_t r = 0; r < runs_.rows.size(); ++r)
            if (store::cell_text(runs_.rows[r][columns.by]) == value &&
                store::cell_text(runs_.rows[r][columns.phase]) == "done")
                rows.push_back(r);
        return rows;
    }

    void add(std::vector<PairOfRuns>& found, std::size_t i, std::size_t j, const Columns& columns) const {
        const std::string &a = pairs_.of[i], &b = pairs_.of[j];
        for (const std::size_t first : finished(a, columns))
            for (const std::size_t second : finished(b, columns)) {
                const bool agree = std::ranges::all_of(columns.match, [&](std::size_t column) {
                    return runs_.rows[first][column] == runs_.rows[second][column];
                });
                if (agree && (a != b || first < second)) found.push_back({first, second, a + " / " + b});
            }
    }

    const Table& runs_;
    const Pairs& pairs_;
};

std::string cell_of(const Table& runs, std::size_t row, const char* column) {
    const auto found = std::ranges::find(runs.columns, column);
    return store::cell_text(runs.rows[row][static_cast<std::size_t>(found - runs.columns.begin())]);
}

// The columns of both runs: the first's (the second's where it has none), then the second's as second_X.
store::Facts columns_of(const Table& runs, const std::vector<Cell>& first, const std::vector<Cell>& second) {
    store::Facts facts;
    for (std::size_t c = 0; c < runs.columns.size(); ++c)
        facts.emplace_back(runs.columns[c], store::is_empty(first[c]) ? second[c] : first[c]);
    for (std::size_t c = 0; c < runs.columns.size(); ++c)
        facts.emplace_back("second_" + runs.columns[c], second[c]);
    return facts;
}

// A row without values, for the columns.
RowParts cka_shape(const Table& runs) {
    const std::vector<Cell> nothing(runs.columns.size());
    return {columns_of(runs, nothing, nothing),
            {},
            named({"pair", "layer", "layers", "depth_share", "name", "cka", "best_cka", "best_layer"})};
}

void add_layers(std::vector<RowParts>& rows, const Table& runs, const PairOfRuns& pair, const Json& answer) {
    const Json &cka = answer.at("cka"), &names = answer.at("first_layers");
    const auto layers = static_cast<std::int64_t>(cka.size());
    for (std::int64_t k = 0; k < layers; ++k) {
        const auto values = cka[static_cast<std::size_t>(k)].get<std::vector<double>>();
        const auto best = std::ranges::max_element(values);
        // Networks of other depths are compared at the same share of their depth.
        const auto across = static_cast<std::size_t>((k + 1) * std::ssize(values) / layers);
        RowParts row;
        row.head = columns_of(runs, runs.rows[pair.first], runs.rows[pair.second]);
        row.results = {{"pair", pair.name},
                       {"layer", k + 1},
                       {"layers", layers},
                       {"depth_share", static_cast<double>(k + 1) / static_cast<double>(layers)},
                       {"name", names[static_cast<std::size_t>(k)].get<std::string>()},
                       {"cka", values[std::max<std::size_t>(across, 1) - 1]},
                       {"best_cka", *best},
                       {"best_layer", static_cast<std::int64_t>(best - values.begin() + 1)}};
        rows.push_back(std::move(row));
    }
}

// ---- strides ----

store::Facts run_facts(const Table& runs, const std::vector<Cell>& row) {
    store::Facts facts;
    for (std::size_t c = 0; c < runs.columns.size(); ++c) facts.emplace_back(runs.columns[c], row[c]);
    return facts;
}

store::Facts stride_facts(std::int64_t stride, const Json& evaluation) {
    return {{"stride", stride},
            {"stride_loss", number_cell(evaluation, "loss")},
            {"stride_bits_per_byte", number_cell(evaluation, "bits_per_byte")},
            {"stride_perplexity", number_cell(evaluation, "perplexity")}};
}

const Job& job_of(const std::vector<NamedPlan>& plans, const std::string& id) {
    for (const NamedPlan& plan : plans)
        for (const Job& job : plan.plan.jobs)
            if (job.id == id) return job;
    PLIMSOLL_CHECK(false, "a row of a run that no plan has: " + id);
    return plans.front().plan.jobs.front();
}

}  // namespace

Result<Table> spectra_rows(const std::vector<NamedPlan>& plans, const ProbeOptions& options) {
    const Prober prober(options);
    const auto keys = telling_keys(plans);
    std::vector<RowParts> rows, shapes;
    std::set<std::string> seen;
    for (const NamedPlan& plan : plans) {
        for (const Job& job : plan.plan.jobs) {
            if (!seen.insert(job.id).second) continue;
            RowParts run = planned_parts(plan, job, keys);
            run.results = spectra_columns();
            shapes.push_back(run);
            PLIMSOLL_ASSIGN(answer, prober.answer("spectra-" + job.id, spectra_words(job)));
            if (!answer) continue;
            for (const Json& matrix : answer->at("matrices"))
                for (const std::size_t k : shown(matrix.at("values").size()))
                    rows.push_back({run.head, run.settings, value_facts(matrix, k)});
        }
    }
    return table_of_parts(rows, shapes);
}

Result<Table> cka_rows(const std::vector<NamedPlan>& plans, const Table& runs, const Pairs& pairs,
                       const ProbeOptions& options) {
    PLIMSOLL_ASSIGN(found, Pairing(runs, pairs).all());
    const Prober prober(options);
    const fs::path folder = fs::absolute(options.runs);
    std::vector<RowParts> rows;
    for (const PairOfRuns& pair : found) {
        const std::string first = cell_of(runs, pair.first, "run"),
                          second = cell_of(runs, pair.second, "run");
        PLIMSOLL_ASSIGN(answer,
                        prober.answer(fmt::format("cka-{}-{}", first, second),
                                      {"probe", "cka", (folder / first).string(), (folder / second).string(),
                                       "--data", job_of(plans, first).config.data.name, "--device",
                                       first_device(options.device), "--json"}));
        if (answer) add_layers(rows, runs, pair, *answer);
    }
    return table_of_parts(rows, {cka_shape(runs)});
}

Result<Table> stride_rows(const Table& runs, const std::vector<std::int64_t>& strides,
                          const ProbeOptions& options) {
    const Prober prober(options);
    const std::vector<Cell> nothing(runs.columns.size());
    std::vector<RowParts> rows;
    for (std::size_t r = 0; r < runs.rows.size(); ++r) {
        if (cell_of(runs, r, "phase") != "done") continue;
        const std::string run = cell_of(runs, r, "run");
        for (const std::int64_t stride : strides) {
            PLIMSOLL_ASSIGN(answer, prober.answer(fmt::format("stride-{}-{}", stride, run),
                                                  {"eval", fs::absolute(options.runs / run).string(),
                                                   "--stride", std::to_string(stride), "--device",
                                                   first_device(options.device), "--json"}));
            if (answer) rows.push_back({run_facts(runs, runs.rows[r]), {}, stride_facts(stride, *answer)});
        }
    }
    return table_of_parts(rows, {{run_facts(runs, nothing), {}, stride_facts(0, Json::object())}});
}

}  // namespace plimsoll::lab
