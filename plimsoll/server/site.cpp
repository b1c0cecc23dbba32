#include "plimsoll/server/site.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "plimsoll/base/base64.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/base/text.h"
#include "plimsoll/server/computations.h"
#include "plimsoll/server/map_data.h"
#include "plimsoll/server/page_files.h"

namespace plimsoll::server {
namespace {

// Writes below one folder and counts.
class SiteWriter {
  public:
    explicit SiteWriter(const SiteSettings& settings) : settings_(settings) {}

    Status write(const std::string& name, std::string_view content) {
        const auto path = settings_.folder / name;
        std::error_code problem;
        std::filesystem::create_directories(path.parent_path(), problem);
        if (problem) return io_error(path.parent_path().string(), problem.message());
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(path, content));
        ++report.files;
        report.bytes += content.size();
        return {};
    }

    // The answer to a path of the API, as a script.
    Status answer(const std::string& path, std::string json) {
        while (json.ends_with('\n')) json.pop_back();
        return write("data/" + site_script(path),
                     fmt::format("PLIMSOLL_SITE.answers[{}] = {};\n", Json(path).dump(), json));
    }

    void tell(std::uint64_t done, std::uint64_t total) const {
        if (settings_.progress) settings_.progress(done, total);
    }

    SiteReport report;

  private:
    const SiteSettings& settings_;
};

Status check_folder(const SiteSettings& settings) {
    std::error_code problem;
    std::filesystem::create_directories(settings.folder, problem);
    if (problem) return io_error(settings.folder.string(), problem.message());
    if (settings.replace || std::filesystem::is_empty(settings.folder, problem)) return {};
    return bad_input(settings.folder.string(), "has something in it; --force writes there all the same");
}

// A font as part of the style: a page on disk may not load it from a file.
std::string with_fonts_inside(std::string style, const PageFiles& page) {
    for (const auto& [path, file] : page.all()) {
        if (!path.ends_with(".woff2")) continue;
        const std::string inside = "data:font/woff2;base64," + base64(file.bytes);
        const std::string name = path.substr(path.rfind('/') + 1);
        for (auto at = style.find(name); at != std::string::npos; at = style.find(name, at + inside.size())) {
            const auto from = style.rfind('(', at) + 1;
            style.replace(from, style.find(')', at) - from, inside);
            at = from;
        }
    }
    return style;
}

Status write_page(SiteWriter& writer, const PageFiles& page) {
    constexpr std::string_view own = "<script defer";
    std::string index(page.all().at("/").bytes);
    const auto place = index.find(own);
    PLIMSOLL_CHECK(place != std::string::npos, "the page has no script");
    index.insert(place, "<script src=\"./site.js\"></script>\n  ");
    PLIMSOLL_RETURN_IF_ERROR(writer.write("index.html", index));
    PLIMSOLL_RETURN_IF_ERROR(writer.write("page.js", page.all().at("/page.js").bytes));
    PLIMSOLL_RETURN_IF_ERROR(
        writer.write("page.css", with_fonts_inside(std::string(page.all().at("/page.css").bytes), page)));
    const Json site{{"answers", Json::object()},
                    {"budgets", site_budgets()},
                    {"contexts", site_contexts()},
                    {"vocab", site_vocab}};
    return writer.write("site.js", fmt::format("var PLIMSOLL_SITE = {};\n", site.dump()));
}

Status write_map(SiteWriter& writer) {
    const std::atomic<bool> stop = false;
    const auto zoo = judge_zoo(stop);
    PLIMSOLL_RETURN_IF_ERROR(writer.answer("map", map_json(zoo).dump()));
    for (const auto& [name, audit] : zoo.audits)
        PLIMSOLL_RETURN_IF_ERROR(writer.answer("audit?model=" + name, audit));
    for (const auto context : site_contexts()) {
        PLIMSOLL_ASSIGN(field, field_json(context));
        PLIMSOLL_RETURN_IF_ERROR(writer.answer(fmt::format("map/field?context={}", context), field.dump()));
    }
    return {};
}

std::string advice_path(const std::string& budget) {
    return fmt::format("advise?params={}&vocab={}&context={}", budget, site_vocab, site_context);
}

// The engine's answers for the budgets, on all cores; errors are answers too ("less than one layer") and left
// out.
Status write_advice(SiteWriter& writer) {
    std::error_code problem;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
    if (problem) return io_error("plimsoll", "cannot find its own program: " + problem.message());
    PLIMSOLL_ASSIGN(scratch, ScratchFolder::make("site"));
    std::filesystem::create_directory(scratch.path() / "empty", problem);
    ComputationLimits limits;
    limits.at_once = std::max(1U, std::thread::hardware_concurrency());
    limits.waiting = site_budgets().size();
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::string, Result<std::string>> answers;
    Computations computations(program, scratch.path() / "empty", limits);
    for (const auto& budget : site_budgets()) {
        const auto done = [&, budget](const ComputationEnd& end) {
            const std::lock_guard guard(mutex);
            answers.emplace(budget, end.output);
            changed.notify_one();
        };
        Computation computation{{"advise", "--params=" + budget, fmt::format("--vocab={}", site_vocab),
                                 fmt::format("--context={}", site_context), "--json"},
                                "site",
                                {}};
        PLIMSOLL_ASSIGN(ticket, computations.start(std::move(computation), done));
    }
    std::unique_lock lock(mutex);
    for (std::size_t count = 0; count < site_budgets().size(); count = answers.size()) {
        changed.wait(lock, [&] { return answers.size() > count; });
        writer.tell(answers.size(), site_budgets().size());
    }
    for (const auto& [budget, answer] : answers) {
        if (!answer.ok()) continue;
        PLIMSOLL_ASSIGN(json, parse_json(*answer, "advise"));
        PLIMSOLL_RETURN_IF_ERROR(writer.answer(advice_path(budget), json.dump()));
    }
    return {};
}

}  // namespace

const std::vector<std::int64_t>& site_contexts() {
    static const std::vector<std::int64_t> contexts = [] {
        std::vector<std::int64_t> all;
        for (std::int64_t context = 128; context <= 131'072; context *= 2) all.push_back(context);
        return all;
    }();
    return contexts;
}

const std::vector<std::string>& site_budgets() {
    static const std::vector<std::string> budgets = [] {
        std::vector<std::string> all;
        for (const std::int64_t unit :
             {1'000'000LL, 10'000'000LL, 100'000'000LL, 1'000'000'000LL, 10'000'000'000LL, 100'000'000'000LL})
            for (const std::int64_t tenths : {10, 15, 20, 30, 50, 70})
                all.push_back(std::to_string(unit / 10 * tenths));
        all.emplace_back("1000000000000");
        return all;
    }();
    return budgets;
}

std::string site_script(const std::string& path) {
    std::string name;
    for (const char c : path) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
        if (plain || (!name.empty() && name.back() != '-')) name += plain ? c : '-';
    }
    return name + ".js";
}

Result<SiteReport> write_site(const SiteSettings& settings) {
    PLIMSOLL_ASSIGN(page, PageFiles::of(packed_page()));
    if (page.empty())
        return unsupported("site",
                           "the page is not in this build; bin/plimsoll site brings node and builds it");
    PLIMSOLL_RETURN_IF_ERROR(check_folder(settings));
    SiteWriter writer(settings);
    PLIMSOLL_RETURN_IF_ERROR(write_page(writer, page));
    PLIMSOLL_RETURN_IF_ERROR(write_map(writer));
    PLIMSOLL_RETURN_IF_ERROR(write_advice(writer));
    return writer.report;
}

}  // namespace plimsoll::server
