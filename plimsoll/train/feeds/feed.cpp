#include "plimsoll/train/feeds/feed.h"

#include <numeric>

#include <ATen/ATen.h>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"

namespace plimsoll::train {
namespace {

constexpr std::int64_t changes_an_example = 3;

}  // namespace

Feed::Feed(FeedPlan plan) : plan_(plan) {
    const auto options = at::TensorOptions().dtype(at::kLong).device(plan.device);
    chosen_ = at::zeros({plan.capacity, runs(), plan.batch}, options);
    changes_ = at::zeros({plan.capacity, runs(), plan.batch, changes_an_example}, options);
}

void Feed::choose(std::int64_t first, std::int64_t count) {
    PLIMSOLL_CHECK(count <= plan_.capacity, "more steps than the feed has room for");
    for (std::int64_t run = 0; run < runs(); ++run) choose_for(run, first, count);
}

void Feed::choose_for(std::int64_t run, std::int64_t first, std::int64_t count) {
    const auto number = static_cast<std::size_t>(run);
    const torch::Tensor chosen = at::empty({count, plan_.batch}, at::kLong);
    const torch::Tensor changes = at::zeros({count, plan_.batch, changes_an_example}, at::kLong);
    auto* choice = chosen.data_ptr<std::int64_t>();
    auto* change = changes.data_ptr<std::int64_t>();
    RandomStream stream(plan_.seeds[number], "data/changes");
    stream.seek(static_cast<std::uint64_t>((first - 1) * plan_.batch * changes_an_example));
    const auto shift = [&] {
        return static_cast<std::int64_t>(stream.uniform() * static_cast<double>(2 * plan_.crop + 1)) -
               plan_.crop;
    };
    for (std::int64_t i = 0; i < count * plan_.batch; ++i) {
        choice[i] = example(number, (first - 1) * plan_.batch + i);
        change[changes_an_example * i] = shift();
        change[changes_an_example * i + 1] = shift();
        change[changes_an_example * i + 2] = stream.uniform() < 0.5 && plan_.flip;
    }
    chosen_.select(1, run).narrow(0, 0, count).copy_(chosen);
    changes_.select(1, run).narrow(0, 0, count).copy_(changes);
}

Batch Feed::at(const torch::Tensor& index, std::int64_t part, std::int64_t parts) const {
    const std::int64_t size = plan_.batch / parts;
    const auto examples = chosen_.index_select(0, index).squeeze(0).narrow(1, part * size, size);
    const auto changes = changes_.index_select(0, index).squeeze(0).narrow(1, part * size, size);
    return gather(examples.flatten(), changes.flatten(0, 1));
}

std::int64_t EpochOrder::at(std::int64_t number) {
    const std::int64_t epoch = number / count_;
    if (epoch != epoch_) {
        order_.resize(static_cast<std::size_t>(count_));
        std::iota(order_.begin(), order_.end(), std::int64_t{0});
        RandomStream stream(seed_, fmt::format("data/order/{}", epoch));
        for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[stream.below(i)]);
        epoch_ = epoch;
    }
    return order_[static_cast<std::size_t>(number % count_)];
}

}  // namespace plimsoll::train
