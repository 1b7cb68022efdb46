"""Token ids by Hugging Face's tokenizers, for core/text/wordpiece/testdata/golden.jsonl.gz.

    python scripts/oracle/wordpiece/golden.py TOKENIZER.json [BEIR folder …]

Needs: pip install tokenizers==0.23.3; TOKENIZER.json is the one in the package that scripts/embed fetches for all-MiniLM-L6-v2. First come
strings made to be difficult, {"text", "ids"}; then for each folder the SHA-256 over the ids of its documents and queries in the order of the
files, as little-endian 32-bit numbers with -1 behind each text, {"collection", "texts", "tokens", "sha256"}.
"""

import gzip
import hashlib
import json
import random
import struct
import sys
from pathlib import Path

from tokenizers import Tokenizer

rng = random.Random(20261122)
ALPHABETS = [
    "abcdefghij ABCDEFGHIJ 0123456789",
    "àéîõü ÀÉÎÕÜ ñç ßẞ İıſ Åå ﬁﬂ œŒ ŁłØø",
    "αβγδΣςσ ΑΒΓ абвгдё АБВЁЙй ґҐ",
    "中文字符 日本語 かなカナ 한국어 각힣가 ㄱㅏ",
    "مرحبا שלום हिन्दी ไทย தமிழ் বাংলা ລາວ ខ្មែរ",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ «»“”‘’–—…·•§¶†",
    "\u200b\u200c\u200d\u00ad\ufeff\u2028\u2029\u0000\u0001\u001f\u007f\u0085\u00a0\u1680\u3000\ufffd\ue000\U000f0000",
    "\u0300\u0301\u0308\u030a\u0327\u0338\u1ab0\u20d0\ufe0f e a o = <",
    "😀👩‍👩‍👧🇩🇪❤️☂㎏㏒½²₃①Ⅷ™℃ﷺ",
    "𝐀𝒜𝔸𝟘 Ａｂｃ１２３ ｶﾞ ﾊﾟ 豈更車 𠀀𪛖 〇々〆",
]
WORDS = ["[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[unused3]", "[sep]", "[", "]", "##ing", "tokenization", "unbelievably", "don't", "U.S.A.", "e-mail",
         "3.14", "1,234", "a" * 99, "a" * 100, "a" * 101, "é" * 100, "é" * 101, "http://x.y/z?q=1&r=2", "\t", "\n", "\r\n", "  ", "naïve café", "ﬀ", "İstanbul", "ΌΣΟΣ", "각각", "中a文"]


def nasty():
    yield from ["", " ", "Hello, World!", "The harbour strike."] + WORDS
    for _ in range(1200):
        parts = []
        for _ in range(rng.randint(1, 8)):
            if rng.random() < 0.3:
                parts.append(rng.choice(WORDS))
            else:
                letters = rng.choice(ALPHABETS)
                parts.append("".join(rng.choice(letters) for _ in range(rng.randint(1, 9))))
        yield rng.choice(["", " "]).join(parts)


def main():
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.no_padding()
    tokenizer.no_truncation()
    ids = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    out = [{"text": t, "ids": ids(t)} for t in nasty()]
    for folder in map(Path, sys.argv[2:]):
        digest, texts, tokens = hashlib.sha256(), 0, 0
        for name in ("corpus.jsonl", "queries.jsonl"):
            for line in (folder / name).read_text(encoding="utf-8").splitlines():
                r = json.loads(line)
                found = ids((r.get("title", "") + " " + r["text"]).strip())
                digest.update(struct.pack(f"<{len(found) + 1}i", *found, -1))
                texts, tokens = texts + 1, tokens + len(found)
        out.append({"collection": folder.name, "texts": texts, "tokens": tokens, "sha256": digest.hexdigest()})
    target = Path(__file__).resolve().parents[3] / "core/text/wordpiece/testdata/golden.jsonl.gz"
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as z:
        for o in out:
            z.write((json.dumps(o, ensure_ascii=True) + "\n").encode())


main()
