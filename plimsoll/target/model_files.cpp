#include "plimsoll/target/model_files.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/text.h"
#include "plimsoll/formats/gguf/gguf.h"
#include "plimsoll/formats/gguf/gguf_shape.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "plimsoll/formats/safetensors/safetensors_index.h"
#include "plimsoll/formats/shape/tensor_shape.h"
#include "plimsoll/target/settings.h"
#include "plimsoll/target/spec_shape.h"

namespace plimsoll::target {
namespace {

namespace fs = std::filesystem;
using audit::Target;
using formats::ModelShape;
using formats::TensorTable;

constexpr std::string_view config_name = "config.json";
constexpr std::string_view settings_name = "plimsoll.toml";  // of an export that no stock class fits
// Weights that only their own frameworks can read.
constexpr std::array foreign_ends{".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack", ".onnx"};

// "gpt2-large" for gpt2-large.config.json, the folder's name for a file that all models call the same.
std::string name_for(const fs::path& path) {
    std::error_code ignored;
    const fs::path full = fs::weakly_canonical(path, ignored);
    std::string stem = full.filename().string();
    for (const std::string_view end : {".index.json", ".json", ".safetensors", ".gguf", ".config", "_config"})
        if (stem.size() > end.size() && stem.ends_with(end)) stem.resize(stem.size() - end.size());
    const bool common = stem == "config" || stem == "model";
    return common && full.has_parent_path() ? full.parent_path().filename().string() : stem;
}

void add_remarks(const TensorTable& table, ModelShape& shape) {
    for (const auto& remark : table.remarks) shape.not_analysed.push_back({"file", remark});
}

// Errors of the shape readers name the model; the user knows the file.
Result<ModelShape> at_path(Result<ModelShape> shape, const fs::path& path) {
    if (shape.ok()) return shape;
    const Error& error = shape.error();
    const bool plain = error.where.empty() || error.where == name_for(path);
    return Error{error.kind, path.string(), plain ? error.message : error.text()};
}

Result<Target> from_tensors(TensorTable table, const fs::path& path) {
    PLIMSOLL_ASSIGN(shape, at_path(formats::shape_from_tensors(table, name_for(path)), path));
    add_remarks(table, shape);
    shape.not_analysed.push_back(
        {"configuration", "no config.json was given: the shape is what names and shapes of tensors show"});
    return Target{std::move(shape), std::move(table), path.string(), nullptr, false};
}

Result<Target> from_gguf(const fs::path& path) {
    PLIMSOLL_ASSIGN(file, formats::read_gguf(path));
    PLIMSOLL_ASSIGN(shape, at_path(formats::shape_from_gguf(file.table.metadata, name_for(path)), path));
    add_remarks(file.table, shape);
    return Target{std::move(shape), std::move(file.table), path.string(), nullptr, true};
}

Result<Target> from_safetensors(const fs::path& path) {
    PLIMSOLL_ASSIGN(table, formats::read_safetensors_model(path));
    return from_tensors(std::move(table), path);
}

Result<ModelShape> read_config(const fs::path& path) {
    std::error_code error;
    if (fs::is_regular_file(path, error) && fs::file_size(path, error) == 0)
        return bad_input(path.string(), "is empty (0 bytes)");
    PLIMSOLL_ASSIGN(config, read_json(path));
    return at_path(formats::shape_from_config(config, name_for(path)), path);
}

Result<Target> from_config(const fs::path& path) {
    PLIMSOLL_ASSIGN(shape, read_config(path));
    return Target{std::move(shape), std::nullopt, path.string(), nullptr, true};
}

// The model files of a folder, by kind and sorted by name.
struct Folder {
    std::vector<std::string> safetensors, ggufs, foreign;
    bool config = false, index = false, settings = false;
};

bool ends_with_any(const std::string& name, const auto& ends) {
    return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return name.ends_with(end); });
}

Result<Folder> list_folder(const fs::path& path) {
    Folder folder;
    std::error_code error;
    fs::directory_iterator entry(path, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name == config_name) folder.config = true;
        if (name == settings_name) folder.settings = true;
        if (name == formats::shard_index_name) folder.index = true;
        if (name.ends_with(".safetensors")) folder.safetensors.push_back(name);
        if (name.ends_with(".gguf")) folder.ggufs.push_back(name);
        if (ends_with_any(name, foreign_ends)) folder.foreign.push_back(name);
    }
    if (error) return io_error(path.string(), "cannot list this folder: " + error.message());
    std::sort(folder.safetensors.begin(), folder.safetensors.end());
    std::sort(folder.ggufs.begin(), folder.ggufs.end());
    return folder;
}

