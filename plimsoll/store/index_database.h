#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/store/run_facts.h"

struct sqlite3;
struct sqlite3_stmt;

// The little of SQLite that the index needs, with its refusals as errors.
namespace plimsoll::store {

// A prepared statement; moves but does not copy.
class Statement {
  public:
    explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
    Statement(Statement&&) noexcept = default;
    Statement& operator=(Statement&&) noexcept = default;
    ~Statement();

    // Parameters count from 1. The text must live until the next step().
    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::int64_t number);
    void bind(int parameter, const Cell& cell);
    // True while there is a row; after false the statement can be used again.
    Result<bool> step();

    // Columns count from 0.
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::int64_t number(int column) const;
    [[nodiscard]] Cell cell(int column) const;

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// An open database; moves but does not copy. A lock of another process is waited for, for a moment.
class Database {
  public:
    // Opens the file, made when absent.
    static Result<Database> open(const std::filesystem::path& path);

    Status run(const std::string& sql);
    Result<Statement> prepare(const std::string& sql);

  private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    Database(sqlite3* database, std::string name) : database_(database), name_(std::move(name)) {}
    std::unique_ptr<sqlite3, Close> database_;
    std::string name_;
};

}  // namespace plimsoll::store
