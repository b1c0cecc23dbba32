#include "plimsoll/exporter/export.h"

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/bpe/encode.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/target/model_files.h"
#include "tests/exporter/export_support.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::exporter {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ExportOptions as_hf{.hf = true, .force = false, .tokenizer = {}};
const std::string tiny = "transformer:depth=2,width=8,heads=2,vocab=300,context=16";

class Export : public ::testing::Test {
  protected:
    fs::path run(const std::string& spec, const std::string& more = "") {
        return make_run(folder_.path() / "runs", config_of(spec, more));
    }
    Exported done(const fs::path& run_folder, const ExportOptions& options) {
        const auto exported = export_run(run_folder, out(), options);
        EXPECT_TRUE(exported.ok()) << exported.error().text();
        return exported.ok() ? *exported : Exported{};
    }
    Error refused(const fs::path& run_folder, const ExportOptions& options) {
        const auto exported = export_run(run_folder, out(), options);
        EXPECT_FALSE(exported.ok());
        return exported.ok() ? Error{} : exported.error();
    }
    [[nodiscard]] fs::path out() const { return folder_.path() / "out"; }
    // Everything beside the runs: the export and, were there any, leftovers.
    [[nodiscard]] std::vector<std::string> beside_runs() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            if (entry.path().filename() != "runs") names.push_back(entry.path().filename());
        }
        return names;
    }

    testing::TempDir folder_;
};

TEST_F(Export, Gpt2MatricesAreTransposedAndQueryKeyValueOne) {
    const auto exported = done(run(tiny), as_hf);
    EXPECT_EQ(exported.stock_class, "GPT2LMHeadModel");
    EXPECT_EQ(exported.step, 7);
    EXPECT_THAT(exported.files,
                ElementsAre("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"));
    const auto ours = invented_values(config_of(tiny).model.spec);
    auto theirs = read_values(out() / "model.safetensors");
    const auto& joined = theirs.at("transformer.h.1.attn.c_attn.weight");
    const auto& up = theirs.at("transformer.h.0.mlp.c_fc.weight");
    constexpr std::size_t width = 8, hidden = 32;
    for (std::size_t in = 0; in < width; ++in) {
        for (std::size_t to = 0; to < width; ++to) {
            const std::size_t row = in * 3 * width;
            EXPECT_EQ(joined[row + to], ours.at("layers.1.attention.query.weight")[to * width + in]);
            EXPECT_EQ(joined[row + width + to], ours.at("layers.1.attention.key.weight")[to * width + in]);
            EXPECT_EQ(joined[row + 2 * width + to],
                      ours.at("layers.1.attention.value.weight")[to * width + in]);
        }
        for (std::size_t to = 0; to < hidden; ++to)
            EXPECT_EQ(up[in * hidden + to], ours.at("layers.0.ffn.up.weight")[to * width + in]);
    }
    const auto& bias = theirs.at("transformer.h.0.attn.c_attn.bias");
    ASSERT_EQ(bias.size(), 24U);
    EXPECT_EQ(bias[0], ours.at("layers.0.attention.query.bias")[0]);
    EXPECT_EQ(bias[8], ours.at("layers.0.attention.key.bias")[0]);
    EXPECT_EQ(bias[23], ours.at("layers.0.attention.value.bias")[7]);
    EXPECT_EQ(theirs.at("transformer.wte.weight"), ours.at("tokens.weight"));
    EXPECT_EQ(theirs.count("lm_head.weight"), 0U) << "tied: stored once";
}

TEST_F(Export, Qwen3HasTheNormsOfQueriesAndKeysUnderItsNames) {
    const std::string spec = tiny + ",style=modern";
    const auto exported = done(run(spec), as_hf);
    EXPECT_EQ(exported.stock_class, "Qwen3ForCausalLM");
    const auto ours = invented_values(config_of(spec).model.spec);
    const auto theirs = read_values(out() / "model.safetensors");
    EXPECT_EQ(theirs.size(), ours.size());
    const std::string p = "model.layers.1.", q = "layers.1.";
    EXPECT_EQ(theirs.at(p + "self_attn.q_norm.weight"), ours.at(q + "attention.query_norm.weight"));
    EXPECT_EQ(theirs.at(p + "self_attn.k_norm.weight"), ours.at(q + "attention.key_norm.weight"));
    EXPECT_EQ(theirs.at(p + "self_attn.k_proj.weight"), ours.at(q + "attention.key.weight"));
    EXPECT_EQ(theirs.at(p + "mlp.gate_proj.weight"), ours.at(q + "ffn.gate.weight"));
    EXPECT_EQ(theirs.at(p + "mlp.up_proj.weight"), ours.at(q + "ffn.up.weight"));
    EXPECT_EQ(theirs.at("model.norm.weight"), ours.at("final_norm.weight"));
    EXPECT_EQ(theirs.count("lm_head.weight"), 0U) << "tied: stored once";
}

