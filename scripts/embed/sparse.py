"""Write the term weights that a learned sparse model (SPLADE) gives texts, in the files that sparse reads.

    python scripts/embed/sparse.py FOLDER --onnx MODEL.onnx --tokenizer tokenizer.json --name splade

MODEL is a BERT with its masked-language head: it gives a logit a token and word of the vocabulary, [1, tokens, vocabulary]. The weight of a word
is the greatest ln(1 + max(0, logit)) over the text's tokens (SPLADE-max: Formal et al. 2021, SPLADE v2, equation 6). Another model may ask the
queries (--query-onnx), or none: --query-words gives each of a query's tokens the weight 1 (SPLADE-doc). Written to FOLDER/vectors/NAME/: docs.jsonl
and queries.jsonl as Anserini reads them, words by falling weight, zeros left out, four decimals.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from embed import document_text, fail, read_jsonl


class Sparse:
    """A model that weighs the words of its vocabulary."""

    def __init__(self, onnx, tokenizer, limit, threads):
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_length=limit)
        self.words = [self.tokenizer.id_to_token(i) for i in range(self.tokenizer.get_vocab_size())]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
        self.inputs = {i.name for i in self.session.get_inputs()}

    def weights(self, text):
        """The words of a text with their weights, the greatest first, equal ones by word."""
        ids = self.tokenizer.encode(text).ids
        feed = {"input_ids": np.array([ids], dtype=np.int64), "attention_mask": np.ones((1, len(ids)), dtype=np.int64), "token_type_ids": np.zeros((1, len(ids)), dtype=np.int64)}
        logits = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0]
        if logits.shape != (1, len(ids), len(self.words)):
            fail(f"weigh: the model gives {list(logits.shape)}, want [1, {len(ids)}, {len(self.words)}]: logits of a masked-language head over the tokenizer's vocabulary")
        return listed(np.log1p(np.maximum(logits[0].astype(np.float64), 0).max(axis=0)), self.words)


def listed(weights, words):
    """The positive weights by word, rounded, the greatest first."""
    found = {words[i]: round(float(weights[i]), 4) for i in np.flatnonzero(weights)}
    return dict(sorted(((w, v) for w, v in found.items() if v > 0), key=lambda x: (-x[1], x[0])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--onnx", type=Path, required=True)
    parser.add_argument("--query-onnx", type=Path, help="model of the queries, where it is another")
    parser.add_argument("--query-words", action="store_true", help="a query's tokens weigh 1 each; no model sees it")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--name", required=True, help="of the model: sparse(model=NAME)")
    parser.add_argument("--token-limit", type=int, default=256)
    parser.add_argument("--licence", default="", help="of the model, for meta.json")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()

    out = args.folder / "vectors" / args.name
    out.mkdir(parents=True, exist_ok=True)
    model = Sparse(args.onnx, args.tokenizer, args.token_limit, args.threads)
    asking = Sparse(args.query_onnx, args.tokenizer, args.token_limit, args.threads) if args.query_onnx else model
    count = {}
    for name, file in (("docs", "corpus.jsonl"), ("queries", "queries.jsonl")):
        total = 0
        records = read_jsonl(args.folder / file)
        with open(out / f"{name}.jsonl", "w", encoding="utf-8") as lines:
            for i, title, text in records:
                if name == "queries" and args.query_words:
                    weights = {w: 1.0 for w in model.tokenizer.encode(text, add_special_tokens=False).tokens}
                else:
                    weights = (model if name == "docs" else asking).weights(document_text(title, text))
                total += len(weights)
                lines.write(json.dumps({"id": i, "contents": "", "vector": weights}, ensure_ascii=False) + "\n")
        count[name] = len(records)
        print(f"{name}: {len(records)} texts, {total / max(1, len(records)):.0f} words each")
    meta = {
        "model": args.name, "licence": args.licence, "weights": {"file": args.onnx.name, "sha256": hashlib.sha256(args.onnx.read_bytes()).hexdigest()},
        "pooling": "max over tokens of ln(1 + max(0, logit))", "max_tokens": args.token_limit, "documents": count["docs"], "queries": count["queries"],
        "corpus_sha256": hashlib.sha256((args.folder / "corpus.jsonl").read_bytes()).hexdigest(),
        "queries_sha256": hashlib.sha256((args.folder / "queries.jsonl").read_bytes()).hexdigest(),
        "runtime": f"onnxruntime {onnxruntime.__version__}, CPU",
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
