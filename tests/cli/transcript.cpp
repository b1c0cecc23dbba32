#include "tests/cli/transcript.h"

#include <stdexcept>

#include "plimsoll/base/text.h"

namespace plimsoll::testing {
namespace {

constexpr std::string_view any_text = "<...>";
constexpr std::string_view any_line = "<any>";
constexpr std::string_view any_lines = "<any lines>";

std::vector<std::string> lines_of(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return split(text, '\n');
}

bool starts_block(const std::string& line) { return line == "run" || line.starts_with("run "); }

[[noreturn]] void complain(int line, const std::string& message) {
    throw std::runtime_error("line " + std::to_string(line) + ": " + message);
}

// "run ok [contains|prefix] [stderr]" or "run error CODE [contains|prefix] [stdout]".
Block parse_opening(const std::string& line, int number) {
    const auto words = split(line, ' ');
    Block block{.line = number};
    std::size_t next = 2;
    if (words.size() >= 3 && words[1] == "error") {
        const auto code = parse_integer(words[2], "exit code");
        if (!code.ok()) complain(number, code.error().text());
        block.exit_code = static_cast<int>(*code);
        block.stream = Stream::err;
        next = 3;
    } else if (words.size() < 2 || words[1] != "ok") {
        complain(number, "must be 'run ok' or 'run error CODE', got '" + line + "'");
    }
    for (; next < words.size(); ++next) {
        if (words[next] == "contains")
            block.compare = Compare::contains;
        else if (words[next] == "prefix")
            block.compare = Compare::prefix;
        else if (words[next] == "stdout")
            block.stream = Stream::out;
        else if (words[next] == "stderr")
            block.stream = Stream::err;
        else
            complain(number, "unknown word '" + words[next] + "' (one of: contains, prefix, stdout, stderr)");
    }
    return block;
}

// Blank lines before the next block, and the comments among them, are no output.
void drop_tail(std::vector<std::string>& expected, bool last) {
    std::size_t keep = expected.size();
    if (!last) {
        while (keep > 0 && expected[keep - 1].starts_with("#")) --keep;
        if (keep < expected.size() && (keep == 0 || !expected[keep - 1].empty())) keep = expected.size();
    }
    while (keep > 0 && expected[keep - 1].empty()) --keep;
    expected.resize(keep);
}

// The body of a block: command lines, then ---- and the output.
void parse_body(Block& block, const std::vector<std::string>& body, bool last) {
    std::size_t i = 0;
    for (; i < body.size() && body[i] != "----"; ++i) {
        if (!body[i].empty() && !body[i].starts_with("#")) block.command += body[i] + "\n";
    }
    if (block.command.empty()) complain(block.line, "a block needs a command");
    block.checks_output = i < body.size();
    if (block.checks_output)
        block.expected.assign(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end());
    drop_tail(block.expected, last);
}

void parse_header(const std::string& line, int number, Transcript& transcript) {
    constexpr std::string_view needs = "# needs:";
    if (line.starts_with(needs)) {
        transcript.needs.emplace_back(trim(std::string_view(line).substr(needs.size())));
    } else if (!line.empty() && !line.starts_with("#")) {
        complain(number, "expected a # header or 'run ...', got '" + line + "'");
    }
}

std::string with_built_program(std::string command) {
    constexpr std::string_view launcher = "bin/plimsoll";
    for (std::size_t at; (at = command.find(launcher)) != std::string::npos;) {
        command.replace(at, launcher.size(), "plimsoll");
    }
    return command;
}

// A line below "$ command": more of the command when that ends in a backslash, otherwise output.
void add_console_line(Block& block, const std::string& line) {
    if (block.command.ends_with("\\\n")) {
        block.command += with_built_program(line.starts_with("> ") ? line.substr(2) : line) + "\n";
    } else {
        block.expected.push_back(line);
    }
}

// A console block shows what the terminal would: both streams, and an error where an error is printed.
void finish_console(std::vector<Block>& blocks) {
    for (auto& block : blocks) {
        if (!block.expected.empty() && block.expected[0].starts_with("error:")) block.exit_code = any_failure;
        while (!block.expected.empty() && block.expected.back().empty()) block.expected.pop_back();
        for (auto& line : block.expected) {
            if (line == "...") line = any_lines;
        }
    }
}

// "torch" of a line "<!-- needs: torch -->"; empty for any other line.
std::string need_of_page(std::string_view line) {
    constexpr std::string_view start = "<!-- needs: ", end = " -->";
    if (!line.starts_with(start) || !line.ends_with(end)) return "";
    return std::string(line.substr(start.size(), line.size() - start.size() - end.size()));
}

bool match_from(const std::vector<std::string>& patterns, std::size_t p,
                const std::vector<std::string>& lines, std::size_t l, bool open_end) {
    if (p == patterns.size()) return open_end || l == lines.size();
    if (patterns[p] == any_lines) {
        return match_from(patterns, p + 1, lines, l, open_end) ||
               (l < lines.size() && match_from(patterns, p, lines, l + 1, open_end));
    }
    return l < lines.size() && line_matches(patterns[p], lines[l]) &&
           match_from(patterns, p + 1, lines, l + 1, open_end);
}

}  // namespace

Transcript parse_transcript(std::string_view text) {
    const auto lines = lines_of(text);
    Transcript transcript;
    std::size_t i = 0;
    for (; i < lines.size() && !starts_block(lines[i]); ++i) {
        parse_header(lines[i], static_cast<int>(i) + 1, transcript);
    }
    while (i < lines.size()) {
        Block block = parse_opening(lines[i], static_cast<int>(i) + 1);
        std::vector<std::string> body;
        for (++i; i < lines.size() && !starts_block(lines[i]); ++i) body.push_back(lines[i]);
        parse_body(block, body, i == lines.size());
        transcript.blocks.push_back(std::move(block));
    }
    if (transcript.blocks.empty()) throw std::runtime_error("no 'run' block");
    return transcript;
}

Transcript parse_console_blocks(std::string_view markdown) {
    const auto lines = lines_of(markdown);
    Transcript transcript;
    bool inside = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!inside) {
            inside = lines[i] == "```console";
            if (const auto need = need_of_page(lines[i]); !need.empty()) transcript.needs.push_back(need);
        } else if (lines[i] == "```") {
            inside = false;
        } else if (lines[i].starts_with("$ ")) {
            transcript.blocks.push_back({.line = static_cast<int>(i) + 1,
                                         .command = with_built_program(lines[i].substr(2)) + "\n",
                                         .stream = Stream::both});
        } else if (transcript.blocks.empty()) {
            complain(static_cast<int>(i) + 1, "a console block starts with '$ command'");
        } else {
            add_console_line(transcript.blocks.back(), lines[i]);
        }
    }
    finish_console(transcript.blocks);
    return transcript;
}

