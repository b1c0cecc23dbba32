// The transcript runner itself: what it accepts, and that it does fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/transcript.h"

namespace plimsoll::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

TEST(Transcript, BlocksCarryCommandCodeAndOutput) {
    const auto transcript = parse_transcript(
        "# name: x\n# needs: shared\n\nrun ok\nprintf 'a\\n\\nb\\n'\n----\na\n\nb\n\n# next\nrun error 3 "
        "contains\nx\n----\ny\n");
    EXPECT_THAT(transcript.needs, ElementsAre("shared"));
    ASSERT_EQ(transcript.blocks.size(), 2U);
    EXPECT_THAT(transcript.blocks[0].expected, ElementsAre("a", "", "b"));
    EXPECT_EQ(transcript.blocks[0].stream, Stream::out);
    EXPECT_EQ(transcript.blocks[1].exit_code, 3);
    EXPECT_EQ(transcript.blocks[1].stream, Stream::err);
    EXPECT_EQ(transcript.blocks[1].compare, Compare::contains);
    EXPECT_EQ(transcript.blocks[1].line, 12);
}

TEST(Transcript, OutputMayLookLikeAComment) {
    const auto transcript = parse_transcript("run ok\necho '# x'\n----\n# x\n\nrun ok\ntrue\n");
    EXPECT_THAT(transcript.blocks[0].expected, ElementsAre("# x"));
    EXPECT_FALSE(transcript.blocks[1].checks_output);
}

TEST(Transcript, APageSaysWhatItNeeds) {
    const auto page = parse_console_blocks("# Page\n<!-- needs: torch -->\n```console\n$ true\n```\n");
    EXPECT_THAT(page.needs, ElementsAre("torch"));
    EXPECT_THAT(parse_console_blocks("```console\n$ true\n<!-- needs: torch -->\n```\n").needs,
                ElementsAre());
}

TEST(Transcript, BadFilesAreRefusedByLine) {
    const auto complaint = [](const char* text) -> std::string {
        try {
            parse_transcript(text);
        } catch (const std::exception& problem) {
            return problem.what();
        }
        return "";
    };
    EXPECT_THAT(complaint("run well\nx\n"), HasSubstr("line 1: must be 'run ok'"));
    EXPECT_THAT(complaint("run error x\nx\n"), HasSubstr("exit code: must be an integer"));
    EXPECT_THAT(complaint("run ok loudly\nx\n"), HasSubstr("unknown word 'loudly'"));
    EXPECT_THAT(complaint("run ok\n----\n"), HasSubstr("a block needs a command"));
    EXPECT_THAT(complaint("hello\n"), HasSubstr("expected a # header"));
    EXPECT_THAT(complaint(""), HasSubstr("no 'run' block"));
}

TEST(Transcript, MasksStandForTextAndLines) {
    EXPECT_TRUE(line_matches("took <...> s", "took 1.5 s"));
    EXPECT_TRUE(line_matches("<...>a<...>", "banana"));
    EXPECT_FALSE(line_matches("took <...> s", "took 1.5 ms!"));
    EXPECT_TRUE(lines_match({"a", "<any>", "c"}, {"a", "b", "c"}, Compare::whole));
    EXPECT_FALSE(lines_match({"a", "<any>", "c"}, {"a", "c"}, Compare::whole));
    EXPECT_TRUE(lines_match({"a", "<any lines>", "c"}, {"a", "c"}, Compare::whole));
    EXPECT_TRUE(lines_match({"a", "<any lines>", "c"}, {"a", "c", "b", "c"}, Compare::whole));
}

TEST(Transcript, PrefixAndContainsLookAtAPart) {
    const Lines output{"a", "b", "c"};
    EXPECT_TRUE(lines_match({"a", "b"}, output, Compare::prefix));
    EXPECT_FALSE(lines_match({"b"}, output, Compare::prefix));
    EXPECT_TRUE(lines_match({"a", "c"}, output, Compare::contains));
    EXPECT_FALSE(lines_match({"c", "a"}, output, Compare::contains));
}

TEST(Transcript, ConsoleBlocksOfMarkdownAreRun) {
    const auto transcript = parse_console_blocks(
        "text\n```sh\nmake test\n```\n```console\n$ bin/plimsoll x\na\n...\n$ y\nerror: no\n```\nend\n");
    ASSERT_EQ(transcript.blocks.size(), 2U);
    EXPECT_EQ(transcript.blocks[0].command, "plimsoll x\n");
    EXPECT_THAT(transcript.blocks[0].expected, ElementsAre("a", "<any lines>"));
    EXPECT_EQ(transcript.blocks[1].exit_code, any_failure);
}

TEST(Transcript, AConsoleCommandMayHaveSeveralLines) {
    const auto transcript = parse_console_blocks("```console\n$ echo a \\\n> b\na b\n```\n");
    EXPECT_THAT(transcript.blocks[0].expected, ElementsAre("a b"));
    EXPECT_THAT(play(transcript), IsEmpty());
}

TEST(Transcript, PlayingATrueTranscriptIsSilent) {
    EXPECT_THAT(
        play(parse_transcript(
            "run ok\necho hello >f\ncat f\n----\nhello\n\nrun error 7\necho no >&2\nexit 7\n----\nno\n")),
        IsEmpty());
}

TEST(Transcript, PlayingALieShowsTheDifference) {
    EXPECT_THAT(play(parse_transcript("run ok\necho hello\n----\ngoodbye\n")),
                AllOf(HasSubstr("- goodbye"), HasSubstr("+ hello")));
    EXPECT_THAT(play(parse_transcript("run ok\nexit 3\n----\n")), HasSubstr("exit code 3 instead of 0"));
    EXPECT_THAT(play(parse_transcript("run ok\nfalse\necho on\n")), HasSubstr("exit code 1 instead of 0"));
    EXPECT_THAT(play(parse_transcript("run ok\necho extra\n----\n")), HasSubstr("+ extra"));
    EXPECT_THAT(play(parse_console_blocks("```console\n$ echo fine\nerror: bad\n```\n")),
                HasSubstr("instead of a failure"));
}

}  // namespace
}  // namespace plimsoll::testing
