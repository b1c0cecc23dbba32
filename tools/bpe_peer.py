#!/usr/bin/env python3
"""tools/bpe_peer.py FOLDER OUT: our BPE beside Hugging Face tokenizers and tiktoken, in one run on one machine.

FOLDER is what tools/bpe_peer_pack made. Merges, vocabularies and ids are compared exactly, both sides are timed and
their peak memory is read; a failed part does not stop the others. OUT gets report.txt, report.json and bpe_peer.json,
the recorded values that tests/data reads. Exit 1 when anything differs.
"""
import array
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import traceback

import bpe_peer_text as texts

HERE = pathlib.Path(__file__).resolve()
VOCABS = (257, 500, 2000, 32000)
REPORT, LINES, BAD = {}, [], []


def say(line):
    LINES.append(line)
    print(line, flush=True)


def check(name, same, detail=""):
    say(f"  {'same' if same else 'DIFFERENT'}: {name}{'' if same else '  ' + detail}")
    if not same:
        BAD.append(name)


def attempt(name, part):
    """One broken part must not cost the others."""
    try:
        part()
    except Exception:
        BAD.append(name)
        say(f"  FAILED: {name}: " + traceback.format_exc()[-600:])


def watch(pid, peak, done):
    """The largest resident size seen, for kernels whose rusage has none."""
    while not done.is_set():
        try:
            pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
            peak[0] = max(peak[0], pages * os.sysconf("SC_PAGE_SIZE"))
        except (OSError, IndexError, ValueError):
            return
        done.wait(0.02)


def run(command, env=None):
    """(seconds, peak bytes, output) of a child process."""
    start = time.perf_counter()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
    peak, done = [0], threading.Event()
    watcher = threading.Thread(target=watch, args=(child.pid, peak, done), daemon=True)
    watcher.start()
    output = child.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    if child.returncode != 0:
        raise RuntimeError(f"{command[:4]}: exit {child.returncode}: {output[-400:]}")
    return seconds, max(usage.ru_maxrss * 1024, peak[0]), output


class Bench:
    def __init__(self, folder, work):
        self.folder, self.work = folder, work
        with tarfile.open(folder / "bundle.tar.xz") as bundle:
            bundle.extractall(work)
        self.program = work / "bundle/plimsoll"
        self.env = dict(os.environ, LD_LIBRARY_PATH=str(work / "bundle/lib"))
        for name in ("enwiki_train_120MB", "enwiki_valid"):
            with lzma.open(folder / f"{name}.txt.xz") as packed, open(work / f"{name}.txt", "wb") as plain:
                shutil.copyfileobj(packed, plain, 1 << 22)
        self.train, self.valid = work / "enwiki_train_120MB.txt", work / "enwiki_valid.txt"
        self.gpt2 = work / "gpt2"
        self.gpt2.mkdir()
        shutil.copy(folder / "gpt2_encoder.json", self.gpt2 / "vocab.json")
        shutil.copy(folder / "gpt2_vocab.bpe", self.gpt2 / "merges.txt")

    def ours(self, *words, times=1):
        """(best seconds, largest peak, output) of `plimsoll tokenize ...`."""
        runs = [run([self.program, "tokenize", *words], self.env) for _ in range(times)]
        return min(r[0] for r in runs), max(r[1] for r in runs), runs[-1][2]

    def peer(self, *words):
        """(what the child measured, peak bytes) of a part of this script in a process of its own."""
        _, peak, output = run([sys.executable, HERE, "--child", *words])
        return json.loads(output.strip().splitlines()[-1]), peak

    def our_ids(self, tokenizer, file, *more):
        out = self.work / "ours.bin"
        self.ours("encode", "--tokenizer", tokenizer, file, "--out", out, *more)
        return list(array.array("H", out.read_bytes()))


def model_of(file):
    model = json.loads(pathlib.Path(file).read_text())["model"]
    merges = [m.split(" ") if isinstance(m, str) else m for m in model["merges"]]
    return model["vocab"], merges


def first_difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"lengths {len(a)} {len(b)}, first at {at}: {a[at:at + 4]} {b[at:at + 4]}"


# Parts that run in a child: the peer's memory and caches start fresh.

def new_peer(pretokenizer="gpt2"):
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    tokenizer = Tokenizer(models.BPE())
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pretokenizer == "gpt2")
    if pretokenizer == "cl100k":
        level = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(texts.CL100K), "isolated"), level])
    tokenizer.pre_tokenizer = level
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def new_trainer(vocab):
    from tokenizers import pre_tokenizers, trainers
    return trainers.BpeTrainer(vocab_size=int(vocab), special_tokens=["<|endoftext|>"], show_progress=False,
                               initial_alphabet=pre_tokenizers.ByteLevel.alphabet())


