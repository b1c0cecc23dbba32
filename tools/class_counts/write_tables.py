#!/usr/bin/env python3
"""tools/class_counts/write_tables.py RESULTS.json.gz TABLE FIXTURE [REASONS]: what derive.py found, as the files of this tree.

TABLE (data/class_counts.jsonl): one line per configuration class, its parameters as expressions in its keys.
FIXTURE (tests/fixtures/audit/class_counts.jsonl): configurations with the parameters that the library made of them.
REASONS (docs): the classes that are not in the table, and why.
"""
import collections
import gzip
import itertools
import json
import re
import sys

from parts import IGNORED, part_of
from symbols import evaluate, keys_in

HARMLESS = set("use_cache transformers_version".split())
RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 3}
TESTS = 4  # drawn configurations of a class in the fixture


def text(e, outer=0, right=False):
    """An expression as Python writes it."""
    if isinstance(e, bool) or e is None:
        raise ValueError(e)
    if isinstance(e, str):
        return e
    if isinstance(e, float):
        return repr(e)
    if isinstance(e, int):
        return str(e) if e >= 0 else f"({e})"
    op, rest = e[0], e[1:]
    if op in RANK:
        rank = RANK[op]
        out = f"{text(rest[0], rank, op == '**')}{op}{text(rest[1], rank, op != '**')}"
        return f"({out})" if rank < outer or (rank == outer and right) else out
    return f"{op}({','.join(text(x) for x in rest)})"


def simple(e):
    """The same with what cancels gone."""
    if not isinstance(e, list) or e[0] == "count":
        return e
    e = [e[0]] + [simple(x) for x in e[1:]]
    op, a, b = e[0], e[1], e[2] if len(e) > 2 else None
    number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool)
    if len(e) == 3 and number(a) and number(b) and op in ("+", "-", "*"):
        return evaluate(e, {})
    if op == "//" and a == b:
        return 1
    if op == "%" and (a == b or b == 1):
        return 0
    if op == "*" and 1 in (a, b) and not isinstance(a, bool):
        return b if a == 1 else a
    if op == "+" and 0 in (a, b):
        return b if a == 0 else a
    if op in ("-", "//") and b == (0 if op == "-" else 1):
        return a
    if op == "//" and isinstance(a, list) and a[0] == "*" and b in (a[1], a[2]):
        return a[1] if a[2] == b else a[2]
    return e


def factors(e):
    """The factors of a product."""
    return factors(e[1]) + factors(e[2]) if isinstance(e, list) and e[0] == "*" else [e]


def product_of(shape):
    """A product as (number, text)."""
    number, words = 1, []
    for d in shape:
        for f in factors(simple(d)):
            if isinstance(f, int):
                number *= f
            else:
                words.append(text(f, 2, True))
    return number, "*".join(sorted(words))


def flat(values):
    out = {}
    for path, value in values.items():
        out[path] = value
        if isinstance(value, list):
            for i, x in enumerate(value):
                out[f"{path}.{i}"] = x
                if isinstance(x, list):
                    for j, y in enumerate(x):
                        out[f"{path}.{i}.{j}"] = y
    return out


def literal(lit):
    """A condition of a term: [key, value, is] or [comparison, truth]."""
    (kind, what, at), flipped = lit
    return [what, at, not flipped] if kind == "is" else [f"{text(what[1])} {what[0]} {text(what[2])}", at != flipped]


def multiplicity(m):
    if isinstance(m, list) and m and m[0] == "count":
        out = f"count({m[1]},{'|'.join(m[2])})"
        return out if m[3] == 1 else f"{m[3]}*{out}"
    return text(simple(m), 2)


def terms_of(form):
    sums = collections.OrderedDict()
    for pattern, shape, m, lits in sorted(form, key=lambda f: (f[0], str(f[1:]))):
        part = pattern[5:] if pattern.startswith("part:") else part_of(pattern)
        key = (part, multiplicity(m), json.dumps([literal(x) for x in lits]))
        number, product = product_of(shape)
        sums.setdefault(key, collections.Counter())[product] += number
    out = []
    for (part, m, lits), products in sums.items():
        words = [str(n) if not product else product if n == 1 else f"{n}*{product}" for product, n in sorted(products.items()) if n]
        if not words:
            continue
        inner = "+".join(words)
        expression = inner if m == "1" else m if inner == "1" else f"{m}*{inner}" if len(words) == 1 else f"{m}*({inner})"
        conditions = json.loads(lits)
        out.append([part, expression] + ([conditions] if conditions else []))
    return out


