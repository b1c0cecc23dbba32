#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "plimsoll/data/archives/archive_member.h"

namespace plimsoll::data {

// Whether a file is a tar or zip archive, by its first bytes (unpacked: .tar.gz too), or a folder holds
// nothing but files that are called so.
Result<bool> holds_archives(const std::filesystem::path& path);

// The files of a folder and of those below it, or of one archive, or of all archives of a folder that holds
// nothing else, each with its path; hidden ones are left out. A folder's are opened one at a time when they
// are asked for; an archive is mapped, or in memory when it is packed.
class FileSet {
  public:
    // By archive and path.
    static Result<FileSet> open(const std::filesystem::path& path, const LoadOptions& options);

    [[nodiscard]] std::size_t size() const { return files_.size(); }
    // Inside the folder or the archive: "train/cat/1.png".
    [[nodiscard]] const std::string& name(std::size_t index) const { return files_[index].name; }
    // The archive it is in, of several; 0 otherwise.
    [[nodiscard]] std::size_t archive_of(std::size_t index) const { return files_[index].archive; }
    [[nodiscard]] const std::vector<std::string>& archives() const { return archives_; }
    // The content; of a folder's file unpacked. An archive's file that is packed once more stays so.
    [[nodiscard]] Result<LoadedFile> read(std::size_t index) const;
    // Its first bytes, for sniff().
    [[nodiscard]] Result<std::vector<std::uint8_t>> first_bytes(std::size_t index) const;

  private:
    struct File {
        std::string name;
        std::size_t archive = 0;
        ArchiveMember member;
        std::filesystem::path path;  // of a folder's file
    };
    Status add_folder(const std::filesystem::path& folder);
    Status add_archive(const std::filesystem::path& path);

    LoadOptions options_;
    std::vector<std::string> archives_;
    std::vector<File> files_;
};

// The first bytes of a file, unpacked; at most as many as sniff() looks at, or `most`.
Result<std::vector<std::uint8_t>> first_bytes_of(const std::filesystem::path& file, std::size_t most);
Result<std::vector<std::uint8_t>> first_bytes_of(const std::filesystem::path& file);

}  // namespace plimsoll::data