def child_train(unit, vocab, file, out, times):
    pieces = texts.pieces(pathlib.Path(file).read_text("utf-8")) if unit == "file" else None
    seconds = []
    for _ in range(int(times)):
        tokenizer = new_peer()
        start = time.perf_counter()
        if unit == "line":
            tokenizer.train([file], new_trainer(vocab))
        else:
            tokenizer.train_from_iterator(pieces, new_trainer(vocab))
        seconds.append(time.perf_counter() - start)
    tokenizer.save(out)
    return {"seconds": seconds}


def child_encode(tokenizer_file, file, out, times):
    from tokenizers import Tokenizer
    pieces = texts.pieces(pathlib.Path(file).read_text("utf-8"))
    seconds = {}
    for name in ("encode_batch", "encode_batch_fast"):
        tokenizer = Tokenizer.from_file(tokenizer_file)
        if not hasattr(tokenizer, name):
            continue
        for _ in range(int(times)):
            start = time.perf_counter()
            encoded = getattr(tokenizer, name)(pieces, add_special_tokens=False)
            seconds.setdefault(name, []).append(time.perf_counter() - start)
    ids = array.array("H")
    for encoding in encoded:
        ids.extend(encoding.ids)
    pathlib.Path(out).write_bytes(ids.tobytes())
    return {"seconds": seconds, "tokens": len(ids)}


CHILDREN = {"train": child_train, "encode": child_encode}


# The parts of the report.

def part_machine(bench):
    import tokenizers
    versions = [f"tokenizers {tokenizers.__version__}"]
    try:
        import tiktoken
        versions.append(f"tiktoken {tiktoken.__version__}")
    except ImportError:
        versions.append("no tiktoken")
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    REPORT["versions"] = versions
    say(f"{os.cpu_count()} cores, {model[0] if model else 'unknown'}; {', '.join(versions)}; kernel {os.uname().release}")
    info = bench.ours("info", "--tokenizer", bench.gpt2)[2].splitlines()
    say("ours: " + info[1])


def part_train(bench, unit):
    say(f"train on {bench.train.stat().st_size} bytes, unit {unit} (peer: "
        f"{'train([file])' if unit == 'line' else 'train_from_iterator(articles)'}); best seconds, peak MiB")
    for vocab in VOCABS:
        attempt(f"train V={vocab}, {unit}", lambda: train_both(bench, unit, vocab))


def train_both(bench, unit, vocab):
    ours_file, peer_file = bench.work / f"ours_{unit}_{vocab}.json", bench.work / f"peer_{unit}_{vocab}.json"
    seconds, peak, _ = bench.ours("train", "--vocab", vocab, "--unit", unit, "--out", ours_file, bench.train, times=3)
    theirs, their_peak = bench.peer("train", unit, vocab, bench.train, peer_file, 2)
    best = min(theirs["seconds"])
    say(f"  V={vocab:<6} ours {seconds:6.2f} s {peak >> 20:6} MiB   peer {best:6.2f} s {their_peak >> 20:6} MiB   "
        f"{best / seconds:5.1f}x  memory 1/{their_peak / peak:.1f}")
    REPORT[f"train_{unit}_{vocab}"] = {"ours": seconds, "peer": theirs["seconds"], "our_peak": peak, "peer_peak": their_peak}
    (our_vocab, our_merges), (their_vocab, their_merges) = model_of(ours_file), model_of(peer_file)
    check(f"merges, V={vocab}, {unit}", our_merges == their_merges, first_difference(our_merges, their_merges))
    check(f"vocabulary, V={vocab}, {unit}", our_vocab == their_vocab and len(our_vocab) == vocab)


