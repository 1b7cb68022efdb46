"""Runs other people's rankers on the repository's own collection, Harbour Wire, and packs what they say into core/internal/shared/testdata, so that a
clone without SciFact and Cranfield holds every ranker against them.

    python scripts/oracle/harbour/harbour.py WORK

WORK is a folder for what is fetched. Needs Java 17, Maven and pip install bm25s==0.3.16 rank-bm25==0.2.2 numpy==2.4.6
pytrec-eval-terrier==0.5.11 tokenizers==0.23.3. Fetched are Lucene 9.12.3 (Oracle.java), whose figures are those of 10.3.2 bit for bit (the reference
data was made with both), and Anserini 0.25.0, which is inside the package pyserini 0.25.0. To be run again when the collection changes.
"""
import gzip, json, os, re, subprocess, sys, zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "distil"))
from distil import write  # noqa: E402

HERE = Path(__file__).parent
SITE = HERE.parents[2] / "site"
COLLECTION = SITE / "collections" / "harbour-wire"
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
<dependencies>%s</dependencies></project>"""
DEPENDENCY = "<dependency><groupId>org.apache.lucene</groupId><artifactId>lucene-%s</artifactId><version>9.12.3</version></dependency>"


def lines(name):
    return [json.loads(line) for line in (COLLECTION / name).read_text(encoding="utf-8").splitlines()]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def run(*args, cwd):
    done = subprocess.run(list(map(str, args)), cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{args}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def lucene(work):
    """Runs Oracle.java and packs what it writes, named as the files of the reference data."""
    jars = work / "lucene"
    jars.mkdir(exist_ok=True)
    (jars / "pom.xml").write_text(POM % "".join(DEPENDENCY % n for n in ("core", "analysis-common", "queries", "sandbox")))
    run("mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars", cwd=jars)
    flat = lambda s: re.sub(r"[\t\n]", " ", s)
    for name, fields in (("corpus", ("_id", "title", "text")), ("queries", ("_id", "text"))):
        (work / (name + ".tsv")).write_text("".join("\t".join(flat(d[f]) for f in fields) + "\n" for d in lines(name + ".jsonl")), encoding="utf-8")
    out = work / "lucene-out"
    run("java", "-cp", str(jars / "jars" / "*"), HERE / "Oracle.java", work / "corpus.tsv", work / "queries.tsv", out, cwd=work)
    for name, to in (("totals.json", "totals.harbour-wire.json"), ("explain.json", "explain.harbour-wire.json"), ("vocabulary.tsv", "vocabulary.harbour-wire.tsv.gz"),
                     ("doclengths.tsv", "doclengths.harbour-wire.tsv.gz"), ("queries.jsonl", "queries.harbour-wire.jsonl.gz")):
        write("oracle/lucene/" + to, (out / name).read_bytes())
    for f in sorted((out / "runs").iterdir()):
        write(f"oracle/lucene/runs/harbour-wire.{f.name}.gz", f.read_bytes())
    return out / "runs"


def figures(runs):
    """Prints nDCG@10 and R@50 of two runs, which core/retrieve/rank/bm25's TestFigures has."""
    import pytrec_eval

    qrels = {}
    for line in (COLLECTION / "qrels" / "test.tsv").read_text().splitlines()[1:]:
        q, d, g = line.split("\t")
        qrels.setdefault(q, {})[d] = int(g)
    ev = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recall.50"})
    for name in ("flat.bm25.k0.9-b0.4", "bm25f-title3-text1.bm25.k0.9-b0.4"):
        ranked = {}
        for line in (runs / (name + ".run")).read_text().splitlines():
            q, _, d, _, s, _ = line.split(" ")
            ranked.setdefault(q, {})[d] = float(s)
        of = ev.evaluate(ranked)
        print(name, *(f"{m} {sum(v[m] for v in of.values()) / len(qrels):.4f}" for m in ("ndcg_cut_10", "recall_50")), len(of), "of", len(qrels))


