#include "plimsoll/cli/advise/advise_flags.h"

#include <cmath>

#include "plimsoll/arch/limits.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::cli {
namespace {

using advise::AdviceFamily;
using advise::AdviceRequest;

constexpr std::int64_t assumed_params = 100'000'000, assumed_vocab = 32'000, assumed_context = 1024,
                       assumed_image = 224, assumed_classes = 1000;
// Below it widths are multiples of 32 and heads may have 32 dimensions.
constexpr std::int64_t small_budget = 10'000'000;

Result<std::int64_t> positive(const std::string& text, const char* where) {
    PLIMSOLL_ASSIGN(value, parse_count(text, where));
    if (value < 1) return bad_input(where, fmt::format("must be at least 1, got {}", text));
    return value;
}

// A count beyond any budget has its own message.
Result<std::int64_t> params_budget(const std::string& text) {
    const auto real = parse_real(text, "params");
    if (real.ok() && *real > static_cast<double>(advise::max_budget))
        return bad_input("params", fmt::format("must be at most 100T, got {}", text));
    return positive(text, "params");
}

Result<double> positive_real(const std::string& text, const char* where) {
    PLIMSOLL_ASSIGN(value, parse_real(text, where));
    if (!(value > 0)) return bad_input(where, fmt::format("must be above 0, got {}", text));
    return value;
}

// FLOPs as parameters by 6 N D; advise() finds those that the FLOPs of its answer allow.
Result<std::int64_t> compute_budget(double flops, const char* where, AdviceRequest& request) {
    const double parameters = std::floor(advise::parameters_for_flops(flops));
    if (parameters < 1 || parameters > static_cast<double>(advise::max_budget))
        return bad_input(
            where, fmt::format("{:.3g} FLOPs train {:.3g} parameters; must be 1 to 100T", flops, parameters));
    request.training_flops = flops;
    return static_cast<std::int64_t>(parameters);
}

Result<std::int64_t> hours_budget(const std::string& text, AdviceRequest& request) {
    PLIMSOLL_ASSIGN(hours, positive_real(text, "gpu-hours"));
    request.assumed.push_back(fmt::format("{:.0f} % of the {}'s {:.0f} TFLOP/s",
                                          100 * advise::assumed_utilisation, request.card.title,
                                          request.card.peak_flops / 1e12));
    return compute_budget(advise::flops_of_hours(hours, request.card), "gpu-hours", request);
}

// One of --params, --flops and --gpu-hours.
Result<std::int64_t> budget_of(const AdviseFlags& flags, AdviceRequest& request) {
    const int given = !flags.params.empty() + !flags.flops.empty() + !flags.gpu_hours.empty();
    if (given > 1) return bad_input("params", "give one of --params, --flops and --gpu-hours");
    if (!flags.gpu.empty()) {
        PLIMSOLL_ASSIGN(card, advise::card_named(flags.gpu, "gpu"));
        request.card = card;
    }
    if (given == 0) {
        request.assumed.push_back(fmt::format("{} parameters", human_count(assumed_params)));
        return assumed_params;
    }
    if (!flags.params.empty()) return params_budget(flags.params);
    if (!flags.gpu_hours.empty()) return hours_budget(flags.gpu_hours, request);
    PLIMSOLL_ASSIGN(flops, positive_real(flags.flops, "flops"));
    return compute_budget(flops, "flops", request);
}

Result<advise::TieBreak> tie_break_of(const std::string& text) {
    static const std::vector<std::string> names{"flops", "latency", "memory"};
    if (text == names[0]) return advise::TieBreak::flops;
    if (text == names[1]) return advise::TieBreak::latency;
    if (text == names[2]) return advise::TieBreak::memory;
    return bad_input("by", "unknown '" + text + "'" + suggestion(text, names));
}

Result<AdviceFamily> family_of(const std::string& text) {
    static const std::vector<std::string> names{"transformer", "mixer", "mlp"};
    if (text == names[0]) return AdviceFamily::transformer;
    if (text == names[1]) return AdviceFamily::mixer;
    return bad_input("family", "unknown '" + text + "'" + suggestion(text, names));
}

Result<std::optional<advise::Block>> block_of(const std::string& text) {
    static const std::vector<std::string> names{"gpt2", "llama"};
    if (text.empty()) return std::optional<advise::Block>();
    if (text == names[0]) return std::optional(advise::Block::gpt2);
    if (text == names[1]) return std::optional(advise::Block::llama);
    return bad_input("block", "unknown '" + text + "'" + suggestion(text, names));
}

Result<std::vector<std::int64_t>> sizes_of(const std::string& text, char separator, const char* where,
                                           const char* wanted) {
    std::vector<std::int64_t> sizes;
    for (const auto& word : split(text, separator)) {
        const auto size = parse_integer(word, where);
        if (!size.ok() || *size < 1 || *size > arch::max_image)
            return bad_input(where, fmt::format("must be {}, got '{}'", wanted, text));
        sizes.push_back(*size);
    }
    return sizes;
}

constexpr const char* patch_form = "HEIGHTxWIDTHxCHANNELS such as 16x16x3, each from 1 to 30000";
constexpr const char* image_form = "HEIGHTxWIDTH such as 224x224, or one number, each from 1 to 30000";

// N patches as the squarest grid that has as many.
Status set_grid(AdviceRequest& request, std::int64_t patches) {
    auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(patches)));
    while (patches % rows != 0) --rows;
    request.image.image = rows * request.image.patch;
    request.image.image_width = patches / rows * request.image.patch_width;
    if (request.image.image_width <= arch::max_image) return {};
    return bad_input("context", fmt::format("{} patches make an image of more than {} pixels a side", patches,
                                            arch::max_image));
}

