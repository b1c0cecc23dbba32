#include "plimsoll/store/run_state.h"

#include <fstream>

#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/process_identity.h"

namespace plimsoll::store {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& phase_names() {
    static const std::vector<std::string> names{"created", "running", "done", "failed"};
    return names;
}

Result<Phase> phase_named(const std::string& name, const std::string& where) {
    const auto& names = phase_names();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Phase>(i);
    return bad_input(where, fmt::format("no phase '{}'{}", name, suggestion(name, names)));
}

}  // namespace

std::string phase_name(Phase phase) { return phase_names().at(static_cast<std::size_t>(phase)); }

Result<RunState> read_state(const fs::path& run_folder) {
    const fs::path path = run_folder / "state.json";
    const auto json = read_json(path);
    if (!json.ok() && json.error().kind == ErrorKind::not_found) return RunState{};
    if (!json.ok()) return json.error();
    const bool fits = json->is_object() && json->size() == 3 && json->contains("phase") &&
                      json->contains("step") && json->contains("reason") && json->at("phase").is_string() &&
                      json->at("step").is_number_integer() && json->at("reason").is_string();
    if (!fits) return bad_input(path.string(), "wants the keys phase, step and reason");
    PLIMSOLL_ASSIGN(phase, phase_named(json->at("phase"), path.string()));
    return RunState{phase, json->at("step"), json->at("reason")};
}

Status write_state(const fs::path& run_folder, const fs::path& work, const RunState& state) {
    Json json;
    json["phase"] = phase_name(state.phase);
    json["step"] = state.step;
    json["reason"] = state.reason;
    return replace_file(work, run_folder / "state.json",
                        json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Writer read_writer(const fs::path& run_folder) {
    std::ifstream file(run_folder / "run.lock");
    Writer writer;
    file >> writer.process >> writer.host;
    return writer;
}

Result<FileLock> lock_run(const fs::path& run_folder) {
    const fs::path path = run_folder / "run.lock";
    auto lock = FileLock::try_now(path);
    if (!lock.ok() && lock.error().kind == ErrorKind::unsupported) {
        const Writer writer = read_writer(run_folder);
        return unsupported(fmt::format("run {}", run_folder.filename().string()),
                           fmt::format("is being written by process {} on {}", writer.process, writer.host));
    }
    // Not atomic_write: the lock lies on this very file. A full disk loses a name, no more.
    if (lock.ok()) std::ofstream(path, std::ios::trunc) << ::getpid() << ' ' << host_name() << '\n';
    return lock;
}

}  // namespace plimsoll::store
