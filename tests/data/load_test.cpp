#include "plimsoll/data/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/catalogue.h"
#include "plimsoll/data/describe/describe.h"
#include "plimsoll/data/readers/image_file.h"
#include "tests/data/made_files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::HasSubstr;
using namespace plimsoll::testing;

Kind kind_of(const std::filesystem::path& path) {
    DataRequest request;
    request.target = path.string();
    return find_data(request).value().kind;
}

TEST(FindData, FilesAreKnownByNameAndFirstBytes) {
    TempDir folder;
    const auto kind = [&](const std::string& name, const std::string& content) {
        return kind_of(write_file(folder.path(), name, content));
    };
    EXPECT_EQ(kind("data_batch_3.bin.xz", xzipped("x")), Kind::cifar10);
    EXPECT_EQ(kind("train_X.bin", "x"), Kind::stl10);
    EXPECT_EQ(kind("train_32x32.mat", "x"), Kind::svhn);
    EXPECT_EQ(kind("other.gz", gzipped(svhn_file(1, true))), Kind::svhn);
    EXPECT_EQ(kind("digits", idx_file({1}, "a")), Kind::idx);
    EXPECT_EQ(kind("t.bin", "abcd"), Kind::tokens);
    EXPECT_EQ(kind("t.tsv", "a\tb"), Kind::table);
    EXPECT_EQ(kind("p.tsv", "premise\thypothesis\tlabel\n"), Kind::sentence_pairs);
    EXPECT_EQ(kind("t.jsonl.gz", gzipped("{\"premise\":\"p\",\"hypothesis\":\"h\",\"label\":1}")),
              Kind::sentence_pairs);
    EXPECT_EQ(kind("t.txt", "text"), Kind::text);
    EXPECT_EQ(kind("empty", ""), Kind::text);
}

TEST(FindData, FoldersAreKnownByTheirFiles) {
    TempDir ten, hundred, images, text;
    write_file(ten.path(), "test_batch.bin.gz", gzipped("x"));
    EXPECT_EQ(kind_of(ten.path()), Kind::cifar10);
    for (const char* name : {"train.bin", "test.bin", "fine_label_names.txt"})
        write_file(hundred.path(), name, "x");
    EXPECT_EQ(kind_of(hundred.path()), Kind::cifar100);
    const std::vector<std::uint8_t> pixel{1};
    write_file(images.path(), "a/1.png", encode_png(pixel, {1, 1, 1}).value());
    EXPECT_EQ(kind_of(images.path()), Kind::image_folder);
    write_file(text.path(), "a.txt", "x");
    EXPECT_EQ(kind_of(text.path()), Kind::text);
    DataRequest one;
    one.target = (images.path() / "a/1.png").string();
    EXPECT_THAT(find_data(one).error().text(), HasSubstr("is one image; give the folder above"));
}

TEST(Catalogue, ANameIsFoundInTheDataFolder) {
    TempDir folder;
    write_file(folder.path(), "cifar-10-batches-bin/test_batch.bin", cifar10_records(2));
    DataRequest request;
    request.target = "cifar10";
    request.data_folder = folder.path();
    const auto found = find_data(request).value();
    EXPECT_EQ(found.kind, Kind::cifar10);
    EXPECT_EQ(std::get<Images>(load_data(found, request).value()).splits[0].count(), 2U);
    request.kind = Kind::text;
    EXPECT_THAT(find_data(request).error().text(),
                HasSubstr("kind: cifar10 is cifar10; write ./cifar10 for a path"));
}

TEST(Catalogue, AbsentDataListsFilesSizesAndChecksums) {
    TempDir folder;
    for (const auto& entry : catalogue()) {
        if (!entry.system_folder.empty() && std::filesystem::exists(entry.system_folder)) continue;
        DataRequest request;
        request.target = entry.name;
        request.data_folder = folder.path();
        const auto found = find_data(request);
        ASSERT_FALSE(found.ok()) << entry.name;
        EXPECT_EQ(found.error().kind, ErrorKind::not_found);
        for (const auto& file : entry.files) {
            EXPECT_THAT(found.error().text(), HasSubstr(std::string(file.name)));
            EXPECT_THAT(found.error().text(), HasSubstr(std::to_string(file.bytes) + " bytes"));
            EXPECT_THAT(found.error().text(), HasSubstr(file.checksum.empty() ? "checksum not known to us"
                                                                              : std::string(file.checksum)));
        }
    }
}

