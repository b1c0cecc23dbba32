#include "plimsoll/store/index_rows.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/store/index_database.h"

namespace plimsoll::store {
namespace {

constexpr int format_version = 1;
constexpr std::size_t most_keys = 1500;  // SQLite takes 2000 columns

// FNV-1a, 64 bits: damage is to be found, not an adversary.
constexpr std::uint64_t hash_start = 0xcbf29ce484222325, hash_factor = 0x100000001b3;
std::uint64_t hashed(std::uint64_t hash, std::string_view bytes) {
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * hash_factor;
    return hash;
}
std::uint64_t hashed(std::uint64_t hash, std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (word >> shift & 0xff)) * hash_factor;
    return hash;
}

// The part of a row's checksum that one value is; `key_hash` belongs to its key.
std::uint64_t value_hash(std::uint64_t key_hash, const Cell& cell) {
    const std::uint64_t hash = hashed(key_hash, cell.index());
    if (const auto* truth = std::get_if<bool>(&cell)) return hashed(hash, std::uint64_t{*truth});
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return hashed(hash, std::bit_cast<std::uint64_t>(*whole));
    if (const auto* real = std::get_if<double>(&cell))
        return hashed(hash, std::bit_cast<std::uint64_t>(*real));
    return hashed(hash, std::get<std::string>(cell));
}

std::uint64_t key_hash(const std::string& key) { return hashed(hashed(hash_start, key), "="); }

// The sum over all values, so that the order of columns does not matter.
std::int64_t checksum(const std::string& id, const std::string& signature, const Facts& facts) {
    std::uint64_t sum = hashed(hashed(hash_start, id), signature);
    for (const auto& [key, value] : facts)
        if (!is_empty(value)) sum += value_hash(key_hash(key), value);
    return std::bit_cast<std::int64_t>(sum);
}

std::string sql_name(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + "\"";
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

// Which column holds which key.
using Columns = std::map<std::string, std::string>;

Result<Columns> read_columns(Database& database) {
    Columns columns;
    PLIMSOLL_ASSIGN(statement, database.prepare("SELECT key, name FROM columns"));
    for (;;) {
        PLIMSOLL_ASSIGN(more, statement.step());
        if (!more) return columns;
        columns[statement.text(0)] = statement.text(1);
    }
}

Result<int> version_of(Database& database) {
    PLIMSOLL_ASSIGN(statement, database.prepare("PRAGMA user_version"));
    PLIMSOLL_ASSIGN(there, statement.step());
    return there ? static_cast<int>(statement.number(0)) : 0;
}

std::string select_text(const Columns& columns) {
    std::string sql = "SELECT id, signature, checksum";
    for (const auto& [key, name] : columns) sql += ", " + sql_name(name);
    return sql + " FROM runs";
}

// The rows of one statement; those with a wrong checksum are passed over.
Result<IndexedRows> read_rows(Statement& statement, const Columns& columns) {
    IndexedRows rows;
    for (;;) {
        PLIMSOLL_ASSIGN(more, statement.step());
        if (!more) return rows;
        IndexedRow row{statement.text(1), {}};
        row.facts.reserve(columns.size());
        int column = 3;
        for (const auto& [key, name] : columns) {
            Cell cell = statement.cell(column++);
            if (!is_empty(cell)) row.facts.emplace_back(key, std::move(cell));
        }
        const std::string id = statement.text(0);
        if (statement.number(2) == checksum(id, row.signature, row.facts)) rows[id] = std::move(row);
    }
}

Status make_tables(Database& database) {
    return database.run(
        fmt::format("CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, signature TEXT, checksum INTEGER);"
                    "CREATE TABLE IF NOT EXISTS columns (key TEXT PRIMARY KEY, name TEXT);"
                    "PRAGMA user_version = {}",
                    format_version));
}

// Column names are the same to SQLite whatever their case; a key whose name is taken gets a number instead.
Status add_columns(Database& database, Columns& columns, const IndexChange& change) {
    std::set<std::string> taken{"id", "signature", "checksum"}, keys;
    for (const auto& [key, name] : columns) taken.insert(lower(name));
    for (const auto& row : change.rows)
        for (const auto& [key, value] : *row.facts)
            if (!columns.contains(key)) keys.insert(key);
    if (columns.size() + keys.size() > most_keys)
        return io_error("index.sqlite", fmt::format("takes {} keys at most", most_keys));
    PLIMSOLL_ASSIGN(insert, database.prepare("INSERT INTO columns (key, name) VALUES (?, ?)"));
    for (const auto& key : keys) {
        const bool plain = key.find('\0') == std::string::npos && taken.insert(lower(key)).second;
        const std::string name = plain ? key : fmt::format("key {}", columns.size());
        taken.insert(name);
        PLIMSOLL_RETURN_IF_ERROR(database.run(fmt::format("ALTER TABLE runs ADD COLUMN {}", sql_name(name))));
        insert.bind(1, std::string_view(key));
        insert.bind(2, std::string_view(name));
        PLIMSOLL_RETURN_IF_ERROR(insert.step());
        columns[key] = name;
    }
    return {};
}

std::string insert_text(const Columns& columns) {
    std::string names = "id, signature, checksum", marks = "?, ?, ?";
    for (const auto& [key, name] : columns) {
        names += ", " + sql_name(name);
        marks += ", ?";
    }
    return fmt::format("INSERT OR REPLACE INTO runs ({}) VALUES ({})", names, marks);
}

Status insert_rows(Database& database, const Columns& columns, const std::vector<ChangedRow>& rows) {
    PLIMSOLL_ASSIGN(insert, database.prepare(insert_text(columns)));
    std::map<std::string, int> parameters;
    for (const auto& [key, name] : columns) parameters.emplace(key, 4 + static_cast<int>(parameters.size()));
    for (const ChangedRow& row : rows) {
        insert.bind(1, std::string_view(row.id));
        insert.bind(2, std::string_view(row.signature));
        insert.bind(3, checksum(row.id, row.signature, *row.facts));
        for (const auto& [key, parameter] : parameters) insert.bind(parameter, Cell());
        for (const auto& [key, value] : *row.facts) insert.bind(parameters.at(key), value);
        PLIMSOLL_RETURN_IF_ERROR(insert.step());
    }
    return {};
}

Status remove_rows(Database& database, const std::vector<std::string>& ids) {
    PLIMSOLL_ASSIGN(remove, database.prepare("DELETE FROM runs WHERE id = ?"));
    for (const auto& id : ids) {
        remove.bind(1, std::string_view(id));
        PLIMSOLL_RETURN_IF_ERROR(remove.step());
    }
    return {};
}

Status change_inside(Database& database, const IndexChange& change) {
    PLIMSOLL_RETURN_IF_ERROR(make_tables(database));
    PLIMSOLL_ASSIGN(columns, read_columns(database));
    PLIMSOLL_RETURN_IF_ERROR(add_columns(database, columns, change));
    PLIMSOLL_RETURN_IF_ERROR(insert_rows(database, columns, change.rows));
    return remove_rows(database, change.gone);
}

}  // namespace

Result<IndexedRows> read_index(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(database, Database::open(path));
    PLIMSOLL_RETURN_IF_ERROR(database.run("BEGIN"));
    PLIMSOLL_ASSIGN(version, version_of(database));
    if (version != format_version)
        return bad_input(path.filename(), fmt::format("has format {}, wanted {}", version, format_version));
    PLIMSOLL_ASSIGN(columns, read_columns(database));
    PLIMSOLL_ASSIGN(statement, database.prepare(select_text(columns)));
    return read_rows(statement, columns);
}

Status change_index(const std::filesystem::path& path, const IndexChange& change) {
    PLIMSOLL_ASSIGN(database, Database::open(path));
    PLIMSOLL_RETURN_IF_ERROR(database.run("BEGIN IMMEDIATE"));
    PLIMSOLL_RETURN_IF_ERROR(change_inside(database, change));
    return database.run("COMMIT");
}

}  // namespace plimsoll::store
