#pragma once

#include <string>
#include <string_view>

namespace plimsoll::report {

// The Markdown of our own pages as HTML: paragraphs, lists (-), tables (|), fenced blocks, `code`, **strong**
// and headings, which become strong lines. Links are their text; HTML inside stays text.
std::string markdown_html(std::string_view markdown);

}  // namespace plimsoll::report
