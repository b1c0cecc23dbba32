#!/usr/bin/env python3
"""tools/record_model_fixtures.py [FOLDER]: what plain PyTorch computes for four small networks.

Writes FOLDER/{gpt2,bert,vit,mixer}.json (FOLDER defaults to $OUT, else tests/fixtures/model): the spec, the logits, the
loss and the norm of every parameter's gradient, in double precision. Weights and inputs follow formulas that
tests/model/pytorch_test.cpp repeats; the networks are written here from torch.nn alone, with our parameter names.
"""
import json
import math
import os
import pathlib
import sys

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def waves(count, step, phase):
    return torch.sin(step * torch.arange(count, dtype=torch.float64) + phase)


class Weights(dict):
    """Parameters by name; entry k of a tensor is 0.3 sin(0.7 k + phase of the name), norms are that over 3 plus 1."""

    def make(self, name, *shape):
        phase = (sum(name.encode()) % 97) * 0.1
        values = 0.3 * waves(math.prod(shape), 0.7, phase).reshape(shape)
        if name.endswith("norm.weight"):
            values = 1 + values / 3
        self[name] = values.requires_grad_(True)
        return self[name]

    def linear(self, x, name, inputs, outputs):
        return F.linear(x, self.make(name + ".weight", outputs, inputs), self.make(name + ".bias", outputs))

    def norm(self, x, name):
        size = x.shape[-1]
        return F.layer_norm(x, (size,), self.make(name + ".weight", size), self.make(name + ".bias", size))


def attention(w, x, name, heads, causal, hidden):
    """Multi-head attention by torch's own module, fed with our three matrices."""
    width = x.shape[-1]
    module = torch.nn.MultiheadAttention(width, heads, batch_first=True)
    parts = [(w.make(f"{name}.{part}.weight", width, width), w.make(f"{name}.{part}.bias", width))
             for part in ("query", "key", "value", "output")]
    mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1) if causal else None
    state = {"in_proj_weight": torch.cat([p[0] for p in parts[:3]]), "in_proj_bias": torch.cat([p[1] for p in parts[:3]]),
             "out_proj.weight": parts[3][0], "out_proj.bias": parts[3][1]}
    return torch.func.functional_call(module, state, (x, x, x),
                                      {"attn_mask": mask, "key_padding_mask": hidden, "need_weights": False})[0]


def feed_forward(w, x, name):
    width = x.shape[-1]
    return w.linear(F.gelu(w.linear(x, name + ".up", width, 4 * width)), name + ".down", 4 * width, width)


def pre_norm_layer(w, x, name, heads, causal):
    x = x + attention(w, w.norm(x, name + "attention_norm"), name + "attention", heads, causal, None)
    return x + feed_forward(w, w.norm(x, name + "ffn_norm"), name + "ffn")


def post_norm_layer(w, x, name, heads, hidden):
    x = w.norm(x + attention(w, x, name + "attention", heads, False, hidden), name + "attention_norm")
    return w.norm(x + feed_forward(w, x, name + "ffn"), name + "ffn_norm")


def tokens(batch, length, vocab):
    return torch.tensor([[(7 * b + 3 * t + t * t) % vocab for t in range(length)] for b in range(batch)])


def next_tokens(batch, length, vocab):
    return torch.tensor([[(5 * b + 2 * t + 1) % vocab for t in range(length)] for b in range(batch)])


def image(batch, channels, size):
    return waves(batch * channels * size * size, 0.11, 0.0).reshape(batch, channels, size, size)


def gpt2(w):
    width, heads, vocab, batch, length = 16, 4, 23, 3, 9
    ids = tokens(batch, length, vocab)
    table = w.make("tokens.weight", vocab, width)
    x = F.embedding(ids, table) + w.make("positions.weight", 12, width)[:length]
    for layer in range(2):
        x = pre_norm_layer(w, x, f"layers.{layer}.", heads, True)
    return F.linear(w.norm(x, "final_norm"), table), next_tokens(batch, length, vocab)


