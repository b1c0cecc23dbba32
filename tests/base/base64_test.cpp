#include "plimsoll/base/base64.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Base64, IsTheOneOfTheStandard) {
    // RFC 4648, section 10.
    const std::pair<const char*, const char*> known[] = {{"f", "Zg=="},         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},       {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : known) {
        EXPECT_EQ(base64(bytes), text);
        EXPECT_EQ(bytes_of_base64(text), bytes);
    }
    EXPECT_EQ(base64(""), "");
}

TEST(Base64, EveryByteComesBack) {
    std::string bytes;
    for (int value = 0; value < 256; ++value) bytes += static_cast<char>(value);
    EXPECT_EQ(bytes_of_base64(base64(bytes)), bytes);
}

TEST(Base64, WhatIsNotBase64IsRefused) {
    for (const char* text : {"", "Zg", "Zg=", "Z===", "Zg==Zg==", "Z g=", "Zh=="})
        EXPECT_FALSE(bytes_of_base64(text).has_value()) << text;
}

}  // namespace
}  // namespace plimsoll