// The sizes follow from the layouts: two ways to one number.
TEST(Catalogue, SizesAreThoseOfTheLayouts) {
    const auto size = [](const char* set, const char* file) {
        for (const auto& one : in_catalogue(set)->files)
            if (one.name == file) return one.bytes;
        return std::uint64_t{0};
    };
    EXPECT_EQ(size("cifar10", "test_batch.bin"), 10000U * 3073);
    EXPECT_EQ(size("cifar100", "train.bin"), 50000U * 3074);
    EXPECT_EQ(size("cifar100", "test.bin"), 10000U * 3074);
    EXPECT_EQ(size("stl10", "train_X.bin"), 5000U * 27648);
    EXPECT_EQ(size("stl10", "test_X.bin"), 8000U * 27648);
    EXPECT_EQ(size("stl10", "unlabeled_X.bin"), 100000U * 27648);
    EXPECT_EQ(size("mnist", "train-images-idx3-ubyte"), 16U + 60000 * 784);
    EXPECT_EQ(size("mnist", "t10k-labels-idx1-ubyte"), 8U + 10000);
}

TEST(FindData, WhatIsNowhereIsSaidWithTheNamesThatExist) {
    DataRequest request;
    request.target = "cifar11";
    EXPECT_THAT(find_data(request).error().text(),
                HasSubstr("cifar11: no such file or folder, and no data set of that name (did you mean "
                          "cifar10 or cifar100?); $PLIMSOLL_DATA, where it could be, is not set"));
    request.data_folder = "elsewhere";
    EXPECT_THAT(find_data(request).error().text(), HasSubstr("no such file or folder here or in elsewhere"));
    request.target = "/cifar11";
    EXPECT_EQ(find_data(request).error().kind, ErrorKind::not_found);
}

TEST(FindData, WhatCannotBeLookedUpIsAnError) {
    TempDir folder;
    std::filesystem::create_symlink("circle", folder.path() / "circle");
    DataRequest request;
    request.target = (folder.path() / "circle").string();
    EXPECT_EQ(find_data(request).error().kind, ErrorKind::io);
    request.target = std::string(5000, 'a');
    EXPECT_THAT(find_data(request).error().text(), HasSubstr("File name too long"));
}

TEST(FindData, FilesAndFoldersAreFoundBelowTheDataFolder) {
    TempDir folder;
    write_file(folder.path(), "wiki/train.txt", "words");
    write_file(folder.path(), "nli/pairs.tsv.gz", gzipped("sentence1\tsentence2\tlabel\n"));
    DataRequest request;
    request.data_folder = folder.path();
    request.target = "wiki";
    EXPECT_EQ(find_data(request).value().kind, Kind::text);
    EXPECT_EQ(find_data(request).value().path, folder.path() / "wiki");
    request.target = "nli/pairs.tsv";
    EXPECT_EQ(find_data(request).value().kind, Kind::sentence_pairs);
    request.target = (folder.path() / "wiki/train.txt").string();  // a path that exists is itself
    EXPECT_EQ(find_data(request).value().path, folder.path() / "wiki/train.txt");
}

TEST(Describe, AContactSheetIsOfImages) {
    TempDir folder;
    DataRequest request;
    request.target = write_file(folder.path(), "t.txt", "text").string();
    EXPECT_THAT(describe(request, true).error().text(), HasSubstr("is text, which has no images"));
    request.target = write_file(folder.path(), "test_batch.bin", cifar10_records(11)).string();
    const auto report = describe(request, true).value();
    EXPECT_TRUE(report.contact_sheet.starts_with("\x89PNG"));
    EXPECT_EQ(std::get<ImageReport>(report.facts).splits[0].count, 11U);
}

TEST(Kinds, NamesAreReadBack) {
    for (const auto& name : kind_names()) EXPECT_EQ(kind_name(kind_named(name).value()), name);
    EXPECT_FALSE(kind_named("cifar"));
}

}  // namespace
}  // namespace plimsoll::data