// Four times the width of the base shape and twice its depth: what stands beside a matrix goes into it.
TEST_F(Export, MultipliersOfAParameterizationAreFoldedIntoStockWeights) {
    const auto times = [](std::vector<float> values, float multiplier) {
        for (float& value : values) value *= multiplier;
        return values;
    };
    const std::string how =
        "model.parameterization = \"completep\"\nmodel.base_width = 2\nmodel.base_depth = 1\n";
    done(run(tiny + ",style=modern", how), as_hf);
    const auto ours = invented_values(config_of(tiny + ",style=modern").model.spec);
    const auto theirs = read_values(out() / "model.safetensors");
    const std::string p = "model.layers.1.", q = "layers.1.";
    EXPECT_EQ(theirs.at(p + "self_attn.o_proj.weight"), times(ours.at(q + "attention.output.weight"), 0.5F));
    EXPECT_EQ(theirs.at(p + "mlp.down_proj.weight"), times(ours.at(q + "ffn.down.weight"), 0.5F));
    EXPECT_EQ(theirs.at(p + "self_attn.q_norm.weight"),
              times(ours.at(q + "attention.query_norm.weight"), 0.5F));
    EXPECT_EQ(theirs.at("model.norm.weight"), times(ours.at("final_norm.weight"), 0.25F));
    EXPECT_EQ(theirs.at("model.embed_tokens.weight"), ours.at("tokens.weight"));
    EXPECT_EQ(theirs.at(p + "self_attn.q_proj.weight"), ours.at(q + "attention.query.weight"));

    done(run(tiny + ",tied=off", how), {.hf = true, .force = true, .tokenizer = {}});
    const auto untied = invented_values(config_of(tiny + ",tied=off").model.spec);
    const auto gpt2 = read_values(out() / "model.safetensors");
    EXPECT_EQ(gpt2.at("lm_head.weight"), times(untied.at("head.weight"), 0.25F));
    EXPECT_EQ(gpt2.at("transformer.ln_f.bias"), untied.at("final_norm.bias"));
    EXPECT_EQ(gpt2.at("transformer.h.0.mlp.c_proj.bias"), times(untied.at("layers.0.ffn.down.bias"), 0.5F));
    const auto& joined = gpt2.at("transformer.h.0.attn.c_attn.bias");
    EXPECT_EQ(joined[0], untied.at("layers.0.attention.query.bias")[0] / 2);
    EXPECT_EQ(joined[8], untied.at("layers.0.attention.key.bias")[0]);

    done(run(tiny, how), {.hf = false, .force = true, .tokenizer = {}});
    EXPECT_EQ(read_values(out() / "model.safetensors"), invented_values(config_of(tiny).model.spec));
    EXPECT_EQ(run::read_run_config(out() / "plimsoll.toml")->model.base_width, 2);
}

TEST_F(Export, OptPositionsStartAtRowTwo) {
    const std::string spec = tiny + ",embedding_rank=3";
    done(run(spec), as_hf);
    const auto ours = invented_values(config_of(spec).model.spec);
    const auto theirs = read_values(out() / "model.safetensors");
    const auto& table = theirs.at("model.decoder.embed_positions.weight");
    const auto& own = ours.at("positions.weight");
    ASSERT_EQ(table.size(), own.size() + 16);
    EXPECT_EQ(std::count(table.begin(), table.begin() + 16, 0.0F), 16);
    EXPECT_TRUE(std::equal(own.begin(), own.end(), table.begin() + 16));
    EXPECT_EQ(theirs.at("model.decoder.project_in.weight"), ours.at("tokens.factor.weight"));
    EXPECT_EQ(theirs.at("model.decoder.project_out.weight"), ours.at("head.factor.weight"));
}

