"""pytorch_stack.py [SECONDS]: the peer of step_bench --stack on a GPU, for as long as SECONDS last (default 150). The
networks of pytorch_step.py alone, eager and compiled, inside one CUDA graph; and K mixers as one program by vmap.
Milliseconds of a step of one run, median of five rounds; the loss before and after shows that something was learned."""
import sys
import time

import torch
from torch.func import functional_call, stack_module_state

from pytorch_step import Decoder, Mixer, graphed, image_loss, milliseconds, text_loss

START = time.monotonic()
LIMIT = float(sys.argv[1]) if len(sys.argv) > 1 else 150


def report(name, mode, took, first, last):
    print(f"{name:16} {mode:22} {took:9.3f} ms a step of one run  loss {first:.3f} -> {last:.3f}", flush=True)


def alone(name, make, loss_of, batch, steps, compiled):
    torch.manual_seed(1)
    net = make()
    graph, _, loss = graphed(torch.compile(net) if compiled else net, loss_of, batch, True)
    graph.replay()
    first = loss.item()
    report(name, "compiled, one graph" if compiled else "eager, one graph", milliseconds(graph, steps), first, loss.item())


def stacked(name, make, loss_of, batch, steps, runs, compiled):
    """K runs that differ in their start and share the batch's numbers."""
    torch.manual_seed(1)
    nets = [make().cuda().bfloat16() for _ in range(runs)]
    params, buffers = stack_module_state(nets)
    working = {name: p.detach().requires_grad_() for name, p in params.items()}
    masters = {name: p.detach().float().contiguous().clone().requires_grad_() for name, p in working.items()}
    optimizer = torch.optim.AdamW(list(masters.values()), lr=3e-4, fused=True, capturable=True)
    skeleton = make().to("meta")

    def one(p, b):
        return loss_of(lambda x: functional_call(skeleton, (p, b), (x,)), batch)

    losses_of = torch.vmap(one, in_dims=(0, 0), randomness="same")
    total = (lambda p: losses_of(p, buffers).sum())
    total = torch.compile(total) if compiled else total

    def step():
        loss = total(working)
        gradients = torch.autograd.grad(loss, list(working.values()))
        for master, gradient in zip(masters.values(), gradients):
            master.grad = gradient.float().contiguous()
        optimizer.step()
        torch._foreach_copy_([p.data for p in working.values()], [p.data for p in masters.values()])
        return loss

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        loss = step()
    graph.replay()
    first = loss.item() / runs
    took = milliseconds(graph, steps) / runs
    report(name, f"vmap of {runs}" + (", compiled" if compiled else ""), took, first, loss.item() / runs)


def main():
    images = (torch.randint(0, 256, (128, 3, 32, 32), device="cuda", dtype=torch.uint8), torch.randint(0, 10, (128,), device="cuda"))
    ids = torch.randint(0, 4000, (64, 305), device="cuda")
    mixers = {"mixer": lambda: Mixer(8, 64, 128, 256, 512), "mixer-32": lambda: Mixer(8, 64, 32, 128, 128)}
    decoders = {"decoder-13x96": lambda: Decoder(13, 96, 4, 4000, 304), "decoder-3x176": lambda: Decoder(3, 176, 4, 4000, 304)}
    cases = [lambda c=c, n=n, m=m: alone(n, m, image_loss, images, 200, c) for n, m in mixers.items() for c in (False, True)]
    cases += [lambda c=c, n=n, m=m: alone(n, m, text_loss, ids, 20, c) for n, m in decoders.items() for c in (False, True)]
    cases += [lambda c=c, n=n, m=m: stacked(n, m, image_loss, images, 20, 20, c) for c in (False, True) for n, m in mixers.items()]
    for case in cases:
        if time.monotonic() - START > LIMIT:
            print("the time is over; the rest was not measured")
            return
        try:
            case()
        except Exception as error:  # a mode that this PyTorch cannot do is a result, too
            print("not possible here:", type(error).__name__, str(error)[:200].replace("\n", " "), flush=True)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
