"""The record of one class: its form, what it was checked against, and what a file may not say."""
import collections
import os
import random
import signal
import time
import traceback

from deriver import Deriver
from library import BaseConfig, COMMON, CONFIG_MAPPING, Shapes, inject_all_new, model_class
from parts import part_of
from points import IGNORED, environment, int_keys, set_path, with_all
from symbols import keys_in



def record_of(model_type, deadline, held_out=12):
    d = Deriver(model_type, deadline)
    d.defaults0 = dict(d.defaults)
    rec = {"type": model_type, "class": d.cls.__name__}
    base, w = d.derive()
    rec["default_count"] = base.count
    rec["predicted_default"] = d.predict(base)
    tests = d.held_out(held_out)
    for changed, count, said in tests:
        if isinstance(said, int):
            continue
    used = set()
    for g, m, lits in d.form:
        for e in g[1]:
            keys_in(e, used)
        if isinstance(m, tuple) and m[0] == "count":
            used.add(m[1])
        else:
            keys_in(m, used)
        for (kind, what, at), _ in lits:
            used.update(keys_in(what))
    env = environment(d.defaults0)
    for e in d.follows.values():
        keys_in(e, used)
    rec["follows"] = d.follows
    rec["required"] = d.required
    rec["form"] = [[g[0], g[1], m, lits] for g, m, lits in d.form]
    rec["keys"] = {k: env.get(k) for k in sorted(used)}
    rec["loops"] = d.loops
    rec["relevant"] = [l for l, _ in d.relevant]
    rec["unvaried"] = d.unvaried
    rec["bad_pairs"] = d.bad_pairs
    rec["tests"] = tests
    rec["attribute_map"] = {**d.config_class.attribute_map}
    lists = {p: base.lists[p] for p in base.lists if p in used}
    rec["lists"] = lists
    if lists:
        rec["list_defaults"] = {}
        for k in d.loops:
            for v in list(range(1, 26)) + [32, 48]:
                q = d.try_point(set_path(d.w.values, k, v))
                if q:
                    rec["list_defaults"].setdefault(k, []).append([v, {p: q.lists.get(p) for p in lists}])
    finish(rec, d, base, w, used)
    rec["builds"] = d.builds
    return rec