def anserini(work):
    """Packs Anserini's runs with RM3 and Rocchio, and the weights of the expanded queries, which its log has."""
    jar = work / "anserini-0.25.0-fatjar.jar"
    if not jar.exists():
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--dest", work, "pyserini==0.25.0", cwd=work)
        with zipfile.ZipFile(next(work.glob("pyserini-0.25.0*.whl"))) as z:
            jar.write_bytes(z.read("pyserini/resources/jars/" + jar.name))
    corpus = work / "anserini-corpus"
    corpus.mkdir(exist_ok=True)
    (corpus / "corpus.jsonl").write_bytes((COLLECTION / "corpus.jsonl").read_bytes())
    run("java", "-cp", jar, "io.anserini.index.IndexCollection", "-collection", "BeirFlatCollection", "-input", corpus, "-index", work / "anserini-index", "-generator",
        "DefaultLuceneDocumentGenerator", "-storePositions", "-storeDocvectors", "-storeRaw", "-optimize", "-threads", 1, cwd=work)
    for name, options in (("bm25-rm3", ["-bm25", "-rm3", "-rm3.outputQuery"]), ("bm25-rocchio", ["-bm25", "-rocchio", "-rocchio.outputQuery"])):
        out = work / (name + ".run")
        log = run("java", "-cp", jar, "io.anserini.search.SearchCollection", "-index", work / "anserini-index", "-topicReader", "TsvString", "-topics", work / "queries.tsv",
                  "-output", out, "-hits", 100, "-threads", 1, "-parallelism", 1, *options, cwd=work)
        write(f"oracle/lucene/anserini/runs/harbour-wire.{name}.run.gz", out.read_bytes())
        expanded = re.findall(r"Feedback Query: (.*)", log)
        ids = sorted(q["_id"] for q in lines("queries.jsonl"))  # the order in which it takes them
        assert len(expanded) == len(ids)
        weights = [{"query_id": q, "feedback": {t: float(w) for t, w in re.findall(r"\((\S+)\)\^(\S+)", text)}} for q, text in zip(ids, expanded)]
        write(f"oracle/lucene/anserini/queries/harbour-wire.{name}.jsonl.gz", b"".join(compact(w) + b"\n" for w in weights))


def python_bm25():
    """Packs the scores of bm25s and rank-bm25, as oracle/bm25/README.md of the reference data describes them."""
    import bm25s, numpy, rank_bm25

    words = lambda text: re.findall(r"\S+", text.lower())
    docs = lines("corpus.jsonl")
    corpus = [words(d["title"] + "\n" + d["text"]) for d in docs]
    matched = lambda w: sum(1 for d in corpus if set(w) & set(d))
    queries = {q["_id"]: words(q["text"]) for q in lines("queries.jsonl")}
    queries = dict([(q, w) for q, w in queries.items() if matched(w) >= 20][:30])  # bm25+ and bm25l fill shorter lists up with documents that match nothing
    assert len(queries) == 30
    tokens = sum(map(len, corpus))
    results = []

    def add(tool, method, k1, b, dtype, score, **more):
        top = {}
        for q, w in queries.items():
            s = score(w)
            best = sorted(range(len(docs)), key=lambda i: (-s[i], i))[:20]
            top[q] = [[docs[i]["_id"], float(s[i])] for i in best]
        results.append({"tool": tool, "method": method, "k1": k1, "b": b, "delta": more.get("delta"), "epsilon": more.get("epsilon"), "dtype": dtype, "top20": top})

    for method, delta in (("lucene", None), ("robertson", None), ("atire", None), ("bm25l", 0.5), ("bm25+", 0.5)):
        for k1, b, dtype in ((1.5, 0.75, "float64"), (1.5, 0.75, "float32"), (0.9, 0.4, "float64")):
            if dtype == "float32" and method not in ("lucene", "bm25l"):
                continue
            r = bm25s.BM25(k1=k1, b=b, method=method, dtype=dtype, **({"delta": delta} if delta else {}))
            r.index(corpus, show_progress=False)
            known = lambda w, r=r: [t for t in w if t in r.vocab_dict]
            add("bm25s 0.3.16", method, k1, b, dtype, lambda w, r=r: r.get_scores(known(w)) if known(w) else numpy.zeros(len(docs)), delta=delta)
    for k1, b in ((1.5, 0.75), (0.9, 0.4)):
        r = rank_bm25.BM25Okapi(corpus, k1=k1, b=b)
        add("rank-bm25 0.2.2", "BM25Okapi", k1, b, "float64", r.get_scores, epsilon=r.epsilon)
        for delta in (1.0, 0.5):
            r = rank_bm25.BM25Plus(corpus, k1=k1, b=b, delta=delta)
            add("rank-bm25 0.2.2", "BM25Plus", k1, b, "float64", r.get_scores, delta=delta)
    vocabulary = len({t for d in corpus for t in d})
    write("oracle/bm25/harbour-wire.json", compact({"collection": "harbour-wire", "tools": "bm25s 0.3.16, rank-bm25 0.2.2, numpy " + numpy.__version__, "documents": len(docs),
                                                     "tokens": tokens, "avgdl": tokens / len(docs), "vocabulary": vocabulary, "queries": queries, "results": results}))


