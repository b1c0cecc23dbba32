"""Numbers that remember how they were computed, and what the library's Python is given in place of its own."""
import builtins
import math


# An expression is an int, a float, a key (str) or a tuple (op, a, b).
GUARDS = None  # comparisons of the present build, or None when nobody asks
RANGES = None  # expressions that range() was called with


def expr_of(value):
    return value.expr if isinstance(value, (SymInt, SymFloat)) else value


def wrap(value, expr):
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return SymInt(value, expr)
    if isinstance(value, float):
        return SymFloat(value, expr)
    return value


def plain(value):
    return int.__int__(value) if isinstance(value, SymInt) else float.__float__(value) if isinstance(value, SymFloat) else value


def binary(name, op):
    def forward(a, b):
        if not isinstance(b, (int, float)):
            return NotImplemented
        value = getattr(builtins, "eval")(f"a {op} b", {"a": plain(a), "b": plain(b)})
        return wrap(value, (op, expr_of(a), expr_of(b)))

    def backward(a, b):
        if not isinstance(b, (int, float)):
            return NotImplemented
        value = getattr(builtins, "eval")(f"b {op} a", {"a": plain(a), "b": plain(b)})
        return wrap(value, (op, expr_of(b), expr_of(a)))
    return forward, backward


def compare(op):
    def method(a, b):
        if b is None or not isinstance(b, (int, float)):
            return {"==": False, "!=": True}.get(op, NotImplemented)
        value = getattr(builtins, "eval")(f"a {op} b", {"a": plain(a), "b": plain(b)})
        if GUARDS is not None:
            GUARDS[(op, expr_of(a), expr_of(b))] = value
        return value
    return method


def truth(a):
    value = plain(a) != 0
    if GUARDS is not None:
        GUARDS[("!=", expr_of(a), 0)] = value
    return value


class SymInt(int):
    def __new__(cls, value, expr):
        self = int.__new__(cls, value)
        self.expr = expr
        return self


class SymFloat(float):
    def __new__(cls, value, expr):
        self = float.__new__(cls, value)
        self.expr = expr
        return self


for _cls in (SymInt, SymFloat):
    for _name, _op in dict(add="+", sub="-", mul="*", floordiv="//", mod="%", truediv="/", pow="**").items():
        _f, _b = binary(_name, _op)
        setattr(_cls, f"__{_name}__", _f)
        setattr(_cls, f"__r{_name}__", _b)
    for _name, _op in dict(eq="==", ne="!=", lt="<", le="<=", gt=">", ge=">=").items():
        setattr(_cls, f"__{_name}__", compare(_op))
    _cls.__hash__ = int.__hash__ if _cls is SymInt else float.__hash__
    _cls.__bool__ = truth
    _cls.__copy__ = lambda self: self
    _cls.__deepcopy__ = lambda self, memo: self
    _cls.__neg__ = lambda a: wrap(-plain(a), ("-", 0, expr_of(a)))
    _cls.__ceil__ = lambda a: wrap(math.ceil(plain(a)), ("ceil", expr_of(a)))
    _cls.__floor__ = lambda a: wrap(math.floor(plain(a)), ("floor", expr_of(a)))
    _cls.__round__ = lambda a, n=None: wrap(round(plain(a), n), ("round", expr_of(a))) if not n else round(plain(a), n)
    _cls.__repr__ = lambda self: repr(plain(self))
    _cls.__str__ = lambda self: str(plain(self))
    _cls.__format__ = lambda self, spec: format(plain(self), spec)
    _cls.__reduce__ = lambda self: (type(plain(self)), (plain(self),))
SymInt.__index__ = lambda self: int.__int__(self)


class IntMeta(type):
    def __instancecheck__(cls, x):
        return isinstance(x, int)

    def __subclasscheck__(cls, x):
        return issubclass(x, int)

    def __call__(cls, *a):
        if len(a) == 1 and isinstance(a[0], SymInt):
            return a[0]
        if len(a) == 1 and isinstance(a[0], SymFloat):
            return SymInt(int(plain(a[0])), ("int", a[0].expr))
        return int(*a)

    def __or__(cls, o):
        return int | o

    def __ror__(cls, o):
        return o | int


class sym_int(metaclass=IntMeta):
    pass


def extreme(name, pick):
    def f(*a, **k):
        if len(a) == 2 and not k and any(isinstance(x, (SymInt, SymFloat)) for x in a) and all(isinstance(x, (int, float)) for x in a):
            return wrap(pick(plain(a[0]), plain(a[1])), (name, expr_of(a[0]), expr_of(a[1])))
        return pick(*a, **k)
    return f


class RangeMeta(type):
    def __instancecheck__(cls, x):
        return isinstance(x, range)

    def __call__(cls, *a):
        if RANGES is not None:
            for x in a:
                if isinstance(x, SymInt):
                    RANGES.add(x.expr)
        return range(*[plain(x) if isinstance(x, SymInt) else x for x in a])


class sym_range(metaclass=RangeMeta):
    pass


INJECTED = {"int": sym_int, "max": extreme("max", max), "min": extreme("min", min), "range": sym_range}


def evaluate(e, env):
    if isinstance(e, str):
        return env[e]
    if not isinstance(e, (tuple, list)):
        return e
    op = e[0]
    a = [evaluate(x, env) for x in e[1:]]
    if op == "+": return a[0] + a[1]
    if op == "-": return a[0] - a[1]
    if op == "*": return a[0] * a[1]
    if op == "//": return a[0] // a[1]
    if op == "%": return a[0] % a[1]
    if op == "/": return a[0] / a[1]
    if op == "**": return a[0] ** a[1]
    if op == "int": return int(a[0])
    if op == "ceil": return math.ceil(a[0])
    if op == "floor": return math.floor(a[0])
    if op == "round": return round(a[0])
    if op == "max": return max(a)
    if op == "min": return min(a)
    if op == "==": return a[0] == a[1]
    if op == "!=": return a[0] != a[1]
    if op == "<": return a[0] < a[1]
    if op == "<=": return a[0] <= a[1]
    if op == ">": return a[0] > a[1]
    if op == ">=": return a[0] >= a[1]
    raise ValueError(op)


def substitute(e, key, by):
    if e == key and isinstance(e, str):
        return by
    if isinstance(e, tuple):
        return (e[0],) + tuple(substitute(x, key, by) for x in e[1:])
    return e


def keys_in(e, out=None):
    out = set() if out is None else out
    if isinstance(e, str):
        out.add(e)
    elif isinstance(e, (tuple, list)):
        for x in e[1:]:
            keys_in(x, out)
    return out


def simplify(e):
    if not isinstance(e, tuple):
        return e
    e = (e[0],) + tuple(simplify(x) for x in e[1:])
    if len(e) == 3:
        op, a, b = e
        number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool)
        if number(a) and number(b):
            try:
                return evaluate(e, {})
            except ArithmeticError:
                return e
        if op == "*" and a == 1 or op == "+" and a == 0:
            return b
        if op in ("*", "//") and b == 1 or op in ("+", "-") and b == 0:
            return a
        if op == "//" and isinstance(a, tuple) and a[0] == "*" and (a[2] == b or a[1] == b):
            return a[1] if a[2] == b else a[2]
    return e
