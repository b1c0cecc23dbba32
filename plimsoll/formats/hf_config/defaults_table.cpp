#include "plimsoll/formats/hf_config/families.h"

// What each configuration class of transformers 5.17.0 sets when its file says nothing (flags as 0 and 1):
// facts read from the library by making every class without arguments. One line per model_type, sorted.
namespace plimsoll::formats {

const std::vector<FamilyDefaults>& family_defaults() {
    static const std::vector<FamilyDefaults> table{
        {"EvollaModel",
         "attention_bias=0 hidden_size=4096 intermediate_size=14336 max_position_embeddings=8192 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=128256"},
        {"afmoe",
         "attention_bias=0 head_dim=128 hidden_size=2048 intermediate_size=6144 "
         "max_position_embeddings=16384 moe_intermediate_size=1408 num_attention_heads=16 num_dense_layers=1 "
         "num_experts=64 num_experts_per_tok=6 num_hidden_layers=32 num_shared_experts=2 "
         "tie_word_embeddings=0 vocab_size=200192"},
        {"aimv2_text_model",
         "hidden_size=768 intermediate_size=2048 max_position_embeddings=77 mlp_bias=0 num_attention_heads=6 "
         "num_hidden_layers=12 qkv_bias=0 vocab_size=49408"},
        {"aimv2_vision_model",
         "hidden_size=1024 image_size=224 intermediate_size=2816 mlp_bias=0 num_attention_heads=8 "
         "num_channels=3 num_hidden_layers=24 patch_size=14 qkv_bias=0"},
        {"albert",
         "embedding_size=128 hidden_size=4096 inner_group_num=1 intermediate_size=16384 "
         "max_position_embeddings=512 num_attention_heads=64 num_hidden_groups=1 num_hidden_layers=12 "
         "tie_word_embeddings=1 type_vocab_size=2 vocab_size=30000"},
        {"align_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"align_vision_model", "hidden_dim=2560 image_size=600 num_channels=3 num_hidden_layers=64"},
        {"altclip_text_model",
         "hidden_size=1024 intermediate_size=4096 max_position_embeddings=514 num_attention_heads=16 "
         "num_hidden_layers=24 type_vocab_size=1 vocab_size=250002"},
        {"altclip_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"apertus",
         "attention_bias=0 hidden_size=4096 intermediate_size=14336 max_position_embeddings=65536 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=131072"},
        {"arcee",
         "attention_bias=0 hidden_size=2560 intermediate_size=18432 max_position_embeddings=4096 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"aria_text",
         "attention_bias=0 hidden_size=4096 intermediate_size=4096 max_position_embeddings=2048 mlp_bias=0 "
         "moe_num_experts=8 moe_num_shared_experts=2 moe_topk=2 num_attention_heads=32 num_hidden_layers=32 "
         "tie_word_embeddings=0 vocab_size=32000"},
        {"audio-spectrogram-transformer",
         "hidden_size=768 intermediate_size=3072 num_attention_heads=12 num_hidden_layers=12 "
         "num_mel_bins=128 patch_size=16 qkv_bias=1"},
        {"audioflamingo3_encoder",
         "hidden_size=1280 intermediate_size=5120 max_source_positions=1500 num_attention_heads=20 "
         "num_hidden_layers=32 num_mel_bins=128"},
        {"autoformer",
         "d_model=64 decoder_attention_heads=2 decoder_ffn_dim=32 decoder_layers=2 encoder_attention_heads=2 "
         "encoder_ffn_dim=32 encoder_layers=2 input_size=1"},
        {"axk1",
         "attention_bias=0 first_k_dense_replace=1 hidden_size=7168 intermediate_size=18432 kv_lora_rank=512 "
         "max_position_embeddings=32768 moe_intermediate_size=2048 n_routed_experts=192 n_shared_experts=1 "
         "num_attention_heads=64 num_experts_per_tok=8 num_hidden_layers=61 num_key_value_heads=64 "
         "q_lora_rank=1536 qk_nope_head_dim=128 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=128 "
         "vocab_size=163840"},
        {"axk2",
         "attention_bias=0 hidden_size=2048 intermediate_size=5120 kv_lora_rank=128 "
         "max_position_embeddings=131072 moe_intermediate_size=512 n_routed_experts=128 n_shared_experts=1 "
         "num_attention_heads=32 num_experts_per_tok=8 num_hidden_layers=48 num_key_value_heads=32 "
         "q_lora_rank=384 qk_nope_head_dim=64 qk_rope_head_dim=32 tie_word_embeddings=0 v_head_dim=64 "
         "vocab_size=163840"},
        {"bamba",
         "attention_bias=0 hidden_size=4096 intermediate_size=14336 mamba_d_conv=4 mamba_d_state=256 "
         "mamba_expand=2 mamba_n_groups=1 mamba_n_heads=128 max_position_embeddings=262144 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=128000"},
        {"bart",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=50265"},
        {"beit",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 vocab_size=8192"},
        {"bert",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"bert-generation",
         "hidden_size=1024 intermediate_size=4096 max_position_embeddings=512 num_attention_heads=16 "
         "num_hidden_layers=24 tie_word_embeddings=1 vocab_size=50358"},
        {"big_bird",
         "block_size=64 hidden_size=768 intermediate_size=3072 max_position_embeddings=4096 "
         "num_attention_heads=12 num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 use_bias=1 "
         "vocab_size=50358"},
        {"bigbird_pegasus",
         "block_size=64 d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=16 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=16 max_position_embeddings=4096 "
         "tie_word_embeddings=1 use_bias=0 vocab_size=96103"},
        {"biogpt",
         "hidden_size=1024 intermediate_size=4096 max_position_embeddings=1024 num_attention_heads=16 "
         "num_hidden_layers=24 tie_word_embeddings=1 vocab_size=42384"},
        {"bitnet",
         "attention_bias=0 hidden_size=2560 intermediate_size=6912 max_position_embeddings=2048 "
         "num_attention_heads=20 num_hidden_layers=30 num_key_value_heads=5 tie_word_embeddings=0 "
         "vocab_size=128256"},
        {"blenderbot",
         "d_model=2560 decoder_attention_heads=32 decoder_ffn_dim=10240 decoder_layers=24 "
         "encoder_attention_heads=32 encoder_ffn_dim=10240 encoder_layers=2 max_position_embeddings=128 "
         "tie_word_embeddings=1 vocab_size=8008"},
        {"blenderbot-small",
         "d_model=512 decoder_attention_heads=16 decoder_ffn_dim=2048 decoder_layers=8 "
         "encoder_attention_heads=16 encoder_ffn_dim=2048 encoder_layers=8 max_position_embeddings=512 "
         "tie_word_embeddings=1 vocab_size=50265"},
        {"blip_2_qformer",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 vocab_size=30522"},
        {"blip_2_vision_model",
         "hidden_size=1408 image_size=224 intermediate_size=6144 num_attention_heads=16 num_hidden_layers=39 "
         "patch_size=14 qkv_bias=1"},
        {"blip_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=8 "
         "num_hidden_layers=12 tie_word_embeddings=1 vocab_size=30524"},
        {"blip_vision_model",
         "hidden_size=768 image_size=384 intermediate_size=3072 num_attention_heads=12 num_hidden_layers=12 "
         "patch_size=16"},
        {"bloom", "hidden_size=64 n_head=8 n_layer=2 tie_word_embeddings=1 vocab_size=250880"},
        {"blt", "max_position_embeddings=4096 patch_size=4 tie_word_embeddings=0 vocab_size=260"},
        {"blt_global_transformer",
         "hidden_size=2048 intermediate_size=5632 max_position_embeddings=4096 num_attention_heads=16 "
         "num_hidden_layers=25 tie_word_embeddings=0"},
        {"blt_local_decoder",
         "hidden_size=1024 intermediate_size=2816 max_position_embeddings=24576 num_attention_heads=16 "
         "num_hidden_layers=9 tie_word_embeddings=0 vocab_size=260"},
        {"blt_local_encoder",
         "hidden_size=1024 max_position_embeddings=24576 num_attention_heads=16 num_hidden_layers=1 "
         "tie_word_embeddings=0 vocab_size=260"},
        {"blt_patcher",
         "hidden_size=768 intermediate_size=2048 max_position_embeddings=8192 num_attention_heads=12 "
         "num_hidden_layers=14 tie_word_embeddings=0 vocab_size=260"},
        {"bridgetower", "hidden_size=768 num_attention_heads=12 num_hidden_layers=6 tie_word_embeddings=0"},
        {"bridgetower_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=514 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=1 vocab_size=50265"},
        {"bridgetower_vision_model",
         "hidden_size=768 image_size=288 num_channels=3 num_hidden_layers=12 patch_size=16"},
        {"bros",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"camembert",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"canary_decoder",
         "attention_bias=1 head_dim=128 hidden_size=1024 intermediate_size=4096 max_position_embeddings=1024 "
         "num_attention_heads=8 num_hidden_layers=8 num_key_value_heads=8 vocab_size=16384"},
        {"canine",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=16384 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=16"},
        {"chameleon",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=4096 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=32 tie_word_embeddings=0 "
         "vocab_size=65536"},
        {"chinese_clip_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"chinese_clip_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"clap_audio_model",
         "hidden_size=768 num_classes=527 num_hidden_layers=4 num_mel_bins=64 patch_size=4 qkv_bias=1"},
        {"clap_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=514 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=1 vocab_size=50265"},
        {"clip_text_model",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=77 num_attention_heads=8 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"clip_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"clipseg_text_model",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=77 num_attention_heads=8 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"clipseg_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"clvp_decoder",
         "hidden_size=1024 max_position_embeddings=608 num_attention_heads=16 num_hidden_layers=30 "
         "vocab_size=8194"},
        {"clvp_encoder",
         "hidden_size=768 intermediate_size=1536 num_attention_heads=12 num_hidden_layers=20 vocab_size=256"},
        {"codegen",
         "n_ctx=2048 n_embd=4096 n_head=16 n_layer=28 n_positions=2048 tie_word_embeddings=0 "
         "vocab_size=50400"},
        {"cohere",
         "attention_bias=0 hidden_size=8192 intermediate_size=22528 max_position_embeddings=8192 "
         "num_attention_heads=64 num_hidden_layers=40 tie_word_embeddings=1 use_qk_norm=0 vocab_size=256000"},
        {"cohere2",
         "attention_bias=0 hidden_size=8192 intermediate_size=22528 max_position_embeddings=8192 "
         "num_attention_heads=64 num_hidden_layers=40 tie_word_embeddings=1 vocab_size=256000"},
        {"cohere2_moe",
         "attention_bias=0 head_dim=128 hidden_size=8192 intermediate_size=22528 "
         "max_position_embeddings=8192 num_attention_heads=64 num_experts=8 num_experts_per_tok=2 "
         "num_hidden_layers=40 num_shared_experts=0 tie_word_embeddings=1 vocab_size=256000"},
        {"cohere_asr",
         "attention_bias=1 hidden_size=1024 intermediate_size=4096 max_position_embeddings=1024 "
         "num_attention_heads=8 num_hidden_layers=8 tie_word_embeddings=0 vocab_size=16384"},
        {"cohere_compass_text",
         "attention_bias=0 hidden_size=8192 intermediate_size=22528 max_position_embeddings=8192 "
         "num_attention_heads=64 num_hidden_layers=40 tie_word_embeddings=1 vocab_size=256000"},
        {"cohere_compass_vision",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"convbert",
         "embedding_size=768 hidden_size=768 intermediate_size=3072 max_position_embeddings=512 "
         "num_attention_heads=12 num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 "
         "vocab_size=30522"},
        {"convnext", "image_size=224 num_channels=3 patch_size=4"},
        {"convnextv2", "image_size=224 num_channels=3 patch_size=4"},
        {"cosmos3_edge_text",
         "attention_bias=0 head_dim=128 hidden_size=2048 intermediate_size=9216 "
         "max_position_embeddings=131072 mlp_bias=0 num_attention_heads=16 num_hidden_layers=28 "
         "num_key_value_heads=8 tie_word_embeddings=0 vocab_size=131072"},
        {"cosmos3_edge_vision",
         "hidden_size=1152 intermediate_size=4304 num_attention_heads=16 num_channels=3 num_hidden_layers=27 "
         "num_patches=256 patch_size=16"},
        {"cpmant",
         "dim_ff=10240 dim_head=128 hidden_size=4096 num_attention_heads=32 num_hidden_layers=48 "
         "tie_word_embeddings=1 vocab_size=30720"},
        {"csm",
         "attention_bias=0 hidden_size=2048 intermediate_size=8192 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=16 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=2051"},
        {"csm_depth_decoder_model",
         "attention_bias=0 hidden_size=1024 intermediate_size=8192 max_position_embeddings=33 mlp_bias=0 "
         "num_attention_heads=8 num_hidden_layers=4 num_key_value_heads=2 vocab_size=2051"},
        {"ctrl",
         "dff=8192 n_embd=1280 n_head=16 n_layer=48 n_positions=256 tie_word_embeddings=1 vocab_size=246534"},
        {"cwm",
         "head_dim=128 hidden_size=6144 intermediate_size=21504 max_position_embeddings=131072 mlp_bias=0 "
         "num_attention_heads=48 num_hidden_layers=64 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=128256"},
        {"d_fine",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=1024 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=1024 encoder_layers=1 tie_word_embeddings=1"},
        {"data2vec-audio",
         "conv_bias=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=5 num_hidden_layers=12 vocab_size=32"},
        {"data2vec-text",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"data2vec-vision",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16"},
        {"dbrx",
         "d_model=2048 max_seq_len=2048 n_heads=16 n_layers=24 num_key_value_heads=1 tie_word_embeddings=0 "
         "vocab_size=32000"},
        {"deberta",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=0 vocab_size=50265"},
        {"deberta-v2",
         "hidden_size=1536 intermediate_size=6144 max_position_embeddings=512 num_attention_heads=24 "
         "num_hidden_layers=24 tie_word_embeddings=1 type_vocab_size=0 vocab_size=128100"},
        {"decision_transformer", "hidden_size=128 n_head=1 n_layer=3 n_positions=1024 vocab_size=1"},
        {"deepseek_ocr2_encoder",
         "hidden_size=4096 intermediate_size=22016 max_position_embeddings=32768 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=32 tie_word_embeddings=0 vocab_size=151936"},
        {"deepseek_ocr2_text",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 mlp_bias=0 "
         "moe_intermediate_size=1407 n_routed_experts=64 n_shared_experts=2 num_attention_heads=32 "
         "num_hidden_layers=32 tie_word_embeddings=0 vocab_size=102400"},
        {"deepseek_v2",
         "attention_bias=0 first_k_dense_replace=0 hidden_size=4096 intermediate_size=11008 kv_lora_rank=512 "
         "max_position_embeddings=2048 mlp_bias=0 moe_intermediate_size=1407 n_routed_experts=64 "
         "n_shared_experts=2 num_attention_heads=32 num_hidden_layers=32 q_lora_rank=1536 "
         "qk_nope_head_dim=128 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=128 vocab_size=102400"},
        {"deepseek_v3",
         "attention_bias=0 first_k_dense_replace=3 hidden_size=7168 intermediate_size=18432 kv_lora_rank=512 "
         "max_position_embeddings=4096 moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1 "
         "num_attention_heads=128 num_experts_per_tok=8 num_hidden_layers=61 num_key_value_heads=128 "
         "q_lora_rank=1536 qk_nope_head_dim=128 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=128 "
         "vocab_size=129280"},
        {"deepseek_v32",
         "attention_bias=0 first_k_dense_replace=3 hidden_size=7168 intermediate_size=18432 kv_lora_rank=512 "
         "max_position_embeddings=163840 mlp_bias=0 moe_intermediate_size=2048 n_routed_experts=256 "
         "n_shared_experts=1 num_attention_heads=128 num_experts_per_tok=8 num_hidden_layers=61 "
         "num_key_value_heads=128 q_lora_rank=1536 qk_nope_head_dim=128 qk_rope_head_dim=64 "
         "tie_word_embeddings=0 v_head_dim=128 vocab_size=129280"},
        {"deepseek_v4",
         "attention_bias=0 head_dim=512 hidden_size=4096 max_position_embeddings=1048576 mlp_bias=0 "
         "moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1 num_attention_heads=64 "
         "num_experts_per_tok=6 num_hidden_layers=43 num_key_value_heads=1 q_lora_rank=1024 "
         "qk_rope_head_dim=64 tie_word_embeddings=0 vocab_size=129280"},
        {"deimv2",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=1024 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=1024 encoder_layers=1 tie_word_embeddings=1"},
        {"deit",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 qkv_bias=1"},
        {"dia_decoder",
         "head_dim=128 hidden_size=2048 intermediate_size=8192 max_position_embeddings=3072 "
         "num_attention_heads=16 num_channels=9 num_hidden_layers=18 num_key_value_heads=4 vocab_size=1028"},
        {"dia_encoder",
         "head_dim=128 hidden_size=1024 intermediate_size=4096 max_position_embeddings=1024 "
         "num_attention_heads=16 num_hidden_layers=12 num_key_value_heads=16 vocab_size=256"},
        {"diffllama",
         "attention_bias=0 hidden_size=2048 intermediate_size=8192 max_position_embeddings=2048 "
         "num_attention_heads=32 num_hidden_layers=16 tie_word_embeddings=0 vocab_size=32000"},
        {"diffusion_gemma_text",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 "
         "max_position_embeddings=131072 num_attention_heads=8 num_hidden_layers=30 num_key_value_heads=4 "
         "tie_word_embeddings=1 vocab_size=262144"},
        {"dinat", "embed_dim=64 hidden_size=512 num_channels=3 num_layers=4 patch_size=4 qkv_bias=1"},
        {"dinov2",
         "hidden_size=768 image_size=224 mlp_ratio=4 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=14 qkv_bias=1 use_swiglu_ffn=0"},
        {"dinov2_with_registers",
         "hidden_size=768 image_size=224 mlp_ratio=4 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 num_register_tokens=4 patch_size=16 qkv_bias=1 use_swiglu_ffn=0"},
        {"dinov3_vit",
         "hidden_size=384 image_size=224 intermediate_size=1536 mlp_bias=1 num_attention_heads=6 "
         "num_channels=3 num_hidden_layers=12 num_register_tokens=0 patch_size=16"},
        {"distilbert",
         "dim=768 hidden_dim=3072 max_position_embeddings=512 n_heads=12 n_layers=6 tie_word_embeddings=1 "
         "vocab_size=30522"},
        {"doge",
         "attention_bias=0 hidden_size=1024 intermediate_size=2048 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=8 num_experts=16384 num_experts_per_tok=64 num_hidden_layers=32 "
         "tie_word_embeddings=0 vocab_size=32768"},
        {"donut-swin",
         "embed_dim=96 hidden_size=768 image_size=224 num_channels=3 num_layers=4 patch_size=4 qkv_bias=1"},
        {"dots1",
         "attention_bias=0 first_k_dense_replace=0 hidden_size=4608 intermediate_size=10944 "
         "max_position_embeddings=2048 moe_intermediate_size=1408 num_attention_heads=32 "
         "num_hidden_layers=62 num_key_value_heads=32 tie_word_embeddings=0 vocab_size=152064"},
        {"dpr",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"efficientloftr", "attention_bias=0 hidden_size=256 intermediate_size=512 num_attention_heads=8"},
        {"efficientnet", "hidden_dim=2560 image_size=600 num_channels=3 num_hidden_layers=64"},
        {"electra",
         "embedding_size=128 hidden_size=256 intermediate_size=1024 max_position_embeddings=512 "
         "num_attention_heads=4 num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 "
         "vocab_size=30522"},
        {"emu3_text_model",
         "hidden_size=4096 intermediate_size=14336 max_position_embeddings=9216 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 vocab_size=184622"},
        {"eomt",
         "hidden_size=1024 image_size=640 mlp_ratio=4 num_attention_heads=16 num_blocks=4 num_channels=3 "
         "num_hidden_layers=24 num_register_tokens=4 patch_size=16 use_swiglu_ffn=0"},
        {"eomt_dinov3",
         "hidden_size=1024 image_size=640 intermediate_size=4096 mlp_bias=1 num_attention_heads=16 "
         "num_blocks=4 num_channels=3 num_hidden_layers=24 num_register_tokens=4 patch_size=16"},
        {"ernie",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"ernie4_5",
         "head_dim=128 hidden_size=1024 intermediate_size=3072 max_position_embeddings=131072 "
         "num_attention_heads=16 num_hidden_layers=18 num_key_value_heads=2 tie_word_embeddings=1 use_bias=0 "
         "vocab_size=103424"},
        {"ernie4_5_moe",
         "hidden_size=2560 intermediate_size=12288 max_position_embeddings=131072 moe_intermediate_size=1536 "
         "moe_k=6 moe_layer_start_index=1 moe_num_experts=64 moe_num_shared_experts=2 num_attention_heads=20 "
         "num_hidden_layers=28 num_key_value_heads=4 tie_word_embeddings=1 use_bias=0 vocab_size=103424"},
        {"ernie4_5_vl_moe_text",
         "hidden_size=2560 intermediate_size=12288 max_position_embeddings=131072 moe_k=6 moe_num_experts=64 "
         "moe_num_shared_experts=2 num_attention_heads=20 num_hidden_layers=28 num_key_value_heads=4 "
         "tie_word_embeddings=1 use_bias=0 vocab_size=103424"},
        {"ernie4_5_vl_moe_vision",
         "depth=32 hidden_size=1280 in_channels=3 intermediate_size=5120 num_heads=16 patch_size=14"},
        {"esm",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=1026 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1"},
        {"esmc",
         "attention_bias=0 hidden_size=2560 intermediate_size=6912 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=40 num_hidden_layers=80 tie_word_embeddings=0 vocab_size=64"},
        {"eurobert",
         "attention_bias=0 hidden_size=768 intermediate_size=3072 max_position_embeddings=8192 mlp_bias=0 "
         "num_attention_heads=12 num_hidden_layers=12 tie_word_embeddings=0 vocab_size=128256"},
        {"evolla",
         "attention_bias=0 hidden_size=4096 intermediate_size=14336 max_position_embeddings=8192 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=128256"},
        {"exaone4",
         "hidden_size=4096 intermediate_size=16384 max_position_embeddings=2048 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=32 tie_word_embeddings=0 vocab_size=102400"},
        {"exaone4_5_vision",
         "depth=32 hidden_size=3584 in_channels=3 intermediate_size=3420 num_heads=16 num_key_value_heads=8 "
         "patch_size=14 temporal_patch_size=2"},
        {"exaone_moe",
         "first_k_dense_replace=1 hidden_size=4096 intermediate_size=16384 max_position_embeddings=2048 "
         "moe_intermediate_size=1024 num_attention_heads=32 num_experts=64 num_experts_per_tok=8 "
         "num_hidden_layers=32 num_key_value_heads=32 num_shared_experts=1 tie_word_embeddings=0 "
         "vocab_size=102400"},
        {"falcon",
         "alibi=0 bias=0 hidden_size=4544 max_position_embeddings=2048 multi_query=1 "
         "new_decoder_architecture=0 num_attention_heads=71 num_hidden_layers=32 parallel_attn=1 "
         "tie_word_embeddings=1 vocab_size=65024"},
        {"falcon_h1",
         "attention_bias=0 hidden_size=4096 intermediate_size=14336 mamba_d_conv=4 mamba_d_head=8 "
         "mamba_d_state=256 mamba_expand=2 mamba_n_groups=1 mamba_n_heads=128 max_position_embeddings=8192 "
         "mlp_bias=0 num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=128000"},
        {"falcon_mamba",
         "conv_kernel=4 expand=2 hidden_size=768 num_hidden_layers=32 state_size=16 tie_word_embeddings=1 "
         "use_bias=0 use_conv_bias=1 vocab_size=50280"},
        {"fastspeech2_conformer",
         "convolution_bias=1 decoder_layers=4 encoder_layers=4 encoder_num_attention_heads=2 hidden_size=384 "
         "max_source_positions=5000 num_mel_bins=80 vocab_size=78"},
        {"flaubert",
         "emb_dim=2048 max_position_embeddings=512 n_heads=16 n_layers=12 tie_word_embeddings=1 "
         "vocab_size=30145"},
        {"flava_image_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 qkv_bias=1 vocab_size=8192"},
        {"flava_multimodal_model",
         "hidden_size=768 intermediate_size=3072 num_attention_heads=12 num_hidden_layers=6 qkv_bias=1"},
        {"flava_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 qkv_bias=1 type_vocab_size=2 vocab_size=30522"},
        {"flex_olmo",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=4096 "
         "num_attention_heads=32 num_experts=7 num_experts_per_tok=5 num_hidden_layers=32 "
         "tie_word_embeddings=0 vocab_size=100352"},
        {"florence_vision", "in_channels=3 max_position_embeddings=50 qkv_bias=1"},
        {"fnet",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_hidden_layers=12 "
         "tie_word_embeddings=1 type_vocab_size=4 vocab_size=32000"},
        {"focalnet", "embed_dim=96 image_size=224 num_channels=3 patch_size=4"},
        {"fsmt",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=0"},
        {"fun_asr_nano_encoder",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=2049 num_attention_heads=4 "
         "num_hidden_layers=70 num_mel_bins=80"},
        {"funnel",
         "d_head=64 d_inner=3072 d_model=768 n_head=12 num_decoder_layers=2 tie_word_embeddings=1 "
         "vocab_size=30522"},
        {"fuyu",
         "hidden_size=4096 image_size=300 intermediate_size=16384 max_position_embeddings=16384 "
         "num_attention_heads=64 num_channels=3 num_hidden_layers=36 patch_size=30 qk_layernorm=1 "
         "tie_word_embeddings=0 vocab_size=262144"},
        {"gemma",
         "attention_bias=0 head_dim=256 hidden_size=3072 intermediate_size=24576 "
         "max_position_embeddings=8192 num_attention_heads=16 num_hidden_layers=28 num_key_value_heads=16 "
         "tie_word_embeddings=1 vocab_size=256000"},
        {"gemma2",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 max_position_embeddings=8192 "
         "num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 tie_word_embeddings=1 "
         "vocab_size=256000"},
        {"gemma3_text",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 "
         "max_position_embeddings=131072 num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 "
         "tie_word_embeddings=1 vocab_size=262208"},
        {"gemma3n_text",
         "attention_bias=0 head_dim=256 hidden_size=2048 max_position_embeddings=32768 num_attention_heads=8 "
         "num_hidden_layers=35 num_key_value_heads=2 tie_word_embeddings=1 vocab_size=262400"},
        {"gemma3n_vision", "hidden_size=2048 num_classes=2 vocab_size=128"},
        {"gemma4_audio", "hidden_size=1024 num_attention_heads=8 num_hidden_layers=12"},
        {"gemma4_text",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 "
         "max_position_embeddings=131072 num_attention_heads=8 num_hidden_layers=30 num_key_value_heads=4 "
         "tie_word_embeddings=1 vocab_size=262144"},
        {"gemma4_unified_text",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 "
         "max_position_embeddings=262144 num_attention_heads=8 num_hidden_layers=30 num_key_value_heads=4 "
         "tie_word_embeddings=1 vocab_size=262144"},
        {"gemma4_vision",
         "attention_bias=0 head_dim=64 hidden_size=768 intermediate_size=3072 max_position_embeddings=131072 "
         "num_attention_heads=12 num_hidden_layers=16 num_key_value_heads=12 patch_size=16"},
        {"git",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=1024 num_attention_heads=12 "
         "num_hidden_layers=6 tie_word_embeddings=0 vocab_size=30522"},
        {"git_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16"},
        {"glm",
         "attention_bias=1 head_dim=128 hidden_size=4096 intermediate_size=13696 "
         "max_position_embeddings=131072 num_attention_heads=32 num_hidden_layers=40 num_key_value_heads=2 "
         "tie_word_embeddings=0 vocab_size=151552"},
        {"glm4",
         "attention_bias=1 head_dim=128 hidden_size=4096 intermediate_size=13696 "
         "max_position_embeddings=131072 num_attention_heads=32 num_hidden_layers=40 num_key_value_heads=2 "
         "tie_word_embeddings=0 vocab_size=151552"},
        {"glm4_moe",
         "attention_bias=0 first_k_dense_replace=1 hidden_size=4096 intermediate_size=10944 "
         "max_position_embeddings=131072 moe_intermediate_size=1408 n_routed_experts=128 n_shared_experts=1 "
         "num_attention_heads=96 num_experts_per_tok=8 num_hidden_layers=46 num_key_value_heads=8 "
         "tie_word_embeddings=0 use_qk_norm=0 vocab_size=151552"},
        {"glm4_moe_lite",
         "attention_bias=0 hidden_size=2048 intermediate_size=10240 kv_lora_rank=512 "
         "max_position_embeddings=202752 moe_intermediate_size=1536 n_routed_experts=64 n_shared_experts=1 "
         "num_attention_heads=20 num_experts_per_tok=4 num_hidden_layers=47 num_key_value_heads=20 "
         "q_lora_rank=768 qk_nope_head_dim=192 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=256 "
         "vocab_size=154880"},
        {"glm4v_moe_text",
         "attention_bias=1 first_k_dense_replace=1 hidden_size=4096 intermediate_size=10944 "
         "max_position_embeddings=65536 moe_intermediate_size=1408 n_routed_experts=128 n_shared_experts=1 "
         "num_attention_heads=96 num_experts_per_tok=8 num_hidden_layers=46 num_key_value_heads=8 "
         "tie_word_embeddings=0 vocab_size=151424"},
        {"glm4v_moe_vision",
         "attention_bias=0 depth=24 hidden_size=1536 image_size=336 in_channels=3 intermediate_size=13696 "
         "num_heads=12 patch_size=14 temporal_patch_size=2"},
        {"glm4v_text",
         "hidden_size=4096 intermediate_size=13696 max_position_embeddings=32768 num_attention_heads=32 "
         "num_hidden_layers=40 num_key_value_heads=2 vocab_size=151552"},
        {"glm4v_vision",
         "attention_bias=0 depth=24 hidden_size=1536 image_size=336 in_channels=3 intermediate_size=13696 "
         "num_heads=12 patch_size=14 temporal_patch_size=2"},
        {"glm5_next_text",
         "attention_bias=0 hidden_size=4096 intermediate_size=12288 kv_lora_rank=512 "
         "linear_conv_kernel_dim=4 max_position_embeddings=1048576 moe_intermediate_size=2048 "
         "n_routed_experts=288 n_shared_experts=1 num_attention_heads=64 num_experts_per_tok=8 "
         "num_hidden_layers=45 num_key_value_heads=64 q_lora_rank=1536 qk_nope_head_dim=256 "
         "qk_rope_head_dim=0 tie_word_embeddings=0 v_head_dim=256 vocab_size=154880"},
        {"glm5_next_vision",
         "attention_bias=1 depth=24 hidden_size=1024 image_size=336 in_channels=3 intermediate_size=4096 "
         "num_heads=16 patch_size=14 temporal_patch_size=2"},
        {"glm_image_text",
         "attention_bias=1 hidden_size=4096 intermediate_size=13696 max_position_embeddings=131072 "
         "num_attention_heads=32 num_hidden_layers=40 num_key_value_heads=2 vocab_size=168064"},
        {"glm_image_vision",
         "attention_bias=1 depth=40 hidden_size=1536 image_size=2048 in_channels=3 intermediate_size=6144 "
         "num_heads=16 patch_size=16"},
        {"glm_moe_dsa",
         "attention_bias=0 first_k_dense_replace=3 hidden_size=6144 intermediate_size=12288 kv_lora_rank=512 "
         "max_position_embeddings=202752 mlp_bias=0 moe_intermediate_size=2048 n_routed_experts=256 "
         "n_shared_experts=1 num_attention_heads=64 num_experts_per_tok=8 num_hidden_layers=78 "
         "num_key_value_heads=64 q_lora_rank=2048 qk_nope_head_dim=192 qk_rope_head_dim=64 "
         "tie_word_embeddings=0 v_head_dim=256 vocab_size=154880"},
        {"glm_ocr_text",
         "hidden_size=1024 intermediate_size=4096 max_position_embeddings=131072 num_attention_heads=16 "
         "num_hidden_layers=16 num_key_value_heads=8 vocab_size=59392"},
        {"glm_ocr_vision",
         "attention_bias=1 depth=24 hidden_size=1024 image_size=336 in_channels=3 intermediate_size=4096 "
         "num_heads=16 patch_size=14 temporal_patch_size=2"},
        {"glmasr_encoder",
         "hidden_size=1280 intermediate_size=5120 max_position_embeddings=1500 num_attention_heads=20 "
         "num_hidden_layers=32 num_mel_bins=128"},
        {"gpt-sw3",
         "n_embd=768 n_head=12 n_layer=12 n_positions=1024 tie_word_embeddings=1 vocab_size=50257"},
        {"gpt2", "n_embd=768 n_head=12 n_layer=12 n_positions=1024 tie_word_embeddings=1 vocab_size=50257"},
        {"gpt_bigcode",
         "multi_query=1 n_embd=768 n_head=12 n_layer=12 n_positions=1024 num_key_value_heads=1 "
         "tie_word_embeddings=1 vocab_size=50257"},
        {"gpt_neo",
         "hidden_size=2048 max_position_embeddings=2048 num_heads=16 num_layers=24 tie_word_embeddings=1 "
         "vocab_size=50257"},
        {"gpt_neox",
         "attention_bias=1 hidden_size=6144 intermediate_size=24576 max_position_embeddings=2048 "
         "num_attention_heads=64 num_hidden_layers=44 tie_word_embeddings=0 use_parallel_residual=1 "
         "vocab_size=50432"},
        {"gpt_neox_japanese",
         "hidden_size=2560 max_position_embeddings=2048 num_attention_heads=32 num_hidden_layers=32 "
         "tie_word_embeddings=1 vocab_size=32000"},
        {"gpt_oss",
         "attention_bias=1 head_dim=64 hidden_size=2880 intermediate_size=2880 "
         "max_position_embeddings=131072 num_attention_heads=64 num_experts_per_tok=4 num_hidden_layers=36 "
         "num_key_value_heads=8 num_local_experts=128 tie_word_embeddings=0 vocab_size=201088"},
        {"gptj", "n_embd=4096 n_head=16 n_layer=28 n_positions=2048 tie_word_embeddings=0 vocab_size=50400"},
        {"granite",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"granite4_vision_text",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"granite_speech5_encoder",
         "attention_bias=1 hidden_size=1024 intermediate_size=4096 max_position_embeddings=512 "
         "num_attention_heads=8 num_hidden_layers=16 num_mel_bins=80 vocab_size=16384"},
        {"granite_speech_encoder", "hidden_dim=1024 input_dim=160 num_heads=8 num_layers=10"},
        {"granite_speech_plus_encoder", "hidden_dim=1024 input_dim=160 num_heads=8 num_layers=10"},
        {"granite_swa",
         "attention_bias=0 hidden_size=2560 intermediate_size=8192 max_position_embeddings=8192 mlp_bias=0 "
         "num_attention_heads=20 num_hidden_layers=24 num_key_value_heads=4 tie_word_embeddings=1 "
         "vocab_size=100352"},
        {"granitemoe",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 num_local_experts=8 "
         "tie_word_embeddings=0 vocab_size=32000"},
        {"granitemoe_swa",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 num_local_experts=8 "
         "shared_intermediate_size=0 tie_word_embeddings=0 vocab_size=32000"},
        {"granitemoehybrid",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 mamba_d_conv=4 mamba_d_state=256 "
         "mamba_expand=2 mamba_n_groups=1 mamba_n_heads=128 max_position_embeddings=2048 "
         "num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 num_local_experts=8 "
         "shared_intermediate_size=1024 tie_word_embeddings=0 vocab_size=32000"},
        {"granitemoeshared",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 num_local_experts=8 "
         "shared_intermediate_size=0 tie_word_embeddings=0 vocab_size=32000"},
        {"grounding-dino",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=2048 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=2048 encoder_layers=6 tie_word_embeddings=1"},
        {"groupvit_text_model",
         "hidden_size=256 intermediate_size=1024 max_position_embeddings=77 num_attention_heads=4 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"groupvit_vision_model",
         "hidden_size=384 image_size=224 intermediate_size=1536 num_attention_heads=6 num_channels=3 "
         "num_hidden_layers=12 patch_size=16"},
        {"helium",
         "attention_bias=0 head_dim=128 hidden_size=2560 intermediate_size=7040 max_position_embeddings=4096 "
         "mlp_bias=0 num_attention_heads=20 num_hidden_layers=24 num_key_value_heads=20 "
         "tie_word_embeddings=0 vocab_size=48000"},
        {"hiera", "embed_dim=96 hidden_size=768 num_channels=3"},
        {"higgs_audio_v2",
         "attention_bias=0 head_dim=128 hidden_size=3072 intermediate_size=8192 max_position_embeddings=2048 "
         "mlp_bias=0 num_attention_heads=24 num_hidden_layers=28 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=128256"},
        {"hrm_text",
         "attention_bias=0 head_dim=128 hidden_size=1536 intermediate_size=4096 max_position_embeddings=2048 "
         "mlp_bias=0 num_attention_heads=12 num_hidden_layers=128 tie_word_embeddings=0 vocab_size=151808"},
        {"hubert",
         "conv_bias=0 do_stable_layer_norm=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_hidden_layers=12 vocab_size=32"},
        {"hunyuan_v1_dense",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=290943"},
        {"hunyuan_v1_moe",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 moe_topk=1 "
         "num_attention_heads=32 num_experts=1 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=290943"},
        {"hunyuan_vl_text",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=1 vocab_size=290943"},
        {"hunyuan_vl_vision",
         "hidden_size=1152 intermediate_size=4304 num_attention_heads=16 num_channels=3 num_hidden_layers=27 "
         "patch_size=16 temporal_patch_size=1"},
        {"hy_v3",
         "attention_bias=0 head_dim=128 hidden_size=4096 intermediate_size=13312 "
         "max_position_embeddings=131072 mlp_bias=0 moe_intermediate_size=1536 num_attention_heads=64 "
         "num_experts=192 num_experts_per_tok=8 num_hidden_layers=80 num_key_value_heads=8 "
         "num_shared_experts=1 tie_word_embeddings=0 vocab_size=120832"},
        {"hy_v4",
         "attention_bias=0 hidden_size=2816 intermediate_size=6912 kv_lora_rank=512 "
         "max_position_embeddings=262144 moe_intermediate_size=768 n_routed_experts=256 n_shared_experts=1 "
         "num_attention_heads=32 num_experts_per_tok=8 num_hidden_layers=34 q_lora_rank=1536 "
         "qk_nope_head_dim=192 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=256 vocab_size=120832"},
        {"hyperclovax",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"ibert",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"idefics",
         "hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 num_attention_heads=32 "
         "num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"idefics2_vision",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"idefics3_vision",
         "hidden_size=1152 image_size=224 intermediate_size=3072 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"idefics_vision",
         "embed_dim=768 image_size=224 intermediate_size=5120 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=32 patch_size=14"},
        {"ijepa",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 qkv_bias=1"},
        {"imagegpt", "n_embd=512 n_head=8 n_layer=24 n_positions=1024 tie_word_embeddings=0 vocab_size=513"},
        {"informer",
         "d_model=64 decoder_attention_heads=2 decoder_ffn_dim=32 decoder_layers=2 encoder_attention_heads=2 "
         "encoder_ffn_dim=32 encoder_layers=2 input_size=1"},
        {"inkling_text",
         "head_dim=128 hidden_size=6144 intermediate_size=24576 max_position_embeddings=131072 "
         "moe_intermediate_size=3072 n_routed_experts=256 n_shared_experts=2 num_attention_heads=64 "
         "num_experts_per_tok=6 num_hidden_layers=66 num_key_value_heads=8 vocab_size=201024"},
        {"inkling_vision",
         "hidden_size=1024 n_layers=24 num_attention_heads=16 num_channels=3 patch_size=40 "
         "temporal_patch_size=2"},
        {"instructblip_qformer",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 vocab_size=30522"},
        {"instructblip_vision_model",
         "hidden_size=1408 image_size=224 intermediate_size=6144 num_attention_heads=16 num_hidden_layers=39 "
         "patch_size=14 qkv_bias=1"},
        {"instructblipvideo_qformer",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 vocab_size=30522"},
        {"instructblipvideo_vision_model",
         "hidden_size=1408 image_size=224 intermediate_size=6144 num_attention_heads=16 num_hidden_layers=39 "
         "patch_size=14 qkv_bias=1"},
        {"internvl_vision",
         "attention_bias=0 hidden_size=1024 intermediate_size=4096 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=24 use_qk_norm=0"},
        {"jais2",
         "attention_bias=1 hidden_size=3328 intermediate_size=26624 max_position_embeddings=8192 mlp_bias=1 "
         "num_attention_heads=26 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=150272"},
        {"jamba",
         "attn_layer_offset=4 attn_layer_period=8 expert_layer_offset=1 expert_layer_period=2 "
         "hidden_size=4096 intermediate_size=14336 mamba_d_conv=4 mamba_d_state=16 mamba_expand=2 "
         "max_position_embeddings=262144 num_attention_heads=32 num_experts=16 num_experts_per_tok=2 "
         "num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 vocab_size=65536"},
        {"janus_vision_model",
         "attention_bias=1 depth=2 hidden_size=1024 image_size=384 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=24 patch_size=16 use_qk_norm=0"},
        {"jetmoe",
         "hidden_size=2048 intermediate_size=5632 kv_channels=128 max_position_embeddings=4096 "
         "num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=12 num_key_value_heads=16 "
         "num_local_experts=8 tie_word_embeddings=1 vocab_size=32000"},
        {"jina_embeddings_v3",
         "hidden_size=1024 intermediate_size=4096 max_position_embeddings=8194 num_attention_heads=16 "
         "num_hidden_layers=24 tie_word_embeddings=1 type_vocab_size=1 vocab_size=250002"},
        {"kimi_k25_vision",
         "hidden_size=1152 intermediate_size=4304 num_attention_heads=16 num_hidden_layers=27 patch_size=14"},
        {"kimi_linear",
         "attention_bias=0 hidden_size=2304 intermediate_size=9216 kv_lora_rank=512 linear_conv_kernel_dim=4 "
         "model_max_length=1048576 moe_intermediate_size=1024 num_attention_heads=32 num_experts=256 "
         "num_experts_per_token=8 num_hidden_layers=27 num_key_value_heads=32 num_shared_experts=1 "
         "qk_nope_head_dim=128 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=128 vocab_size=163840"},
        {"kosmos_2_5_text_model",
         "attention_heads=16 embed_dim=1536 ffn_dim=6144 layers=24 max_position_embeddings=4096 "
         "tie_word_embeddings=1 vocab_size=108481"},
        {"kosmos_2_5_vision_model",
         "head_dim=64 hidden_size=1536 intermediate_size=3968 num_attention_heads=24 num_hidden_layers=18"},
        {"kosmos_2_text_model",
         "attention_heads=32 embed_dim=2048 ffn_dim=8192 layers=24 max_position_embeddings=2048 "
         "tie_word_embeddings=1 vocab_size=65037"},
        {"kosmos_2_vision_model",
         "hidden_size=1024 image_size=224 intermediate_size=4096 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=24 patch_size=14"},
        {"kyutai_speech_to_text",
         "ffn_dim=11264 hidden_size=2048 max_position_embeddings=750 num_attention_heads=32 "
         "num_hidden_layers=48 tie_word_embeddings=0 vocab_size=4001"},
        {"laguna",
         "attention_bias=0 head_dim=128 hidden_size=2048 intermediate_size=8192 "
         "max_position_embeddings=131072 moe_intermediate_size=512 num_attention_heads=48 num_experts=256 "
         "num_experts_per_tok=8 num_hidden_layers=40 num_key_value_heads=8 "
         "shared_expert_intermediate_size=512 tie_word_embeddings=0 vocab_size=100352"},
        {"lasr_encoder",
         "attention_bias=0 convolution_bias=0 hidden_size=512 intermediate_size=2048 "
         "max_position_embeddings=10000 num_attention_heads=8 num_hidden_layers=17 num_mel_bins=128"},
        {"layoutlm",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"layoutlmv2",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"layoutlmv3",
         "hidden_size=768 input_size=224 intermediate_size=3072 max_position_embeddings=512 "
         "num_attention_heads=12 num_channels=3 num_hidden_layers=12 patch_size=16 type_vocab_size=2 "
         "vocab_size=50265"},
        {"layoutxlm",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"led",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 tie_word_embeddings=1 "
         "vocab_size=50265"},
        {"levit", "image_size=224 num_channels=3 patch_size=16"},
        {"lfm2",
         "conv_bias=0 hidden_size=2560 intermediate_size=12288 max_position_embeddings=128000 "
         "num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=1 "
         "vocab_size=65536"},
        {"lfm2_moe",
         "conv_bias=0 hidden_size=2048 intermediate_size=7168 max_position_embeddings=128000 "
         "moe_intermediate_size=1792 num_attention_heads=32 num_dense_layers=2 num_experts=32 "
         "num_experts_per_tok=4 num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=1 "
         "vocab_size=65536"},
        {"lightglue",
         "attention_bias=1 hidden_size=256 intermediate_size=512 num_attention_heads=4 num_hidden_layers=9"},
        {"lilt",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"llama",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 mlp_bias=0 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"llama4_text",
         "attention_bias=0 head_dim=128 hidden_size=5120 interleave_moe_layer_step=1 intermediate_size=8192 "
         "max_position_embeddings=131072 num_attention_heads=40 num_experts_per_tok=1 num_hidden_layers=48 "
         "num_key_value_heads=8 num_local_experts=16 tie_word_embeddings=0 use_qk_norm=1 vocab_size=202048"},
        {"llama4_vision_model",
         "hidden_size=768 image_size=448 intermediate_size=5632 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=34 patch_size=14"},
        {"longcat_flash",
         "attention_bias=0 expert_ffn_hidden_size=2048 ffn_hidden_size=12288 hidden_size=6144 "
         "kv_lora_rank=512 max_position_embeddings=131072 moe_topk=12 n_routed_experts=512 "
         "num_attention_heads=64 num_hidden_layers=56 num_layers=28 q_lora_rank=1536 qk_nope_head_dim=128 "
         "qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=128 vocab_size=131072"},
        {"longformer",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"longt5",
         "d_ff=2048 d_kv=64 d_model=512 num_heads=8 num_layers=6 relative_attention_num_buckets=32 "
         "tie_word_embeddings=1 vocab_size=32128"},
        {"luke",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=50267"},
        {"lxmert",
         "hidden_size=768 intermediate_size=3072 l_layers=9 max_position_embeddings=512 "
         "num_attention_heads=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"m2m_100",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=128112"},
        {"mamba",
         "conv_kernel=4 expand=2 hidden_size=768 num_hidden_layers=32 state_size=16 tie_word_embeddings=1 "
         "use_bias=0 use_conv_bias=1 vocab_size=50280"},
        {"mamba2",
         "conv_kernel=4 expand=2 head_dim=64 hidden_size=4096 n_groups=8 num_hidden_layers=64 state_size=128 "
         "tie_word_embeddings=0 time_step_rank=256 use_bias=0 use_conv_bias=1 vocab_size=32768"},
        {"marian",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=58101"},
        {"markuplm",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"mask2former",
         "decoder_layers=10 dim_feedforward=2048 encoder_layers=6 hidden_dim=256 num_attention_heads=8"},
        {"maskformer-swin",
         "embed_dim=96 hidden_size=768 image_size=224 num_channels=3 patch_size=4 qkv_bias=1"},
        {"mbart",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=50265"},
        {"megatron-bert",
         "hidden_size=1024 intermediate_size=4096 max_position_embeddings=512 num_attention_heads=16 "
         "num_hidden_layers=24 tie_word_embeddings=1 type_vocab_size=2 vocab_size=29056"},
        {"mellum",
         "attention_bias=0 head_dim=128 hidden_size=2304 intermediate_size=7168 "
         "max_position_embeddings=131072 moe_intermediate_size=896 num_attention_heads=32 "
         "num_experts_per_tok=8 num_hidden_layers=28 num_key_value_heads=4 num_local_experts=64 "
         "tie_word_embeddings=0 vocab_size=98304"},
        {"metaclip_2_text_model",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=77 num_attention_heads=8 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"metaclip_2_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"mgp-str",
         "hidden_size=768 num_attention_heads=12 num_channels=3 num_hidden_layers=12 patch_size=4 "
         "qkv_bias=1"},
        {"mimi",
         "attention_bias=0 hidden_size=512 intermediate_size=2048 max_position_embeddings=8000 "
         "num_attention_heads=8 num_hidden_layers=8 num_key_value_heads=8 tie_word_embeddings=1"},
        {"mimo_v2_flash",
         "attention_bias=0 head_dim=192 hidden_size=4096 intermediate_size=16384 "
         "max_position_embeddings=131072 moe_intermediate_size=2048 n_routed_experts=256 "
         "num_attention_heads=64 num_experts_per_tok=8 num_hidden_layers=48 num_key_value_heads=4 "
         "tie_word_embeddings=0 v_head_dim=128 vocab_size=152576"},
        {"minicpm3",
         "attention_bias=0 hidden_size=2560 intermediate_size=6400 kv_lora_rank=256 "
         "max_position_embeddings=32768 mlp_bias=0 num_attention_heads=40 num_hidden_layers=62 "
         "num_key_value_heads=40 q_lora_rank=768 qk_nope_head_dim=64 qk_rope_head_dim=32 "
         "tie_word_embeddings=1 vocab_size=73448"},
        {"minicpmv4_6", "image_size=448 patch_size=16 tie_word_embeddings=0"},
        {"minicpmv4_6_vision",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16"},
        {"minimax",
         "block_size=256 hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072 "
         "num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 num_key_value_heads=8 "
         "num_local_experts=8 tie_word_embeddings=0 vocab_size=32000"},
        {"minimax_m2",
         "head_dim=128 hidden_size=3072 intermediate_size=1536 max_position_embeddings=196608 "
         "num_attention_heads=48 num_experts_per_tok=8 num_hidden_layers=62 num_key_value_heads=8 "
         "num_local_experts=256 tie_word_embeddings=0 vocab_size=200064"},
        {"minimax_m3_vl_text",
         "head_dim=128 hidden_size=6144 intermediate_size=3072 max_position_embeddings=524288 "
         "num_attention_heads=64 num_experts_per_tok=4 num_hidden_layers=60 num_key_value_heads=4 "
         "num_local_experts=128 shared_intermediate_size=3072 tie_word_embeddings=0 vocab_size=200064"},
        {"minimax_m3_vl_vision",
         "hidden_size=1280 image_size=2016 intermediate_size=5120 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=32 patch_size=14 temporal_patch_size=2"},
        {"ministral",
         "hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 vocab_size=32000"},
        {"ministral3",
         "head_dim=128 hidden_size=4096 intermediate_size=14336 max_position_embeddings=262144 "
         "num_attention_heads=32 num_hidden_layers=34 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=131072"},
        {"mistral",
         "hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 vocab_size=32000"},
        {"mistral4",
         "attention_bias=0 first_k_dense_replace=0 hidden_size=4096 intermediate_size=12288 kv_lora_rank=256 "
         "max_position_embeddings=1048576 moe_intermediate_size=2048 n_routed_experts=128 n_shared_experts=1 "
         "num_attention_heads=32 num_experts_per_tok=4 num_hidden_layers=36 num_key_value_heads=32 "
         "q_lora_rank=1024 qk_nope_head_dim=64 qk_rope_head_dim=64 tie_word_embeddings=0 v_head_dim=128 "
         "vocab_size=131072"},
        {"mixtral",
         "hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072 num_attention_heads=32 "
         "num_experts_per_tok=2 num_hidden_layers=32 num_key_value_heads=8 num_local_experts=8 "
         "tie_word_embeddings=0 vocab_size=32000"},
        {"mlcd",
         "hidden_size=1664 image_size=336 intermediate_size=8192 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=48 patch_size=14"},
        {"mlcd_vision_model",
         "hidden_size=1664 image_size=336 intermediate_size=8192 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=48 patch_size=14"},
        {"mllama_text_model",
         "hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072 num_attention_heads=32 "
         "num_hidden_layers=40 num_key_value_heads=8 tie_word_embeddings=0 vocab_size=128256"},
        {"mllama_vision_model",
         "attention_heads=16 hidden_size=1280 image_size=448 intermediate_size=5120 num_channels=3 "
         "num_hidden_layers=32 patch_size=14"},
        {"mm-grounding-dino",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=2048 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=2048 encoder_layers=6 tie_word_embeddings=1"},
        {"mobilebert",
         "embedding_size=128 hidden_size=512 intermediate_size=512 max_position_embeddings=512 "
         "num_attention_heads=4 num_hidden_layers=24 tie_word_embeddings=1 type_vocab_size=2 "
         "vocab_size=30522"},
        {"mobilevit", "image_size=256 num_attention_heads=4 num_channels=3 patch_size=2 qkv_bias=1"},
        {"mobilevitv2", "image_size=256 num_channels=3 patch_size=2"},
        {"modernbert",
         "attention_bias=0 classifier_bias=0 hidden_size=768 intermediate_size=1152 "
         "max_position_embeddings=8192 mlp_bias=0 norm_bias=0 num_attention_heads=12 num_hidden_layers=22 "
         "tie_word_embeddings=1 vocab_size=50368"},
        {"modernbert-decoder",
         "attention_bias=0 classifier_bias=0 hidden_size=768 intermediate_size=1152 "
         "max_position_embeddings=8192 mlp_bias=0 norm_bias=0 num_attention_heads=12 num_hidden_layers=22 "
         "tie_word_embeddings=1 vocab_size=50368"},
        {"moonshine",
         "attention_bias=0 decoder_num_hidden_layers=6 encoder_num_attention_heads=8 "
         "encoder_num_hidden_layers=6 hidden_size=288 intermediate_size=1152 max_position_embeddings=512 "
         "tie_word_embeddings=1 vocab_size=32768"},
        {"moonshine_streaming",
         "attention_bias=0 hidden_size=320 intermediate_size=1280 max_position_embeddings=4096 "
         "num_attention_heads=8 num_hidden_layers=6 tie_word_embeddings=0 vocab_size=32768"},
        {"moonshine_streaming_encoder",
         "attention_bias=0 hidden_size=320 intermediate_size=1280 max_position_embeddings=4096 "
         "num_attention_heads=8 num_hidden_layers=6 num_key_value_heads=8"},
        {"moshi",
         "ffn_dim=22528 hidden_size=4096 max_position_embeddings=3000 num_attention_heads=32 "
         "num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32000"},
        {"moshi_depth",
         "ffn_dim=5632 hidden_size=1024 input_size=4096 max_position_embeddings=9 num_attention_heads=16 "
         "num_hidden_layers=6 tie_word_embeddings=0 vocab_size=32000"},
        {"mpnet",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 relative_attention_num_buckets=32 tie_word_embeddings=1 vocab_size=30527"},
        {"mpt",
         "d_model=2048 expansion_ratio=4 max_seq_len=2048 n_heads=16 n_layers=24 no_bias=1 "
         "tie_word_embeddings=1 vocab_size=50368"},
        {"mra",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=1 vocab_size=50265"},
        {"mt5",
         "d_ff=1024 d_kv=64 d_model=512 num_heads=6 num_layers=8 relative_attention_num_buckets=32 "
         "tie_word_embeddings=1 vocab_size=250112"},
        {"muse_glimmer_assistant",
         "block_size=16 head_dim=128 hidden_size=6656 intermediate_size=19968 max_position_embeddings=131072 "
         "num_attention_heads=32 num_hidden_layers=5 num_key_value_heads=8"},
        {"muse_glimmer_text",
         "attention_bias=0 head_dim=128 hidden_size=6656 intermediate_size=19968 "
         "max_position_embeddings=131072 num_attention_heads=32 num_hidden_layers=52 num_key_value_heads=2 "
         "tie_word_embeddings=0 vocab_size=202048"},
        {"muse_glimmer_vision",
         "hidden_size=1536 intermediate_size=8960 max_position_embeddings=1024 num_attention_heads=16 "
         "num_hidden_layers=50 patch_size=14"},
        {"musicgen_decoder",
         "ffn_dim=4096 hidden_size=1024 max_position_embeddings=2048 num_attention_heads=16 "
         "num_hidden_layers=24 tie_word_embeddings=0 vocab_size=2048"},
        {"musicgen_melody_decoder",
         "ffn_dim=4096 hidden_size=1024 max_position_embeddings=2048 num_attention_heads=16 "
         "num_hidden_layers=24 tie_word_embeddings=0 vocab_size=2048"},
        {"mvp",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=50267"},
        {"nanochat",
         "attention_bias=0 hidden_size=768 intermediate_size=8192 max_position_embeddings=2048 "
         "num_attention_heads=6 num_hidden_layers=12 tie_word_embeddings=0 vocab_size=50304"},
        {"nemotron",
         "attention_bias=0 hidden_size=6144 intermediate_size=24576 max_position_embeddings=4096 mlp_bias=0 "
         "num_attention_heads=48 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=256000"},
        {"nemotron_asr_streaming_encoder",
         "attention_bias=1 convolution_bias=1 hidden_size=1024 intermediate_size=4096 "
         "max_position_embeddings=5000 num_attention_heads=8 num_hidden_layers=24 num_mel_bins=80"},
        {"nemotron_h",
         "attention_bias=0 conv_kernel=4 expand=2 head_dim=128 hidden_size=4096 intermediate_size=21504 "
         "max_position_embeddings=4096 mlp_bias=0 moe_intermediate_size=7688 "
         "moe_shared_expert_intermediate_size=7688 n_groups=8 n_routed_experts=8 n_shared_experts=1 "
         "num_attention_heads=32 num_experts_per_tok=2 num_key_value_heads=8 ssm_state_size=128 "
         "tie_word_embeddings=0 use_bias=0 use_conv_bias=1 vocab_size=131072"},
        {"neomme",
         "attention_bias=0 embedding_dim=128 head_dim=64 hidden_size=1024 intermediate_size=3584 "
         "max_position_embeddings=16384 mlp_bias=0 num_attention_heads=16 num_hidden_layers=17 "
         "num_key_value_heads=4 patch_size=32 tie_word_embeddings=1 vocab_size=131072"},
        {"nllb-moe",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "decoder_sparse_step=4 encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 "
         "max_position_embeddings=1024 num_experts=128 router_bias=0 tie_word_embeddings=1 "
         "vocab_size=128112"},
        {"nomic_bert",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=2048 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30528"},
        {"nystromformer",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=510 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30000"},
        {"olmo",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=50304"},
        {"olmo2",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=50304"},
        {"olmo3",
         "attention_bias=0 hidden_size=4096 intermediate_size=11008 max_position_embeddings=2048 "
         "num_attention_heads=32 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=50304"},
        {"olmo_hybrid",
         "attention_bias=0 hidden_size=3840 intermediate_size=11008 linear_conv_kernel_dim=4 "
         "max_position_embeddings=65536 num_attention_heads=30 num_hidden_layers=32 tie_word_embeddings=0 "
         "vocab_size=100352"},
        {"olmoe",
         "attention_bias=0 hidden_size=2048 intermediate_size=2048 max_position_embeddings=4096 "
         "num_attention_heads=16 num_experts=64 num_experts_per_tok=8 num_hidden_layers=16 "
         "tie_word_embeddings=0 vocab_size=50304"},
        {"omdet-turbo",
         "d_model=256 decoder_num_layers=6 encoder_attention_heads=8 encoder_layers=1 image_size=640"},
        {"oneformer",
         "decoder_layers=10 dim_feedforward=2048 encoder_layers=6 hidden_dim=256 num_attention_heads=8"},
        {"openai-gpt",
         "n_embd=768 n_head=12 n_layer=12 n_positions=512 tie_word_embeddings=1 vocab_size=40478"},
        {"openai_privacy_filter",
         "attention_bias=1 head_dim=64 hidden_size=640 intermediate_size=640 max_position_embeddings=131072 "
         "num_attention_heads=14 num_experts_per_tok=4 num_hidden_layers=8 num_key_value_heads=2 "
         "num_local_experts=128 tie_word_embeddings=0 vocab_size=200064"},
        {"opt",
         "do_layer_norm_before=1 enable_bias=1 ffn_dim=3072 hidden_size=768 max_position_embeddings=2048 "
         "num_attention_heads=12 num_hidden_layers=12 tie_word_embeddings=1 vocab_size=50272"},
        {"ovis2", "hidden_size=1536 tie_word_embeddings=1 vocab_size=151643"},
        {"owlv2_text_model",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=16 num_attention_heads=8 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"owlv2_vision_model",
         "hidden_size=768 image_size=768 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16"},
        {"owlvit_text_model",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=16 num_attention_heads=8 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"owlvit_vision_model",
         "hidden_size=768 image_size=768 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"paddleocr_vl_text",
         "head_dim=128 hidden_size=1024 intermediate_size=3072 max_position_embeddings=131072 "
         "num_attention_heads=16 num_hidden_layers=18 num_key_value_heads=2 tie_word_embeddings=1 use_bias=0 "
         "vocab_size=103424"},
        {"paddleocr_vl_vision",
         "hidden_size=1152 image_size=384 intermediate_size=4304 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=27 patch_size=14"},
        {"paligemma", "hidden_size=2048 tie_word_embeddings=1 vocab_size=257152"},
        {"parakeet_encoder",
         "attention_bias=1 convolution_bias=1 hidden_size=1024 intermediate_size=4096 "
         "max_position_embeddings=5000 num_attention_heads=8 num_hidden_layers=24 num_mel_bins=80"},
        {"patchtsmixer",
         "context_length=32 d_model=8 expansion_factor=2 gated_attn=1 num_input_channels=1 num_layers=3 "
         "num_patches=4 patch_length=8 patch_stride=8 prediction_length=16"},
        {"patchtst",
         "bias=1 context_length=32 d_model=128 ffn_dim=512 num_attention_heads=4 num_hidden_layers=3 "
         "num_input_channels=1 patch_length=1 patch_stride=1 prediction_length=24"},
        {"pe_audio_encoder",
         "attention_bias=0 head_dim=128 hidden_size=1792 intermediate_size=4800 "
         "max_position_embeddings=10000 num_attention_heads=14 num_hidden_layers=6"},
        {"pe_audio_video_encoder",
         "attention_bias=0 head_dim=128 hidden_size=1792 intermediate_size=4800 "
         "max_position_embeddings=10000 num_attention_heads=14 num_hidden_layers=6"},
        {"pe_video_encoder",
         "attention_bias=0 head_dim=128 hidden_size=1792 intermediate_size=4800 "
         "max_position_embeddings=10000 num_attention_heads=14 num_hidden_layers=6"},
        {"pegasus",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=12 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=50265"},
        {"pegasus_x",
         "block_size=512 d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=16 "
         "encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=16 max_position_embeddings=16384 "
         "tie_word_embeddings=1 vocab_size=96103"},
        {"perceiver",
         "d_latents=1280 d_model=768 image_size=56 max_position_embeddings=2048 num_blocks=1 num_frames=16 "
         "num_self_attends_per_block=26 num_self_attention_heads=8 vocab_size=262"},
        {"persimmon",
         "hidden_size=4096 intermediate_size=16384 max_position_embeddings=16384 num_attention_heads=64 "
         "num_hidden_layers=36 qk_layernorm=1 tie_word_embeddings=0 vocab_size=262144"},
        {"phi",
         "hidden_size=2048 intermediate_size=8192 max_position_embeddings=2048 num_attention_heads=32 "
         "num_hidden_layers=24 qk_layernorm=0 tie_word_embeddings=0 vocab_size=51200"},
        {"phi3",
         "hidden_size=3072 intermediate_size=8192 max_position_embeddings=4096 num_attention_heads=32 "
         "num_hidden_layers=32 tie_word_embeddings=0 vocab_size=32064"},
        {"phi4_multimodal",
         "hidden_size=3072 intermediate_size=8192 max_position_embeddings=131072 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=8 tie_word_embeddings=0 vocab_size=200064"},
        {"phi4_multimodal_audio",
         "hidden_size=1024 input_size=80 intermediate_size=1536 num_attention_heads=16 num_blocks=24"},
        {"phi4_multimodal_vision",
         "hidden_size=1152 image_size=448 intermediate_size=4304 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=27 patch_size=14"},
        {"phimoe",
         "attention_bias=0 hidden_size=4096 intermediate_size=6400 lm_head_bias=0 "
         "max_position_embeddings=131072 num_attention_heads=32 num_experts_per_tok=2 num_hidden_layers=32 "
         "num_key_value_heads=8 num_local_experts=16 tie_word_embeddings=0 vocab_size=32064"},
        {"pix2struct_text_model",
         "d_ff=2048 d_kv=64 hidden_size=768 num_heads=12 num_layers=12 relative_attention_num_buckets=32 "
         "tie_word_embeddings=0 vocab_size=50244"},
        {"pix2struct_vision_model",
         "d_ff=2048 d_kv=64 hidden_size=768 num_attention_heads=12 num_hidden_layers=12 "
         "relative_attention_num_buckets=32 seq_len=4096"},
        {"pixio",
         "hidden_size=1280 image_size=256 mlp_ratio=4 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=32 patch_size=16 qkv_bias=1"},
        {"pixtral",
         "hidden_size=1024 image_size=1024 intermediate_size=4096 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=24 patch_size=16"},
        {"plbart",
         "d_model=768 decoder_attention_heads=12 decoder_ffn_dim=3072 decoder_layers=6 "
         "encoder_attention_heads=12 encoder_ffn_dim=3072 encoder_layers=6 max_position_embeddings=1024 "
         "tie_word_embeddings=1 vocab_size=50005"},
        {"pop2piano",
         "d_ff=2048 d_kv=64 d_model=512 num_heads=8 num_layers=6 relative_attention_num_buckets=32 "
         "tie_word_embeddings=1 vocab_size=2400"},
        {"pp_doclayout_v2",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=1024 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=1024 encoder_layers=1"},
        {"pp_doclayout_v3",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=1024 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=1024 encoder_layers=1 tie_word_embeddings=1"},
        {"prophetnet",
         "decoder_ffn_dim=4096 encoder_ffn_dim=4096 hidden_size=1024 max_position_embeddings=512 "
         "num_decoder_layers=12 num_encoder_layers=12 tie_word_embeddings=1 vocab_size=30522"},
        {"pvt", "image_size=224 num_channels=3 num_labels=1000 qkv_bias=1"},
        {"qianfan_ocr_vision",
         "attention_bias=1 hidden_size=1024 intermediate_size=4096 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=24 use_qk_norm=0"},
        {"qwen2",
         "hidden_size=4096 intermediate_size=22016 max_position_embeddings=32768 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=32 tie_word_embeddings=0 vocab_size=151936"},
        {"qwen2_5_omni_audio_encoder",
         "d_model=1280 encoder_attention_heads=20 encoder_ffn_dim=5120 encoder_layers=32 "
         "max_source_positions=1500 num_mel_bins=128"},
        {"qwen2_5_omni_dit",
         "block_size=24 emb_dim=512 head_dim=64 hidden_size=1024 max_position_embeddings=32768 "
         "num_attention_heads=16 num_hidden_layers=22"},
        {"qwen2_5_omni_talker",
         "embedding_size=3584 head_dim=128 hidden_size=3584 intermediate_size=18944 "
         "max_position_embeddings=32768 num_attention_heads=28 num_hidden_layers=28 num_key_value_heads=4 "
         "tie_word_embeddings=0 vocab_size=8448"},
        {"qwen2_5_omni_text",
         "hidden_size=3584 intermediate_size=18944 max_position_embeddings=32768 num_attention_heads=28 "
         "num_hidden_layers=28 num_key_value_heads=4 tie_word_embeddings=1 vocab_size=152064"},
        {"qwen2_5_omni_vision_encoder",
         "depth=32 hidden_size=3584 in_channels=3 intermediate_size=3420 num_heads=16 patch_size=14 "
         "temporal_patch_size=2"},
        {"qwen2_5_vl_text",
         "hidden_size=8192 intermediate_size=29568 max_position_embeddings=32768 num_attention_heads=64 "
         "num_hidden_layers=80 num_key_value_heads=8 vocab_size=152064"},
        {"qwen2_5_vl_vision",
         "depth=32 hidden_size=3584 in_channels=3 intermediate_size=3420 num_heads=16 patch_size=14 "
         "temporal_patch_size=2"},
        {"qwen2_audio_encoder",
         "d_model=1280 encoder_attention_heads=20 encoder_ffn_dim=5120 encoder_layers=32 "
         "max_source_positions=1500 num_mel_bins=128"},
        {"qwen2_moe",
         "decoder_sparse_step=1 hidden_size=2048 intermediate_size=5632 max_position_embeddings=32768 "
         "moe_intermediate_size=1408 num_attention_heads=16 num_experts=60 num_experts_per_tok=4 "
         "num_hidden_layers=24 num_key_value_heads=16 qkv_bias=1 shared_expert_intermediate_size=5632 "
         "tie_word_embeddings=0 vocab_size=151936"},
        {"qwen2_vl_text",
         "hidden_size=8192 intermediate_size=29568 max_position_embeddings=32768 num_attention_heads=64 "
         "num_hidden_layers=80 num_key_value_heads=8 vocab_size=152064"},
        {"qwen2_vl_vision",
         "depth=32 embed_dim=1280 hidden_size=3584 in_channels=3 mlp_ratio=4 num_heads=16 patch_size=14 "
         "temporal_patch_size=2"},
        {"qwen3",
         "attention_bias=0 head_dim=128 hidden_size=4096 intermediate_size=22016 "
         "max_position_embeddings=32768 num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=32 "
         "tie_word_embeddings=0 vocab_size=151936"},
        {"qwen3_5_moe_text",
         "attention_bias=0 head_dim=256 hidden_size=2048 linear_conv_kernel_dim=4 "
         "max_position_embeddings=32768 moe_intermediate_size=512 num_attention_heads=16 num_experts=256 "
         "num_experts_per_tok=8 num_hidden_layers=40 num_key_value_heads=2 "
         "shared_expert_intermediate_size=512 tie_word_embeddings=0 vocab_size=248320"},
        {"qwen3_5_moe_vision",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"qwen3_5_text",
         "attention_bias=0 head_dim=256 hidden_size=4096 intermediate_size=12288 linear_conv_kernel_dim=4 "
         "max_position_embeddings=32768 num_attention_heads=16 num_hidden_layers=32 num_key_value_heads=4 "
         "tie_word_embeddings=0 vocab_size=248320"},
        {"qwen3_5_vision",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"qwen3_asr_encoder",
         "d_model=1024 encoder_attention_heads=16 encoder_ffn_dim=4096 encoder_layers=24 "
         "max_position_embeddings=13 num_mel_bins=128"},
        {"qwen3_moe",
         "attention_bias=0 decoder_sparse_step=1 hidden_size=2048 intermediate_size=6144 "
         "max_position_embeddings=32768 moe_intermediate_size=768 num_attention_heads=32 "
         "num_experts_per_tok=8 num_hidden_layers=24 num_key_value_heads=4 num_local_experts=128 "
         "tie_word_embeddings=0 vocab_size=151936"},
        {"qwen3_next",
         "attention_bias=0 decoder_sparse_step=1 head_dim=256 hidden_size=2048 intermediate_size=5632 "
         "linear_conv_kernel_dim=4 max_position_embeddings=32768 moe_intermediate_size=512 "
         "num_attention_heads=16 num_experts=512 num_experts_per_tok=10 num_hidden_layers=48 "
         "num_key_value_heads=2 shared_expert_intermediate_size=512 tie_word_embeddings=0 vocab_size=151936"},
        {"qwen3_omni_moe_audio_encoder",
         "d_model=1280 encoder_attention_heads=20 encoder_ffn_dim=5120 encoder_layers=32 "
         "max_source_positions=1500 num_mel_bins=128"},
        {"qwen3_omni_moe_talker_code_predictor",
         "attention_bias=0 head_dim=128 hidden_size=1024 intermediate_size=3072 "
         "max_position_embeddings=32768 num_attention_heads=16 num_hidden_layers=5 num_key_value_heads=8 "
         "tie_word_embeddings=0 vocab_size=2048"},
        {"qwen3_omni_moe_talker_text",
         "attention_bias=0 decoder_sparse_step=1 hidden_size=1024 intermediate_size=2048 "
         "max_position_embeddings=32768 moe_intermediate_size=384 num_attention_heads=16 "
         "num_experts_per_tok=8 num_hidden_layers=20 num_key_value_heads=2 num_local_experts=128 "
         "tie_word_embeddings=0 vocab_size=3072"},
        {"qwen3_omni_moe_text",
         "attention_bias=0 decoder_sparse_step=1 hidden_size=2048 intermediate_size=18944 "
         "max_position_embeddings=32768 moe_intermediate_size=768 num_attention_heads=28 num_experts=128 "
         "num_experts_per_tok=8 num_hidden_layers=28 num_key_value_heads=4 vocab_size=3584"},
        {"qwen3_omni_moe_vision_encoder",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"qwen3_vl_moe_text",
         "attention_bias=0 decoder_sparse_step=1 hidden_size=2048 intermediate_size=5632 "
         "max_position_embeddings=128000 moe_intermediate_size=1408 num_attention_heads=16 "
         "num_experts_per_tok=4 num_hidden_layers=24 num_key_value_heads=16 num_local_experts=60 "
         "tie_word_embeddings=1 vocab_size=151936"},
        {"qwen3_vl_moe_vision",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"qwen3_vl_text",
         "attention_bias=0 head_dim=128 hidden_size=4096 intermediate_size=22016 "
         "max_position_embeddings=128000 num_attention_heads=32 num_hidden_layers=32 num_key_value_heads=32 "
         "vocab_size=151936"},
        {"qwen3_vl_vision",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"qwen4_exp_text",
         "attention_bias=0 head_dim=256 hidden_size=2048 linear_conv_kernel_dim=4 "
         "max_position_embeddings=32768 moe_intermediate_size=512 num_attention_heads=16 num_experts=512 "
         "num_experts_per_tok=10 num_hidden_layers=40 num_key_value_heads=2 "
         "shared_expert_intermediate_size=512 tie_word_embeddings=0 vocab_size=248320"},
        {"qwen4_exp_vision",
         "depth=27 hidden_size=1152 in_channels=3 intermediate_size=4304 num_heads=16 patch_size=16 "
         "temporal_patch_size=2"},
        {"radio",
         "hidden_size=1280 image_size=224 num_attention_heads=16 num_channels=3 num_hidden_layers=32 "
         "patch_size=16 qkv_bias=1 use_swiglu_ffn=0"},
        {"recurrent_gemma",
         "attention_bias=0 conv1d_width=4 hidden_size=2560 intermediate_size=7680 num_attention_heads=10 "
         "num_hidden_layers=26 tie_word_embeddings=1 vocab_size=256000"},
        {"reformer",
         "attention_head_size=64 hidden_size=256 max_position_embeddings=4096 num_attention_heads=12 "
         "num_hidden_layers=6 tie_word_embeddings=0 vocab_size=320"},
        {"rembert",
         "hidden_size=1152 input_embedding_size=256 intermediate_size=4608 max_position_embeddings=512 "
         "num_attention_heads=18 num_hidden_layers=32 output_embedding_size=1664 tie_word_embeddings=0 "
         "type_vocab_size=2 vocab_size=250300"},
        {"roberta",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=50265"},
        {"roberta-prelayernorm",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=50265"},
        {"roc_bert",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"roformer",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=1536 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=50000"},
        {"rwkv",
         "context_length=1024 hidden_size=4096 num_hidden_layers=32 tie_word_embeddings=0 vocab_size=50277"},
        {"sapiens2",
         "hidden_size=1024 image_size=224 intermediate_size=4096 mlp_bias=1 num_attention_heads=16 "
         "num_channels=3 num_hidden_layers=24 num_register_tokens=8 patch_size=16 use_qk_norm=1"},
        {"seamless_m4t",
         "decoder_attention_heads=16 decoder_ffn_dim=8192 decoder_layers=24 encoder_attention_heads=16 "
         "encoder_ffn_dim=8192 encoder_layers=24 hidden_size=1024 max_position_embeddings=1024 "
         "max_source_positions=4096 num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 "
         "tie_word_embeddings=1 vocab_size=256102"},
        {"seamless_m4t_v2",
         "decoder_attention_heads=16 decoder_ffn_dim=8192 decoder_layers=24 encoder_attention_heads=16 "
         "encoder_ffn_dim=8192 encoder_layers=24 hidden_size=1024 max_position_embeddings=4096 "
         "tie_word_embeddings=1 vocab_size=256102"},
        {"seed_oss",
         "attention_bias=1 attention_out_bias=0 head_dim=128 hidden_size=4096 intermediate_size=27648 "
         "max_position_embeddings=524288 mlp_bias=0 num_attention_heads=80 num_hidden_layers=64 "
         "num_key_value_heads=8 tie_word_embeddings=0 vocab_size=155136"},
        {"seggpt",
         "hidden_size=1024 num_attention_heads=16 num_channels=3 num_hidden_layers=24 patch_size=16 "
         "qkv_bias=1"},
        {"sew",
         "conv_bias=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_hidden_layers=12 vocab_size=32"},
        {"sew-d",
         "conv_bias=0 hidden_size=768 intermediate_size=3072 max_position_embeddings=512 "
         "num_attention_heads=12 num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 "
         "num_hidden_layers=12 vocab_size=32"},
        {"siglip2_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=64 num_attention_heads=12 "
         "num_hidden_layers=12 vocab_size=32000"},
        {"siglip2_vision_model",
         "hidden_size=768 intermediate_size=3072 num_attention_heads=12 num_channels=3 num_hidden_layers=12 "
         "num_patches=256 patch_size=16"},
        {"siglip_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=64 num_attention_heads=12 "
         "num_hidden_layers=12 vocab_size=32000"},
        {"siglip_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16"},
        {"smollm3",
         "attention_bias=0 hidden_size=2048 intermediate_size=11008 max_position_embeddings=32768 mlp_bias=0 "
         "num_attention_heads=16 num_hidden_layers=36 num_key_value_heads=4 tie_word_embeddings=1 "
         "vocab_size=128256"},
        {"smolvlm_vision",
         "hidden_size=1152 image_size=224 intermediate_size=3072 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=12 patch_size=32"},
        {"solar_open",
         "attention_bias=0 head_dim=128 hidden_size=4096 max_position_embeddings=131072 "
         "moe_intermediate_size=1280 n_routed_experts=128 n_shared_experts=1 num_attention_heads=64 "
         "num_experts_per_tok=8 num_hidden_layers=48 num_key_value_heads=8 tie_word_embeddings=0 "
         "vocab_size=196608"},
        {"speech_to_text",
         "d_model=256 decoder_attention_heads=4 decoder_ffn_dim=2048 decoder_layers=6 "
         "encoder_attention_heads=4 encoder_ffn_dim=2048 encoder_layers=12 max_source_positions=6000 "
         "max_target_positions=1024 tie_word_embeddings=1 vocab_size=10000"},
        {"speecht5",
         "conv_bias=0 decoder_attention_heads=12 decoder_ffn_dim=3072 decoder_layers=6 "
         "encoder_attention_heads=12 encoder_ffn_dim=3072 encoder_layers=12 hidden_size=768 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_mel_bins=80 tie_word_embeddings=1 "
         "vocab_size=81"},
        {"splinter",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"squeezebert",
         "embedding_size=768 hidden_size=768 intermediate_size=3072 max_position_embeddings=512 "
         "num_attention_heads=12 num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 "
         "vocab_size=30522"},
        {"stablelm",
         "hidden_size=2560 intermediate_size=6912 max_position_embeddings=4096 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=32 qk_layernorm=0 tie_word_embeddings=0 "
         "use_parallel_residual=0 vocab_size=50304"},
        {"starcoder2",
         "hidden_size=3072 intermediate_size=12288 max_position_embeddings=4096 num_attention_heads=24 "
         "num_hidden_layers=30 num_key_value_heads=2 tie_word_embeddings=1 use_bias=1 vocab_size=49152"},
        {"step3p5",
         "attention_bias=0 head_dim=128 hidden_size=4096 intermediate_size=11264 "
         "max_position_embeddings=128000 mlp_bias=0 moe_intermediate_size=1280 n_routed_experts=288 "
         "num_attention_heads=64 num_experts_per_tok=8 num_hidden_layers=45 num_key_value_heads=8 "
         "tie_word_embeddings=0 vocab_size=128815"},
        {"step3p5_vision",
         "hidden_size=1536 image_size=728 max_position_embeddings=2704 num_attention_heads=16 num_channels=3 "
         "num_hidden_layers=47 patch_size=14"},
        {"swiftformer", "image_size=224 mlp_ratio=4 num_channels=3"},
        {"swin",
         "embed_dim=96 hidden_size=768 image_size=224 num_channels=3 num_layers=4 patch_size=4 qkv_bias=1"},
        {"swin2sr", "embed_dim=180 image_size=64 num_channels=3 num_layers=6 patch_size=1 qkv_bias=1"},
        {"swinv2",
         "embed_dim=96 hidden_size=768 image_size=224 num_channels=3 num_layers=4 patch_size=4 qkv_bias=1"},
        {"switch_transformers",
         "d_ff=2048 d_kv=64 d_model=768 decoder_sparse_step=4 num_decoder_layers=12 num_experts=8 "
         "num_heads=12 num_layers=12 relative_attention_num_buckets=32 router_bias=0 tie_word_embeddings=1 "
         "vocab_size=32128"},
        {"t5",
         "d_ff=2048 d_kv=64 d_model=512 num_heads=8 num_layers=6 relative_attention_num_buckets=32 "
         "tie_word_embeddings=1 vocab_size=32128"},
        {"t5_gemma_module",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 max_position_embeddings=8192 "
         "num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 tie_word_embeddings=1 "
         "vocab_size=256000"},
        {"t5gemma2_decoder",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 "
         "max_position_embeddings=131072 num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 "
         "tie_word_embeddings=1 vocab_size=262208"},
        {"t5gemma2_text",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 "
         "max_position_embeddings=131072 num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 "
         "tie_word_embeddings=1 vocab_size=262208"},
        {"table-transformer",
         "d_model=256 decoder_attention_heads=8 decoder_ffn_dim=2048 decoder_layers=6 "
         "encoder_attention_heads=8 encoder_ffn_dim=2048 encoder_layers=6 num_channels=3"},
        {"tapas",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=1024 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 vocab_size=30522"},
        {"time_series_transformer",
         "d_model=64 decoder_attention_heads=2 decoder_ffn_dim=32 decoder_layers=2 encoder_attention_heads=2 "
         "encoder_ffn_dim=32 encoder_layers=2 input_size=1"},
        {"timesfm",
         "context_length=512 head_dim=80 hidden_size=1280 intermediate_size=1280 num_attention_heads=16 "
         "num_hidden_layers=50 patch_length=32"},
        {"timesfm2_5",
         "attention_bias=0 context_length=16384 head_dim=80 hidden_size=1280 intermediate_size=1280 "
         "max_position_embeddings=16384 num_attention_heads=16 num_hidden_layers=20 num_key_value_heads=16 "
         "patch_length=32 use_bias=0"},
        {"timesformer",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_frames=8 num_hidden_layers=12 patch_size=16 qkv_bias=1"},
        {"tipsv2_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=64 num_attention_heads=12 "
         "num_hidden_layers=12 vocab_size=32000"},
        {"tipsv2_vision_model",
         "hidden_size=768 image_size=448 mlp_ratio=4 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 num_register_tokens=1 patch_size=14 qkv_bias=1 use_swiglu_ffn=0"},
        {"trocr",
         "d_model=1024 decoder_attention_heads=16 decoder_ffn_dim=4096 decoder_layers=12 "
         "max_position_embeddings=512 tie_word_embeddings=1 vocab_size=50265"},
        {"tvp",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_frames=48 num_hidden_layers=12 type_vocab_size=2 vocab_size=30522"},
        {"udop",
         "d_ff=4096 d_kv=64 d_model=1024 image_size=224 num_channels=3 num_heads=16 num_layers=24 "
         "patch_size=16 relative_attention_num_buckets=32 tie_word_embeddings=1 vocab_size=33201"},
        {"umt5",
         "d_ff=1024 d_kv=64 d_model=512 num_heads=6 num_layers=8 relative_attention_num_buckets=32 "
         "tie_word_embeddings=1 vocab_size=250112"},
        {"unispeech",
         "conv_bias=0 do_stable_layer_norm=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_hidden_layers=12 vocab_size=32"},
        {"unispeech-sat",
         "conv_bias=0 do_stable_layer_norm=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_hidden_layers=12 vocab_size=32"},
        {"vaultgemma",
         "attention_bias=0 head_dim=256 hidden_size=2304 intermediate_size=9216 max_position_embeddings=8192 "
         "num_attention_heads=8 num_hidden_layers=26 num_key_value_heads=4 tie_word_embeddings=1 "
         "vocab_size=256000"},
        {"video_llama_3_vision",
         "hidden_size=768 intermediate_size=3072 num_attention_heads=12 num_channels=3 num_hidden_layers=12 "
         "patch_size=16"},
        {"videomae",
         "decoder_intermediate_size=1536 decoder_num_hidden_layers=4 hidden_size=768 image_size=224 "
         "intermediate_size=3072 num_attention_heads=12 num_channels=3 num_frames=16 num_hidden_layers=12 "
         "patch_size=16 qkv_bias=1 tubelet_size=2"},
        {"videomt",
         "hidden_size=1024 image_size=640 mlp_ratio=4 num_attention_heads=16 num_blocks=4 num_channels=3 "
         "num_hidden_layers=24 num_register_tokens=4 patch_size=16 use_swiglu_ffn=0"},
        {"videoprism_text_model",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=64 num_attention_heads=12 "
         "num_hidden_layers=12 qkv_bias=1 vocab_size=32000"},
        {"videoprism_vision_model",
         "hidden_size=768 image_size=288 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_frames=16 qkv_bias=1"},
        {"vilt",
         "hidden_size=768 image_size=384 intermediate_size=3072 max_position_embeddings=40 "
         "num_attention_heads=12 num_channels=3 num_hidden_layers=12 patch_size=32 qkv_bias=1 "
         "tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"visual_bert",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"vit",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 qkv_bias=1"},
        {"vit_mae",
         "decoder_intermediate_size=2048 decoder_num_hidden_layers=8 hidden_size=768 image_size=224 "
         "intermediate_size=3072 num_attention_heads=12 num_channels=3 num_hidden_layers=12 patch_size=16 "
         "qkv_bias=1"},
        {"vit_msn",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 qkv_bias=1"},
        {"vitdet",
         "hidden_size=768 image_size=224 mlp_ratio=4 num_attention_heads=12 num_channels=3 "
         "num_hidden_layers=12 patch_size=16 qkv_bias=1"},
        {"vitpose_backbone",
         "hidden_size=768 mlp_ratio=4 num_attention_heads=12 num_channels=3 num_experts=1 "
         "num_hidden_layers=12 qkv_bias=1"},
        {"vits",
         "ffn_dim=768 hidden_size=192 num_attention_heads=2 num_hidden_layers=6 use_bias=1 vocab_size=38"},
        {"vivit",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_frames=32 num_hidden_layers=12 qkv_bias=1"},
        {"vjepa2",
         "hidden_size=1024 in_chans=3 num_attention_heads=16 num_hidden_layers=24 patch_size=16 qkv_bias=1 "
         "tubelet_size=2"},
        {"voxtral_encoder",
         "hidden_size=1280 intermediate_size=5120 max_source_positions=1500 num_attention_heads=20 "
         "num_hidden_layers=32 num_mel_bins=128 vocab_size=51866"},
        {"voxtral_realtime_encoder",
         "head_dim=64 hidden_size=1280 intermediate_size=5120 max_position_embeddings=1500 "
         "num_attention_heads=32 num_hidden_layers=32 num_mel_bins=128 vocab_size=131072"},
        {"voxtral_realtime_text",
         "hidden_size=4096 intermediate_size=14336 max_position_embeddings=131072 num_attention_heads=32 "
         "num_hidden_layers=32 num_key_value_heads=8 vocab_size=32000"},
        {"wav2vec2",
         "conv_bias=0 do_stable_layer_norm=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_hidden_layers=12 vocab_size=32"},
        {"wav2vec2-bert",
         "hidden_size=1024 intermediate_size=4096 max_source_positions=5000 num_attention_heads=16 "
         "num_hidden_layers=24"},
        {"wav2vec2-conformer",
         "conv_bias=0 hidden_size=768 intermediate_size=3072 max_source_positions=5000 "
         "num_attention_heads=12 num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 "
         "num_hidden_layers=12"},
        {"wavlm",
         "conv_bias=0 do_stable_layer_norm=0 hidden_size=768 intermediate_size=3072 num_attention_heads=12 "
         "num_conv_pos_embedding_groups=16 num_conv_pos_embeddings=128 num_hidden_layers=12 vocab_size=32"},
        {"whisper",
         "d_model=384 decoder_attention_heads=6 decoder_ffn_dim=1536 decoder_layers=4 "
         "encoder_attention_heads=6 encoder_ffn_dim=1536 encoder_layers=4 max_source_positions=1500 "
         "max_target_positions=448 num_mel_bins=80 tie_word_embeddings=1 vocab_size=51865"},
        {"xclip_text_model",
         "hidden_size=512 intermediate_size=2048 max_position_embeddings=77 num_attention_heads=8 "
         "num_hidden_layers=12 vocab_size=49408"},
        {"xclip_vision_model",
         "hidden_size=768 image_size=224 intermediate_size=3072 num_attention_heads=12 num_channels=3 "
         "num_frames=8 num_hidden_layers=12 patch_size=32"},
        {"xglm",
         "attention_heads=16 d_model=1024 ffn_dim=4096 max_position_embeddings=2048 num_layers=24 "
         "tie_word_embeddings=1 vocab_size=256008"},
        {"xlm",
         "emb_dim=2048 max_position_embeddings=512 n_heads=16 n_layers=12 tie_word_embeddings=1 "
         "vocab_size=30145"},
        {"xlm-roberta",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"xlm-roberta-xl",
         "hidden_size=2560 intermediate_size=10240 max_position_embeddings=514 num_attention_heads=32 "
         "num_hidden_layers=36 tie_word_embeddings=1 type_vocab_size=1 vocab_size=250880"},
        {"xlnet", "d_inner=4096 d_model=1024 n_head=16 n_layer=24 tie_word_embeddings=1 vocab_size=32000"},
        {"xlstm",
         "hidden_size=4096 num_heads=8 num_hidden_layers=32 tie_word_embeddings=0 use_bias=0 "
         "vocab_size=50304"},
        {"xmod",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=512 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=2 vocab_size=30522"},
        {"yolos",
         "hidden_size=768 intermediate_size=3072 num_attention_heads=12 num_channels=3 num_hidden_layers=12 "
         "patch_size=16 qkv_bias=1"},
        {"yoso",
         "hidden_size=768 intermediate_size=3072 max_position_embeddings=4096 num_attention_heads=12 "
         "num_hidden_layers=12 tie_word_embeddings=1 type_vocab_size=1 vocab_size=50265"},
        {"youtu",
         "attention_bias=0 hidden_size=2048 intermediate_size=6144 kv_lora_rank=512 "
         "max_position_embeddings=131072 num_attention_heads=16 num_hidden_layers=32 num_key_value_heads=16 "
         "q_lora_rank=1536 qk_nope_head_dim=128 qk_rope_head_dim=64 tie_word_embeddings=1 v_head_dim=128 "
         "vocab_size=128256"},
        {"zamba",
         "attn_layer_offset=4 attn_layer_period=6 hidden_size=3712 intermediate_size=14848 mamba_d_conv=4 "
         "mamba_d_state=16 mamba_expand=2 max_position_embeddings=4096 num_attention_heads=16 "
         "num_hidden_layers=76 num_key_value_heads=16 tie_word_embeddings=1 vocab_size=32000"},
        {"zamba2",
         "add_bias_linear=0 hidden_size=2560 mamba_d_conv=4 mamba_d_state=64 mamba_expand=2 "
         "max_position_embeddings=4096 num_attention_heads=32 num_hidden_layers=54 tie_word_embeddings=1 "
         "use_conv_bias=1 vocab_size=32000"},
        {"zaya",
         "attention_bias=0 head_dim=128 hidden_size=2048 lm_head_bias=0 max_position_embeddings=131072 "
         "moe_intermediate_size=2048 num_attention_heads=8 num_experts=16 num_experts_per_tok=1 "
         "num_hidden_layers=40 num_key_value_heads=2 tie_word_embeddings=1 vocab_size=262272"},
    };
    return table;
}

}  // namespace plimsoll::formats
