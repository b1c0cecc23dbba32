"""How often tensors repeat, and shapes that came as plain numbers, from models made with one key changed."""
import collections
import itertools
import json
import math

from points import Failure, IGNORED, int_keys, set_path, with_all
from symbols import evaluate, simplify


class Fitting:
    """The part of a Deriver that explains numbers by expressions."""


    def structure(self, p):
        c = collections.Counter()
        for (pattern, _), n in p.n.items():
            c[pattern] += n
        return c

    def loop_keys(self, w):
        out = []
        for k in int_keys(w.values):
            owner = k if k in w.values else k.rpartition(".")[0]
            if (not self.is_read(owner, w) and k not in w.ranges) or IGNORED.search(owner):
                continue
            base = w.env[k]
            for value in (base + 1, base * 2 if base else 2, base - 1):
                p = self.try_point(set_path(w.values, k, value)) if value >= 0 else None
                if p:
                    if p.lists != w.lists or {g: n for g, n in p.n.items() if g[1][:1] != ("?",)} != {g: n for g, n in w.n.items() if g[1][:1] != ("?",)} \
                            or self.structure(p) != self.structure(w):
                        q = self.try_point(set_path(w.values, k, value + 1)) if value > base else None
                        switch = q and q.n == p.n and any(op in ("==", "!=") and k in (a, b) for op, a, b in w.guards)
                        if not switch:  # otherwise there is a tensor or there is none: a comparison decides
                            out.append(k)
                    break
        return out

    def loop_points(self, w, loops):
        points = {}
        for k in loops:
            for step in (1, 2, 3, 5, -1):
                value = w.env[k] + step
                if value < 0:
                    continue
                p = self.try_point(set_path(w.values, k, value))
                if p:
                    points.setdefault(k, []).append(p)
        if len(loops) > 1:  # several at once: sums differ from products, and one may pass another
            joint = [{k: w.env[k] + 1 + i % 3 for i, k in enumerate(loops)}, {k: w.env[k] + (i + 1) % 3 for i, k in enumerate(loops)}]
            if len(loops) <= 5:
                joint += [{a: w.env[b] + 1} for a, b in itertools.permutations(loops, 2) if w.env[a] <= w.env[b]]
            points[""] = [p for p in (self.try_point(with_all(w.values, c)) for c in joint) if p]
        return points

    def fit(self, group, w, points):
        """How often a tensor repeats, as an expression that holds at every point."""
        by_list = self.fit_by_list(group, w, points)
        if by_list is not None:
            return by_list
        n0 = w.n.get(group, 0)
        depends = [k for k, ps in points.items() if k and any(p.n.get(group, 0) != n0 for p in ps)]
        everything = [(w.env, n0)] + [(p.env, p.n.get(group, 0)) for ps in points.values() for p in ps]

        def holds(e):
            try:
                return all(evaluate(e, env) == n for env, n in everything)
            except ArithmeticError:
                return False
        if not depends:
            return n0
        # Sums.
        total, e = n0, None
        for k in depends:
            p = points[k][0]
            d = p.env[k] - w.env[k]
            if (p.n.get(group, 0) - n0) % d:
                break
            slope = (p.n.get(group, 0) - n0) // d
            total -= slope * w.env[k]
            term = k if slope == 1 else ("*", slope, k)
            e = term if e is None else ("+", e, term)
        else:
            e = simplify(("+", e, total)) if total else e
            if holds(e):
                return e
            if holds(("max", 0, e)):
                return ("max", 0, e)
            for k in points:
                if k and holds(("min", e, k)):
                    return ("min", e, k)
                if k and holds(("max", 0, ("min", e, k))):
                    return ("max", 0, ("min", e, k))
        # Products of two, floors.
        for k1, k2 in itertools.permutations(depends, 2):
            for c in (1, 2, 3, 4, 5, 6):
                if holds(("*", c, ("*", k1, k2))):
                    return ("*", c, ("*", k1, k2))
            for c in (-1, 1):
                if holds(("*", ("+", k1, c), k2)):
                    return ("*", ("+", k1, c), k2)
        near = depends + [k for k in points if k and k not in depends]
        pairs = [(k1, k2) for k1, k2 in itertools.permutations(depends, 2)] + [(k1, k2) for k1 in near for k2 in depends if k1 not in depends] \
            + [(k1, k2) for k1 in depends for k2 in near if k2 not in depends] + [(k, p) for k in depends for p in range(2, 9)]
        for k1, k2 in pairs:
            for e in (("//", k1, k2), ("-", k1, ("//", k1, k2)), ("//", ("-", ("+", k1, k2), 1), k2),
                      ("-", k1, ("//", ("-", ("+", k1, k2), 1), k2)), ("//", ("-", k1, 1), k2), ("-", ("-", k1, 1), ("//", ("-", k1, 1), k2))):
                for m in (1, 2, 3):
                    if holds(("*", m, e)):
                        return e if m == 1 else ("*", m, e)
            if isinstance(k2, int):
                for r in range(k2):
                    e = ("//", ("+", k1, r), k2)
                    if holds(e):
                        return e
                    if holds(("-", k1, e)):
                        return ("-", k1, e)
        for k1, k2, k3 in itertools.permutations(near, 3):
            if len(near) > 8:
                break
            e = ("//", ("-", ("-", ("+", k1, k2), 1), k3), k2)  # layers i with i % k2 == k3
            if holds(e):
                return e
            if holds(("-", k1, e)):
                return ("-", k1, e)
        for k in depends:
            for low in range(0, 12):
                if holds(("max", 0, ("-", k, low))):
                    return ("max", 0, ("-", k, low))
                if holds(("min", k, low)):
                    return ("min", k, low)
        raise Failure(f"how often {group[0]} repeats is not explained: {[(k, [(p.env[k], p.n.get(group, 0)) for p in points[k]]) for k in depends][:2]}")

    def fit_by_list(self, group, w, points):
        """Layers named by a list of words in the configuration: ('count', list, words, times)."""
        for path in w.lists:
            if len(set(w.lists[path])) < 2:
                continue
            words, times = None, None
            for p in [w] + [p for ps in points.values() for p in ps]:
                names, rows = p.lists.get(path), p.where.get(group)
                if not names or (rows is None and p is w):
                    words = None
                    break
                rows = rows or []
                found = None
                for position in range(len(rows[0]) if rows else 0):
                    column = collections.Counter(r[position] for r in rows)
                    if max(column) >= len(names) or len(set(column.values())) != 1 or len(column) < 1:
                        continue
                    inside = {names[i] for i in column}
                    if all((names[i] in inside) == (i in column) for i in range(len(names))) and inside != set(names):
                        found = (inside, column.most_common(1)[0][1])
                if rows and found is None:
                    words = None
                    break
                if found:
                    if times is not None and times != found[1]:
                        words = None
                        break
                    words, times = (words or set()) | found[0], found[1]
            if words:
                ok = all(sum(x in words for x in p.lists.get(path, [])) * times == p.n.get(group, 0)
                         for p in [w] + [p for ps in points.values() for p in ps])
                if ok:
                    return ("count", path, tuple(sorted(words)), times)
        return None

    # ---- shapes that are no expressions
    def resolve(self, w, extra):
        """Numbers in shapes ('?') to expressions, by their values at several points."""
        pool = {}
        for p in [w]:
            for (_, shape) in p.n:
                if shape[:1] != ("?",):
                    for e in shape:
                        pool.setdefault(json.dumps(e), e)
        keys = [k for k in int_keys(w.values)]
        for k in keys:
            pool.setdefault(json.dumps(k), k)
        self.pool = list(pool.values())
        for a, b in itertools.combinations_with_replacement(keys, 2):
            if len(keys) < 40:
                self.pool.append(("*", a, b))
        for k in keys:
            for c in (2, 3, 4):
                self.pool += [("*", c, k), ("//", k, c)]
            for c in (1, 2, -1, -2):
                self.pool.append(("+", k, c))

    def explain(self, pattern, position, points):
        """The expression of one dimension of the tensors of a pattern that are no expressions."""
        values = []
        for p in points:
            shapes = {s[1:] for (g, s) in p.n if g == pattern and s[:1] == ("?",)}
            if len(shapes) != 1:
                return None
            shape = shapes.pop()
            if position >= len(shape):
                return None
            values.append((p.env, shape[position]))
        if len({v for _, v in values}) == 1:
            return values[0][1]

        def good(e):
            try:
                return all(evaluate(e, env) == v for env, v in values)
            except Exception:
                return False
        return next((e for e in self.pool if good(e)), None)

    def explain_all(self, p, points):
        """p.n with its '?' shapes explained where one shape serves a whole pattern."""
        table = {}
        for (pattern, shape) in list(p.n):
            if shape[:1] != ("?",) or pattern in table:
                continue
            dims = tuple(self.explain(pattern, i, points) for i in range(len(shape) - 1))
            table[pattern] = dims if all(d is not None for d in dims) else None
        return table

    def apply(self, table, p):
        n, where = collections.Counter(), collections.defaultdict(list)
        for (pattern, shape), count in p.n.items():
            if shape[:1] == ("?",):
                dims = table.get(pattern)
                if dims is None:
                    if math.prod(shape[1:]) and not any(True for _ in ()):
                        raise Failure(f"the shape {shape[1:]} of {pattern} is not explained")
                new = (pattern, dims)
            else:
                new = (pattern, shape)
            n[new] += count
            where[new] += p.where[(pattern, shape)]
        p.n, p.where = n, where

    # ---- one mode: base or one flip
    def quick_mode(self, p, w, form):
        """The form at a flip, where every new tensor repeats as its neighbours do; None when that does not tell."""
        if any(s[:1] == ("?",) for (_, s) in p.n):
            return None
        base = {g: m for g, m, lits in form if not any(l[1] for l in lits)}
        stem = lambda pattern: pattern.rpartition("*")[0]
        out = {}
        for g, n in p.n.items():
            if g in base and w.n.get(g, 0) == n:
                out[g] = base[g]
                continue
            same = {json.dumps(m): m for h, m in base.items() if stem(h[0]) == stem(g[0]) and w.n.get(h, 0) == n}
            if "*" not in g[0] and n == 1:
                same = {"1": 1}
            if len(same) != 1:
                return None
            out[g] = next(iter(same.values()))
        for g, m in base.items():  # absent at w
            if w.n.get(g, 0) == 0 and p.n.get(g, 0) == 0:
                out[g] = m
        return out

    def mode(self, w, loops):
        points = self.loop_points(w, loops)
        every = [w] + [p for ps in points.values() for p in ps]
        if any(s[:1] == ("?",) for p in every for (_, s) in p.n):
            scaled = [p for p in (self.try_point(v) for v in self.scalings(w)) if p]
            table = self.explain_all(w, [w] + scaled + every)
            for p in every:
                self.apply(table, p)
        groups = {g for p in every for g in p.n}
        return {g: self.fit(g, w, points) for g in groups}

    def scalings(self, w):
        dims = [k for k in int_keys(w.values) if w.env[k] >= 16 and not IGNORED.search(k if k in w.values else k.rpartition(".")[0])]
        yield with_all(w.values, {k: 2 * w.env[k] for k in dims})
        for k in dims[:24]:
            yield set_path(w.values, k, 2 * w.env[k])
            yield set_path(w.values, k, w.env[k] // 2)