def vectors():
    """Packs the 20 best documents of 20 queries by NumPy: dot products of the stored rows in float64, and MaxSim of the tokens' in integers."""
    import numpy as np

    def top(scores, ids, queries):
        return [{"query_id": q, "hits": [{"doc_id": ids[i], "score": float(s[i])} for i in sorted((i for i in range(len(ids)) if s[i] > -np.inf), key=lambda i: (-s[i], ids[i]), )[:20]]}
                for q, s in zip(queries, scores)]

    folder = COLLECTION / "vectors" / "all-MiniLM-L6-v2"
    ids, queries = ((folder / n).read_text().split() for n in ("doc_ids.txt", "query_ids.txt"))
    rows = {n: np.load(folder / (n + ".i8.npy")).astype(np.float32) * np.load(folder / (n + ".scales.npy"))[:, None] for n in ("docs", "queries")}
    scores = rows["queries"].astype(np.float64) @ rows["docs"].astype(np.float64).T
    write("embeddings/harbour-wire/all-MiniLM-L6-v2/top20.json", compact({"numpy": np.__version__, "results": top(scores[:20], ids, queries[:20])}))
    folder = COLLECTION / "vectors" / "minilm-tokens"
    ids, queries = ((folder / n).read_text().split() for n in ("doc_ids.txt", "query_ids.txt"))
    of = {n: (np.load(folder / (n + "_tokens.i8.npy")).astype(np.int64), np.load(folder / (n + "_offsets.npy"))) for n in ("doc", "query")}
    docs, at = of["doc"]
    scores = []
    for q in range(20):
        mine = of["query"][0][of["query"][1][q] : of["query"][1][q + 1]]
        scores.append([(mine @ docs[at[d] : at[d + 1]].T).max(axis=1).sum() if at[d + 1] > at[d] else -np.inf for d in range(len(ids))])
    write("embeddings/harbour-wire/minilm-tokens/top20.json", compact({"numpy": np.__version__, "results": top(scores, ids, queries[:20])}))


def tokens():
    """Puts the digest of the collection's WordPiece ids behind those of core/text/wordpiece/testdata, as wordpiece/golden.py takes it."""
    import hashlib, struct
    from tokenizers import BertWordPieceTokenizer

    t = BertWordPieceTokenizer(str(SITE / "encoders" / "minilm-static" / "vocab.txt"), lowercase=True)
    digest, texts, count = hashlib.sha256(), 0, 0
    for name in ("corpus.jsonl", "queries.jsonl"):
        for r in lines(name):
            got = t.encode((r.get("title", "") + " " + r["text"]).strip(), add_special_tokens=False).ids
            texts, count = texts + 1, count + len(got)
            digest.update(struct.pack(f"<{len(got) + 1}i", *got, -1))
    path = HERE.parents[2] / "core" / "text" / "wordpiece" / "testdata" / "golden.jsonl.gz"
    old = [line for line in gzip.decompress(path.read_bytes()).splitlines(keepends=True) if b'"harbour-wire"' not in line]
    new = compact({"collection": "harbour-wire", "texts": texts, "tokens": count, "sha256": digest.hexdigest()}) + b"\n"
    path.write_bytes(gzip.compress(b"".join(old) + new, 9, mtime=0))


def main(work):
    work = Path(work).absolute()
    work.mkdir(parents=True, exist_ok=True)
    figures(lucene(work))
    anserini(work)
    python_bm25()
    vectors()
    tokens()


main(*sys.argv[1:])
