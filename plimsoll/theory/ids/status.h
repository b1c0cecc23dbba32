#pragma once

#include <span>
#include <string>
#include <string_view>

// What is known about every claim, in one table: all faces print from it, and none may say more.
namespace plimsoll::theory {

// How a claim is known.
enum class Standing {
    proved,       // a theorem, or an identity
    refuted,      // false as printed; the erratum says where
    repaired,     // ours, proved, in place of a refuted one
    measured,     // computed or measured here on a stated range, not proved
    conjectured,  // stated without a proof that we could check
    defined,      // a definition or a convention
    reported,     // a number that others measured and published
};
// "proved", "conjectured".
std::string_view to_text(Standing standing);

// What a claim is about: a bound says nothing about what networks reach.
enum class ClaimKind { fact, upper, lower };

// One line of the table.
struct ClaimStatus {
    std::string_view id;
    Standing standing = Standing::conjectured;
    ClaimKind kind = ClaimKind::fact;
    std::string_view scope;  // what exactly is known, in a few words: "that networks reach it is conjectured"
    std::string_view needs;  // a condition beyond the ranges of the inputs: "odd d_a"; empty: none
};

// The line of a claim; ID-LOG3 has the line of ID. An id without a line is a Bug.
const ClaimStatus& status_of(std::string_view id);

// Whether the table has a line for the id.
bool has_status(std::string_view id);

// Every line, by source.
std::span<const ClaimStatus> claim_statuses();

// For faces that print a few words beside a claim: "upper bound proved", "lower bound proved for odd d_a",
// "reported".
std::string brief_text(const ClaimStatus& status);

// With its condition: "proved for odd d_a", "repaired".
std::string conditional_text(const ClaimStatus& status);

// What exactly is known: "upper bound; that networks reach it is conjectured"; may be empty.
std::string scope_text(const ClaimStatus& status);

// Whether a face that calls a claim `said` says more than the table: "proved" of what is only measured, any
// other word but "refuted" of what is refuted.
bool says_more(Standing said, const ClaimStatus& status);

}  // namespace plimsoll::theory
