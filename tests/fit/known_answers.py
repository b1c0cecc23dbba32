#!/usr/bin/env python3
"""fit where the answer is known: known_answers.py PLIMSOLL [hops|vocabulary|shuffled|table ...]

hops        a label that takes one look-up cannot be had from one layer: of ten seeded sets at least nine
            recommendations must have two layers or more
vocabulary  64 symbols and shapes wider than twice that: fit must name the bottleneck (R7)
shuffled    words in random order: fit must say that depth does not matter
table       a wave of a sum of sizes, which takes two layers: of five seeded tables all five recommendations must
            have two layers or more, explain 95 % of the variance and beat the best network of one layer
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


def wave_table(path, seed, rows=10_000, columns=3, period=0.5):
    """y is a triangle wave of the mean of |x_i|: one layer makes the sizes, the next the wave of their sum."""
    draw = random.Random(seed)
    lines = [",".join(f"x{i}" for i in range(columns)) + ",y"]
    for _ in range(rows):
        x = [draw.uniform(-1, 1) for _ in range(columns)]
        place = sum(map(abs, x)) / columns / period % 1
        lines.append(",".join(f"{value:.4f}" for value in [*x, 4 * abs(place - 0.5) - 1]))
    path.write_text("\n".join(lines) + "\n")


def table(program, folder):
    for seed in range(1, 6):
        place = folder / f"table{seed}"
        place.mkdir()
        wave_table(place / "wave.csv", seed)
        answer = fit(program, place, "wave.csv", "--params", "9K", "--flops", "1.2e11", "--seed", str(seed))
        decision = answer["decision"]
        winner = candidate(answer, decision["winner"])
        entries = [e for e in answer["race"]["entries"] if e["rung"] == decision["rung"] and e["state"] == "done"]
        flat = [e["value"] for e in entries if candidate(answer, e["candidate"])["depth"] == 1]
        assert flat, "no shape of one layer raced: the choice was none"
        print(f"table {seed}: {winner['label']}, {decision['value']:.3f} of the variance; one layer at most "
              f"{max(flat):.3f}; {answer['decision']['headline'] or 'enough evidence'}", flush=True)
        assert winner["depth"] >= 2, winner["label"]
        assert decision["value"] > 0.95, decision["value"]
        assert decision["value"] > max(flat) + 0.05
        assert decision["valley"]["low"] > 1, decision["valley"]["sentence"]  # one layer is not among the as good


def main():
    program, names = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    cases = {"hops": hops, "vocabulary": vocabulary, "shuffled": shuffled, "table": table}
    for name in names or cases:
        with tempfile.TemporaryDirectory(prefix="plimsoll-known-") as folder:
            cases[name](program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
