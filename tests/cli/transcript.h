#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::testing {

enum class Compare { whole, prefix, contains };

enum class Stream { out, err, both };

// A few shell commands, and what the user should see.
struct Block {
    int line = 0;         // where it stands in its file, from 1
    std::string command;  // given to /bin/sh
    int exit_code = 0;    // any_failure: whatever is not 0
    Stream stream = Stream::out;
    Compare compare = Compare::whole;
    bool checks_output = true;  // false when the block has no ----
    std::vector<std::string> expected;
};

constexpr int any_failure = -1;

// A *.test file: its headers and its blocks.
struct Transcript {
    std::vector<std::string> needs;  // "# needs: shared": without it the transcript is skipped
    std::vector<Block> blocks;
};

// Reads the text of a *.test file; tests/cli/README.md has the format. Throws std::runtime_error, naming the
// line.
Transcript parse_transcript(std::string_view text);

// The ```console blocks of a Markdown file: lines "$ command" and what they print. bin/plimsoll becomes
// plimsoll.
Transcript parse_console_blocks(std::string_view markdown);

// Does `line` match `pattern`, in which <...> stands for any text?
bool line_matches(std::string_view pattern, std::string_view line);

// Do the lines match the patterns? <any> is one line, <any lines> any number of them.
bool lines_match(const std::vector<std::string>& patterns, const std::vector<std::string>& lines,
                 Compare compare);

// Empty when the block's output is as expected, otherwise both, side by side as - and + lines.
std::string difference(const Block& block, const std::string& output);

// What a command left behind.
struct Outcome {
    int exit_code = 0;
    std::string out, err;
};

// Runs the command through /bin/sh -e in `folder`.
Outcome run_shell(const std::string& command, const std::filesystem::path& folder);

// Runs the blocks one after another in one fresh folder; empty when all went as written, otherwise what did
// not.
std::string play(const Transcript& transcript);

}  // namespace plimsoll::testing