def fixed_record(model_type, deadline, held_out=8):
    """A form with the numbers of layers as they are by default: keys that change anything else must have their values."""
    d = Deriver(model_type, deadline)
    d.defaults0 = dict(d.defaults)
    base = d.base()
    d.follows, d.loops, d.relevant, d.harmless = {}, [], [], []
    d.w = w = base
    d.form = [[(pattern, shape[1:] if shape[:1] == ("?",) else shape), n, []] for (pattern, shape), n in w.n.items()]
    free, fixed = [], {}
    keys = [k for k in int_keys(w.values) if not IGNORED.search(k if k in w.values else k.rpartition(".")[0])
            and (d.is_read(k if k in w.values else k.rpartition(".")[0], w))]
    in_dims = {k for g, _, _ in d.form for e in g[1] for k in keys_in(e)}
    keys.sort(key=lambda k: (k not in in_dims, k))
    end = d.deadline - 3
    for k in keys:
        verdict = None
        if time.time() < end and (k in in_dims or len(keys) < 60):
            for v in (2 * w.env[k], w.env[k] + 1, w.env[k] // 2):
                p = d.try_point(set_path(w.values, k, v)) if v != w.env[k] else None
                if p:
                    try:
                        verdict = d.predict(p) == p.count
                    except Exception:
                        verdict = False
                    if not verdict or v == w.env[k] + 1:
                        break
        if verdict:
            free.append(k)
        else:
            owner = k if k in w.values else k.rpartition(".")[0]
            fixed[owner] = w.values[owner]
    for (kind, path, at), changes in d.flips(w):
        ok = None
        if time.time() < end:
            for change in changes:
                p = d.try_point(with_all(w.values, change))
                if p:
                    ok = p.n == w.n
                    break
        if not ok:
            fixed[path] = at
    tests, random_, tries = [], random.Random(model_type), 0
    while len(tests) < held_out and tries < 4 * held_out and free and time.time() < d.deadline - 1:
        tries += 1
        values = w.values
        for k in free:
            owner = k if k in values else k.rpartition(".")[0]
            if owner not in fixed and w.env[k] >= 8 and random_.random() < 0.4:
                values = set_path(values, k, w.env[k] * random_.choice((2, 3)) if random_.random() < 0.8 else w.env[k] // 2)
        if values == w.values:
            continue
        p = d.try_point(values)
        if p:
            try:
                said = d.predict(p)
            except Exception as e:
                said = str(e)
            tests.append(({k: v for k, v in p.values.items() if v != d.defaults0.get(k)}, p.count, said))
    rec = {"type": model_type, "class": d.cls.__name__, "mode": "fixed", "default_count": base.count, "predicted_default": d.predict(base)}
    env = environment(d.defaults0)
    used = {k for g, _, _ in d.form for e in g[1] for k in keys_in(e)}
    merged = collections.Counter()
    for g, m, _ in d.form:
        merged[(part_of(g[0]), g[1])] += m
    rec["form"] = [["part:" + part, list(shape), n, []] for (part, shape), n in merged.items()]
    rec["keys"] = {k: env.get(k) for k in sorted(used)}
    rec.update(follows={}, required=d.required, loops=[], relevant=[], unvaried=[], bad_pairs=[], tests=tests, lists={},
               equal=fixed, attribute_map={**d.config_class.attribute_map}, builds=d.builds)
    finish(rec, d, base, w, used)
    return rec


def finish(rec, d, base, w, used):
    rec["guards"] = [[list(k), v] for k, v in w.guards.items() if not any(IGNORED.search(x) for x in keys_in(k[1]) | keys_in(k[2]))]
    read = sorted(a + b for a, b in d.all_read)
    rec["fixed"] = {k: v for k, v in d.defaults0.items() if k in set(read) and k not in used and not IGNORED.search(k)
                    and not isinstance(v, (bool, int, float)) and isinstance(v, (str, list, tuple, dict))}
    rec["fixed"].update({k: None for k in read if k in d.defaults0 and d.defaults0[k] is None and k not in used and k not in d.considered
                         and not IGNORED.search(k)})
    rec["fields"] = sorted(d.defaults0)
    rec["all_defaults"] = {k: v for k, v in d.defaults0.items() if (k in set(read) or k in d.effective) and (v is None or isinstance(v, (bool, int, float, str, list, tuple)))}
    rec["labels"] = sorted(a for a, b in d.all_read if b in ("num_labels", "id2label"))
    rec["nested"] = {k: v for k, v in d.nested.items() if isinstance(v, (bool, int, float, str, list, tuple)) or v is None}
    rec["sub_types"] = {}

    def subs(config, prefix):
        for name, value in config.__dict__.items():
            if isinstance(value, BaseConfig):
                rec["sub_types"][prefix + name] = value.model_type
                subs(value, prefix + name + ".")
    subs(d.template, "")
    rec["read"] = [k for k in read if k in d.defaults0]
    # Names that the class asks for although they are no fields, words of lists, other names of keys.
    rec["asked"] = [k for k in read if k not in d.defaults0 and k not in environment(d.defaults0) and not hasattr(BaseConfig, k.rpartition(".")[2])
                    and k.rpartition(".")[2] not in COMMON and k not in rec["sub_types"] and not any(t.startswith(k + ".") for t in d.defaults0)]
    rec["words"] = {path: sorted(set(base.lists.get(path, [])) | set(w.lists.get(path, []))) for path in {**base.lists, **w.lists}}
    rec["aliases"] = {}

    def names(config, prefix):
        for alias, key in type(config).attribute_map.items():
            rec["aliases"][prefix + alias] = prefix + key
        for name, value in config.__dict__.items():
            if isinstance(value, BaseConfig):
                names(value, prefix + name + ".")
    names(d.template, "")


def good(rec):
    return "form" in rec and rec["predicted_default"] == rec["default_count"] and bool(rec["tests"]) and all(t[1] == t[2] for t in rec["tests"])


def alarm(*_):
    raise TimeoutError("watchdog")


def work(job):
    model_type, end, per_class = job
    start = time.time()
    if start > end - 2:
        return {"type": model_type, "error": "no time left"}
    signal.signal(signal.SIGALRM, alarm)
    signal.alarm(int(min(per_class, end - start)) + 1)
    rec = {"type": model_type}
    try:
        rec = record_of(model_type, min(end, start + 0.6 * per_class) - 1)
    except BaseException as e:
        where = traceback.extract_tb(e.__traceback__)[-1]
        rec = {"type": model_type, "error": f"{type(e).__name__}: {str(e)[:300]}", "where": f"{os.path.basename(where.filename)}:{where.lineno}"}
    first = rec
    try:
        if not good(rec) and "no model class" not in rec.get("error", "") and "cannot be built" not in rec.get("error", ""):
            second = fixed_record(model_type, min(end, start + per_class) - 1)
            second["first"] = rec.get("error") or [t for t in rec["tests"] if t[1] != t[2]][:2]
            if "form" not in rec or good(second):
                rec = second
    except BaseException as e:
        rec["second_error"] = f"{type(e).__name__}: {str(e)[:200]}"
    if "form" not in rec:
        try:
            signal.alarm(10)
            cls = model_class(model_type, CONFIG_MAPPING[model_type])
            rec["class"] = cls.__name__
            template = CONFIG_MAPPING[model_type]()
            inject_all_new()
            with Shapes():
                model = cls(template)
            rec["default_count"] = sum(p.numel() for p in {id(p): p for p in model.parameters()}.values())
        except BaseException as f:
            rec["default_error"] = f"{type(f).__name__}: {str(f)[:200]}"
    signal.alarm(0)
    rec["seconds"] = round(time.time() - start, 2)
    return rec
