#include "plimsoll/cli/rank/rank_flags.h"

#include <algorithm>
#include <variant>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"

namespace plimsoll::cli {
namespace {

using rank::RankQuestion;
using rank::TableQuestion;

Result<std::uint64_t> count_in(const std::string& text, const char* where, std::int64_t low,
                               std::int64_t high) {
    PLIMSOLL_ASSIGN(value, parse_integer(text, where));
    if (value < low || value > high)
        return bad_input(where, fmt::format("must be {} to {}, got {}", low, high, value));
    return static_cast<std::uint64_t>(value);
}

Result<std::vector<std::uint64_t>> primes_of(const std::string& text) {
    std::vector<std::uint64_t> primes;
    for (const auto& word : split(text, ',')) {
        PLIMSOLL_ASSIGN(prime, parse_integer(trim(word), "prime"));
        if (prime < 2) return bad_input("prime", fmt::format("must be a prime, got {}", prime));
        primes.push_back(static_cast<std::uint64_t>(prime));
    }
    return primes;
}

// What a spec and a table have in common.
Result<RankQuestion> common_question(const RankFlags& flags) {
    constexpr std::int64_t most_threads = 4096, largest_size = std::int64_t{1} << 40;
    RankQuestion question;
    question.left = flags.left;
    question.partition = flags.partition;
    question.output = flags.output;
    question.force_prime = flags.force_prime;
    question.inputs = flags.tokens ? rank::Inputs::tokens : rank::Inputs::numbers;
    PLIMSOLL_ASSIGN(primes, primes_of(flags.prime));
    question.primes = primes;
    PLIMSOLL_ASSIGN(seeds, count_in(flags.seeds, "seeds", 1, rank::max_seeds));
    question.seeds = seeds;
    PLIMSOLL_ASSIGN(construction, rank::parse_construction(flags.construction));
    question.construction = construction;
    PLIMSOLL_ASSIGN(bytes, parse_bytes(flags.max_memory, "max-memory"));
    question.max_bytes = bytes;
    PLIMSOLL_ASSIGN(threads, count_in(flags.threads, "threads", 0, most_threads));
    question.threads = static_cast<int>(threads);
    if (!flags.max_size.empty()) {
        PLIMSOLL_ASSIGN(size, count_in(flags.max_size, "max-size", 1, largest_size));
        question.max_size = size;
    }
    return question;
}

// Enough that a small network is not limited by them, few enough to be measured in a moment.
std::int64_t usual_positions(const arch::AttentionSpec& spec) {
    constexpr std::int64_t most = 8;
    return std::min(2 * spec.width, most);
}

}  // namespace

Result<RankQuestion> rank_question(const RankFlags& flags) {
    if (flags.spec.empty())
        return bad_input("spec", "missing; for example attention:depth=2,width=4,heads=1");
    if (!flags.out.empty()) return bad_input("out", "works only with --table");
    if (!flags.vega.empty()) return bad_input("vega", "works only with --table");
    if (flags.csv) return bad_input("csv", "works only with --table");
    PLIMSOLL_ASSIGN(spec, find_spec(flags.spec));
    PLIMSOLL_ASSIGN(question, common_question(flags));
    question.spec = spec;
    if (!flags.positions.empty()) {
        PLIMSOLL_ASSIGN(positions, parse_integer(flags.positions, "positions"));
        question.positions = positions;
    } else if (const auto* attention = std::get_if<arch::AttentionSpec>(&spec)) {
        question.positions = usual_positions(*attention);
        note(fmt::format("measured at {} positions, as --positions is not given", *question.positions));
    }
    return question;
}

Result<TableQuestion> table_question(const RankFlags& flags) {
    if (!flags.spec.empty()) return bad_input("table", "has its own spec; give only one of the two");
    if (flags.sup_inf) return bad_input("sup-inf", "takes one spec, not a table");
    PLIMSOLL_ASSIGN(base, common_question(flags));
    return TableQuestion{base, flags.table, flags.positions, flags.out};
}

Result<std::uint64_t> sup_inf_cases(const RankFlags& flags) {
    return count_in(flags.cases, "cases", 1, static_cast<std::int64_t>(rank::max_partitions));
}

void add_rank_flags(CLI::App& verb, RankFlags& flags) {
    verb.add_option("spec", flags.spec,
                    "attention:depth=2,width=4,heads=1, square-mixer:rows=2,cols=4,depth=3, ...");
    verb.add_option("--positions", flags.positions,
                    "positions N of attention (default 2d, at most 8); with --table also 2d, d+2, 2..8");
    auto* left = verb.add_option("--left", flags.left, "side A: positions or entries, counted from 0");
    verb.add_option("--partition", flags.partition,
                    "half (default), interleaved, rows, columns, random:K, all")
        ->excludes(left);
    verb.add_option("--output", flags.output, "coordinate,position or row,column (default 0,0)");
    verb.add_option("--prime", flags.prime, "an odd prime below 2^23, or several (default 8386141)");
    verb.add_flag("--force-prime", flags.force_prime, "accept small primes, with which ranks can be too low");
    verb.add_option("--seeds", flags.seeds, "number of draws of weights and samples")->capture_default_str();
    verb.add_option("--max-size", flags.max_size, "maximum number of rows and columns");
    verb.add_option("--max-memory", flags.max_memory,
                    "maximum memory: 512M, 8G, 1.5GiB (powers of 1024), 8GB (of 1000)")
        ->capture_default_str();
    verb.add_option("--threads", flags.threads, "number of threads; 0: all")->capture_default_str();
    verb.add_option("--construction", flags.construction, "automatic, gram, graded, catalecticant, literal")
        ->capture_default_str();
    verb.add_flag("--tokens", flags.tokens, "inputs are tokens (embedding=vocab), not numbers");
    verb.add_flag("--sup-inf", flags.sup_inf, "largest and smallest rank over partitions and outputs");
    verb.add_option("--cases", flags.cases,
                    "maximum number of cases of --sup-inf; of more, a sample is measured")
        ->capture_default_str();
    verb.add_option("--table", flags.table,
                    "specs with ranges, separated by semicolons: attention:depth=1..3,width=1..6,heads=1");
    verb.add_option("--out", flags.out, "CSV file of --table; its finished rows are not measured again");
    auto* vega = verb.add_option("--vega", flags.vega, "write a Vega-Lite figure of --table to this file");
    verb.add_option("--vega-x", flags.vega_x,
                    "x axis of the figure: depth, positions, heads, ... any number of the specs")
        ->capture_default_str()
        ->needs(vega);
    verb.add_flag("--numeric", flags.numeric,
                  "measure a real network by singular values; flags: plimsoll rank --numeric --help");
    auto* csv = verb.add_flag("--csv", flags.csv, "one line per row of --table");
    verb.add_flag("--json", flags.json, "for programs")->excludes(csv);
}

}  // namespace plimsoll::cli
