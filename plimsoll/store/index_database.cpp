#include "plimsoll/store/index_database.h"

#include <sqlite3.h>

#include "plimsoll/base/format.h"

namespace plimsoll::store {
namespace {

constexpr int wait_milliseconds = 500;  // for a process that is writing the index

// Truth is stored as a blob, so that it comes back as truth: SQLite has no such type.
constexpr std::string_view truth_text = "true", falsehood_text = "false";

// What is wrong with the file is `bad_input`, so that it can be rebuilt; what is wrong now is `io`.
Error problem_of(sqlite3* database, const std::string& where) {
    const int code = sqlite3_errcode(database) & 0xff;
    const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR ||
                         code == SQLITE_SCHEMA || code == SQLITE_MISMATCH || code == SQLITE_RANGE;
    const std::string message = sqlite3_errmsg(database);
    return damaged ? bad_input(where, message) : io_error(where, message);
}

}  // namespace

Statement::~Statement() = default;
void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

void Statement::bind(int parameter, std::string_view text) {
    sqlite3_bind_text(statement_.get(), parameter, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void Statement::bind(int parameter, std::int64_t number) {
    sqlite3_bind_int64(statement_.get(), parameter, number);
}

void Statement::bind(int parameter, const Cell& cell) {
    sqlite3_stmt* statement = statement_.get();
    if (const auto* truth = std::get_if<bool>(&cell)) {
        const std::string_view text = *truth ? truth_text : falsehood_text;
        sqlite3_bind_blob(statement, parameter, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        sqlite3_bind_int64(statement, parameter, *whole);
    } else if (const auto* real = std::get_if<double>(&cell)) {
        sqlite3_bind_double(statement, parameter, *real);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        bind(parameter, std::string_view(*text));
    } else {
        sqlite3_bind_null(statement, parameter);
    }
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    sqlite3* database = sqlite3_db_handle(statement_.get());
    if (code != SQLITE_DONE) {
        const Error error = problem_of(database, "index.sqlite");
        sqlite3_reset(statement_.get());
        return error;
    }
    sqlite3_reset(statement_.get());
    return false;
}

std::string Statement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return bytes == nullptr ? std::string() : std::string(bytes, length);
}

std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

Cell Statement::cell(int column) const {
    switch (sqlite3_column_type(statement_.get(), column)) {
        case SQLITE_INTEGER:
            return number(column);
        case SQLITE_FLOAT:
            return sqlite3_column_double(statement_.get(), column);
        case SQLITE_TEXT:
            return text(column);
        case SQLITE_BLOB:
            return text(column) == truth_text;
        default:
            return {};
    }
}

Result<Database> Database::open(const std::filesystem::path& path) {
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    Database database(opened, path.filename());
    if (code != SQLITE_OK) {
        if (opened == nullptr) return io_error(path.filename(), "no memory for it");
        return problem_of(opened, path.filename());
    }
    sqlite3_busy_timeout(opened, wait_milliseconds);
    return database;
}

Status Database::run(const std::string& sql) {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return problem_of(database_.get(), name_);
}

Result<Statement> Database::prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v2(database_.get(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK) return problem_of(database_.get(), name_);
    return Statement(statement);
}

}  // namespace plimsoll::store
