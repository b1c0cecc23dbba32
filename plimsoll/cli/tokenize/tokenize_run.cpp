#include "plimsoll/cli/tokenize/tokenize_run.h"

#include <cstdio>

#include <unistd.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/tokenize/tokenize_text.h"
#include "plimsoll/cli/typed_input.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t most_threads = 1024;

Result<std::size_t> threads_of(const TokenizeFlags& flags) {
    PLIMSOLL_ASSIGN(threads, parse_integer(flags.threads, "threads"));
    if (threads < 0 || threads > most_threads)
        return bad_input("threads", fmt::format("must be 0 (all) to {}, got {}", most_threads, threads));
    return static_cast<std::size_t>(threads);
}

// "TEXT=ID" of a special token that a file of ranks does not name.
Result<bpe::SpecialToken> special_of(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return bad_input("special", fmt::format("must be TEXT=ID, got '{}'", text));
    PLIMSOLL_ASSIGN(id, parse_integer(text.substr(equals + 1), "special"));
    if (id < 0 || id >= 1 << 24) return bad_input("special", fmt::format("id {} is out of range", id));
    return bpe::SpecialToken{static_cast<std::uint32_t>(id), text.substr(0, equals)};
}

Result<bpe::BpeModel> model_of(const TokenizeFlags& flags) {
    bpe::RankFileFacts facts;
    if (!flags.pretokenizer.empty()) {
        PLIMSOLL_ASSIGN(pretokenizer, bpe::parse_pretokenizer(flags.pretokenizer));
        facts.pretokenizer = pretokenizer;
    }
    for (const std::string& text : flags.specials) {
        PLIMSOLL_ASSIGN(special, special_of(text));
        facts.specials.push_back(special);
    }
    return bpe::read_bpe(flags.tokenizer, facts);
}

Result<bpe::BpeTraining> training_of(const TokenizeFlags& flags) {
    bpe::BpeTraining training;
    PLIMSOLL_ASSIGN(vocab, parse_count(flags.vocab, "vocab"));
    PLIMSOLL_ASSIGN(frequency, parse_count(flags.min_frequency, "min-frequency"));
    PLIMSOLL_ASSIGN(unit, bpe::parse_text_unit(flags.unit));
    PLIMSOLL_ASSIGN(memory, parse_bytes(flags.max_memory, "max-memory"));
    PLIMSOLL_ASSIGN(threads, threads_of(flags));
    if (!flags.pretokenizer.empty()) {
        PLIMSOLL_ASSIGN(pretokenizer, bpe::parse_pretokenizer(flags.pretokenizer));
        training.pretokenizer = pretokenizer;
    }
    if (!flags.specials.empty()) training.specials = flags.specials;
    if (flags.no_special) training.specials.clear();
    training.vocab = static_cast<std::uint64_t>(vocab);
    training.min_frequency = static_cast<std::uint64_t>(frequency);
    training.unit = unit;
    training.max_memory = memory;
    training.threads = threads;
    training.allow_smaller = flags.allow_smaller;
    return training;
}

Result<bpe::EncodeOptions> encoding_of(const TokenizeFlags& flags) {
    bpe::EncodeOptions options;
    PLIMSOLL_ASSIGN(unit, bpe::parse_text_unit(flags.unit));
    PLIMSOLL_ASSIGN(threads, threads_of(flags));
    PLIMSOLL_ASSIGN(memory, parse_bytes(flags.max_memory, "max-memory"));
    options.unit = unit;
    options.threads = threads;
    options.max_memory = memory;
    options.specials_as_text = flags.specials_as_text;
    return options;
}

Status to_stdout(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()) return {};
    return io_error("standard output", "could not be written");
}

// Ids as text, `per_line` on a line.
class IdPrinter {
  public:
    Status print(std::span<const std::uint32_t> ids) {
        std::string text;
        for (const std::uint32_t id : ids) {
            if (count_ > 0) text += count_ % on_a_line == 0 ? '\n' : ' ';
            fmt::format_to(std::back_inserter(text), "{}", id);
            ++count_;
        }
        return to_stdout(text);
    }
    Status end() { return count_ > 0 ? to_stdout("\n") : Status(); }

  private:
    static constexpr std::uint64_t on_a_line = 16;
    std::uint64_t count_ = 0;
};

Result<int> encode_to_stdout(const bpe::BpeEncoder& encoder, const std::string& input,
                             const bpe::EncodeOptions& options) {
    IdPrinter printer;
    const auto sink = [&](std::span<const std::uint32_t> ids) { return printer.print(ids); };
    PLIMSOLL_RETURN_IF_ERROR(bpe::encode_file(encoder, input, options, sink));
    PLIMSOLL_RETURN_IF_ERROR(printer.end());
    return 0;
}

Result<int> encode_to_file(const bpe::BpeEncoder& encoder, const std::string& input,
                           const TokenizeFlags& flags, const bpe::EncodeOptions& options) {
    const unsigned width = bpe::id_width(encoder.model());
    PLIMSOLL_ASSIGN(file, AtomicFile::create(flags.out));
    const auto sink = [&](std::span<const std::uint32_t> ids) {
        return file.write(bpe::binary_ids(ids, width));
    };
    PLIMSOLL_ASSIGN(encoded, bpe::encode_file(encoder, input, options, sink));
    PLIMSOLL_RETURN_IF_ERROR(file.commit());
    fmt::print("{}: {} ids of {} bytes (uint{}, little-endian) from {} bytes\n", flags.out, encoded.tokens,
               width, 8 * width, encoded.bytes);
    return 0;
}

