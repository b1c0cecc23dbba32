#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/result.h"
#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/singular_values.h"

// Real networks measured, always in double precision. No type of torch here.
namespace plimsoll::probe {

// A network to look at: a spec with fresh weights, or the folder of a run with those of its last checkpoint.
struct Subject {
    std::variant<arch::ArchSpec, std::filesystem::path> source;
    std::string init = "default";  // of a spec: a name of model::initialisations()
    std::uint64_t seed = 1;        // of a spec's weights
};

// What was looked at, for people.
struct SubjectFacts {
    std::string spec;
    std::string weights;  // "fresh, init fan-in, seed 1", "trained, step 400"
};

// The inputs that networks are shown.
struct InputSettings {
    std::string data;                       // a set as data.name of run.toml; empty: random inputs
    std::uint64_t seed = 1;                 // of random inputs
    std::optional<std::int64_t> positions;  // where the network leaves it open; a run has its own
    std::string device = "cpu";
};

// ---- numeric rank ----

struct NumericQuestion {
    Subject subject;
    InputSettings inputs;
    bool fresh = false;               // of a run: its first weights as well
    std::string partition;            // a word of rank::parse_partitions; empty: half
    std::string left;                 // side A as a list; excludes `partition`
    std::string output;               // as rank::parse_output; empty: 0,0, causal networks 0,last
    std::int64_t size = 128;          // rows and columns of the score matrix, at most
    std::optional<double> tolerance;  // over the largest value; empty: max(rows, cols) 2^-52, as numpy
};

// Where the singular values fall most steeply.
struct Gap {
    std::size_t after = 0;  // number of values before it; 0: there is none
    double factor = 1;      // of the last value before it to the first after it
};

// The largest s_k / s_(k+1), 1 <= k <= numerical rank; values under the tolerance count as the tolerance.
Gap largest_gap(const rank::Spectrum& spectrum);

// The rank of one score matrix.
struct NumericRank {
    std::string weights;
    rank::Spectrum spectrum;
    Gap gap;
    bool saturated = false;  // as large as the matrix allows: the separation rank may be larger
    bool fades = false;      // no factor of ten between the values about the tolerance: a wider number
                             // type would see a larger rank
};

struct NumericPartition {
    std::string name;
    std::vector<std::size_t> left;
    std::size_t rows = 0, cols = 0;
    bool all_rows = false, all_cols = false;  // every string of tokens that side can have is there
    std::optional<std::size_t> bound;         // of a polynomial network: no weights have a larger rank
    std::vector<NumericRank> ranks;           // one per set of weights
};

struct NumericReport {
    SubjectFacts subject;
    rank::NetworkFacts facts;  // family, split, inputs and outputs; degree is not filled in
    rank::OutputIndex output;
    std::string templates;  // where the inputs come from, in words
    std::optional<double> tolerance;
    std::vector<NumericPartition> partitions;
    double seconds = 0;
};

// Entry (a, b) of the score matrix is one output of the network on the input that has template a's values in
// side A and template b's in side B; its rank is at most the separation rank (SEP-DEF).
Result<NumericReport> measure_numeric_rank(const NumericQuestion& question,
                                           const ProgressCallback& progress = {});

Json to_json(const NumericReport& report);
// "partition,weights,index,value", one line per singular value.
std::string to_csv(const NumericReport& report);

// ---- spectra ----

struct SpectraQuestion {
    Subject subject;
    std::string only;  // matrices whose name has this in it; empty: all
};

// The singular values of one weight matrix as the network uses it: with its mask and its prefactor.
struct MatrixSpectrum {
    std::string name;
    std::int64_t rows = 0, cols = 0;
    std::int64_t stack = 1;  // number of such matrices, side by side; the values are those of all of them
    std::int64_t copies =
        1;               // the layer is I (x) W with this number of copies, up to permutations (HAYASE-PK)
    double density = 1;  // share of the entries that exist
    rank::Spectrum spectrum;  // of the stack, one copy
    double mean = 0;
    double condition = 0;  // largest over smallest; infinite when that counts as zero
    // What a matrix of independent entries with the same mean square would have (Marchenko and Pastur 1967).
    double low_edge = 0, high_edge = 0;
    std::vector<double> law;   // its value for each of ours, largest first
    std::int64_t outside = 0;  // values above the edge, past what chance gives one matrix in a thousand
    double distance = 0;       // largest difference between the distribution of the values and that law
};

struct SpectraReport {
    SubjectFacts subject;
    std::vector<MatrixSpectrum> matrices;
};

// The singular values of every weight matrix and table.
Result<SpectraReport> measure_spectra(const SpectraQuestion& question, const ProgressCallback& progress = {});

Json to_json(const SpectraReport& report);

// ---- centred kernel alignment ----

struct CkaQuestion {
    Subject first, second;
    InputSettings inputs;  // what the first network reads; the second must read the same
    std::int64_t examples = 256;
    bool unbiased = false;  // HSIC without the bias of few examples (Song et al. 2012)
};

struct CkaReport {
    SubjectFacts first, second;
    std::vector<std::string> first_layers, second_layers;  // "1", "2", ..., "output"
    rank::DenseMatrix<double> values;                      // by layer of the first and of the second
    std::int64_t examples = 0;
    std::string inputs;
    bool unbiased = false;
};

// Linear CKA (Kornblith et al. 2019) between all layers of two networks on the same inputs; the activations
// of an example are one vector.
Result<CkaReport> measure_cka(const CkaQuestion& question, const ProgressCallback& progress = {});

Json to_json(const CkaReport& report);

}  // namespace plimsoll::probe
