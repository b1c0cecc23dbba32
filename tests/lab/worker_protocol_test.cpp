#include "plimsoll/lab/jobs/worker_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "plimsoll/base/text.h"
#include "tests/support/error_text.h"

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;

const StackOrder some_order{7, "/the runs", {"a.toml", "/b c/\"d\".toml", "\xc3\xa9.toml"}, true};

std::vector<WorkerAnswer> every_answer() {
    return {WorkerHello{worker_protocol, "cuda:1", 4242},
            RunEnd{7, 0, "0123456789abcdef", RunOutcome::done},
            RunEnd{7, 1, "0123456789abcdef", RunOutcome::stopped},
            RunEnd{7, 2, "", not_found("b.toml", "no such \"file\"\n")},
            RunEnd{7, 3, "x", bad_input("train", "diverged")},
            RunEnd{7, 4, "x", unsupported("device", "none")},
            RunEnd{INT64_MAX, 5, "x", io_error("", "out of memory")},
            StackHalved{7, 32, "out of memory: 48 GiB"},
            StackFinished{7},
            LineRefused{"order: must be an object"}};
}

std::vector<std::string> answer_lines() {
    std::vector<std::string> lines;
    for (const auto& answer : every_answer()) lines.push_back(encode(answer));
    return lines;
}

TEST(WorkerProtocol, OrdersComeBackAsTheyWere) {
    EXPECT_EQ(decode_order(encode(some_order).value()).value(), some_order);
    EXPECT_EQ(encode(StackOrder{1, "runs", {"a.toml"}}).value(),
              R"({"train":1,"runs":"runs","retry_failed":false,"configs":["a.toml"]})");
}

TEST(WorkerProtocol, OrdersOfTrunksSayWhatToKeep) {
    const StackOrder order{1, "runs", {"a.toml", "b.toml"}, false, {{10, 200}, {}}};
    EXPECT_EQ(
        encode(order).value(),
        R"({"train":1,"runs":"runs","retry_failed":false,"configs":["a.toml","b.toml"],"keep":[[10,200],[]]})");
    EXPECT_EQ(decode_order(encode(order).value()).value(), order);
    for (const char* wrong : {"7", "[]", "[[1]]", "[[1],[2],[3]]", "[[0],[1]]", "[[2,1],[]]", "[[1,1],[]]",
                              "[[1.5],[]]", "[[-1],[]]", "[[9000000000000],[]]", "[1,2]", "[[\"1\"],[]]"})
        EXPECT_EQ(error_text(decode_order(
                      R"({"train":1,"runs":"r","retry_failed":false,"configs":["a","b"],"keep":)" +
                      std::string(wrong) + "}")),
                  "order: 'keep' must have a list of ascending steps for each config")
            << wrong;
}

