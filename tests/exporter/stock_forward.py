"""The forward passes of the stock Hugging Face classes that `plimsoll export` writes, a second time and in plain Python
numbers: config.json and model.safetensors in, logits of one example out. Written from what the classes are documented to
compute, so that an export can be checked where the library is not; tools/check_hf_export asks the library itself."""
import array
import json
import math
import struct

ACTIVATIONS = {
    "gelu": lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))),
    "relu": lambda x: max(x, 0.0),
    "silu": lambda x: x / (1 + math.exp(-x)),
}


def read_safetensors(path):
    """Name to (shape, flat list of numbers)."""
    data = path.read_bytes()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:begin]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            numbers = array.array({"F32": "f", "F64": "d", "I64": "q"}[entry["dtype"]], data[begin + first : begin + last])
            tensors[name] = (entry["shape"], list(numbers))
    return tensors


def linear(xs, rows, bias=None):
    out = [[sum(map(float.__mul__, x, row)) for row in rows] for x in xs]
    return out if bias is None else [[u + b for u, b in zip(x, bias)] for x in out]


def layer_norm(xs, weight, bias, eps):
    out = []
    for x in xs:
        mean = sum(x) / len(x)
        scale = 1 / math.sqrt(sum((u - mean) ** 2 for u in x) / len(x) + eps)
        out.append([(u - mean) * scale * w + b for u, w, b in zip(x, weight, bias)])
    return out


def rms_norm(xs, weight, eps):
    scales = [1 / math.sqrt(sum(u * u for u in x) / len(x) + eps) for x in xs]
    return [[u * scale * w for u, w in zip(x, weight)] for x, scale in zip(xs, scales)]


def apply(name, xs):
    return [[ACTIVATIONS[name](u) for u in x] for x in xs]


def add(*summands):
    return [[sum(parts) for parts in zip(*rows)] for rows in zip(*summands)]


def rotated(x, position, base):
    half, y = len(x) // 2, list(x)
    for k in range(half):
        angle = position * base ** (-2 * k / len(x))
        cos, sin = math.cos(angle), math.sin(angle)
        y[k], y[k + half] = x[k] * cos - x[k + half] * sin, x[k + half] * cos + x[k] * sin
    return y


def attention(queries, keys, values, heads, causal=False, present=None, groups=None, rope=None):
    """Softmax attention of `heads` heads that share `groups` keys and values; `present` says what may be read."""
    groups, dim = groups or heads, len(queries[0]) // heads
    out = [[] for _ in queries]
    for head in range(heads):
        group = head * groups // heads
        q = [row[head * dim : (head + 1) * dim] for row in queries]
        k = [row[group * dim : (group + 1) * dim] for row in keys]
        v = [row[group * dim : (group + 1) * dim] for row in values]
        if rope:
            q = [rotated(x, i, rope) for i, x in enumerate(q)]
            k = [rotated(x, i, rope) for i, x in enumerate(k)]
        for i, row in enumerate(out):
            seen = [j for j in range(i + 1 if causal else len(k)) if present is None or present[j]]
            scores = [sum(map(float.__mul__, q[i], k[j])) / math.sqrt(dim) for j in seen]
            shares = [math.exp(score - max(scores)) for score in scores]
            row += [sum(s * v[j][d] for s, j in zip(shares, seen)) / sum(shares) for d in range(dim)]
    return out