def bert(w):
    width, heads, vocab, batch, length = 16, 4, 23, 3, 9
    ids = tokens(batch, length, vocab)
    segments = (torch.arange(length) >= length // 2).long().expand(batch, length)
    hidden = torch.zeros(batch, length, dtype=torch.bool)
    hidden[1, -2:] = True
    x = (F.embedding(ids, w.make("tokens.weight", vocab, width)) + F.embedding(segments, w.make("segments.weight", 2, width))
         + w.make("positions.weight", 12, width)[:length])
    x = w.norm(x, "embedding_norm")
    for layer in range(2):
        x = post_norm_layer(w, x, f"layers.{layer}.", heads, hidden)
    pooled = torch.tanh(w.linear(x[:, 0], "pooler", width, width))
    return w.linear(pooled, "head", width, 3), torch.arange(batch) % 3


def patches(w, pixels, width, patch):
    """The patch projection as the convolution it is."""
    channels = pixels.shape[1]
    kernel = w.make("patches.weight", width, channels * patch * patch).reshape(width, channels, patch, patch)
    return F.conv2d(pixels, kernel, w.make("patches.bias", width), stride=patch).flatten(2).transpose(1, 2)


def vit(w):
    width, heads, batch = 16, 4, 3
    x = patches(w, image(batch, 3, 8), width, 4)
    first = w.make("extra_tokens", 1, width).expand(batch, 1, width)
    x = torch.cat([first, x], 1) + w.make("positions.weight", 5, width)
    for layer in range(2):
        x = pre_norm_layer(w, x, f"layers.{layer}.", heads, False)
    return w.linear(w.norm(x, "final_norm")[:, 0], "head", width, 5), torch.arange(batch) % 5


def mixer(w):
    channels, batch, count = 12, 3, 4
    x = patches(w, image(batch, 3, 8), channels, 4)
    for block in range(2):
        name = f"blocks.{block}."
        y = w.norm(x, name + "token_norm").transpose(1, 2)
        y = w.linear(F.gelu(w.linear(y, name + "tokens.up", count, 2 * count)), name + "tokens.down", 2 * count, count)
        x = x + y.transpose(1, 2)
        y = w.norm(x, name + "channel_norm")
        x = x + w.linear(F.gelu(w.linear(y, name + "channels.up", channels, 2 * channels)), name + "channels.down",
                         2 * channels, channels)
    return w.linear(w.norm(x, "final_norm").mean(1), "head", channels, 5), torch.arange(batch) % 5


NETWORKS = {
    "gpt2": (gpt2, "transformer:depth=2,width=16,heads=4,vocab=23,context=12"),
    "bert": (bert, "transformer:depth=2,width=16,heads=4,vocab=23,context=12,stack=encoder,norm_order=post,"
                   "embedding_norm=on,segments=2,pooler=on,classes=3"),
    "vit": (vit, "transformer:depth=2,width=16,heads=4,patch=4,image=8,image_channels=3,classes=5"),
    "mixer": (mixer, "mixer:depth=2,channels=12,patch=4,image=8,image_channels=3,classes=5,expansion=2"),
}


def record(network, spec):
    weights = Weights()
    logits, targets = network(weights)
    loss = F.cross_entropy(logits.flatten(0, -2), targets.flatten())
    loss.backward()
    return {"torch": torch.__version__, "spec": spec, "loss": loss.item(), "logits": logits.flatten().tolist(),
            "gradient_norms": {name: value.grad.norm().item() for name, value in weights.items()}}


def main():
    beside = pathlib.Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "model"
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("OUT", beside))
    folder.mkdir(parents=True, exist_ok=True)
    for name, (network, spec) in NETWORKS.items():
        (folder / f"{name}.json").write_text(json.dumps(record(network, spec), indent=1) + "\n")
        print(folder / f"{name}.json")


if __name__ == "__main__":
    main()
