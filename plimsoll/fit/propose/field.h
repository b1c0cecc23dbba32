#pragma once

#include <optional>
#include <vector>

#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/propose/shape_maker.h"
#include "plimsoll/fit/request.h"

namespace plimsoll::fit {

// Two depths over their line that differ by less are equal.
constexpr double line_rounding = 1e-9;

// One shape of the budget with what places it; cheap enough to be made for every depth.
struct FieldShape {
    arch::ArchSpec spec;
    std::int64_t depth = 0, width = 0;
    double line = 0, capacity = 0;
    double least = 0;  // the depth that a favourite has at least: the advised one, 1.5 lines of a mixer
    double most = 0;   // the depth that a favourite has at most: the valley's end, 2 lines of a mixer
    bool rank_suffices = true;  // the input's rank is at least half the width (R7); true for mixers

    [[nodiscard]] double over_line() const { return static_cast<double>(depth) / line; }
};

// Every depth that the budget pays for, of one family on one input.
struct Field {
    ShapeMaker maker;
    std::vector<FieldShape> shapes;  // by depth
    double best_capacity = 0;

    [[nodiscard]] const std::string& family() const { return maker.family(); }
    [[nodiscard]] const InputChoice& input() const { return maker.input(); }
};

// The share of the budget that the token table of a shape takes; 0 for patches.
double table_share(const Field& field, const FieldShape& shape);

// Makes and places the shapes of depths 1 to 256; an error as ShapeMaker::make's. There may be none.
Result<Field> make_field(const std::string& family, const InputChoice& input, const DataLook& look,
                         std::int64_t budget, const std::string& style, HeadSizes heads = HeadSizes::any);

// The same in the style and for the device of a request.
Result<Field> field_for(const FitRequest& request, const std::string& family, const InputChoice& input,
                        const DataLook& look, std::int64_t budget);

// The least depth that is advised at its size (a mixer: 1.5 lines); deeper, to the end of the valley (2
// lines), while the input's rank is below half the width. A larger budget never gets a lesser depth. The
// field is not empty.
const FieldShape& favourite_of(const Field& field);

// The shape whose depth is nearest to so many lines, in the logarithm. The field is not empty.
const FieldShape& nearest_to(const Field& field, double lines);

// Of the inputs the one that theory prefers: rank first (R7), then for tokens the fewest FLOPs per unit where
// the table takes at most a quarter of the budget, for patches the largest capacity. Null: every field is
// empty.
const Field* preferred_field(const std::vector<Field>& fields);

// Takes out the fields on which a unit costs the favourite more than `affordable` FLOPs and more than five
// times that of the preferred field of the first family: at equal FLOPs they would see too little of the
// data. A family keeps its cheapest. Says in `pruned` what goes.
void leave_out_dear(std::vector<std::vector<Field>>& all, double affordable, const std::string& unit,
                    std::vector<std::string>& pruned);

}  // namespace plimsoll::fit
