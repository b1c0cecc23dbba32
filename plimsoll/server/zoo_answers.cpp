#include "plimsoll/server/zoo_answers.h"

#include <utility>

#include "plimsoll/server/http/message.h"

namespace plimsoll::server {

ZooAnswers::ZooAnswers() : thread_([this] { judge(); }) {}

ZooAnswers::~ZooAnswers() {
    stop_ = true;
    thread_.join();
}

void ZooAnswers::when_ready(std::function<void()> tell) {
    {
        const std::lock_guard guard(mutex_);
        if (!ready_) return waiting_.push_back(std::move(tell));
    }
    tell();
}

void ZooAnswers::judge() {
    zoo_ = judge_zoo(stop_);
    if (stop_) return;
    map_ = on_one_line(map_json(zoo_));
    std::vector<std::function<void()>> waiting;
    {
        const std::lock_guard guard(mutex_);
        ready_ = true;
        waiting.swap(waiting_);
    }
    for (const auto& tell : waiting) tell();
}

}  // namespace plimsoll::server
