#pragma once

#include <string>

#include "plimsoll/advise/load_line.h"

// The words in which every face speaks of depth.
namespace plimsoll::advise {

// "0.4 %", "0.05 %", "12 %".
std::string percent_text(double percent);

// "0.4 % (0.1 to 0.8)": the cost and its interval of two standard errors.
std::string cost_text(const DepthCost& cost);

// "7 to 49": the whole depths of the valley; "1" where it holds one alone.
std::string valley_text(const Valley& valley);

// "7 to 49 layers cost at most 1 % of loss".
std::string valley_words(const Valley& valley);

// "inside the valley", "at the edge of the valley", "too shallow, costs 2.1 %".
std::string place_text(const DepthJudgement& judged);

}  // namespace plimsoll::advise
