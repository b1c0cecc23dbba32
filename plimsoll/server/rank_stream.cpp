#include "plimsoll/server/rank_stream.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"

namespace plimsoll::server {
namespace {

constexpr std::size_t first_size = 8, last_size = 8192;

// A step more is an eighth of the matrix, so that the curve has a point for each and the last step costs
// most.
std::size_t next_size(std::size_t size) {
    const auto power = std::size_t{1} << (std::bit_width(size) - 1);
    return size + std::max<std::size_t>(8, power / 4);
}

std::string line_of(const Json& json) {
    std::string line = on_one_line(json);
    line.pop_back();  // the line end, which would end the event's data
    return line;
}

Json problem_json(const Error& error) { return {{"where", error.where}, {"message", error.message}}; }

// Lives as long as somebody works for it.
class Growth : public std::enable_shared_from_this<Growth> {
  public:
    Growth(Computations& computations, std::shared_ptr<Exchange> exchange, std::vector<std::string> words)
        : computations_(computations), exchange_(std::move(exchange)), words_(std::move(words)) {}

    void begin() {
        exchange_->begin_events();
        exchange_->when_gone([self = shared_from_this()] { self->leave(); });
        measure_step();
    }

  private:
    void leave() {
        const std::lock_guard guard(mutex_);
        gone_ = true;
        ticket_.cancel();
    }

    void compute(std::vector<std::string> words, void (Growth::*then)(const Json&)) {
        words.emplace_back("--json");
        const auto done = [self = shared_from_this(), then](const ComputationEnd& end) {
            if (!end.output.ok()) return self->fail(end.output.error());
            const auto json = parse_json(*end.output, "rank");
            if (!json.ok()) return self->fail(json.error());
            (*self.*then)(*json);
        };
        const std::lock_guard guard(mutex_);
        if (gone_) return;
        const auto ticket = computations_.start({std::move(words), exchange_->request().client, {}}, done);
        if (!ticket.ok()) return fail(ticket.error());
        ticket_ = *ticket;
    }

    void measure_step() {
        auto words = words_;
        std::erase_if(words, [](const auto& word) {
            return word.starts_with("--construction") || word.starts_with("--max-size");
        });
        words.emplace_back("--construction=gram");
        words.push_back(fmt::format("--max-size={}", size_));
        compute(std::move(words), &Growth::take_step);
    }

    void take_step(const Json& report) {
        const auto rank = report.value("rank", std::size_t{0});
        const Json step{{"size", size_}, {"rank", rank}, {"seconds", report.value("seconds", 0.0)}};
        exchange_->send_event("size", line_of(step));
        settled_ = rank < size_ ? settled_ + 1 : 0;
        size_ = next_size(size_);
        if (settled_ >= 3 || size_ > last_size) return compute(words_, &Growth::take_report);
        measure_step();
    }

    void take_report(const Json& report) {
        exchange_->send_event("report", line_of(report));
        exchange_->end_events();
    }

    void fail(const Error& error) {
        exchange_->send_event("problem", line_of(problem_json(error)));
        exchange_->end_events();
    }

    Computations& computations_;
    std::shared_ptr<Exchange> exchange_;
    std::vector<std::string> words_;
    std::mutex mutex_;
    Computations::Ticket ticket_;
    bool gone_ = false;
    std::size_t size_ = first_size, settled_ = 0;
};

}  // namespace

void RankStream::start(Computations& computations, const std::shared_ptr<Exchange>& exchange,
                       const std::vector<std::string>& words) {
    std::make_shared<Growth>(computations, exchange, words)->begin();
}

}  // namespace plimsoll::server
