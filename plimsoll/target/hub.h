#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/base/result.h"

// The local cache of the Hugging Face hub, as its own library lays it out. Everything in it is untrusted and
// nothing is fetched.
namespace plimsoll::target {

// "ORG/NAME", with a branch, tag or commit.
struct HubId {
    std::string id;
    std::string revision = "main";
};

// Reads "ORG/NAME", "NAME" or either with "@REVISION"; nothing when it cannot be an id.
std::optional<HubId> parse_hub_id(std::string_view text);

// $HF_HUB_CACHE, else $HF_HOME/hub, else $XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub.
std::filesystem::path usual_hub_folder();

// The folder of files of that id. `not_found` when the cache has none; `bad_input` when a reference is no
// commit or a link leads out of the id's own folder.
Result<std::filesystem::path> find_snapshot(const HubId& id, const std::filesystem::path& hub);

}  // namespace plimsoll::target
