#include "plimsoll/fit/propose/candidate_list.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/fit/propose/assess.h"
#include "plimsoll/fit/propose/trials.h"

namespace plimsoll::fit {
namespace {

const std::string of_spread = "the spread of depths";
constexpr double half_rank_from = 0.2;  // share of the budget in the token table
constexpr double rule_tolerance = 0.1;  // a width this near to its rule needs no note
// Depths in lines: a valley needs both its sides, then what lies between, by half octaves.
const std::vector<double> coarse_spread{0.5, 2, 1, 4, 0.25}, fine_spread{0.71, 1.41, 2.83, 0.35};
// Of three layers: 1, 6, 2, 12, then 4 and 8.
const std::vector<double> coarse_table_spread{1.0 / 3, 2, 2.0 / 3, 4}, fine_table_spread{4.0 / 3, 8.0 / 3};

// So many lines, in words; none where the line is a custom and no law.
std::string lines_words(const Field& field, double lines, const char* form) {
    if (field.maker.line() == Line::usual) return "";
    return fmt::format(fmt::runtime(form), lines, field.maker.line() == Line::load_line ? "lines" : "log2 C");
}

double input_rows(const Field& field, const DataLook& look) {
    if (field.input().patch > 0) return real(field.input().patch * field.input().patch * look.image_channels);
    return real(field.input().vocab);
}

const FieldShape& nearest_depth(const Field& field, double depth) {
    return *std::min_element(field.shapes.begin(), field.shapes.end(), [&](const auto& a, const auto& b) {
        return std::abs(real(a.depth) - depth) < std::abs(real(b.depth) - depth);
    });
}

// What is to be said about a rival whose rule the budget does not meet at a whole depth; may be empty.
std::string rival_note(const RivalRule& rule, double depth, const FieldShape& shape) {
    const std::string raced = fmt::format("{} x {}", shape.depth, shape.width);
    if (rule.depth > 0) {
        if (shape.depth == rule.depth) return "";
        return fmt::format("{}: the budget pays for no network of {} layers; its nearest, {}, races.",
                           rule.name, rule.depth, raced);
    }
    if (depth < 0.5) {
        return fmt::format("{}: {} costs more than the budget at one layer already; its nearest, {}, races.",
                           rule.name, rule.says, raced);
    }
    const double wanted = rule.width(real(shape.depth));
    if (std::abs(real(shape.width) / wanted - 1) <= rule_tolerance) return "";
    return fmt::format("{}: {} meets the budget at {:.1f} x {:.0f}; with whole layers that is {}.", rule.name,
                       rule.says, depth, rule.width(depth), raced);
}

}  // namespace

void CandidateList::add(const Field& field, const arch::ArchSpec& spec, const std::string& why,
                        const std::string& rival) {
    auto& list = proposal_.candidates;
    const auto same = std::find_if(list.begin(), list.end(), [&](const Candidate& candidate) {
        return candidate.input.name == field.input().name && candidate.spec == spec;
    });
    if (same != list.end()) {
        if (!why.starts_with(of_spread)) same->why += "; " + why;  // its place in the spread says nothing new
        if (!rival.empty()) same->rival += same->rival.empty() ? rival : "+" + rival;
        return;
    }
    Candidate candidate = assess(spec, field.input(), look_, field.maker.budget(), field.best_capacity);
    candidate.why = why;
    candidate.rival = rival;
    list.push_back(std::move(candidate));
}

void CandidateList::add_favourite(const Field& field, const std::string& why) {
    const FieldShape& shape = favourite_of(field);
    const bool usual = field.maker.line() == Line::usual;
    add(field, shape.spec,
        usual ? "the depth that is usual for tables"
              : why + lines_words(field, shape.over_line(), " ({:.2f} {})"));
}

void CandidateList::add_rival(const Field& field, const RivalRule& rule) {
    const double depth = rival_depth(rule, field.maker.budget(), input_rows(field, look_));
    const FieldShape& shape = nearest_depth(field, std::max(1.0, std::round(depth)));
    add(field, shape.spec, fmt::format("the rule of {}: {}", rule.name, rule.says), std::string(rule.name));
    const std::string note = rival_note(rule, depth, shape);
    if (!note.empty()) proposal_.notes.push_back(note);
}

void CandidateList::add_spread(const Field& field, const std::vector<double>& multiples) {
    for (const double multiple : multiples) {
        const FieldShape& shape = nearest_to(field, multiple);
        add(field, shape.spec, of_spread + lines_words(field, multiple, ": near {:g} {}"));
    }
}

// A permuted mixer races as the twin of the plain one, so that only the permutation differs.
void CandidateList::add_family(const std::vector<Field>& fields, const std::vector<FamilyInput>& chosen) {
    const Field& field = *chosen_field(fields, chosen);
    if (field.family() == "rp-mixer" && mixer_favourite_) {
        const auto depth = numbers_of(*mixer_favourite_).depth;
        for (const auto& twin : fields) {
            const auto spec = twin.maker.at(depth);
            const bool same = spec && numbers_of(*spec).tokens == numbers_of(*mixer_favourite_).tokens;
            if (same) return add(twin, *spec, "the twin of the mixer, permuted (Hayase & Karakida)");
        }
    }
    if (field.family() == "mixer") mixer_favourite_ = favourite_of(field).spec;
    add_favourite(field, "theory's favourite among " + field.family() + "s");
}

void CandidateList::add_heads(const Field& field) {
    const FieldShape& shape = favourite_of(field);
    const ShapeNumbers numbers = numbers_of(shape.spec);
    if (numbers.heads == 0) return;
    const std::int64_t half = numbers.width / (2 * numbers.heads);  // of a head, if it is whole
    const bool fast = field.maker.head_sizes() == HeadSizes::any || half % least_head == 0;
    const bool doubled = numbers.width % (2 * numbers.heads) == 0 && half >= least_head && fast;
    const std::int64_t heads = doubled ? 2 * numbers.heads : 1;
    const auto spec = ShapeMaker::with_heads(shape.spec, heads);
    if (heads == numbers.heads || !spec) return;
    add(field, *spec,
        fmt::format("the favourite with {} {} instead of {}", heads, heads == 1 ? "head" : "heads",
                    numbers.heads));
}

void CandidateList::add_half_rank(const Field& field) {
    const FieldShape& shape = favourite_of(field);
    if (field.maker.line() != Line::load_line || field.input().vocab == 0) return;
    if (table_share(field, shape) < half_rank_from) {
        proposal_.pruned.push_back(fmt::format(
            "A factorised token table: the full one takes {:.0f} % of the budget, so there is little "
            "to gain.",
            100 * table_share(field, shape)));
        return;
    }
    const auto spec = field.maker.at(shape.depth, {0, true});
    if (!spec || numbers_of(*spec).embedding_rank == 0) return;
    add(field, *spec, "the favourite's depth with a token table of half rank");
}

void CandidateList::add_gelu(const Field& field) {
    if (field.maker.line() != Line::usual) return;
    if (const auto spec = field.maker.at(favourite_of(field).depth, {.gelu = true}))
        add(field, *spec, "the favourite with GELU instead of ReLU");
}

void CandidateList::add_all(const std::vector<std::vector<Field>>& all,
                            const std::vector<FamilyInput>& chosen) {
    const Field& main = *chosen_field(all.front(), chosen);
    add_favourite(main, "theory's favourite");
    if (main.family() == "mixer") mixer_favourite_ = favourite_of(main).spec;
    if (main.maker.line() != Line::usual)  // the rules are for language models
        for (const auto& rule : rival_rules()) add_rival(main, rule);
    const bool table = main.maker.line() == Line::usual;
    add_spread(main, table ? coarse_table_spread : coarse_spread);
    for (std::size_t i = 1; i < all.size(); ++i) add_family(all[i], chosen);
    add_spread(main, table ? fine_table_spread : fine_spread);
    for (std::size_t i = 1; i < all.size(); ++i) add_spread(*chosen_field(all[i], chosen), {1, 2});
    add_heads(main);
    add_half_rank(main);
    add_gelu(main);
}

void CandidateList::finish(std::size_t most) {
    auto& list = proposal_.candidates;
    std::vector<Candidate> kept;
    std::size_t ours =
        most - std::min(most, static_cast<std::size_t>(std::count_if(
                                  list.begin(), list.end(), [](const auto& c) { return c.is_rival(); })));
    for (auto& candidate : list) {
        if (!candidate.is_rival() && ours == 0) {
            proposal_.pruned.push_back(fmt::format("{} ({}): the race has room for {} candidates.",
                                                   candidate.label, candidate.why, most));
            continue;
        }
        if (!candidate.is_rival()) --ours;
        kept.push_back(std::move(candidate));
    }
    list = std::move(kept);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].id = fmt::format("c{:02}", i + 1);
    proposal_.favourite = list.front().id;
}

}  // namespace plimsoll::fit
