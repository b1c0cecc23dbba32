#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"
#include "plimsoll/server/http/message.h"

// The page: web/page built by npm, packed into one file by web/page/pack.mjs, in the binary where that was
// there when it was built.
namespace plimsoll::server {

// The packed page; empty when the binary was built without it.
std::string_view packed_page();

struct PageFile {
    std::string type, tag;            // "text/css"; a tag that changes with the content
    std::string_view bytes, gzipped;  // the second is empty where it would not be smaller
};

// The files of a pack by their address, "/" being the page itself.
class PageFiles {
  public:
    static Result<PageFiles> of(std::string_view pack);

    [[nodiscard]] bool empty() const { return files_.empty(); }
    [[nodiscard]] const std::map<std::string, PageFile>& all() const { return files_; }
    // The file at the address of the request, compressed where the client can read that; nothing when there
    // is none.
    [[nodiscard]] std::optional<Response> answer(const Request& request) const;

  private:
    std::map<std::string, PageFile> files_;
};

// What stands where the page would be, in a binary without it.
Response no_page();

}  // namespace plimsoll::server
