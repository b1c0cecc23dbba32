#include "plimsoll/base/files.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temp_dir.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TempDir;

std::string as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// The exit code of a child process that runs `body`.
template <class Body>
int in_another_process(Body body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Files, WhatIsWrittenIsReadBothWays) {
    const TempDir folder;
    const fs::path file = folder.path() / "f";
    for (const std::string& content : {std::string(), std::string("a\0b\n", 4), std::string(100'000, 'x')}) {
        ASSERT_TRUE(atomic_write(file, content).ok());
        EXPECT_EQ(*read_text(file), content);
        const auto mapped = MappedFile::open(file);
        ASSERT_TRUE(mapped.ok());
        EXPECT_EQ(as_text(mapped->bytes()), content);
    }
    EXPECT_EQ(entries(folder.path()), 1U) << "temporary files are left";
}

TEST(Files, AMissingFileIsNotFound) {
    const TempDir folder;
    EXPECT_EQ(read_text(folder.path() / "none").error().kind, ErrorKind::not_found);
    EXPECT_EQ(MappedFile::open(folder.path() / "none").error().kind, ErrorKind::not_found);
    EXPECT_EQ(atomic_write(folder.path() / "no" / "folder", "x").error().kind, ErrorKind::io);
}

TEST(Files, FifosFoldersAndDevicesAreRefusedAtOnce) {
    const TempDir folder;
    const fs::path fifo = folder.path() / "fifo";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    for (const fs::path& path : {fifo, folder.path(), fs::path("/dev/zero")}) {
        const auto text = read_text(path);
        ASSERT_FALSE(text.ok()) << path;
        EXPECT_THAT(text.error().text(), HasSubstr("is not a regular file"));
        EXPECT_FALSE(MappedFile::open(path).ok()) << path;
    }
}

TEST(Files, AFailedWriteLeavesTheOldContentAndNothingElse) {
    const TempDir folder;
    const fs::path target = folder.path() / "target";
    fs::create_directory(target);  // a folder cannot be replaced by a file, so the rename fails
    std::ofstream(target / "old") << "old";
    EXPECT_FALSE(atomic_write(target, "new").ok());
    EXPECT_EQ(*read_text(target / "old"), "old");
    EXPECT_EQ(entries(folder.path()), 1U) << "temporary files are left";
}

TEST(Files, AFullDiskLeavesTheOldContent) {
    const TempDir folder;
    const fs::path file = folder.path() / "f";
    ASSERT_TRUE(atomic_write(file, "old").ok());
    // A file-size limit stands in for the full disk; the signal that comes with it is turned off.
    const int code = in_another_process([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{10, 10};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        return atomic_write(file, std::string(1000, 'n')).ok() ? 1 : 0;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(*read_text(file), "old");
    EXPECT_EQ(entries(folder.path()), 1U) << "temporary files are left";
}

TEST(Files, AMappedFileMoves) {
    const TempDir folder;
    ASSERT_TRUE(atomic_write(folder.path() / "a", "first").ok());
    ASSERT_TRUE(atomic_write(folder.path() / "b", "second").ok());
    MappedFile a = MappedFile::open(folder.path() / "a").value();
    a = MappedFile::open(folder.path() / "b").value();
    EXPECT_EQ(as_text(a.bytes()), "second");
}

TEST(AtomicFile, AppearsWholeOrNotAtAll) {
    const TempDir folder;
    const fs::path path = folder.path() / "x.bin";
    {
        auto dropped = AtomicFile::create(path).value();
        ASSERT_TRUE(dropped.write("half").ok());
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
    auto file = AtomicFile::create(path).value();
    ASSERT_TRUE(file.write("who").ok());
    ASSERT_TRUE(file.write("le").ok());
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file.commit().ok());
    EXPECT_EQ(*read_text(path), "whole");
    EXPECT_EQ(AtomicFile::create(folder.path() / "no" / "x").error().kind, ErrorKind::io);
}

TEST(FileLock, KeepsASecondProcessOutUntilItIsLetGo) {
    const TempDir folder;
    const fs::path file = folder.path() / "lock";
    const auto try_elsewhere = [&] {
        return in_another_process([&] {
            const auto lock = FileLock::try_now(file);
            return lock.ok() ? 0 : static_cast<int>(lock.error().kind);
        });
    };
    {
        const auto held = FileLock::wait(file);
        ASSERT_TRUE(held.ok());
        EXPECT_EQ(try_elsewhere(), static_cast<int>(ErrorKind::unsupported));
    }
    EXPECT_EQ(try_elsewhere(), 0);
}

}  // namespace
}  // namespace plimsoll
