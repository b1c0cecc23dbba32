// What is no ordinary model file: every reader answers with a sentence, and at once.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/formats/gguf/gguf.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "plimsoll/formats/safetensors/safetensors_index.h"
#include "plimsoll/formats/tokenizer_json.h"
#include "tests/formats/tokenizer_file.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::formats {
namespace {

using testing::read_tokenizer_json;

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Reader {
    const char* name;
    std::function<std::optional<Error>(const fs::path&)> error_of;
};

template <class Read>
Reader reader(const char* name, Read read) {
    return {name, [read](const fs::path& path) -> std::optional<Error> {
                const auto result = read(path);
                return result.ok() ? std::nullopt : std::optional(result.error());
            }};
}

std::vector<Reader> all_readers() {
    return {reader("safetensors", read_safetensors), reader("index", read_sharded), reader("gguf", read_gguf),
            reader("tokenizer", read_tokenizer_json)};
}

class IrregularFiles : public ::testing::Test {
  protected:
    // Every reader refuses `path` with this kind and sentence.
    static void expect_refused(const fs::path& path, ErrorKind kind, const char* sentence) {
        for (const Reader& read : all_readers()) {
            const auto error = read.error_of(path);
            ASSERT_TRUE(error.has_value()) << read.name;
            EXPECT_EQ(error->kind, kind) << read.name << ": " << error->text();
            EXPECT_THAT(error->text(), HasSubstr(sentence)) << read.name;
        }
    }
    testing::TempDir folder_;
};

TEST_F(IrregularFiles, AFifoIsRefusedWithoutWaiting) {
    const fs::path path = folder_.path() / "fifo";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    expect_refused(path, ErrorKind::bad_input, "fifo: is not a regular file");
}

TEST_F(IrregularFiles, AFolderOrDeviceIsRefused) {
    expect_refused("/dev/zero", ErrorKind::bad_input, "is not a regular file");
    EXPECT_THAT(read_gguf(folder_.path()).error().text(), HasSubstr("is not a regular file"));
    EXPECT_THAT(read_safetensors(folder_.path()).error().text(), HasSubstr("is not a regular file"));
    EXPECT_EQ(read_sharded(folder_.path()).error().kind, ErrorKind::not_found) << "a folder without an index";
}

TEST_F(IrregularFiles, AMissingFileIsNotFound) {
    expect_refused(folder_.path() / "none", ErrorKind::not_found, "none: no such file");
}

TEST_F(IrregularFiles, AnEmptyFileIsRefused) {
    const fs::path path = folder_.path() / "empty";
    ASSERT_TRUE(atomic_write(path, "").ok());
    for (const Reader& read : all_readers()) EXPECT_TRUE(read.error_of(path).has_value()) << read.name;
    EXPECT_THAT(read_gguf(path).error().text(), HasSubstr("empty: is empty (0 bytes)"));
}

TEST_F(IrregularFiles, AnUnreadableFileIsAnIoError) {
    const fs::path loop = folder_.path() / "loop";
    fs::create_symlink(loop, loop);
    expect_refused(loop, ErrorKind::io, "symbolic links");
    const fs::path path = folder_.path() / "secret";
    ASSERT_TRUE(atomic_write(path, "x").ok());
    ASSERT_EQ(::chmod(path.c_str(), 0), 0);
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
    // Root may read everything, so for the moment we are nobody.
    constexpr uid_t nobody = 65534;
    const bool root = ::geteuid() == 0;
    if (root) {
        ASSERT_EQ(::seteuid(nobody), 0);
    }
    expect_refused(path, ErrorKind::io, "secret: Permission denied");
    if (root) {
        ASSERT_EQ(::seteuid(0), 0);
    }
}

TEST_F(IrregularFiles, AFileOfTheWrongFormatIsRefused) {
    const fs::path path = folder_.path() / "text";
    ASSERT_TRUE(atomic_write(path, "#!/bin/sh\necho hello, this is no model\n").ok());
    EXPECT_THAT(read_gguf(path).error().text(), HasSubstr("is not a GGUF file: it starts with '#!/b'"));
    EXPECT_THAT(read_safetensors(path).error().text(), HasSubstr("is not a safetensors file"));
    EXPECT_THAT(read_tokenizer_json(path).error().text(), HasSubstr("not valid JSON"));
}

}  // namespace
}  // namespace plimsoll::formats
