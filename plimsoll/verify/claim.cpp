#include "plimsoll/verify/claim.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <iterator>

#include "plimsoll/base/text.h"
#include "plimsoll/theory/ids/status.h"
#include "plimsoll/verify/claim_tables.h"

namespace plimsoll::verify {
namespace {

constexpr std::array<std::string_view, 3> effort_names = {"quick", "normal", "deep"};
constexpr std::array<std::string_view, 3> verdict_names = {"holds", "fails", "undecided"};

ClaimVerdict verdict_of(const ClaimReport& report) {
    if (report.count(Outcome::fails) > 0) return ClaimVerdict::fails;
    return report.cases.empty() || report.count(Outcome::undecided) > 0 ? ClaimVerdict::undecided
                                                                        : ClaimVerdict::holds;
}

// A case that cannot be measured decides nothing; a machine that cannot measure is an error.
Result<Observation> observe_trial(const Trial& trial, Measurements& measurements) {
    auto result = trial.observe(measurements);
    if (result.ok() || result.error().kind == ErrorKind::io || result.error().kind == ErrorKind::not_found)
        return result;
    return Observation{"", "not measured: " + result.error().text(), Outcome::undecided};
}

std::vector<Claim> gather_claims() {
    std::vector<Claim> all;
    for (auto* table :
         {separation_claims, levine_claims, lemma_claims, corollary_claims, theorem4_claims, wies_claims,
          embedding_lemma_claims, navon_claims, expressive_gap_claims, hayase_claims, hilbert_claims,
          capacity_claims, odd_split_claims, attainment_claims}) {
        auto claims = table();
        std::move(claims.begin(), claims.end(), std::back_inserter(all));
    }
    return all;
}

// Whether the word names the id or is its beginning up to a hyphen or a variant's letter.
bool names(const std::string& word, const std::string& id) {
    if (!id.starts_with(word)) return false;
    if (id.size() == word.size()) return true;
    const auto next = static_cast<unsigned char>(id[word.size()]);
    return next == '-' || std::islower(next) != 0;
}

std::vector<const Claim*> claims_named(const std::string& word) {
    std::vector<const Claim*> exact, found;
    for (const Claim& claim : all_claims()) {
        if (claim.id == word) exact.push_back(&claim);
        if (names(word, claim.id)) found.push_back(&claim);
    }
    return exact.empty() ? found : exact;
}

}  // namespace

std::string_view to_text(Effort effort) { return effort_names.at(static_cast<std::size_t>(effort)); }

std::string_view to_text(ClaimVerdict verdict) { return verdict_names.at(static_cast<std::size_t>(verdict)); }

Result<Effort> parse_effort(std::string_view text) {
    const auto* const it = std::find(effort_names.begin(), effort_names.end(), text);
    if (it != effort_names.end()) return static_cast<Effort>(it - effort_names.begin());
    const std::vector<std::string> names(effort_names.begin(), effort_names.end());
    return bad_input("effort", "unknown '" + std::string(text) + "'" + suggestion(text, names));
}

std::string standing_text(const Claim& claim) {
    return theory::has_status(claim.id) ? conditional_text(theory::status_of(claim.id)) : "";
}

std::size_t ClaimReport::count(Outcome outcome) const {
    return static_cast<std::size_t>(std::count_if(
        cases.begin(), cases.end(), [&](const TriedCase& c) { return c.observation.outcome == outcome; }));
}

const TriedCase* ClaimReport::first(Outcome outcome) const {
    const auto it = std::find_if(cases.begin(), cases.end(),
                                 [&](const TriedCase& c) { return c.observation.outcome == outcome; });
    return it == cases.end() ? nullptr : &*it;
}

Result<ClaimReport> put_to_the_test(const Claim& claim, Effort effort, Measurements& measurements,
                                    const ProgressCallback& progress) {
    const auto start = std::chrono::steady_clock::now();
    ClaimReport report{.claim = &claim, .verdict = ClaimVerdict::undecided, .cases = {}};
    const auto trials = claim.trials(effort);
    for (const Trial& trial : trials) {
        if (progress) progress(report.cases.size(), trials.size());
        PLIMSOLL_ASSIGN(observation, observe_trial(trial, measurements));
        const std::string own = "plimsoll verify --claim " + claim.id +
                                (effort == Effort::quick ? "" : " --effort " + std::string(to_text(effort)));
        report.cases.push_back({trial.name, trial.command.empty() ? own : trial.command, observation});
    }
    report.verdict = verdict_of(report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

const std::vector<Claim>& all_claims() {
    static const std::vector<Claim> claims = gather_claims();
    return claims;
}

Result<std::vector<const Claim*>> find_claims(const std::vector<std::string>& words) {
    std::vector<const Claim*> chosen;
    std::vector<std::string> ids;
    for (const Claim& claim : all_claims()) {
        ids.push_back(claim.id);
        if (words.empty()) chosen.push_back(&claim);
    }
    for (const auto& word : words) {
        const auto found = claims_named(word);
        if (found.empty()) return not_found(word, "no such claim is tested" + suggestion(word, ids));
        for (const Claim* claim : found) {
            if (std::find(chosen.begin(), chosen.end(), claim) == chosen.end()) chosen.push_back(claim);
        }
    }
    return chosen;
}

}  // namespace plimsoll::verify
