#include "plimsoll/data/archives/file_set.h"

#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/data/archives/tar.h"
#include "plimsoll/data/archives/zip.h"
#include "plimsoll/data/readers/byte_stream.h"
#include "plimsoll/data/sniff/content.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

bool is_archive_name(const fs::path& path) {
    const std::string name = unpacked_name(path);
    return name.ends_with(".tar") || name.ends_with(".tgz") || name.ends_with(".zip");
}

bool is_hidden(const fs::path& path) {
    return std::ranges::any_of(path, [](const auto& part) { return part.string().starts_with('.'); });
}

Result<std::vector<ArchiveMember>> list_members(const LoadedFile& archive, std::uint64_t most_bytes) {
    const auto bytes = archive.bytes.view();
    const Sniffed sniffed = sniff(bytes.first(std::min(bytes.size(), sniffed_bytes)));
    if (sniffed.content == Content::zip) return list_zip(archive, most_bytes);
    if (sniffed.content == Content::tar) return list_tar(archive);
    return bad_input(archive.name, fmt::format("is {}, not a tar or zip archive", what_it_is(sniffed)));
}

}  // namespace

Result<std::vector<std::uint8_t>> first_bytes_of(const fs::path& file, std::size_t most) {
    PLIMSOLL_ASSIGN(stream, ByteStream::open(file));
    std::vector<std::uint8_t> bytes(most);
    PLIMSOLL_ASSIGN(count, stream.read(std::as_writable_bytes(std::span(bytes))));
    bytes.resize(count);
    return bytes;
}

Result<std::vector<std::uint8_t>> first_bytes_of(const fs::path& file) {
    return first_bytes_of(file, sniffed_bytes);
}

Result<bool> holds_archives(const fs::path& path) {
    if (fs::is_directory(path)) {
        PLIMSOLL_ASSIGN(files, files_in(path));
        std::erase_if(files, [](const auto& file) { return is_hidden(file.filename()); });
        const auto folder = [](const auto& entry) { return entry.is_directory(); };
        std::error_code problem;
        return !files.empty() && std::ranges::all_of(files, is_archive_name) &&
               std::none_of(fs::directory_iterator(path, problem), fs::directory_iterator(), folder);
    }
    PLIMSOLL_ASSIGN(first, first_bytes_of(path));
    const Content content = sniff(first).content;
    return content == Content::zip || content == Content::tar;
}

Result<FileSet> FileSet::open(const fs::path& path, const LoadOptions& options) {
    FileSet set;
    set.options_ = options;
    PLIMSOLL_ASSIGN(archived, holds_archives(path));
    if (!fs::is_directory(path)) {
        PLIMSOLL_RETURN_IF_ERROR(set.add_archive(path));
    } else if (archived) {
        PLIMSOLL_ASSIGN(shards, files_in(path));
        std::erase_if(shards, [](const auto& file) { return is_hidden(file.filename()); });
        for (const auto& shard : shards) PLIMSOLL_RETURN_IF_ERROR(set.add_archive(shard));
    } else {
        PLIMSOLL_RETURN_IF_ERROR(set.add_folder(path));
    }
    std::ranges::sort(set.files_, {}, [](const File& file) { return std::pair(file.archive, file.name); });
    return set;
}

Status FileSet::add_folder(const fs::path& folder) {
    std::error_code problem;
    for (fs::recursive_directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        std::error_code ignored;
        if (entry->path().filename().string().starts_with('.')) {
            if (entry->is_directory(ignored)) entry.disable_recursion_pending();
        } else if (entry->is_regular_file(ignored)) {
            files_.push_back({entry->path().lexically_relative(folder).string(), 0, {}, entry->path()});
        }
    }
    if (problem == std::errc::no_such_file_or_directory) return not_found(folder.string(), "no such folder");
    return problem ? Status(io_error(folder.string(), problem.message())) : Status();
}

Status FileSet::add_archive(const fs::path& path) {
    PLIMSOLL_ASSIGN(archive, load_file(path, options_));
    PLIMSOLL_ASSIGN(members, list_members(archive, options_.most_bytes));
    for (auto& member : members)
        if (!is_hidden(member.name)) files_.push_back({member.name, archives_.size(), std::move(member), {}});
    archives_.push_back(archive.name);
    return {};
}

Result<LoadedFile> FileSet::read(std::size_t index) const {
    const File& file = files_[index];
    if (!file.path.empty()) return load_file(file.path, {options_.most_bytes, nullptr});
    return read_member(archives_[file.archive], file.member);
}

Result<std::vector<std::uint8_t>> FileSet::first_bytes(std::size_t index) const {
    const File& file = files_[index];
    if (!file.path.empty()) return first_bytes_of(file.path);
    PLIMSOLL_ASSIGN(whole, read(index));
    const auto bytes = whole.bytes.view();
    return std::vector<std::uint8_t>(
        bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), sniffed_bytes)));
}

}  // namespace plimsoll::data
