#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/store/process_identity.h"

// The folder `claims` of a run. Claim N is the file N.json, made whole and by link(): of many who try, one
// succeeds, on NFS too. Its holder works in N-TOKEN.work, where its sign of life lies; N.released says that
// it ended well.
namespace plimsoll::store {

// Who has, or had, a run, as the claim's file says.
struct ClaimInfo {
    std::uint64_t epoch = 0;
    ProcessIdentity holder;  // process 0 when the file could not be read
    std::string token;       // random: tells the claim from any other of its epoch
    std::string started;     // UTC, for people; nothing is decided by it
    bool released = false;
};

// The claim with the highest epoch in the folder of a run; nothing when nobody ever claimed it.
Result<std::optional<ClaimInfo>> newest_claim(const std::filesystem::path& run_folder);

// Free for the next: released, or its process is proved to have ended.
bool is_free(const ClaimInfo& claim);

// What lies in a folder of claims: the highest epoch, and whether the work folder `mine` is there.
struct ClaimsSeen {
    std::uint64_t highest = 0;
    bool mine = false;
};
Result<ClaimsSeen> look_at_claims(const std::filesystem::path& claims, const std::string& mine);

// "7-5f0c93a1e2b44d07.work".
std::string work_name(const ClaimInfo& claim);
// What changes while the holder lives: its counter and the file's time; empty when there is none.
std::string sign_of_life(const std::filesystem::path& claims, const ClaimInfo& claim);
// Shows life: the counter becomes `count`. False when the file is gone: the claim was taken over.
bool show_life(const std::filesystem::path& claims, const ClaimInfo& claim, std::uint64_t count);

// Makes the claim with its work folder; false when another process was first.
Result<bool> create_claim(const std::filesystem::path& claims, const ClaimInfo& claim);
// Takes the work folders of all earlier claims away, so that nothing can be renamed out of them any more,
// then removes what else they left.
Status fence_earlier(const std::filesystem::path& claims, const ClaimInfo& claim);
// Marks the claim as ended well and removes its work folder.
Status release_claim(const std::filesystem::path& claims, const ClaimInfo& claim);

}  // namespace plimsoll::store
