#pragma once

#include <array>
#include <string_view>

#include "plimsoll/data/sniff/content.h"

// The formats that are known by name and not read.
namespace plimsoll::data {

struct ForeignMagic {
    std::size_t at;
    std::string_view magic;
    ForeignFormat format;
    bool alone = false;  // says it even where all the rest is text
};

namespace ways {
using std::string_view;
constexpr string_view parquet =
    "python3 -c \"import pandas; pandas.read_parquet({1}).to_csv({2} + '.csv', index=False)\"";
constexpr string_view feather =
    "python3 -c \"import pandas; pandas.read_feather({1}).to_csv({2} + '.csv', index=False)\"";
constexpr string_view json_lines =
    "python3 -c \"import pandas; pandas.read_json({1}, lines=True).to_csv({2} + '.csv', index=False)\"";
constexpr string_view json_array =
    "python3 -c \"import pandas; pandas.read_json({1}).to_json({2} + '.jsonl', orient='records', "
    "lines=True)\"";
constexpr string_view arrow_stream =
    "python3 -c \"import pyarrow; pyarrow.ipc.open_stream({1}).read_pandas().to_csv({2} + '.csv', "
    "index=False)\"";
constexpr string_view excel =
    "python3 -c \"import pandas; pandas.read_excel({1}).to_csv({2} + '.csv', index=False)\"";
constexpr string_view stata =
    "python3 -c \"import pandas; pandas.read_stata({1}).to_csv({2} + '.csv', index=False)\"";
constexpr string_view hdf5 =
    "python3 -c \"import h5py, numpy; f = h5py.File({1}); numpy.savez({2}, **{{k: f[k][()] for k in f}})\"";
constexpr string_view pickle =
    "python3 -c \"import pandas; pandas.read_pickle({1}).to_csv({2} + '.csv', index=False)\" (only for a "
    "file "
    "you trust: a pickle can run any program)";
constexpr string_view sqlite =
    "python3 -c \"import pandas, sqlite3; pandas.read_sql('SELECT * FROM TABLE', "
    "sqlite3.connect({1})).to_csv({2} + '.csv', index=False)\", with the table's name for TABLE";
constexpr string_view pdf = "pdftotext {0}";
constexpr string_view utf16 = "iconv -f UTF-16 -t UTF-8 {0} -o FILE.txt";
constexpr string_view bzip2 = "bunzip2 -k {0}";
constexpr string_view picture = "python3 -c \"from PIL import Image; Image.open({1}).save({2} + '.png')\"";
constexpr string_view seven = "7z x {0}";
constexpr string_view rar = "unrar x {0}";
constexpr string_view model = "plimsoll audit {0} reads models";
}  // namespace ways

using std::string_view_literals::operator""sv;

// The first row that fits counts.
inline constexpr std::array foreign_formats{
    ForeignMagic{0, "PAR1"sv, {"a Parquet file", ways::parquet}},
    ForeignMagic{0, "ARROW1\0\0"sv, {"an Arrow (Feather) file", ways::feather}},
    ForeignMagic{0, "FEA1"sv, {"a Feather file", ways::feather}},
    ForeignMagic{0, "\x89HDF\r\n\x1a\n"sv, {"an HDF5 file", ways::hdf5}},
    ForeignMagic{0, "SQLite format 3\0"sv, {"a SQLite database", ways::sqlite}},
    ForeignMagic{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, {"an old Excel or Word file", ways::excel}},
    ForeignMagic{0, "%PDF-"sv, {"a PDF", ways::pdf}, true},
    ForeignMagic{0,
                 "\x7f"
                 "ELF"sv,
                 {"an ELF program or library", ""}},
    ForeignMagic{0, "GGUF"sv, {"a GGUF model", ways::model}},
    ForeignMagic{0, "7z\xbc\xaf\x27\x1c"sv, {"a 7-Zip archive", ways::seven}},
    ForeignMagic{0, "Rar!\x1a\7"sv, {"a RAR archive", ways::rar}},
    ForeignMagic{0, "GIF8"sv, {"a GIF image", ways::picture}},
    ForeignMagic{0, "II*\0"sv, {"a TIFF image", ways::picture}},
    ForeignMagic{0, "MM\0*"sv, {"a TIFF image", ways::picture}},
    ForeignMagic{8, "WEBP"sv, {"a WebP image", ways::picture}},
    ForeignMagic{8, "WAVE"sv, {"a WAV sound", ""}},
    ForeignMagic{4, "ftyp"sv, {"an MP4 or HEIF file", ""}},
    ForeignMagic{0, "OggS"sv, {"an Ogg file", ""}},
    ForeignMagic{0, "\xca\xfe\xba\xbe"sv, {"a Java class or Mach-O program", ""}},
    ForeignMagic{0, "\0asm"sv, {"a WebAssembly program", ""}},
    ForeignMagic{0, "\x1f\x9d"sv, {"a file packed by compress (.Z)", "uncompress {0}"}},
    ForeignMagic{0, "BZh"sv, {"a bzip2 file", ways::bzip2}},
    ForeignMagic{0, "\xff\xfe"sv, {"text in UTF-16", ways::utf16}},
    ForeignMagic{0, "\xfe\xff"sv, {"text in UTF-16", ways::utf16}},
    ForeignMagic{0, "\x80\2"sv, {"a pickle", ways::pickle}},
    ForeignMagic{0, "\x80\3"sv, {"a pickle", ways::pickle}},
    ForeignMagic{0, "\x80\4\x95"sv, {"a pickle", ways::pickle}},
    ForeignMagic{0, "\x80\5\x95"sv, {"a pickle", ways::pickle}},
};

// Zip files that are documents, by the name of a member.
struct ZipDocument {
    std::string_view member;
    ForeignFormat format;
};
inline constexpr std::array zip_documents{
    ZipDocument{"xl/workbook"sv, {"an Excel file", ways::excel}},
    ZipDocument{"xl/_rels"sv, {"an Excel file", ways::excel}},
    ZipDocument{"xl/worksheets"sv, {"an Excel file", ways::excel}},
    ZipDocument{"xl/theme"sv, {"an Excel file", ways::excel}},
    ZipDocument{"word/document"sv, {"a Word document", ""}},
    ZipDocument{"ppt/presentation"sv, {"a PowerPoint file", ""}},
    ZipDocument{"/data.pkl"sv, {"a PyTorch checkpoint", ""}},
    ZipDocument{"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"sv,
                {"an OpenDocument spreadsheet", ways::excel}},
    ZipDocument{"mimetypeapplication/vnd.oasis.opendocument"sv, {"an OpenDocument file", ""}},
    ZipDocument{"mimetypeapplication/epub+zip"sv, {"an EPUB book", ""}},
    ZipDocument{"META-INF/MANIFEST.MF"sv, {"a Java archive", ""}},
};

// Formats that no row of bytes tells, but numbers that fit together.
inline constexpr ForeignFormat arrow_stream{"an Arrow stream", ways::arrow_stream};
inline constexpr ForeignFormat safetensors{"a safetensors file", ways::model};

}  // namespace plimsoll::data
