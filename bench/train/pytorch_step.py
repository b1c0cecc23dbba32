"""pytorch_step.py [--profile]: the peer of step_bench on a GPU. The same shapes written as one writes them in PyTorch
(bf16 weights, scaled_dot_product_attention, F.cross_entropy, fused AdamW), eager captured in a CUDA graph; milliseconds
of a step, median of five rounds. "masters" keeps fp32 weights beside, as Plimsoll does."""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).split(d, dim=2)
        q, k, v = (y.view(b, t, self.heads, -1).transpose(1, 2) for y in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Decoder(nn.Module):
    def __init__(self, depth, width, heads, vocabulary, context):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.tokens.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)

    def forward(self, ids):
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return F.linear(self.norm(x), self.tokens.weight)


class MixerBlock(nn.Module):
    def __init__(self, tokens, channels, token_hidden, channel_hidden):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.t1, self.t2 = nn.Linear(tokens, token_hidden), nn.Linear(token_hidden, tokens)
        self.c1, self.c2 = nn.Linear(channels, channel_hidden), nn.Linear(channel_hidden, channels)

    def forward(self, x):
        x = x + self.t2(F.gelu(self.t1(self.n1(x).transpose(1, 2)))).transpose(1, 2)
        return x + self.c2(F.gelu(self.c1(self.n2(x))))


class Mixer(nn.Module):
    def __init__(self, depth, tokens, channels, token_hidden, channel_hidden):
        super().__init__()
        self.patches = nn.Conv2d(3, channels, 4, 4)
        self.blocks = nn.ModuleList(MixerBlock(tokens, channels, token_hidden, channel_hidden) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(channels), nn.Linear(channels, 10)

    def forward(self, pixels):
        x = self.patches(pixels).flatten(2).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1))


def text_loss(net, batch):
    ids = batch
    return F.cross_entropy(net(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten())


def image_loss(net, batch):
    pixels, labels = batch
    return F.cross_entropy(net(((pixels.float() - 127.5) / 63.75).bfloat16()).float(), labels)


def graphed(net, loss_of, batch, masters):
    net.cuda().bfloat16()
    working = list(net.parameters())
    kept = [p.detach().float().clone().requires_grad_() for p in working] if masters else working
    optimizer = torch.optim.AdamW(kept, lr=3e-4, fused=True, capturable=True)

    def step():
        for p in working:
            p.grad = None
        loss = loss_of(net, batch)
        loss.backward()
        if masters:
            for k, p in zip(kept, working):
                k.grad = p.grad.float()
        optimizer.step()
        if masters:
            torch._foreach_copy_([p.data for p in working], [k.data for k in kept])
        return loss

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        loss = step()
    return graph, step, loss


def milliseconds(graph, steps):
    rounds = []
    for _ in range(5):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(steps):
            graph.replay()
        torch.cuda.synchronize()
        rounds.append((time.perf_counter() - start) / steps * 1e3)
    return sorted(rounds)[2]


def main():
    ids = torch.randint(0, 2000, (512, 129), device="cuda")
    images = (torch.randint(0, 256, (128, 3, 32, 32), device="cuda", dtype=torch.uint8), torch.randint(0, 10, (128,), device="cuda"))
    cases = [
        ("deep-narrow", lambda: Decoder(24, 144, 4, 2000, 128), text_loss, ids, 40),
        ("deep-wide", lambda: Decoder(24, 480, 8, 2000, 128), text_loss, ids, 20),
        ("mixer", lambda: Mixer(8, 64, 128, 256, 512), image_loss, images, 200),
    ]
    for name, make, loss_of, batch, steps in cases:
        for masters in (False, True):
            net = make()
            count = sum(p.numel() for p in net.parameters())
            graph, step, loss = graphed(net, loss_of, batch, masters)
            first = loss.item()
            took = milliseconds(graph, steps)
            print(f"{name:12} {took:9.3f} ms a step  {count:,} parameters  {'masters' if masters else 'bf16 only'}  loss {first:.3f} -> {loss.item():.3f}", flush=True)
            if "--profile" in sys.argv and not masters:
                with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
                    graph.replay()
                    torch.cuda.synchronize()
                print(seen.key_averages().table(sort_by="cuda_time_total", row_limit=25, max_name_column_width=90))
            del graph, step, loss, net


if __name__ == "__main__":
    main()
