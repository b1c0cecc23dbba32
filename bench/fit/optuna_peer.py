#!/usr/bin/env python3
"""optuna_peer.py tokens.bin | cifar10-folder --seconds 240 --out peer.json: the rival of `plimsoll fit`, plain PyTorch.

Optuna's TPE with successive halving over depth and learning rate, at one count of parameters, for a given time on one
device: what somebody does who has no fit. Data: token ids (uint16, with or without llm.c's header; the last tenth is
held out), or a folder with CIFAR-10's binary files. The answer is the depth and rate of its best trial; judge.py says
its regret on a truth table. Decoders have GPT-2's layers, or Qwen 3's with --style modern; AdamW, warm-up, cosine, bf16.

Needs torch, numpy and optuna 3 or later. Trials may run side by side (--jobs), sharing the device.
"""
import argparse
import json
import math
import pathlib
import threading
import time

import numpy as np
import optuna
import torch
import torch.nn as nn
import torch.nn.functional as F

LLM_C_MAGIC, LLM_C_WORDS = 20240520, 256
EVALUATIONS = (1 / 9, 1 / 3, 1.0)  # of a trial's steps: the rungs of successive halving, factor 3
IMAGE, CHANNELS, CLASSES = 32, 3, 10


class Text:
    """Windows of a row of token ids; the last tenth is held out."""
    measure, lower_is_better = "bits_per_token", True

    def __init__(self, path, asked):
        ids = np.fromfile(path, dtype=np.uint16)
        if ids[:2].view(np.int32)[0] == LLM_C_MAGIC:
            ids = ids[2 * LLM_C_WORDS:]
        ids = torch.from_numpy(ids.astype(np.int32)).to(asked.device)
        kept = len(ids) - len(ids) // 10
        self.train, self.held, self.context = ids[:kept], ids[kept:], asked.context
        self.inputs, self.outputs, self.positions = asked.vocab, asked.vocab, asked.context

    def windows(self, ids, starts):
        cut = ids[starts[:, None] + torch.arange(self.context + 1, device=ids.device)].long()
        return cut[:, :-1], cut[:, 1:]

    def batch(self, size, generator):
        starts = torch.randint(len(self.train) - self.context - 1, (size,), generator=generator, device=self.train.device)
        return self.windows(self.train, starts)

    def held_out(self, size, most):
        starts = torch.arange(0, len(self.held) - self.context - 1, self.context, device=self.held.device)
        every = max(1, len(starts) // most)
        for part in starts[::every].split(size):
            yield self.windows(self.held, part)

    @staticmethod
    def score(logits, targets):
        return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction="sum").item() / math.log(2)


class Cifar:
    """CIFAR-10 in patches, without augmentation."""
    measure, lower_is_better = "accuracy", False

    def __init__(self, folder, asked):
        self.patch, side = asked.patch, IMAGE // asked.patch
        self.train = self.read(sorted(pathlib.Path(folder).glob("data_batch_*.bin")), asked.device)
        self.held = self.read([pathlib.Path(folder) / "test_batch.bin"], asked.device)
        mean, deviation = (f(self.train[0], dim=(0, 2, 3), keepdim=True) for f in (torch.mean, torch.std))
        self.train, self.held = (((x - mean) / deviation, y) for x, y in (self.train, self.held))
        self.inputs, self.outputs, self.positions = CHANNELS * asked.patch ** 2, CLASSES, side * side

    @staticmethod
    def read(files, device):
        rows = np.concatenate([np.fromfile(f, dtype=np.uint8).reshape(-1, 1 + CHANNELS * IMAGE * IMAGE) for f in files])
        images = torch.from_numpy(rows[:, 1:]).to(device).float().view(-1, CHANNELS, IMAGE, IMAGE)
        return images / 255, torch.from_numpy(rows[:, 0].astype(np.int64)).to(device)

    def cut(self, images):
        return F.unfold(images, self.patch, stride=self.patch).transpose(1, 2)

    def batch(self, size, generator):
        images, labels = self.train
        some = torch.randint(len(labels), (size,), generator=generator, device=labels.device)
        return self.cut(images[some]), labels[some]

    def held_out(self, size, most):
        images, labels = self.held
        for part in torch.arange(min(most, len(labels)), device=labels.device).split(size):
            yield self.cut(images[part]), labels[part]

    @staticmethod
    def score(logits, targets):
        return (logits.argmax(-1) == targets).sum().item()


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype) * self.weight.to(x.dtype)


def turned(x):
    """Rotary positions, the halves of a head as pairs."""
    half = x.shape[-1] // 2
    angles = torch.arange(x.shape[-2], device=x.device)[:, None] * 1e4 ** (-torch.arange(half, device=x.device) / half)
    a, b = x[..., :half], x[..., half:]
    sine, cosine = angles.sin().to(x.dtype), angles.cos().to(x.dtype)
    return torch.cat([a * cosine - b * sine, b * cosine + a * sine], -1)


