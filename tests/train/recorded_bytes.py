#!/usr/bin/env python3
"""recorded_bytes.py PLIMSOLL-TORCH DIGESTS.json [--record]: does a run alone still end with the bytes of version 0.1.0?

Each case is trained for 40 steps on one thread; the SHA-256 of its metrics and checkpoint is compared with what was
recorded on this kind of processor (BLAS takes other kernels, and rounds otherwise, on others): exit 77, skipped, when
nothing was. --record adds what this processor gives.
"""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CASES = {
    "decoder": ("transformer:depth=2,width=40,heads=4,vocab=256,context=64",
        "synthetic:grammar,bytes=100000", ""),
    "dropout": ("transformer:depth=2,width=24,heads=4,vocab=256,context=32",
        "synthetic:grammar,bytes=100000", "model.dropout=0.1"),
    "modern": ("transformer:depth=2,width=32,heads=4,kv_heads=2,vocab=256,context=32,positions=rope,norm=rms,ffn_matrices=3,activation=silu,bias=off,qk_norm=head",
        "synthetic:grammar,bytes=100000", ""),
    "relative": ("transformer:depth=2,width=32,heads=4,vocab=256,context=32,positions=relative",
        "synthetic:grammar,bytes=100000", "optimizer.kind=adam"),
    "alibi": ("transformer:depth=2,width=32,heads=4,vocab=256,context=32,positions=alibi,order=parallel",
        "synthetic:grammar,bytes=100000", "optimizer.kind=sgd optimizer.momentum=0.9 optimizer.clip=1"),
    "bf16": ("transformer:depth=2,width=32,heads=4,vocab=256,context=32",
        "synthetic:grammar,bytes=100000", "train.precision=bf16"),
    "fp64": ("transformer:depth=2,width=32,heads=4,vocab=256,context=32,tied=off,head_rank=4,embedding_rank=9",
        "synthetic:grammar,bytes=100000", "train.precision=fp64 optimizer.accumulate=4 optimizer.clip=0.5"),
    "causal-mixer": ("mixer:depth=2,channels=32,tokens=32,vocab=256,causal=on",
        "synthetic:grammar,bytes=100000", ""),
    "encoder": ("transformer:depth=2,width=16,heads=2,vocab=4,context=9,stack=encoder,head=classes,classes=4,norm_order=post,pooler=on,embedding_norm=on",
        "synthetic:hops=1,symbols=4,count=400,test=40", ""),
    "analysed": ("attention:depth=2,width=8,heads=2,vocab=4,residual=on",
        "synthetic:teacher,count=256,test=32,positions=3,spec=attention:depth=1,width=4,heads=1,vocab=4", "optimizer.clip=1"),
    "mixer": ("mixer:depth=2,channels=32,patch=7,image=28,image_channels=1,classes=10",
        "fashion-mnist", "data.examples=2000 data.crop=2 data.flip=true"),
    "rp-mixer": ("rp-mixer:depth=2,channels=16,patch=7,image=28,image_channels=1,classes=10",
        "fashion-mnist", "data.examples=2000"),
    "sw-mlp": ("sw-mlp:depth=2,width=64,connections=600,bias=on,inputs=784,classes=10",
        "fashion-mnist", "data.examples=2000 train.precision=fp64"),
    "monarch": ("monarch:depth=2,width=64,blocks=8,second_blocks=4,bias=on,inputs=784,classes=10",
        "fashion-mnist", "data.examples=2000"),
    "vip": ("vip:depth=2,channels=16,patch=7,image=28,image_channels=1,classes=10",
        "fashion-mnist", "data.examples=2000"),
    "square-mixer": ("square-mixer:rows=28,cols=28,depth=1",
        "fashion-mnist", "data.examples=2000 optimizer.lr=1e-4 optimizer.clip=1"),
}

CONFIG = """[model]
spec = "{spec}"
[data]
name = "{data}"
[train]
steps = 40
batch = 16
eval_batches = 4
eval_every = 20
log_every = 5
"""


def processor():
    facts = dict(line.split(":", 1) for line in open("/proc/cpuinfo").read().split("\n\n")[0].splitlines() if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    vectors = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in facts.get("flags", "").split()]
    return " ".join([facts.get("vendor_id", "?"), facts.get("cpu family", "?"), facts.get("model", "?"), *vectors])


def digest_of(program, name, folder):
    spec, data, overrides = CASES[name]
    config = folder / f"{name}.toml"
    config.write_text(CONFIG.format(spec=spec, data=data))
    command = [program, "train", str(config), "--runs", str(folder / name), "--alone"]
    for one in overrides.split():
        command += ["--set", one]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    (run,) = [path for path in (folder / name).iterdir() if (path / "config.toml").exists()]
    digest = hashlib.sha256((run / "metrics.jsonl").read_bytes())
    for path in sorted(run.glob("checkpoint/step-*/*.safetensors")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def main():
    program, file = sys.argv[1], pathlib.Path(sys.argv[2])
    known = json.loads(file.read_text()) if file.exists() else {}
    record = "--record" in sys.argv
    if processor() not in known and not record:
        print(f"nothing recorded on {processor()}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        found = {name: digest_of(program, name, pathlib.Path(folder)) for name in CASES}
    if record:
        file.write_text(json.dumps({**known, processor(): found}, indent=1) + "\n")
        return 0
    different = [name for name, digest in found.items() if known[processor()].get(name) != digest]
    print(f"{len(found) - len(different)} of {len(found)} cases have the recorded bytes", *different)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
