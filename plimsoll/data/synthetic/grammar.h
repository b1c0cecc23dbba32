#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/random.h"

namespace plimsoll::data {

// Words by rank, the word of rank r with probability proportional to 1 / (r + 3.7) (Zipf's law as Mandelbrot
// bends it).
class ZipfWords {
  public:
    // `count` made-up words; those of `family` (of `families`) share none with the other families.
    ZipfWords(std::size_t count, std::size_t family, std::size_t families);

    // A random word; adds what it tells, in bits, to `bits`.
    const std::string& draw(RandomStream& stream, double& bits) const;

    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

  private:
    std::vector<std::string> words_;
    std::vector<double> up_to_;  // probability of this word or one before it
};

// An unambiguous grammar: what was chosen can be read off the text, so that the bits of the choices are the
// bits of the text under the true model.
//   paragraph  NAME ":" sentence+ "so said NAME."     the same name twice
//   sentence   subject verb-phrase "."
//   subject    ("the" | "a" | "many") adjective? noun clause?
//   clause     "that" verb-phrase | "that" subject verb
//   verb-phrase  verb | verb subject | verb "(" subject verb-phrase ")"
// A verb has the number of its subject, however much stands between the two.
class Grammar {
  public:
    Grammar(std::uint64_t seed, std::size_t nouns);

    struct Paragraph {
        std::string text;
        double bits = 0;  // what its choices tell
    };
    // Paragraph `index` of the text; any of them without those before it.
    [[nodiscard]] Paragraph paragraph(std::uint64_t index) const;

  private:
    class Writer;
    std::uint64_t seed_;
    ZipfWords nouns_, verbs_, adjectives_, names_;
};

}  // namespace plimsoll::data
