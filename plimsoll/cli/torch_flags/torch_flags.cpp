#include "plimsoll/cli/torch_flags/torch_flags.h"

#include <CLI/CLI.hpp>

#include "plimsoll/cli/run_flags.h"

namespace plimsoll::cli {

CLI::App* add_eval_verb(CLI::App& app, EvalFlags& flags) {
    auto* verb = app.add_subcommand("eval", "print loss, bits per byte and accuracy of a trained run");
    verb->add_option("run", flags.run, named_run)->required();
    verb->add_option("--data", flags.options.data,
                     "data set to use instead of the run's, read with the run's tokenizer");
    verb->add_option("--split", flags.options.split,
                     "train, validation, all or a split of the set (default: the examples that the run held "
                     "out; for another set its validation or test split, else all)");
    verb->add_option("--stride", flags.options.stride,
                     "text: start windows N tokens apart and count only new tokens (1: as WIES-TAB1)");
    verb->add_option("--batch", flags.options.batch, "examples per batch (default: the run's)");
    verb->add_option("--device", flags.options.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    verb->add_flag("--json", flags.json, "for programs");
    return verb;
}

CLI::App* add_sample_verb(CLI::App& app, SampleFlags& flags) {
    auto* verb = app.add_subcommand("sample", "continue a prompt with a trained text run");
    verb->add_option("run", flags.run, named_run)->required();
    verb->add_option("--prompt", flags.options.prompt, "text to continue")->required();
    verb->add_option("--tokens", flags.options.tokens, "number of tokens to add")->capture_default_str();
    verb->add_option("--temperature", flags.options.temperature,
                     "randomness; 0: always the most likely token")
        ->capture_default_str();
    verb->add_option("--top-k", flags.options.top_k,
                     "sample only from this number of most likely tokens; 0: all")
        ->capture_default_str();
    verb->add_option("--seed", flags.options.seed, "seed of the random choices")->capture_default_str();
    verb->add_option("--device", flags.options.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    return verb;
}

CLI::App* add_train_verb(CLI::App& app, TrainFlags& flags) {
    auto* verb = app.add_subcommand("train", "train the run of a run.toml, or resume it");
    verb->add_option("config", flags.files,
                     "run.toml; docs/RUNS.md has every key. Several files train together as one program if "
                     "they share network, data and batch")
        ->required();
    verb->add_option("--set", flags.overrides,
                     "override a key of the files, may be repeated: --set optimizer.lr=3e-4")
        ->allow_extra_args(false);
    verb->add_option("--device", flags.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
    auto* trunk = verb->add_option(
        "--trunk", flags.trunk,
        "train the trunk that wsd runs of several lengths share; keep checkpoints at these steps: 900,1900");
    trunk->delimiter(',')->allow_extra_args(false);
    verb->add_flag("--alone", flags.alone, "use one process, even under srun, mpirun or torchrun");
    verb->add_flag("--tensorboard", flags.tensorboard, "also write a TensorBoard event file");
    verb->add_flag("--plot", flags.plot, "plot the training loss at the end");
    verb->add_flag("--json", flags.json, "for programs");
    verb->footer(
        "MFU in the live line is the run's FLOP/s (as counted by plimsoll count) divided by the FLOP/s of "
        "one large matrix product on this device in the run's precision, measured when the session starts.");
    return verb;
}

namespace {

void add_subject_flags(CLI::App& verb, SubjectFlags& flags) {
    verb.add_option("--init", flags.init, "initialisation of a spec's weights")->capture_default_str();
    verb.add_option("--seed", flags.seed, "seed of a spec's weights and of random inputs")
        ->capture_default_str();
    verb.add_option("--runs", flags.runs, "folder of runs (default $PLIMSOLL_RUNS, else ./runs)");
}

}  // namespace

CLI::App* add_spectra_verb(CLI::App& app, SpectraFlags& flags) {
    auto* verb =
        app.add_subcommand("spectra", "measure the singular values of every weight matrix, fresh or trained");
    verb->add_option(
        "spec", flags.spec,
        "a run or a fit (trained weights), or any name that plimsoll count takes (fresh weights)");
    verb->add_option("--run", flags.run, named_run);
    verb->add_option("--only", flags.only, "only matrices with this text in their name");
    add_subject_flags(*verb, flags.subject);
    verb->add_flag("--json", flags.json, "for programs");
    return verb;
}

CLI::App* add_cka_verb(CLI::App& app, CkaFlags& flags) {
    probe::CkaQuestion& question = flags.question;
    auto* verb =
        app.add_subcommand("cka", "measure the similarity of the layers of two networks on the same inputs");
    verb->add_option("first", flags.first,
                     "a run or a fit, or any name that plimsoll count takes (fresh weights)")
        ->required();
    verb->add_option("second", flags.second, "the second network (fresh weights use the next seed)")
        ->required();
    verb->add_option("--data", question.inputs.data, "real examples of this set instead of random inputs");
    verb->add_option("--examples", question.examples, "number of examples")->capture_default_str();
    verb->add_option("--positions", flags.positions, "positions of a text or of vectors (a run has its own)");
    verb->add_option("--device", question.inputs.device, "cpu, cuda or cuda:1")->capture_default_str();
    verb->add_flag("--unbiased", question.unbiased, "unbiased estimate for few examples (Song et al. 2012)");
    verb->add_flag("--layers", flags.layers, "show all pairs of layers");
    add_subject_flags(*verb, flags.subject);
    verb->add_flag("--json", flags.json, "for programs");
    return verb;
}

CLI::App* add_probe_verb(CLI::App& app) {
    auto* verb =
        app.add_subcommand("probe", "measure real networks: spectra of weights, similarity of layers");
    verb->require_subcommand(1);
    return verb;
}

}  // namespace plimsoll::cli
