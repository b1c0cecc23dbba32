#include "plimsoll/formats/tensorboard_events.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::formats {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TempDir;

// CRC-32C by its definition: division of bits by the Castagnoli polynomial 0x1EDC6F41, highest bit first, of
// the reflected message; shares nothing with the table of the product.
std::uint32_t crc_by_division(std::string_view bytes) {
    std::uint32_t rest = 0xFFFFFFFFU;
    for (const char c : bytes) {
        for (int bit = 0; bit < 8; ++bit) {
            const std::uint32_t in = (static_cast<unsigned char>(c) >> bit) & 1U;
            const std::uint32_t top = rest >> 31;
            rest <<= 1;
            if (top != in) rest ^= 0x1EDC6F41U;
        }
    }
    std::uint32_t reflected = 0;
    for (int bit = 0; bit < 32; ++bit) reflected |= ((rest >> bit) & 1U) << (31 - bit);
    return ~reflected;
}

std::uint32_t masked_by_hand(std::string_view bytes) {
    const std::uint32_t crc = crc_by_division(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

template <class T>
T number_at(const std::string& text, std::size_t at) {
    T value{};
    std::memcpy(&value, text.data() + at, sizeof value);  // the tests run on little-endian machines
    return value;
}

// The payloads of the records of a file, every length and CRC checked on the way.
std::vector<std::string> payloads(const fs::path& path) {
    const std::string text = *read_text(path);
    std::vector<std::string> found;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto length = number_at<std::uint64_t>(text, at);
        EXPECT_EQ(number_at<std::uint32_t>(text, at + 8), masked_by_hand(text.substr(at, 8)));
        found.push_back(text.substr(at + 12, length));
        EXPECT_EQ(found.back().size(), length);
        EXPECT_EQ(number_at<std::uint32_t>(text, at + 12 + length), masked_by_hand(found.back()));
        at += 16 + length;
    }
    EXPECT_EQ(at, text.size());
    return found;
}

bool has_protoc() { return std::system("command -v protoc >/dev/null 2>&1") == 0; }

// What protoc itself reads in a message.
std::string decoded(const std::string& payload, const fs::path& folder) {
    const fs::path in = folder / "payload", out = folder / "decoded";
    std::ofstream(in, std::ios::binary) << payload;
    const auto command = fmt::format("protoc --decode_raw < '{}' > '{}'", in.string(), out.string());
    EXPECT_EQ(std::system(command.c_str()), 0);
    return *read_text(out);
}

TEST(Crc32c, KnownVectors) {
    EXPECT_EQ(crc32c(""), 0U);
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    // RFC 3720, section B.4.
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
    std::string rising, falling;
    for (int i = 0; i < 32; ++i) {
        rising += static_cast<char>(i);
        falling += static_cast<char>(31 - i);
    }
    EXPECT_EQ(crc32c(rising), 0x46DD794EU);
    EXPECT_EQ(crc32c(falling), 0x113FDB5CU);
}

TEST(Crc32c, TheTableAgreesWithTheDivision) {
    std::string bytes;
    for (int length = 0; length < 300; ++length) {
        EXPECT_EQ(crc32c(bytes), crc_by_division(bytes)) << length;
        EXPECT_EQ(masked_crc32c(bytes), masked_by_hand(bytes)) << length;
        bytes += static_cast<char>(length * 37 + 11);
    }
}

TEST(TensorboardEvents, EveryRecordHasItsLengthAndItsSums) {
    const TempDir folder;
    auto writer = EventWriter::create(folder.path() / "tb", 1000.5);
    ASSERT_TRUE(writer.ok());
    EventWriter file = std::move(writer).value();
    const std::vector<Scalar> scalars{{"train/loss", 2.5F}, {"lr", 0.25F}};
    for (std::int64_t step = 0; step < 300; step += 3) ASSERT_TRUE(file.add(step, 1001, scalars).ok());
    ASSERT_TRUE(file.sync().ok());
    EXPECT_EQ(payloads(file.path()).size(), 101U);
    EXPECT_THAT(file.path().filename().string(), ::testing::StartsWith("events.out.tfevents.0000001000."));
}

TEST(TensorboardEvents, ThePayloadsAreTheseBytes) {
    const TempDir folder;
    auto file = EventWriter::create(folder.path(), 1);
    ASSERT_TRUE(file.ok());
    EventWriter writer = std::move(file).value();
    ASSERT_TRUE(writer.add(300, 1, std::vector<Scalar>{{"a", 1.0F}}).ok());
    using namespace std::string_literals;
    const std::string one = "\x09\0\0\0\0\0\0\xF0\x3F"s;  // field 1, double 1
    EXPECT_THAT(payloads(writer.path()),
                ElementsAre(one + "\x1A\x0D"
                                  "brain.Event:2"s,
                            // step 300 = 0b10'0101100; summary { value { tag "a" simple_value 1 } }
                            one + "\x10\xAC\x02\x2A\x0A\x0A\x08\x0A\x01\x61\x15\0\0\x80\x3F"s));
}

TEST(TensorboardEvents, ProtocReadsWhatWasMeant) {
    if (!has_protoc()) GTEST_SKIP() << "protoc (package protobuf-compiler) is not installed";
    const TempDir folder;
    auto file = EventWriter::create(folder.path() / "tb", 1700000000.25, 41);
    ASSERT_TRUE(file.ok());
    EventWriter writer = std::move(file).value();
    const std::vector<Scalar> scalars{{"train/loss", 2.5F}, {"train/accuracy", 0.5F}};
    ASSERT_TRUE(writer.add(1'000'000, 1700000001, scalars).ok());
    const auto records = payloads(writer.path());
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(decoded(records[0], folder.path()), "1: 0x41d954fc40100000\n3: \"brain.Event:2\"\n");
    EXPECT_EQ(decoded(records[1], folder.path()), "1: 0x41d954fc40100000\n2: 42\n7 {\n  1: 1\n}\n");
    EXPECT_EQ(decoded(records[2], folder.path()),
              "1: 0x41d954fc40400000\n2: 1000000\n5 {\n"
              "  1 {\n    1: \"train/loss\"\n    2: 0x40200000\n  }\n"
              "  1 {\n    1: \"train/accuracy\"\n    2: 0x3f000000\n  }\n}\n");
}

TEST(TensorboardEvents, ProtocReadsEveryPayloadOfALongFile) {
    if (!has_protoc()) GTEST_SKIP() << "protoc (package protobuf-compiler) is not installed";
    const TempDir folder;
    auto file = EventWriter::create(folder.path() / "tb", 0);
    ASSERT_TRUE(file.ok());
    EventWriter writer = std::move(file).value();
    // Steps and tags around the lengths at which a varint grows by a byte.
    for (const std::int64_t step :
         {0L, 127L, 128L, 16383L, 16384L, std::numeric_limits<std::int64_t>::max()}) {
        const std::string tag(static_cast<std::size_t>(step % 300), 't');
        ASSERT_TRUE(writer.add(step, 0, std::vector<Scalar>{{tag, -0.0F}}).ok());
        EXPECT_THAT(decoded(payloads(writer.path()).back(), folder.path()),
                    HasSubstr(fmt::format("2: {}\n", step)));
    }
}

TEST(TensorboardEvents, TwoWritersOfOneSecondHaveTwoFiles) {
    const TempDir folder;
    const auto first = EventWriter::create(folder.path(), 5), second = EventWriter::create(folder.path(), 5);
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_NE(first->path(), second->path());
    EXPECT_EQ(payloads(first->path()).size(), 1U);
}

TEST(TensorboardEvents, AFolderThatCannotBeMadeIsIo) {
    const TempDir folder;
    ASSERT_TRUE(atomic_write(folder.path() / "file", "x").ok());
    const auto writer = EventWriter::create(folder.path() / "file" / "tb", 0);
    ASSERT_FALSE(writer.ok());
    EXPECT_EQ(writer.error().kind, ErrorKind::io);
    EXPECT_THAT(writer.error().text(), HasSubstr("cannot be written"));
}

// A full disk, as far as a process can make one for itself: no file may grow beyond `bytes`.
int with_small_files(rlim_t bytes, const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::_exit(body());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(TensorboardEvents, OnAFullDiskTheFileEndsWithAWholeRecord) {
    const TempDir folder;
    const auto code = with_small_files(200, [&] {
        auto made = EventWriter::create(folder.path(), 0);
        if (!made.ok()) return 1;
        EventWriter writer = std::move(made).value();
        for (int step = 0; step < 20; ++step) {
            const auto added = writer.add(step, 0, std::vector<Scalar>{{"loss", 1}});
            if (!added.ok()) return added.error().kind == ErrorKind::io ? 0 : 2;
        }
        return 3;
    });
    EXPECT_EQ(code, 0);
    const fs::path file = fs::directory_iterator(folder.path())->path();
    EXPECT_GT(payloads(file).size(), 2U);
}

}  // namespace
}  // namespace plimsoll::formats
