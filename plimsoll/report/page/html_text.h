#pragma once

#include <string>
#include <string_view>

#include "plimsoll/base/json.h"

// Text of others inside HTML: nothing of it is ever read as markup.
namespace plimsoll::report {

// For text and for attributes in double quotes: & < > " ' become entities, characters that HTML forbids and
// broken UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

// JSON for a <script> element: no "<" in it, so that nothing inside can end the element.
std::string script_json(const Json& value);

// A program of others for a <script> element: "</script" and "<!--" inside its strings are broken up.
std::string script_code(std::string_view code);

// "data:TYPE;base64,..." of the bytes.
std::string data_uri(std::string_view type, std::string_view bytes);

// `text` as part of a file name or an id: letters, digits, "-", "_" and "." stay, the rest becomes "-".
std::string plain_name(std::string_view text);

}  // namespace plimsoll::report
