#include "plimsoll/lab/sweep/plan_rows.h"

#include "plimsoll/base/csv.h"
#include "plimsoll/base/format.h"
#include "plimsoll/lab/sweep/trunks.h"

namespace plimsoll::lab {
namespace {

Json number(const arch::Count& count) {
    if (count.fits_int64()) return static_cast<std::int64_t>(std::stoll(count.text()));
    return count.text();
}

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

template <class T>
std::string or_nothing(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "";
}

std::optional<double> seconds_of(const Job& job, const Calibration* cost) {
    return cost == nullptr ? std::nullopt : cost->seconds(job.work);
}

Json job_json(const Plan& plan, const Job& job, const Calibration* cost) {
    Json values = Json::object();
    for (std::size_t k = 0; k < plan.columns.size(); ++k) values[plan.columns[k]] = job.values[k];
    return {{"id", job.id},
            {"spec", arch::to_text(job.config.model.spec)},
            {"values", values},
            {"parameters", number(job.parameters)},
            {"counted", number(job.counted)},
            {"flops_per_step", job.work.flops_per_step},
            {"steps", or_null(job.work.steps)},
            {"epochs", job.config.train.epochs > 0 ? Json(job.config.train.epochs) : Json()},
            {"flops", or_null(job.work.flops())},
            {"seconds", or_null(seconds_of(job, cost))}};
}

Json calibration_json(const Calibration& cost) {
    Json shapes = Json::array();
    for (const auto& shape : cost.shapes) {
        shapes.push_back({{"id", shape.id},
                          {"flops_per_step", shape.flops_per_step},
                          {"steps", shape.steps},
                          {"seconds_per_step", shape.seconds_per_step},
                          {"start_seconds", shape.start_seconds}});
    }
    return {{"device", cost.device}, {"shapes", shapes}};
}

Json trunks_json(const Plan& plan, const Calibration* cost) {
    Json all = Json::array();
    for (const Trunk& trunk : trunks_of(plan)) {
        Json runs = Json::array();
        for (const std::size_t branch : trunk.branches) runs.push_back(plan.jobs[branch].id);
        all.push_back({{"id", trunk.job.id},
                       {"runs", std::move(runs)},
                       {"keep", trunk.job.keep},
                       {"steps", or_null(trunk.job.work.steps)},
                       {"flops", or_null(trunk.job.work.flops())},
                       {"seconds", or_null(seconds_of(trunk.job, cost))}});
    }
    return all;
}

std::string job_line(const Job& job, const Calibration* cost) {
    std::vector<std::string> cells{job.id};
    for (const Json& value : job.values) cells.push_back(value_text(value));
    cells.push_back(job.parameters.text());
    cells.push_back(job.counted.text());
    cells.push_back(fmt::format("{}", job.work.flops_per_step));
    cells.push_back(or_nothing(job.work.steps));
    cells.push_back(or_nothing(job.work.flops()));
    cells.push_back(or_nothing(seconds_of(job, cost)));
    return csv_line(cells);
}

}  // namespace

Json plan_json(const Plan& plan, const Calibration* cost) {
    Json jobs = Json::array();
    for (const Job& job : plan.jobs) jobs.push_back(job_json(plan, job, cost));
    Json all{{"file", plan.file},
             {"counting", plan.counting},
             {"combinations", plan.combinations},
             {"left_out", plan.left_out},
             {"unreachable", plan.unreachable},
             {"merged", plan.merged},
             {"notes", plan.notes},
             {"calibration", cost == nullptr ? Json() : calibration_json(*cost)},
             {"jobs", jobs}};
    if (Json trunks = trunks_json(plan, cost); !trunks.empty()) all["trunks"] = std::move(trunks);
    return all;
}

std::string plan_csv(const Plan& plan, const Calibration* cost) {
    std::vector<std::string> names{"id"};
    for (const auto& column : plan.columns) names.push_back(column);
    for (const char* name : {"parameters", "counted", "flops_per_step", "steps", "flops", "seconds"})
        names.emplace_back(name);
    std::string text = csv_line(names) + "\n";
    for (const Job& job : plan.jobs) text += job_line(job, cost) + "\n";
    return text;
}

}  // namespace plimsoll::lab
