#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/store/process_identity.h"

// The folder `claims` of a run. Lease N is the file N.json, made whole and by link(): of many who try, one
// succeeds, on NFS too. Its holder works in N-TOKEN.work, where its sign of life lies; N.released says that
// it ended well.
namespace plimsoll::store {

// Who has, or had, a run, as the lease's file says.
struct LeaseInfo {
    std::uint64_t epoch = 0;
    ProcessIdentity holder;  // process 0 when the file could not be read
    std::string token;       // random: tells the lease from any other of its epoch
    std::string started;     // UTC, for people; nothing is decided by it
    bool released = false;
};

// The lease with the highest epoch in the folder of a run; nothing when nobody ever had one.
Result<std::optional<LeaseInfo>> newest_lease(const std::filesystem::path& run_folder);

// Free for the next: released, or its process is proved to have ended.
bool is_free(const LeaseInfo& lease);

// What lies in a folder of leases: the highest epoch, and whether the work folder `mine` is there.
struct LeasesSeen {
    std::uint64_t highest = 0;
    bool mine = false;
};
Result<LeasesSeen> look_at_leases(const std::filesystem::path& leases, const std::string& mine);

// "7-5f0c93a1e2b44d07.work".
std::string work_name(const LeaseInfo& lease);
// What changes while the holder lives: its counter and the file's time; empty when there is none.
std::string sign_of_life(const std::filesystem::path& leases, const LeaseInfo& lease);
// Shows life: the counter becomes `count`. False when the file is gone: the lease was taken over.
bool show_life(const std::filesystem::path& leases, const LeaseInfo& lease, std::uint64_t count);

// Makes the lease with its work folder; false when another process was first.
Result<bool> create_lease(const std::filesystem::path& leases, const LeaseInfo& lease);
// Takes the work folders of all earlier leases away, so that nothing can be renamed out of them any more,
// then removes what else they left.
Status fence_earlier(const std::filesystem::path& leases, const LeaseInfo& lease);
// Marks the lease as ended well and removes its work folder.
Status release_lease(const std::filesystem::path& leases, const LeaseInfo& lease);

}  // namespace plimsoll::store
