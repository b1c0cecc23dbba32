#pragma once

#include <optional>

#include "plimsoll/formats/tensorboard_events.h"
#include "plimsoll/run/table_encoding.h"
#include "plimsoll/store/run_folder.h"
#include "plimsoll/train/session.h"
#include "plimsoll/train/step_program.h"

namespace plimsoll::train {

// The run's folder as the first process writes it: rows of metrics, evaluations, checkpoints, the state.
class RunRecord {
  public:
    // How the run is computed in this session.
    struct Seat {
        int processes = 1;
        std::int64_t runs = 1, slot = 0;  // of its stack
    };
    // Creates or opens the run and notes this session in environment.json.
    static Result<RunRecord> open(const run::RunConfig& config, const TrainOptions& options, Seat seat);

    [[nodiscard]] bool done() const { return run_.state().phase == store::Phase::done; }
    [[nodiscard]] const store::RunState& state() const { return run_.state(); }
    // The end of a run that was complete before, from its files.
    [[nodiscard]] Result<RunSummary> earlier_summary() const;

    // Keeps how the run reads a table in its folder; `bad_input` when it reads it otherwise than before, as
    // the rows it trained on are no longer those.
    Status keep_table(const run::TableEncoding& encoding);
    // Puts the last checkpoint's values into `program`; its step, 0 when there is none. A run of `steps`
    // steps that has none yet starts from a checkpoint of its trunk, where it has one and there is one
    // (branch.h).
    Result<std::int64_t> resume(const StepProgram& program, const run::RunConfig& config, std::int64_t steps);
    // Marks the run as running from `step` on.
    Status start(std::int64_t step);

    // Takes the records of the next steps; a loss that is not finite marks the run as failed.
    Status take(const std::vector<StepRecord>& records);
    // The mean loss since the last row of metrics.
    [[nodiscard]] double mean_loss() const;
    // Rows of metrics: the losses since the last one (and the times of `progress` to timings), an evaluation,
    // or the gradient's noise.
    Status add_row(const TrainProgress& progress);
    Status add_evaluation(std::int64_t step, const Evaluation& evaluation);
    Status add_noise(std::int64_t step, const NoiseSample& sample);
    // Makes a checkpoint; weights that are not finite mark the run as failed instead.
    Status save(std::int64_t step, const StepProgram& program, store::Keep keep);

    // Marks the run as done; what it came to.
    Result<RunSummary> finish(std::int64_t step);
    // Notes that the session ends here and the run does not: told to stop, or as long as it was asked for.
    Result<RunSummary> leave(std::int64_t step, bool stopped);
    // Notes an error that ends the session, as far as the disk allows. The run is marked as failed, unless
    // the system is to blame (`io`: a full disk, a busy device, no memory); its checkpoint stays, and
    // training it again resumes from there.
    void fail(const Error& error);

  private:
    RunRecord(store::Run run, bool tensorboard, std::int64_t slot)
        : run_(std::move(run)), tensorboard_(tensorboard), slot_(slot) {}
    [[nodiscard]] std::vector<model::NamedTensor> memory(const StepProgram& program) const;
    Status restore_from(const store::Checkpoint& checkpoint, const StepProgram& program);
    Result<std::int64_t> branch_off(const StepProgram& program, const run::RunConfig& config,
                                    std::int64_t steps);
    Status note_branch(const BranchStart& start, const Json& computed);
    Status read_noise();
    Status diverged(const std::string& why);
    RunSummary summary_at(std::int64_t step);
    Status add_events(std::int64_t step, const std::vector<formats::Scalar>& scalars);

    store::Run run_;
    bool tensorboard_;
    std::int64_t slot_;  // in its stack
    std::optional<formats::EventWriter> events_;
    RunSummary summary_;
    std::int64_t last_step_ = 0;
    double last_norm_ = 0;
    std::vector<NoiseSample> noise_;  // of all rows
    // Losses since the last row of metrics: their sum and number. In the checkpoint, so that a row that a
    // resumed run writes is the same.
    torch::Tensor pending_ = torch::zeros({2}, torch::kDouble);
};

}  // namespace plimsoll::train
