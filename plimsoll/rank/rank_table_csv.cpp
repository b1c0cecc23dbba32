// Tables of ranks as CSV files: one line per row, quotes only around fields with commas.
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/rank/rank_table.h"

namespace plimsoll::rank {
namespace {

constexpr std::string_view heading =
    "spec,series,depth,positions,partition,output,primes,seeds,construction,rank,exact,bound,size,slack,"
    "error_probability_log10,seconds,bounds";
constexpr std::size_t table_columns = 17;

std::string quoted(const std::string& field) {
    return field.find(',') == std::string::npos ? field : "\"" + field + "\"";
}

template <class Value>
std::string optional_text(const std::optional<Value>& value) {
    return value ? fmt::format("{}", *value) : "";
}

// "FIX-T4<=2.04;LEVINE-MS-LOWER>=0.3": which way, and log10.
std::string bounds_text(const std::vector<RowBound>& bounds) {
    std::vector<std::string> words;
    for (const auto& bound : bounds)
        words.push_back(fmt::format("{}{}{:.6f}", bound.id, bound.upper ? "<=" : ">=", bound.log10));
    return join(words, ";");
}

Result<std::vector<RowBound>> parse_bounds(std::string_view text, std::string_view where) {
    std::vector<RowBound> bounds;
    for (const auto& word : split(text, ';')) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals < 2)
            return bad_input(std::string(where), fmt::format("'{}' is no bound", word));
        PLIMSOLL_ASSIGN(log10, parse_real(word.substr(equals + 1), where));
        bounds.push_back({word.substr(0, equals - 1), log10, word[equals - 1] == '<'});
    }
    return bounds;
}

std::string csv_line(const RankRow& row) {
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{}\n", quoted(row.spec),
                       quoted(row.series), row.depth, optional_text(row.positions), quoted(row.partition),
                       quoted(row.output), row.primes, row.seeds, row.construction, row.rank,
                       row.exact ? "exact" : "at least", optional_text(row.bound), row.size, row.slack,
                       optional_text(row.error_log10), row.seconds, bounds_text(row.bounds));
}

std::vector<std::string> csv_fields(std::string_view line) {
    std::vector<std::string> fields(1);
    bool inside = false;
    for (const char c : line) {
        if (c == '"') {
            inside = !inside;
        } else if (c == ',' && !inside) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

// Reads the fields of a line one after the other; the first trouble is kept.
class FieldReader {
  public:
    FieldReader(std::vector<std::string> fields, std::string where)
        : fields_(std::move(fields)), where_(std::move(where)) {}

    std::string text() { return fields_[next_++]; }
    template <class Number>
    Number count() {
        return static_cast<Number>(keep(parse_integer(fields_[next_++], where_), std::int64_t{0}));
    }
    template <class Number>
    std::optional<Number> optional_count() {
        if (!fields_[next_].empty()) return count<Number>();
        ++next_;
        return std::nullopt;
    }
    std::optional<double> optional_real() {
        const std::string& field = fields_[next_++];
        if (field.empty()) return std::nullopt;
        return keep(parse_real(field, where_), 0.0);
    }
    std::vector<RowBound> bounds() { return keep(parse_bounds(fields_[next_++], where_), {}); }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    template <class Value>
    Value keep(Result<Value> result, Value fallback) {
        if (result.ok()) return std::move(result).value();
        if (!error_) error_ = result.error();
        return fallback;
    }
    std::vector<std::string> fields_;
    std::string where_;
    std::size_t next_ = 0;
    std::optional<Error> error_;
};

Result<RankRow> parse_line(std::string_view line, const std::string& where) {
    auto fields = csv_fields(line);
    if (fields.size() != table_columns)
        return bad_input(where, fmt::format("must have {} fields, got {}", table_columns, fields.size()));
    FieldReader reader(std::move(fields), where);
    RankRow row;
    row.spec = reader.text();
    row.series = reader.text();
    row.depth = reader.count<std::int64_t>();
    row.positions = reader.optional_count<std::int64_t>();
    row.partition = reader.text();
    row.output = reader.text();
    row.primes = reader.text();
    row.seeds = reader.count<std::uint64_t>();
    row.construction = reader.text();
    row.rank = reader.count<std::size_t>();
    row.exact = reader.text() == "exact";
    row.bound = reader.optional_count<std::size_t>();
    row.size = reader.count<std::size_t>();
    row.slack = reader.count<std::size_t>();
    row.error_log10 = reader.optional_real();
    row.seconds = reader.optional_real().value_or(0);
    row.bounds = reader.bounds();
    if (reader.error()) return *reader.error();
    return row;
}

}  // namespace

std::string to_csv(const std::vector<RankRow>& rows) {
    std::string text = std::string(heading) + "\n";
    for (const auto& row : rows) text += csv_line(row);
    return text;
}

Result<std::vector<RankRow>> read_rank_csv(std::string_view text, std::string_view where) {
    std::vector<RankRow> rows;
    const auto lines = split(text, '\n');
    if (lines.empty() || lines.front() != heading)
        return bad_input(std::string(where),
                         "is not a table of ranks: its heading is another; choose a new file");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        PLIMSOLL_ASSIGN(row, parse_line(lines[i], fmt::format("{} line {}", where, i + 1)));
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace plimsoll::rank
