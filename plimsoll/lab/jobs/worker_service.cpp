#include "plimsoll/lab/jobs/worker_service.h"

#include <array>
#include <cerrno>
#include <numeric>
#include <optional>

#include <poll.h>
#include <unistd.h>

#include "plimsoll/base/exit_codes.h"

namespace plimsoll::lab {
namespace {

constexpr int between_signals_ms = 100;

bool lacks_memory(const Result<RunOutcome>& end) {
    return !end.ok() && end.error().kind == ErrorKind::io && end.error().message.starts_with(out_of_memory);
}

// One order and how its runs end.
class OrderInHand {
  public:
    OrderInHand(const StackOrder& order, const WorkerService& service,
                std::function<void(const WorkerAnswer&)> answer)
        : order_(order), service_(service), answer_(std::move(answer)) {}

    void go() {
        read_configs();
        std::vector<std::size_t> readable;
        for (std::size_t i = 0; i < configs_.size(); ++i)
            if (configs_[i].ok()) readable.push_back(i);
        train(readable);
        for (std::size_t i = 0; i < configs_.size(); ++i) answer_(end_of(i));
        answer_(StackFinished{order_.stack});
    }

  private:
    void read_configs() {
        for (const auto& path : order_.configs) {
            configs_.push_back(run::read_run_config(path));
            const auto& config = configs_.back();
            ends_.push_back(config.ok() ? Result<RunOutcome>(RunOutcome::stopped) : config.error());
        }
    }

    // These runs as one stack, and as two when memory does not suffice.
    void train(const std::vector<std::size_t>& numbers) {
        if (numbers.empty() || service_.told_to_stop()) return;  // they stay stopped
        std::vector<run::RunConfig> configs;
        for (const std::size_t number : numbers) configs.push_back(*configs_[number]);
        const auto ends = service_.train(part_of_order(numbers), configs);
        PLIMSOLL_CHECK(ends.size() == numbers.size(), "a stack must say how each of its runs ended");
        std::vector<std::size_t> again;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            ends_[numbers[i]] = ends[i];
            if (lacks_memory(ends[i])) again.push_back(numbers[i]);
        }
        if (numbers.size() > 1 && !again.empty()) halve(again, std::ssize(numbers));
    }

    [[nodiscard]] StackOrder part_of_order(const std::vector<std::size_t>& numbers) const {
        StackOrder part{order_.stack, order_.runs, {}, order_.retry_failed};
        for (const std::size_t number : numbers) {
            part.configs.push_back(order_.configs[number]);
            if (!order_.keep.empty()) part.keep.push_back(order_.keep[number]);
        }
        return part;
    }

    void halve(const std::vector<std::size_t>& numbers, std::int64_t runs) {
        answer_(StackHalved{order_.stack, runs, ends_[numbers.front()].error().text()});
        for (const std::size_t number : numbers) ends_[number] = RunOutcome::stopped;
        const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>((numbers.size() + 1) / 2);
        train({numbers.begin(), middle});
        train({middle, numbers.end()});
    }

    [[nodiscard]] RunEnd end_of(std::size_t number) const {
        const auto& config = configs_[number];
        return {order_.stack, static_cast<std::int64_t>(number), config.ok() ? run::run_hash(*config) : "",
                ends_[number]};
    }

    const StackOrder& order_;
    const WorkerService& service_;
    std::function<void(const WorkerAnswer&)> answer_;
    std::vector<Result<run::RunConfig>> configs_;
    std::vector<Result<RunOutcome>> ends_;
};

class Server {
  public:
    Server(int in, int out, const WorkerService& service) : in_(in), out_(out), service_(service) {}

    int go() {
        answer(WorkerHello{worker_protocol, service_.device, ::getpid()});
        while (true) {
            while (const auto line = service_.told_to_stop() ? std::nullopt : lines_.next()) take(*line);
            if (service_.told_to_stop()) return exit_stopped;
            // Lab may hang up on the signal that it also sends here: that end was asked for, too.
            if (!read_more()) return service_.told_to_stop() ? exit_stopped : 0;
        }
    }

  private:
    void take(const Result<std::string>& line) {
        const auto order = line.ok() ? decode_order(*line) : Result<StackOrder>(line.error());
        if (!order.ok()) return answer(LineRefused{order.error().text()});
        OrderInHand(*order, service_, [this](const WorkerAnswer& what) { answer(what); }).go();
    }

    // Whether more may come; waits for it, but not long, as a signal may come first.
    bool read_more() {
        pollfd waiting{in_, POLLIN, 0};
        if (::poll(&waiting, 1, between_signals_ms) <= 0) return true;
        std::array<char, 4096> part{};
        const auto got = ::read(in_, part.data(), part.size());
        if (got > 0) lines_.add({part.data(), static_cast<std::size_t>(got)});
        return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
    }

    // Nobody is left to tell when this fails.
    void answer(const WorkerAnswer& what) const {
        const std::string line = encode(what) + "\n";
        for (std::size_t sent = 0; sent < line.size();) {
            const auto now = ::write(out_, line.data() + sent, line.size() - sent);
            if (now < 0 && errno != EINTR) return;
            if (now > 0) sent += static_cast<std::size_t>(now);
        }
    }

    int in_, out_;
    const WorkerService& service_;
    WorkerLines lines_;
};

}  // namespace

int serve(int in, int out, const WorkerService& service) { return Server(in, out, service).go(); }

}  // namespace plimsoll::lab
