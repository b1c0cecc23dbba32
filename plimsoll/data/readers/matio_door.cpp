#include "plimsoll/data/readers/matio_door.h"

#include <mutex>
#include <optional>

#include <dlfcn.h>
#include <matio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

struct Matio {
    decltype(&Mat_Open) open = nullptr;
    decltype(&Mat_Close) close = nullptr;
    decltype(&Mat_VarRead) read = nullptr;
    decltype(&Mat_VarFree) free = nullptr;
    decltype(&Mat_LogInitFunc) log_to = nullptr;

    [[nodiscard]] bool complete() const { return open && close && read && free && log_to; }
};

// What matio last complained about; guarded by the mutex of read_mat_array.
std::string& complaint() {
    static std::string text;
    return text;
}
void note_complaint(int /*level*/, char* message) { complaint() = message != nullptr ? message : ""; }

template <class Function>
void look_up(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
}

Matio open_matio() {
    Matio matio;
    for (const char* file : {PLIMSOLL_MATIO_FILE, "libmatio.so"}) {
        void* library = *file == '\0' ? nullptr : ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) continue;
        look_up(library, "Mat_Open", matio.open);
        look_up(library, "Mat_Close", matio.close);
        look_up(library, "Mat_VarRead", matio.read);
        look_up(library, "Mat_VarFree", matio.free);
        look_up(library, "Mat_LogInitFunc", matio.log_to);
        if (matio.complete()) matio.log_to("plimsoll", note_complaint);
        return matio;
    }
    return matio;
}

// matio reads files by name: the file itself, or its unpacked content under a name in memory.
class NamedContent {
  public:
    static Result<NamedContent> of(const LoadedFile& file) {
        if (file.mapped) return NamedContent(file.name, -1);
        const int descriptor = ::memfd_create("plimsoll-mat", MFD_CLOEXEC);
        if (descriptor < 0) return io_error(file.name, "no memory file for its unpacked content");
        NamedContent content(fmt::format("/proc/self/fd/{}", descriptor), descriptor);
        for (auto rest = file.bytes.view(); !rest.empty();) {
            const ssize_t written = ::write(descriptor, rest.data(), rest.size());
            if (written <= 0) return io_error(file.name, "no memory for its unpacked content");
            rest = rest.subspan(static_cast<std::size_t>(written));
        }
        return content;
    }
    NamedContent(NamedContent&& other) noexcept
        : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    NamedContent& operator=(NamedContent&&) = delete;
    ~NamedContent() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    NamedContent(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
    std::string name_;
    int descriptor_;
};

}  // namespace

Result<MatArray> read_mat_array(const LoadedFile& file, const std::string& name) {
    static std::mutex one_at_a_time;  // neither matio nor HDF5 promises threads
    const std::lock_guard lock(one_at_a_time);
    static const Matio matio = open_matio();
    if (!matio.complete())
        return unsupported("matio", "is not on this machine: Debian's package libmatio-dev brings it");
    PLIMSOLL_ASSIGN(content, NamedContent::of(file));
    complaint().clear();
    mat_t* opened = matio.open(content.name().c_str(), MAT_ACC_RDONLY);
    if (opened == nullptr) return bad_input(file.name, "matio cannot open it: " + complaint());
    const std::shared_ptr<matvar_t> variable(matio.read(opened, name.c_str()), matio.free);
    matio.close(opened);
    if (variable == nullptr || variable->data == nullptr || !complaint().empty())
        return bad_input(file.name, fmt::format("matio cannot read '{}': {}", name, complaint()));
    return MatArray{variable, variable->data, variable->nbytes};
}

}  // namespace plimsoll::data
