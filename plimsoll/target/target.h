#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "plimsoll/arch/spec.h"
#include "plimsoll/audit/models/target.h"
#include "plimsoll/base/result.h"

// From a name to what it means, for every verb alike; docs/CLI.md has the order in which meanings are tried.
namespace plimsoll::target {

enum class Kind {
    spec,      // "transformer:depth=12,width=768,heads=12"
    settings,  // a run.toml, a plimsoll.toml
    model,     // a config.json, a .safetensors, a .gguf or a folder of them
    hub,       // a Hugging Face id in the local cache
    run,       // a trained run
    fit,       // the folder of a fit: its winner
    zoo,       // a published model
};

// What a name means.
struct Meaning {
    Kind kind = Kind::spec;
    std::string name;                    // as it was given
    std::filesystem::path path;          // the file or folder; empty for a spec and for the zoo
    const audit::ZooRow* zoo = nullptr;  // set for the zoo
};

// Where a name is looked up when it is no path.
struct SearchFolders {
    std::filesystem::path runs;  // folder of runs
    std::filesystem::path hub;   // the local cache of the Hugging Face hub
};

// What a verb wants to do with a name.
enum class Use {
    shape,    // read its sizes
    weights,  // load what was trained
};

// The one meaning of a name that the verb can use. A path that exists comes first, then a spec, then ids of
// the hub, runs and the zoo, where two meanings are an error that lists them; "hub:", "run:" and "zoo:"
// before a name choose. A name that means only what the verb cannot use is refused with both.
Result<Meaning> find(const std::string& name, Use use, const SearchFolders& places);

// "a model of the zoo, Llama-3-8B", "the run runs/523f16cada3336df".
std::string words(const Meaning& meaning);

// Its sizes, with the tensors where a file has them. Reads headers only.
Result<audit::Target> model_of(const Meaning& meaning);

// Its architecture; `unsupported` where no spec has exactly its parameters, with the reason.
Result<arch::ArchSpec> spec_of(const Meaning& meaning);

// The folder of the trained run: its own, or that of the winner of a fit.
Result<std::filesystem::path> run_of(const Meaning& meaning);

}  // namespace plimsoll::target
