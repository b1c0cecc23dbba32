#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/archives/file_set.h"
#include "plimsoll/data/archives/tar.h"
#include "plimsoll/data/archives/zip.h"
#include "tests/data/made_archives.h"
#include "tests/data/made_files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace plimsoll::testing;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

std::string text_of(const LoadedFile& file) { return {file.bytes.begin(), file.bytes.end()}; }

// Names and contents as the reader gives them back.
Members read_back(const LoadedFile& archive, const Result<std::vector<ArchiveMember>>& listed) {
    Members members;
    for (const auto& member : listed.value())
        members.emplace_back(member.name, text_of(read_member(archive.name, member).value()));
    return members;
}

std::string zip_error(const std::string& file, std::uint64_t most_bytes = plenty) {
    const LoadedFile archive = in_memory(file, "a.zip");
    const auto listed = list_zip(archive, most_bytes);
    if (!listed.ok()) return listed.error().text();
    for (const auto& member : *listed)
        if (const auto read = read_member(archive.name, member); !read.ok()) return read.error().text();
    return "";
}

std::string tar_error(const std::string& file) {
    const auto listed = list_tar(in_memory(file, "a.tar"));
    return listed.ok() ? "" : listed.error().text();
}

TEST(Archives, WhatWasPackedComesBack) {
    const Members members{{"a.txt", "one\ntwo\n"},
                          {"b/c.bin", noise(5000)},
                          {"b/empty", ""},
                          {std::string(150, 'n') + "/long", std::string(2000, 'x')}};
    const LoadedFile tar = in_memory(tar_file(members));
    EXPECT_EQ(read_back(tar, list_tar(tar)), members);
    for (const bool deflate : {false, true}) {
        const LoadedFile zip = in_memory(zip_file(members, deflate));
        EXPECT_EQ(read_back(zip, list_zip(zip, plenty)), members) << deflate;
    }
}

TEST(Archives, PathsThatLeadOutAreRefused) {
    for (const char* name : {"../up", "a/../../up", "/etc/passwd", ".."}) {
        EXPECT_THAT(tar_error(tar_file({{name, "x"}})), HasSubstr("leads out of the archive")) << name;
        EXPECT_THAT(zip_error(zip_file({{name, "x"}})), HasSubstr("leads out of the archive")) << name;
    }
    EXPECT_EQ(tar_error(tar_file({{"./inside", "x"}})), "");
}

// No size is believed that the bytes cannot give; many names for one stream are refused.
TEST(Zip, BombsAreRefusedBeforeAnythingIsUnpacked) {
    const std::string zeros(1 << 20, '\0');
    EXPECT_EQ(zip_error(zip_file({{"zeros", zeros}})), "");
    EXPECT_THAT(zip_error(zip_file({{"zeros", zeros}}), 1000), HasSubstr("holds more than the 1000 B"));
    std::string stated = zip_file({{"a", "abc"}});
    const auto entry = stated.find("PK\1\2");
    stated.replace(entry + 24, 4, little32(0x7fffffff));
    EXPECT_THAT(zip_error(stated), HasSubstr("more than its"));
    std::string shared = zip_file({{"a", "abcabc"}, {"b", "abcabc"}});
    const auto second = shared.find("PK\1\2", shared.find("PK\1\2") + 4);
    shared.replace(second + 42, 4, little32(0));
    EXPECT_THAT(zip_error(shared), HasSubstr("two members share the same bytes"));
}

TEST(Zip, DamageIsSaidWithItsMember) {
    std::string changed = zip_file({{"a", "some text that is stored"}}, false);
    changed[40] = static_cast<char>(changed[40] ^ 1);
    EXPECT_THAT(zip_error(changed), HasSubstr("a.zip/a: damaged: its checksum"));
    std::string encrypted = zip_file({{"a", "x"}});
    encrypted[encrypted.find("PK\1\2") + 8] = 1;
    EXPECT_THAT(zip_error(encrypted), HasSubstr("its member 'a' is encrypted"));
    std::string method = zip_file({{"a", "x"}});
    method[method.find("PK\1\2") + 10] = 14;
    EXPECT_THAT(zip_error(method), HasSubstr("packed by method 14"));
}

TEST(Archives, CutAndChangedFilesAreSentences) {
    const Members members{{"a.txt", noise(700)}, {"b/c", "text"}};
    const std::string zip = zip_file(members), tar = tar_file(members);
    for (std::size_t size = 0; size < zip.size(); size += 7)
        EXPECT_THAT(zip_error(zip.substr(0, size)), HasSubstr("a.zip")) << size;
    for (std::size_t at = 0; at < zip.size(); at += 3) {
        std::string changed = zip;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        (void)zip_error(changed);
    }
    for (std::size_t size = 520; size < 700; size += 13)
        EXPECT_THAT(tar_error(tar.substr(0, size)), HasSubstr("a.tar: byte 0: no sound tar archive")) << size;
    for (std::size_t at = 0; at < 512; at += 5) {
        if (at == 155) continue;  // a space behind the sum, which says nothing
        std::string changed = tar;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        EXPECT_THAT(tar_error(changed), HasSubstr("a.tar")) << at;
    }
}

TEST(Tar, SizesAreHeldAgainstTheFile) {
    EXPECT_THAT(tar_error(tar_header("a", 1'000'000) + std::string(512, 'x')),
                HasSubstr("states 1000000 bytes; 512 follow"));
    EXPECT_THAT(tar_error(tar_header("a", 0, 'S')), HasSubstr("a sparse file"));
}

TEST(FileSet, AFolderAndItsArchivesAreTheSame) {
    TempDir folder, packed;
    const Members members{{"a/1.txt", "one"}, {"a/2.txt", "two"}, {"b/3.txt", "three"}};
    for (const auto& [name, content] : members) write_file(folder.path(), name, content);
    write_file(folder.path(), ".hidden/x", "no");
    Members more = members;
    more.emplace_back(".hidden/x", "no");
    const auto contents = [](const FileSet& set) {
        Members all;
        for (std::size_t i = 0; i < set.size(); ++i)
            all.emplace_back(set.name(i), text_of(set.read(i).value()));
        return all;
    };
    EXPECT_EQ(contents(FileSet::open(folder.path(), {}).value()), members);
    for (const auto& [name, file] : Members{{"x.tar", tar_file(more)},
                                            {"x.tar.gz", gzipped(tar_file(more))},
                                            {"x.tar.xz", xzipped(tar_file(more))},
                                            {"x.tar.zst", zstded(tar_file(more))},
                                            {"x.zip", zip_file(more)}})
        EXPECT_EQ(contents(FileSet::open(write_file(packed.path(), name, file), {}).value()), members)
            << name;
}

}  // namespace
}  // namespace plimsoll::data