TEST_F(Export, VitPatchesAreAKernel) {
    const std::string spec = fitting_specs().back().spec;
    const auto exported = done(run(spec), as_hf);
    EXPECT_THAT(exported.files, ElementsAre("config.json", "model.safetensors"))
        << "images have no tokenizer";
    EXPECT_EQ(exported.why_no_tokenizer, "");
    const auto table = formats::read_safetensors(out() / "model.safetensors").value();
    const auto* kernel = table.find("vit.embeddings.patch_embeddings.projection.weight");
    ASSERT_NE(kernel, nullptr);
    EXPECT_THAT(kernel->shape, ElementsAre(8, 2, 2, 3));
    EXPECT_THAT(table.find("vit.embeddings.cls_token")->shape, ElementsAre(1, 1, 8));
    EXPECT_THAT(table.find("vit.embeddings.position_embeddings")->shape, ElementsAre(1, 7, 8));
    const auto ours = invented_values(config_of(spec).model.spec);
    EXPECT_EQ(read_values(out() / "model.safetensors").at(kernel->name), ours.at("patches.weight"));
}

TEST_F(Export, WithoutAClassTheFolderHoldsTheConfigAndOurNames) {
    const std::string spec = tiny + ",qk_norm=head";
    const auto exported = done(run(spec), as_hf);
    EXPECT_EQ(exported.stock_class, "");
    EXPECT_THAT(exported.why_plain, HasSubstr("needs qk_norm=none"));
    EXPECT_THAT(exported.files,
                ElementsAre("model.safetensors", "plimsoll.toml", "tokenizer.json", "tokenizer_config.json"));
    EXPECT_EQ(run::read_run_config(out() / "plimsoll.toml").value(), config_of(spec));
    EXPECT_EQ(read_values(out() / "model.safetensors"), invented_values(config_of(spec).model.spec));
}

TEST_F(Export, WhoDoesNotAskForAClassGetsNone) {
    const auto exported = done(run(tiny), {});
    EXPECT_EQ(exported.stock_class, "");
    EXPECT_EQ(exported.why_plain, "");
    EXPECT_EQ(read_values(out() / "model.safetensors"), invented_values(config_of(tiny).model.spec));
    EXPECT_EQ(to_json(exported)["stock_class"], nullptr);
    EXPECT_EQ(to_json(exported)["tensors"], arch::tensors(config_of(tiny).model.spec).size());
}

std::vector<std::uint32_t> ids_by(const fs::path& tokenizer, std::string_view text) {
    const auto encoder = bpe::BpeEncoder::make(bpe::read_bpe(tokenizer).value()).value();
    bpe::BpeEncoder::Scratch scratch;
    std::vector<std::uint32_t> ids;
    encoder.encode(text, true, scratch, ids);
    return ids;
}

TEST_F(Export, TheTokenizerOfBytesGivesBytes) {
    done(run(tiny), as_hf);
    const std::string text = "a line, \xc3\xa4\xff\n and  more";
    std::vector<std::uint32_t> bytes;
    for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
    EXPECT_EQ(ids_by(out() / "tokenizer.json", text), bytes);
    const auto settings = read_json(out() / "tokenizer_config.json").value();
    EXPECT_EQ(settings["tokenizer_class"], "PreTrainedTokenizerFast");
    EXPECT_EQ(settings["model_max_length"], 16);
}

// The 256 bytes and one merge.
fs::path write_tokenizer(const fs::path& folder) {
    bpe::BpeModel model;
    for (int byte = 0; byte < 256; ++byte) model.tokens.emplace_back(1, static_cast<char>(byte));
    model.tokens.emplace_back("th");
    model.merges.push_back({'t', 'h', 256, 0});
    EXPECT_TRUE(formats::write_tokenizer_json(folder / "bpe.json", bpe::json_of_bpe(model)).ok());
    return folder / "bpe.json";
}

