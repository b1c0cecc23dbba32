#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "plimsoll/base/result.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/server/computations.h"
#include "plimsoll/server/endpoints.h"
#include "plimsoll/server/fits.h"
#include "plimsoll/server/http/message.h"
#include "plimsoll/server/page_files.h"
#include "plimsoll/server/zoo_answers.h"

// From a request to its answer: the page, the API of endpoints(), and nothing else.
namespace plimsoll::server {

struct ApiSettings {
    std::filesystem::path program;  // that answers as a child
    std::filesystem::path runs;     // the folder of runs; absolute
    ComputationLimits limits;
    std::uint64_t upload_bytes = 32'000'000;
    std::size_t kept_bytes = 64'000'000;  // of answers that are given again
};

// Answers that stay the same, the least recently used going first.
class KeptAnswers {
  public:
    explicit KeptAnswers(std::size_t most_bytes) : most_bytes_(most_bytes) {}
    std::optional<std::string> find(const std::string& question);
    void keep(const std::string& question, const std::string& answer);

  private:
    struct Answer {
        std::string question, text;
    };
    std::mutex mutex_;
    std::size_t most_bytes_, bytes_ = 0;
    std::list<Answer> answers_;  // the most recent first
    std::map<std::string, std::list<Answer>::iterator> places_;
};

class Api {
  public:
    static Result<std::unique_ptr<Api>> make(const ApiSettings& settings);

    // On the server's thread; what takes time goes to children.
    void answer(const std::shared_ptr<Exchange>& exchange);
    [[nodiscard]] std::uint64_t body_limit(const Request& request) const;
    [[nodiscard]] bool has_page() const { return !page_.empty(); }
    // Cancels what runs; a fit stops at a checkpoint.
    void stop() {
        computations_.stop();
        fits_.stop_all();
    }

  private:
    Api(const ApiSettings& settings, ScratchFolder scratch, PageFiles page);

    void answer_endpoint(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                         const std::string& path_value);
    void answer_by_server(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                          const std::string& path_value);
    void answer_about_fits(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                           const std::string& id);
    [[nodiscard]] Result<std::filesystem::path> folder_of_runs(const Request& request) const;
    void compute(const Endpoint& endpoint, const std::shared_ptr<Exchange>& exchange,
                 std::vector<std::string> words);
    void emit_config(const std::shared_ptr<Exchange>& exchange);
    void draw_report(const std::shared_ptr<Exchange>& exchange, const std::string& experiment);
    void audit_upload(const std::shared_ptr<Exchange>& exchange);
    void stream_rank(const std::shared_ptr<Exchange>& exchange);

    ApiSettings settings_;
    ScratchFolder scratch_;
    PageFiles page_;
    Fits fits_;
    std::string openapi_;
    std::map<std::int64_t, std::string> fields_;
    KeptAnswers kept_;
    ZooAnswers zoo_;
    Computations computations_;  // last: its threads use the others
};

// The answer to what cannot be answered, with the status of its kind.
Response refusal(const Error& error);

}  // namespace plimsoll::server