class Stock:
    """One exported folder; every tensor that is read is noted, so that none is left over."""

    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text())
        self.tensors = read_safetensors(folder / "model.safetensors")
        self.name = self.config["architectures"][0]
        self.read = set()

    def vector(self, name):
        self.read.add(name)
        return self.tensors[name][1]

    def matrix(self, name):
        flat, cols = self.vector(name), self.tensors[name][0][-1]
        return [flat[k : k + cols] for k in range(0, len(flat), cols)]

    def linear(self, name, xs, bias=True, conv1d=False):
        rows = self.matrix(name + ".weight")
        return linear(xs, list(zip(*rows)) if conv1d else rows, self.vector(name + ".bias") if bias else None)

    def norm(self, name, xs, eps):
        return layer_norm(xs, self.vector(name + ".weight"), self.vector(name + ".bias"), eps)

    def head(self, xs, table):
        return linear(xs, table if self.config["tie_word_embeddings"] else self.matrix("lm_head.weight"))

    def logits(self, example):
        passes = {"gpt2": self.gpt2, "llama": self.llama, "qwen3": self.llama, "opt": self.opt, "bert": self.bert, "vit": self.vit}
        return passes[self.config["model_type"]](example)

    def gpt2(self, example):
        c, p = self.config, "transformer."
        table, eps, width = self.matrix(p + "wte.weight"), c["layer_norm_epsilon"], c["n_embd"]
        x = add([table[t] for t in example["tokens"]], self.matrix(p + "wpe.weight"))
        for layer in range(c["n_layer"]):
            p = f"transformer.h.{layer}."
            all_three = self.linear(p + "attn.c_attn", self.norm(p + "ln_1", x, eps), conv1d=True)
            parts = [[row[k * width : (k + 1) * width] for row in all_three] for k in range(3)]
            x = add(x, self.linear(p + "attn.c_proj", attention(*parts, c["n_head"], causal=True), conv1d=True))
            hidden = self.linear(p + "mlp.c_fc", self.norm(p + "ln_2", x, eps), conv1d=True)
            x = add(x, self.linear(p + "mlp.c_proj", apply(c["activation_function"], hidden), conv1d=True))
        return self.head(self.norm("transformer.ln_f", x, eps), table)

    def head_norm(self, name, xs, eps):
        """An RMS norm of each head by itself: the weight has the size of a head."""
        weight = self.vector(name + ".weight")
        heads = [[x[k : k + len(weight)] for k in range(0, len(x), len(weight))] for x in xs]
        return [[u for head in rms_norm(x, weight, eps) for u in head] for x in heads]

    def llama(self, example):
        """Llama, and Qwen 3: no biases in the feed-forward layer, norms of queries and keys before they are turned."""
        c, eps = self.config, self.config["rms_norm_eps"]
        qwen3, mlp_bias = c["model_type"] == "qwen3", c.get("mlp_bias", False)
        table = self.matrix("model.embed_tokens.weight")
        x = [table[t] for t in example["tokens"]]
        for layer in range(c["num_hidden_layers"]):
            p = f"model.layers.{layer}."
            y = rms_norm(x, self.vector(p + "input_layernorm.weight"), eps)
            parts = [self.linear(p + f"self_attn.{k}_proj", y, c["attention_bias"]) for k in "qkv"]
            if qwen3:
                parts[:2] = [self.head_norm(p + f"self_attn.{k}_norm", part, eps) for k, part in zip("qk", parts)]
            y = attention(*parts, c["num_attention_heads"], causal=True, groups=c["num_key_value_heads"], rope=c["rope_theta"])
            x = add(x, self.linear(p + "self_attn.o_proj", y, c["attention_bias"]))
            y = rms_norm(x, self.vector(p + "post_attention_layernorm.weight"), eps)
            gate = apply(c["hidden_act"], self.linear(p + "mlp.gate_proj", y, mlp_bias))
            up = self.linear(p + "mlp.up_proj", y, mlp_bias)
            gated = [[g * u for g, u in zip(*rows)] for rows in zip(gate, up)]
            x = add(x, self.linear(p + "mlp.down_proj", gated, mlp_bias))
        return self.head(rms_norm(x, self.vector("model.norm.weight"), eps), table)

    def opt(self, example):
        c, d, eps = self.config, "model.decoder.", 1e-5
        table, bias, pre = self.matrix(d + "embed_tokens.weight"), c["enable_bias"], c["do_layer_norm_before"]
        factorised = c["word_embed_proj_dim"] != c["hidden_size"]
        x = [table[t] for t in example["tokens"]]
        if factorised:
            x = self.linear(d + "project_in", x, bias=False)
        x = add(x, self.matrix(d + "embed_positions.weight")[2:])
        for layer in range(c["num_hidden_layers"]):
            p = f"{d}layers.{layer}."
            y = self.norm(p + "self_attn_layer_norm", x, eps) if pre else x
            parts = [self.linear(p + f"self_attn.{k}_proj", y, bias) for k in "qkv"]
            x = add(x, self.linear(p + "self_attn.out_proj", attention(*parts, c["num_attention_heads"], causal=True), bias))
            x = x if pre else self.norm(p + "self_attn_layer_norm", x, eps)
            y = self.norm(p + "final_layer_norm", x, eps) if pre else x
            x = add(x, self.linear(p + "fc2", apply(c["activation_function"], self.linear(p + "fc1", y, bias)), bias))
            x = x if pre else self.norm(p + "final_layer_norm", x, eps)
        x = self.norm(d + "final_layer_norm", x, eps) if pre else x
        return self.head(self.linear(d + "project_out", x, bias=False) if factorised else x, table)

    def encoder_layer(self, x, names, present=None):
        """Queries, keys, values, output, and the feed-forward layer, by name; norms are the caller's."""
        parts = [self.linear(names + k, x) for k in ("query", "key", "value")]
        return attention(*parts, self.config["num_attention_heads"], present=present)

    def bert(self, example):
        c, e, eps = self.config, "bert.embeddings.", self.config["layer_norm_eps"]
        table, kinds = self.matrix(e + "word_embeddings.weight"), self.matrix(e + "token_type_embeddings.weight")
        words, places = [table[t] for t in example["tokens"]], self.matrix(e + "position_embeddings.weight")
        x = self.norm(e + "LayerNorm", add(words, places, [kinds[s] for s in example["segments"]]), eps)
        for layer in range(c["num_hidden_layers"]):
            p = f"bert.encoder.layer.{layer}."
            y = self.encoder_layer(x, p + "attention.self.", example["attention_mask"])
            x = self.norm(p + "attention.output.LayerNorm", add(x, self.linear(p + "attention.output.dense", y)), eps)
            y = self.linear(p + "output.dense", apply(c["hidden_act"], self.linear(p + "intermediate.dense", x)))
            x = self.norm(p + "output.LayerNorm", add(x, y), eps)
        if self.name == "BertForMaskedLM":
            y = apply(c["hidden_act"], self.linear("cls.predictions.transform.dense", x))
            return linear(self.norm("cls.predictions.transform.LayerNorm", y, eps), table, self.vector("cls.predictions.bias"))
        pooled = [[math.tanh(u) for u in self.linear("bert.pooler.dense", x[:1])[0]]]
        return self.linear("classifier", pooled)

    def patches(self, pixels):
        """The image (channels, side, side), flat, as rows in the order of a convolution's kernel."""
        side, patch, channels = self.config["image_size"], self.config["patch_size"], self.config["num_channels"]
        places = [(ch, i, j) for ch in range(channels) for i in range(patch) for j in range(patch)]
        corners = [(r, q) for r in range(0, side, patch) for q in range(0, side, patch)]
        return [[pixels[(ch * side + r + i) * side + q + j] for ch, i, j in places] for r, q in corners]

    def vit(self, example):
        c, e, eps, width = self.config, "vit.embeddings.", self.config["layer_norm_eps"], self.config["hidden_size"]
        kernel, rows = self.vector(e + "patch_embeddings.projection.weight"), self.patches(example["pixels"])
        kernel = [kernel[k : k + len(rows[0])] for k in range(0, len(kernel), len(rows[0]))]
        x = [self.vector(e + "cls_token")] + linear(rows, kernel, self.vector(e + "patch_embeddings.projection.bias"))
        places = self.vector(e + "position_embeddings")
        x = add(x, [places[k : k + width] for k in range(0, len(places), width)])
        for layer in range(c["num_hidden_layers"]):
            p = f"vit.encoder.layer.{layer}."
            y = self.encoder_layer(self.norm(p + "layernorm_before", x, eps), p + "attention.attention.")
            x = add(x, self.linear(p + "attention.output.dense", y))
            y = self.linear(p + "intermediate.dense", self.norm(p + "layernorm_after", x, eps))
            x = add(x, self.linear(p + "output.dense", apply(c["hidden_act"], y)))
        return self.linear("classifier", self.norm("vit.layernorm", x, eps)[:1])
