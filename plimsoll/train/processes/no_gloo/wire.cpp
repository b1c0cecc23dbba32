#include "plimsoll/train/processes/wire.h"

namespace plimsoll::train {

std::unique_ptr<Wire> connect(const ProcessRank&) {
    throw LostProcess("this plimsoll-torch was built without Gloo's headers (libgloo-dev)");
}

}  // namespace plimsoll::train
