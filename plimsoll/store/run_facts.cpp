#include "plimsoll/store/run_facts.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/store/run_state.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t first_piece = 16'384;  // of metrics.jsonl, from its end

Cell cell_of(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float() && std::isnan(value.get<double>())) return "nan";
    if (value.is_number_float()) return value.get<double>();
    if (value.is_number_integer() &&
        (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX}))
        return value.get<std::int64_t>();
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void flatten_into(Facts& facts, const std::string& prefix, const Json& table) {
    for (const auto& [name, value] : table.items()) {
        if (value.is_object())
            flatten_into(facts, prefix + name + ".", value);
        else
            facts.emplace_back(prefix + name, cell_of(value));
    }
}

// The last `bytes` of a file; all of it when it is shorter.
Result<std::string> end_of(const fs::path& path, std::uint64_t size, std::uint64_t bytes) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text(std::min(size, bytes), '\0');
    const auto start = static_cast<off_t>(size - text.size());
    const ssize_t got = file.get() < 0 ? -1 : ::pread(file.get(), text.data(), text.size(), start);
    if (got < 0) return io_error(path.string(), std::generic_category().message(errno));
    text.resize(static_cast<std::size_t>(got));
    return text;
}

// What the last rows of metrics.jsonl say.
struct LastRows {
    std::optional<Json> loss, validation;
    std::size_t half = 0;  // bytes after the last line end
    std::string problem;

    [[nodiscard]] bool complete() const { return (loss && validation) || !problem.empty(); }
};

void take_row(LastRows& last, std::string_view line, const fs::path& path) {
    const auto row = parse_json(line, path.filename().string());
    if (!row.ok() || !row->is_object()) {
        last.problem = row.ok() ? path.filename().string() + ": a row that is no object" : row.error().text();
        return;
    }
    if (!last.loss && row->contains("loss")) last.loss = row->at("loss");
    if (!last.validation && row->contains("validation")) last.validation = row->at("validation");
}

// The whole lines of `text` from the last to the first, which is whole only at the start of the file.
LastRows last_rows(std::string_view text, bool from_the_start, const fs::path& path) {
    LastRows last;
    const auto end = text.rfind('\n');
    last.half = end == std::string_view::npos ? text.size() : text.size() - end - 1;
    text.remove_suffix(last.half);
    while (!text.empty() && !last.complete()) {
        const auto before = text.substr(0, text.size() - 1).rfind('\n');
        if (before == std::string_view::npos && !from_the_start) break;
        const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
        take_row(last, text.substr(start, text.size() - start - 1), path);
        text = text.substr(0, start);
    }
    return last;
}

// Reads ever longer ends of the file until both kinds of row are found.
Result<LastRows> read_last_rows(const fs::path& path) {
    struct stat file{};
    if (::stat(path.c_str(), &file) != 0) return LastRows{};
    const auto size = static_cast<std::uint64_t>(file.st_size);
    for (std::uint64_t bytes = first_piece;; bytes *= 8) {
        PLIMSOLL_ASSIGN(text, end_of(path, size, bytes));
        LastRows last = last_rows(text, bytes >= size, path);
        if (last.complete() || bytes >= size) return last;
    }
}

class Reader {
  public:
    Reader(const fs::path& folder, const DerivedFacts& derive) : folder_(folder), derive_(derive) {}

    Facts read() {
        read_config();
        read_state_file();
        read_metrics_file();
        read_environment();
        if (!problem_.empty()) add("problem", problem_);
        return std::move(facts_);
    }

  private:
    // What a run says itself counts more than a key of the same name in its config.
    void add(std::string key, Cell value) {
        if (is_empty(value)) return;
        const auto before = std::ranges::find(facts_, key, &Facts::value_type::first);
        if (before == facts_.end())
            facts_.emplace_back(std::move(key), std::move(value));
        else
            before->second = std::move(value);
    }
    void fail(const std::string& text) {
        if (problem_.empty()) problem_ = text;
    }

    void read_config() {
        const auto text = read_text(folder_ / "config.toml");
        if (!text.ok()) return fail("config.toml: " + text.error().message);
        if (run_id(*text) != folder_.filename().string())
            fail(fmt::format("config.toml: was changed: its hash is {}", run_id(*text)));
        const auto config = parse_toml(*text, "config.toml");
        if (!config.ok()) return fail(config.error().text());
        for (auto& [key, value] : flattened(*config)) add(key, std::move(value));
        const Json spec = config->contains("model") && config->at("model").is_object()
                              ? config->at("model").value("spec", Json())
                              : Json();
        if (spec.is_string())
            add("family", spec.get<std::string>().substr(0, spec.get<std::string>().find(':')));
        if (!derive_) return;
        for (auto& [key, value] : derive_(*config)) add(key, std::move(value));
    }

    void read_state_file() {
        const auto state = read_state(folder_);
        if (!state.ok()) return fail("state.json: " + state.error().message);
        add("phase", phase_name(state->phase));
        add("step", state->step);
        if (!state->reason.empty()) add("reason", state->reason);
    }

    void read_metrics_file() {
        const auto last = read_last_rows(folder_ / "metrics.jsonl");
        if (!last.ok()) return fail("metrics.jsonl: " + last.error().message);
        if (!last->problem.empty()) fail(last->problem);
        if (last->loss) add("loss", cell_of(*last->loss));
        if (last->validation && last->validation->is_object())
            for (auto& [key, value] : flattened(Json{{"validation", *last->validation}}))
                add(key, std::move(value));
        if (last->half > 0)
            add("note", fmt::format("metrics.jsonl ends in half a line ({} bytes)", last->half));
    }

    void read_environment() {
        const auto json = read_json(folder_ / "environment.json");
        if (!json.ok() && json.error().kind == ErrorKind::not_found) return;
        const bool fits =
            json.ok() && json->is_object() && json->contains("sessions") && json->at("sessions").is_array();
        if (!fits) return fail("environment.json: wants the list sessions");
        double seconds = 0;
        const Json& sessions = json->at("sessions");
        for (const Json& session : sessions)
            if (session.is_object() && session.contains("seconds") && session["seconds"].is_number())
                seconds += session["seconds"].get<double>();
        add("sessions", static_cast<std::int64_t>(sessions.size()));
        if (seconds > 0) add("seconds", seconds);
        if (sessions.empty() || !sessions.front().is_object() || !sessions.back().is_object()) return;
        add_last_session(sessions.front(), sessions.back());
    }

    void add_last_session(const Json& first, const Json& last) {
        add("started", cell_of(first.value("started", Json())));
        add("ended", cell_of(last.value("ended", Json())));
        add("device", cell_of(last.value("device", Json())));
        const Json machine = last.value("machine", Json());
        if (machine.is_object()) add("host", cell_of(machine.value("host", Json())));
    }

    const fs::path& folder_;
    const DerivedFacts& derive_;
    Facts facts_;
    std::string problem_;
};

}  // namespace

std::string cell_text(const Cell& cell) {
    if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
    if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return "";
}

Json cell_json(const Cell& cell) {
    if (const auto* truth = std::get_if<bool>(&cell)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
    if (const auto* real = std::get_if<double>(&cell)) return *real;
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return nullptr;
}

bool is_number(const Cell& cell) {
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

double number_of(const Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
    return std::get<double>(cell);
}

Facts flattened(const Json& table) {
    Facts facts;
    if (table.is_object()) flatten_into(facts, "", table);
    return facts;
}

Facts read_run_facts(const fs::path& folder, const DerivedFacts& derive) {
    return Reader(folder, derive).read();
}

}  // namespace plimsoll::store
