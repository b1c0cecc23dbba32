#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"

// Published networks, counted exactly. "zoo" is ../shared/zoo.csv, whose params_computed leaves out the final
// norm and what its notes say; the differences are written out. The totals of released checkpoints
// (num_parameters() of their Hugging Face classes) were recalled, not read here: that they agree to the last
// digit is the evidence.
namespace plimsoll::arch {
namespace {

struct Known {
    const char* model;
    std::string spec;
    std::int64_t parameters;
};

void expect_known(const std::vector<Known>& models) {
    for (const auto& known : models) {
        const auto spec = parse_spec("transformer:" + known.spec);
        ASSERT_TRUE(spec.ok()) << known.model << ": " << spec.error().text();
        EXPECT_EQ(parameter_count(*spec).text(), std::to_string(known.parameters)) << known.model;
    }
}

const std::string llama = ",norm=rms,bias=off,positions=rope,ffn_matrices=3";

TEST(KnownModels, Gpt) {
    const std::string vocab = ",vocab=50257";
    expect_known({
        {"gpt2", "depth=12,width=768,heads=12" + vocab, 124'438'272 + 2 * 768},           // zoo + final norm
        {"gpt2-medium", "depth=24,width=1024,heads=16" + vocab, 354'821'120 + 2 * 1024},  // same
        {"gpt2-large", "depth=36,width=1280,heads=20" + vocab, 774'027'520 + 2 * 1280},
        {"gpt2-xl", "depth=48,width=1600,heads=25" + vocab, 1'557'608'000 + 2 * 1600},
        {"pythia-70m", "depth=6,width=512,heads=8,vocab=50304,tied=off,positions=rope,order=parallel",
         70'425'600 + 2 * 512},
        {"gpt-neox-20b", "depth=44,width=6144,heads=64,vocab=50432,tied=off,positions=rope,order=parallel",
         20'554'555'392 + 2 * 6144},
        {"gpt-j-6b",  // num_parameters() of EleutherAI/gpt-j-6b
         "depth=28,width=4096,heads=16,vocab=50400,tied=off,positions=rope,order=parallel,shared_norm=on,"
         "qkv_bias=off,out_bias=off,head_bias=on",
         6'050'882'784},
        {"opt-125m", "depth=12,width=768,heads=12,vocab=50272,context=2050", 125'236'224 + 2 * 768 + 2 * 768},
        {"opt-350m",  // zoo + two positions + the projection back to rank 512
         "depth=24,width=1024,heads=16,vocab=50272,context=2050,norm_order=post,embedding_rank=512",
         330'670'080 + 2 * 1024 + 1024 * 512},
        {"bloom-560m", "depth=24,width=1024,heads=16,vocab=250880,positions=alibi,embedding_norm=on",
         559'210'496 + 2 * 2 * 1024},
        {"starcoder2-3b", "depth=30,width=3072,heads=24,kv_heads=2,vocab=49152,positions=rope",
         3'030'365'184 + 2 * 3072},
        {"phi-2",  // num_parameters() of microsoft/phi-2
         "depth=32,width=2560,heads=32,vocab=51200,tied=off,head_bias=on,positions=rope,order=parallel,"
         "shared_norm=on",
         2'779'683'840},
        {"falcon-7b",  // num_parameters() of tiiuae/falcon-7b
         "depth=32,width=4544,heads=71,kv_heads=1,vocab=65024,bias=off,positions=rope,order=parallel,shared_"
         "norm=on",
         6'921'720'704},
    });
}

TEST(KnownModels, Llama) {
    expect_known({
        {"Llama-2-7b", "depth=32,width=4096,heads=32,ffn=11008,vocab=32000,tied=off" + llama,
         6'738'411'520 + 4096},
        {"Llama-3-8B", "depth=32,width=4096,heads=32,kv_heads=8,ffn=14336,vocab=128256,tied=off" + llama,
         8'030'257'152 + 4096},
        {"Llama-3.1-405B",
         "depth=126,width=16384,heads=128,kv_heads=8,ffn=53248,vocab=128256,tied=off" + llama,
         405'853'372'416 + 16384},
        {"Mistral-7B", "depth=32,width=4096,heads=32,kv_heads=8,ffn=14336,vocab=32000,tied=off" + llama,
         7'241'728'000 + 4096},
        {"SmolLM2-135M", "depth=30,width=576,heads=9,kv_heads=3,ffn=1536,vocab=49152" + llama,
         134'514'432 + 576},
        {"TinyLlama", "depth=22,width=2048,heads=32,kv_heads=4,ffn=5632,vocab=32000,tied=off" + llama,
         1'100'046'336 + 2048},
        {"Gemma-7b", "depth=28,width=3072,heads=16,head_dim=256,ffn=24576,vocab=256000" + llama,
         8'537'677'824 + 3072},
        {"Gemma-2-2b",  // zoo + two more norms a layer
         "depth=26,width=2304,heads=8,head_dim=256,kv_heads=4,ffn=9216,vocab=256000,norm_order=both" + llama,
         2'614'219'776 + 26 * 2 * 2304 + 2304},
        {"Qwen2.5-0.5B",  // zoo + biases of q, k, v
         "depth=24,width=896,heads=14,kv_heads=2,ffn=4864,vocab=151936,qkv_bias=on" + llama,
         494'004'224 + 896 + 24 * (896 + 2 * 128)},
        {"Qwen3-0.6B",  // zoo + norms of q and k
         "depth=28,width=1024,heads=16,head_dim=128,kv_heads=8,ffn=3072,vocab=151936,qk_norm=head" + llama,
         596'041'728 + 1024 + 28 * 2 * 128},
        {"OLMo-2-7B",  // num_parameters() of allenai/OLMo-2-1124-7B
         "depth=32,width=4096,heads=32,ffn=11008,vocab=100352,tied=off,qk_norm=full" + llama, 7'298'617'344},
    });
}

TEST(KnownModels, Experts) {
    expect_known({
        {"Mixtral-8x7B",
         "depth=32,width=4096,heads=32,kv_heads=8,ffn=14336,vocab=32000,tied=off,experts=8" + llama,
         46'702'788'608 + 4096},
        {"Qwen3-30B-A3B",
         "depth=48,width=2048,heads=32,head_dim=128,kv_heads=4,vocab=151936,tied=off,qk_norm=head,experts="
         "128,"
         "experts_active=8,expert_ffn=768" +
             llama,
         30'532'108'288 + 2048 + 48 * 2 * 128},
        {"gpt-oss-120b",  // the sum of openai/gpt-oss-120b: biases everywhere, attention sinks
         "depth=36,width=2880,heads=64,head_dim=64,kv_heads=8,vocab=201088,tied=off,ffn=2880,ffn_matrices=3,"
         "norm=rms,"
         "positions=rope,experts=128,experts_active=4,router_bias=on,sinks=on",
         116'829'156'672},
        {"DeepSeek-V3",  // 671,026,419,200 in the checkpoint without its next-token layer, less 58 * 256
                         // routing offsets
         "depth=61,width=7168,heads=128,head_dim=192,rope_dim=64,value_dim=128,kv_rank=512,q_rank=1536,ffn="
         "18432,"
         "experts=256,experts_active=8,experts_shared=1,expert_ffn=2048,dense_first=3,vocab=129280,tied=off" +
             llama,
         671'026'419'200 - 58 * 256},
    });
}

TEST(KnownModels, Encoders) {
    const std::string bert = ",stack=encoder,norm_order=post,embedding_norm=on,context=512,segments=2";
    const std::string albert =
        bert +
        ",vocab=30000,embedding_rank=128,factor_bias=on,positions_in_rank=on,layer_groups=1,"
        "head=none,pooler=on";
    expect_known({
        // num_parameters() of BertModel, BertForMaskedLM, RobertaModel and AlbertModel
        {"bert-base", "depth=12,width=768,heads=12,vocab=30522,head=none,pooler=on" + bert, 109'482'240},
        {"bert-large", "depth=24,width=1024,heads=16,vocab=30522,head=none,pooler=on" + bert, 335'141'888},
        {"bert-base with its head",
         "depth=12,width=768,heads=12,vocab=30522,head_transform=on,head_bias=on" + bert, 109'514'298},
        {"roberta-base",
         "depth=12,width=768,heads=12,vocab=50265,head=none,pooler=on,stack=encoder,norm_order=post,"
         "embedding_norm=on,context=514,segments=1",
         124'645'632},
        {"albert-base-v2", "depth=12,width=768,heads=12" + albert, 11'683'584},
        {"albert-large-v2", "depth=24,width=1024,heads=16" + albert, 17'683'968},
        {"albert-xlarge-v2", "depth=24,width=2048,heads=16" + albert, 58'724'864},
        {"albert-xxlarge-v2", "depth=12,width=4096,heads=64" + albert, 222'595'584},
    });
}

TEST(KnownModels, EncoderDecoders) {
    const std::string t5 = ",stack=encoder-decoder,norm=rms,bias=off,positions=relative";
    expect_known({
        // zoo + 2 final norms + 2 tables of 32 buckets by heads
        {"t5-small", "depth=6,width=512,heads=8,ffn=2048,vocab=32128" + t5,
         60'505'088 + 2 * 512 + 2 * 32 * 8},
        {"t5-3b", "depth=24,width=1024,heads=32,head_dim=128,ffn=16384,vocab=32128" + t5,
         2'851'594'240 + 2 * 1024 + 2 * 32 * 32},
        {"t5-11b", "depth=24,width=1024,heads=128,head_dim=128,ffn=65536,vocab=32128" + t5,
         11'307'311'104 + 2 * 1024 + 2 * 32 * 128},
        {"t5-v1.1-xxl", "depth=24,width=4096,heads=64,ffn=10240,ffn_matrices=3,vocab=32128,tied=off" + t5,
         11'135'320'064 + 2 * 4096 + 2 * 32 * 64},
        {"byt5-base",
         "depth=18,decoder_depth=6,width=1536,heads=12,head_dim=64,ffn=3968,ffn_matrices=3,vocab=384,tied="
         "off" +
             t5,
         581'649'408 + 2 * 1536 + 2 * 32 * 12},
        {"bart-large",  // num_parameters() of BartModel; 1026 positions and an embedding norm in each stack
         "depth=12,width=1024,heads=16,vocab=50265,stack=encoder-decoder,norm_order=post,embedding_norm=on,"
         "context=1026",
         406'291'456},
    });
}

// zoo: params_computed counts class token, positions, final norm and a head of 1000 classes.
TEST(KnownModels, VisionTransformers) {
    expect_known({
        {"ViT-Ti/16", "depth=12,width=192,heads=3,patch=16,classes=1000", 5'717'416},
        {"ViT-B/16", "depth=12,width=768,heads=12,patch=16,classes=1000", 86'567'656},
        {"ViT-B/32", "depth=12,width=768,heads=12,patch=32,classes=1000", 88'224'232},
        {"ViT-L/16", "depth=24,width=1024,heads=16,patch=16,classes=1000", 304'326'632},
        {"ViT-H/14", "depth=32,width=1280,heads=16,patch=14,classes=1000", 632'045'800},
    });
}

// zoo: the six published mixers.
TEST(KnownModels, Mixers) {
    struct Row {
        const char* spec;
        std::int64_t parameters;
    };
    for (const auto& row : {
             Row{"depth=8,channels=512,patch=32,token_hidden=256", 19'104'624},
             Row{"depth=8,channels=512,patch=16,token_hidden=256", 18'528'264},
             Row{"depth=12,channels=768,patch=32,token_hidden=384", 60'293'428},
             Row{"depth=12,channels=768,patch=16,token_hidden=384", 59'880'472},
             Row{"depth=24,channels=1024,patch=32,token_hidden=512", 206'939'264},
             Row{"depth=24,channels=1024,patch=16,token_hidden=512", 208'196'168},
         }) {
        const auto spec = parse_spec(std::string("mixer:classes=1000,") + row.spec);
        ASSERT_TRUE(spec.ok()) << spec.error().text();
        EXPECT_EQ(parameter_count(*spec).text(), std::to_string(row.parameters)) << row.spec;
    }
}

}  // namespace
}  // namespace plimsoll::arch
