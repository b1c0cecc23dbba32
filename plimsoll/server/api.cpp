#include "plimsoll/server/api.h"

#include <algorithm>
#include <utility>

#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/server/inside.h"
#include "plimsoll/server/map_data.h"
#include "plimsoll/server/rank_stream.h"
#include "plimsoll/server/upload.h"

namespace plimsoll::server {
namespace {

constexpr int method_not_allowed = 405, unavailable = 503;
constexpr std::size_t most_page_bytes = 50'000'000;

// As somebody would type it.
std::string typed(const std::vector<std::string>& words) {
    std::string text = "plimsoll";
    for (const auto& word : words) text += " " + shell_word(word);
    return text;
}

Response answered(std::string body, const std::vector<std::string>& words) {
    Response response{200, "application/json", std::move(body)};
    response.headers.emplace_back("Plimsoll-Command", typed(words));
    return response;
}

// A report draws with scripts of its own; in a sandbox they reach neither the API nor anything else.
Response sandboxed(std::string page) {
    Response response{200, "text/html; charset=utf-8", std::move(page)};
    response.headers.emplace_back("Content-Security-Policy",
                                  "sandbox allow-scripts allow-downloads; default-src 'none'; script-src "
                                  "'unsafe-inline' 'unsafe-eval'; "
                                  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:");
    return response;
}

Response fit_page(const Result<Fits::Answer>& report) {
    if (!report.ok()) return refusal(report.error());
    if (!report->page) return {200, "text/plain; charset=utf-8", report->text};
    return sandboxed(report->text);
}

std::string as_it_is(const std::string& output) { return output; }

// Of a row of `runs list` with all its keys those that the page shows: ten thousand runs would be 20 MB.
std::string shown_of_runs(const std::string& output) {
    const auto document = parse_json(output, "runs");
    if (!document.ok() || !document->contains("rows")) return output;
    Json shown = *document;
    Json rows = Json::array();
    for (const auto& run : shown.at("rows")) {
        Json row = Json::object();
        for (const char* key :
             {"id", "name", "phase", "step", "train.steps", "loss", "validation.loss", "parameters",
              "model.spec", "data.name", "optimizer.lr", "seconds", "started", "device", "reason"})
            if (run.contains(key)) row[key] = run.at(key);
        rows.push_back(std::move(row));
    }
    shown["rows"] = std::move(rows);
    return on_one_line(shown);
}

// Whether the question is about a model of the zoo and nothing else.
const std::string* plain_zoo_question(const Endpoint& endpoint, const Request& request) {
    if (endpoint.verb != "audit" || request.query.size() != 1) return nullptr;
    return request.parameter("model");
}

}  // namespace

Response refusal(const Error& error) {
    if (error.kind == ErrorKind::io && error.where == "server") {
        auto busy = refusal(unavailable, error.where, error.message);
        busy.headers.emplace_back("Retry-After", "1");
        return busy;
    }
    const std::map<ErrorKind, int> statuses{{ErrorKind::bad_input, 400},
                                            {ErrorKind::not_found, 404},
                                            {ErrorKind::unsupported, 422},
                                            {ErrorKind::io, 500}};
    return refusal(statuses.at(error.kind), error.where, error.message);
}

std::optional<std::string> KeptAnswers::find(const std::string& question) {
    const std::lock_guard guard(mutex_);
    const auto place = places_.find(question);
    if (place == places_.end()) return std::nullopt;
    answers_.splice(answers_.begin(), answers_, place->second);
    return answers_.front().text;
}

void KeptAnswers::keep(const std::string& question, const std::string& answer) {
    const std::lock_guard guard(mutex_);
    if (places_.contains(question) || answer.size() > most_bytes_ / 4) return;
    answers_.push_front({question, answer});
    places_[question] = answers_.begin();
    for (bytes_ += answer.size(); bytes_ > most_bytes_;) {
        bytes_ -= answers_.back().text.size();
        places_.erase(answers_.back().question);
        answers_.pop_back();
    }
}

Result<std::unique_ptr<Api>> Api::make(const ApiSettings& settings) {
    PLIMSOLL_ASSIGN(scratch, ScratchFolder::make("serve"));
    std::error_code problem;
    std::filesystem::create_directory(scratch.path() / "empty", problem);
    if (problem) return io_error(scratch.path().string(), problem.message());
    PLIMSOLL_ASSIGN(page, PageFiles::of(packed_page()));
    return std::unique_ptr<Api>(new Api(settings, std::move(scratch), std::move(page)));
}

Api::Api(const ApiSettings& settings, ScratchFolder scratch, PageFiles page)
    : settings_(settings),
      scratch_(std::move(scratch)),
      page_(std::move(page)),
      fits_(settings.program, settings.runs / "fits"),
      openapi_(indented(openapi())),
      kept_(settings.kept_bytes),
      computations_(settings.program, scratch_.path() / "empty", settings.limits) {}

std::uint64_t Api::body_limit(const Request& request) const {
    return request.method == "POST" && request.path == "/api/v1/audit" ? settings_.upload_bytes : 0;
}

void Api::answer(const std::shared_ptr<Exchange>& exchange) {
    const Request& request = exchange->request();
    std::string path_value;
    if (const auto* endpoint = find_endpoint(request, path_value))
        return answer_endpoint(*endpoint, exchange, path_value);
    if (request.method != "GET" && request.method != "HEAD")
        return exchange->respond(
            refusal(method_not_allowed, "method", "must be GET, HEAD, or POST where the API says so"));
    if (auto file = page_.answer(request)) return exchange->respond(std::move(*file));
    if (request.path == "/" && page_.empty()) return exchange->respond(no_page());
    exchange->respond(refusal(404, "address", "has nothing; /api/v1/openapi.json lists what there is"));
}

void Api::answer_endpoint(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                          const std::string& path_value) {
    auto words = words_of(endpoint, exchange->request(), path_value);
    if (!words.ok()) return exchange->respond(refusal(words.error()));
    if (endpoint.verb.empty()) return answer_by_server(endpoint, exchange, path_value);
    if (const auto* name = plain_zoo_question(endpoint, exchange->request())) {
        const auto row = audit::find_in_zoo(*name);  // words_of() has found it
        return zoo_.when_ready([this, exchange, words = *words, name = audit::zoo_argument(**row)] {
            exchange->respond(answered(zoo_.audit(name), words));
        });
    }
    auto all = std::move(words).value();
    if (endpoint.of_runs) {
        const auto folder = folder_of_runs(exchange->request());
        if (!folder.ok()) return exchange->respond(refusal(folder.error()));
        const auto* other = exchange->request().parameter("with");
        for (const std::string& id : {path_value, other == nullptr ? path_value : *other})
            if (const auto inside = check_links(settings_.runs, *folder / id); !inside.ok())
                return exchange->respond(refusal(inside.error()));
        all.push_back("--runs=" + folder->string());
    }
    compute(endpoint, exchange, std::move(all));
}

void Api::answer_by_server(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                           const std::string& path_value) {
    if (endpoint.path.starts_with("/api/v1/fits")) return answer_about_fits(endpoint, exchange, path_value);
    if (endpoint.path.starts_with("/api/v1/experiments")) return draw_report(exchange, path_value);
    if (endpoint.path == "/api/v1/map")
        return zoo_.when_ready(
            [this, exchange] { exchange->respond({200, "application/json", zoo_.map()}); });
    if (endpoint.path == "/api/v1/openapi.json")
        return exchange->respond({200, "application/json", openapi_});
    if (endpoint.path == "/api/v1/advise/config") return emit_config(exchange);
    if (endpoint.path == "/api/v1/rank/stream") return stream_rank(exchange);
    if (endpoint.method == "POST") return audit_upload(exchange);
    const auto* given = exchange->request().parameter("context");
    const auto context = parse_count(given == nullptr ? "1024" : *given, "context");
    if (!context.ok()) return exchange->respond(refusal(context.error()));
    if (!fields_.contains(*context)) {
        const auto field = field_json(*context);
        if (!field.ok()) return exchange->respond(refusal(field.error()));
        fields_[*context] = on_one_line(*field);
    }
    exchange->respond({200, "application/json", fields_[*context]});
}

// The folder of runs, or that of the runs of a fit.
Result<std::filesystem::path> Api::folder_of_runs(const Request& request) const {
    const auto* fit = request.parameter("fit");
    if (fit == nullptr) return settings_.runs;
    const bool is_id = fit->size() == 16 && fit->find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!is_id) return bad_input("fit", "must be an id, 16 hexadecimal digits");
    return fits_.runs_of(*fit);
}

void Api::answer_about_fits(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                            const std::string& id) {
    const auto give = [&](const Result<Json>& json) {
        exchange->respond(json.ok() ? Response{200, "application/json", on_one_line(*json)}
                                    : refusal(json.error()));
    };
    const bool starts = endpoint.method == "POST" && id.empty();
    if (endpoint.path.ends_with("/report")) return exchange->respond(fit_page(fits_.report(id)));
    if (endpoint.method == "GET" && id.empty()) return give(fits_.list());
    if (endpoint.method == "GET") return give(fits_.show(id));
    auto words = words_of(endpoint, exchange->request(), id);
    if (!words.ok()) return exchange->respond(refusal(words.error()));
    if (starts) {
        auto all = std::move(words).value();
        all.insert(all.begin(), "fit");
        const auto started = fits_.start(all);
        return started.ok() ? give(fits_.show(*started)) : exchange->respond(refusal(started.error()));
    }
    const auto status = endpoint.path.ends_with("/stop") ? fits_.stop(id) : fits_.resume(id);
    return status.ok() ? give(fits_.show(id)) : exchange->respond(refusal(status.error()));
}

void Api::compute(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                  std::vector<std::string> words) {
    const std::string question = join(words, "\n");
    if (auto known = endpoint.kept ? kept_.find(question) : std::nullopt)
        return exchange->respond(answered(std::move(*known), words));
    Computation computation{words, exchange->request().client, {}};
    if (endpoint.says_json) computation.words.emplace_back("--json");
    const auto shown = endpoint.path == "/api/v1/runs" ? shown_of_runs : as_it_is;
    const auto done = [this, exchange, question, words, shown,
                       kept = endpoint.kept](const ComputationEnd& end) {
        if (!end.output.ok()) return exchange->respond(refusal(end.output.error()));
        if (kept) kept_.keep(question, *end.output);
        exchange->respond(answered(shown(*end.output), words));
    };
    const auto ticket = computations_.start(std::move(computation), done);
    if (!ticket.ok()) return exchange->respond(refusal(ticket.error()));
    exchange->when_gone([ticket = *ticket] { ticket.cancel(); });
}

void Api::emit_config(const std::shared_ptr<Exchange>& exchange) {
    const auto words =
        words_of(*std::ranges::find(endpoints(), "advise", &Endpoint::verb), exchange->request(), "");
    if (!words.ok()) return exchange->respond(refusal(words.error()));
    auto made = ScratchFolder::make("emit");
    if (!made.ok()) return exchange->respond(refusal(made.error()));
    const auto folder = std::make_shared<ScratchFolder>(std::move(made).value());
    Computation computation{*words, exchange->request().client, folder->path()};
    for (const char* word : {"--emit=config.json", "--json"}) computation.words.emplace_back(word);
    const auto done = [exchange, folder](const ComputationEnd& end) {
        exchange->respond(end.output.ok() ? emitted_file(folder->path()) : refusal(end.output.error()));
    };
    const auto ticket = computations_.start(std::move(computation), done);
    if (!ticket.ok()) return exchange->respond(refusal(ticket.error()));
    exchange->when_gone([ticket = *ticket] { ticket.cancel(); });
}

// The page that `plimsoll report` writes of an experiment; its text where nothing is there to draw figures.
void Api::draw_report(const std::shared_ptr<Exchange>& exchange, const std::string& experiment) {
    const auto words =
        words_of(*std::ranges::find(endpoints(), "report", &Endpoint::verb), exchange->request(), experiment);
    if (!words.ok()) return exchange->respond(refusal(words.error()));
    auto made = ScratchFolder::make("report");
    if (!made.ok()) return exchange->respond(refusal(made.error()));
    const auto folder = std::make_shared<ScratchFolder>(std::move(made).value());
    Computation computation{*words, exchange->request().client, folder->path()};
    for (const char* word : {"--out=report.html", "--markdown"}) computation.words.emplace_back(word);
    const auto done = [exchange, folder](const ComputationEnd& end) {
        const auto page = read_text(folder->path() / "report.html", most_page_bytes);
        if (page.ok()) return exchange->respond(sandboxed(*page));
        const auto text = read_text(folder->path() / "report.md", most_page_bytes);
        if (text.ok()) return exchange->respond({200, "text/plain; charset=utf-8", *text});
        exchange->respond(refusal(end.output.ok() ? text.error() : end.output.error()));
    };
    const auto ticket = computations_.start(std::move(computation), done);
    if (!ticket.ok()) return exchange->respond(refusal(ticket.error()));
    exchange->when_gone([ticket = *ticket] { ticket.cancel(); });
}

void Api::audit_upload(const std::shared_ptr<Exchange>& exchange) {
    const Request& request = exchange->request();
    auto stored = store_upload(request);
    if (!stored.ok()) return exchange->respond(refusal(stored.error()));
    const auto upload = std::make_shared<Upload>(std::move(stored).value());
    Computation computation{upload->words, request.client, upload->folder.path() / "upload"};
    const auto done = [exchange, upload](const ComputationEnd& end) {
        exchange->respond(end.output.ok() ? Response{200, "application/json", *end.output}
                                          : refusal(end.output.error()));
    };
    const auto ticket = computations_.start(std::move(computation), done);
    if (!ticket.ok()) return exchange->respond(refusal(ticket.error()));
    exchange->when_gone([ticket = *ticket] { ticket.cancel(); });
}

void Api::stream_rank(const std::shared_ptr<Exchange>& exchange) {
    const auto words =
        words_of(*std::ranges::find(endpoints(), "rank", &Endpoint::verb), exchange->request(), "");
    if (!words.ok()) return exchange->respond(refusal(words.error()));
    RankStream::start(computations_, exchange, *words);
}

}  // namespace plimsoll::server
