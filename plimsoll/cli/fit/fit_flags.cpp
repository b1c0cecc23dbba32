#include "plimsoll/cli/fit/fit_flags.h"

#include <algorithm>
#include <map>
#include <thread>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "plimsoll/arch/key_text.h"
#include "plimsoll/arch/transformer_keys.h"
#include "plimsoll/base/device.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/cli/sweep/sweep_run_text.h"
#include "plimsoll/data/readers/standard_input.h"
#include "plimsoll/fit/fit.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

Result<std::int64_t> positive_count(const std::string& text, const char* where) {
    PLIMSOLL_ASSIGN(value, parse_count(text, where));
    if (value < 1) return bad_input(where, fmt::format("must be at least 1, got {}", text));
    return value;
}

Status set_budget(fit::FitRequest& request, const FitFlags& flags) {
    if (!flags.time.empty()) {
        PLIMSOLL_ASSIGN(time, parse_duration(flags.time, "--time"));
        request.seconds = static_cast<double>(time.count());
    }
    if (flags.flops.empty()) return {};
    PLIMSOLL_ASSIGN(flops, parse_real(flags.flops, "--flops"));
    if (flops <= 0) return bad_input("--flops", "must be above 0, got " + flags.flops);
    request.flops = flops;
    return {};
}

Status set_sizes(fit::FitRequest& request, const FitFlags& flags) {
    if (!flags.params.empty()) {
        PLIMSOLL_ASSIGN(parameters, positive_count(flags.params, "--params"));
        request.parameters = parameters;
    }
    if (!flags.context.empty()) {
        PLIMSOLL_ASSIGN(context, positive_count(flags.context, "--context"));
        request.context = context;
    }
    if (flags.vocab == "auto") return {};
    for (const auto& word : split(flags.vocab, ',')) {
        PLIMSOLL_ASSIGN(size, positive_count(word, "--vocab"));
        request.vocabularies.push_back(size);
    }
    return {};
}

// auto: the first GPU, where this program and this machine have one.
std::string device_here(const std::string& asked) {
    if (asked != "auto") return asked;
    return cuda_facts().gpus.empty() ? "cpu" : "cuda";
}

void set_device(fit::FitRequest& request, const FitFlags& flags) {
    const std::string device = device_here(flags.device);
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    request.device = device;
    request.workers = flags.workers > 0 ? flags.workers
                      : device == "cpu" ? cores
                                        : static_cast<int>(split(device, ',').size());
}

Status check_text_files(const std::vector<std::string>& names) {
    for (const auto& name : names) {
        std::error_code ignored;
        if (!fs::exists(name, ignored)) return not_found(name, "no such file");
        if (!fs::is_regular_file(name, ignored))
            return bad_input(name,
                             "several DATA must be text files; put folders into one folder and name that");
    }
    return {};
}

// A run.toml that trains; its network and data are those of the race.
Status set_recipe(fit::FitRequest& request, const FitFlags& flags) {
    if (flags.recipe.empty()) return {};
    PLIMSOLL_ASSIGN(config, run::read_run_config(flags.recipe));
    request.recipe = run::to_toml(config);
    return {};
}

// One name is data.name of a run; several files become one folder in the output.
Status set_data(fit::FitRequest& request, const FitFlags& flags) {
    request.out = flags.out;
    if (flags.data.empty()) return {};
    request.data = flags.data.front();
    if (request.data == "-" && flags.data.size() == 1) {
        if (request.out.empty()) request.out = "fit-standard-input";
        request.data = (request.out / "data" / "standard-input").string();
    }
    if (flags.data.size() == 1) return {};
    PLIMSOLL_RETURN_IF_ERROR(check_text_files(flags.data));
    if (request.out.empty())
        request.out =
            fmt::format("fit-{}-and-{}-more", fs::path(request.data).stem().string(), flags.data.size() - 1);
    request.data = (request.out / "data").string();
    return {};
}

using Links = std::map<std::string, fs::path>;  // name and target

Links links_to(const std::vector<std::string>& files) {
    Links links;
    const auto digits = std::to_string(files.size()).size();
    for (std::size_t i = 0; i < files.size(); ++i)
        links[fmt::format("{:0{}}-{}", i + 1, digits, fs::path(files[i]).filename().string())] =
            fs::absolute(files[i]).lexically_normal();
    return links;
}

Links links_in(const fs::path& folder) {
    Links links;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem))
        links[entry->path().filename().string()] = fs::read_symlink(entry->path(), problem);
    return links;
}

bool needs_quotes(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
    return word.empty() || word.find_first_not_of(plain) != std::string::npos;
}

std::string quoted(const std::string& word) {
    if (!needs_quotes(word)) return word;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

}  // namespace

