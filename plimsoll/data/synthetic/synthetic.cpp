#include "plimsoll/data/synthetic/synthetic.h"

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/synthetic/synthetic_settings.h"

namespace plimsoll::data {
namespace {

constexpr std::string_view prefix = "synthetic:";

using Make = Result<Synthetic> (*)(const SyntheticSettings&, const ProgressCallback&);

struct Entry {
    SyntheticKind kind;
    Make make;
};

const std::vector<Entry>& entries() {
    static const SyntheticSetting seed{"seed", "1", "another number gives another set"};
    static const std::vector<SyntheticSetting> text{
        {"bytes", "1000000", "size of the text"},
        {"nouns", "2000", "nouns; as many names, half as many verbs, a quarter as many adjectives"},
        seed};
    static const std::vector<SyntheticSetting> examples{
        {"count", "10000", "examples for training"}, {"test", "1000", "examples for testing"}, seed};
    const auto with_examples = [](std::vector<SyntheticSetting> settings,
                                  const std::vector<SyntheticSetting>& last = {}) {
        settings.insert(settings.end(), examples.begin(), examples.end());
        settings.insert(settings.end(), last.begin(), last.end());
        return settings;
    };
    static const std::vector<Entry> all{
        {{"grammar", "text with long-range agreement, nesting and Zipf's law", text}, make_grammar},
        {{"hops", "follow k pointers: the answer needs k look-ups, one after the other",
          with_examples({{"hops", "2", "look-ups k"},
                         {"symbols", "16", "things that point at one another"},
                         {"mixed", "off", "on: each example says its own number of hops, 1 to k"}})},
         make_hops},
        {{"shuffled", "the words of the grammar's text in random order: no dependence is left", text},
         make_shuffled},
        {{"teacher", "random inputs, labelled by a random network of known separation rank",
          with_examples(
              {{"positions", "4", "tokens of an input (attention)"},
               {"classes", "2", "labels, equally frequent: quantiles of the teacher's output"}},
              {{"spec", "attention:depth=2,width=4,heads=1,embedding=vocab,vocab=16",
                "the teacher: attention of tokens, or square-mixer; it takes the rest of the name"}})},
         make_teacher},
    };
    return all;
}

// "hops" of "hops=3,seed=2".
std::string_view kind_of(std::string_view text) { return text.substr(0, text.find_first_of("=,")); }

}  // namespace

bool is_synthetic(std::string_view name) { return name.starts_with(prefix); }

std::vector<SyntheticKind> synthetic_kinds() {
    std::vector<SyntheticKind> kinds;
    for (const Entry& entry : entries()) kinds.push_back(entry.kind);
    return kinds;
}

Result<Synthetic> make_synthetic(std::string_view name, const ProgressCallback& progress) {
    PLIMSOLL_CHECK(is_synthetic(name), "not a synthetic set");
    const std::string_view text = name.substr(prefix.size());
    std::vector<std::string> names;
    for (const Entry& entry : entries()) {
        if (entry.kind.name == kind_of(text)) {
            PLIMSOLL_ASSIGN(settings, SyntheticSettings::parse(text, entry.kind));
            return entry.make(settings, progress);
        }
        names.push_back(entry.kind.name);
    }
    return bad_input(std::string(name), fmt::format("no kind '{}' of synthetic set{}", kind_of(text),
                                                    suggestion(kind_of(text), names)));
}

}  // namespace plimsoll::data