Result<std::size_t> read_stdin(std::span<char> out) {
    const ssize_t count = ::read(STDIN_FILENO, out.data(), out.size());
    if (count < 0) return io_error("standard input", "could not be read");
    return static_cast<std::size_t>(count);
}

Status decode_all(const bpe::BpeEncoder& encoder, const std::string& input,
                  const std::function<Status(std::string_view)>& write) {
    const auto sink = [&](std::span<const std::uint32_t> ids) -> Status {
        std::string bytes;
        PLIMSOLL_RETURN_IF_ERROR(encoder.decode(ids, bytes));
        return write(bytes);
    };
    if (input == "-") return bpe::read_id_text(read_stdin, sink);
    return bpe::read_ids(input, bpe::id_width(encoder.model()), sink);
}

Result<TokenizedText> tokenize_for_info(const bpe::BpeModel& model, const TokenizeFlags& flags) {
    PLIMSOLL_ASSIGN(encoder, bpe::BpeEncoder::make(model));
    PLIMSOLL_ASSIGN(options, encoding_of(flags));
    TokenizedText text{flags.input, {}, std::vector<std::uint64_t>(model.tokens.size())};
    const auto sink = [&](std::span<const std::uint32_t> ids) {
        for (const std::uint32_t id : ids) ++text.uses[id];
        return Status();
    };
    PLIMSOLL_ASSIGN(input, TypedInput::open(flags.input));
    PLIMSOLL_ASSIGN(encoded, bpe::encode_file(encoder, input.path(), options, sink));
    text.encoded = encoded;
    return text;
}

Result<std::vector<TypedInput>> typed_files(const std::vector<std::string>& names) {
    std::vector<TypedInput> files;
    for (const auto& name : names) {
        PLIMSOLL_ASSIGN(file, TypedInput::open(name));
        files.push_back(std::move(file));
    }
    return files;
}

std::vector<std::filesystem::path> paths_of(const std::vector<TypedInput>& files) {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files) paths.emplace_back(file.path());
    return paths;
}

}  // namespace

Result<int> tokenize_train(const TokenizeFlags& flags) {
    PLIMSOLL_ASSIGN(training, training_of(flags));
    const bool ranks = flags.format == "tiktoken";
    if (!ranks && flags.format != "json")
        return bad_input("format", fmt::format("must be json or tiktoken, got '{}'", flags.format));
    ProgressBar counting("counting words"), merging("merging");
    training.counting = counting.callback();
    training.merging = merging.callback();
    PLIMSOLL_ASSIGN(files, typed_files(flags.files));
    PLIMSOLL_ASSIGN(trained, bpe::train_bpe(paths_of(files), training));
    if (ranks) {
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(flags.out, bpe::rank_text(trained.model)));
    } else {
        PLIMSOLL_RETURN_IF_ERROR(formats::write_tokenizer_json(flags.out, bpe::json_of_bpe(trained.model)));
    }
    print_trained(trained, flags.out);
    return 0;
}

Result<int> tokenize_encode(const TokenizeFlags& flags) {
    PLIMSOLL_ASSIGN(model, model_of(flags));
    PLIMSOLL_ASSIGN(encoder, bpe::BpeEncoder::make(std::move(model)));
    PLIMSOLL_ASSIGN(options, encoding_of(flags));
    ProgressBar bar("encoding");
    options.progress = bar.callback();
    PLIMSOLL_ASSIGN(input, TypedInput::open(flags.input));
    return flags.out.empty() ? encode_to_stdout(encoder, input.path(), options)
                             : encode_to_file(encoder, input.path(), flags, options);
}

Result<int> tokenize_decode(const TokenizeFlags& flags) {
    PLIMSOLL_ASSIGN(model, model_of(flags));
    PLIMSOLL_ASSIGN(encoder, bpe::BpeEncoder::make(std::move(model)));
    if (flags.out.empty()) {
        PLIMSOLL_RETURN_IF_ERROR(decode_all(encoder, flags.input, to_stdout));
        return 0;
    }
    PLIMSOLL_ASSIGN(file, AtomicFile::create(flags.out));
    PLIMSOLL_RETURN_IF_ERROR(
        decode_all(encoder, flags.input, [&](std::string_view bytes) { return file.write(bytes); }));
    PLIMSOLL_RETURN_IF_ERROR(file.commit());
    return 0;
}

Result<int> tokenize_info(const TokenizeFlags& flags) {
    PLIMSOLL_ASSIGN(model, model_of(flags));
    std::optional<TokenizedText> text;
    if (!flags.input.empty()) {
        PLIMSOLL_ASSIGN(found, tokenize_for_info(model, flags));
        text = std::move(found);
    }
    if (flags.json) {
        print_json("tokenizer", tokenizer_info_json(model, text));
    } else {
        print_tokenizer(model, text);
    }
    return 0;
}

}  // namespace plimsoll::cli
