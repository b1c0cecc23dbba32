#!/usr/bin/env python3
"""tools/class_counts/derive.py OUT SECONDS [--only TYPE,...] [--jobs N] [--each SECONDS]: how many parameters each class has.

For each configuration class of transformers: which class is built from it, and for each of its tensors the shape as an
expression in keys of the configuration. Integers of a configuration are replaced by integers that remember how they
were computed (symbols.py), models are made on the meta device, and each tensor's shape is read as an expression
(library.py). How often a tensor repeats, and which flags it depends on, follows from models made with one key changed
(deriver.py, fitting.py). The derived form is compared with the library on configurations drawn at random (records.py).
Writes OUT/counts.json.gz, which write_tables.py turns into the files of this tree. Needs transformers and torch, no GPU.
"""
import gzip
import json
import multiprocessing
import os
import sys
import time

from library import CONFIG_MAPPING_NAMES, mapping, modeling_auto, torch, transformers
from records import good, work


def summary(records):
    full = [r for r in records if good(r) and r.get("mode") != "fixed"]
    fixed = [r for r in records if good(r) and r.get("mode") == "fixed"]
    part = [r for r in records if "form" in r and not good(r)]
    none = [r for r in records if "form" not in r]
    print(f"{len(records)} classes: {len(full)} explained, {len(fixed)} with fixed numbers of layers, {len(part)} with tests wrong, {len(none)} not derived")
    for r in fixed:
        print(f"  fixed {r['type']} {r['class']}: {str(r['first'])[:200]}")
    for r in part:
        wrong = [t for t in r["tests"] if t[1] != t[2]]
        print(f"  part {r['type']} {r['class']} {r.get('mode', '')}: default {r['predicted_default'] == r['default_count']}, {len(wrong)} of {len(r['tests'])} wrong; {str(wrong[:1])[:250]}")
    for r in none:
        print(f"  none {r['type']} {r.get('class')}: {r['error'][:150]} @ {r.get('where')}; default {r.get('default_count', str(r.get('default_error'))[:100])}")


def save(folder, records, seconds):
    os.makedirs(folder, exist_ok=True)
    text = json.dumps({"transformers": transformers.__version__, "torch": torch.__version__, "seconds": seconds, "records": records}, default=str)
    with gzip.open(os.path.join(folder, "counts.json.gz.part"), "wt") as f:
        f.write(text)
    os.replace(os.path.join(folder, "counts.json.gz.part"), os.path.join(folder, "counts.json.gz"))


def quiet():
    """Workers print nothing: the library complains of its own docstrings."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def value_of(model_type):
    for rank, head in enumerate(("CAUSAL_LM", "SEQ_TO_SEQ_CAUSAL_LM", "MASKED_LM", "IMAGE_TEXT_TO_TEXT", "SPEECH_SEQ_2_SEQ", "IMAGE_CLASSIFICATION")):
        if model_type in mapping(head):
            return rank
    return 7 if model_type in modeling_auto.MODEL_MAPPING_NAMES else 8


def main():
    folder, seconds = sys.argv[1], float(sys.argv[2])
    option = lambda name, default: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default
    jobs = int(option("--jobs", 16))
    per_class = float(option("--each", 16))
    types = option("--only", "").split(",") if option("--only", "") else sorted(CONFIG_MAPPING_NAMES, key=value_of)
    begin = time.time()
    end = begin + seconds - 6
    records = []
    context = multiprocessing.get_context("fork")
    with context.Pool(jobs, initializer=quiet, maxtasksperchild=40) as pool:
        todo = pool.imap_unordered(work, [(t, end, per_class) for t in types], chunksize=1)
        last = begin
        while True:
            try:
                records.append(todo.next(timeout=max(0.5, end + 3 - time.time())))
            except StopIteration:
                break
            except multiprocessing.TimeoutError:
                break
            except Exception as e:
                print("lost:", e)
            if time.time() - last > 30:
                last = time.time()
                save(folder, records, time.time() - begin)
        pool.terminate()
    have = {r["type"] for r in records}
    records += [{"type": t, "error": "no answer in time"} for t in types if t not in have]
    records.sort(key=lambda r: r["type"])
    save(folder, records, time.time() - begin)
    summary(records)
    print(f"{time.time() - begin:.0f} s; {os.path.getsize(os.path.join(folder, 'counts.json.gz')):,} bytes; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()
