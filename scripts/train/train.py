"""Train a small cross-encoder on the queries of pairs.py and write it as int8 ONNX.

    python scripts/train/train.py FOLDER --work WORK --steps 2000

FOLDER is the collection whose corpus.jsonl the pairs were made of. A step takes a few queries, each with the document that is meant, candidates
near the top of the teacher's list, farther ones, and one from anywhere, and lowers the cross-entropy of the scores with the mean of two
distributions: all on the meant document, and the softmax of the teacher's scores. Steps are drawn from the seed and the step's number, so
a run that is stopped goes on from its last checkpoint as if it had not been (and may be given another number of steps then). Writes WORK/model/: model.onnx (float32), model.int8.onnx,
tokenizer.json, meta.json.
"""

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "embed"))
import embed  # noqa: E402
from crossencoder import CrossEncoder, export  # noqa: E402
from pairs import sentences  # noqa: E402

QUERY_TOKENS = 40
TEMPERATURE = 0.7  # of the teacher's scores
WARM = 50  # steps


class Texts:
    """The tokens of a collection's titles and sentences, to put pairs together without tokenising twice."""

    def __init__(self, records, tokenizer):
        self.tokenizer = tokenizer
        self.cls, self.sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
        self.titles = self.ids([t for _, t, _ in records])
        parts = [sentences(text) for _, _, text in records]
        flat = self.ids([s for p in parts for s in p])
        ends = np.cumsum([len(p) for p in parts])
        self.parts = [flat[e - len(p):e] for p, e in zip(parts, ends)]

    def ids(self, texts):
        return [c.ids for c in self.tokenizer.encode_batch(texts, add_special_tokens=False)]

    def document(self, row, title, cut):
        return [t for part in ([self.titles[row]] if title else []) + [p for i, p in enumerate(self.parts[row]) if i != cut] for t in part]

    def batch(self, pairs, limit):
        """Tensors of (query ids, document ids) pairs: ids, mask, types, padded to the longest."""
        rows = []
        for query, document in pairs:
            query = query[:QUERY_TOKENS]
            rows.append((query, document[: limit - len(query) - 3]))
        width = max(len(q) + len(d) + 3 for q, d in rows)
        ids, mask, types = (np.zeros((len(rows), width), dtype=np.int64) for _ in range(3))
        for i, (q, d) in enumerate(rows):
            whole = [self.cls, *q, self.sep, *d, self.sep]
            ids[i, : len(whole)], mask[i, : len(whole)], types[i, len(q) + 2 : len(whole)] = whole, 1, 1
        return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(types)


def draw(queries, texts, step, args):
    """The pairs of a step and the distribution to learn, [queries, candidates]."""
    chance = np.random.default_rng([args.seed, step])
    pairs, targets = [], []
    for at in chance.choice(len(queries), args.queries, replace=False):
        q = queries[at]
        score = dict(zip(q["pool"], q["teacher"]))
        near = [d for d in q["pool"][:10] if d != q["source"]]
        rest = [d for d in q["pool"][10:] if d != q["source"]]
        hard = (args.candidates - 2 + 1) // 2
        rows = [q["source"], *chance.choice(near, hard, replace=False), *chance.choice(rest, args.candidates - 2 - hard, replace=False)]
        if q["far"] not in rows:
            rows.append(q["far"])
        else:
            rows.append(rest[-1])
        told = np.array([score.get(d, min(q["teacher"]) - 2) for d in rows]) / TEMPERATURE
        told = np.exp(told - told.max())
        target = told / told.sum() / 2
        target[0] += 0.5
        # A title never stands with its own document, nor does any other when a title asks; a sentence mostly not.
        kept = q["cut"] >= 0 and chance.random() < 0.2
        for d in rows:
            cut = q["cut"] if d == q["source"] and not kept else -2
            pairs.append((texts.asked[at], texts.document(d, q["cut"] >= 0, cut)))
        targets.append(target)
    return pairs, torch.tensor(np.array(targets), dtype=torch.float32)


def develop(model, queries, texts, args):
    """On queries that are not trained on, over the first 20 candidates of the teacher: how often the meant document comes first, its mean reciprocal rank, and the teacher's."""
    first = reciprocal = teacher = 0.0
    for at, q in enumerate(queries):
        rows = [q["source"]] + [d for d in q["pool"][:20] if d != q["source"]][:19]
        pairs = [(texts.asked_dev[at], texts.document(d, True, q["cut"] if d == q["source"] else -2)) for d in rows]
        with torch.no_grad():
            s = model(*texts.batch(pairs, args.tokens))
        place = 1 + int((s[1:] >= s[0]).sum())
        first += place == 1
        reciprocal += 1 / place
        teacher += 1 / (1 + q["pool"].index(q["source"]))
    n = len(queries)
    return first / n, reciprocal / n, teacher / n


def centre(model, queries, texts, args):
    """Moves the scores so that 0 lies halfway between the meant documents of the development set and the other candidates: training knows differences
    only, and what is served as a probability is the score's sigmoid."""
    meant, others = [], []
    for at, q in enumerate(queries):
        pairs = [(texts.asked_dev[at], texts.document(d, True, q["cut"] if d == q["source"] else -2)) for d in [q["source"]] + [d for d in q["pool"][:8] if d != q["source"]]]
        with torch.no_grad():
            s = model(*texts.batch(pairs, args.tokens))
        meant.append(float(s[0]))
        others.append(float(s[1:].mean()))
    with torch.no_grad():
        model.bias -= (np.mean(meant) + np.mean(others)) / 2


