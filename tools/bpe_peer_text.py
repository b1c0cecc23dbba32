"""Texts and patterns for tools/bpe_peer.py."""
import re

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")


def pieces(text):
    """The articles. Cut before the last line end of a run of them: there the patterns cut too, so the pieces of
    the parts are those of the whole."""
    return re.split(r"(?<=[a-zA-Z0-9.,;:!?)\"'\]}]\n\n)(?=\n\S)", text)


def byte_characters():
    """GPT-2's printable character for each byte."""
    own = [b for b in range(256) if 0x21 <= b <= 0x7e or 0xa1 <= b <= 0xac or b >= 0xae]
    rest = [b for b in range(256) if b not in own]
    return {**{b: chr(b) for b in own}, **{b: chr(256 + i) for i, b in enumerate(rest)}}


CHARACTERS = byte_characters()
BYTES = {character: byte for byte, character in CHARACTERS.items()}


def bytes_of(token):
    return bytes(BYTES[character] for character in token)


# The probe: a letter, a number or a sign merges with the first byte of whatever follows, if it is in one piece.
HEADS = b"a1!"


def probe_vocab():
    tokens = [bytes([b]) for b in range(256)] + [bytes([h, b]) for h in HEADS for b in range(256)]
    return {token: rank for rank, token in enumerate(tokens)}


def probe_ranks():
    return probe_vocab()


def probe_tokenizer():
    write = lambda token: "".join(CHARACTERS[b] for b in token)
    vocab = probe_vocab()
    merges = [[write(token[:1]), write(token[1:])] for token in vocab if len(token) == 2]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": level, "post_processor": None, "decoder": level,
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                      "vocab": {write(token): rank for token, rank in vocab.items()}, "merges": merges}}


def probe_code_points():
    return [c for c in range(0x110000) if not 0xd800 <= c <= 0xdfff and c != 0x0a]


def probe_lines():
    return [f"a{chr(c)} 1{chr(c)} !{chr(c)}\n" for c in probe_code_points()]


SENTENCES = """The ship's load line isn't painted; they've said we'll see, I'm sure he'd know, you're right. IT'S NOT, THEY'LL SEE.
It carried 12345678 tons in 1876, about 3.14159 times more than 2,000 kg (or 42%).   Three spaces,\ttabs\t\tand trailing ones.  \t

def load(x):\r\n    return {'depth': x ** 2, "width": [1, 2, 3]}  # comment!!!\r\n\r\n\r\nA 'quoted' word, 'another' one; a dash\u2014here, dots\u2026 and ---- ======= !!!!!!
aaaaaaaaaaaaaaaaaaaa aaaaaaaaa aaaaaaa aaaaa abababababababab <|endoftext|> <|endoftext| > the the the there then them
Na\u00efve caf\u00e9 cr\u00e8me br\u00fbl\u00e9e, cafe\u0301 with a combining accent; stra\u00dfe, \u00c5ngstr\u00f6m, \u017flong \u017f's, x'\u017f x'S x'Ll x'RE.
\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440, \u0393\u03b5\u03b9\u03ac \u03c3\u03bf\u03c5 \u039a\u03cc\u03c3\u03bc\u03b5, \u4f60\u597d\u4e16\u754c\u3002\u4eca\u65e5\u306f\u4e16\u754c\uff01\uc548\ub155\ud558\uc138\uc694 \u0645\u0631\u062d\u0628\u0627 \u0661\u0662\u0663 \u0928\u092e\u0938\u094d\u0924\u0947 \u0967\u0968 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35
Spaces:\u00a0nbsp\u2003em\u3000ideographic\u2028line\u2029paragraph\u0085next\u200bzero\u00ad soft\u180e mongolian \u205f\u202f narrow.
Numbers: \u2167 \u00bd \u00b2\u2083 \u2460 \uff11\uff12\uff13 x\u00b2 1\u00bd \U0001d7d8\U0001d7d9. Signs: \u20ac\u00a3\u00a5 \u2190\u2192 \u221e\u2260 \U0001f600\U0001f44d\U0001f3fd \U0001f468\u200d\U0001f469\u200d\U0001f467 \ufe0f \u2603.
Controls: \x00\x01\x1b[0m\x7f end. MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWERVMGDGERQFSTLKSTVEAIWAGIKATEAAVSEEFGLAPFLPDQIHFVHSQELLSRYPDLDAKGRERAIAKDLGAVFLVGIGGKLSDGHRHDVRAPDYDDWSTPSELGHAGLNGDILVWNPVLEDAFELSSMGIRVDADTLKHQLALTGDEDRLELEWHQALLRGEMPQTIGGGIGQSRLTMLLLQLPHIGQVQAGVWPAAVRESVPSLL
"""
# Characters assigned long before any peer's Unicode, mixed by a fixed recipe.
POOL = ("abcdeXYZ  \t\n\n'''.,!-_01279\u00e9\u00df\u03b1\u03b2\u0436\u05d0\u0627\u0661\u0905\u093e\u0e01\u0e31\u3042\u30a2\u4e00\u9fa5\uac00"
        "\u00a0\u2003\u3000\u2028\u200b\u0301\u20ac\u2192\u00bd\u2167\uff11\U0001f600\U00010330\U0001d400\ufffd\u0085\r\n")


def mixed_text(count):
    """`count` characters of the pool by a linear congruence: the same everywhere."""
    state, out = 12345, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append(POOL[(state >> 33) % len(POOL)])
    return "".join(out)


def odd_text():
    return SENTENCES + mixed_text(1500)
