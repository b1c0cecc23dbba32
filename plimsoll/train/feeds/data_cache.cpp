#include "plimsoll/train/feeds/data_cache.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <sys/stat.h>

#include "plimsoll/base/format.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/train/feeds/set_feeds.h"

namespace plimsoll::train {
namespace {

namespace fs = std::filesystem;

// "device:inode:size:nanoseconds" of one file, whatever its name.
Result<std::string> identity_of(const fs::path& file) {
    struct stat facts{};
    if (::stat(file.c_str(), &facts) != 0) return not_found(file.string(), "cannot be looked at");
    return fmt::format("{}:{}:{}:{}.{:09}\n", facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
                       facts.st_mtim.tv_nsec);
}

// Of a file, or of all files below a folder with their paths.
Result<std::string> identities_of(const fs::path& path) {
    std::error_code problem;
    if (!fs::is_directory(path, problem)) return identity_of(path);
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path, problem)) {
        if (entry.is_regular_file(problem)) files.push_back(entry.path());
    }
    if (problem) return io_error(path.string(), problem.message());
    std::ranges::sort(files);
    std::string all;
    for (const auto& file : files) {
        PLIMSOLL_ASSIGN(one, identity_of(file));
        all += file.lexically_relative(path).string() + " " + one;
    }
    return all;
}

}  // namespace

Result<std::shared_ptr<const FeedData>> DataCache::find(const std::string& key,
                                                        const std::function<FeedDataResult()>& make) {
    const auto entry = std::ranges::find(entries_, key, &Entry::key);
    if (entry != entries_.end()) {
        ++found_;
        entries_.splice(entries_.begin(), entries_, entry);
        return entries_.front().data;
    }
    PLIMSOLL_ASSIGN(made, make());
    ++made_;
    auto data = std::make_shared<const FeedData>(std::move(made));
    if (data->size_in_bytes() > most_bytes_) return std::shared_ptr<const FeedData>(std::move(data));
    make_room(data->size_in_bytes());
    entries_.push_front({key, data});
    return std::shared_ptr<const FeedData>(std::move(data));
}

void DataCache::make_room(std::uint64_t bytes) {
    while (!entries_.empty() && this->bytes() + bytes > most_bytes_) entries_.pop_back();
}

std::uint64_t DataCache::bytes() const {
    std::uint64_t bytes = 0;
    for (const Entry& entry : entries_) bytes += entry.data->size_in_bytes();
    return bytes;
}

Result<std::string> data_key(const run::RunConfig& config, torch::Device device) {
    const run::DataSettings& data = config.data;
    std::string key = fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", device.str(), data.kind, data.tokenizer, data.examples,
        data.validation, data.validation_fraction, static_cast<int>(data.normalize),
        run::input_kind(config.model.spec) == run::InputKind::tokens ? run::context_length(config) : 0);
    key += fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", data.split_seed, data.field, data.columns, data.label,
                       data.token_bits, data.resize);
    if (data.tokenizer != "bytes") {
        PLIMSOLL_ASSIGN(tokenizer, identities_of(data.tokenizer));
        key += tokenizer;
    }
    if (data::is_synthetic(data.name)) return key + data.name;
    PLIMSOLL_ASSIGN(found, find_set(data));
    PLIMSOLL_ASSIGN(files, identities_of(found.path));
    return key + fmt::format("{}\n{}", static_cast<int>(found.kind), files);
}

}  // namespace plimsoll::train
