#!/usr/bin/env python3
"""tools/check_emitted_configs.py FOLDER: does transformers build what plimsoll advised, with as many parameters?

FOLDER holds what tools/emit_configs wrote: <name>/config.json and <name>/advice.json. Each config is loaded with
AutoConfig, its model is made by AutoModelForCausalLM on the meta device (no memory), and the parameters, tied ones once,
are compared with plimsoll's. Exit 1 when one differs or does not load.
"""
import json
import pathlib
import sys


def built(folder):
    """The model's class and its parameters; tied matrices are one tensor and count once."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(folder)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    model.tie_weights()
    return type(model).__name__, sum(p.numel() for p in {id(p): p for p in model.parameters()}.values())


def row(folder):
    """(name, class, plimsoll's count, transformers' count, verdict) of one folder."""
    advice = json.loads((folder / "advice.json").read_text())
    ours = advice["answer"]["parameters"]
    wanted = json.loads((folder / "config.json").read_text())["architectures"][0]
    try:
        name, theirs = built(folder)
    except Exception as problem:  # whatever the library throws is the answer
        return folder.name, wanted, ours, None, f"does not load: {problem}"
    if name != wanted:
        return folder.name, name, ours, theirs, f"loaded as {name}, not {wanted}"
    return folder.name, name, ours, theirs, "equal" if ours == theirs else f"differs by {theirs - ours}"


def main():
    if len(sys.argv) != 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/config.json"))
    if not folders:
        print(f"error: {sys.argv[1]}: holds no <name>/config.json", file=sys.stderr)
        return 3
    rows = [row(folder) for folder in folders]
    print(f"{'config':<18} {'class':<18} {'plimsoll':>15} {'transformers':>15}  verdict")
    for name, model, ours, theirs, verdict in rows:
        print(f"{name:<18} {model:<18} {ours:>15,} {theirs or 0:>15,}  {verdict}")
    wrong = sum(verdict != "equal" for *_, verdict in rows)
    print(f"{len(rows) - wrong} of {len(rows)} equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
