#include "plimsoll/cli/data/read_flags.h"

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {
namespace {

constexpr int most_resize = 4096;
constexpr std::size_t pair_column_count = 3;

}  // namespace

void add_read_flags(CLI::App& verb, ReadFlags& flags) {
    verb.add_option("--kind", flags.kind,
                    "read it as this layout instead of the one its first bytes and names say");
    verb.add_option(
        "--field", flags.field,
        "JSON lines: the field with the text (default text); a table: the column to read as text");
    verb.add_option("--columns", flags.columns,
                    "sentence pairs: first sentence, second, label, with commas between");
    verb.add_option("--label", flags.label,
                    "tables: the column to predict, NAME, NAME:number or NAME:classes (default: guessed)");
    verb.add_option("--token-bits", flags.token_bits,
                    "16 or 32: how wide the ids of a .bin without a header are");
    verb.add_option("--resize", flags.resize,
                    "images: make all of them squares with this side (default: the size that most have)");
}

Result<data::ReadOptions> read_options(const ReadFlags& flags) {
    data::ReadOptions read;
    if (flags.token_bits != 0 && flags.token_bits != 16 && flags.token_bits != 32)
        return bad_input("token-bits", fmt::format("must be 16 or 32, got {}", flags.token_bits));
    if (flags.token_bits != 0) read.tokens.width = static_cast<data::TokenWidth>(flags.token_bits / 8);
    if (flags.resize < 0 || flags.resize > most_resize)
        return bad_input("resize", fmt::format("must be 1 to {}, got {}", most_resize, flags.resize));
    read.resize = static_cast<std::size_t>(flags.resize);
    read.field = flags.field;
    read.label = flags.label;
    read.columns = split(flags.columns, ',');
    if (!read.columns.empty() && read.columns.size() != pair_column_count)
        return bad_input(
            "columns",
            fmt::format("must be three names (first sentence, second, label), got '{}'", flags.columns));
    return read;
}

Result<std::optional<data::Kind>> asked_kind(const ReadFlags& flags) {
    if (flags.kind.empty()) return std::optional<data::Kind>();
    const auto kind = data::kind_named(flags.kind);
    if (kind) return kind;
    return bad_input("kind", "unknown '" + flags.kind + "'" + suggestion(flags.kind, data::kind_names()));
}

}  // namespace plimsoll::cli
