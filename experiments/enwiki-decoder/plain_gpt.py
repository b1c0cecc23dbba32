"""plain_gpt.py FILE SEED: the peer of run.toml, a GPT as one writes it in PyTorch: fp32 weights, autocast to bf16, AdamW, the
same shape, data, split, windows per step, schedule and steps; only the random numbers are others. Prints bits per byte on
the held-out end of the file."""
import lzma
import math
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

DEPTH, WIDTH, HEADS, VOCABULARY, CONTEXT = 12, 256, 8, 256, 256
STEPS, BATCH, WARMUP, PEAK, LEAST, HELD_OUT = 2500, 64, 200, 1e-3, 0.1, 0.02


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (y.view(b, t, HEADS, -1).transpose(1, 2) for y in self.qkv(self.n1(x)).split(d, dim=2))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(DEPTH))
        self.norm = nn.LayerNorm(WIDTH)
        for name, p in self.named_parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02 / (math.sqrt(2 * DEPTH) if name.endswith(("out.weight", "down.weight")) else 1))
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, ids):
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return F.linear(self.norm(x), self.tokens.weight)


def rate(step):
    if step <= WARMUP:
        return PEAK * step / WARMUP
    x = (step - WARMUP) / (STEPS - WARMUP)
    return PEAK * (LEAST + (1 - LEAST) * (1 + math.cos(math.pi * x)) / 2)


def windows(text, starts):
    cut = text[starts[:, None] + torch.arange(CONTEXT + 1, device="cuda")].long()
    return cut[:, :-1], cut[:, 1:]


def loss_of(net, ids, targets, reduction="mean"):
    with torch.autocast("cuda", torch.bfloat16):
        logits = net(ids)
    return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction=reduction)


def main():
    seed = int(sys.argv[2])
    torch.manual_seed(seed)
    raw = lzma.open(sys.argv[1]).read()
    text = torch.frombuffer(bytearray(raw), dtype=torch.uint8).cuda()
    kept = len(raw) - int(len(raw) * HELD_OUT)
    train, held = text[:kept], text[kept:]
    net = Gpt().cuda()
    matrices = [p for p in net.parameters() if p.dim() > 1]
    others = [p for p in net.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}],
                                  lr=PEAK, betas=(0.9, 0.95), fused=True)
    start = time.time()
    for step in range(1, STEPS + 1):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        loss = loss_of(net, *windows(train, torch.randint(0, len(train) - CONTEXT, (BATCH,), device="cuda")))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    torch.cuda.synchronize()
    took = time.time() - start
    total = count = 0
    with torch.no_grad():
        starts = torch.arange(0, len(held) - CONTEXT - 1, CONTEXT, device="cuda")
        for part in starts.split(256):
            ids, targets = windows(held, part)
            total += loss_of(net, ids, targets, "sum").item()
            count += targets.numel()
    print(f"plain PyTorch GPT, seed {seed}: {total / count / math.log(2):.4f} bits per byte on {count:,} held-out bytes, "
          f"{sum(p.numel() for p in net.parameters()):,} parameters, {STEPS} steps in {took:.1f} s")


main()
