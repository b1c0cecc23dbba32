"""The library made to say the shapes of its tensors as expressions: models on the meta device from configurations of symbols."""
import copy
import dataclasses
import importlib
import inspect
import math
import os
import re
import sys
import warnings

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1",
                  TOKENIZERS_PARALLELISM="false", CUDA_VISIBLE_DEVICES="")
warnings.filterwarnings("ignore")

import symbols
from symbols import INJECTED, SymFloat, SymInt, expr_of, plain, simplify, wrap


import torch
from torch import nn
from torch.overrides import TorchFunctionMode

FACTORIES = {getattr(torch, n) for n in ("empty", "zeros", "ones", "randn", "rand", "full") if hasattr(torch, n)}
MADE = {getattr(torch, n) for n in ("empty", "zeros", "ones", "full", "rand", "randn", "arange", "linspace", "eye", "tensor",
        "randint", "logspace", "randperm", "triu_indices", "tril_indices") if hasattr(torch, n)}
BIG = 1 << 22


def numeric(x):
    if isinstance(x, (SymInt, SymFloat)):
        return plain(x)
    if type(x) is tuple:
        return tuple(numeric(y) for y in x)
    if type(x) is list:
        return [numeric(y) for y in x]
    return x


ALL_META = False  # whether small tensors of values are on the meta device too


