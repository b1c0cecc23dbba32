#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plimsoll/base/result.h"

// What lab and a resident worker say to each other: a JSON object a line. docs/WORKER.md has the messages,
// their order and what each end does when the other vanishes.
namespace plimsoll::lab {

constexpr std::int64_t worker_protocol = 1;
constexpr std::size_t longest_worker_line = 1 << 20;
constexpr std::size_t most_runs_of_an_order = 1024;

// To the worker: train these configs as one stack.
struct StackOrder {
    std::int64_t stack = 0;  // any number; the answers name it
    std::filesystem::path runs;
    std::vector<std::filesystem::path> configs;
    bool retry_failed = false;  // train again what its files say has failed; else it only keeps its slot
    // For trunks: of each config the steps whose checkpoints stay, in ascending order; it stops with the
    // last.
    std::vector<std::vector<std::int64_t>> keep = {};

    bool operator==(const StackOrder&) const = default;
};

// The worker's first line.
struct WorkerHello {
    std::int64_t version = worker_protocol;
    std::string device;
    std::int64_t process = 0;
};

enum class RunOutcome { done, stopped };

// How one run of a stack ended.
struct RunEnd {
    std::int64_t stack = 0;
    std::int64_t number = 0;  // of its config in the order, from 0
    std::string run;          // its id; empty when the config could not be read
    Result<RunOutcome> outcome = RunOutcome::done;
};

// Memory did not suffice for `runs` runs at once; they go on as two stacks, one after the other.
struct StackHalved {
    std::int64_t stack = 0;
    std::int64_t runs = 0;
    std::string reason;
};

// Every run of the stack has ended; the worker takes the next order.
struct StackFinished {
    std::int64_t stack = 0;
};

// A line that was no order; nothing is done about it.
struct LineRefused {
    std::string reason;
};

using WorkerAnswer = std::variant<WorkerHello, RunEnd, StackHalved, StackFinished, LineRefused>;

// The line of an order without its line end; `bad_input` for a path that is not UTF-8, no config or too many.
Result<std::string> encode(const StackOrder& order);
// The line of an answer without its line end; stray bytes in its texts are replaced.
std::string encode(const WorkerAnswer& answer);

// Reads such a line; whatever else it is, it is `bad_input`.
Result<StackOrder> decode_order(std::string_view line);
Result<WorkerAnswer> decode_answer(std::string_view line);

// Whole lines from text that comes in pieces.
class WorkerLines {
  public:
    void add(std::string_view text);
    // The next whole line; nothing before there is one. One that is longer than longest_worker_line is an
    // error, and passed over.
    std::optional<Result<std::string>> next();

  private:
    std::string text_;
    bool passing_over_ = false;  // the rest of a line that was too long
};

}  // namespace plimsoll::lab
