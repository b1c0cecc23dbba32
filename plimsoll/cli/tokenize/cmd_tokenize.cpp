#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "plimsoll/cli/commands.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/tokenize/tokenize_run.h"

namespace plimsoll::cli {
namespace {

using Flags = std::shared_ptr<TokenizeFlags>;

void on_choice(CLI::App* verb, Action& action, const Flags& flags, Result<int> (*run)(const TokenizeFlags&)) {
    verb->callback([&action, flags, run] { action = [flags, run] { return exit_code_of(run(*flags)); }; });
}

void add_common(CLI::App* verb, const Flags& flags) {
    verb->add_option("--unit", flags->unit, "unit at which pre-tokens end: file or line")
        ->capture_default_str();
    verb->add_option("--threads", flags->threads, "number of threads; 0: all")->capture_default_str();
    verb->add_option("--max-memory", flags->max_memory,
                     "maximum memory: 512M, 2G, 1.5GiB (powers of 1024), 2GB (of 1000)")
        ->capture_default_str();
}

void add_tokenizer(CLI::App* verb, const Flags& flags) {
    verb->add_option("--tokenizer", flags->tokenizer,
                     "tokenizer.json, a folder with it or with GPT-2's two files, or tiktoken ranks")
        ->required();
    verb->add_option("--pretokenizer", flags->pretokenizer, "for ranks: cl100k (default), gpt2 or none");
    verb->add_option("--special", flags->specials, "for ranks: TEXT=ID, may be repeated")
        ->allow_extra_args(false);
}

void add_train(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TokenizeFlags>();
    auto* verb = app.add_subcommand("train", "learn a vocabulary from text files");
    verb->add_option("files", flags->files, "text, plain or .xz, .gz, .zst; - for standard input")
        ->required();
    verb->add_option("--vocab", flags->vocab, "total number of tokens: special, 256 bytes, merges")
        ->required();
    verb->add_option("--out", flags->out, "the file to write")->required();
    verb->add_option("--format", flags->format, "json (tokenizer.json) or tiktoken (ranks)")
        ->capture_default_str();
    verb->add_option("--pretokenizer", flags->pretokenizer, "gpt2 (default), cl100k or none");
    auto* special = verb->add_option("--special", flags->specials,
                                     "a special token, may be repeated (default <|endoftext|>)");
    special->allow_extra_args(false);
    verb->add_flag("--no-special", flags->no_special, "no special tokens")->excludes(special);
    verb->add_option("--min-frequency", flags->min_frequency, "do not merge pairs that are rarer than this")
        ->capture_default_str();
    verb->add_flag("--allow-smaller", flags->allow_smaller, "accept a smaller vocabulary from a short text");
    add_common(verb, flags);
    on_choice(verb, action, flags, tokenize_train);
}

void add_encode(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TokenizeFlags>();
    auto* verb = app.add_subcommand("encode", "convert text to ids");
    verb->add_option("file", flags->input, "text, plain or .xz, .gz, .zst; - for standard input")->required();
    add_tokenizer(verb, flags);
    verb->add_option("--out", flags->out, "write a .bin of uint16 or uint32 instead of text");
    verb->add_flag("--specials-as-text", flags->specials_as_text, "treat special tokens as plain text");
    add_common(verb, flags);
    on_choice(verb, action, flags, tokenize_encode);
}

void add_decode(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TokenizeFlags>();
    auto* verb = app.add_subcommand("decode", "convert ids to the exact bytes");
    verb->add_option("ids", flags->input, "a .bin, a file of ids as text, or - for standard input")
        ->required();
    add_tokenizer(verb, flags);
    verb->add_option("--out", flags->out, "write to this file instead of standard output");
    on_choice(verb, action, flags, tokenize_decode);
}

void add_info(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TokenizeFlags>();
    auto* verb = app.add_subcommand("info", "describe a tokenizer and its effect on a text");
    verb->add_option("file", flags->input, "text, plain or .xz, .gz, .zst; - for standard input");
    add_tokenizer(verb, flags);
    verb->add_flag("--json", flags->json, "for programs");
    add_common(verb, flags);
    on_choice(verb, action, flags, tokenize_info);
}

}  // namespace

void add_tokenize(CLI::App& app, Action& action) {
    auto* verb = app.add_subcommand("tokenize", "byte-level BPE: train, encode, decode, info");
    verb->require_subcommand(1);
    add_train(*verb, action);
    add_encode(*verb, action);
    add_decode(*verb, action);
    add_info(*verb, action);
}

}  // namespace plimsoll::cli
