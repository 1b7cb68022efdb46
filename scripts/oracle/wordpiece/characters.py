"""What Hugging Face's tokenizers do with every character, for core/text/wordpiece/internal/unidata/characters.txt.

    python scripts/oracle/wordpiece/characters.py > core/text/wordpiece/internal/unidata/characters.txt

Needs: pip install tokenizers==0.23.3. Each character is put between two letters and taken through BertNormalizer (clean_text,
handle_chinese_chars, strip accents, lowercase) and BertPreTokenizer. Hangul syllables, which are taken apart by arithmetic, are left out.
"""

import tokenizers
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
splitter = BertPreTokenizer()
classes, targets = {"drop": [], "space": [], "alone": []}, {}

for code in range(0x110000):
    if 0xD800 <= code < 0xE000 or 0xAC00 <= code < 0xD7A4:
        continue
    text = normalizer.normalize_str("a" + chr(code) + "b")[1:-1]
    if text == "":
        kind = "drop"
    elif text.strip() == "":
        kind = "space"
    else:
        kind = "alone" if len(splitter.pre_tokenize_str("a" + text + "b")) > 1 else ""
        if text.strip() != chr(code):
            targets.setdefault(text.strip(), []).append(code)
    if kind:
        ranges = classes[kind]
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])

print(f"# tokenizers {tokenizers.__version__}: scripts/oracle/wordpiece/characters.py")
for kind, ranges in classes.items():
    for first, last in ranges:
        print(kind, f"{first:x}", f"{last:x}")
for text, codes in targets.items():
    print("map", ",".join(f"{ord(c):x}" for c in text), ",".join(f"{c:x}" for c in codes))
