"""Apply what `rankbox tune` exports to a real search engine, and compare its hybrid search with this project's fusion.

    python scripts/cluster/fusion.py opensearch FOLDER --rankbox bin/rankbox --vectors DIR
    python scripts/cluster/fusion.py weaviate FOLDER --rankbox bin/rankbox --vectors DIR --weaviate ~/go/bin/weaviate-server

A tool for development. One node on loopback is loaded with a BEIR folder and the vectors of DIR (docs.npy, queries.npy, ids one folder up). For each pipeline the exported settings
are applied as they are written. Then every judged query is asked three times: by words, by vectors, and by both as the settings say. The engine's own two lists go through this
project's fusion (run(words), run(vectors)), so that what is compared is the fusion alone: how many queries have the same first ten documents, and how far scores are apart.
"""

import argparse
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import zipfile
from pathlib import Path

import cluster

DEPTH = 100
PIPELINES = {
    "opensearch": ["wsum({words}, {vectors})", "wsum({vectors}, {words})", "wsum({words}, {vectors}, norm=zmuv)", "rrf({words}, {vectors})"],
    "weaviate": ["wsum({words}, {vectors})", "wsum({vectors}, {words})", "rrf({words}, {vectors})"],
}
PLUGINS = {"opensearch-knn": "org.opensearch.knn.plugin.KNNPlugin", "neural-search": "org.opensearch.neuralsearch.plugin.NeuralSearch"}
PLUGIN_VERSION = "2.19.1.0"


class OpenSearch(cluster.OpenSearch):
    """A node with the plugins whose query is `hybrid` and whose field is `knn_vector`: both come from Maven."""

    def __init__(self, args):
        super().__init__(args)
        self.plugins = args.work / "plugins"
        if not self.plugins.exists():
            for name in PLUGINS:
                artifact = f"org.opensearch.plugin:{name}:{PLUGIN_VERSION}:zip"
                subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={args.work}"], check=True, stdout=subprocess.DEVNULL)
                with zipfile.ZipFile(args.work / f"{name}-{PLUGIN_VERSION}.zip") as archive:
                    archive.extractall(self.plugins, [n for n in archive.namelist() if n.endswith(".jar")])

    def start(self, number):
        with open(self.work / "opensearch.log", "w", encoding="utf-8") as log:
            return subprocess.Popen(
                ["java", "-Xms512m", "-Xmx1g", "-cp", f"{self.jars}/*:{self.plugins}/*", str(cluster.HERE / "Node.java"), str(self.work / "opensearch"), str(number), str(self.port), "1",
                 ",".join(PLUGINS.values())],
                stdout=log, stderr=log,
            )

    def apply(self, settings):
        """Returns what the engine says when it refuses them, else None."""
        try:
            cluster.call("PUT", self.url(0) + "/_search/pipeline/tuned", settings)
        except urllib.error.HTTPError as error:
            return json.loads(error.read())["error"]["reason"]

    def part(self, kind, text, vector):
        return {"match": {"all": text}} if kind == "words" else {"knn": {"vector": {"vector": vector, "k": DEPTH}}}

    def one(self, kind, text, vector):
        return self.hits(self.part(kind, text, vector), "")

    def both(self, settings, order, text, vector):
        return self.hits({"hybrid": {"queries": [self.part(kind, text, vector) for kind in order]}}, "?search_pipeline=tuned")

    def hits(self, query, how):
        body = {"size": DEPTH, "_source": False, "query": query}
        return [(h["_id"], h["_score"]) for h in cluster.call("POST", f"{self.url(0)}/{self.index}/_search{how}", body)["hits"]["hits"]]


class Weaviate(cluster.Weaviate):
    def apply(self, settings):
        return None  # they stand in the query

    def one(self, kind, text, vector):
        if kind == "words":
            return self.get(f'bm25: {{query: {json.dumps(text)}, properties: ["title", "text"]}}', "score")
        return [(d, 1 - s) for d, s in self.get(f"nearVector: {{vector: {json.dumps(vector)}}}", "distance")]

    def both(self, settings, order, text, vector):
        said = settings["hybrid"]
        return self.get(f'hybrid: {{query: {json.dumps(text)}, vector: {json.dumps(vector)}, properties: ["title", "text"], alpha: {said["alpha"]}, fusionType: {said["fusionType"]}}}', "score")

    def get(self, search, score):
        query = f"{{ Get {{ {self.index}({search}, limit: {DEPTH}) {{ docid _additional {{ {score} }} }} }} }}"
        answer = cluster.call("POST", self.url(0) + "/v1/graphql", {"query": query})
        if "errors" in answer:
            raise SystemExit(f"fusion: {answer['errors']}")
        return [(o["docid"], float(o["_additional"][score])) for o in answer["data"]["Get"][self.index]]


def write(path, lists):
    """A run in TREC's format."""
    path.write_text("".join(f"{q} Q0 {d} {i} {s!r} run\n" for q, hits in lists.items() for i, (d, s) in enumerate(hits, 1)))


def forms(settings):
    """The settings as they are exported; and those of rrf with rank_constant where OpenSearch 2.19 and 3.0 look for it."""
    yield "as exported", settings
    for processor in settings.get("phase_results_processors", []):
        said = processor.get("score-ranker-processor", {}).get("combination", {})
        if "rank_constant" in said:
            yield "rank_constant under parameters", {"phase_results_processors": [{"score-ranker-processor": {"combination": {"technique": "rrf", "parameters": {"rank_constant": said["rank_constant"]}}}}]}


