#include "plimsoll/lab/jobs/worker_protocol.h"

#include <array>
#include <optional>
#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/utf8.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* order_place = "order";
constexpr const char* answer_place = "answer";
constexpr std::array kind_names{
    std::pair{ErrorKind::bad_input, "bad_input"}, std::pair{ErrorKind::not_found, "not_found"},
    std::pair{ErrorKind::unsupported, "unsupported"}, std::pair{ErrorKind::io, "io"}};

std::string line_of(const Json& message) {
    return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Json> object_in(std::string_view line, const char* where) {
    if (line.size() > longest_worker_line) return bad_input(where, "a line that is too long");
    PLIMSOLL_ASSIGN(message, parse_json(line, where));
    if (!message.is_object()) return bad_input(where, "must be an object");
    return message;
}

Result<std::int64_t> whole_number(const Json& message, const char* key, const char* where) {
    if (!message.contains(key) || !message.at(key).is_number_integer() || message.at(key) < 0 ||
        message.at(key) > INT64_MAX)
        return bad_input(where, fmt::format("'{}' must be a whole number from 0", key));
    return message.at(key).get<std::int64_t>();
}

Result<std::string> words(const Json& message, const char* key, const char* where) {
    if (!message.contains(key) || !message.at(key).is_string())
        return bad_input(where, fmt::format("'{}' must be a text", key));
    return message.at(key).get<std::string>();
}

Status check_path(const fs::path& path) {
    if (is_utf8(path.string())) return {};
    return bad_input(printable(path.string()), "a path for a worker must be UTF-8");
}

Json message_of(const WorkerHello& hello) {
    return {{"plimsoll-worker", hello.version}, {"device", hello.device}, {"process", hello.process}};
}

Json message_of(const RunEnd& end) {
    Json message{{"event", "run"}, {"stack", end.stack}, {"number", end.number}, {"run", end.run}};
    if (end.outcome.ok()) {
        message["outcome"] = *end.outcome == RunOutcome::done ? "done" : "stopped";
        return message;
    }
    const Error& error = end.outcome.error();
    message["outcome"] = "error";
    for (const auto& [kind, name] : kind_names)
        if (kind == error.kind) message["kind"] = name;
    message["where"] = error.where;
    message["message"] = error.message;
    return message;
}

Json message_of(const StackHalved& halved) {
    return {{"event", "halved"}, {"stack", halved.stack}, {"runs", halved.runs}, {"reason", halved.reason}};
}

Json message_of(const StackFinished& finished) { return {{"event", "finished"}, {"stack", finished.stack}}; }

Json message_of(const LineRefused& refused) { return {{"event", "refused"}, {"reason", refused.reason}}; }

Result<WorkerAnswer> hello_in(const Json& message) {
    WorkerHello hello;
    PLIMSOLL_ASSIGN(version, whole_number(message, "plimsoll-worker", answer_place));
    hello.version = version;
    if (version != worker_protocol)
        return WorkerAnswer(hello);  // the rest is for those who know that version
    PLIMSOLL_RETURN_IF_ERROR(
        refuse_unknown_keys(message, {"plimsoll-worker", "device", "process"}, answer_place));
    PLIMSOLL_ASSIGN(device, words(message, "device", answer_place));
    PLIMSOLL_ASSIGN(process, whole_number(message, "process", answer_place));
    hello.device = device;
    hello.process = process;
    return WorkerAnswer(hello);
}

Status take_error(RunEnd& end, const Json& message) {
    PLIMSOLL_ASSIGN(kind, words(message, "kind", answer_place));
    PLIMSOLL_ASSIGN(where, words(message, "where", answer_place));
    PLIMSOLL_ASSIGN(text, words(message, "message", answer_place));
    for (const auto& [value, name] : kind_names) {
        if (kind != name) continue;
        end.outcome = Error{value, where, text};
        return {};
    }
    return bad_input(answer_place, fmt::format("'{}' is no kind of error", printable(kind)));
}

// Success is a finished or stopped run, or a run's own error; failure is a message that says none of them.
Status take_outcome(RunEnd& end, const Json& message) {
    PLIMSOLL_ASSIGN(outcome, words(message, "outcome", answer_place));
    if (outcome == "error") {
        PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(
            message, {"event", "stack", "number", "run", "outcome", "kind", "where", "message"},
            answer_place));
        return take_error(end, message);
    }
    PLIMSOLL_RETURN_IF_ERROR(
        refuse_unknown_keys(message, {"event", "stack", "number", "run", "outcome"}, answer_place));
    if (outcome != "done" && outcome != "stopped")
        return bad_input(answer_place, fmt::format("'{}' is no outcome", printable(outcome)));
    end.outcome = outcome == "done" ? RunOutcome::done : RunOutcome::stopped;
    return {};
}

Result<WorkerAnswer> run_end_in(const Json& message) {
    RunEnd end;
    PLIMSOLL_ASSIGN(stack, whole_number(message, "stack", answer_place));
    PLIMSOLL_ASSIGN(number, whole_number(message, "number", answer_place));
    PLIMSOLL_ASSIGN(run, words(message, "run", answer_place));
    end.stack = stack;
    end.number = number;
    end.run = run;
    PLIMSOLL_RETURN_IF_ERROR(take_outcome(end, message));
    return WorkerAnswer(end);
}

Result<WorkerAnswer> halved_in(const Json& message) {
    PLIMSOLL_RETURN_IF_ERROR(
        refuse_unknown_keys(message, {"event", "stack", "runs", "reason"}, answer_place));
    PLIMSOLL_ASSIGN(stack, whole_number(message, "stack", answer_place));
    PLIMSOLL_ASSIGN(runs, whole_number(message, "runs", answer_place));
    PLIMSOLL_ASSIGN(reason, words(message, "reason", answer_place));
    return WorkerAnswer(StackHalved{stack, runs, reason});
}

