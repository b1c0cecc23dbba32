#include "plimsoll/cli/fit/fit_answer.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

std::string coloured(const std::string& text, const char* codes, bool colour) {
    return colour ? fmt::format("\033[{}m{}\033[0m", codes, text) : text;
}

std::string value_words(const fit::Decision& decision, const fit::DataLook& look) {
    const double scale = fit::is_share(look.goal) ? 100 : 1;
    const std::string noise =
        decision.half_width > 0 ? fmt::format(" +- {:.2g}", scale * decision.half_width) : "";
    return fmt::format("{:.4g}{} {}, {} {}", scale * decision.value, noise, fit::value_unit(look),
                       decision.seeds, decision.seeds == 1 ? "seed" : "seeds");
}

// The first thing that is missing, and how many more there are.
std::string missing_words(const std::vector<fit::Shortfall>& shortfalls) {
    if (shortfalls.empty()) return "";
    const std::string more = shortfalls.size() == 1
                                 ? ""
                                 : fmt::format(" {} more {} in the report.", shortfalls.size() - 1,
                                               shortfalls.size() == 2 ? "is" : "are");
    return fit::settling_sentence(shortfalls.front()) + more;
}

}  // namespace

std::string answer_text(const fit::Decision& decision, const fit::DataLook& look,
                        const fit::Proposal& proposal, const fit::HandedOver& handed, bool colour) {
    const auto* winner = fit::find_candidate(proposal, decision.winner);
    if (winner == nullptr) return "";
    std::string text = "\n";
    if (!decision.enough()) text += coloured(wrapped("! " + decision.headline, 0, 2), "1;33", colour);
    const std::string head =
        fmt::format("> {} {} ({}): {}.", decision.enough() ? "Use" : "Best guess:", printable(winner->label),
                    winner->id, value_words(decision, look));
    text += coloured(wrapped(head, 0, 2), "1;35", colour);
    text += labelled("valley", decision.valley.sentence);
    if (decision.enough()) text += labelled("chosen", fmt::format("as {}", fit::name_of(decision.tip)));
    text += labelled("costs", fit::cost_words(decision.costs, *winner, proposal.unit));
    if (!decision.enough()) text += labelled("missing", missing_words(decision.shortfalls));
    if (!handed.report.empty()) text += labelled("report", handed.report);
    return handed.command.empty() ? text : text + "\ntrain it at full budget: " + handed.command + "\n";
}

}  // namespace plimsoll::cli
