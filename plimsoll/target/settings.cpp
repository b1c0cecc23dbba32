#include "plimsoll/target/settings.h"

#include "plimsoll/base/toml.h"

namespace plimsoll::target {
namespace {

Result<arch::ArchSpec> spec_in(const Json& settings, const std::string& file) {
    if (settings.contains("family")) return arch::spec_from_json(settings);
    const auto model = settings.find("model");
    const bool named = model != settings.end() && model->is_object() && model->contains("spec") &&
                       model->at("spec").is_string();
    if (named) return arch::parse_spec(model->at("spec").get<std::string>());
    return unsupported(file, "describes no network: no key model.spec and no key family");
}

}  // namespace

Result<arch::ArchSpec> spec_of_settings(const std::filesystem::path& file) {
    PLIMSOLL_ASSIGN(settings, read_toml(file));
    auto spec = spec_in(settings, file.string());
    if (!spec.ok() && spec.error().where != file.string())
        return Error{spec.error().kind, file.string(), spec.error().text()};
    return spec;
}

}  // namespace plimsoll::target
