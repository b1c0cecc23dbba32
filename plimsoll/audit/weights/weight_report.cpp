#include <algorithm>
#include <array>

#include "plimsoll/audit/weights/weight_spectra.h"
#include "plimsoll/base/check.h"

namespace plimsoll::audit {
namespace {

using formats::Dtype;

struct DtypeRoundoff {
    Dtype dtype;
    double roundoff;
};

// Half the distance from 1 to the next number; F64 is read as float. E8M0 has powers of two only: 1.5 may
// become 2.
constexpr std::array roundoffs{
    DtypeRoundoff{Dtype::f64, 0x1p-24},        DtypeRoundoff{Dtype::f32, 0x1p-24},
    DtypeRoundoff{Dtype::f16, 0x1p-11},        DtypeRoundoff{Dtype::bf16, 0x1p-8},
    DtypeRoundoff{Dtype::f8_e4m3, 0x1p-4},     DtypeRoundoff{Dtype::f8_e5m2, 0x1p-3},
    DtypeRoundoff{Dtype::f8_e4m3fnuz, 0x1p-4}, DtypeRoundoff{Dtype::f8_e5m2fnuz, 0x1p-3},
    DtypeRoundoff{Dtype::f8_e8m0, 1.0 / 3},
};

Json to_json(const OverHeads& over) { return {{"min", over.least}, {"mean", over.mean}, {"max", over.most}}; }

Json to_json(const HeadRanks& heads) {
    return {{"heads", heads.heads},
            {"largest_possible_rank", heads.largest_possible},
            {"numerical_rank", to_json(heads.numerical)},
            {"stable_rank", to_json(heads.stable)},
            {"effective_rank", to_json(heads.effective)}};
}

Json to_json(const WeightSpectrum& entry) {
    const rank::Spectrum& spectrum = entry.spectrum;
    Json json{{"role", name_of(entry.role)},
              {"name", entry.name},
              {"layer", entry.layer ? Json(*entry.layer) : Json()},
              {"tensors", entry.tensors},
              {"dtype", entry.dtype},
              {"rows", entry.rows},
              {"cols", entry.cols},
              {"numerical_rank", spectrum.numerical_rank},
              {"stable_rank", spectrum.stable_rank},
              {"effective_rank", spectrum.effective_rank},
              {"tolerance", spectrum.tolerance},
              {"singular_values", spectrum.values.size()},
              {"largest", spectrum.values.empty() ? 0 : spectrum.values.front()},
              {"smallest", spectrum.values.empty() ? 0 : spectrum.values.back()},
              {"spectrum", sampled_values(spectrum, 64)}};
    if (entry.heads) json["heads"] = to_json(*entry.heads);
    return json;
}

}  // namespace

double roundoff_of(Dtype dtype) {
    const auto found = std::find_if(roundoffs.begin(), roundoffs.end(),
                                    [dtype](const DtypeRoundoff& known) { return known.dtype == dtype; });
    PLIMSOLL_CHECK(found != roundoffs.end(), "the roundoff of a dtype that is not decoded");
    return found->roundoff;
}

std::vector<double> sampled_values(const rank::Spectrum& spectrum, std::size_t count) {
    PLIMSOLL_CHECK(count >= 2, "the largest and the smallest at least");
    const std::vector<double>& values = spectrum.values;
    if (values.size() <= count) return values;
    std::vector<double> samples;
    for (std::size_t i = 0; i < count; ++i) samples.push_back(values[i * (values.size() - 1) / (count - 1)]);
    return samples;
}

Json to_json(const WeightReport& report) {
    Json spectra = Json::array(), left_out = Json::array();
    for (const WeightSpectrum& entry : report.spectra) spectra.push_back(to_json(entry));
    for (const auto& entry : report.not_analysed) {
        left_out.push_back({{"part", entry.part}, {"reason", entry.reason}});
    }
    return {{"spectra", spectra}, {"not_finite", report.not_finite}, {"not_analysed", left_out}};
}

}  // namespace plimsoll::audit