bool line_matches(std::string_view pattern, std::string_view line) {
    if (pattern == any_line) return true;
    const std::size_t hole = pattern.find(any_text);
    if (hole == std::string_view::npos) return pattern == line;
    if (!line.starts_with(pattern.substr(0, hole))) return false;
    const std::string_view rest = pattern.substr(hole + any_text.size());
    for (std::size_t skip = hole; skip <= line.size(); ++skip) {
        if (line_matches(rest, line.substr(skip))) return true;
    }
    return false;
}

bool lines_match(const std::vector<std::string>& patterns, const std::vector<std::string>& lines,
                 Compare compare) {
    if (compare != Compare::contains) return match_from(patterns, 0, lines, 0, compare == Compare::prefix);
    std::vector<std::string> spread{std::string(any_lines)};
    for (const auto& pattern : patterns) {
        spread.push_back(pattern);
        spread.emplace_back(any_lines);
    }
    return match_from(spread, 0, lines, 0, true);
}

std::string difference(const Block& block, const std::string& output) {
    const auto lines = lines_of(output);
    if (!block.checks_output || lines_match(block.expected, lines, block.compare)) return "";
    std::string text = "expected (-), got (+), first difference first:\n";
    std::size_t same = 0;
    while (same < lines.size() && same < block.expected.size() &&
           line_matches(block.expected[same], lines[same])) {
        ++same;
    }
    for (std::size_t i = same; i < std::max(lines.size(), block.expected.size()); ++i) {
        if (i < block.expected.size()) text += "  - " + block.expected[i] + "\n";
        if (i < lines.size()) text += "  + " + lines[i] + "\n";
    }
    return text;
}

}  // namespace plimsoll::testing
