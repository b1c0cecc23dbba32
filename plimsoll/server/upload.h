#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/base/scratch_folder.h"
#include "plimsoll/server/http/message.h"

// Files that a client sends, and files that are made for it.
namespace plimsoll::server {

// A model file in upload/ of a folder of its own that goes away with this, and the words that audit it from
// there.
struct Upload {
    ScratchFolder folder;
    std::vector<std::string> words;
};

// The body of the request as config.json, model.safetensors or model.gguf, as its parameter `kind` says. With
// `size` the file is as long as that, nothing standing behind the body: the readers look at the header alone.
Result<Upload> store_upload(const Request& request);

// The config.json or plimsoll.toml that a child wrote into the folder, to be saved.
Response emitted_file(const std::filesystem::path& folder);

}  // namespace plimsoll::server
