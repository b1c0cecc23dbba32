"""One build of a model as what is needed of it: its values, how often each shape occurs, what was read."""
import collections
import re

from library import BaseConfig, pattern_of
from parts import IGNORED


def set_path(values, path, value):
    out = dict(values)
    if path in out:
        out[path] = value
        return out
    owner, _, index = path.rpartition(".")
    out[owner] = type(out[owner])(value if i == int(index) else x for i, x in enumerate(out[owner]))
    return out


def with_all(values, changes):
    for path, value in changes.items():
        values = set_path(values, path, value)
    return values


def environment(values):
    env = {}
    for path, value in values.items():
        if isinstance(value, (list, tuple)):
            for i, x in enumerate(value):
                if isinstance(x, (int, float)) and not isinstance(x, bool):
                    env[f"{path}.{i}"] = x
                elif isinstance(x, (list, tuple)):
                    for j, y in enumerate(x):
                        env[f"{path}.{i}.{j}"] = y
        env[path] = value
    return env


def int_keys(values):
    return [k for k, v in environment(values).items() if isinstance(v, int) and not isinstance(v, bool)]


def groups_of(built):
    """(pattern, shape) -> how many tensors; a shape that is no expression is a tuple of numbers with '?' before it."""
    out = collections.Counter()
    for name, shape, sym in built.tensors:
        out[(pattern_of(name), sym if sym is not None else ("?",) + shape)] += 1
    return out


def indices_of(built):
    out = collections.defaultdict(list)
    for name, shape, sym in built.tensors:
        out[(pattern_of(name), sym if sym is not None else ("?",) + shape)].append(
            tuple(int(x) for x in re.findall(r"(?<=\.)\d+(?=\.|$)", name)))
    return out


def text_lists(config, prefix="", out=None, seen=None):
    """Lists of words in a configuration by path: what layers are."""
    out = {} if out is None else out
    for name, value in list(config.__dict__.items()):
        if isinstance(value, BaseConfig):
            text_lists(value, prefix + name + ".", out)
        elif isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(x, str) for x in value) and not name.startswith("_"):
            out[prefix + name] = list(value)
    return out


class Point:
    def __init__(self, values, built):
        self.values, self.env, self.n = values, environment(values), groups_of(built)
        self.where, self.lists, self.count = indices_of(built), text_lists(built.config), built.count
        self.guards, self.read, self.ranges = built.guards, built.read, built.ranges


class Failure(Exception):
    pass


GENERIC = set("decoder generator gradient_checkpointing quantization_config text_config tie_word_embeddings vocab_size layer_types "
              "rope_parameters rope_scaling rope_theta vision_config audio_config encoder".split())
SIZES = re.compile(r"(head_dim|num_key_value_heads|num_kv_heads|intermediate_size|moe_intermediate_size|shared_expert_intermediate_size|embedding_size|kv_channels|d_kv)$")
