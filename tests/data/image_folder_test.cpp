#include "plimsoll/data/readers/image_folder.h"

#include <cstdio>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <jpeglib.h>

#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/readers/resize.h"
#include "tests/data/made_archives.h"
#include "tests/data/made_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace plimsoll::testing;

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string png(const ImageShape& shape, std::uint64_t seed = 1) {
    return encode_png(bytes_of(noise(shape.bytes(), seed)), shape).value();
}

// A JPEG file of one colour, which survives JPEG exactly where it is grey.
std::string jpeg(std::size_t height, std::size_t width, int channels, std::uint8_t level) {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &memory, &size);
    info.image_height = static_cast<JDIMENSION>(height);
    info.image_width = static_cast<JDIMENSION>(width);
    info.input_components = channels;
    info.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 100, TRUE);
    jpeg_start_compress(&info, TRUE);
    std::vector<std::uint8_t> row(width * static_cast<std::size_t>(channels), level);
    JSAMPROW rows = row.data();
    while (info.next_scanline < info.image_height) jpeg_write_scanlines(&info, &rows, 1);
    jpeg_finish_compress(&info);
    std::string file(reinterpret_cast<const char*>(memory), size);
    jpeg_destroy_compress(&info);
    std::free(memory);
    return file;
}

std::string decode_error(const std::string& file) {
    const LoadedFile loaded = in_memory(file, "f");
    const auto shape = image_shape(loaded);
    if (!shape.ok()) return shape.error().text();
    std::vector<std::uint8_t> pixels(shape->bytes());
    return error_text(decode_image(loaded, *shape, pixels));
}

TEST(ImageFile, APngGivesItsPixelsBackAsPlanes) {
    for (const std::size_t channels : {1, 3}) {
        const ImageShape shape{channels, 5, 7};
        const auto interleaved = bytes_of(noise(shape.bytes()));
        const LoadedFile file = in_memory(encode_png(interleaved, shape).value());
        ASSERT_EQ(image_shape(file).value(), shape);
        std::vector<std::uint8_t> planes(shape.bytes());
        ASSERT_TRUE(decode_image(file, shape, planes).ok());
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t i = 0; i < 35; ++i) EXPECT_EQ(planes[c * 35 + i], interleaved[i * channels + c]);
    }
}

TEST(ImageFile, GreyBecomesThreeEqualChannelsWhenAsked) {
    const LoadedFile file = in_memory(jpeg(8, 9, 1, 77));
    EXPECT_EQ(image_shape(file).value(), (ImageShape{1, 8, 9}));
    std::vector<std::uint8_t> pixels(3 * 72);
    ASSERT_TRUE(decode_image(file, {3, 8, 9}, pixels).ok());
    EXPECT_THAT(pixels, ::testing::Each(77));
}

TEST(ImageFile, ACutFileIsASentence) {
    for (const std::string& file : {png({3, 20, 20}), png({1, 9, 9}), jpeg(40, 40, 3, 100)}) {
        ASSERT_EQ(decode_error(file), "");
        for (std::size_t size = 0; size < file.size() - 1; size += 11) {
            const std::string error = decode_error(file.substr(0, size));
            // PNG's last chunk (12 bytes) says only that the file ends.
            if (file[1] == 'P' && size + 12 >= file.size()) continue;
            EXPECT_THAT(error,
                        ::testing::AnyOf(HasSubstr("damaged PNG of " + std::to_string(size) + " bytes: "),
                                         HasSubstr("of " + std::to_string(size) + ": "),
                                         HasSubstr("neither a PNG nor a JPEG file")))
                << size;
        }
    }
}

TEST(ImageFile, AChangedByteNeverCrashes) {
    for (const std::string& file : {png({3, 6, 6}), jpeg(16, 16, 3, 100)})
        for (std::size_t at = 0; at < file.size(); ++at) {
            std::string changed = file;
            changed[at] = static_cast<char>(changed[at] ^ 0xff);
            const std::string error = decode_error(changed);
            EXPECT_TRUE(error.empty() || error.starts_with("f: ")) << at;
        }
}

