#include "plimsoll/cli/typed_input.h"

#include <unistd.h>

#include "plimsoll/data/readers/standard_input.h"

namespace plimsoll::cli {

Result<TypedInput> TypedInput::open(const std::string& name, const std::string& ending) {
    TypedInput input;
    input.name_ = name;
    input.path_ = name;
    if (name != "-") return input;
    PLIMSOLL_ASSIGN(folder, ScratchFolder::make("stdin"));
    input.name_ = "standard-input" + ending;
    input.path_ = folder.path() / input.name_;
    input.folder_.emplace(std::move(folder));
    PLIMSOLL_RETURN_IF_ERROR(data::keep_copy(STDIN_FILENO, input.path_));
    return input;
}

}  // namespace plimsoll::cli
