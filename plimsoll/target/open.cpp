#include "plimsoll/base/format.h"
#include "plimsoll/target/fit_folder.h"
#include "plimsoll/target/model_files.h"
#include "plimsoll/target/settings.h"
#include "plimsoll/target/spec_shape.h"
#include "plimsoll/target/target.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;
using audit::Target;

constexpr const char* run_settings = "config.toml";
constexpr const char* fit_model = "model";

Target of_spec(const arch::ArchSpec& spec, const std::string& name, const std::string& source) {
    Target target;
    target.shape = shape_from_spec(spec, name);
    target.source = source;
    return target;
}

Result<Target> of_settings(const fs::path& file, const std::string& name) {
    PLIMSOLL_ASSIGN(spec, spec_of_settings(file));
    return of_spec(spec, name, file.string());
}

Result<Target> of_hub(const Meaning& meaning) {
    PLIMSOLL_ASSIGN(target, read_model_files(meaning.path));
    target.shape.name = meaning.name;
    return target;
}

// The exported weights of a fit, where they are read; else the spec alone.
Result<Target> of_fit(const Meaning& meaning) {
    PLIMSOLL_ASSIGN(winner, fit_winner(meaning.path));
    std::error_code ignored;
    const std::string name = fs::weakly_canonical(meaning.path, ignored).filename().string();
    Target target = of_spec(winner.spec, name, (meaning.path / "fit.json").string());
    if (auto exported = read_model_files(meaning.path / fit_model); exported.ok()) {
        target = std::move(exported).value();
        target.shape.name = name;
    }
    target.decided = fmt::format("The race of this fit chose it on its own data among {} networks: \"{}\"",
                                 winner.raced, winner.sentence);
    return target;
}

}  // namespace

Result<Target> model_of(const Meaning& meaning) {
    switch (meaning.kind) {
        case Kind::spec: {
            PLIMSOLL_ASSIGN(spec, arch::parse_spec(meaning.name));
            return of_spec(spec, arch::family_name(spec), "spec");
        }
        case Kind::settings:
            return of_settings(meaning.path, meaning.path.stem().string());
        case Kind::model:
            return read_model_files(meaning.path);
        case Kind::hub:
            return of_hub(meaning);
        case Kind::run:
            return of_settings(meaning.path / run_settings, "run " + meaning.path.filename().string());
        case Kind::fit:
            return of_fit(meaning);
        case Kind::zoo:
            return Target{meaning.zoo->shape, std::nullopt, "zoo", meaning.zoo, true, ""};
    }
    return bad_input(meaning.name, "means nothing");
}

Result<arch::ArchSpec> spec_of(const Meaning& meaning) {
    if (meaning.kind == Kind::spec) return arch::parse_spec(meaning.name);
    if (meaning.kind == Kind::settings) return spec_of_settings(meaning.path);
    if (meaning.kind == Kind::run) return spec_of_settings(meaning.path / run_settings);
    if (meaning.kind == Kind::fit) {
        PLIMSOLL_ASSIGN(winner, fit_winner(meaning.path));
        return winner.spec;
    }
    PLIMSOLL_ASSIGN(target, model_of(meaning));
    return spec_from_shape(target.shape);
}

Result<fs::path> run_of(const Meaning& meaning) {
    if (meaning.kind == Kind::run) return meaning.path;
    if (meaning.kind != Kind::fit) return unsupported(meaning.name, "is " + words(meaning));
    PLIMSOLL_ASSIGN(winner, fit_winner(meaning.path));
    std::error_code ignored;
    if (!winner.run.empty() && fs::is_regular_file(winner.run / run_settings, ignored)) return winner.run;
    return not_found(
        meaning.name,
        fmt::format("the run of its winner {} is no longer below {}; {} has its weights", winner.candidate,
                    (meaning.path / "runs").string(), (meaning.path / fit_model).string()));
}

}  // namespace plimsoll::target
