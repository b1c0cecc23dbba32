#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/probe/probe.h"
#include "plimsoll/train/train.h"

namespace CLI {
class App;
}

// The flags of the verbs that need LibTorch. plimsoll parses them, so that a wrong flag, --help and the name
// of a run cost no start of LibTorch; plimsoll-torch parses them again and does the work.
namespace plimsoll::cli {

struct EvalFlags {
    std::string run, runs;
    train::EvaluateOptions options;
    bool json = false;
};

struct SampleFlags {
    std::string run, runs;
    train::SampleOptions options;
};

struct TrainFlags {
    std::vector<std::string> files, overrides;
    std::string device = "cpu", runs;
    std::vector<std::int64_t> trunk;
    bool json = false, plot = false, tensorboard = false, alone = false;
};

// What both probes share.
struct SubjectFlags {
    std::string runs, init = "default";
    std::uint64_t seed = 1;
};

struct SpectraFlags {
    SubjectFlags subject;
    std::string spec, run, only;
    bool json = false;
};

struct CkaFlags {
    SubjectFlags subject;
    std::string first, second, positions;
    probe::CkaQuestion question;
    bool layers = false, json = false;
};

// Each adds a verb with its flags to `app` and returns it; the caller sets what it does.
CLI::App* add_eval_verb(CLI::App& app, EvalFlags& flags);
CLI::App* add_sample_verb(CLI::App& app, SampleFlags& flags);
CLI::App* add_train_verb(CLI::App& app, TrainFlags& flags);
CLI::App* add_probe_verb(CLI::App& app);  // its parts are the next two
CLI::App* add_spectra_verb(CLI::App& app, SpectraFlags& flags);
CLI::App* add_cka_verb(CLI::App& app, CkaFlags& flags);

}  // namespace plimsoll::cli
