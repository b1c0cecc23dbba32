#pragma once

#include <array>
#include <string_view>

namespace plimsoll::fit {

// What a comparison with something that was predicted came to.
enum class Verdict {
    as_predicted,  // ahead by more than the noise
    against,       // behind by more than the noise
    small,         // behind by more than the noise, and by less than anybody would pay for
    inside_noise,
    cannot_tell,  // the race is not fit to judge it
};

// "as predicted", "against the prediction", "too small to matter", ...: for people and JSON.
std::string_view name_of(Verdict verdict);

constexpr std::array<Verdict, 5> all_values(Verdict) {
    return {Verdict::as_predicted, Verdict::against, Verdict::small, Verdict::inside_noise,
            Verdict::cannot_tell};
}

// The verdict of a lead (negative: a lag) whose 95 % interval has that half width; a lag of less than
// `negligible` refutes nothing.
Verdict verdict_of(double lead, double half_width, double negligible);

}  // namespace plimsoll::fit
