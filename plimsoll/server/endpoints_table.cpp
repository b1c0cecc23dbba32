#include <array>

#include "plimsoll/server/endpoints.h"

namespace plimsoll::server {
namespace {

constexpr Parameter spec{"spec", "", Form::spec, "an architecture: transformer:depth=12,width=768,heads=12"};
constexpr Parameter model{"model", "", Form::model, "a model of the zoo: t5-11b"};
constexpr Parameter context{"context", "context", Form::number, "positions N"};

constexpr std::array audit_parameters{model, spec, context};

constexpr std::array upload_parameters{
    Parameter{"kind", "", Form::word, "config, safetensors or gguf: what the body begins"},
    Parameter{"size", "", Form::number, "bytes of the whole file, where the body is only its beginning"},
    context};

constexpr std::array advise_parameters{
    Parameter{"params", "params", Form::number, "the budget in parameters: 100M, 1.5B, 2e8"},
    Parameter{"flops", "flops", Form::number, "the budget in training FLOPs instead"},
    Parameter{"gpu_hours", "gpu-hours", Form::number, "the budget in hours of one gpu instead"},
    Parameter{"gpu", "gpu", Form::word, "card that training is priced on"},
    Parameter{"by", "by", Form::word, "what ties are broken by: flops, latency or memory"},
    Parameter{"family", "family", Form::word, "transformer or mixer"},
    Parameter{"vocab", "vocab", Form::number, "tokens of the vocabulary"},
    Parameter{"patch", "patch", Form::list, "patches instead of tokens: 16x16x3"},
    Parameter{"image", "image", Form::list, "size of the image: 224x224"},
    Parameter{"classes", "classes", Form::number, "classes of the image classifier"},
    context,
    Parameter{"multiple_of", "multiple-of", Form::number, "widths are multiples of this"},
    Parameter{"head_dim", "head-dim", Form::list, "head sizes to choose from: 64,128"},
    Parameter{"block", "block", Form::word, "gpt2 or llama"},
    Parameter{"embedding_rank", "embedding-rank", Form::word,
              "full, or the rank of a factorised token table"}};

constexpr std::array bounds_parameters{
    spec,
    model,
    Parameter{"id", "", Form::id, "one formula instead: LEVINE-T3"},
    Parameter{"input", "", Form::input, "an input of the formula: L=3", true},
    context,
    Parameter{"digits", "digits", Form::number, "significant figures of real numbers"},
    Parameter{"list", "list", Form::flag, "every id with its standing and inputs instead"}};

constexpr std::array capacity_parameters{
    Parameter{"params", "params", Form::number, "the budget"},
    context,
    Parameter{"vocab", "vocab", Form::number, "vocabulary V, paid for as V d"},
    Parameter{"max_depth", "max-depth", Form::number, "deepest network shown"},
    Parameter{"enclosure", "enclosure", Form::flag, "both proved ends over a grid, instead of a budget"},
    Parameter{"widths", "widths", Form::list, "of the enclosure"},
    Parameter{"depths", "depths", Form::list, "of the enclosure"},
    Parameter{"head_dim", "head-dim", Form::number, "heads of this size"}};

constexpr std::array count_parameters{
    spec,
    model,
    context,
    Parameter{"batch", "batch", Form::number, "sequences or images per step"},
    Parameter{"bytes_per_value", "bytes-per-value", Form::number, "of activations and caches"},
    Parameter{"families", "families", Form::flag, "the families and their keys instead"}};

constexpr std::array zoo_parameters{
    Parameter{"filter", "filter", Form::filter, "key=value, key>number or a text; all must hold", true},
    Parameter{"sort", "sort", Form::word, "a column; -column from the largest"}};

constexpr std::array rank_parameters{
    spec,
    Parameter{"positions", "positions", Form::number, "positions N of attention"},
    Parameter{"left", "left", Form::list, "side A: positions or entries, from 0"},
    Parameter{"partition", "partition", Form::word, "half, interleaved, rows, columns"},
    Parameter{"output", "output", Form::list, "coordinate,position"},
    Parameter{"prime", "prime", Form::number, "an odd prime below 2^23"},
    Parameter{"seeds", "seeds", Form::number, "draws of weights and samples"},
    Parameter{"max_size", "max-size", Form::number, "maximum number of rows and columns"},
    Parameter{"construction", "construction", Form::word,
              "automatic, gram, graded, catalecticant or literal"}};

constexpr std::array verify_parameters{
    Parameter{"claim", "claim", Form::id, "an id such as LEVINE-T4, or NAVON for all of a paper", true},
    Parameter{"effort", "effort", Form::word, "quick or normal"}};

constexpr std::array field_parameters{context};

constexpr Parameter of_fit{"fit", "", Form::run, "of the runs of this fit"};
constexpr std::array fit_parameters{Parameter{"fit", "", Form::run, "the id of a fit"}};
constexpr std::array start_parameters{
    Parameter{"data", "", Form::data, "a data set of this machine by its name, or synthetic:grammar"},
    Parameter{"params", "params", Form::number, "parameters of a network: 500K, 10M"},
    Parameter{"time", "time", Form::time, "for all of it: 90s, 10m, 1h30m"},
    Parameter{"families", "families", Form::data, "transformer, mixer, rp-mixer"},
    Parameter{"device", "device", Form::data, "cpu or cuda"}};

constexpr std::array experiment_parameters{
    Parameter{"experiment", "", Form::experiment, "the id of an experiment: navon-fig1"}};

constexpr Parameter run{"run", "", Form::run, "the id of a run"};
constexpr std::array run_parameters{run, of_fit};
constexpr std::array metrics_parameters{Parameter{"run", "where", Form::run, "the id of a run"}, of_fit};
constexpr std::array diff_parameters{run, Parameter{"with", "", Form::run, "the id of the other run"},
                                     of_fit};
constexpr std::array runs_parameters{
    Parameter{"where", "where", Form::filter, "key=value, key<number or key~text; all must hold", true},
    Parameter{"sort", "sort", Form::word, "a key; -key from the largest"},
    Parameter{"limit", "limit", Form::number, "maximum number of runs"}, of_fit};

constexpr std::string_view events = "text/event-stream";

constexpr std::array all_endpoints{
    Endpoint{"GET", "/api/v1/advise", "advise", "How deep and how wide for a budget, and why",
             advise_parameters},
    Endpoint{"GET", "/api/v1/advise/config", "", "The advised network as a file to train from",
             advise_parameters, "application/octet-stream", false},
    Endpoint{"GET", "/api/v1/audit", "audit", "Is this model bottlenecked, and where?", audit_parameters},
    Endpoint{"POST", "/api/v1/audit", "",
             "The same for a config.json, or the beginning of a .safetensors or .gguf", upload_parameters,
             "application/json", false},
    Endpoint{"GET", "/api/v1/bounds", "bounds", "What the theorems say at these numbers", bounds_parameters},
    Endpoint{"GET", "/api/v1/capacity", "capacity", "Capacity against depth at a budget",
             capacity_parameters},
    Endpoint{"GET", "/api/v1/count", "count", "Parameters, FLOPs and bytes of an architecture",
             count_parameters},
    Endpoint{"GET", "/api/v1/experiments", "reproduce --list", "The experiments of the papers, and ours", {}},
    Endpoint{"GET", "/api/v1/experiments/{experiment}", "report",
             "One experiment: figures, tables and findings from the rows that are kept",
             experiment_parameters},
    Endpoint{"GET", "/api/v1/experiments/{experiment}/page", "", "The same as a page with the figures drawn",
             experiment_parameters, "text/html"},
    Endpoint{"GET", "/api/v1/fits", "", "The fits that were started here", {}},
    Endpoint{"POST", "/api/v1/fits", "", "Starts plimsoll fit", start_parameters, "application/json", false},
    Endpoint{"GET", "/api/v1/fits/{fit}", "", "One fit: its state and what it says", fit_parameters},
    Endpoint{"GET", "/api/v1/fits/{fit}/report", "", "The page that fit wrote", fit_parameters, "text/html"},
    Endpoint{"POST", "/api/v1/fits/{fit}/resume", "", "Resumes a fit that was stopped", fit_parameters},
    Endpoint{"POST", "/api/v1/fits/{fit}/stop", "", "Stops a fit at a checkpoint", fit_parameters},
    Endpoint{"GET", "/api/v1/map", "", "The models of the zoo with their findings, and the load line", {}},
    Endpoint{"GET", "/api/v1/map/field", "", "Capacity and knee over widths and depths", field_parameters},
    Endpoint{"GET", "/api/v1/openapi.json", "", "This description", {}},
    Endpoint{"GET", "/api/v1/rank", "rank", "The separation rank, measured exactly", rank_parameters},
    Endpoint{"GET", "/api/v1/rank/stream", "",
             "The same while the matrix grows: events size, report and problem", rank_parameters, events,
             false},
    Endpoint{"GET", "/api/v1/runs", "runs list", "The runs of the folder, with the keys that the page shows",
             runs_parameters, "application/json", false, true},
    Endpoint{"GET", "/api/v1/runs/{run}", "runs show", "One run: settings, state, numbers, log",
             run_parameters, "application/json", false, true},
    Endpoint{"GET", "/api/v1/runs/{run}/diff", "runs diff", "Two runs: where they differ and how they ended",
             diff_parameters, "application/json", false, true},
    Endpoint{"GET", "/api/v1/runs/{run}/metrics", "runs export json --metrics", "Every row of its metrics",
             metrics_parameters, "application/json", false, true, false},
    Endpoint{"GET", "/api/v1/verify", "verify", "The theorems put to the test", verify_parameters},
    Endpoint{"GET", "/api/v1/zoo", "zoo", "Published models: their shapes, and how each is known",
             zoo_parameters},
};

}  // namespace

std::span<const Endpoint> endpoints() { return all_endpoints; }

}  // namespace plimsoll::server
