#include "plimsoll/run/data_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/text.h"

namespace plimsoll::run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunConfig config_with(const std::vector<std::string>& settings) {
    return parse_run_config(
               "[model]\nspec = \"transformer:depth=1,width=8,heads=1,vocab=256,context=8\"\n"
               "[data]\nname = \"a.csv\"\n",
               "run.toml", settings)
        .value();
}

// What says how a set is read goes into a run's settings and comes out again.
TEST(DataRequest, SettingsSayWhatTheFlagsSay) {
    data::ReadOptions read;
    read.field = "body";
    read.columns = {"a", "b", "same"};
    read.tokens.width = data::TokenWidth::bits32;
    read.resize = 32;
    DataSettings settings;
    set_reading(read, data::Kind::sentence_pairs, settings);
    const auto request = data_request(settings).value();
    EXPECT_EQ(request.kind, data::Kind::sentence_pairs);
    EXPECT_EQ(request.read.field, read.field);
    EXPECT_EQ(request.read.columns, read.columns);
    EXPECT_EQ(request.read.tokens.width, read.tokens.width);
    EXPECT_EQ(request.read.resize, read.resize);
    DataSettings usual;
    set_reading({}, std::nullopt, usual);
    EXPECT_EQ(usual, DataSettings{});
}

// The ids of runs from before these keys must not change.
TEST(DataRequest, WhatIsAsUsualIsNotInTheConfig) {
    const std::string usual = to_toml(config_with({}));
    for (const char* key : {"split_seed", "field", "columns", "token_bits", "resize"})
        EXPECT_THAT(usual, Not(HasSubstr(key)));
    const RunConfig other = config_with({"data.split_seed=order", "data.field=body", "data.resize=32",
                                         "data.columns=a,b,c", "data.token_bits=16"});
    const std::string text = to_toml(other);
    EXPECT_THAT(text, HasSubstr("split_seed = \"order\"\nfield = \"body\"\ncolumns = \"a,b,c\"\n"
                                "token_bits = 16\nresize = 32\n"));
    EXPECT_EQ(parse_run_config(text, "again").value(), other);
    EXPECT_EQ(data_request(config_with({"data.field=text"}).data).value().read.field, "text")
        << "a column of a table";
    EXPECT_EQ(data_request(config_with({"data.token_bits=17"}).data).error().text(),
              "data.token_bits: must be 16 or 32, got 17");
}

}  // namespace
}  // namespace plimsoll::run
