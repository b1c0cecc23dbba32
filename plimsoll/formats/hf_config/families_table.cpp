#include "plimsoll/formats/hf_config/families.h"

// Which tensors the layers of each family have, in the words of hf_config_families.cpp. Facts: checked
// against the parameters of the classes of transformers 5.17.0 made without arguments (docs of this table:
// tests/formats); those of DeBERTa, MobileBERT and the towers that are built as CLIP's are derived from the
// published definitions.
namespace plimsoll::formats {

const std::vector<FamilyLine>& family_lines() {
    static const std::vector<FamilyLine> table{
        // Llama and what is built like it.
        {"llama mistral granite helium cwm ministral ministral3 emu3_text_model mistral3_text Yi yi aquila "
         "xverse skywork "
         "decilm deepseek csm_decoder idefics2_perceiver tinyllama llama2 llama3 smollm codellama vicuna "
         "hunyuan baichuan baichuan2 orion_rms refined_llama mimo",
         "decoder gated untied rms-norm rotary"},
        {"internlm internlm2 internlm3", "decoder gated untied rms-norm rotary quirk=internlm"},
        {"gemma ernie4_5 smollm3 minicpm vaultgemma", "decoder gated tied rms-norm rotary"},
        {"qwen2 qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text",
         "decoder gated untied rms-norm rotary qkv-bias"},
        {"qwen2_vl qwen2_5_vl", "decoder gated untied rms-norm rotary qkv-bias"},
        {"qwen", "decoder gated untied rms-norm rotary qkv-bias quirk=half-ffn"},
        {"qwen3 qwen3_vl_text qwen3_omni_moe_talker_text hunyuan_v1_dense",
         "decoder gated untied rms-norm rotary qk-norm=head"},
        {"seed_oss", "decoder gated untied rms-norm rotary qkv-bias attention_bias=qkv"},
        {"gemma2", "decoder gated tied rms-norm rotary norms=4"},
        {"gemma3_text", "decoder gated tied rms-norm rotary norms=4 qk-norm=head"},
        {"hyperclovax", "decoder gated untied rms-norm rotary norms=4"},
        {"apertus", "decoder plain untied rms-norm rotary qk-norm=head quirk=apertus"},
        {"bitnet", "decoder gated tied rms-norm rotary quirk=bitnet"},
        {"cohere cohere2", "decoder gated tied rms-norm norms=1 rotary quirk=cohere"},
        {"olmo", "decoder gated untied bare-norm rotary"},
        {"hf_olmo", "decoder gated untied bare-norm rotary quirk=olmo-first"},
        {"olmo2 olmo3", "decoder gated untied rms-norm rotary qk-norm=full"},
        {"exaone4", "decoder gated untied rms-norm rotary qk-norm=head"},
        {"exaone", "decoder gated untied rms-norm rotary"},
        {"arcee", "decoder plain untied rms-norm rotary"},
        {"phi3 phi3small", "decoder gated untied rms-norm rotary"},
        {"glm", "decoder gated untied rms-norm rotary qkv-bias attention_bias=qkv"},
        {"glm4 glm4v_text", "decoder gated untied rms-norm norms=4 rotary qkv-bias attention_bias=qkv"},
        {"chatglm", "decoder gated untied rms-norm rotary quirk=chatglm"},
        {"stablelm stablelm_epoch", "decoder gated untied layer-norm rotary quirk=stablelm"},
        {"orion", "decoder gated untied layer-norm rotary"},
        {"openelm", "decoder gated tied rms-norm rotary quirk=openelm"},
        {"nemotron", "decoder plain untied layer-norm rotary"},
        // GPT and what is built like it.
        {"gpt2 gpt-sw3 jais", "decoder plain tied layer-norm learned bias"},
        {"gpt_bigcode", "decoder plain tied layer-norm learned bias quirk=gpt_bigcode"},
        {"openai-gpt", "decoder plain tied layer-norm learned bias post-norm"},
        {"gpt_neo", "decoder plain tied layer-norm learned output-bias ffn-bias"},
        {"gpt_neox pythia", "decoder plain untied layer-norm parallel rotary bias"},
        {"gptj codegen", "decoder plain untied layer-norm norms=1 rotary ffn-bias head-bias"},
        {"phi phi-msft", "decoder plain untied layer-norm norms=1 rotary bias head-bias"},
        {"starcoder2", "decoder plain tied layer-norm rotary bias"},
        {"persimmon", "decoder plain untied layer-norm rotary bias qk-norm=head"},
        {"bloom", "decoder plain tied layer-norm alibi bias embedding-norm"},
        {"falcon RefinedWeb RefinedWebModel RW", "decoder plain tied layer-norm norms=1 rotary quirk=falcon"},
        {"mpt", "decoder plain tied rms-norm alibi quirk=mpt"},
        {"opt galactica", "decoder plain tied layer-norm learned+2 bias quirk=opt"},
        {"xglm", "decoder plain tied layer-norm sinusoidal bias"},
        {"biogpt", "decoder plain tied layer-norm learned+2 bias"},
        {"ctrl", "decoder plain tied layer-norm sinusoidal bias head-bias"},
        // Experts.
        {"mixtral solar_open granitemoe granitemoeshared", "decoder gated untied rms-norm rotary"},
        {"qwen2_moe", "decoder gated untied rms-norm rotary qkv-bias shared-gate"},
        {"qwen3_moe qwen3_vl_moe_text qwen3_omni_moe_text exaone_moe hy_v3 mellum",
         "decoder gated untied rms-norm rotary qk-norm=head"},
        {"olmoe flex_olmo minimax_m2", "decoder gated untied rms-norm rotary qk-norm=full"},
        {"ernie4_5_moe", "decoder gated tied rms-norm rotary router-bias"},
        {"glm4_moe dots1", "decoder gated untied rms-norm rotary attention_bias=qkv"},
        {"phimoe", "decoder gated untied layer-norm rotary"},
        {"gpt_oss", "decoder gated untied rms-norm rotary bias router-bias sinks"},
        {"dbrx", "decoder gated untied rms-norm rotary"},
        {"deepseek_v2 deepseek_v3 minicpm3 glm4_moe_lite kimi_k2 youtu kimi_vl_text",
         "decoder gated untied rms-norm rotary"},
        {"llama4_text", "decoder gated untied rms-norm rotary quirk=llama4"},
        // Encoders.
        {"bert roberta xlm-roberta camembert ernie ibert data2vec-text big_bird megatron-bert_post "
         "bert-japanese electra_full",
         "encoder plain layer-norm post-norm embedding-norm learned segments pooler bias tied"},
        {"megatron-bert", "encoder plain layer-norm learned segments pooler bias tied"},
        {"electra",
         "encoder plain layer-norm post-norm embedding-norm learned segments bias tied factor-bias "
         "positions-in-rank"},
        {"albert",
         "encoder plain layer-norm post-norm embedding-norm learned segments pooler bias tied "
         "factor-bias "
         "positions-in-rank quirk=albert"},
        {"rembert",
         "encoder plain layer-norm post-norm embedding-norm learned segments pooler bias untied "
         "factor-bias "
         "positions-in-rank"},
        {"roformer",
         "encoder plain layer-norm post-norm embedding-norm rotary segments bias tied factor-bias "
         "quirk=roformer"},
        {"distilbert", "encoder plain layer-norm post-norm embedding-norm learned bias tied"},
        {"bert-generation", "encoder plain layer-norm post-norm embedding-norm learned bias tied"},
        {"esm", "encoder plain layer-norm rotary bias pooler tied quirk=esm"},
        {"xlm flaubert", "encoder plain layer-norm post-norm embedding-norm learned bias tied quirk=xlm"},
        {"xlnet", "encoder plain layer-norm post-norm relative tied ffn-bias quirk=xlnet"},
        {"clip_text_model clipseg_text_model groupvit_text_model metaclip_2_text_model owlvit_text_model "
         "owlv2_text_model xclip_text_model",
         "encoder plain layer-norm learned bias"},
        {"siglip_text_model", "encoder plain layer-norm learned bias quirk=text-projection"},
        {"dpr splinter", "encoder plain layer-norm post-norm embedding-norm learned segments bias tied"},
        {"layoutlm",
         "encoder plain layer-norm post-norm embedding-norm learned segments pooler bias tied "
         "quirk=layout"},
        {"mpnet", "encoder plain layer-norm post-norm embedding-norm learned pooler bias tied quirk=mpnet"},
        {"roberta-prelayernorm", "encoder plain layer-norm embedding-norm learned segments pooler bias tied"},
        {"xlm-roberta-xl", "encoder plain layer-norm learned segments pooler bias tied"},
        // The first norm that layer 0 lacks outweighs the final one.
        {"modernbert", "encoder gated rms-norm no-final-norm embedding-norm rotary tied"},
        {"deberta", "encoder plain layer-norm post-norm embedding-norm learned bias tied quirk=deberta"},
        {"deberta-v2",
         "encoder plain layer-norm post-norm embedding-norm learned bias tied quirk=deberta-v2"},
        {"mobilebert",
         "encoder plain layer-norm post-norm embedding-norm learned segments tied factor-bias "
         "quirk=mobilebert"},
        {"longformer tapas markuplm lilt layoutlmv2 layoutlmv3 luke yoso nystromformer "
         "mra roc_bert "
         "convbert squeezebert nomic_bert jina_bert new visual_bert vilt bros xmod ltgbert",
         "encoder plain layer-norm post-norm embedding-norm learned segments pooler bias tied estimate"},
        {"funnel canine perceiver reformer fnet lxmert",
         "encoder plain layer-norm learned bias tied uncounted"},
        // Images and sound.
        {"vit vit_mae vit_msn", "encoder plain layer-norm learned bias patch-bias class-token classifier"},
        {"deit", "encoder plain layer-norm learned bias patch-bias two-tokens classifier"},
        {"ijepa idefics2_vision idefics3_vision smolvlm_vision",
         "encoder plain layer-norm learned bias patch-bias"},
        {"clip_vision_model chinese_clip_vision_model altclip_vision_model clipseg_vision_model "
         "git_vision_model metaclip_2_vision_model owlvit_vision_model owlv2_vision_model",
         "encoder plain layer-norm learned bias embedding-norm class-token"},
        {"siglip_vision_model", "encoder plain layer-norm learned bias patch-bias quirk=pooling-head"},
        {"beit data2vec-vision videomae audio-spectrogram-transformer internvl_vision dinov3_vit timesformer "
         "vivit yolos dpt",
         "encoder plain layer-norm learned bias patch-bias class-token estimate"},
        {"imagegpt", "decoder plain untied rms-norm learned bias no-head"},
        {"dinov2 dinov2_with_registers",
         "encoder plain layer-norm learned bias patch-bias class-token classifier quirk=layer-scale"},
        {"wav2vec2 hubert unispeech unispeech-sat", "encoder plain layer-norm bias quirk=speech"},
        // Encoder-decoders.
        {"t5 mt5 byt5 flan-t5 longt5_local switch_dense", "encoder-decoder plain tied rms-norm relative"},
        {"umt5", "encoder-decoder plain tied rms-norm relative quirk=unshared-bias"},
        {"blenderbot-small", "encoder-decoder plain tied layer-norm post-norm embedding-norm learned bias"},
        {"bart plbart mvp", "encoder-decoder plain tied layer-norm post-norm embedding-norm learned+2 bias"},
        {"mbart", "encoder-decoder plain tied layer-norm embedding-norm learned+2 bias"},
        {"pegasus", "encoder-decoder plain tied layer-norm learned bias"},
        {"blenderbot", "encoder-decoder plain tied layer-norm learned bias"},
        {"marian", "encoder-decoder plain tied layer-norm post-norm learned bias"},
        {"led bigbird_pegasus pegasus_x prophetnet fsmt speech_to_text speecht5 seamless_m4t_decoder "
         "moonshine",
         "encoder-decoder plain tied layer-norm learned bias estimate"},
        {"detr conditional_detr deformable_detr table-transformer rt_detr grounding-dino dab-detr maskformer "
         "mask2former",
         "encoder-decoder plain layer-norm bias uncounted no-head"},
        {"autoformer informer time_series_transformer",
         "encoder-decoder plain layer-norm bias uncounted no-head"},
        {"m2m_100 nllb", "encoder-decoder plain tied layer-norm sinusoidal bias"},
        {"whisper", "encoder-decoder plain tied layer-norm learned bias no-key-bias quirk=whisper"},
        // No attention, or not only.
        {"mamba", "state-space tied rms-norm norms=1 no-positions quirk=mamba1"},
        {"falcon_mamba", "state-space untied rms-norm norms=1 no-positions quirk=mamba1"},
        {"mamba2", "state-space untied rms-norm norms=1 no-positions quirk=mamba2"},
        {"jamba", "hybrid gated untied rms-norm no-positions quirk=mamba1-norms"},
        {"bamba", "hybrid gated untied rms-norm rotary quirk=mamba2"},
        {"rwkv rwkv5 rwkv6 rwkv7 xlstm recurrent_rwkv",
         "state-space untied layer-norm no-positions uncounted"},
        {"zamba zamba2 nemotron_h granitemoehybrid falcon_h1 recurrent_gemma qwen3_next lfm2 lfm2_moe hymba "
         "minimax "
         "kimi_linear plamo2 samba griffin qwen3_5_text qwen3_5_moe_text olmo_hybrid",
         "hybrid gated untied rms-norm rotary uncounted"},
        {"mlp_mixer mlpmixer mixer mlp-mixer", "mixer layer-norm bias patch-bias no-positions classifier"},
        {"tinytimemixer", "mixer layer-norm bias no-positions quirk=time-mixer"},
        {"patchtsmixer", "mixer layer-norm bias no-positions uncounted"},
        {"patchtst", "encoder plain layer-norm bias learned quirk=patch-series"},
    };
    return table;
}

}  // namespace plimsoll::formats