def part_encode(bench):
    megabytes = bench.train.stat().st_size / 1e6
    for name, tokenizer in (("V=32000", bench.work / "ours_file_32000.json"), ("V=2000", bench.work / "ours_file_2000.json")):
        out, their_out = bench.work / "ours.bin", bench.work / "peer.bin"
        seconds, peak, _ = bench.ours("encode", "--tokenizer", tokenizer, bench.train, "--out", out, times=5)
        theirs, their_peak = bench.peer("encode", tokenizer, bench.train, their_out, 2)
        best = min(min(times) for times in theirs["seconds"].values())
        REPORT[f"encode_{name}"] = {"ours": seconds, "peer": theirs["seconds"], "our_peak": peak, "peer_peak": their_peak}
        say(f"encode {name}: ours {seconds:.3f} s ({megabytes / seconds:.0f} MB/s, whole program, .bin written) {peak >> 20} MiB; "
            f"peer {best:.2f} s ({megabytes / best:.1f} MB/s, the call alone) {their_peak >> 20} MiB; {best / seconds:.1f}x")
        say("  peer, each: " + "; ".join(f"{k} {min(v):.2f} s" for k, v in theirs["seconds"].items()))
        check(f"ids, {name}", out.read_bytes() == their_out.read_bytes())
    for threads in (1, 2, 4, 8, 16):
        seconds, _, _ = bench.ours("encode", "--tokenizer", bench.work / "ours_file_32000.json", bench.train, "--out",
                                   bench.work / "ours.bin", "--threads", threads, times=2)
        trained, _, _ = bench.ours("train", "--vocab", 32000, "--out", bench.work / "t.json", bench.train, "--threads", threads)
        say(f"  ours on {threads:2} threads: encode {megabytes / seconds:5.0f} MB/s, train V=32000 {trained:.2f} s")
        REPORT[f"threads_{threads}"] = {"encode": seconds, "train": trained}


def gpt2_peers(bench):
    """Name and encoder of GPT-2 in each peer."""
    from tokenizers import models
    hugging = new_peer()
    hugging.model = models.BPE.from_file(str(bench.gpt2 / "vocab.json"), str(bench.gpt2 / "merges.txt"))
    yield "tokenizers", lambda text: hugging.encode(text, add_special_tokens=False).ids
    import tiktoken
    vocab = json.loads((bench.gpt2 / "vocab.json").read_text())
    ranks = {texts.bytes_of(token): rank for token, rank in vocab.items() if token != "<|endoftext|>"}
    encoding = tiktoken.Encoding("gpt2-local", pat_str=texts.GPT2, mergeable_ranks=ranks,
                                 special_tokens={"<|endoftext|>": 50256})
    yield "tiktoken", encoding.encode_ordinary


def part_gpt2(bench):
    for name, text in (("enwiki_valid", bench.valid.read_text("utf-8")), ("odd text", texts.odd_text())):
        file = bench.work / "gpt2_input.txt"
        file.write_bytes(text.encode())
        ours = bench.our_ids(bench.gpt2, file, "--specials-as-text")
        for peer, encode in gpt2_peers(bench):
            theirs = [i for piece in texts.pieces(text) for i in encode(piece)]
            check(f"GPT-2 ids of {name}, {peer}, {len(ours)} tokens", ours == theirs, first_difference(ours, theirs))


def part_cl100k(bench):
    import tiktoken
    from tokenizers import Tokenizer
    text = bench.valid.read_text("utf-8") + texts.odd_text()
    file = bench.work / "cl100k_input.txt"
    file.write_bytes(text.encode())
    ranks_file, json_file = bench.work / "cl100k.tiktoken", bench.work / "cl100k.json"
    common = ["train", "--vocab", 3000, "--pretokenizer", "cl100k", file]
    bench.ours(*common, "--out", ranks_file, "--format", "tiktoken")
    bench.ours(*common, "--out", json_file)
    peer = new_peer("cl100k")
    peer.train_from_iterator([text], new_trainer(3000))
    peer.save(str(bench.work / "cl100k_peer.json"))
    ours, theirs = model_of(json_file), model_of(bench.work / "cl100k_peer.json")
    check("merges, cl100k pattern", ours == theirs, first_difference(ours[1], theirs[1]))
    import base64
    ranks = {base64.b64decode(a): int(b) for a, b in (line.split() for line in ranks_file.read_text().splitlines())}
    encoding = tiktoken.Encoding("ours", pat_str=texts.CL100K, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 0})
    tik = encoding.encode(text, allowed_special="all")
    hugging = Tokenizer.from_file(str(json_file)).encode(text, add_special_tokens=False).ids
    from_json = bench.our_ids(json_file, file)
    from_ranks = bench.our_ids(ranks_file, file, "--pretokenizer", "cl100k", "--special", "<|endoftext|>=0")
    check(f"cl100k ids, tiktoken, {len(tik)} tokens", from_ranks == tik, first_difference(from_ranks, tik))
    check("cl100k ids, tokenizers with our file", from_json == hugging, first_difference(from_json, hugging))
    check("cl100k ids, our two files", from_json == from_ranks)