def rate(step, args):
    """Linear up over the first WARM steps, then level, linear down to zero over the last quarter: what comes before that does not depend on the number of steps."""
    return min(1.0, (step + 1) / WARM, (args.steps - step) / (args.steps / 4))


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--base", default="all-MiniLM-L6-v2", choices=sorted(embed.MODELS))
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--queries", type=int, default=4, help="of a step")
    parser.add_argument("--candidates", type=int, default=6, help="of a query")
    parser.add_argument("--tokens", type=int, default=128, help="of a pair while training")
    parser.add_argument("--freeze", type=int, default=2, help="layers that stay, beside the embeddings")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--head-rate", type=float, default=5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=100, help="steps between checkpoints")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=embed.default_cache())
    parser.add_argument("--dev", type=int, default=100, help="queries of the development set that are looked at with a checkpoint")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)

    base = embed.MODELS[args.base]
    parts = embed.fetch(base, args.cache)
    tokenizer = Tokenizer.from_str(parts["tokenizer"].decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    records = embed.read_jsonl(args.folder / "corpus.jsonl")
    texts = Texts(records, tokenizer)
    # A query needs ten candidates near and some farther; short lists are left out.
    queries = [q for q in read(args.work / "pairs.jsonl") if len(q["pool"]) > 20]
    dev = [q for q in read(args.work / "dev.jsonl") if len(q["pool"]) > 20][: args.dev]
    texts.asked, texts.asked_dev = (texts.ids([q["text"] for q in part]) for part in (queries, dev))

    model = CrossEncoder(parts["onnx"], args.freeze)
    groups = model.groups(args.rate, args.head_rate)
    optimiser = torch.optim.AdamW([{"params": g["params"], "lr": g["rate"]} for g in groups], weight_decay=0.01)
    kept, step, spent, log = args.work / "checkpoint.pt", 0, 0.0, []
    settings = {k: v for k, v in vars(args).items() if k not in ("folder", "work", "cache", "threads", "every", "dev", "steps")}
    if kept.exists():
        state = torch.load(kept)
        if state["settings"] != settings:
            sys.exit(f"train: {kept} is of other settings: {state['settings']}")
        if state["steps"] != args.steps and state["step"] > 0.75 * min(args.steps, state["steps"]):
            sys.exit(f"train: {kept} has {state['step']} of {state['steps']} steps: it is too late to make them {args.steps}")
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent, log = state["step"], state["spent"], state["log"]
    if not log:
        log.append((0, None, *develop(model, dev, texts, args)))
        print(f"{len(queries)} queries to train on, {len(dev)} to develop on; before: first {log[0][2]:.3f}, MRR {log[0][3]:.3f}, teacher's MRR {log[0][4]:.3f}", flush=True)
    began, losses = time.monotonic(), []
    while step < args.steps:
        pairs, target = draw(queries, texts, step, args)
        scores = model(*texts.batch(pairs, args.tokens)).view(args.queries, args.candidates)
        loss = -(target * torch.log_softmax(scores, dim=1)).sum(1).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for g in groups for p in g["params"]], 1.0)
        for group, g in zip(optimiser.param_groups, groups):
            group["lr"] = g["rate"] * rate(step, args)
        optimiser.step()
        losses.append(float(loss.detach()))
        step += 1
        if step % args.every == 0 or step == args.steps:
            spent += time.monotonic() - began
            log.append((step, float(np.mean(losses)), *develop(model, dev, texts, args)))
            print(f"{step} steps, {spent:.0f} s: loss {log[-1][1]:.4f}, first {log[-1][2]:.3f}, MRR {log[-1][3]:.3f}", flush=True)
            torch.save({"settings": settings, "steps": args.steps, "model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "spent": spent, "log": log}, kept.with_suffix(".new"))
            kept.with_suffix(".new").replace(kept)
            began, losses = time.monotonic(), []

    centre(model, dev, texts, args)
    out = args.work / "model"
    out.mkdir(exist_ok=True)
    onnx.save(export(model, parts["onnx"]), out / "model.onnx")
    quantize_dynamic(out / "model.onnx", out / "model.int8.onnx", weight_type=QuantType.QInt8, per_channel=True)
    tokenizer.save(str(out / "tokenizer.json"))
    meta = {
        "what": "cross-encoder: [CLS] query [SEP] document [SEP] to one number",
        "base": base["source"], "licence": base["licence"],
        "trained_on": {"corpus_sha256": hashlib.sha256((args.folder / "corpus.jsonl").read_bytes()).hexdigest(), "documents": len(records), "queries": len(queries)},
        "settings": settings | {"steps": args.steps}, "seconds": round(spent), "log": log,
        "sha256": {f: hashlib.sha256((out / f).read_bytes()).hexdigest() for f in ("model.onnx", "model.int8.onnx", "tokenizer.json")},
    }
    (out / "meta.json").write_text(json.dumps(meta, indent=1, default=str) + "\n", encoding="utf-8")
    print(f"written {out}: {(out / 'model.int8.onnx').stat().st_size} bytes of int8")


if __name__ == "__main__":
    main()