class Layer(nn.Module):
    def __init__(self, shape, causal):
        super().__init__()
        width, norm, bias = shape.width, (RmsNorm if shape.modern else nn.LayerNorm), not shape.modern
        self.shape, self.causal = shape, causal
        self.n1, self.n2 = norm(width), norm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=bias), nn.Linear(width, width, bias=bias)
        self.up, self.down = nn.Linear(width, shape.ffn, bias=bias), nn.Linear(shape.ffn, width, bias=bias)
        if shape.modern:
            self.gate = nn.Linear(width, shape.ffn, bias=False)
            self.nq, self.nk = RmsNorm(width // shape.heads), RmsNorm(width // shape.heads)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (y.view(b, t, self.shape.heads, -1).transpose(1, 2) for y in self.qkv(self.n1(x)).split(d, dim=2))
        if self.shape.modern:
            q, k = turned(self.nq(q)), turned(self.nk(k))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, d))
        y = self.n2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y) if self.shape.modern else F.gelu(self.up(y)))


class Network(nn.Module):
    def __init__(self, shape, data, text):
        super().__init__()
        self.text, width = text, shape.width
        self.tokens = nn.Embedding(data.inputs, width) if text else nn.Linear(data.inputs, width)
        self.places = None if text and shape.modern else nn.Parameter(0.02 * torch.randn(data.positions, width))
        self.layers = nn.ModuleList(Layer(shape, text) for _ in range(shape.depth))
        self.norm = (RmsNorm if shape.modern else nn.LayerNorm)(width)
        self.head = None if text else nn.Linear(width, data.outputs)
        for name, p in self.named_parameters():
            if p.dim() > 1 and name != "places":
                last = name.endswith(("out.weight", "down.weight"))
                nn.init.normal_(p, std=(p.shape[1] if not name.startswith("tokens") else 2500) ** -0.5 /
                                (math.sqrt(2 * shape.depth) if last else 1))
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, x):
        x = self.tokens(x)
        x = x if self.places is None else x + self.places
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        return F.linear(x, self.tokens.weight) if self.text else self.head(x.mean(1))


class Shape:
    """Width and feed-forward of a depth at the parameters asked for: the width whose layer is nearest to the usual one, in
    multiples of 8, then the feed-forward is trimmed."""

    def __init__(self, depth, data, asked, text):
        self.depth, self.modern, self.heads = depth, asked.style == "modern", asked.heads
        self.matrices, self.usual = (3, 8 / 3) if self.modern else (2, 4)
        step = math.lcm(8, 2 * self.heads)
        widths = [w for w in range(step, 4096, step) if self.ffn_for(w, data, asked, text) >= 8]
        if not widths:
            raise SystemExit(f"{asked.params:,} parameters pay for no network of {depth} layers")
        self.width = min(widths, key=lambda w: abs(math.log(self.ffn_for(w, data, asked, text) / (self.usual * w))))
        self.ffn = 8 * max(1, round(self.ffn_for(self.width, data, asked, text) / 8))

    def ffn_for(self, width, data, asked, text):
        places = 0 if text and self.modern else data.positions * width
        ends = data.inputs * width + (0 if text else data.outputs * width)
        return ((asked.params - ends - places) / self.depth - 4 * width * width) / (self.matrices * width)

    def flops(self, data, examples):
        """Training FLOPs of so many examples: six a parameter in a product and token, and the scores."""
        matrices = self.depth * (4 * self.width ** 2 + self.matrices * self.width * self.ffn)
        per_token = 6 * (matrices + data.outputs * self.width) + 12 * self.depth * data.positions * self.width
        return examples * data.positions * per_token


def rate_at(step, steps, peak):
    warmup = max(1, steps // 10)
    if step <= warmup:
        return peak * step / warmup
    return peak * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup))) / 2


def evaluate(network, data, asked):
    network.eval()
    total = count = 0
    with torch.no_grad(), torch.autocast(asked.kind, torch.bfloat16):
        for inputs, targets in data.held_out(asked.batch, asked.held_out):
            total += data.score(network(inputs), targets)
            count += targets.numel()
    network.train()
    return total / count


