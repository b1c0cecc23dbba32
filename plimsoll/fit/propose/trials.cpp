#include "plimsoll/fit/propose/trials.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/propose/assess.h"

namespace plimsoll::fit {
namespace {

const FieldShape& near_depth(const Field& field, double depth) {
    return *std::ranges::min_element(field.shapes, {}, [&](const FieldShape& shape) {
        return std::abs(std::log2(real(shape.depth) / depth));
    });
}

class TrialList {
  public:
    TrialList(const DataLook& look, std::vector<std::string>& pruned) : look_(look), pruned_(pruned) {}

    void add_family(const std::vector<Field>& fields, bool twin) {
        const Field& main = *preferred_field(fields);
        const FieldShape& first = near_depth(main, trial_depth);
        add(main, first, twin ? "finds the learning rate" : "finds the learning rate, and tries its input");
        if (twin) return;
        for (const auto& field : fields)
            if (!field.shapes.empty() && field.input().name != main.input().name)
                add_input(field, near_depth(field, real(first.depth)));
    }

    [[nodiscard]] std::vector<Candidate> take() { return std::move(networks_); }

  private:
    void add_input(const Field& field, const FieldShape& shape) {
        const double share = table_share(field, shape);
        if (share <= raced_table_share) return add(field, shape, "tries " + field.input().name);
        pruned_.push_back(fmt::format("{}: its table alone would take {:.0f} % of the budget.",
                                      field.input().name, 100 * share));
    }

    void add(const Field& field, const FieldShape& shape, const std::string& why) {
        Candidate network =
            assess(shape.spec, field.input(), look_, field.maker.budget(), field.best_capacity);
        network.id = fmt::format("t{:02}", networks_.size() + 1);
        network.why = why;
        networks_.push_back(std::move(network));
    }

    const DataLook& look_;
    std::vector<std::string>& pruned_;
    std::vector<Candidate> networks_;
};

}  // namespace

const Field* chosen_field(const std::vector<Field>& fields, const std::vector<FamilyInput>& chosen) {
    for (const auto& field : fields) {
        const FamilyInput here{field.family(), field.input().name};
        if (!field.shapes.empty() && std::ranges::find(chosen, here) != chosen.end()) return &field;
    }
    return preferred_field(fields);
}

std::optional<Trials> make_trials(const std::vector<std::vector<Field>>& all, const DataLook& look,
                                  std::vector<std::string>& pruned) {
    const auto is = [](const char* family) {
        return [family](const std::vector<Field>& fields) { return fields.front().family() == family; };
    };
    const bool mixer = std::ranges::any_of(all, is("mixer"));
    TrialList list(look, pruned);
    for (const auto& fields : all) list.add_family(fields, mixer && is("rp-mixer")(fields));
    Trials trials{list.take(), {}};
    if (trials.networks.size() == all.size()) return std::nullopt;
    return trials;
}

}  // namespace plimsoll::fit