TEST(ImageFile, AHeadThatPromisesMoreThanTheFileHoldsIsRefused) {
    std::string file = png({1, 3, 3});
    file[16] = 0, file[17] = 0, file[18] = '\x70', file[19] = 0;  // 28,672 wide
    file[20] = 0, file[21] = 0, file[22] = '\x70', file[23] = 0;
    EXPECT_THAT(decode_error(file), ::testing::AnyOf(HasSubstr("more than its"), HasSubstr("damaged PNG")));
    std::string wide = jpeg(8, 8, 3, 1);
    const auto frame = wide.find("\xff\xc0");
    wide.replace(frame + 5, 4, "\x7f\xff\x7f\xff");
    EXPECT_EQ(decode_error(wide),
              "f: states 32767 x 32767 pixels; 268435456 bytes are the most for one image");
}

TEST(ImageFolder, ClassesAreSubfolders) {
    TempDir folder;
    write_file(folder.path(), "dog/1.png", png({3, 4, 4}, 1));
    write_file(folder.path(), "cat/1.png", png({3, 4, 4}, 2));
    write_file(folder.path(), "cat/2.jpg", jpeg(4, 4, 1, 9));
    write_file(folder.path(), "cat/.hidden", "no image");
    const Images set = load_image_folder(folder.path(), {}, {}).value();
    EXPECT_THAT(set.class_names, ElementsAre("cat", "dog"));
    EXPECT_EQ(set.shape, (ImageShape{3, 4, 4}));
    ASSERT_EQ(set.splits.size(), 1U);
    EXPECT_THAT(set.splits[0].labels, ElementsAre(0, 0, 1));
    EXPECT_THAT(set.splits[0].pixels(1, set.shape), ::testing::Each(9));
}

TEST(ImageFolder, SplitsAreFoldersOfFolders) {
    TempDir folder;
    write_file(folder.path(), "train/b/1.png", png({1, 2, 2}, 1));
    write_file(folder.path(), "test/a/1.png", png({1, 2, 2}, 2));
    write_file(folder.path(), "test/b/1.png", png({1, 2, 2}, 3));
    const Images set = load_image_folder(folder.path(), {}, {}).value();
    ASSERT_EQ(set.splits.size(), 2U);
    EXPECT_EQ(set.splits[0].name, "train");
    EXPECT_EQ(set.splits[1].name, "test");
    // One name is one class in every split.
    EXPECT_EQ(set.class_names.at(set.splits[0].labels[0]), "b");
    EXPECT_EQ(set.class_names.at(set.splits[1].labels[0]), "a");
}

TEST(ImageFolder, OtherSizesBecomeThatOfMost) {
    TempDir folder;
    for (int i = 0; i < 6; ++i)
        write_file(folder.path(), "a/" + std::to_string(i) + ".png", png({1, 2, i < 2 ? 2U : 3U}));
    const Images set = load_image_folder(folder.path(), {}, {}).value();
    EXPECT_EQ(set.shape, (ImageShape{1, 2, 3}));
    EXPECT_THAT(set.notes, ElementsAre("2 of 6 images were resized to 2 x 3, the size of the others"));
    const std::vector<std::uint8_t> flat(25, 77);
    write_file(folder.path(), "a/flat.png", encode_png(flat, {1, 5, 5}).value());
    const Images with_flat = load_image_folder(folder.path(), {}, {}).value();
    EXPECT_THAT(with_flat.splits[0].pixels(6, set.shape), ::testing::Each(77));
    std::filesystem::remove(folder.path() / "a/flat.png");
    ReadOptions read;
    read.resize = 4;
    const Images squares = load_image_folder(folder.path(), read, {}).value();
    EXPECT_EQ(squares.shape, (ImageShape{1, 4, 4}));
    EXPECT_THAT(squares.notes, ElementsAre("6 of 6 images were resized to 4 x 4"));
}

TEST(ImageFolder, WithoutASizeOfMostOneMustBeSaid) {
    TempDir folder;
    for (unsigned i = 1; i < 5; ++i)
        write_file(folder.path(), "a/" + std::to_string(i) + ".png", png({1, i, 2}));
    EXPECT_THAT(load_image_folder(folder.path(), {}, {}).error().text(),
                HasSubstr("its 4 images have 4 sizes (1 of 1 x 2, 1 of 2 x 2, 1 of 3 x 2, ...), none of them "
                          "that of most; --resize 32 makes all of them 32 x 32"));
}

