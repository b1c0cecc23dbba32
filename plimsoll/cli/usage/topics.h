#pragma once

#include <span>
#include <string_view>

namespace plimsoll::cli {

// A page of `plimsoll help`: its name, what it is about, and its text in paragraphs; a line that begins with
// a space stands as it is.
struct Topic {
    std::string_view name, about, text;
};

std::span<const Topic> topics();

// Five commands to begin with; what `plimsoll` alone shows.
std::string_view first_steps();

}  // namespace plimsoll::cli