def good(rec):
    return "form" in rec and rec["predicted_default"] == rec["default_count"] and bool(rec["tests"]) and all(t[1] == t[2] for t in rec["tests"])


def explored(rec):
    """The simple comparisons that the deriver tried to turn."""
    out, used = set(), 0
    if rec.get("mode") == "fixed":
        return out
    for (op, a, b), _ in rec["guards"]:
        keys = keys_in(a, set()) | keys_in(b, set())
        if not keys or used >= 16 or keys <= set(rec["loops"]):
            continue
        if isinstance(b, str) and not isinstance(a, str):
            a, b = b, a
        if not isinstance(a, str) or isinstance(b, list) or isinstance(b, float):
            continue
        used += 1
        out.add(json.dumps([op, a, b]))
        out.add(json.dumps([{"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op), b, a]))
    return out


def holds_of(rec, defaults):
    """Comparisons that must come out as they did."""
    done, out = explored(rec), []
    envs = []
    for changed, count, said in rec["tests"]:
        if count == said:
            envs.append({**flat(defaults), **flat(changed)})
    for (op, a, b), truth in rec["guards"]:
        keys = keys_in(a, set()) | keys_in(b, set())
        if not keys or keys <= set(rec["loops"]) or json.dumps([op, a, b]) in done:
            continue
        if any(k not in flat(defaults) for k in keys):
            continue
        try:
            if any(bool(evaluate([op, a, b], env)) != truth for env in envs if all(env.get(k) is not None for k in keys)):
                continue
        except (ArithmeticError, TypeError):
            continue
        a, b = simple(a), simple(b)
        if keys_in(a, set()) | keys_in(b, set()):
            out.append([f"{text(a)} {op} {text(b)}", truth])
    for kind, what, at in rec["unvaried"]:
        if kind == "cmp":
            out.append([f"{text(what[1])} {what[0]} {text(what[2])}", at])
    unique = []
    for x in out:
        if x not in unique:
            unique.append(x)
    return unique


def list_rules(rec, path):
    """Ways in which the library may fill a list of layer names that is not given, the simplest first."""
    for key, rows in rec.get("list_defaults", {}).items():
        rows = [(v, lists.get(path)) for v, lists in rows]
        rows = [(v, names) for v, names in rows if names]
        if len(rows) < 5 or any(len(names) != v for v, names in rows):
            continue
        longest = max(rows)[1]
        if any(names != longest[:v] for v, names in rows):
            continue
        for start in range(len(longest) // 2):
            tail = longest[start:]
            period = next((p for p in range(1, min(17, len(tail) // 2 + 1)) if all(x == tail[i % p] for i, x in enumerate(tail))), None)
            if period is None:
                continue
            rule = {"key": key, "period": tail[:period]}
            if start:
                rule["start"] = longest[:start]
            yield rule
            if start and len(set(rule["start"])) == 1:
                for first in rec["all_defaults"]:
                    if isinstance(rec["all_defaults"][first], int) and re.search(r"first|dense|start", first):
                        yield {**rule, "start": longest[:1], "first": first}
            break
    if all(rec["lists"][path] == names.get(path) for rows in rec.get("list_defaults", {}).values() for _, names in rows):
        yield {"list": rec["lists"][path]}


def layers_by(rule, env):
    """The list that a rule gives, or nothing."""
    if "list" in rule:
        return rule["list"]
    if "period" not in rule:
        return None
    start = rule.get("start", [])
    if "first" in rule:
        start = start * env[rule["first"]]
    n = env[rule["key"]]
    return [start[i] if i < len(start) else rule["period"][(i - len(start)) % len(rule["period"])] for i in range(n)]


class Refused(Exception):
    pass


class Given(dict):
    """The keys of a file as a line of the table sees them."""

    def __init__(self, row, changes):
        super().__init__({**flat(row["keys"]), **flat(changes)})
        self.row = row
        for path, value in changes.items():
            if value in (0, False) and row["keys"].get(path, 1) is None:
                raise Refused(path)

    def __missing__(self, key):
        return None

    def number(self, e):
        if isinstance(e, str):
            value = self.get(e)
            if value is None and e in self.row.get("rules", {}):
                return self.number(self.row["rules"][e])
            if value is None:
                raise Refused(e)
            return value
        if not isinstance(e, (list, tuple)):
            return e
        return evaluate([e[0]] + [self.number(x) for x in e[1:]], {})


def names_of(rec):
    """Other names of keys: of two names the one that is a field is the key."""
    fields = set(rec["fields"])
    return {(k if a in fields else a): (a if a in fields else k) for a, k in rec["aliases"].items() if a != k and not (a in fields and k in rec["all_defaults"] and k in rec["keys"])}


def from_file(rec, lists, changes):
    """What the table says of a file with these changes; nothing where it says that it does not know."""
    aliases = names_of(rec)
    if any(k in aliases and isinstance(v, bool) for k, v in changes.items()):
        return None
    changes = {aliases.get(k, k): v for k, v in changes.items()}
    try:
        given = Given({"keys": {**rec["all_defaults"], **rec["keys"]}, "rules": rec["follows"]}, changes)
        total = 0
        for pattern, shape, m, conditions in rec["form"]:
            truth = [((given.get(what) in ((None, []) if at is None else (at,))) if kind == "is" else given.number(what) == at) != flipped
                     for (kind, what, at), flipped in conditions]
            if not all(truth):
                continue
            if isinstance(m, list) and m[0] == "count":
                names = changes.get(m[1]) or (layers_by(lists[m[1]], given) if m[1] in lists else None)
                if names is None:
                    return None
                n = m[3] * sum(x in m[2] for x in names)
            else:
                n = given.number(m)
            for d in shape:
                n *= given.number(d)
            total += n
        return total
    except Refused:
        return None


def choose_lists(rec):
    """Rules for the lists of a class with which every configuration that was drawn comes out; the least said otherwise."""
    tests = [({}, rec["default_count"])] + [(c, n) for c, n, _ in rec["tests"]]
    options = [[*list_rules(rec, path), {"key": next(iter(rec.get("list_defaults", {})), "")}] for path in rec["lists"]]
    for some in itertools.product(*options):
        lists = dict(zip(rec["lists"], some))
        if all(from_file(rec, lists, {**rec["required"], **c}) in (n, None) for c, n in tests):
            return lists
    return None


def finite(value):
    """Whether JSON can hold it."""
    try:
        json.dumps(value, allow_nan=False)
        return True
    except ValueError:
        return False


def row_of(rec, generic):
    defaults = rec["all_defaults"] if "all_defaults" in rec else {}
    defaults = {**defaults, **rec["keys"], **rec["fixed"], **rec.get("equal", {})}
    used = set(rec["keys"])
    owners = {k.rpartition(".")[0] for k in used if k.rpartition(".")[2].isdigit()}
    owners |= {o.rpartition(".")[0] for o in owners if o.rpartition(".")[2].isdigit()}
    only, lengths = {}, {}
    varied = {path for changed, n, said in rec["tests"] for path, value in changed.items()
              if isinstance(value, list) and value != rec["fixed"].get(path) and n == said}
    for path, value in {**rec["fixed"], **rec.get("equal", {}), **rec.get("nested", {})}.items():
        if path in owners or path in varied and isinstance(value, list):
            lengths[path] = len(value)
        elif not IGNORED.search(path) and finite(value):
            only[path] = value
    for owner in owners:
        lengths.setdefault(owner, None)
    for path, value in rec.get("equal", {}).items():
        if path not in owners:
            only[path] = value
    for kind, what, at in rec["unvaried"]:
        if kind == "is":
            only[what] = at
    for path in list(only):
        if path in rec["keys"] and not (rec.get("mode") == "fixed"):
            if not any(x[0] == "is" and x[1] == path for x in rec["unvaried"]):
                del only[path]
    row = {"class": rec["class"], "type": rec["type"], "keys": {k: v for k, v in rec["keys"].items() if not isinstance(v, (list, dict))}}
    targets = used | set(only)
    aliases = {a: k for a, k in names_of(rec).items() if k in targets}
    optional = {
        "follows": {k: text(e) for k, e in rec["follows"].items()},
        "aliases": aliases,
        "needs": sorted(rec["required"]),
        "only": only,
        "lengths": {k: v for k, v in lengths.items() if v is not None},
        "holds": holds_of(rec, defaults),
        "words": {k: v for k, v in rec.get("words", {}).items() if k not in rec["lists"]},
        "lists": {k: {**rec["chosen"][k], "words": sorted(set(rec.get("words", {}).get(k, [])) | set(rec["lists"][k]))} for k in rec["lists"]},
        "types": rec["sub_types"],
        "labels": bool(rec.get("labels")),
        "asks": [k for k in rec.get("asked", []) if k.rpartition(".")[2] not in generic and not IGNORED.search(k)],
        "apart": [json.loads(x) for x in sorted({json.dumps(sorted(literal([a, True]) for a in group)) for group in rec["bad_pairs"]})],
    }
    row.update({k: v for k, v in optional.items() if v})
    known = set(row["keys"]) | owners | set(only) | set(row.get("lengths", {})) | set(row.get("words", {})) | set(row.get("lists", {})) | set(aliases) | set(row.get("asks", []))
    others = [k for k in rec.get("fields", []) if k not in known and not IGNORED.search(k) and k.rpartition(".")[2] not in HARMLESS]
    others += [a for a in rec.get("aliases", {}) if a not in known and a.rpartition(".")[2] not in HARMLESS and not IGNORED.search(a)]
    if others:
        row["others"] = " ".join(sorted(set(others)))
    for path in {k for words, _ in row.get("holds", []) for k in re.findall(r"[A-Za-z_][\w.]*", words)}:
        if path in flat(defaults) and path not in row["keys"] and path not in only:
            row["keys"][path] = flat(defaults)[path]
    row["keys"] = dict(sorted(row["keys"].items()))
    row["terms"] = terms_of(rec["form"])
    return row


def nested(changes, lists):
    """Changes by path as the object of a config.json."""
    out = {}
    for path, value in changes.items():
        at, words = out, path.split(".")
        for word in words[:-1]:
            at = at.setdefault(word, {})
        at[words[-1]] = value
    return out


def fixture_of(rec, row):
    rows = [{"type": rec["type"], "class": rec["class"], "config": nested(rec["required"], {}), "parameters": rec["default_count"]}]
    seen = {json.dumps(rows[0]["config"])}
    for changed, count, said in rec["tests"]:
        if any(path in row.get("only", {}) and value != row["only"][path] or path in row.get("words", {})
               or path in row.get("lists", {}) and not isinstance(value, list) for path, value in changed.items()):
            continue
        try:
            config = nested({**rec["required"], **changed}, {})
        except TypeError:  # a flag and a network of one name
            continue
        if json.dumps(config, sort_keys=True) in seen or len(rows) > TESTS or from_file(rec, rec["chosen"], {**rec["required"], **changed}) is None:
            continue
        seen.add(json.dumps(config, sort_keys=True))
        rows.append({"type": rec["type"], "config": config, "parameters": count})
    return rows


def main():
    data = json.load(gzip.open(sys.argv[1]))
    records = data["records"]
    asked = collections.Counter(k.rpartition(".")[2] for r in records if "form" in r for k in {x.rpartition(".")[2]: x for x in r.get("asked", [])}.values())
    derived = [r for r in records if "form" in r]
    generic = {k for k, n in asked.items() if n > 0.25 * len(derived)} | {"tie_word_embeddings", "vocab_size", "text_config", "decoder", "generator", "gradient_checkpointing", "quantization_config"}
    rows = []
    for r in records:
        if good(r):
            r["chosen"] = choose_lists(r)
            if r["chosen"] is None:
                r["error"] = "a rule of its configuration is not explained"
            elif from_file(r, r["chosen"], r["required"]) != r["default_count"]:
                r["error"] = "how it fills the list of its layers is not explained"
            else:
                rows.append(r)
    with open(sys.argv[2], "w") as f:
        for r in rows:
            f.write(json.dumps(row_of(r, generic), separators=(",", ":"), allow_nan=False) + "\n")
    with open(sys.argv[3], "w") as f:
        for r in rows:
            for line in fixture_of(r, row_of(r, generic)):
                f.write(json.dumps(line, separators=(",", ":")) + "\n")
    print(len(rows), "classes;", sum(r.get("mode") == "fixed" for r in rows), "with fixed numbers of layers; generic names:", sorted(generic))
    if len(sys.argv) > 4:
        with open(sys.argv[4], "w") as f:
            for r in records:
                if r not in rows:
                    f.write(json.dumps({"type": r["type"], "class": r.get("class"), "why": r.get("error", "")[:200], "default_count": r.get("default_count"), "default_error": r.get("default_error")}) + "\n")


if __name__ == "__main__":
    main()
