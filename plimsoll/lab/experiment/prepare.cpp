#include "plimsoll/lab/experiment/prepare.h"

#include <algorithm>
#include <cstdlib>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/bpe/train.h"
#include "plimsoll/data/load.h"
#include "plimsoll/data/readers/byte_stream.h"
#include "plimsoll/data/readers/text_files.h"
#include "plimsoll/data/synthetic/synthetic.h"
#include "plimsoll/data/synthetic/synthetic_file.h"
#include "plimsoll/run/splits.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// The files of a text that are for training: those that say so, else all.
std::vector<fs::path> training_files(std::vector<fs::path> files) {
    const auto for_training = [](const fs::path& file) {
        return run::split_role(file.filename().string()) == run::SplitRole::train;
    };
    if (std::ranges::any_of(files, for_training)) std::erase_if(files, std::not_fn(for_training));
    return files;
}

class Maker {
  public:
    Maker(const Preparation& what, const PrepareOptions& options)
        : what_(what), options_(options), path_(options.folder / what.file), record_path_(path_) {
        record_path_ += ".made.json";
    }

    Status make() {
        if (!what_.tokenizer || data::is_synthetic(what_.from)) return make_from({});
        PLIMSOLL_ASSIGN(files, source_files());
        return make_from(files);
    }

  private:
    // The text itself, one made before, or a set below the data folder.
    Result<std::vector<fs::path>> source_files() const {
        data::DataRequest request;
        request.target =
            is_there(options_.folder / what_.from) ? (options_.folder / what_.from).string() : what_.from;
        request.data_folder = options_.data_folder;
        PLIMSOLL_ASSIGN(found, data::find_data(request));
        if (found.kind != data::Kind::text)
            return bad_input(what_.from, fmt::format("a tokenizer is trained on text, but this is {}",
                                                     data::kind_name(found.kind)));
        if (!found.plain_text)
            return bad_input(
                what_.from,
                fmt::format("a tokenizer is trained on files of plain text, but this is {}", found.reading));
        PLIMSOLL_ASSIGN(files, data::list_text_files(found.path));
        return training_files(std::move(files));
    }

    // What the file is made from, as it is noted beside it.
    [[nodiscard]] Json record_of(const std::vector<fs::path>& files) const {
        Json record{{"from", what_.from}};
        if (what_.tokenizer) record["vocab"] = what_.vocab;
        if (what_.bytes > 0) record["bytes"] = what_.bytes;
        Json sources = Json::array();
        for (const auto& file : files) {
            std::error_code problem;
            const auto size = fs::file_size(file, problem);
            sources.push_back({{"file", file.filename().string()}, {"bytes", problem ? 0 : size}});
        }
        if (!files.empty()) record["files"] = std::move(sources);
        return record;
    }

    Status make_from(const std::vector<fs::path>& files) const {
        const Json record = record_of(files);
        const auto before = read_json(record_path_);
        if (is_there(path_) && (!is_there(record_path_) || (before.ok() && *before == record))) return {};
        if (options_.tell) options_.tell(fmt::format("making {} from {}", what_.file, what_.from));
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(path_));  // before its record: it is not what that says
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(record_path_));
        PLIMSOLL_RETURN_IF_ERROR(store::make_folders(path_.parent_path()));
        PLIMSOLL_RETURN_IF_ERROR(what_.tokenizer ? train_tokenizer(files) : write_set());
        return atomic_write(record_path_, record.dump(2) + "\n");
    }

    Status write_set() const {
        PLIMSOLL_ASSIGN(set, data::make_synthetic(what_.from));
        return atomic_write(path_, data::file_text(set.dataset));
    }

    Status train_tokenizer(const std::vector<fs::path>& files) const {
        bpe::BpeTraining training;
        training.vocab = static_cast<std::uint64_t>(what_.vocab);
        if (what_.bytes == 0 && !files.empty()) return train_on(files, training);
        fs::path part = path_;
        part += ".text";
        PLIMSOLL_ASSIGN(text, first_text(files));
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(part, text));
        const Status trained = train_on({part}, training);
        PLIMSOLL_RETURN_IF_ERROR(store::remove_tree(part));
        return trained;
    }

    Status train_on(const std::vector<fs::path>& files, const bpe::BpeTraining& training) const {
        PLIMSOLL_ASSIGN(trained, bpe::train_bpe(files, training));
        return bpe::write_bpe(path_, trained.model);
    }

    // The first bytes of the text, as many as are wanted.
    Result<std::string> first_text(const std::vector<fs::path>& files) const {
        const std::uint64_t most = what_.bytes > 0 ? what_.bytes : UINT64_MAX;
        std::string text;
        if (data::is_synthetic(what_.from)) {
            PLIMSOLL_ASSIGN(set, data::make_synthetic(what_.from));
            if (!std::holds_alternative<data::TextFiles>(set.dataset))
                return bad_input(what_.from, "a tokenizer is trained on text, but this is none");
            text = data::file_text(set.dataset);
        }
        for (const auto& file : files) {
            PLIMSOLL_RETURN_IF_ERROR(add_bytes(file, most, text));
        }
        text.resize(std::min<std::uint64_t>(text.size(), most));
        return text;
    }

    static Status add_bytes(const fs::path& file, std::uint64_t most, std::string& text) {
        constexpr std::size_t piece = std::size_t{1} << 20U;
        PLIMSOLL_ASSIGN(stream, data::ByteStream::open(file));
        while (text.size() < most) {
            const std::size_t before = text.size();
            text.resize(before + piece);
            PLIMSOLL_ASSIGN(count, stream.read(std::as_writable_bytes(std::span(text).subspan(before))));
            text.resize(before + count);
            if (count < piece) break;
        }
        return {};
    }

    const Preparation& what_;
    const PrepareOptions& options_;
    fs::path path_, record_path_;
};

}  // namespace

fs::path data_folder() {
    const char* named = std::getenv("PLIMSOLL_DATA");
    return named == nullptr ? fs::path() : fs::path(named);
}

Status prepare(const std::vector<Preparation>& files, const PrepareOptions& options) {
    for (const Preparation& file : files) PLIMSOLL_RETURN_IF_ERROR(Maker(file, options).make());
    return {};
}

Status check_data(const std::string& name, const fs::path& data_folder) {
    data::DataRequest request;
    request.target = name;
    request.data_folder = data_folder;
    PLIMSOLL_RETURN_IF_ERROR(data::find_data(request));
    return {};
}

}  // namespace plimsoll::lab
