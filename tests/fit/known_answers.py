#!/usr/bin/env python3
"""fit where the answer is known: known_answers.py PLIMSOLL [hops|vocabulary|shuffled ...]

hops        a label that takes one look-up cannot be had from one layer: of ten seeded sets at least nine
            recommendations must have two layers or more
vocabulary  64 symbols and shapes wider than twice that: fit must name the bottleneck (R7)
shuffled    words in random order: fit must say that depth does not matter
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SETS, NEEDED = 10, 9


def fit(program, folder, data, *flags):
    """The fit.json of one fit."""
    done = subprocess.run(
        [program, "fit", data, "--out", str(folder / "out"), "--json", *flags],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"fit {data} ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def candidate(answer, name):
    return next(c for c in answer["proposal"]["candidates"] if c["id"] == name)


def hops(program, folder):
    deep_enough = 0
    for seed in range(1, SETS + 1):
        place = folder / f"hops{seed}"
        place.mkdir()
        answer = fit(program, place, f"synthetic:hops=1,symbols=4,count=20000,test=1000,seed={seed}",
                     "--params", "10K", "--flops", "3e11", "--seed", str(seed))
        decision = answer["decision"]
        winner = candidate(answer, decision["winner"])
        shallow = [c["label"] for c in answer["proposal"]["candidates"] if c["depth"] == 1]
        assert shallow, "no shape of one layer raced: the choice was none"
        deep_enough += winner["depth"] >= 2
        print(f"set {seed}: {winner['label']}, accuracy {decision['value']:.3f}", flush=True)
    print(f"{deep_enough} of {SETS} deep enough")
    assert deep_enough >= NEEDED


def markov_text(symbols, followers, length):
    """A text of so many symbols, each followed by few others."""
    draw = random.Random(7)
    letters = [chr(48 + i) for i in range(symbols)]
    after = {letter: draw.sample(letters, followers) for letter in letters}
    text = [letters[0]]
    while len(text) < length:
        text.append(draw.choice(after[text[-1]]))
    return "".join(text)


def vocabulary(program, folder):
    (folder / "text.txt").write_text(markov_text(64, 6, 300_000))
    answer = fit(program, folder, "text.txt", "--params", "1M", "--context", "32", "--vocab", "257",
                 "--flops", "4e12")
    [choice] = answer["look"]["inputs"]
    assert choice["rank"] == 64, choice
    for network in answer["proposal"]["candidates"]:
        judged = {f["rule"]: f["severity"] for f in network["findings"]}
        assert (judged["R7"] == "act") == (network["width"] > 128), network["label"]
    assert any(c["width"] > 128 for c in answer["proposal"]["candidates"]), "no wide shape raced"
    notes = " ".join(answer["decision"]["notes"])
    assert "Vocabulary bottleneck" in notes and "64 dimensions" in notes, notes
    print(notes)


def shuffled(program, folder):
    answer = fit(program, folder, "synthetic:shuffled,bytes=400000", "--params", "30K", "--context", "32",
                 "--vocab", "257", "--flops", "1.2e12")
    decision = answer["decision"]
    print(decision["depth_sentence"])
    assert not decision["depth_matters"]
    assert decision["depth_sentence"].startswith("Depth does not matter here")


def main():
    program, names = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    cases = {"hops": hops, "vocabulary": vocabulary, "shuffled": shuffled}
    for name in names or cases:
        with tempfile.TemporaryDirectory(prefix="plimsoll-known-") as folder:
            cases[name](program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