// The one file of tensors of a folder: its index, model.safetensors, or the only one there is.
std::optional<fs::path> weights_in(const fs::path& path, const Folder& folder) {
    if (folder.index) return path / formats::shard_index_name;
    const auto& names = folder.safetensors;
    const auto usual = std::find(names.begin(), names.end(), formats::single_file_name);
    if (usual != names.end()) return path / *usual;
    if (names.size() == 1) return path / names.front();
    return std::nullopt;
}

// What lies in a Git checkout in the place of a large file that was not fetched.
bool is_pointer(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > 1024 || error) return false;
    const auto text = read_text(path, 1024);
    return text.ok() && text->starts_with("version https://git-lfs");
}

std::string why_no_weights(const Folder& folder) {
    if (folder.safetensors.size() > 1)
        return fmt::format("{} .safetensors files and no index; give one of them", folder.safetensors.size());
    if (!folder.foreign.empty())
        return fmt::format("{} is not read (only .safetensors and .gguf are)", folder.foreign.front());
    return "the folder holds no weights";
}

Result<Target> from_settings(const fs::path& path) {
    PLIMSOLL_ASSIGN(spec, spec_of_settings(path));
    return Target{shape_from_spec(spec, name_for(path.parent_path())), std::nullopt, path.string(), nullptr,
                  true};
}

Result<Target> description_and_weights(Result<Target> described, const fs::path& path, const Folder& folder) {
    PLIMSOLL_ASSIGN(target, std::move(described));
    const auto weights = weights_in(path, folder);
    if (!weights || is_pointer(*weights)) {
        target.shape.not_analysed.push_back(
            {"weights", weights
                            ? weights->filename().string() + " is a pointer to a file that was not fetched"
                            : why_no_weights(folder)});
        return target;
    }
    PLIMSOLL_ASSIGN(table, formats::read_safetensors_model(*weights));
    add_remarks(table, target.shape);
    target.source = fmt::format("{} and {}", target.source, weights->filename().string());
    target.tensors = std::move(table);
    return target;
}

Result<Target> from_folder(const fs::path& path) {
    PLIMSOLL_ASSIGN(folder, list_folder(path));
    if (folder.config) return description_and_weights(from_config(path / config_name), path, folder);
    if (folder.settings) return description_and_weights(from_settings(path / settings_name), path, folder);
    if (const auto weights = weights_in(path, folder)) return from_safetensors(*weights);
    if (folder.ggufs.size() == 1) return from_gguf(path / folder.ggufs.front());
    if (folder.ggufs.size() > 1)
        return bad_input(path.string(), fmt::format("holds {} .gguf files; give one of them: {}",
                                                    folder.ggufs.size(), join(folder.ggufs, ", ")));
    if (!folder.safetensors.empty() || !folder.foreign.empty())
        return unsupported(path.string(), "has no config.json, and " + why_no_weights(folder));
    return not_found(path.string(), "no config.json, .safetensors or .gguf in this folder");
}

// By its first bytes, where the name does not say.
Result<Target> from_content(const fs::path& path) {
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    const auto bytes = file.bytes().first(std::min<std::size_t>(file.bytes().size(), 16));
    const std::string head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (head.starts_with("GGUF")) return from_gguf(path);
    if (head.size() > 8 && head[8] == '{') return from_safetensors(path);
    if (trim(head).starts_with('{')) return from_config(path);
    return unsupported(path.string(),
                       "is neither a config.json nor safetensors nor GGUF, by its name and its first bytes");
}

Result<Target> from_file(const fs::path& path) {
    const std::string name = path.filename().string();
    if (name.ends_with(".gguf")) return from_gguf(path);
    if (name.ends_with(".safetensors") || name.ends_with(".index.json")) return from_safetensors(path);
    if (name.ends_with(".json")) return from_config(path);
    return from_content(path);
}

}  // namespace

Result<Target> read_model_files(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::directory) return from_folder(path);
    if (fs::exists(status)) return from_file(path);
    if (error && status.type() == fs::file_type::none) return io_error(path.string(), error.message());
    return not_found(path.string(), "no such file");
}

}  // namespace plimsoll::target
