#include "plimsoll/exporter/export.h"

#include <algorithm>
#include <array>

#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/exporter/folding.h"
#include "plimsoll/exporter/tensors.h"
#include "plimsoll/exporter/tokenizer.h"
#include "plimsoll/formats/safetensors/safetensors.h"
#include "plimsoll/run/table_encoding.h"
#include "plimsoll/store/disk.h"
#include "plimsoll/store/run_folder.h"

namespace plimsoll::exporter {
namespace {

namespace fs = std::filesystem;

constexpr const char* weights_name = "model.safetensors";
// What an export may hold, so that --force removes nothing else.
constexpr std::array<std::string_view, 6> export_names{
    "config.json", weights_name, "plimsoll.toml", "tokenizer.json", "tokenizer_config.json", run::table_file};

// A run to be exported.
struct Source {
    run::RunConfig config;
    std::int64_t step = 0;
    Weights weights;
};

Result<Source> open_source(const fs::path& run_folder) {
    PLIMSOLL_ASSIGN(config, run::read_run_config(run_folder / "config.toml"));
    PLIMSOLL_ASSIGN(checkpoint, store::latest_checkpoint(run_folder));
    if (!checkpoint) return not_found(run_folder.string(), "has no checkpoint yet");
    PLIMSOLL_ASSIGN(weights, Weights::open(checkpoint->folder / "weights.safetensors", config.model.spec));
    return Source{std::move(config), checkpoint->step, std::move(weights)};
}

// The path without a slash at its end, so that it has a name and neighbours.
fs::path tidied(const fs::path& target) {
    const fs::path normal = target.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

Status may_replace(const fs::path& folder, const std::vector<fs::path>& entries, bool force) {
    if (!force)
        return bad_input(folder.string(), "exists and is not empty; --force replaces an earlier export");
    for (const fs::path& entry : entries) {
        const std::string name = entry.filename().string();
        if (std::ranges::find(export_names, name) != export_names.end()) continue;
        return bad_input(folder.string(),
                         fmt::format("holds '{}', which no export wrote; not replaced", name));
    }
    return {};
}

Status check_target(const fs::path& target, bool force) {
    std::error_code ignored;
    const auto status = fs::status(target, ignored);
    if (!fs::exists(status)) return {};
    if (!fs::is_directory(status)) return bad_input(target.string(), "is a file; name a folder");
    PLIMSOLL_ASSIGN(entries, store::entries_of(target));
    return entries.empty() ? Status() : may_replace(target, entries, force);
}

// What one folder will hold.
struct Content {
    std::vector<ExportFile> files;
    std::vector<formats::TensorData> tensors;  // point into the weights or into `arranged`
    std::vector<std::vector<std::byte>> arranged;
};

void add_stock_weights(StockClass stock, Source& source, Content& content) {
    source.weights.multiply(folded_multipliers(source.config));
    const std::vector<StockTensor> tensors = stock_tensors(stock, source.config.model.spec);
    content.arranged.reserve(tensors.size());
    for (const StockTensor& tensor : tensors) {
        auto bytes = source.weights.stored(tensor);
        if (!bytes) bytes = content.arranged.emplace_back(source.weights.arranged(tensor));
        content.tensors.push_back({tensor.name, source.weights.dtype(), tensor.shape, *bytes});
    }
}

Content content_of(Source& source, const ExportOptions& options, Exported& exported) {
    Content content;
    if (options.hf) {
        const auto fit = stock_class_of(source.config.model.spec);
        if (const auto* stock = std::get_if<StockClass>(&fit)) {
            exported.stock_class = class_name(*stock);
            content.files.push_back({"config.json", stock_config(*stock, source.config).dump(2) + "\n"});
            add_stock_weights(*stock, source, content);
            return content;
        }
        exported.why_plain = std::get<std::string>(fit);
    }
    content.files.push_back({"plimsoll.toml", run::to_toml(source.config)});
    content.tensors = source.weights.plain();
    return content;
}

Status write_content(const fs::path& folder, const Content& content) {
    PLIMSOLL_RETURN_IF_ERROR(store::make_folders(folder));
    for (const ExportFile& file : content.files)
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(folder / file.name, file.text));
    PLIMSOLL_RETURN_IF_ERROR(
        formats::write_safetensors(folder / weights_name, content.tensors, Json{{"format", "pt"}}));
    return store::sync_path(folder);
}

// How a run on a table reads its rows.
Status add_table(const fs::path& run_folder, Content& content) {
    std::error_code problem;
    if (!fs::exists(run_folder / run::table_file, problem)) return {};
    PLIMSOLL_ASSIGN(text, read_text(run_folder / run::table_file));
    content.files.push_back({run::table_file, std::move(text)});
    return {};
}

// Puts the new folder in the place of the old one, which comes back when that fails.
Status put_in_place(const fs::path& making, const fs::path& target) {
    std::error_code ignored;
    const fs::path aside = making.string() + ".old";
    const bool replaces = fs::exists(target, ignored);
    if (replaces) PLIMSOLL_RETURN_IF_ERROR(store::rename_path(target, aside));
    if (const Status moved = store::rename_path(making, target); !moved.ok()) {
        if (replaces) (void)store::rename_path(aside, target);
        return moved;
    }
    const fs::path parent = target.has_parent_path() ? target.parent_path() : ".";
    PLIMSOLL_RETURN_IF_ERROR(store::sync_path(parent));
    return replaces ? store::remove_tree(aside) : Status();
}

Status write_folder(const fs::path& target, const Content& content) {
    const fs::path making = fmt::format("{}.making-{}", target.string(), ::getpid());
    Status done = write_content(making, content);
    if (done.ok()) done = put_in_place(making, target);
    if (!done.ok()) (void)store::remove_tree(making);
    return done;
}

void describe(const Content& content, Exported& exported) {
    for (const ExportFile& file : content.files) exported.files.push_back(file.name);
    exported.files.emplace_back(weights_name);
    std::ranges::sort(exported.files);
    exported.tensors = content.tensors.size();
    for (const auto& tensor : content.tensors) {
        arch::Count size = 1;
        for (const std::uint64_t side : tensor.shape) size *= static_cast<std::int64_t>(side);
        exported.parameters += size;
    }
}

}  // namespace

Result<Exported> export_run(const fs::path& run_folder, const fs::path& target,
                            const ExportOptions& options) {
    Exported exported{.folder = tidied(target)};
    PLIMSOLL_RETURN_IF_ERROR(check_target(exported.folder, options.force));
    PLIMSOLL_ASSIGN(source, open_source(run_folder));
    PLIMSOLL_ASSIGN(tokenizer, tokenizer_files(source.config, options.tokenizer));
    exported.step = source.step;
    exported.why_no_tokenizer = tokenizer.why_none;
    Content content = content_of(source, options, exported);
    std::ranges::move(tokenizer.files, std::back_inserter(content.files));
    PLIMSOLL_RETURN_IF_ERROR(add_table(run_folder, content));
    PLIMSOLL_RETURN_IF_ERROR(write_folder(exported.folder, content));
    describe(content, exported);
    return exported;
}

Json to_json(const Exported& exported) {
    const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    return {{"folder", exported.folder.string()},
            {"step", exported.step},
            {"stock_class", or_null(exported.stock_class)},
            {"why_plain", or_null(exported.why_plain)},
            {"why_no_tokenizer", or_null(exported.why_no_tokenizer)},
            {"tensors", exported.tensors},
            {"parameters", exported.parameters.text()},
            {"files", exported.files}};
}

}  // namespace plimsoll::exporter
