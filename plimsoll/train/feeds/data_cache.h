#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "plimsoll/train/feeds/feed_data.h"

namespace plimsoll::train {

// Data sets on devices by a key that names their content (data_key()); at most `most_bytes` bytes, the least
// recently used goes first. A set that is still in use stays with its users when it goes.
class DataCache {
  public:
    explicit DataCache(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

    // The data of that key, made by `make` when it is not here. What is larger than the cache is not kept.
    Result<std::shared_ptr<const FeedData>> find(const std::string& key,
                                                 const std::function<FeedDataResult()>& make);

    [[nodiscard]] std::uint64_t bytes() const;
    // How often data was found here, and how often it was made.
    [[nodiscard]] std::int64_t found() const { return found_; }
    [[nodiscard]] std::int64_t made() const { return made_; }

  private:
    struct Entry {
        std::string key;
        std::shared_ptr<const FeedData> data;
    };
    void make_room(std::uint64_t bytes);

    std::uint64_t most_bytes_;
    std::list<Entry> entries_;  // the most recently used first
    std::int64_t found_ = 0, made_ = 0;
};

// A text that is the same for two runs exactly when they read the same data in the same way on one device:
// the settings that matter, and of every file device, inode, size and time of the last change.
Result<std::string> data_key(const run::RunConfig& config, torch::Device device);

}  // namespace plimsoll::train