TEST_F(Export, TheTokenizerOfTheRunGoesAlong) {
    const fs::path file = write_tokenizer(folder_.path());
    done(run(tiny, fmt::format("data.tokenizer = \"{}\"", file.string())), as_hf);
    EXPECT_EQ(bpe::read_bpe(out() / "tokenizer.json").value(), bpe::read_bpe(file).value());
    EXPECT_THAT(ids_by(out() / "tokenizer.json", "the"), ElementsAre(256, 'e'));
}

TEST_F(Export, ATokenizerThatMovedCanBeNamed) {
    const fs::path gone = run(tiny, "data.tokenizer = \"gone.json\"");
    const auto error = refused(gone, as_hf);
    EXPECT_EQ(error.kind, ErrorKind::not_found);
    EXPECT_THAT(error.text(), HasSubstr("gone.json"));
    EXPECT_FALSE(fs::exists(out()));
    done(gone, {.hf = true, .force = false, .tokenizer = write_tokenizer(folder_.path())});
    EXPECT_THAT(ids_by(out() / "tokenizer.json", "the"), ElementsAre(256, 'e'));
}

TEST_F(Export, ATokenizerLargerThanTheVocabularyIsRefused) {
    const std::string small = "transformer:depth=2,width=8,heads=2,vocab=256,context=16";
    const auto error =
        refused(run(small), {.hf = true, .force = false, .tokenizer = write_tokenizer(folder_.path())});
    EXPECT_THAT(error.text(), HasSubstr("has 257 tokens, the network's vocabulary 256"));
}

TEST_F(Export, DataThatWereIdsHaveNoTokenizer) {
    auto config = config_of(tiny);
    config.data.name = "synthetic:hops";
    const auto exported = done(make_run(folder_.path() / "runs", config), as_hf);
    EXPECT_EQ(exported.why_no_tokenizer, "the data 'synthetic:hops' are ids already");
    EXPECT_THAT(exported.files, ElementsAre("config.json", "model.safetensors"));
}

TEST_F(Export, DataThatAreGoneLeaveTheTokenizerOpen) {
    auto config = config_of(tiny);
    config.data.name = "no-such-file.txt";
    const auto exported = done(make_run(folder_.path() / "runs", config), as_hf);
    EXPECT_THAT(exported.why_no_tokenizer,
                HasSubstr("'no-such-file.txt' are missing, so it is not known whether"));
    EXPECT_THAT(exported.files, ElementsAre("config.json", "model.safetensors"));
}

TEST_F(Export, RefusesAFolderWithSomethingInIt) {
    const fs::path source = run(tiny);
    done(source, as_hf);
    const auto again = refused(source, as_hf);
    EXPECT_EQ(again.kind, ErrorKind::bad_input);
    EXPECT_THAT(again.text(), HasSubstr("out: exists and is not empty; --force replaces an earlier export"));
    const auto plain = done(source, {.hf = false, .force = true, .tokenizer = {}});
    EXPECT_THAT(plain.files,
                ElementsAre("model.safetensors", "plimsoll.toml", "tokenizer.json", "tokenizer_config.json"));
    EXPECT_FALSE(fs::exists(out() / "config.json")) << "nothing of the earlier export stays";
    std::ofstream(out() / "thesis.tex") << "mine";
    EXPECT_THAT(refused(source, {.hf = true, .force = true, .tokenizer = {}}).text(),
                HasSubstr("holds 'thesis.tex', which no export wrote; not replaced"));
    EXPECT_TRUE(fs::exists(out() / "plimsoll.toml"));
    EXPECT_THAT(beside_runs(), ElementsAre("out")) << "no leftovers";
}

TEST_F(Export, AnEmptyFolderAndASlashAreFine) {
    fs::create_directory(out());
    const auto exported = export_run(run(tiny), out() / "", as_hf);
    ASSERT_TRUE(exported.ok()) << exported.error().text();
    EXPECT_TRUE(fs::exists(out() / "config.json"));
    EXPECT_THAT(beside_runs(), ElementsAre("out"));
}

TEST_F(Export, AFileIsNoFolder) {
    std::ofstream(out()) << "x";
    EXPECT_THAT(refused(run(tiny), {.hf = true, .force = true, .tokenizer = {}}).text(),
                HasSubstr("out: is a file; name a folder"));
}

