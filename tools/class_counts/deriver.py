"""From builds of one class to its parameters as expressions in the keys of its configuration."""
import collections
import itertools
import json
import math
import random
import time

import library
from checking import Checking
from fitting import Fitting
from library import (BaseConfig, COMMON, CONFIG_MAPPING, build, defaults, fields_of, inject_all_new, model_class)
from points import (Failure, GENERIC, IGNORED, Point, SIZES, environment, int_keys, set_path, with_all)
from symbols import evaluate, keys_in, simplify, substitute



class Deriver(Fitting, Checking):
    """The form of one configuration class: its tensors as expressions, and the conditions under which they are there."""

    def __init__(self, model_type, deadline):
        self.type, self.deadline = model_type, deadline
        self.config_class = CONFIG_MAPPING[model_type]
        self.cls = model_class(model_type, self.config_class)
        if self.cls is None:
            raise Failure("no model class")
        self.template = self.config_class()
        inject_all_new()
        self.defaults = defaults(self.template)
        library.SHALLOW = False
        self.effective = set()
        self.required, self.nested, self.shallow, self.extra, self.considered, self.all_read = {}, {}, False, [], set(), set()
        self.builds = 0

    def point(self, values):
        if time.time() > self.deadline:
            raise TimeoutError("time")
        self.builds += 1
        p = Point(values, build(self.cls, self.template, values))
        self.all_read |= p.read
        return p

    def try_point(self, values):
        try:
            return self.point(values)
        except TimeoutError:
            raise
        except Exception:
            return None

    def base(self):
        try:
            return self.point(self.defaults)
        except TimeoutError:
            raise
        except Exception as e:
            for shallow in (False, True):
                if shallow and not any("." in k for k in self.defaults):
                    break
                library.SHALLOW = shallow
                for repair in itertools.chain([{}] if shallow else [], self.repairs()):
                    p = self.try_point(with_all(self.defaults, repair))
                    if p:
                        self.required = repair
                        self.defaults = with_all(self.defaults, repair)
                        self.shallow = shallow
                        if shallow:
                            self.nested = {k: v for k, v in self.defaults.items() if "." in k}
                            self.defaults = {k: v for k, v in self.defaults.items() if "." not in k}
                            self.defaults0 = dict(self.defaults)
                            p = Point(self.defaults, build(self.cls, self.template, self.defaults))
                        return p
            library.SHALLOW = False
            raise Failure(f"cannot be built from defaults: {type(e).__name__}: {str(e)[:200]}")

    def repairs(self):
        d = self.defaults
        singles = []
        for path, value in d.items():
            if value is not None:
                continue
            prefix, name = path.rpartition(".")[0], path.rpartition(".")[2]
            at = lambda k: d.get((prefix + "." if prefix else "") + k)
            if name == "head_dim" and at("hidden_size") and at("num_attention_heads"):
                singles.append({path: at("hidden_size") // at("num_attention_heads")})
            elif name == "num_key_value_heads" and at("num_attention_heads"):
                singles.append({path: at("num_attention_heads")})
            elif name == "prediction_length":
                singles.append({path: 24})
            elif name == "n_routed_experts":
                singles.append({path: 8})
            elif name == "vocab_size":
                singles.append({path: 33})
        if "is_decoder" in d:
            singles.append({"is_decoder": True})
        yield from singles
        if len(singles) > 1:
            yield {k: v for s in singles for k, v in s.items()}

    def asked_flags(self, base):
        """Flags that the class asks for although they are no fields: as what it takes them when they are absent."""
        for prefix, name in sorted(base.read):
            path = prefix + name
            if path in self.defaults or hasattr(BaseConfig, name) or name in COMMON or name in GENERIC or SIZES.match(name) \
                    or IGNORED.search(path) or any(t.startswith(path + ".") for t in self.defaults) or isinstance(base.env.get(path), BaseConfig):
                continue
            on, off = (self.try_point({**self.defaults, path: v}) for v in (True, False))
            if on is None or off is None:
                continue
            if on.n == base.n:
                value = True
            elif off.n == base.n:
                value = False
            else:
                continue
            self.defaults[path] = self.defaults0[path] = value
            self.extra.append(path)
            base = on if value else off
        return base

    # A smaller point to work at: few layers.
    def work_point(self, base):
        loops = sorted(k for k in base.ranges if isinstance(k, str) and isinstance(base.env.get(k), int))
        small, values = itertools.count(5), dict(self.defaults)
        for k in loops:
            if base.env[k] > 8:
                values = set_path(values, k, next(small))
        p = self.try_point(values)
        if p:
            return p
        values = dict(self.defaults)
        for k in loops:
            if base.env[k] > 8:
                new = self.try_point(set_path(values, k, 6)) or self.try_point(set_path(values, k, 8)) or self.try_point(set_path(values, k, 12))
                if new:
                    values = new.values
        return self.try_point(values) or base

    def is_read(self, path, point):
        prefix, _, name = path.rpartition(".")
        return path in self.effective or ((prefix + "." if prefix else ""), name) in point.read

    def find_effective(self, w):
        """Keys that only the configuration itself reads, where they change its tensors or its lists of layers."""
        for path, value in w.values.items():
            if self.is_read(path, w) or IGNORED.search(path) or not isinstance(value, (bool, int)):
                continue
            for other in ((not value,) if isinstance(value, bool) else (value + 1, 2 * value)):
                p = self.try_point(set_path(w.values, path, other))
                if p:
                    if p.n != w.n or p.lists != w.lists:
                        self.effective.add(path)
                    break

    def give_defaults(self, w):
        """Keys that are null and then follow from others: their expressions; the point with all of them given."""
        self.follows = {}
        for (kind, path, at), changes in self.flips(w):
            if at is not None:
                continue
            for change in changes:
                p = self.try_point(with_all(w.values, change))
                if p is None:
                    continue
                used = {k for (_, shape) in p.n for e in shape for k in keys_in(e)}
                if path not in used and path in p.ranges:
                    found = next((k for k in sorted(map(str, w.ranges)) if isinstance(w.env.get(k), int) and self.same_loops(w, path, k)), None)
                    if found is not None:
                        self.follows[path] = found
                        w = self.point(set_path(w.values, path, w.env[found]))
                    break
                if path not in used and not any(path in keys_in(r) for r in p.ranges):
                    break
                found = next((e for e in self.sub_expressions(w) if e != path and self.same_but(p, w, path, e)), None)
                if found is not None:
                    self.follows[path] = found
                    w = p
                else:
                    w = self.follow_by_value(w, path) or w
                break
        return w

    def follow_by_value(self, w, path):
        """The point with a key given as what it follows from, where that makes no difference."""
        numbers = lambda p: collections.Counter((pattern, tuple(evaluate(e, p.env) for e in shape) if shape[:1] != ("?",) else shape[1:], n)
                                                for (pattern, shape), n in p.n.items())
        for e in self.sub_expressions(w)[:60]:
            try:
                v = evaluate(e, w.env)
            except Exception:
                continue
            if not isinstance(v, int) or v <= 0 or e == path:
                continue
            p = self.try_point(set_path(w.values, path, v))
            if p is None or numbers(p) != numbers(w):
                continue
            checked = 0
            for k in sorted(keys_in(e)):
                for value in (2 * w.env[k], w.env[k] // 2):
                    values = set_path(w.values, k, value)
                    q = self.try_point(values)
                    try:
                        other = evaluate(e, environment(values))
                    except Exception:
                        continue
                    r = self.try_point(set_path(values, path, other)) if q and other != v else None
                    if r and numbers(r) == numbers(q):
                        checked += 1
                    elif q and other != v:
                        checked = -10
            if checked > 0:
                self.follows[path] = e
                return p
        return None

    def same_loops(self, w, path, key):
        for step in (0, 1):
            value = w.env[key] + step
            values = set_path(w.values, key, value)
            p, q = self.try_point(values), self.try_point(set_path(values, path, value))
            if p is None or q is None or p.n != q.n:
                return False
        return True

    def sub_expressions(self, w):
        out = {}

        def walk(e):
            if isinstance(e, (str, tuple)):
                out.setdefault(json.dumps(e), e)
            if isinstance(e, tuple):
                for x in e[1:]:
                    walk(x)
        for (_, shape) in w.n:
            if shape[:1] != ("?",):
                for e in shape:
                    walk(e)
        for r in w.ranges:
            walk(r)
        for k in int_keys(w.values):
            walk(k)
        return sorted(out.values(), key=lambda e: len(json.dumps(e)))

    def same_but(self, p, w, path, e):
        new = collections.Counter()
        for (pattern, shape), n in p.n.items():
            if shape[:1] != ("?",):
                shape = tuple(simplify(substitute(d, path, e)) for d in shape)
            new[(pattern, shape)] += n
        if new == w.n:
            return True
        # The same by value where it is written in another way.
        if {g[0]: n for g, n in new.items()} != {g[0]: n for g, n in w.n.items()} or len(new) != len({g[0] for g in new}):
            return False
        env = dict(w.env)
        shapes = {g[0]: g[1] for g in w.n}
        for scale in (1, 2, 3, 4):
            for k in env:
                if isinstance(w.env[k], int) and not isinstance(w.env[k], bool):
                    env[k] = w.env[k] * (scale + len(k) % 3 if scale > 1 else 1)
            try:
                for (pattern, shape) in new:
                    if shape[:1] == ("?",) or shapes[pattern][:1] == ("?",):
                        if shape != shapes[pattern]:
                            return False
                    elif [evaluate(d, env) for d in shape] != [evaluate(d, env) for d in shapes[pattern]]:
                        return False
            except Exception:
                return False
        return True

    def flips(self, w):
        """Changes that may change which tensors there are: (literal, truth at w, changes)."""
        out = []
        annotations = {}

        def collect(config, prefix):
            for name, f in fields_of(type(config)).items():
                annotations[prefix + name] = str(f.type)
                if isinstance(config.__dict__.get(name), BaseConfig):
                    collect(config.__dict__[name], prefix + name + ".")
        collect(self.template, "")
        annotations.update({k: "int | None" for k in self.extra})
        for path, value in w.values.items():
            if not self.is_read(path, w) or IGNORED.search(path):
                continue
            if isinstance(value, bool) or value is None and ("int" in annotations.get(path, "") or "bool" in annotations.get(path, "")):
                self.considered.add(path)
            if isinstance(value, bool):
                out.append((("is", path, value), [{path: not value}]))
            elif value is None and path in annotations:
                a = annotations[path]
                if "int" in a:
                    out.append((("is", path, None), [{path: v} for v in self.guesses(path, w)]))
                elif "bool" in a:
                    out.append((("is", path, None), [{path: True}]))
        return out

    def guesses(self, path, w):
        prefix, _, name = path.rpartition(".")
        at = lambda *ks: next((w.env[(prefix + "." if prefix else "") + k] for k in ks if isinstance(w.env.get((prefix + "." if prefix else "") + k), int)), 0)
        hidden, heads = at("hidden_size", "d_model", "n_embd", "dim", "embed_dim"), at("num_attention_heads", "n_head", "num_heads", "encoder_attention_heads")
        if "head_dim" in name or "head_size" in name:
            return [2 * hidden // heads if hidden and heads else 64, 64, hidden // heads if heads else 32]
        if "key_value_heads" in name or "kv_heads" in name:
            return [heads // 2 or 1, heads, 1]
        if "intermediate" in name or "ffn" in name or "inner" in name:
            return [3 * hidden or 128, 256]
        return [8, 16, 2, hidden or 4, 1]

    def derive(self):
        base = self.base()
        self.base_count = base.count
        self.extra = [a + b for a, b in base.read if SIZES.match(b) and a + b not in self.defaults
                      and not any(t.startswith(a + b + ".") for t in self.defaults)]
        if self.extra:
            self.defaults.update({k: None for k in self.extra})
            self.defaults0.update({k: None for k in self.extra})
            base = self.point(self.defaults)
        base = self.asked_flags(base)
        w = self.work_point(base)
        self.find_effective(w)
        w = self.give_defaults(w)
        self.resolve(w, None)
        loops = self.loop_keys(w)
        self.loops = loops
        form = [[g, m, []] for g, m in self.mode(w, loops).items()]
        relevant, self.fixed, self.unvaried, self.harmless = [], [], [], []
        candidates = [(lit, changes) for lit, changes in self.flips(w)] + self.guard_flips(w)
        for literal, changes in candidates:
            p = next((q for q in (self.try_point(with_all(w.values, c)) for c in changes) if q), None)
            if p is None:
                self.unvaried.append(literal)
                continue
            if p.n == w.n:
                self.harmless.append((literal, {k: p.values[k] if k in p.values else p.env[k] for k in changes[0]}))
                continue
            try:
                new = self.quick_mode(p, w, form) or self.mode(p, loops)
            except Failure as e:
                self.unvaried.append(literal)
                continue
            old = {g: m for g, m, lits in form if all(self.literal_holds(l, p.env) for l in lits)}
            same = self.predict_form([[g, m, []] for g, m in new.items()], p.env, p.lists) is not None and new == {g: m for g, m, lits in form if not any(l[1] for l in lits)}
            if same:
                continue
            self.newly_read(p, w)
            relevant.append((literal, {k: p.values[k] if k in p.values else p.env[k] for k in changes[0]}))
            now = {g: m for g, m, lits in form if not any(True for l in lits if l[1])}
            for entry in form:
                g, m, lits = entry
                if any(l[1] for l in lits):
                    continue  # belongs to another flip
                if new.get(g) != m:
                    lits.append((literal, False))
            for g, m in new.items():
                if not any(e[0] == g and e[1] == m and not any(l[1] for l in e[2]) for e in form):
                    form.append([g, m, [(literal, True)]])
                elif any(e[0] == g and e[1] == m and (literal, False) in e[2] for e in form):
                    pass
        self.relevant = relevant
        self.form, self.w = form, w
        self.pairs()
        return base, w

    def newly_read(self, p, w):
        """Flags that are read only where another is turned: they are turned together with it."""
        fresh = {a + b for a, b in p.read - w.read}
        seen = {lit[1] for lit, _ in self.harmless}
        for literal, changes in self.flips(p):
            if literal[1] in fresh and literal[1] not in seen and literal[1] in w.values and w.values[literal[1]] == literal[2]:
                for change in changes:
                    if self.try_point(with_all(p.values, change)):
                        self.harmless.append((literal, change))
                        break

    def guard_flips(self, w):
        """Comparisons of one number with another that went one way: changes that make them go the other way."""
        out, used = [], set()
        for (op, a, b), value in list(w.guards.items()):
            keys = keys_in(a) | keys_in(b)
            if not keys or len(out) >= 16 or any(IGNORED.search(k) for k in keys) or keys <= set(self.loops):
                continue
            if isinstance(b, str) and not isinstance(a, str):
                a, b = b, a
                op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
            if not isinstance(a, str) or isinstance(b, tuple) or not isinstance(w.env.get(a), int):
                continue
            other = w.env.get(b) if isinstance(b, str) else b
            if not isinstance(other, int) or (op, a, b) in used:
                continue
            used.add((op, a, b))
            tries = [v for v in (other, other + 1, other - 1, 2 * other, other // 2, 0, 1) if v >= 0 and evaluate((op, v, other), {}) != value]
            if tries:
                out.append((("cmp", (op, a, b), value), [{a: v} for v in dict.fromkeys(tries)]))
        return out

    def literal_holds(self, lit, env):
        """Whether the flip of a literal is as it says: (literal, flipped)."""
        (kind, what, at), flipped = lit
        if kind == "is":
            now = env.get(what)
            is_base = (now is None) if at is None else (now == at)
        else:
            is_base = evaluate(what, env) == at
        return is_base != flipped

    def mult(self, m, env, lists):
        if isinstance(m, tuple) and m[0] == "count":
            return sum(x in m[2] for x in lists[m[1]]) * m[3]
        return evaluate(m, env)

    def predict_form(self, form, env, lists):
        total = 0
        for g, m, lits in form:
            if all(self.literal_holds(l, env) for l in lits):
                total += self.mult(m, env, lists) * math.prod(evaluate(d, env) for d in g[1])
        return total

    def predict(self, p):
        return self.predict_form(self.form, self.filled(p.env), p.lists)

    def filled(self, env):
        missing = [k for k in self.follows if env.get(k) is None]
        if not missing:
            return env
        env = dict(env)
        for _ in range(len(missing)):
            for k in missing:
                try:
                    env[k] = evaluate(self.follows[k], env)
                except (TypeError, KeyError):
                    pass
        return env
