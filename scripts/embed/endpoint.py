"""Embed a BEIR folder by an endpoint in OpenAI's format (/v1/embeddings): OpenAI, Ollama, vLLM, llama.cpp, or serve.py beside this file.

    OPENAI_API_KEY=… python scripts/embed/endpoint.py FOLDER --model text-embedding-3-small --price 0.02

Says how many texts and about how many tokens it will send, and at --price a million tokens what that costs, and asks before it starts (--yes does
not ask). The key comes from the environment, is sent to the endpoint and to nobody else, and stands in no file and no message. Every answer is
kept as it comes: started again, it goes on where it stopped, and what was paid for is not asked for again. Written to FOLDER/vectors/NAME/:
docs.npy, queries.npy (float32, of length 1), doc_ids.txt, query_ids.txt, meta.json. A text that is empty is not sent and has a row of zeros.
"""

import argparse
import hashlib
import http.client
import json
import os
import sys
import time
import urllib.parse
from pathlib import Path

import numpy as np

from embed import document_text, fail, read_jsonl

CHARACTERS = 4  # of English text that make a token, about
ATTEMPTS = 6
REQUEST = 400_000  # characters of a request at most: OpenAI takes 300,000 tokens


class Endpoint:
    """One address that embeds. It follows no redirect: the key goes where it was meant to go."""

    def __init__(self, url, key, model, dimensions, wait=1.0):
        self.url, self.key, self.model, self.dimensions, self.wait = urllib.parse.urlsplit(url), key, model, dimensions, wait
        local = self.url.hostname in ("127.0.0.1", "::1", "localhost")
        if self.url.scheme not in ("http", "https") or not self.url.hostname:
            fail(f"open {url}: want an address that begins with https://")
        if self.url.scheme == "http" and key and not local:
            fail(f"open {url}: a key does not go over http")

    def ask(self, texts):
        """One float32 row a text, in their order. What may pass (429, 5xx, a broken line) is tried again, later each time."""
        body = json.dumps({"model": self.model, "input": texts, "encoding_format": "float"} | ({"dimensions": self.dimensions} if self.dimensions else {})).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        for attempt in range(1, ATTEMPTS + 1):
            pause = self.wait * 2 ** (attempt - 1)
            try:
                kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
                line = kind(self.url.hostname, self.url.port, timeout=120)
                line.request("POST", self.url.path.rstrip("/") + "/embeddings", body, headers)
                answer = line.getresponse()
                data = answer.read()
                line.close()
            except (OSError, http.client.HTTPException) as error:
                trouble = type(error).__name__
            else:
                if answer.status == 200:
                    return self.rows(data, len(texts))
                trouble = f"status {answer.status}"
                if answer.status != 429 and answer.status < 500 or b"insufficient_quota" in data:
                    fail(f"ask: {trouble}: {self.said(data)}")
                try:
                    pause = max(pause, min(60.0, float(answer.headers.get("Retry-After", 0))))
                except ValueError:  # a date
                    pass
            if attempt < ATTEMPTS:
                time.sleep(pause)
        fail(f"ask: {trouble}, {ATTEMPTS} times: what there is so far is kept")

    def said(self, data):
        """What the endpoint says of its refusal, without the key."""
        text = data[:300].decode("utf-8", "replace")
        return text.replace(self.key, "[key]") if self.key else text

    def rows(self, data, count):
        """The vectors of an answer by their index, each of length 1."""
        try:
            found = {d["index"]: np.array(d["embedding"], dtype=np.float64) for d in json.loads(data)["data"]}
            out = np.stack([found[i] for i in range(count)])
        except (ValueError, KeyError, TypeError) as error:
            fail(f"ask: the answer to {count} texts is no list of {count} vectors of one length: {error!r}")
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        if len(found) != count or out.ndim != 2 or not np.isfinite(out).all() or not lengths.all():
            fail(f"ask: the answer has {len(found)} vectors for {count} texts, or numbers that are none")
        return (out / lengths).astype(np.float32)


def batches(texts, limit):
    """Places of the texts that are asked for together: so many at most, and not too long in all; empty ones are left out."""
    out, characters = [[]], 0
    for i, text in enumerate(texts):
        if not text.strip():
            continue
        if len(out[-1]) == limit or out[-1] and characters + len(text) > REQUEST:
            out.append([])
            characters = 0
        out[-1].append(i)
        characters += len(text)
    return [b for b in out if b]


