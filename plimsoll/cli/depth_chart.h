#pragma once

#include <string>

// What the drawings against depth share.
namespace plimsoll::cli {

// Maps depths to columns by their logarithm.
class DepthAxis {
  public:
    DepthAxis(double deepest, int columns) : deepest_(deepest), columns_(columns) {}
    [[nodiscard]] int column(double depth) const;
    // The powers of two under the axis.
    [[nodiscard]] std::string ticks() const;

  private:
    double deepest_;
    int columns_;
};

// Writes `text` over `line` from `column` on, lengthening the line as needed.
void put(std::string& line, int column, const std::string& text);

}  // namespace plimsoll::cli
