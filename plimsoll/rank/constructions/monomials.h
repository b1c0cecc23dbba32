#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll::rank {

// The monomials of each degree in a number of variables, counted from 0 in the lexicographic order of their
// variables written in rising order (x0 x0, x0 x1, x0 x2, x1 x1, ..).
class Monomials {
  public:
    // Tables for products up to degree `max_degree`; there must be fewer than 2^32 monomials of it.
    Monomials(std::size_t variables, std::size_t max_degree);

    // How many monomials there are, for sizes that need not fit.
    static double count_of(std::size_t variables, std::size_t degree);
    // What those tables take.
    static double table_bytes(std::size_t variables, std::size_t max_degree);

    [[nodiscard]] std::size_t variables() const { return variables_; }
    // How many there are of a degree.
    [[nodiscard]] std::size_t count(std::size_t degree) const { return base_[degree][variables_]; }
    // The place of `monomial` times a variable among those of the next degree.
    [[nodiscard]] std::uint32_t times(std::size_t degree, std::uint32_t monomial,
                                      std::size_t variable) const {
        return times_[degree][std::size_t{monomial} * variables_ + variable];
    }
    // The variables of a monomial in rising order, as often as they occur.
    [[nodiscard]] std::vector<std::uint32_t> factors(std::size_t degree, std::uint32_t monomial) const;

  private:
    void tabulate(std::size_t degree);

    std::size_t variables_;
    std::vector<std::vector<std::uint64_t>> base_;   // [degree][u]: monomials whose first variable is below u
    std::vector<std::vector<std::uint32_t>> times_;  // [degree][monomial * variables + variable]
};

}  // namespace plimsoll::rank
