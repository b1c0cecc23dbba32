#include "plimsoll/cli/answer.h"

#include <algorithm>

#include "plimsoll/cli/app.h"
#include "plimsoll/cli/session.h"

namespace plimsoll::cli {
namespace {

// The thread's session with its output caught, for as long as this lives.
class Caught {
  public:
    explicit Caught(const ProgressCallback& progress) {
        session().capture = &capture_;
        set_progress_listener(progress ? progress : [](std::uint64_t, std::uint64_t) {});
    }
    ~Caught() {
        session().capture = nullptr;
        set_progress_listener({});
    }
    Caught(const Caught&) = delete;
    Caught& operator=(const Caught&) = delete;

    Capture& operator*() { return capture_; }

  private:
    Capture capture_;
};

}  // namespace

Result<Answer> answer(const std::vector<std::string>& words, const ProgressCallback& progress) {
    std::vector<const char*> pointers{"plimsoll"};
    for (const auto& word : words) pointers.push_back(word.c_str());
    if (std::ranges::find(words, "--json") == words.end()) pointers.push_back("--json");
    Caught caught(progress);
    run_verb(static_cast<int>(pointers.size()), pointers.data());
    Capture& capture = *caught;
    if (capture.error) return *capture.error;
    if (!capture.document) return unsupported(words.empty() ? "" : words.front(), "gives no document");
    return Answer{std::move(*capture.document), std::move(capture.notes)};
}

}  // namespace plimsoll::cli
