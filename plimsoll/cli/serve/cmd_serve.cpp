#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>

#include "plimsoll/base/format.h"
#include "plimsoll/base/process.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/run_flags.h"
#include "plimsoll/server/endpoints.h"
#include "plimsoll/server/serve.h"

namespace plimsoll::cli {
namespace {

struct ServeFlags {
    std::string runs, port = "8420", listen = "127.0.0.1", at_once = "2", max_memory = "4G";
    bool open = false, openapi = false;
};

Result<std::int64_t> number_in(const std::string& text, const char* where, std::int64_t low,
                               std::int64_t high) {
    PLIMSOLL_ASSIGN(value, parse_integer(text, where));
    if (value < low || value > high)
        return bad_input(where, fmt::format("must be {} to {}, got {}", low, high, value));
    return value;
}

// The desktop's browser, where there is one; the page does not depend on it.
void open_browser(const std::string& address) {
    auto browser = Process::start({.program = "xdg-open", .arguments = {address}});
    if (!browser.ok()) {
        fmt::print(stderr, "no browser was opened: {}\n", browser.error().text());
        return;
    }
    // Where the opener stays until the browser is closed, the server must not wait for it, nor end it.
    std::thread([process = std::move(browser).value()]() mutable { process.wait(); }).detach();
}

constexpr std::uint64_t least_memory = std::uint64_t{256} << 20;  // a verb that reads a model needs less

Status check_settings(const server::ServeSettings& settings) {
    if (settings.max_memory < least_memory)
        return bad_input("max-memory", fmt::format("must be at least {}, got {}",
                                                   human_bytes(static_cast<double>(least_memory)),
                                                   human_bytes(static_cast<double>(settings.max_memory))));
    std::error_code problem;
    const auto kind = std::filesystem::status(settings.runs, problem).type();
    if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::directory)
        return bad_input("runs", fmt::format("must be a folder, got {}", settings.runs));
    return {};
}

void say_where(const std::string& address, bool has_page, bool open) {
    fmt::print("{}\n", address);
    if (!has_page)
        fmt::print(
            "The page is not in this build, only the API: bin/plimsoll serve brings node and builds it.\n");
    fmt::print("Ctrl-C ends it.\n");
    std::fflush(stdout);
    if (open) open_browser(address);
}

Result<int> run_serve(const ServeFlags& flags) {
    if (flags.openapi) {  // a document of OpenAPI's own form
        fmt::print("{}\n", server::openapi().dump(2));
        return 0;
    }
    server::ServeSettings settings;
    settings.address = flags.listen;
    PLIMSOLL_ASSIGN(port, number_in(flags.port, "port", 0, 65535));
    PLIMSOLL_ASSIGN(at_once, number_in(flags.at_once, "at-once", 1, 64));
    PLIMSOLL_ASSIGN(memory, parse_bytes(flags.max_memory, "max-memory"));
    settings.runs = runs_folder(flags.runs).string();
    settings.port = static_cast<std::uint16_t>(port);
    settings.at_once = static_cast<std::size_t>(at_once);
    settings.max_memory = memory;
    PLIMSOLL_RETURN_IF_ERROR(check_settings(settings));
    settings.listening = [&](const std::string& address, bool has_page) {
        say_where(address, has_page, flags.open);
    };
    PLIMSOLL_RETURN_IF_ERROR(server::serve(settings));
    return 0;
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ServeFlags>();
    auto* verb = app.add_subcommand("serve", "the page and the API, on this machine; docs/SERVE.md");
    verb->add_option("--port", flags->port, "to listen on; 0: any that is free")->capture_default_str();
    verb->add_option("--runs", flags->runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_option("--listen", flags->listen, "IP address; any but this machine's own wants a token")
        ->capture_default_str();
    verb->add_option("--at-once", flags->at_once, "computations at a time")->capture_default_str();
    verb->add_option("--max-memory", flags->max_memory, "bytes that each of them may have")
        ->capture_default_str();
    verb->add_flag("--open", flags->open, "open the page in the browser");
    verb->add_flag("--openapi", flags->openapi, "print the description of the API and end");
    verb->callback([&action, flags] { action = [flags] { return exit_code_of(run_serve(*flags)); }; });
}

}  // namespace plimsoll::cli
