#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"

// Best depth against size, from races of several sizes: the law that Levine et al. (2020) fitted to a table,
// for a user's own data. docs/FIT_METHOD.md, "Your law".
namespace plimsoll::fit {

// Sizes that a line needs, and how far a prediction may be open (a factor between its ends) to say anything.
constexpr std::size_t law_sizes_needed = 3;
constexpr double widest_band = 4;

// The best depth of one size, with its 95 % interval.
struct SizePoint {
    double parameters = 0;
    double depth = 0, low = 0, high = 0;
    bool known = false;
    std::string why;  // it is not known; else empty

    bool operator==(const SizePoint&) const = default;
};

// A number with the middle 95 % of what the races leave possible.
struct Band {
    double middle = 0, low = 0, high = 0;
};

// What the law says of one target.
struct TargetShape {
    double parameters = 0;
    Band depth, width;

    // Whether the band says anything.
    [[nodiscard]] bool told() const { return depth.high <= widest_band * depth.low; }
};

// What a rule says of a target.
struct RuleShape {
    std::string rule;
    double depth = 0, width = 0;
};

// ln width = level + slope depth through the sizes, fitted as depth against ln width, because it is the depth
// that is not exactly known; the width of a depth follows from 12 L d^2 + rows d = parameters.
class DepthLaw {
  public:
    // `input_rows`: the vocabulary. An error when fewer than three sizes have a known best depth.
    static Result<DepthLaw> fit(const std::vector<SizePoint>& points, double input_rows);

    // The middle and the draws of depth = level + slope ln width.
    struct Line {
        double level = 0, slope = 0;
    };
    [[nodiscard]] const Line& line() const { return line_; }
    [[nodiscard]] TargetShape at(double parameters) const;

  private:
    Line line_;
    std::vector<Line> draws_;
    double input_rows_ = 0;
};

// The width of so many layers at so many parameters.
double width_at(double parameters, double depth, double input_rows);

// nanochat's, Levine's and Kaplan's shapes.
std::vector<RuleShape> rule_shapes(double parameters, double input_rows);

}  // namespace plimsoll::fit
