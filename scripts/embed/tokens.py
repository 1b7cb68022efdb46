"""Write the token vectors of a ColBERT in the files that late reads.

    python scripts/embed/tokens.py FOLDER --onnx MODEL.onnx --tokenizer tokenizer.json --name colbert

MODEL takes input_ids, attention_mask and perhaps token_type_ids and gives a vector a token, [1, tokens, dim], as ColBERT's exports do (with the
linear layer in it). As in ColBERT (Khattab and Zaharia 2020, section 3.2) a marker stands behind [CLS], [unused0] before a query and [unused1]
before a document; a query is filled up with [MASK] to --query-tokens, and those vectors count; punctuation of documents is left out. A
model that was not trained so has no markers (--marker "") and no filling (--query-tokens 0). Written to FOLDER/vectors/NAME/, of length 1, int8
with one scale for all.
"""

import argparse
import hashlib
import json
import string
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from embed import document_text, fail, read_jsonl


class Colbert:
    """A model that gives a vector a token."""

    def __init__(self, args):
        self.args = args
        self.tokenizer = Tokenizer.from_file(str(args.tokenizer))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.special = {name: self.tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", "[MASK]")}
        self.markers = {}
        for kind, name in zip(("query", "doc"), args.marker.split(",") if args.marker else ()):
            self.markers[kind] = self.tokenizer.token_to_id(name)
            if self.markers[kind] is None:
                fail(f"mark: the tokenizer has no {name}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = args.threads
        self.session = onnxruntime.InferenceSession(str(args.onnx), options, providers=["CPUExecutionProvider"])
        self.inputs = {i.name for i in self.session.get_inputs()}
        self.skipped = {i for i in map(self.tokenizer.token_to_id, string.punctuation) if i is not None}

    def ids(self, kind, text):
        """The tokens of a text as the model gets them."""
        head = [self.special["[CLS]"]] + ([self.markers[kind]] if kind in self.markers else [])
        limit = self.args.query_tokens if kind == "query" and self.args.query_tokens else self.args.token_limit
        ids = head + self.tokenizer.encode(text, add_special_tokens=False).ids[: limit - len(head) - 1] + [self.special["[SEP]"]]
        if kind == "query":
            ids += [self.special["[MASK]"]] * (self.args.query_tokens - len(ids))
        return ids

    def vectors(self, kind, text):
        """Unit rows of the kept tokens, float64, and their ids."""
        ids = self.ids(kind, text)
        feed = {"input_ids": np.array([ids], dtype=np.int64), "attention_mask": np.ones((1, len(ids)), dtype=np.int64), "token_type_ids": np.zeros((1, len(ids)), dtype=np.int64)}
        hidden = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0]
        if hidden.ndim != 3 or hidden.shape[:2] != (1, len(ids)):
            fail(f"encode: the model gives {list(hidden.shape)} for {len(ids)} tokens, want [1, {len(ids)}, dimensions]")
        keep = [i for i, t in enumerate(ids) if kind == "query" or t not in self.skipped]
        rows = hidden[0][keep].astype(np.float64)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True), [ids[i] for i in keep]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--onnx", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--name", required=True, help="of the model: late(model=NAME)")
    parser.add_argument("--marker", default="[unused0],[unused1]", help="tokens behind [CLS] of queries and of documents; empty for none")
    parser.add_argument("--query-tokens", type=int, default=32, help="a query is cut or filled up to so many; 0 for neither")
    parser.add_argument("--token-limit", type=int, default=180, help="of a document, all its tokens counted")
    parser.add_argument("--licence", default="", help="of the model, for meta.json")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()

    model = Colbert(args)
    out = args.folder / "vectors" / args.name
    out.mkdir(parents=True, exist_ok=True)
    rows, ids = {}, {}
    for kind, file in (("doc", "corpus.jsonl"), ("query", "queries.jsonl")):
        records = read_jsonl(args.folder / file)
        made = [model.vectors(kind, document_text(title, text)) for _, title, text in records]
        rows[kind] = np.concatenate([v for v, _ in made])
        ids[kind] = [i for _, found in made for i in found]
        np.save(out / f"{kind}_offsets.npy", np.cumsum([0] + [len(found) for _, found in made]).astype(np.int32))
        (out / f"{kind}_ids.txt").write_text("".join(f"{i}\n" for i, _, _ in records), encoding="utf-8")
    scale = np.float32(max(np.abs(r).max() for r in rows.values()) / 127)
    used, places = np.unique(ids["doc"] + ids["query"], return_inverse=True)
    places = {"doc": places[: len(ids["doc"])], "query": places[len(ids["doc"]) :]}
    for kind in rows:
        np.save(out / f"{kind}_tokens.i8.npy", np.clip(np.rint(rows[kind] / float(scale)), -127, 127).astype(np.int8))
        np.save(out / f"{kind}_token_ids.npy", places[kind].astype(np.uint16))
    (out / "vocab.txt").write_text("".join(model.tokenizer.id_to_token(int(i)) + "\n" for i in used), encoding="utf-8")
    meta = {
        "model": args.name, "licence": args.licence,
        "weights": {"file": args.onnx.name, "sha256": hashlib.sha256(args.onnx.read_bytes()).hexdigest()},
        "dim": int(rows["doc"].shape[1]), "scale": float(scale), "scale_note": "value = int8 * scale, one scale for every vector of both files",
        "pooling": "none: one vector a token", "markers": args.marker, "query_tokens": args.query_tokens, "max_tokens": args.token_limit, "normalised": True,
        "documents": len(np.load(out / "doc_offsets.npy")) - 1, "queries": len(np.load(out / "query_offsets.npy")) - 1,
        "corpus_sha256": hashlib.sha256((args.folder / "corpus.jsonl").read_bytes()).hexdigest(),
        "queries_sha256": hashlib.sha256((args.folder / "queries.jsonl").read_bytes()).hexdigest(),
        "runtime": f"onnxruntime {onnxruntime.__version__}, CPU",
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    print(f"{len(ids['doc'])} and {len(ids['query'])} vectors of {meta['dim']} numbers, scale {scale}")


if __name__ == "__main__":
    main()
