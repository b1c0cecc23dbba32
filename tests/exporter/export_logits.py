#!/usr/bin/env python3
"""export_logits.py BIN: trains, exports and asks tiny runs of every stock class (tools/gpu_check_export make), then computes
their logits a second time from the exported files alone. The tolerance is that of tools/check_hf_export; a network that is
wrong in one place must be seen."""
import math
import pathlib
import subprocess
import sys
import tempfile

import stock_forward

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = 1  # of the batch: the one with padding


def example_of(reference):
    """One example of the batch: what each tensor has at that place."""
    found = {}
    for name, (shape, numbers) in reference.items():
        if name != "line_ids":
            size = math.prod(shape[1:])
            found[name] = numbers[EXAMPLE * size : (EXAMPLE + 1) * size]
    return found


def difference(model, example):
    flat = [number for row in model.logits(example) for number in row]
    assert len(flat) == len(example["logits"]), (len(flat), len(example["logits"]))
    return max(abs(ours - theirs) for ours, theirs in zip(example["logits"], flat))


def tolerance_of(config, logits):
    depth = config.get("n_layer") or config["num_hidden_layers"]
    hidden = config.get("n_inner") or config.get("ffn_dim") or config["intermediate_size"]
    return (2 * depth + 2) * math.sqrt(hidden) * 2.0**-24 * max(map(abs, logits))


def make_wrong(model):
    """Moves one query projection by one place."""
    name = next(n for n in model.tensors if n.endswith(("c_attn.weight", "q_proj.weight", "query.weight")))
    shape, numbers = model.tensors[name]
    model.tensors[name] = (shape, numbers[1:] + numbers[:1])


def check(folder, reference_file):
    """Prints one line; the problems found."""
    model = stock_forward.Stock(folder)
    example = example_of(stock_forward.read_safetensors(reference_file))
    tolerance, off = tolerance_of(model.config, example["logits"]), difference(model, example)
    problems = [f"left over: {name}" for name in sorted(set(model.tensors) - model.read)]
    make_wrong(model)
    control = difference(model, example)
    if not off <= tolerance:
        problems.append("the logits differ")
    if not control > tolerance:
        problems.append("the control was not seen")
    print(f"{model.name:<30} off by {off:.1e}, tolerance {tolerance:.1e}, control {control:.1e}  {'; '.join(problems) or 'ok'}")
    return problems


def main(program_folder):
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([ROOT / "tools/gpu_check_export", "make", program_folder, work], check=True)
        exported = sorted(path.parent for path in pathlib.Path(work).glob("*/config.json"))
        failed = [folder.name for folder in exported if check(folder, folder.with_suffix(".safetensors"))]
    print(f"{len(exported) - len(failed)} of {len(exported)} exports agree")
    return 0 if len(exported) == 10 and not failed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