Result<WorkerAnswer> finished_in(const Json& message) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(message, {"event", "stack"}, answer_place));
    PLIMSOLL_ASSIGN(stack, whole_number(message, "stack", answer_place));
    return WorkerAnswer(StackFinished{stack});
}

Result<WorkerAnswer> refused_in(const Json& message) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_keys(message, {"event", "reason"}, answer_place));
    PLIMSOLL_ASSIGN(reason, words(message, "reason", answer_place));
    return WorkerAnswer(LineRefused{reason});
}

Result<std::vector<fs::path>> configs_in(const Json& message) {
    const auto found = message.find("configs");
    if (found == message.end() || !found->is_array() || found->empty() ||
        found->size() > most_runs_of_an_order)
        return bad_input(order_place,
                         fmt::format("'configs' must be a list of 1 to {} paths", most_runs_of_an_order));
    std::vector<fs::path> configs;
    for (const Json& config : *found) {
        if (!config.is_string() || config.get_ref<const std::string&>().empty())
            return bad_input(order_place, "'configs' must be paths");
        configs.emplace_back(config.get<std::string>());
    }
    return configs;
}

// Steps in ascending order; nothing for what is none.
std::optional<std::vector<std::int64_t>> steps_in(const Json& list) {
    std::vector<std::int64_t> steps;
    if (!list.is_array()) return std::nullopt;
    for (const Json& step : list) {
        const std::int64_t least = steps.empty() ? 1 : steps.back() + 1;
        if (!step.is_number_integer() || step < least || step > run::most_steps) return std::nullopt;
        steps.push_back(step.get<std::int64_t>());
    }
    return steps;
}

Result<std::vector<std::vector<std::int64_t>>> keep_in(const Json& message, std::size_t configs) {
    std::vector<std::vector<std::int64_t>> keep;
    const auto found = message.find("keep");
    if (found == message.end()) return keep;
    const Error wrong = bad_input(order_place, "'keep' must have a list of ascending steps for each config");
    if (!found->is_array() || found->size() != configs) return wrong;
    for (const Json& list : *found) {
        const auto steps = steps_in(list);
        if (!steps) return wrong;
        keep.push_back(*steps);
    }
    return keep;
}

}  // namespace

Result<std::string> encode(const StackOrder& order) {
    if (order.configs.empty() || order.configs.size() > most_runs_of_an_order)
        return bad_input(order_place,
                         fmt::format("1 to {} configs, got {}", most_runs_of_an_order, order.configs.size()));
    PLIMSOLL_RETURN_IF_ERROR(check_path(order.runs));
    Json configs = Json::array();
    for (const auto& config : order.configs) {
        PLIMSOLL_RETURN_IF_ERROR(check_path(config));
        configs.push_back(config.string());
    }
    Json message{{"train", order.stack},
                 {"runs", order.runs.string()},
                 {"retry_failed", order.retry_failed},
                 {"configs", std::move(configs)}};
    if (!order.keep.empty()) message["keep"] = order.keep;
    std::string line = line_of(message);
    if (line.size() > longest_worker_line) return bad_input(order_place, "the paths are too long");
    return line;
}

std::string encode(const WorkerAnswer& answer) {
    return line_of(std::visit([](const auto& one) { return message_of(one); }, answer));
}

Result<StackOrder> decode_order(std::string_view line) {
    PLIMSOLL_ASSIGN(message, object_in(line, order_place));
    PLIMSOLL_RETURN_IF_ERROR(
        refuse_unknown_keys(message, {"train", "runs", "retry_failed", "configs", "keep"}, order_place));
    PLIMSOLL_ASSIGN(stack, whole_number(message, "train", order_place));
    PLIMSOLL_ASSIGN(runs, words(message, "runs", order_place));
    if (!message.contains("retry_failed") || !message.at("retry_failed").is_boolean())
        return bad_input(order_place, "'retry_failed' must be true or false");
    PLIMSOLL_ASSIGN(configs, configs_in(message));
    PLIMSOLL_ASSIGN(keep, keep_in(message, configs.size()));
    return StackOrder{stack, runs, std::move(configs), message.at("retry_failed").get<bool>(),
                      std::move(keep)};
}

Result<WorkerAnswer> decode_answer(std::string_view line) {
    PLIMSOLL_ASSIGN(message, object_in(line, answer_place));
    if (message.contains("plimsoll-worker")) return hello_in(message);
    PLIMSOLL_ASSIGN(event, words(message, "event", answer_place));
    if (event == "run") return run_end_in(message);
    if (event == "halved") return halved_in(message);
    if (event == "finished") return finished_in(message);
    if (event == "refused") return refused_in(message);
    return bad_input(answer_place, fmt::format("'{}' is no event", printable(event)));
}

void WorkerLines::add(std::string_view text) { text_ += text; }

std::optional<Result<std::string>> WorkerLines::next() {
    const auto end = text_.find('\n');
    if (end == std::string::npos && text_.size() <= longest_worker_line) return std::nullopt;
    const bool too_long = end == std::string::npos || end > longest_worker_line;
    std::string line = text_.substr(0, end);
    text_.erase(0, end == std::string::npos ? end : end + 1);
    const bool rest = std::exchange(passing_over_, end == std::string::npos);
    if (rest) return next();
    if (too_long)
        return Result<std::string>(
            bad_input("line", fmt::format("longer than {} bytes", longest_worker_line)));
    return Result<std::string>(std::move(line));
}

}  // namespace plimsoll::lab