class Shapes(TorchFunctionMode):
    """Tensors are made on the meta device and keep their shapes as expressions."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        sym = None
        if func in FACTORIES and args:
            size = kwargs.get("size", args[0])
            if func is not torch.full and not isinstance(size, (tuple, list)):
                size = args
            if isinstance(size, (tuple, list)) and all(isinstance(x, int) for x in size):
                sym = tuple(expr_of(x) for x in size)
        args = numeric(args)
        kwargs = {k: numeric(v) for k, v in kwargs.items()}
        if func in MADE and kwargs.get("device") is None:
            if ALL_META or func in FACTORIES:
                kwargs["device"] = "meta"
        out = func(*args, **kwargs)
        if isinstance(out, torch.Tensor):
            if sym is None:
                for x in args:
                    if isinstance(x, torch.Tensor) and x.shape == out.shape and hasattr(x, "_sym"):
                        sym = x._sym
                        break
            if sym is not None and len(sym) == out.dim():
                out._sym = sym
        return out


_parameter_new = nn.Parameter.__new__


def parameter_new(cls, data=None, requires_grad=True, *a, **k):
    p = _parameter_new(cls, data, requires_grad, *a, **k)
    if hasattr(data, "_sym"):
        p._sym = data._sym
    return p


nn.Parameter.__new__ = staticmethod(parameter_new)
# No values are needed, only shapes.
for _n in list(vars(nn.init)):
    if _n.endswith("_") and not _n.startswith("_") and callable(getattr(nn.init, _n)):
        setattr(nn.init, _n, lambda tensor, *a, **k: tensor)

import transformers
from transformers import PreTrainedModel
from transformers.configuration_utils import PretrainedConfig as BaseConfig
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES, model_type_to_module_name

READ = None  # (prefix, name) of every key that the present build reads
_getattribute = BaseConfig.__getattribute__


def getattribute(self, key):
    if READ is not None and not key.startswith("_"):
        prefix = object.__getattribute__(self, "__dict__").get("_probe_prefix")
        if prefix is not None:
            READ.add((prefix, object.__getattribute__(self, "attribute_map").get(key, key)))
    return _getattribute(self, key)


BaseConfig.__getattribute__ = getattribute
PreTrainedModel.initialize_weights = lambda self, *a, **k: None

BOTH = ("SEQ_TO_SEQ_CAUSAL_LM", "SPEECH_SEQ_2_SEQ")
HEADS = ("CAUSAL_LM", "SEQ_TO_SEQ_CAUSAL_LM", "IMAGE_TEXT_TO_TEXT", "MULTIMODAL_LM", "SPEECH_SEQ_2_SEQ", "TEXT_TO_WAVEFORM", "RNNT", "TDT")
OTHER = ("OBJECT_DETECTION", "UNIVERSAL_SEGMENTATION", "INSTANCE_SEGMENTATION", "SEMANTIC_SEGMENTATION", "DEPTH_ESTIMATION",
         "KEYPOINT_DETECTION", "KEYPOINT_MATCHING", "MASK_GENERATION", "IMAGE_MATTING", "POSE_ESTIMATION", "TABLE_RECOGNITION",
         "TEXT_RECOGNITION", "IMAGE_CLASSIFICATION", "TEXT_TO_SPECTROGRAM", "MASKED_LM", "BACKBONE", "NORMAL_ESTIMATION",
         "TIME_SERIES_PREDICTION", "IMAGE_TO_IMAGE", "ZERO_SHOT_OBJECT_DETECTION", "AUDIO_TOKENIZATION")


def mapping(name):
    for full in (f"MODEL_FOR_{name}_MAPPING_NAMES", f"MODEL_FOR_{name}_NAMES"):
        if hasattr(modeling_auto, full):
            return getattr(modeling_auto, full)
    return {}


def module_of(config_class):
    return config_class.__module__.replace(".configuration_", ".modeling_")


def inject(module):
    for name, value in INJECTED.items():
        if name not in vars(module):
            setattr(module, name, value)


def inject_all():
    for name, module in list(sys.modules.items()):
        if (name.startswith("transformers.models.") or name in ("transformers.backbone_utils", "transformers.modeling_layers", "transformers.configuration_utils")) \
                and module is not None and "_auto" not in name.rsplit(".", 1)[-1]:
            try:
                inject(module)
            except Exception:
                pass


def candidates(model_type):
    """Names of classes that are built from this type, the one that speaks first."""
    # An encoder is counted without a head, as its authors count it; with an encoder, a decoder is not alone.
    encoder = model_type in mapping("MASKED_LM") and model_type not in mapping("SEQ_TO_SEQ_CAUSAL_LM")
    order = (("",), HEADS, OTHER) if encoder else (BOTH, HEADS, ("",), OTHER) if model_type in mapping("SEQ_TO_SEQ_CAUSAL_LM") or model_type in mapping("SPEECH_SEQ_2_SEQ") else (HEADS, ("",), OTHER)
    for group in order:
        for head in group:
            names = modeling_auto.MODEL_MAPPING_NAMES if head == "" else mapping(head)
            if model_type in names:
                name = names[model_type]
                for one in ([name] if isinstance(name, str) else name):
                    yield one


def modules_of(config_class):
    """The modules with models beside a configuration, the one of the same name first."""
    first = module_of(config_class)
    package = first.rpartition(".")[0]
    names = [first]
    try:
        folder = os.path.dirname(importlib.import_module(package).__file__)
        names += sorted(f"{package}.{f[:-3]}" for f in os.listdir(folder) if f.startswith("modeling_") and f.endswith(".py"))
    except Exception:
        pass
    for name in dict.fromkeys(names):
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        inject(module)
        yield module


def takes(cls, config_class):
    """Whether the constructor says that it takes this configuration."""
    try:
        return any(p.annotation in (config_class, config_class.__name__) for p in inspect.signature(cls.__init__).parameters.values())
    except (TypeError, ValueError):
        return False


def model_class(model_type, config_class):
    modules = list(modules_of(config_class))
    for name in candidates(model_type):
        for module in modules:
            cls = getattr(module, name, None)
            if inspect.isclass(cls) and (getattr(cls, "config_class", None) is config_class or takes(cls, config_class)):
                return cls
    own = [c for m in modules for c in vars(m).values() if inspect.isclass(c) and issubclass(c, PreTrainedModel) and c.__module__ == m.__name__
           and not c.__name__.endswith("PreTrainedModel")]
    own = [c for c in own if getattr(c, "config_class", None) is config_class] or [c for c in own if takes(c, config_class)]
    if not own:
        return None
    own.sort(key=lambda c: (not c.__name__.endswith("ForConditionalGeneration"), not c.__name__.endswith("ForCausalLM"),
                            not c.__name__.endswith("Model"), len(c.__name__)))
    return own[0]


def fields_of(config_class):
    return {f.name: f for f in dataclasses.fields(config_class) if not f.name.startswith("_")}


COMMON = {"transformers_version", "architectures", "output_hidden_states", "return_dict", "dtype", "chunk_size_feed_forward",
          "is_encoder_decoder", "id2label", "label2id", "problem_type", "model_type", "torch_dtype"}


def defaults(config, prefix=""):
    """Every key of a configuration made without arguments, nested ones with their path: the given default."""
    out, nested = {}, {}
    for name, f in fields_of(type(config)).items():
        if name in COMMON:
            continue
        value = f.default
        if value.__class__.__name__ == "_MISSING_TYPE":
            value = f.default_factory() if f.default_factory.__class__.__name__ != "_MISSING_TYPE" else None
        now = config.__dict__.get(name)
        if isinstance(now, BaseConfig):
            nested[prefix + name] = now
            continue
        out[prefix + name] = value
    for path, sub in nested.items():
        out.update(defaults(sub, path + "."))
    return out


def as_symbol(path, value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (SymInt, SymFloat)):
        return value
    if isinstance(value, (int, float)):
        return wrap(value, path)
    if isinstance(value, (list, tuple)) and len(value) <= 64:
        return type(value)(as_symbol(f"{path}.{i}", x) for i, x in enumerate(value))
    return value


SHALLOW = False  # whether nested configurations stay as they are by default


def make_config(template, values, symbolic, prefix=""):
    """A configuration like `template` with `values` by path, numbers as symbols where asked."""
    kwargs = {}
    for name in fields_of(type(template)):
        path = prefix + name
        now = template.__dict__.get(name)
        if isinstance(now, BaseConfig):
            if not SHALLOW:
                kwargs[name] = make_config(now, values, symbolic, path + ".")
        elif path in values:
            value = values[path]
            if value is not None or name not in COMMON:
                kwargs[name] = as_symbol(path, copy.copy(value)) if symbolic else copy.deepcopy(value)
    for path, value in values.items():  # names that the class asks for although they are no fields
        name = path[len(prefix):]
        if value is not None and path.startswith(prefix) and "." not in name and name not in kwargs and name not in fields_of(type(template)):
            kwargs[name] = as_symbol(path, value) if symbolic else value
    config = type(template)(**kwargs)
    mark(config, prefix)
    return config


def mark(config, prefix):
    config.__dict__["_probe_prefix"] = prefix
    for name, value in list(config.__dict__.items()):
        if isinstance(value, BaseConfig) and "_probe_prefix" not in value.__dict__:
            mark(value, prefix + name + ".")


class Built:
    pass


def build(cls, template, values, symbolic=True):
    global READ, ALL_META
    out = Built()
    symbols.GUARDS, READ, symbols.RANGES = ({}, set(), set()) if symbolic else (None, None, None)
    try:
        config = make_config(template, values, symbolic)
        inject_all_new()
        try:
            with Shapes():
                model = cls(config)
        except RuntimeError as e:
            if "device" not in str(e) or ALL_META:
                raise
            ALL_META = True
            try:
                with Shapes():
                    model = cls(config)
            finally:
                ALL_META = False
        try:
            model.tie_weights()
        except Exception:
            pass
        out.guards, out.read, out.ranges = symbols.GUARDS or {}, READ or set(), symbols.RANGES or set()
    finally:
        symbols.GUARDS = READ = symbols.RANGES = None
    out.tensors = []
    seen = set()
    for name, p in model.named_parameters():
        if id(p) in seen:
            continue
        seen.add(id(p))
        shape = tuple(int(x) for x in p.shape)
        sym = getattr(p, "_sym", None)
        if sym is not None and len(sym) == len(shape):
            sym = tuple(simplify(s) for s in sym)
        else:
            sym = None
        out.tensors.append((name, shape, sym))
    out.config = config
    out.count = sum(math.prod(s) for _, s, _ in out.tensors)
    return out


_known_modules = 0


def inject_all_new():
    global _known_modules
    if len(sys.modules) != _known_modules:
        inject_all()
        _known_modules = len(sys.modules)


def pattern_of(name):
    return re.sub(r"(?<=\.)\d+(?=\.|$)", "*", name)