Status set_image(AdviceRequest& request, const AdviseFlags& flags) {
    auto& image = request.image;
    if (!flags.context.empty()) {
        if (!flags.image.empty())
            return bad_input("context", "follows from --image and --patch; give one of them");
        PLIMSOLL_ASSIGN(patches, positive(flags.context, "context"));
        return set_grid(request, patches);
    }
    image.image = image.image_width = assumed_image;
    if (flags.image.empty()) request.assumed.push_back(fmt::format("image {0}x{0}", assumed_image));
    if (!flags.image.empty()) {
        PLIMSOLL_ASSIGN(sizes, sizes_of(flags.image, 'x', "image", image_form));
        if (sizes.size() > 2 || sizes.empty())
            return bad_input("image", fmt::format("must be {}", image_form));
        image.image = sizes.front();
        image.image_width = sizes.back();
    }
    if (image.image % image.patch == 0 && image.image_width % image.patch_width == 0) return {};
    return bad_input("image",
                     fmt::format("{}x{} is no whole number of patches of {}x{}; give --image or --context",
                                 image.image, image.image_width, image.patch, image.patch_width));
}

Status set_patch(AdviceRequest& request, const AdviseFlags& flags) {
    PLIMSOLL_ASSIGN(sizes, sizes_of(flags.patch, 'x', "patch", patch_form));
    if (sizes.size() != 3)
        return bad_input("patch", fmt::format("must be {}, got '{}'", patch_form, flags.patch));
    request.image.patch = sizes[0];
    request.image.patch_width = sizes[1];
    request.image.image_channels = sizes[2];
    PLIMSOLL_RETURN_IF_ERROR(set_image(request, flags));
    const bool class_token = request.family == AdviceFamily::transformer;
    request.context = request.image.patches() + (class_token ? 1 : 0);
    request.classes = assumed_classes;
    if (flags.classes.empty()) {
        request.assumed.push_back(fmt::format("{} classes", assumed_classes));
        return {};
    }
    PLIMSOLL_ASSIGN(classes, parse_count(flags.classes, "classes"));
    request.classes = classes;
    return {};
}

Status set_tokens(AdviceRequest& request, const AdviseFlags& flags) {
    const bool mixer = request.family == AdviceFamily::mixer;
    for (const auto& [name, text] :
         {std::pair("image", &flags.image), std::pair("classes", &flags.classes)}) {
        if (!text->empty()) return bad_input(name, "needs --patch");
    }
    if (!flags.vocab.empty()) {
        PLIMSOLL_ASSIGN(vocab, parse_count(flags.vocab, "vocab"));
        if (vocab < 2) return bad_input("vocab", fmt::format("must be at least 2, got {}", flags.vocab));
        request.vocab = vocab;
    } else if (!mixer) {
        request.vocab = assumed_vocab;
        request.assumed.push_back(fmt::format("vocabulary {}", assumed_vocab));
    }
    if (!flags.context.empty()) {
        PLIMSOLL_ASSIGN(context, positive(flags.context, "context"));
        request.context = context;
    } else if (!mixer) {
        request.context = assumed_context;
        request.assumed.push_back(fmt::format("context {}", assumed_context));
    }
    return {};
}

Status set_rank(AdviceRequest& request, const std::string& text) {
    if (text.empty()) return {};
    if (text == "full") return request.embedding_rank = 0, Status();
    PLIMSOLL_ASSIGN(rank, positive(text, "embedding-rank"));
    request.embedding_rank = rank;
    return {};
}

// Widths and heads as people choose them, unless the flags say otherwise; finer ones for small budgets.
Status set_widths(AdviceRequest& request, const AdviseFlags& flags) {
    const bool small = request.parameters < small_budget;
    const std::string usual_heads = small ? "32,64,128" : "64,128";
    PLIMSOLL_ASSIGN(sizes, sizes_of(flags.head_dim.empty() ? usual_heads : flags.head_dim, ',', "head-dim",
                                    "sizes such as 64,128"));
    request.head_dims = sizes;
    request.usual_widths = flags.multiple_of.empty() && request.family == AdviceFamily::transformer;
    request.multiple_of = small && request.usual_widths ? 32 : 64;
    if (flags.multiple_of.empty()) return {};
    PLIMSOLL_ASSIGN(step, positive(flags.multiple_of, "multiple-of"));
    request.multiple_of = step;
    return {};
}

}  // namespace

Result<AdviceRequest> advice_request(const AdviseFlags& flags) {
    if (!flags.table.empty()) return bad_input("table", "needs --family mlp");
    AdviceRequest request;
    PLIMSOLL_ASSIGN(params, budget_of(flags, request));
    PLIMSOLL_ASSIGN(by, tie_break_of(flags.by));
    PLIMSOLL_ASSIGN(family, family_of(flags.family));
    PLIMSOLL_ASSIGN(block, block_of(flags.block));
    request.parameters = params;
    request.family = family;
    request.block = block;
    request.by = by;
    PLIMSOLL_RETURN_IF_ERROR(set_widths(request, flags));
    if (!flags.vocab.empty() && !flags.patch.empty())
        return bad_input("patch", "must not be given with --vocab: one kind of input");
    PLIMSOLL_RETURN_IF_ERROR(flags.patch.empty() ? set_tokens(request, flags) : set_patch(request, flags));
    PLIMSOLL_RETURN_IF_ERROR(set_rank(request, flags.embedding_rank));
    return request;
}

}  // namespace plimsoll::cli