std::shared_ptr<FitFlags> add_fit_flags(CLI::App& verb) {
    auto flags = std::make_shared<FitFlags>();
    verb.add_option(
        "DATA", flags->data,
        "text files or a folder of them, images, sentence pairs, token ids, an archive, - for standard "
        "input, a name of the catalogue or synthetic:... (docs/DATA.md); none: a small grammar "
        "that is made here");
    add_read_flags(verb, flags->read);
    verb.add_option("--params", flags->params,
                    "parameters of a network: 500K, 10M (default: what the race can train)");
    verb.add_option("--target", flags->target,
                    "sizes that cannot be raced: 300M, or 100M,300M; three smaller ones are raced, and a law "
                    "through their best depths says what to expect there (docs/FIT_METHOD.md, Your law)");
    auto* time =
        verb.add_option("--time", flags->time, "for all of it: 90s, 10m, 1h30m (default 4m, on a GPU 10m)");
    verb.add_option("--flops", flags->flops, "training FLOPs of all runs together, instead of a time: 1e15")
        ->excludes(time);
    verb.add_option("--families", flags->families,
                    "comma-separated: transformer, mixer, rp-mixer, mlp (default: those for the data)");
    verb.add_option(
            "--style", flags->style,
            "layers of the transformers: gpt2, modern (as Qwen 3's; docs/MODELS.md), or auto: modern for "
            "text, gpt2 for all else")
        ->capture_default_str();
    verb.add_option("--vocab", flags->vocab, "vocabularies to try: auto, or 257,500,2000")
        ->capture_default_str();
    verb.add_option("--context", flags->context, "tokens that a network sees (default: from the data)");
    verb.add_option("--recipe", flags->recipe,
                    "a run.toml: every network is trained as it says, at its learning rate and batch; its "
                    "network and data do not count");
    verb.add_option(
            "--device", flags->device,
            "cpu, cuda or cuda:1; several (cuda:0,cuda:1) are shared out; auto: the GPU if there is one")
        ->capture_default_str();
    verb.add_option("--out", flags->out,
                    "folder of the answer; the same command resumes in it (default fit-DATA)");
    verb.add_option("--seed", flags->seed, "first seed of the runs")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    verb.add_option("--workers", flags->workers,
                    "maximum number of training processes (default: one for each core, or each GPU)")
        ->check(CLI::Range(1, 10'000));
    verb.add_option("--data", flags->data_folder, "folder of data sets, as $PLIMSOLL_DATA");
    verb.add_flag("--retry-failed", flags->retry_failed, "train failed runs again");
    verb.add_flag("--no-stack", flags->no_stack,
                  "train every run alone, even where several can train as one");
    verb.add_flag("--dry-run", flags->dry_run,
                  "look at the data, measure the pace, print the plan of the race and stop");
    verb.add_flag("--json", flags->json, "for programs: fit.json alone");
    return flags;
}

Result<fit::FitRequest> request_of(const FitFlags& flags) {
    fit::FitRequest request;
    PLIMSOLL_RETURN_IF_ERROR(set_budget(request, flags));
    PLIMSOLL_RETURN_IF_ERROR(set_sizes(request, flags));
    set_device(request, flags);
    PLIMSOLL_RETURN_IF_ERROR(check_device_names(request.device));
    PLIMSOLL_RETURN_IF_ERROR(set_recipe(request, flags));
    PLIMSOLL_RETURN_IF_ERROR(set_data(request, flags));
    PLIMSOLL_ASSIGN(kind, asked_kind(flags.read));
    PLIMSOLL_ASSIGN(read, read_options(flags.read));
    request.kind = kind;
    request.read = std::move(read);
    request.families = split(flags.families, ',');
    auto styles = arch::transformer_styles();
    styles.emplace_back(fit::automatic_style);
    PLIMSOLL_RETURN_IF_ERROR(arch::read_choice(flags.style, styles, "--style"));
    request.style = flags.style;
    request.seed = flags.seed;
    return fit::with_defaults(request);
}

Status join_text_files(const std::vector<std::string>& files, const fs::path& folder) {
    const Links wanted = links_to(files);
    std::error_code problem;
    if (fs::exists(folder, problem)) {
        if (links_in(folder) == wanted) return {};
        return bad_input("--out", fmt::format("{} has other files; name another folder", folder.string()));
    }
    const fs::path fresh = folder.string() + ".new";
    fs::remove_all(fresh, problem);
    if (!fs::create_directories(fresh, problem)) return io_error(fresh.string(), problem.message());
    for (const auto& [name, target] : wanted) fs::create_symlink(target, fresh / name, problem);
    if (!problem) fs::rename(fresh, folder, problem);
    return problem ? Status(io_error(folder.string(), problem.message())) : Status();
}

Status keep_standard_input(const FitFlags& flags, const fit::FitRequest& request) {
    if (flags.data != std::vector<std::string>{"-"}) return {};
    const fs::path file = request.data, fresh = request.data + ".new";
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    if (problem) return io_error(file.parent_path().string(), problem.message());
    PLIMSOLL_RETURN_IF_ERROR(data::keep_copy(STDIN_FILENO, fresh));
    PLIMSOLL_ASSIGN(now, MappedFile::open(fresh));
    if (fs::exists(file, problem)) {
        PLIMSOLL_ASSIGN(before, MappedFile::open(file));
        const bool same = std::ranges::equal(before.bytes(), now.bytes());
        fs::remove(fresh, problem);
        if (same) return {};
        return bad_input("--out", fmt::format("{} holds other data; name another folder", file.string()));
    }
    fs::rename(fresh, file, problem);
    return problem ? Status(io_error(file.string(), problem.message())) : Status();
}

std::string typed_command(const CLI::App& verb) {
    std::vector<std::string> words{"plimsoll", verb.get_name()};
    std::vector<const CLI::Option*> seen;
    for (const CLI::Option* option : verb.parse_order()) {
        if (std::ranges::find(seen, option) != seen.end()) continue;
        seen.push_back(option);
        if (!option->get_positional()) words.push_back(option->get_name());
        if (option->get_items_expected_max() == 0) continue;
        for (const auto& value : option->results()) words.push_back(quoted(value));
    }
    return join(words, " ");
}

}  // namespace plimsoll::cli
