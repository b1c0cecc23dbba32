#include "plimsoll/base/utf8.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Utf8, WellFormedTextIsWhatTheStandardSays) {
    for (const char* text : {"", "a", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEF\xBF\xBF",
                             "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_TRUE(is_utf8(text)) << printable(text);
    }
    for (const char* text : {"\x80", "\xC1\xBF", "\xC2", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                             "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "a\xE2\x82"}) {
        EXPECT_FALSE(is_utf8(text)) << printable(text);
    }
}

TEST(Utf8, MessagesShowNoControlCharactersAndStayShort) {
    EXPECT_EQ(printable("layer.0 \xC3\xA9"), "layer.0 \xC3\xA9");
    EXPECT_EQ(printable("\x1b[2J\n\x7f"), "\\x1b[2J\\x0a\\x7f");
    EXPECT_EQ(printable("\xC2\x9B!\xff"), "\\xc2\\x9b!\\xff") << "C1 and stray bytes";
    EXPECT_EQ(printable(std::string(1000, 'x'), 10), "xxxxxxxxxx...");
    EXPECT_EQ(printable("ab\xC3\xA9", 3), "ab...") << "no character is cut in two";
}

}  // namespace
}  // namespace plimsoll