TEST(Resize, KeepsWhatItShouldKeep) {
    const ImageShape small{1, 2, 2}, large{1, 8, 8}, odd{3, 5, 7};
    const std::vector<std::uint8_t> pixels{10, 20, 30, 40};
    std::vector<std::uint8_t> grown(large.bytes()), back(small.bytes()), same(odd.bytes());
    resize(pixels, small, grown, large);
    EXPECT_EQ(grown.front(), 10);
    EXPECT_EQ(grown.back(), 40);
    // Every pixel counts when an image becomes smaller: the mean of a chessboard, not one of its colours.
    std::vector<std::uint8_t> board(large.bytes());
    for (std::size_t i = 0; i < 64; ++i) board[i] = (i / 8 + i) % 2 == 0 ? 0 : 200;
    resize(board, large, back, small);
    for (const std::uint8_t pixel : back) EXPECT_NEAR(pixel, 100, 12);
    const auto noisy = bytes_of(noise(odd.bytes()));
    resize(noisy, odd, same, odd);
    EXPECT_EQ(same, noisy);
    const std::vector<std::uint8_t> flat(odd.bytes(), 77);
    std::vector<std::uint8_t> other(3 * 3 * 2);
    resize(flat, odd, other, {3, 3, 2});
    EXPECT_THAT(other, ::testing::Each(77));
}

// The same images in a folder, in archives, and by WebDataset's keys.
TEST(ImageFolder, ArchivesHoldTheSameImages) {
    TempDir folder, packed;
    Members members, keyed;
    for (int i = 0; i < 6; ++i) {
        const std::string image = png({3, 4, 4}, static_cast<std::uint64_t>(i + 1));
        const std::string name = (i < 4 ? "0/" : "1/") + std::to_string(i) + ".png";
        members.emplace_back(name, image);
        write_file(folder.path(), name, image);
        keyed.emplace_back("00" + std::to_string(i) + ".png", image);
        keyed.emplace_back("00" + std::to_string(i) + ".cls", i < 4 ? "0" : "1\n");
    }
    const Images plain = load_image_folder(folder.path(), {}, {}).value();
    const auto pixels = [](const Images& set) {
        std::vector<std::uint8_t> all;
        for (std::size_t i = 0; i < set.splits[0].count(); ++i) {
            const auto one = set.splits[0].pixels(i, set.shape);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    };
    for (const auto& [name, file] : Members{{"x.tar", tar_file(members)},
                                            {"x.zip", zip_file(members)},
                                            {"around.zip", zip_file({{"set/0/0.png", members[0].second}})},
                                            {"shard-train-0.tar.gz", gzipped(tar_file(keyed))}}) {
        const Images set = load_image_folder(write_file(packed.path(), name, file), {}, {}).value();
        EXPECT_EQ(set.class_names[0], "0") << name;
        if (name == "around.zip") continue;
        EXPECT_EQ(set.splits[0].labels, plain.splits[0].labels) << name;
        EXPECT_EQ(pixels(set), pixels(plain)) << name;
    }
    keyed[1].second = "1000000";
    const auto wrong = write_file(packed.path(), "wrong.tar", tar_file(keyed));
    EXPECT_THAT(load_image_folder(wrong, {}, {}).error().text(),
                HasSubstr("class '1000000'; wanted is a whole number up to 65535"));
    keyed.erase(keyed.begin() + 1);
    const auto without = write_file(packed.path(), "without.tar", tar_file(keyed));
    EXPECT_THAT(load_image_folder(without, {}, {}).error().text(),
                HasSubstr("'000.png' has no class beside it (KEY.cls)"));
}

TEST(ImageFolder, OtherFilesAndEmptyFoldersAreRefused) {
    TempDir folder;
    EXPECT_THAT(load_image_folder(folder.path(), {}, {}).error().text(),
                HasSubstr("has no images; wanted are PNG or JPEG files"));
    write_file(folder.path(), "a/1.png", "text");
    EXPECT_THAT(load_image_folder(folder.path(), {}, {}).error().text(),
                HasSubstr("a/1.png: byte 0: neither a PNG nor a JPEG file"));
    EXPECT_EQ(load_image_folder("no/such", {}, {}).error().kind, ErrorKind::not_found);
    TempDir small;
    write_file(small.path(), "a/1.png", png({1, 100, 100}));
    EXPECT_THAT(load_image_folder(small.path(), {}, {.most_bytes = 5000, .progress = nullptr}).error().text(),
                HasSubstr("1 images of 10000 bytes are more than the 4.88 KiB that are allowed here"));
}

}  // namespace
}  // namespace plimsoll::data