TEST_F(Export, ARunWithoutACheckpointHasNothingToExport) {
    const auto fresh = store::Run::create_or_open(folder_.path() / "runs", run::to_toml(config_of(tiny)));
    const auto error = refused(fresh->folder(), as_hf);
    EXPECT_EQ(error.kind, ErrorKind::not_found);
    EXPECT_THAT(error.text(), HasSubstr("has no checkpoint yet"));
    EXPECT_TRUE(beside_runs().empty());
}

TEST_F(Export, ADamagedCheckpointLeavesTheEarlierExportAlone) {
    const fs::path source = run(tiny);
    done(source, as_hf);
    fs::resize_file(source / "checkpoint" / "step-7" / "weights.safetensors", 1000);
    const auto error = refused(source, {.hf = true, .force = true, .tokenizer = {}});
    EXPECT_EQ(error.kind, ErrorKind::io);
    EXPECT_THAT(error.text(), HasSubstr("the checkpoint is damaged"));
    EXPECT_EQ(read_values(out() / "model.safetensors").size(), 28U);
    EXPECT_THAT(beside_runs(), ElementsAre("out"));
}

TEST_F(Export, WeightsOfAnotherNetworkAreRefused) {
    const auto config = config_of(tiny);
    auto tensors = arch::tensors(config.model.spec);
    std::swap(tensors[0].shape[0], tensors[0].shape[1]);
    EXPECT_THAT(refused(make_run(folder_.path() / "runs", config, tensors), as_hf).text(),
                HasSubstr("'tokens.weight' has another shape than the spec says"));
    tensors.erase(tensors.begin());
    EXPECT_THAT(refused(make_run(folder_.path() / "runs", config, tensors), as_hf).text(),
                HasSubstr("has no tensor 'tokens.weight'"));
    EXPECT_TRUE(beside_runs().empty());
}

// A disk that is full half way through: the earlier export stays, nothing else does.
TEST_F(Export, AFullDiskLeavesTheEarlierExportAlone) {
    const fs::path source = run(tiny);
    done(source, {});
    ::rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const ::rlimit small{4000, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto exported = export_run(source, out(), {.hf = true, .force = true, .tokenizer = {}});
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(exported.ok());
    EXPECT_EQ(exported.error().kind, ErrorKind::io);
    EXPECT_TRUE(fs::exists(out() / "plimsoll.toml"));
    EXPECT_EQ(read_values(out() / "model.safetensors"), invented_values(config_of(tiny).model.spec));
    EXPECT_THAT(beside_runs(), ElementsAre("out"));
}

// A folder that cannot be made: nothing appears, and what failed is named.
TEST_F(Export, AFileInTheWayIsAnError) {
    const fs::path source = run(tiny);
    std::ofstream(folder_.path() / "file") << "x";
    const auto exported = export_run(source, folder_.path() / "file" / "out", as_hf);
    ASSERT_FALSE(exported.ok());
    EXPECT_EQ(exported.error().kind, ErrorKind::io);
    EXPECT_THAT(exported.error().text(), HasSubstr("cannot be written"));
    EXPECT_THAT(beside_runs(), ElementsAre("file"));
}

// The exported folder as `plimsoll audit` sees it: config and tensors belong together. BERT's config does not
// say which head it has.
TEST(ExportAudit, TheAuditFindsConfigAndTensorsInAgreement) {
    for (const auto& [name, text] : fitting_specs()) {
        const testing::TempDir folder;
        const auto run = make_run(folder.path() / "runs", config_of(text));
        const auto exported = export_run(run, folder.path() / "out", {.hf = true});
        ASSERT_TRUE(exported.ok()) << exported.error().text();
        EXPECT_EQ(exported->stock_class, name);
        const auto target = target::read_model_files(folder.path() / "out");
        ASSERT_TRUE(target.ok()) << target.error().text();
        const auto report = audit::diagnose(*target);
        EXPECT_EQ(report.parameters, std::stoll(exported->parameters.text())) << text;
        const auto* finding = report.find("parameters");
        ASSERT_NE(finding, nullptr);
        if (exported->stock_class.starts_with("Bert")) continue;
        EXPECT_EQ(finding->reading, "as predicted") << text << ": " << finding->text;
    }
}

}  // namespace
}  // namespace plimsoll::exporter
