#include "plimsoll/data/readers/loaded_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/readers/byte_stream.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> packed_endings{".xz", ".gz", ".zst"};

// What the threads of one load share: the memory that is left and the progress.
class Ledger {
  public:
    Ledger(const LoadOptions& options, std::uint64_t total) : options_(options), total_(total) {}

    Status take_memory(std::uint64_t bytes, const std::string& name) {
        if ((unpacked_ += bytes) <= options_.most_bytes) return {};
        return bad_input(name, fmt::format("holds more than the {} that are allowed here",
                                           human_bytes(static_cast<double>(options_.most_bytes))));
    }
    void report(std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        done_ += bytes;
        if (options_.progress) options_.progress(done_, total_);
    }

  private:
    const LoadOptions& options_;
    std::uint64_t total_, done_ = 0;
    std::atomic<std::uint64_t> unpacked_ = 0;
    std::mutex mutex_;
};

Result<LoadedFile> map_file(const fs::path& path, Ledger& ledger) {
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(path));
    const auto kept = std::make_shared<const MappedFile>(std::move(mapped));
    const auto bytes = kept->bytes();
    ledger.report(bytes.size());
    const std::span content(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return LoadedFile{path.string(), {content, kept}, true};
}

// Bytes that grow without being copied or filled: realloc moves the pages of a large block.
class Buffer {
  public:
    void resize(std::size_t size) {
        void* grown = std::realloc(data_.get(), std::max<std::size_t>(size, 1));
        if (grown == nullptr) throw std::bad_alloc();
        (void)data_.release();
        data_.reset(static_cast<std::uint8_t*>(grown));
        size_ = size;
    }
    [[nodiscard]] std::span<std::uint8_t> bytes() const { return {data_.get(), size_}; }
    [[nodiscard]] std::shared_ptr<const void> keep() { return std::move(data_); }

  private:
    struct Free {
        void operator()(std::uint8_t* data) const { std::free(data); }
    };
    std::unique_ptr<std::uint8_t, Free> data_;
    std::size_t size_ = 0;
};

Result<LoadedFile> unpack(ByteStream stream, const fs::path& path, Ledger& ledger) {
    constexpr std::size_t first_step = std::size_t{1} << 22;
    Buffer content;
    for (std::size_t filled = 0;;) {
        const std::size_t step = std::max(first_step, filled / 2);
        PLIMSOLL_RETURN_IF_ERROR(ledger.take_memory(step, path.string()));
        content.resize(filled + step);
        const std::uint64_t before = stream.bytes_taken();
        PLIMSOLL_ASSIGN(count, stream.read(std::as_writable_bytes(content.bytes().subspan(filled))));
        ledger.report(stream.bytes_taken() - before);
        filled += count;
        if (filled < content.bytes().size()) {
            content.resize(filled);
            const auto bytes = content.bytes();
            return LoadedFile{path.string(), {bytes, content.keep()}};
        }
    }
}

Result<LoadedFile> load_one(const fs::path& path, Ledger& ledger) try {
    PLIMSOLL_ASSIGN(stream, ByteStream::open(path));
    if (stream.compression() == Compression::none) return map_file(path, ledger);
    return unpack(std::move(stream), path, ledger);
} catch (const std::bad_alloc&) {
    return io_error(path.string(), "this machine has not enough memory for its content");
}

std::uint64_t size_on_disk(const std::vector<fs::path>& paths) {
    std::uint64_t total = 0;
    std::error_code ignored;
    for (const auto& path : paths) {
        const auto size = fs::file_size(path, ignored);
        if (!ignored) total += size;
    }
    return total;
}

}  // namespace

Result<std::vector<LoadedFile>> load_files(const std::vector<fs::path>& paths, const LoadOptions& options) {
    Ledger ledger(options, size_on_disk(paths));
    std::vector<std::optional<Result<LoadedFile>>> loaded(paths.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < paths.size(); i = next++) loaded[i] = load_one(paths[i], ledger);
    };
    {
        const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(cores, paths.size()); ++i) helpers.emplace_back(work);
        work();
    }
    std::vector<LoadedFile> files;
    for (auto& file : loaded) {
        if (!file->ok()) return file->error();
        files.push_back(*std::move(*file));
    }
    return files;
}

Result<LoadedFile> load_file(const fs::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(files, load_files({path}, options));
    return std::move(files.front());
}

std::string unpacked_name(const fs::path& path) {
    const bool packed =
        std::find(packed_endings.begin(), packed_endings.end(), path.extension()) != packed_endings.end();
    return (packed ? path.stem() : path.filename()).string();
}

std::optional<fs::path> find_packed(const fs::path& folder, std::string_view name) {
    std::error_code ignored;
    if (const fs::path plain = folder / name; fs::exists(plain, ignored)) return plain;
    for (const auto ending : packed_endings) {
        const fs::path packed = folder / (std::string(name) + std::string(ending));
        if (fs::exists(packed, ignored)) return packed;
    }
    return std::nullopt;
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
    std::error_code problem;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path());
    }
    if (problem == std::errc::no_such_file_or_directory) return not_found(folder.string(), "no such folder");
    if (problem) return io_error(folder.string(), problem.message());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace plimsoll::data
