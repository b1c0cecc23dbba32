#include "plimsoll/data/sniff/reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/format.h"
#include "plimsoll/data/load.h"
#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/sniff/content.h"
#include "plimsoll/data/sniff/foreign_formats.h"
#include "tests/data/made_archives.h"
#include "tests/data/made_files.h"
#include "tests/support/error_text.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace plimsoll::testing;

std::span<const std::uint8_t> bytes_in(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class ReadingOf : public ::testing::Test {
  protected:
    std::string reading(const std::string& name, const std::string& content, const ReadOptions& read = {}) {
        const auto made = reading_of(write_file(folder_.path(), name, content), read);
        if (!made.ok()) return made.error().text().substr(folder_.path().string().size() + 1);
        return std::string(kind_name(made->kind)) + (made->how.empty() ? "" : ": " + made->how);
    }
    TextFiles text_of(const std::string& name, const ReadOptions& read = {}) {
        DataRequest request;
        request.target = (folder_.path() / name).string();
        request.read = read;
        return std::get<TextFiles>(load_data(find_data(request).value(), request).value());
    }

    TempDir folder_;
};

std::string content_of(const TextFile& file) { return {file.bytes.begin(), file.bytes.end()}; }

// Each foreign format by its magic, whatever the file is called, and never as text.
TEST_F(ReadingOf, ForeignFormatsAreRefusedByName) {
    for (const auto& format : foreign_formats) {
        std::string content(format.at, 'x');
        content += std::string(format.magic) + std::string("\0\1\2\3 binary", 11);
        const std::string said = reading("data.txt", content);
        EXPECT_THAT(said, HasSubstr("data.txt: is " + std::string(format.format.name)));
        if (!format.format.way.empty()) {
            EXPECT_THAT(said, HasSubstr(format.format.way == ways::model ? "plimsoll audit "
                                                                         : "this makes a file that is: "));
        }
    }
    EXPECT_THAT(
        reading("x.parquet", std::string("PAR1\0\1\2", 7)),
        HasSubstr("x.parquet: is a Parquet file, which is not read as data; this makes a file that is: "
                  "python3 -c \"import pandas; pandas.read_parquet("));
    EXPECT_THAT(reading("x.xlsx", zip_file({{"xl/workbook.xml", "<x/>"}})), HasSubstr("is an Excel file"));
    EXPECT_THAT(
        reading("x.ods", zip_file({{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}}, false)),
        HasSubstr("is an OpenDocument spreadsheet"));
    EXPECT_THAT(reading("x.epub", zip_file({{"mimetype", "application/epub+zip"}}, false)),
                HasSubstr("is an EPUB book"));
    const std::string schema = bytes_of_numbers<std::uint32_t>({0xffffffff, 184, 16});
    EXPECT_THAT(
        reading("data-00000-of-00001.arrow", schema + std::string(200, '\0')),
        HasSubstr("is an Arrow stream, which is not read as data; this makes a file that is: python3 -c"));
    const std::string head = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    EXPECT_THAT(reading("m.safetensors", bytes_of_numbers<std::uint64_t>({head.size()}) + head + "abcd"),
                HasSubstr("is a safetensors file, which is not read as data; plimsoll audit"));
}

TEST_F(ReadingOf, WordsOfAMagicMayBeginAText) {
    EXPECT_EQ(reading("a.txt", "GGUF is a format of models.\n"), "text");
    EXPECT_EQ(reading("b.txt", "PAR1 of the report\n"), "text");
    EXPECT_EQ(reading("c.txt", "Rar! said the lion.\n"), "text");
}

TEST_F(ReadingOf, WhatIsBinaryIsNoText) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        EXPECT_THAT(reading("noise.txt", noise(2000, seed)), HasSubstr("is ")) << seed;
    EXPECT_THAT(reading("nul.txt", std::string("a text\0 with a NUL", 18)),
                HasSubstr("nul.txt: is binary in no format that is known here: byte 6 is none of a text"));
    EXPECT_EQ(reading("latin1.txt", "caf\xe9 au lait\n"), "text");
    EXPECT_EQ(reading("colours.txt", "\x1b[31mred\x1b[0m\n"), "text");
    // A NUL far behind the bytes that are sniffed is found when the text is read.
    write_file(folder_.path(), "late.txt", std::string(200'000, 'x') + '\0');
    DataRequest request;
    request.target = (folder_.path() / "late.txt").string();
    EXPECT_THAT(error_text(load_data(find_data(request).value(), request)), HasSubstr("byte 200000"));
    request.kind = Kind::text;
    EXPECT_TRUE(load_data(find_data(request).value(), request).ok());
}

TEST_F(ReadingOf, ContentComesBeforeTheName) {
    const std::string ids = npy_file("<u2", "(4,)", noise(8));
    EXPECT_THAT(reading("tokens.txt", ids), HasSubstr("tokens: a NumPy array of uint16, 4"));
    EXPECT_THAT(reading("tokens.bin", ids), HasSubstr("tokens: a NumPy array"));
    EXPECT_EQ(reading("a.log", "sentence1\tsentence2\tlabel\na b\tc\t1\n"),
              "sentence-pairs: TSV, 3 columns, sentence pairs");
    EXPECT_EQ(reading("a.data", "1,2,u\n3,4,v\n5,6,v\n7,8,u\n"),
              "table: CSV, 3 columns without a header, label in `column3` (guessed; --label)");
    EXPECT_EQ(reading("prose.txt", "Once, there was a king.\nHe had, as kings do, a crown.\nIt was gold.\n"),
              "text");
    ReadOptions wide;
    wide.tokens.width = TokenWidth::bits16;
    EXPECT_EQ(reading("ids", noise(100), wide), "tokens");
}

TEST_F(ReadingOf, TablesSayTheirColumns) {
    EXPECT_EQ(reading("iris.csv", "sepal,petal,species\n1,2,a\n3,4,b\n"),
              "table: CSV, 3 columns, label in `species` (guessed; --label)");
    ReadOptions read;
    read.label = "petal";
    EXPECT_EQ(reading("iris.csv", "sepal,petal,species\n1,2,a\n3,4,b\n", read),
              "table: CSV, 3 columns, label in `petal`");
    EXPECT_EQ(reading("p.csv", "sentence1,sentence2,label\na,b,1\n"),
              "sentence-pairs: CSV, 3 columns, sentence pairs");
    read = {};
    read.columns = {"q1", "q2", "same"};
    EXPECT_EQ(reading("q.csv", "id,q1,q2,same\n1,a,b,0\n", read),
              "sentence-pairs: CSV, 4 columns, sentence pairs");
}

TEST_F(ReadingOf, LinesOfJsonAreTextInAField) {
    const std::string lines = "{\"text\": \"one\", \"id\": 1}\n{\"text\": \"two\\nlines\"}\n";
    EXPECT_EQ(reading("a.jsonl", lines), "text: JSON lines, text in `text`");
    EXPECT_EQ(content_of(text_of("a.jsonl").files.at(0)), "one\n\ntwo\nlines");
    EXPECT_THAT(reading("b.jsonl", "{\"body\": \"one\"}\n"),
                HasSubstr("is JSON lines without a field 'text'; its first line has `body` (--field"));
    ReadOptions read;
    read.field = "body";
    EXPECT_EQ(reading("b.jsonl", "{\"body\": \"one\"}\n", read), "text: JSON lines, text in `body`");
    write_file(folder_.path(), "c.jsonl", "{\"text\": \"one\"}\n{\"body\": 2}\n");
    DataRequest request;
    request.target = (folder_.path() / "c.jsonl").string();
    EXPECT_THAT(
        error_text(load_data(find_data(request).value(), request)),
        HasSubstr("c.jsonl: line 2: has no field 'text' (--field names the one with the text; it has body)"));
    write_file(folder_.path(), "d.jsonl", "{\"text\": \"one\"}\n{\"text\": null}\n");
    request.target = (folder_.path() / "d.jsonl").string();
    EXPECT_THAT(error_text(load_data(find_data(request).value(), request)),
                HasSubstr("d.jsonl: line 2: field 'text' is null, no text"));
    EXPECT_EQ(reading("config.txt", "{\n  \"a\": 1\n}\n"), "text");
}

// A document or a header longer than what is sniffed is read to its end before anything is judged.
TEST_F(ReadingOf, FirstLinesMayBeLong) {
    std::string words;
    while (words.size() < 2 * sniffed_bytes) words += "word ";
    EXPECT_EQ(reading("book.jsonl", "{\"text\": \"" + words + "\"}\n{\"text\": \"end\"}\n"),
              "text: JSON lines, text in `text`");
    EXPECT_EQ(content_of(text_of("book.jsonl").files.at(0)), words + "\n\nend");
    EXPECT_EQ(reading("book.txt", words), "text");
    std::string genes, row;
    for (int i = 0; i < 20000; ++i) genes += fmt::format("gene{},", i), row += fmt::format("{},", i % 7);
    EXPECT_EQ(reading("wide.csv", genes + "label\n" + row + "u\n" + row + "v\n"),
              "table: CSV, 20001 columns, label in `label` (guessed; --label)");
    EXPECT_THAT(reading("wider.csv", std::string(70000, ',') + "\n"),
                HasSubstr("wider.csv: line 1: more than 65536 cells"));
}

// Nothing that is called a table is taken for text, nor is JSON that is no lines.
TEST_F(ReadingOf, CalledTablesThatAreNoneAreRefused) {
    EXPECT_EQ(reading("one.csv", "review\nfine\nbad\n"),
              "one.csv: line 1: one cell (review), and a table has two or more with , tab ; or | between "
              "them (--kind "
              "text reads its bytes as they are)");
    EXPECT_THAT(reading("note.csv", "# by me\na,b\n1,2\n"), HasSubstr("line 1: one cell (# by me)"));
    EXPECT_THAT(reading("open.csv", "\"a,b\n1,2\n"),
                HasSubstr("line 1: a quotation mark that is never closed"));
    EXPECT_THAT(reading("empty.csv", "\n \n"), HasSubstr("empty.csv: is empty; a table has"));
    EXPECT_EQ(reading("none.tsv", ""), "none.tsv: is empty; a table has a header line and rows");
    EXPECT_EQ(reading("notes.txt", "review\nfine\n"), "text");
    EXPECT_THAT(
        reading("a.json", "[{\"text\": \"one\"},\n {\"text\": \"two\"}]\n"),
        HasSubstr(
            "a.json: is a JSON array of objects, which is not read as data; this makes JSON lines, which "
            "are: python3 -c \"import pandas; pandas.read_json("));
    EXPECT_EQ(reading("a.txt", "[{\"text\": \"one\"}]\n"), "text");
}

// The text of one column, as of a field of JSON lines.
TEST_F(ReadingOf, AFieldMayBeAColumn) {
    const std::string table = "review,stars\n\"good, \"\"very\"\"\",5\n,1\nbad,2\n";
    ReadOptions read;
    read.field = "review";
    EXPECT_EQ(reading("r.csv", table, read), "text: CSV, 2 columns, text in `review`");
    EXPECT_EQ(content_of(text_of("r.csv", read).files.at(0)), "good, \"very\"\n\nbad");
    read.field = "reviews";
    EXPECT_THAT(error_text(reading_of(folder_.path() / "r.csv", read)),
                HasSubstr("r.csv has no column 'reviews' (did you mean review?)"));
    EXPECT_THAT(reading("r.txt", "plain\n", read), HasSubstr("r.txt: line 1: one cell (plain)"));
}

// Source code: what is taken, what is not and why, in the order of the paths; the same in an archive.
TEST_F(ReadingOf, MixedFoldersAreSortedOut) {
    const std::vector<std::uint8_t> pixel{1};
    const Members members{{"src/b.cpp", "int b;\n"},
                          {"src/a.cpp", "int a;\n"},
                          {"bin/tool", std::string("\x7f"
                                                   "ELF\2\1\1\0",
                                                   8)},
                          {"docs/logo.png", encode_png(pixel, {1, 1, 1}).value()},
                          {"empty", ""},
                          {"notes.jsonl", "{\"text\": \"a note\"}\n"}};
    for (const auto& [name, content] : members) write_file(folder_.path(), "code/" + name, content);
    write_file(folder_.path(), "code/.git/config", "hidden");
    write_file(folder_.path(), "code.zip", zip_file(members));
    write_file(folder_.path(), "code.tar.gz", gzipped(tar_file(members)));
    for (const char* name : {"code", "code.zip", "code.tar.gz"}) {
        const TextFiles text = text_of(name);
        ASSERT_EQ(text.files.size(), 3U) << name;
        EXPECT_THAT(text.files[0].name, ::testing::EndsWith("notes.jsonl"));
        EXPECT_EQ(content_of(text.files[0]), "a note");
        EXPECT_EQ(content_of(text.files[1]), "int a;\n");
        EXPECT_EQ(content_of(text.files[2]), "int b;\n");
        ASSERT_EQ(text.left_out.size(), 2U) << name;
        EXPECT_EQ(text.left_out[0].name, "bin/tool");
        EXPECT_EQ(text.left_out[0].why, "an ELF program or library");
        EXPECT_EQ(text.left_out[1].why, "an image");
    }
}

TEST_F(ReadingOf, FoldersOfTokenFilesHaveSplits) {
    write_file(folder_.path(), "ids/train.bin", std::string("\1\0\2\0\3\0", 6));
    write_file(folder_.path(), "ids/val.bin", std::string("\4\0", 2));
    DataRequest request;
    request.target = (folder_.path() / "ids").string();
    const auto found = find_data(request).value();
    EXPECT_EQ(found.kind, Kind::tokens);
    EXPECT_THAT(error_text(load_data(found, request)), HasSubstr("say --token-bits 16 or 32"));
    request.read.tokens.width = TokenWidth::bits16;
    const auto tokens = std::get<Tokens>(load_data(found, request).value());
    EXPECT_EQ(tokens.count(), 4U);
    ASSERT_EQ(tokens.splits.size(), 2U);
    EXPECT_EQ(tokens.splits[1].name, "val");
    EXPECT_EQ(tokens.splits[1].count, 1U);
}

TEST(Sniff, EveryConversionNamesTheFile) {
    for (const auto& format : foreign_formats) {
        const Sniffed sniffed{Content::foreign, &format.format, 0, true};
        const std::string said = not_text("my file.dat", sniffed).text();
        if (format.format.way.empty() || format.format.way == ways::rar) continue;
        EXPECT_THAT(said, HasSubstr("my file.dat'"));
    }
    EXPECT_THAT(not_text("it's.parquet", {Content::foreign, &foreign_formats[0].format, 0, true}).text(),
                HasSubstr("read_parquet('FILE')"));
    EXPECT_EQ(sniff(bytes_in("")).content, Content::empty);
}

}  // namespace
}  // namespace plimsoll::data