class Kept:
    """The answers so far, a file of JSON Lines: what was asked for, then a batch a line."""

    def __init__(self, path, about):
        self.path, self.rows = path, {}
        if path.exists():
            lines = path.read_text(encoding="utf-8").split("\n")
            if json.loads(lines[0] or "{}") != about:
                fail(f"resume: {path} is of another model, collection or endpoint: move it away")
            for line in lines[1:-1]:  # behind the last end of line nothing is whole
                batch = json.loads(line)
                self.rows |= {i: np.frombuffer(bytes.fromhex(r), dtype="<f4") for i, r in zip(batch["at"], batch["rows"])}
            path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
        else:
            path.write_text(json.dumps(about) + "\n", encoding="utf-8")

    def add(self, at, rows):
        with open(self.path, "a", encoding="utf-8") as out:
            out.write(json.dumps({"at": at, "rows": [r.astype("<f4").tobytes().hex() for r in rows]}) + "\n")
        self.rows |= dict(zip(at, rows))


def estimate(texts, price):
    """About how many tokens, and what that costs, as a sentence."""
    tokens = sum(len(t) for t in texts) / CHARACTERS
    cost = "give --price to know what that costs" if price is None else f"at {price:g} a million that is about {tokens / 1e6 * price:.4f}"
    return f"{len(texts)} texts to send, about {tokens:,.0f} tokens ({CHARACTERS} characters each): {cost}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", required=True, help="as the endpoint calls it")
    parser.add_argument("--name", help="as pipelines call it, dense(model=NAME); default: the model")
    parser.add_argument("--url", default="https://api.openai.com/v1")
    parser.add_argument("--key", default="OPENAI_API_KEY", help="environment variable that holds the key")
    parser.add_argument("--dimensions", type=int, help="fewer, where the model can")
    parser.add_argument("--query-prefix", default="")
    parser.add_argument("--document-prefix", default="")
    parser.add_argument("--batch", type=int, default=256, help="texts of a request at most")
    parser.add_argument("--price", type=float, help="of a million tokens")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    args = parser.parse_args()

    out = args.folder / "vectors" / (args.name or args.model.replace("/", "-"))
    out.mkdir(parents=True, exist_ok=True)
    endpoint = Endpoint(args.url, os.environ.get(args.key, ""), args.model, args.dimensions)
    sums = {name: hashlib.sha256((args.folder / f"{name}.jsonl").read_bytes()).hexdigest() for name in ("corpus", "queries")}
    work = []
    for name, ids_name, records, prefix, of in (
        ("docs", "doc_ids", read_jsonl(args.folder / "corpus.jsonl"), args.document_prefix, "corpus"),
        ("queries", "query_ids", read_jsonl(args.folder / "queries.jsonl"), args.query_prefix, "queries"),
    ):
        texts = [t and prefix + t for t in (document_text(title, text) for _, title, text in records)]
        kept = Kept(out / f"{name}.part.jsonl", {"model": args.model, "url": args.url, "dimensions": args.dimensions, "prefix": prefix, "sha256": sums[of]})
        (out / f"{ids_name}.txt").write_text("".join(f"{i}\n" for i, _, _ in records), encoding="utf-8")
        work.append((name, texts, kept))
    missing = [t for _, texts, kept in work for i, t in enumerate(texts) if t.strip() and i not in kept.rows]
    print(estimate(missing, args.price), flush=True)
    if missing and not args.yes and input("Go on? [y/N] ").strip().lower() not in ("y", "yes"):
        sys.exit("embed: nothing was sent")

    dim = 0
    for name, texts, kept in work:
        for at in batches(["" if i in kept.rows else t for i, t in enumerate(texts)], args.batch):
            kept.add(at, endpoint.ask([texts[i] for i in at]))
        if not kept.rows:
            fail(f"embed: {name} are all empty")
        dim = len(next(iter(kept.rows.values())))
        np.save(out / f"{name}.npy", np.stack([kept.rows.get(i, np.zeros(dim, dtype=np.float32)) for i in range(len(texts))]))
        print(f"{name}: {len(texts)} rows of {dim} numbers", flush=True)
    meta = {
        "model": args.model, "endpoint": args.url, "dim": dim, "query_prefix": args.query_prefix, "document_prefix": args.document_prefix,
        "pooling": "the endpoint's", "normalised": True, "corpus_sha256": sums["corpus"], "queries_sha256": sums["queries"],
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    for _, _, kept in work:
        kept.path.unlink()


if __name__ == "__main__":
    main()
