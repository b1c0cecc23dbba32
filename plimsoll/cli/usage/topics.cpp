#include "plimsoll/cli/usage/topics.h"

#include <array>

namespace plimsoll::cli {
namespace {

constexpr Topic topic_names{"names", "what a model, a run or a data set is called", R"(
One name means one thing, whatever the verb. It is looked up in this order:

  model.gguf, config.json, bert/    a file or folder; - is standard input
  runs/523f16cada3336df, run.toml   a run's folder, or its settings
  fit-shake                         the folder of a fit: its winner
  transformer:depth=12,width=768    a spec: a family and its keys
  openai-community/gpt2             an id of the Hugging Face hub, in its cache
  523f, deep                        a run: the start of its id, or its name
  gpt2, t5-11b                      a model of the zoo: plimsoll zoo

A name with two of the last three meanings is an error that lists them; hub:gpt2, run:gpt2 and zoo:gpt2 choose.

Data is a file, a folder, an archive, - for standard input, a set of the catalogue (cifar10, mnist, ...; looked up in $PLIMSOLL_DATA) or a synthetic one: plimsoll data kinds.
)"};

constexpr Topic topic_specs{"specs", "an architecture in one line", R"(
A spec is a family, a colon, and keys with their values:

  transformer:depth=12,width=768,heads=12,vocab=50257
  attention:depth=2,width=4,heads=1
  s-mixer:depth=8,tokens=64,channels=64

plimsoll count FAMILY names the keys that are missing, plimsoll count SPEC what the network costs. A misspelt key is an error that names the nearest one. docs/MODELS.md has every family and key.
)"};

constexpr Topic topic_numbers{"numbers", "how counts, bytes and times are written", R"(
  counts     1024, 64K, 100M, 1.5B, 1T, 2e8     powers of ten
  bytes      512M, 8G, 1.5GiB                   powers of 1024; 8GB is of 1000
  times      90s, 10m, 1h30m
  lists      64,128,256
)"};

constexpr Topic topic_words{"words", "the words that the answers use", R"(
separation rank: how many products of one-sided functions it takes to write a function of two groups of inputs; it measures how much a network can tie the two groups together. Its logarithm to base 3 is written log3.

capacity: the largest separation rank that a network's shape allows. It is a necessary condition, not a loss.

knee T: the depth at which one more layer doubles capacity. Below it a layer multiplies capacity by more, beyond it by less.

load line: the best depth at a size by measured losses, from the studies in plimsoll evidence.

valley: the depths that cost at most 1 % of loss beside the best one.

sequence cap: the most that any network can tie together, because a string of N tokens of a vocabulary V has only (N/2) log3 V to give. Where capacity passes it, separation rank cannot rank shapes ("strings can limit it from layer 8", "tokens limit it there").

heads bound: the bound of layer 1 falls with the number of heads; "0.49 layers" is what they cost, once, for the whole network.

rung: one level of a race. All networks train for a short time on the first rung; the better ones advance to the next, where each trains longer.

rate: the learning rate.

proved, refuted, undecided: the standing of a comparison of exact numbers. plimsoll bounds --list has the standing of every claim.

certain to 95 %: the interval holds the truth in 95 of 100 repetitions.
)"};

constexpr Topic topic_environment{"environment", "variables and files that plimsoll reads", R"(
  PLIMSOLL_RUNS      folder of runs (default ./runs); --runs goes before it
  PLIMSOLL_DATA      folder of data sets by name
  PLIMSOLL_TORCH_BIN plimsoll-torch, where it does not lie beside plimsoll
  HF_HUB_CACHE       cache of the Hugging Face hub (else $HF_HOME/hub, else
                     ~/.cache/huggingface/hub)
  NO_COLOR           no colours, whatever its value
  COLUMNS            columns of text (default: the terminal's; 80 elsewhere)
  OMP_NUM_THREADS    threads of a training process
  TMPDIR             folder of temporary files

Nothing is fetched from the network.
)"};

constexpr Topic topic_exit_codes{"exit-codes", "what the exit code says", R"(
   0   ok
   1   the answer is "no": a check failed, a run diverged
   2   bad input
   3   not found
   4   unsupported
   5   the operating system refused: a full disk, no permission
  70   a bug of plimsoll
  75   stopped; the same command resumes

An error is one line on stderr: where, what, and what would have been right. With --json it is also a document on stdout, {"format": "plimsoll-error-1", "error": {...}}.
)"};

constexpr Topic topic_output{"output", "text, JSON, colours, progress", R"(
Text is for people: at most as wide as the terminal, 80 columns elsewhere. --json is for programs: one document on stdout; docs/schema/ describes each. Progress and notes go to stderr.

--color auto colours on a terminal unless NO_COLOR is set; always and never do as they say. --quiet leaves results and errors; --verbose shows progress at once and where stderr is no terminal. Nothing is paged: plimsoll bounds --list | less.
)"};

constexpr std::array all_topics{topic_names,       topic_specs,      topic_numbers, topic_words,
                                topic_environment, topic_exit_codes, topic_output};

}  // namespace

std::span<const Topic> topics() { return all_topics; }

std::string_view first_steps() {
    return R"(plimsoll: how deep and how wide should a network be, for its data and its budget?

Five things to try:
  plimsoll advise --params 100M     a shape for a budget, and why
  plimsoll audit gpt2               is a model bottlenecked, and where
  plimsoll fit mytext.txt           train small networks on your data and say
                                    which shape fits it (minutes)
  plimsoll count transformer:depth=12,width=768,heads=12
                                    parameters, FLOPs and memory of a shape
  plimsoll doctor                   what is built and what this machine offers

plimsoll --help lists the verbs; plimsoll help names explains what to call things.
)";
}

}  // namespace plimsoll::cli
