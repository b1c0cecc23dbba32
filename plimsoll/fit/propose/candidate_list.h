#pragma once

#include <vector>

#include "plimsoll/fit/propose/field.h"
#include "plimsoll/fit/propose/rival.h"

namespace plimsoll::fit {

// Gathers the candidates of a race in the order of their importance: the favourite, the rivals, both ends of
// the spread of depths, other families, the rest of the spread, heads, embedding rank. A shape that is there
// already gets one more reason.
class CandidateList {
  public:
    CandidateList(const DataLook& look, Proposal& proposal) : look_(look), proposal_(proposal) {}

    // `all`: for each family its fields, the main family first. Each races on the input that is chosen for
    // it, else on theory's.
    void add_all(const std::vector<std::vector<Field>>& all, const std::vector<FamilyInput>& chosen = {});

    // Keeps the first `most` and every rival, says what goes, and numbers the rest.
    void finish(std::size_t most);

  private:
    void add(const Field& field, const arch::ArchSpec& spec, const std::string& why,
             const std::string& rival = "");
    void add_favourite(const Field& field, const std::string& why);
    void add_rival(const Field& field, const RivalRule& rule);
    void add_spread(const Field& field, const std::vector<double>& multiples);
    void add_family(const std::vector<Field>& fields, const std::vector<FamilyInput>& chosen);
    void add_heads(const Field& field);
    void add_half_rank(const Field& field);
    void add_gelu(const Field& field);

    const DataLook& look_;
    Proposal& proposal_;
    std::optional<arch::ArchSpec> mixer_favourite_;
};

}  // namespace plimsoll::fit