def part_unicode(bench):
    """Every code point behind a letter, a number and a sign: the ids tell its class."""
    from tokenizers import Tokenizer
    probe = bench.work / "probe.json"
    probe.write_text(json.dumps(texts.probe_tokenizer()))
    lines = texts.probe_lines()
    file = bench.work / "probe.txt"
    file.write_bytes("".join(lines).encode())
    ours = bench.our_ids(probe, file, "--unit", "line")
    theirs = [e.ids for e in Tokenizer.from_file(str(probe)).encode_batch(lines, add_special_tokens=False)]
    compare_probe("tokenizers", ours, theirs)
    import tiktoken
    ranks = texts.probe_ranks()
    encoding = tiktoken.Encoding("probe", pat_str=texts.GPT2, mergeable_ranks=ranks, special_tokens={})
    compare_probe("tiktoken", ours, encoding.encode_ordinary_batch(lines))


def compare_probe(peer, ours, theirs):
    """Every line ends in the id of the line end, 10, which stands nowhere else."""
    ends = [at + 1 for at, i in enumerate(ours) if i == 10]
    our_lines = [ours[first:end] for first, end in zip([0] + ends, ends)]
    wrong = [c for c, a, b in zip(texts.probe_code_points(), our_lines, theirs) if a != list(b)]
    REPORT[f"unicode_{peer}"] = [len(wrong), wrong[:2000]]
    say(f"  class of {len(theirs)} code points, {peer}: {len(wrong)} differ (Unicode versions?) "
        + " ".join(f"U+{c:04X}" for c in wrong[:12]))


def part_specials(bench):
    from tokenizers import Tokenizer
    tokenizer = bench.work / "ours_file_2000.json"
    text = "one<|endoftext|> two  <|endoftext|>\n\n<|endoftext|><|endoftext|>three <|endoftext"
    file = bench.work / "special.txt"
    file.write_text(text)
    theirs = Tokenizer.from_file(str(tokenizer)).encode(text, add_special_tokens=False).ids
    ours = bench.our_ids(tokenizer, file)
    check("ids around special tokens", ours == theirs, first_difference(ours, theirs))


def part_fixtures(bench, out):
    """Small recorded values for tests/bpe/peer_test.cpp."""
    text = texts.odd_text()
    cases = []
    for pretokenizer in ("gpt2", "cl100k", "none"):
        for unit in ("file", "line"):
            peer = new_peer(pretokenizer)
            sequences = text.splitlines(keepends=True) if unit == "line" else [text]
            if unit == "line":
                sequences = [line + "\n" for line in text.split("\n")[:-1]] + [text.split("\n")[-1]]
            peer.train_from_iterator([s for s in sequences if s], new_trainer(600))
            saved = bench.work / "fixture.json"
            peer.save(str(saved))
            ids = [i for s in sequences if s for i in peer.encode(s, add_special_tokens=False).ids]
            cases.append({"pretokenizer": pretokenizer, "unit": unit, "vocab": 600, "merges": model_of(saved)[1], "ids": ids})
    recorded = {"peers": REPORT.get("versions", []), "text": text, "cases": cases}
    for peer, encode in gpt2_peers(bench):
        recorded[f"gpt2_ids_{peer}"] = encode(text)
    (out / "bpe_peer.json").write_text(json.dumps(recorded, separators=(",", ":")) + "\n")
    say(f"recorded {len(cases)} trainings of {len(text.encode())} bytes")


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shm = pathlib.Path("/dev/shm")
    roomy = shm.is_dir() and shutil.disk_usage(shm).free > 2 << 30
    with tempfile.TemporaryDirectory(dir=shm if roomy else None) as work:
        bench = Bench(folder, pathlib.Path(work))
        parts = [("machine", lambda: part_machine(bench)), ("fixtures", lambda: part_fixtures(bench, out)),
                 ("gpt2", lambda: part_gpt2(bench)), ("train by lines", lambda: part_train(bench, "line")),
                 ("train by files", lambda: part_train(bench, "file")), ("encode", lambda: part_encode(bench)),
                 ("cl100k", lambda: part_cl100k(bench)), ("special", lambda: part_specials(bench)),
                 ("unicode", lambda: part_unicode(bench))]
        for name, part in parts:
            attempt(name, part)
            (out / "report.txt").write_text("\n".join(LINES) + "\n")
            (out / "report.json").write_text(json.dumps(REPORT, indent=1) + "\n")
    say("all same" if not BAD else f"{len(BAD)} wrong: {'; '.join(BAD)}")
    (out / "report.txt").write_text("\n".join(LINES) + "\n")
    return 1 if BAD else 0


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        print(json.dumps(CHILDREN[sys.argv[2]](*sys.argv[3:])))
    else:
        sys.exit(main())
