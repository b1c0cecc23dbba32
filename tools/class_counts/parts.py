"""Names: the part of a model that a tensor belongs to, and keys that no class makes tensors of."""
import re

PARTS = (  # the first that matches a tensor's name
    ("vision", r"(^|[._])(vision|visual|image_encoder|pixel|vit|vqmodel|vqgan)"),
    ("audio", r"(^|[._])(audio|speech|waveform|codec|mimi|conformer)"),
    ("norms", r"norm|(^|\.)ln_|layer_scale|(^|\.)ln\d?\."),
    ("positions", r"position|wpe|pos_emb|rel_pos|relative_attention_bias"),
    ("embedding", r"embed|wte|token_type|word_emb|shared\.weight|patch"),
    ("head", r"lm_head|classifier|(^|\.)head\.|score\.|embed_out|pooler|cls\."),
    ("state space", r"mamba|ssm|mixer\.(in_proj|conv1d|x_proj|dt_|A_log|D$|out_proj)|linear_attn|A_log|conv1d"),
    ("attention", r"attn|attention|q_proj|k_proj|v_proj|o_proj|query|key_value|SelfAttention|EncDecAttention"),
    ("feed-forward", r"mlp|ffn|fc\d|fc_|feed_forward|experts|moe|intermediate|output\.dense|DenseReluDense|gate_proj|up_proj|down_proj|linear\d"),
)


def part_of(pattern):
    return next((name for name, words in PARTS if re.search(words, pattern)), "other")


IGNORED = re.compile(r"(^|\.)(.*_token_id|.*_token_ids|.*_token_index|initializer_range|initializer_factor|.*dropout.*|.*drop_rate|layerdrop|.*eps|.*_act|"
                     r"activation.*|.*_activation|rope_.*|.*rope_theta|init_std|.*_loss.*|.*coef.*|use_cache|output_.*|pretraining_tp|"
                     r"quantization_config|summary_.*|.*temperature|seed|sampling_rate|attn_implementation|.*_init.*|return_.*|"
                     r"mask_.*_prob|mask_.*_length|mask_.*_min_masks|ctc_.*|scale_embedding|layer_types|num_return.*|is_decoder)$")