TEST(WorkerProtocol, AnswersComeBackAsTheyWere) {
    for (const auto& line : answer_lines()) {
        const auto answer = decode_answer(line);
        ASSERT_TRUE(answer.ok()) << line << ": " << error_text(answer);
        EXPECT_EQ(encode(*answer), line);
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
    EXPECT_EQ(encode(WorkerHello{1, "cpu", 3}), R"({"plimsoll-worker":1,"device":"cpu","process":3})");
    EXPECT_EQ(
        encode(RunEnd{1, 2, "ab", io_error("disk", "full")}),
        R"({"event":"run","stack":1,"number":2,"run":"ab","outcome":"error","kind":"io","where":"disk",)"
        R"("message":"full"})");
}

TEST(WorkerProtocol, EveryTruncationIsAnError) {
    const std::string whole = encode(some_order).value();
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(decode_order(whole.substr(0, size)).error().kind, ErrorKind::bad_input) << size;
    for (const auto& line : answer_lines())
        for (std::size_t size = 0; size < line.size(); ++size)
            EXPECT_EQ(decode_answer(line.substr(0, size)).error().kind, ErrorKind::bad_input) << line;
}

// A changed byte, a byte more or less: an error, or a message that comes back as itself.
TEST(WorkerProtocol, EveryMutationIsAnErrorOrAnotherMessage) {
    RandomStream random(19, "mutations");
    std::vector<std::string> lines = answer_lines();
    lines.push_back(encode(some_order).value());
    for (const auto& line : lines) {
        for (int i = 0; i < 400; ++i) {
            std::string changed = line;
            const auto at = random.below(line.size());
            const char byte = static_cast<char>(random.below(256));
            if (i % 3 == 0) changed[at] = byte;
            if (i % 3 == 1) changed.erase(at, 1 + random.below(4));
            if (i % 3 == 2) changed.insert(at, 1 + random.below(4), byte);
            if (const auto answer = decode_answer(changed); answer.ok()) {
                EXPECT_TRUE(decode_answer(encode(*answer)).ok()) << changed;
            }
            if (const auto other = decode_order(changed); other.ok() && encode(*other).ok()) {
                EXPECT_EQ(decode_order(encode(*other).value()).value(), *other) << changed;
            }
        }
    }
}

TEST(WorkerProtocol, WhatIsWrongIsNamed) {
    const auto order_error = [](const std::string& line) { return error_text(decode_order(line)); };
    EXPECT_THAT(order_error("[]"), HasSubstr("order: must be an object"));
    EXPECT_THAT(order_error(R"({"train":-1,"runs":"r","configs":["a"]})"),
                HasSubstr("'train' must be a whole"));
    EXPECT_THAT(order_error(R"({"train":1,"runs":2,"configs":["a"]})"), HasSubstr("'runs' must be a text"));
    EXPECT_THAT(order_error(R"({"train":1,"runs":"r","configs":["a"]})"),
                HasSubstr("'retry_failed' must be"));
    EXPECT_THAT(order_error(R"({"train":1,"runs":"r","retry_failed":true,"configs":[]})"),
                HasSubstr("'configs' must be a list"));
    EXPECT_THAT(order_error(R"({"train":1,"runs":"r","retry_failed":true,"configs":[1]})"),
                HasSubstr("'configs' must be paths"));
    EXPECT_THAT(order_error(R"({"train":1,"runs":"r","configs":["a"],"more":1})"), HasSubstr("more"));
    EXPECT_THAT(order_error(std::string(longest_worker_line + 1, ' ')), HasSubstr("too long"));
    const auto answer_error = [](const std::string& line) { return error_text(decode_answer(line)); };
    EXPECT_THAT(answer_error(R"({"event":"party"})"), HasSubstr("'party' is no event"));
    EXPECT_THAT(answer_error(R"({"event":"run","stack":1,"number":0,"run":"","outcome":"well"})"),
                HasSubstr("'well' is no outcome"));
    EXPECT_THAT(answer_error(R"({"event":"run","stack":1,"number":0,"run":"","outcome":"error","kind":"bug",)"
                             R"("where":"","message":""})"),
                HasSubstr("'bug' is no kind of error"));
    EXPECT_THAT(error_text(encode(StackOrder{1, "r", {}})), HasSubstr("1 to 1024 configs, got 0"));
    EXPECT_THAT(error_text(encode(StackOrder{1, "r", {"\xff"}})), HasSubstr("must be UTF-8"));
    EXPECT_THAT(error_text(encode(StackOrder{1, std::string(longest_worker_line, 'r'), {"a"}})),
                HasSubstr("too long"));
}

// Another version may say what it likes after its number.
TEST(WorkerProtocol, TheVersionIsReadWhateverTheRestIs) {
    const auto answer = decode_answer(R"({"plimsoll-worker":2,"news":[1]})").value();
    EXPECT_EQ(std::get<WorkerHello>(answer).version, 2);
    EXPECT_FALSE(decode_answer(R"({"plimsoll-worker":1,"news":[1]})").ok());
}

TEST(WorkerProtocol, StrayBytesInAnErrorAreReplaced) {
    EXPECT_TRUE(decode_answer(encode(RunEnd{1, 0, "", io_error("\xff\xfe", "\x80")})).ok());
}

TEST(WorkerLines, LinesAreTheSameHoweverTheyCome) {
    const std::string text = "one\n\ntwo three\nfour";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        WorkerLines lines;
        std::vector<std::string> found;
        for (std::size_t at = 0; at < text.size(); at += piece) {
            lines.add(text.substr(at, piece));
            while (const auto line = lines.next()) found.push_back(line->value());
        }
        EXPECT_EQ(found, (std::vector<std::string>{"one", "", "two three"})) << piece;
    }
}

TEST(WorkerLines, ALineThatIsTooLongIsOneErrorAndPassedOver) {
    WorkerLines lines;
    lines.add("before\n");
    for (int i = 0; i < 40; ++i) lines.add(std::string(longest_worker_line / 16, 'x'));
    EXPECT_EQ(lines.next()->value(), "before");
    EXPECT_EQ(lines.next()->error().text(), "line: longer than 1048576 bytes");
    EXPECT_FALSE(lines.next());
    lines.add(std::string(100, 'x') + "\nafter\n" + std::string(longest_worker_line + 1, 'y') + "\nend\n");
    EXPECT_EQ(lines.next()->value(), "after");
    EXPECT_FALSE(lines.next()->ok());
    EXPECT_EQ(lines.next()->value(), "end");
    EXPECT_FALSE(lines.next());
}

}  // namespace
}  // namespace plimsoll::lab
