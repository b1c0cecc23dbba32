#include "plimsoll/formats/shape/model_shape.h"

#include "plimsoll/base/check.h"

namespace plimsoll::formats {

std::string_view name_of(ModelKind kind) {
    switch (kind) {
        case ModelKind::decoder:
            return "decoder";
        case ModelKind::encoder:
            return "encoder";
        case ModelKind::encoder_decoder:
            return "encoder-decoder";
        case ModelKind::mixer:
            return "mixer";
        case ModelKind::state_space:
            return "state-space";
        case ModelKind::hybrid:
            return "hybrid";
        case ModelKind::mlp:
            return "mlp";
        case ModelKind::unknown:
            return "unknown";
    }
    PLIMSOLL_CHECK(false, "a kind without a name");
}

}  // namespace plimsoll::formats