class Search:
    def __init__(self, data, asked, text):
        self.data, self.asked, self.text = data, asked, text
        self.end = time.monotonic() + asked.seconds
        self.flops, self.lock = 0.0, threading.Lock()

    def optimizer(self, network):
        groups = [{"params": [p for p in network.parameters() if p.dim() > 1], "weight_decay": 0.05},
                  {"params": [p for p in network.parameters() if p.dim() <= 1], "weight_decay": 0}]
        fused = {"fused": True} if self.asked.kind == "cuda" else {}
        return torch.optim.AdamW(groups, betas=(0.9, 0.95), **fused)

    def objective(self, trial):
        asked, data = self.asked, self.data
        shape = Shape(trial.suggest_int("depth", 1, asked.deepest, log=True), data, asked, self.text)
        peak = trial.suggest_float("rate", asked.rates[0], asked.rates[1], log=True)
        seed = asked.seed * 10_000 + trial.number
        torch.manual_seed(seed)
        network = Network(shape, data, self.text).to(asked.device)
        trial.set_user_attr("width", shape.width)
        trial.set_user_attr("parameters", sum(p.numel() for p in network.parameters()))
        optimizer, generator = self.optimizer(network), torch.Generator(asked.device).manual_seed(seed)
        step_flops = shape.flops(data, asked.batch)
        steps = max(9, round(asked.flops / step_flops))
        rungs = {round(share * steps) for share in EVALUATIONS}
        for step in range(1, steps + 1):
            self.step(network, optimizer, generator, rate_at(step, steps, peak))
            with self.lock:
                self.flops += step_flops
            if time.monotonic() > self.end:
                trial.study.stop()
                raise optuna.TrialPruned()
            if step in rungs:
                value = evaluate(network, data, asked)
                trial.report(value, step * 9 // steps)
                if not math.isfinite(value) or (step < steps and trial.should_prune()):
                    raise optuna.TrialPruned()
        return value

    def step(self, network, optimizer, generator, rate):
        for group in optimizer.param_groups:
            group["lr"] = rate
        inputs, targets = self.data.batch(self.asked.batch, generator)
        with torch.autocast(self.asked.kind, torch.bfloat16):
            logits = network(inputs)
        loss = F.cross_entropy(logits.float().flatten(0, -2), targets.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--out", required=True)
    parser.add_argument("--params", type=float, default=1.85e6)
    parser.add_argument("--flops", type=float, default=6e14, help="of a whole trial; the truth table's")
    parser.add_argument("--vocab", type=int, default=4000)
    parser.add_argument("--context", type=int, default=304)
    parser.add_argument("--patch", type=int, default=8)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--held-out", type=int, default=2000, help="examples of an evaluation")
    parser.add_argument("--deepest", type=int, default=24)
    parser.add_argument("--rates", type=float, nargs=2, default=(5e-4, 3e-2))
    parser.add_argument("--style", choices=("gpt2", "modern"), default="gpt2")
    parser.add_argument("--jobs", type=int, default=1, help="trials at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    asked = parser.parse_args()
    asked.kind = asked.device.split(":")[0]
    return asked


def last_value(trial):
    return trial.intermediate_values[max(trial.intermediate_values)] if trial.intermediate_values else None


def answer_of(study, search, data, asked):
    """Of the trials that ended the best; where none did, the best of those that came furthest."""
    seen = [t for t in study.trials if last_value(t) is not None]
    if not seen:
        raise SystemExit("no trial came to its first evaluation; give more time or fewer --flops")
    furthest = max(max(t.intermediate_values) for t in seen)
    seen = [t for t in seen if max(t.intermediate_values) == furthest]
    best = (min if data.lower_is_better else max)(seen, key=last_value)
    states = [t.state.name for t in study.trials]
    return {"format": "plimsoll-peer-1", "peer": f"optuna {optuna.__version__}, torch {torch.__version__}",
            "depth": best.params["depth"], "width": best.user_attrs["width"], "rate": best.params["rate"],
            "family": "transformer", "measure": data.measure, "value": last_value(best), "share_of_length": furthest / 9,
            "trials": len(states), "complete": states.count("COMPLETE"), "seconds": asked.seconds,
            "flops": search.flops, "jobs": asked.jobs, "seed": asked.seed, "style": asked.style,
            "all": [{"depth": t.params.get("depth"), "rate": t.params.get("rate"), "state": t.state.name,
                     "values": t.intermediate_values} for t in study.trials]}


def main():
    asked = arguments()
    text = not pathlib.Path(asked.data).is_dir()
    data = (Text if text else Cifar)(asked.data, asked)
    torch.backends.cuda.matmul.allow_tf32 = True
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    search = Search(data, asked, text)
    study = optuna.create_study(
        direction="minimize" if data.lower_is_better else "maximize",
        sampler=optuna.samplers.TPESampler(seed=asked.seed, n_startup_trials=8),
        pruner=optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=3))
    study.optimize(search.objective, timeout=asked.seconds, n_jobs=asked.jobs)
    answer = answer_of(study, search, data, asked)
    pathlib.Path(asked.out).write_text(json.dumps(answer, indent=1) + "\n")
    print({key: value for key, value in answer.items() if key != "all"})


if __name__ == "__main__":
    main()
