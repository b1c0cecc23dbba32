"""What changes when several keys change at once, and configurations drawn at random to check a form."""
import itertools
import json
import random

from points import Failure, IGNORED, int_keys, with_all


class Checking:
    """The part of a Deriver that checks its form."""


    def pairs(self):
        self.bad_pairs, meet = [], []
        every = list(itertools.combinations(self.relevant[:12], 2))
        every += [(r, h) for h in self.harmless if h[0][0] == "is" for r in self.relevant[:8] if r[0][0] == "is"]
        for (l1, c1), (l2, c2) in every:
            if set(c1) & set(c2):
                continue
            p = self.try_point(with_all(self.w.values, {**c1, **c2}))
            if p is None:
                continue
            try:
                if self.predict(p) == p.count:
                    continue
            except Exception:
                pass
            try:
                new = self.quick_mode(p, self.w, self.form) or self.mode(p, self.loops)
            except Failure:
                self.bad_pairs.append((l1, l2))
                continue
            ok = True
            for e in self.form:
                if all(self.literal_holds(l, p.env) for l in e[2]) and new.get(e[0]) != e[1]:
                    names = {l[0]: l[1] for l in e[2]}
                    if names.get(l1) is True and l2 not in names:
                        e[2].append((l2, False))
                    elif names.get(l2) is True and l1 not in names:
                        e[2].append((l1, False))
                    else:
                        ok = False
            have = {(e[0], json.dumps(e[1])) for e in self.form if all(self.literal_holds(l, p.env) for l in e[2])}
            for g, m in new.items():
                if (g, json.dumps(m)) not in have:
                    self.form.append([g, m, [(l1, True), (l2, True)]])
            if not ok or self.predict(p) != p.count:
                self.bad_pairs.append((l1, l2))
            if (l2, c2) in self.harmless and (l2, c2) not in self.relevant:
                self.relevant.append((l2, c2))
            meet.append(((l1, c1), (l2, c2)))
        # Two that act together, with each third one.
        for (l1, c1), (l2, c2) in meet[:12]:
            for l3, c3 in self.relevant[:12]:
                if l3 in (l1, l2) or set(c3) & (set(c1) | set(c2)):
                    continue
                p = self.try_point(with_all(self.w.values, {**c1, **c2, **c3}))
                try:
                    if p is not None and self.predict(p) != p.count:
                        self.bad_pairs.append((l1, l2, l3))
                except Exception:
                    self.bad_pairs.append((l1, l2, l3))

    # ---- held-out configurations
    def draw(self, random_, flip_share):
        values = dict(self.w.values)
        changes = {}
        for literal, c in self.relevant:
            if random_.random() < flip_share:
                changes.update(c)
        for literal, c in self.harmless:
            if literal[0] == "is" and random_.random() < 0.15:
                changes.update(c)
        factor = random_.choice((1, 1, 2, 3)), random_.choice((1, 2, 1, 3))
        for k in self.follows:
            if random_.random() < 0.5 and k not in changes:
                changes[k] = None
        for k in int_keys(values):
            owner = k if k in values else k.rpartition(".")[0]
            if IGNORED.search(owner) or k in changes or owner in changes:
                continue
            v = self.w.env[k]
            if k in self.loops:
                if random_.random() < 0.6:
                    changes[k] = max(0, v + random_.choice((-1, 1, 2, 4, 5)))
            elif v >= 16 and random_.random() < 0.5:
                changes[k] = v * random_.choice(factor)
            elif v >= 8 and v % 2 == 0 and random_.random() < 0.2:
                changes[k] = v // 2
        return {k: v for k, v in changes.items() if k in self.w.values or k.rpartition(".")[0] in self.w.values}

    def held_out(self, count, seed=1):
        random_ = random.Random(f"{seed} {self.type}")
        tests, tries, share = [], 0, 0.3
        while len(tests) < count and tries < 12 * count:
            tries += 1
            if tries % 10 == 0 and not tests:
                share /= 2
            try:
                values = with_all(self.w.values, self.draw(random_, share))
            except Exception:
                continue
            if tries > 4 * count and not tests:  # one key at a time
                diff = {k: v for k, v in values.items() if v != self.w.values.get(k)}
                if diff:
                    k = random_.choice(sorted(diff))
                    values = {**self.w.values, k: diff[k]}
            p = self.try_point(values)
            if p is None:
                continue
            try:
                said = self.predict(p)
            except Exception as e:
                said = f"{type(e).__name__}: {e}"
            changed = {k: v for k, v in p.values.items() if v != self.defaults0.get(k)}
            tests.append((changed, p.count, said))
        return tests