def read(text):
    lists = {}
    for line in text.splitlines():
        q, _, d, _, s, _ = line.split()
        lists.setdefault(q, []).append((d, float(s)))
    return lists


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=sorted(PIPELINES))
    parser.add_argument("folder", type=Path, help="BEIR folder: corpus.jsonl, queries.jsonl, qrels/test.tsv")
    parser.add_argument("--rankbox", required=True, help="the built command line")
    parser.add_argument("--vectors", type=Path, required=True, help="folder with docs.npy and queries.npy, ids one folder up")
    parser.add_argument("--weaviate", default="weaviate-server")
    parser.add_argument("--work", type=Path, default=None, help="where the node keeps its data")
    parser.add_argument("--port", type=int, default=19700, help="the first of some 400")
    args = parser.parse_args()
    args.work = args.work or Path(tempfile.mkdtemp(prefix="rankbox-fusion-"))
    args.work.mkdir(parents=True, exist_ok=True)
    cluster.NODES = 1
    engine = {"opensearch": OpenSearch, "weaviate": Weaviate}[args.engine](args)

    qrels = args.folder / "qrels" / "test.tsv"
    judged = {line.split("\t")[0] for line in qrels.read_text().splitlines()[1:]}
    queries = [(q["_id"], q["text"]) for q in cluster.jsonl(args.folder / "queries.jsonl") if q["_id"] in judged]
    asked = cluster.rows(args.vectors, "queries")

    def rankbox(command, *rest):
        return subprocess.run([args.rankbox, command, *rest], check=True, stdout=subprocess.PIPE, text=True).stdout

    def ndcg(run):
        return re.search(r"[0-9]*\.[0-9]+", rankbox("eval", str(qrels), str(run), "-m", "nDCG@10")).group()

    node = engine.start(0)
    try:
        cluster.wait("the node", engine.ready)
        cluster.load(engine, args)

        def alone():
            return {kind: {q: engine.one(kind, text, asked[q]) for q, text in queries} for kind in ("words", "vectors")}

        parts, before = alone(), None
        while parts != before:  # Weaviate's BM25 misses documents for a while after they were accepted
            time.sleep(15)
            parts, before = alone(), parts
        for kind, lists in parts.items():
            write(args.work / f"{kind}.run", lists)
            print(f"{args.engine}, {kind} alone: nDCG@10 {ndcg(args.work / f'{kind}.run')}", flush=True)
        names = {"words": "bm25", "vectors": f"dense(model={args.vectors.name})"}
        over = ["-vectors", str(args.vectors.parent), "-quiet"]
        stored = [f"-run={kind}={args.work / f'{kind}.run'}" for kind in parts]
        for pattern in PIPELINES[args.engine]:
            pipeline = pattern.format(**names)
            if args.engine == "weaviate" and pattern.startswith("rrf"):
                # Weaviate has k = 60 only: what tune writes where that is the best.
                settings, knob = {"hybrid": {"alpha": 0.5, "fusionType": "rankedFusion"}}, "k=60"
            else:
                settings = json.loads(rankbox("tune", *over, "-s", pipeline, "-o", args.engine, str(args.folder)))
                tuned = json.loads(rankbox("tune", *over, "-s", pipeline, "-o", "json", str(args.folder)))
                knob = f"{tuned['parameter']}=" + next(c["best"] for c in tuned["choices"] if c["queries"] == "all")
            print(f"\n{pipeline}, {knob}")
            order = sorted(names, key=lambda kind: pattern.index("{" + kind + "}"))
            fused = pattern.format(words="run(words)", vectors="run(vectors)")[:-1] + f", {knob})"
            (args.work / "ours.run").write_text(rankbox("search", *over, *stored, "-s", fused, str(args.folder)))
            (args.work / "tab.run").write_text(rankbox("search", *over, "-s", pipeline[:-1] + f", {knob})", str(args.folder)))
            ours = read((args.work / "ours.run").read_text())
            for how, said in forms(settings):
                refused = engine.apply(said)
                if refused:
                    print(f"{how}: refused: {refused}", flush=True)
                    continue
                theirs = {q: engine.both(said, order, text, asked[q]) for q, text in queries}
                write(args.work / "theirs.run", theirs)
                same = sum([d for d, _ in theirs[q][:10]] == [d for d, _ in ours[q][:10]] for q, _ in queries)
                sets = sum({d for d, _ in theirs[q][:10]} == {d for d, _ in ours[q][:10]} for q, _ in queries)
                scores = {q: dict(hits) for q, hits in ours.items()}
                apart = [abs(s - scores[q][d]) for q, _ in queries for d, s in theirs[q] if d in scores[q]]
                print(f"{how}: the engine nDCG@10 {ndcg(args.work / 'theirs.run')}; its lists fused here {ndcg(args.work / 'ours.run')}; all here {ndcg(args.work / 'tab.run')}; first ten: the same in "
                      f"{same} of {len(queries)} queries, the same documents in {sets}; scores of {len(apart)} documents apart by {max(apart):.2g} at most", flush=True)
        if alone() != parts:
            raise SystemExit("fusion: the engine's own lists have changed meanwhile: nothing of this holds")
    finally:
        node.kill()
        node.wait()


if __name__ == "__main__":
    main()
