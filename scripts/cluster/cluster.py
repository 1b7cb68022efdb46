"""Start three nodes of a real search engine on loopback, load a BEIR folder, search through the edge, and kill a node meanwhile.

    python scripts/cluster/cluster.py opensearch FOLDER --rankbox bin/rankbox
    python scripts/cluster/cluster.py weaviate FOLDER --rankbox bin/rankbox --weaviate ~/go/bin/weaviate-server --vectors DIR

With --experiment the same is done by a pipeline: `rankbox run` with `search(backend=…)` over a folder that has queries and judgments alone.

A tool for development: it needs a JDK and Maven for OpenSearch, the built server for Weaviate, and for its vectors numpy. In each mode every query is asked twice: with all nodes, and while
the first node, which the edge asks first, is killed; the next mode has a cluster of its own. It fails where a query is lost. See README.md beside this file.
"""

import argparse
import concurrent.futures
import json
import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODES = 3
IN_FLIGHT = 8


def call(method, url, body=None, kind="application/json", timeout=150):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": kind}, method=method)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.loads(answer.read() or b"null")


def wait(what, ready, seconds=180):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if ready():
                return
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.5)
    sys.exit(f"cluster: {what} did not come up in {seconds} s")


def jsonl(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


class OpenSearch:
    kind, index = "opensearch", "collection"
    modes = ["bm25"]

    def __init__(self, args):
        self.port, self.work = args.port, args.work
        jars = args.work / "jars"
        if not jars.exists():
            subprocess.run(["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), "dependency:copy-dependencies", f"-DoutputDirectory={jars}"], check=True, stdout=subprocess.DEVNULL)
        self.jars = jars

    def start(self, number):
        with open(self.work / f"opensearch-{number}.log", "w", encoding="utf-8") as log:
            return subprocess.Popen(
                ["java", "-Xms256m", "-Xmx512m", "-cp", f"{self.jars}/*", str(HERE / "Node.java"), str(self.work / f"opensearch-{number}"), str(number), str(self.port), str(NODES)],
                stdout=log, stderr=log,
            )

    def url(self, number):
        return f"http://127.0.0.1:{self.port + number}"

    def listen(self):
        pass

    def ready(self):
        return call("GET", self.url(NODES - 1) + "/_cluster/health")["number_of_nodes"] == NODES

    def shape(self, schema):
        # Each node has a copy of the one shard.
        schema["settings"]["number_of_replicas"] = NODES - 1

    def loaded(self):
        # One segment: copies that are cut into segments differently count deleted and postponed documents alike, but add scores in another order.
        call("POST", f"{self.url(0)}/{self.index}/_forcemerge?max_num_segments=1")
        call("POST", f"{self.url(0)}/{self.index}/_refresh")
        wait("the copies", lambda: call("GET", f"{self.url(0)}/_cluster/health/{self.index}")["active_shards"] == NODES)

    def ask(self, number, text):
        body = {"size": 50, "_source": False, "query": {"match": {"all": text}}}
        return [h["_score"] for h in call("POST", f"{self.url(number)}/{self.index}/_search?preference=_local", body)["hits"]["hits"]]



class Weaviate:
    kind, index = "weaviate", "Collection"

    def __init__(self, args):
        self.port, self.work, self.binary = args.port, args.work, args.weaviate
        self.modes = ["bm25", "knn", "hybrid"] if args.vectors else ["bm25"]

    def start(self, number):
        raft = self.port + 200
        env = dict(
            os.environ,
            AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED="true", DISABLE_TELEMETRY="true", DEFAULT_VECTORIZER_MODULE="none", LOG_LEVEL="warning", GOMAXPROCS="1",
            PERSISTENCE_DATA_PATH=str(self.work / f"weaviate-{number}"), CLUSTER_HOSTNAME=f"node-{number}", CLUSTER_IN_LOCALHOST="true",
            CLUSTER_GOSSIP_BIND_PORT=str(self.port + 100 + 2 * number), CLUSTER_DATA_BIND_PORT=str(self.port + 101 + 2 * number),
            RAFT_PORT=str(raft + 2 * number), RAFT_INTERNAL_RPC_PORT=str(raft + 1 + 2 * number), RAFT_BOOTSTRAP_EXPECT=str(NODES),
            RAFT_JOIN=",".join(f"node-{i}:{raft + 2 * i}" for i in range(NODES)), GRPC_PORT=str(self.port + 300 + number), GO_PROFILING_DISABLE="true",
            CLUSTER_ADVERTISE_ADDR="127.0.0.1", CLUSTER_BIND_ADDR="127.0.0.1",
        )
        # BM25 takes the mean length of documents from each segment: the whole load goes into one, or nodes that cut it
        # otherwise differ for good.
        env["PERSISTENCE_MEMTABLES_FLUSH_DIRTY_AFTER_SECONDS"] = "120"
        if number:
            env["CLUSTER_JOIN"] = f"localhost:{self.port + 100}"
        with open(self.work / f"weaviate-{number}.log", "w", encoding="utf-8") as log:
            return subprocess.Popen([self.binary, "--scheme", "http", "--host", "127.0.0.1", "--port", str(self.port + number)], env=env, stdout=log, stderr=log)

    def url(self, number):
        return f"http://127.0.0.1:{self.port + number}"

    def listen(self):
        def open_port():
            socket.create_connection(("127.0.0.1", self.port + 100), 1).close()
            return True

        wait("the first node", open_port)

    def ready(self):
        nodes = call("GET", self.url(NODES - 1) + "/v1/nodes")["nodes"]
        return len(nodes) == NODES and all(n["status"] == "HEALTHY" for n in nodes)

    def shape(self, schema):
        schema["replicationConfig"] = {"factor": NODES}
        schema["shardingConfig"] = {"desiredCount": 1}
        schema["vectorIndexConfig"].update(ef=2000, efConstruction=256)

    def loaded(self):
        pass

    def ask(self, number, text):
        query = "{ Get { %s(bm25: {query: %s}, limit: 50) { _additional { score } } } }" % (self.index, json.dumps(text))
        return [float(o["_additional"]["score"]) for o in call("POST", self.url(number) + "/v1/graphql", {"query": query})["data"]["Get"][self.index]]


def load(engine, args):
    """Loads the collection with `rankbox load`, by the schema that it prints, with a copy on each node. Returns the backend that it prints for the edge."""
    vectors = ["-vectors", str(args.vectors.resolve())] if args.vectors else []
    command = [args.rankbox, "load", str(args.folder), "-to", engine.kind, "-index", engine.index, *vectors]
    schema = json.loads(subprocess.run([*command, "-dry-run"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    engine.shape(schema)
    path = args.work / "schema.json"
    path.write_text(json.dumps(schema))
    more = ["-schema", str(path), "-url", engine.url(0), "-journal", str(args.work / "journal")]
    printed = subprocess.run([*command, *more], check=True, stdout=subprocess.PIPE, text=True).stdout
    engine.loaded()
    return json.loads(printed)


def remote(args):
    """A folder with the queries and judgments alone."""
    far = args.work / "queries"
    (far / "qrels").mkdir(parents=True)
    for name in ("queries.jsonl", "qrels/test.tsv"):
        (far / name).write_bytes((args.folder / name).read_bytes())
    return far


def rows(folder, name):
    """id → vector, of docs.npy or queries.npy with their ids one folder up."""
    import numpy as np

    kind = "doc" if name == "docs" else "query"
    ids = (folder.parent / f"{kind}_ids.txt").read_text().split()
    return dict(zip(ids, np.load(folder / f"{name}.npy").tolist()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=["opensearch", "weaviate"])
    parser.add_argument("folder", type=Path, help="BEIR folder: corpus.jsonl, queries.jsonl, qrels/test.tsv")
    parser.add_argument("--rankbox", required=True, help="the built command line")
    parser.add_argument("--weaviate", default="weaviate-server", help="the built server: CGO_ENABLED=0 go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2")
    parser.add_argument("--vectors", type=Path, help="folder with docs.npy and queries.npy, ids one folder up")
    parser.add_argument("--work", type=Path, default=None, help="where nodes keep their data")
    parser.add_argument("--out", type=Path, default=Path("."), help="where runs are written")
    parser.add_argument("--port", type=int, default=19200, help="the first of some 400")
    parser.add_argument("--queries", type=int, default=0, help="only so many of the judged queries")
    parser.add_argument("--modes", type=lambda s: s.split(","), help="only these of bm25, knn and hybrid")
    parser.add_argument("--experiment", action="store_true", help="a pipeline searches, instead of requests of this script")
    parser.add_argument("--embedder", help="address of a server in TEI's format that makes the vectors of queries for the pipeline: scripts/embed/serve.py")
    parser.add_argument("--hold", action="store_true", help="load, print the edge's configuration, and wait")
    args = parser.parse_args()
    args.work = args.work or Path(tempfile.mkdtemp(prefix="rankbox-cluster-"))
    args.work.mkdir(parents=True, exist_ok=True)
    args.out.mkdir(parents=True, exist_ok=True)
    engine = {"opensearch": OpenSearch, "weaviate": Weaviate}[args.engine](args)

    engine.modes = [m for m in engine.modes if m in (args.modes or engine.modes)]

    judged = {line.split("\t")[0] for line in (args.folder / "qrels" / "test.tsv").read_text().splitlines()[1:]}
    queries = [(q["_id"], q["text"]) for q in jsonl(args.folder / "queries.jsonl") if q["_id"] in judged]
    queries = queries[: args.queries or None]
    asked = rows(args.vectors, "queries") if args.vectors and not (args.experiment or args.hold) else {}

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    work = args.work
    for mode in [None] if args.hold or args.experiment else engine.modes:
        args.work = engine.work = work / (mode or "all")
        args.work.mkdir()
        processes = []
        try:
            config = begin(engine, args, processes)
            if args.hold:
                print(f"rankbox serve -config {config}", flush=True)
                signal.pause()
            wait("the same answer of all nodes", settled(engine, queries[:20]), 600)
            if args.experiment:
                experiment(args, engine, config, len(queries), processes)
            else:
                twice(engine, args, mode, config, queries, asked, processes)
        finally:
            for p in processes:
                if p.poll() is None:
                    p.kill()
            for p in processes:
                p.wait()


def begin(engine, args, processes):
    """Starts the nodes and loads them. Returns where the configuration of the edge is."""
    for i in range(NODES):
        processes.append(engine.start(i))
        if i == 0:
            engine.listen()  # the others join it
    wait("the cluster", engine.ready)
    print(f"{NODES} nodes of {args.engine}", flush=True)
    backend = load(engine, args)
    config = {
        "limits": {"per_minute": 1_000_000, "per_day": 1_000_000_000, "deadline_ms": 110_000},
        "backends": [{**backend, "id": args.engine, "also": [engine.url(i) for i in range(1, NODES)], "modes": engine.modes}],
    }
    if args.embedder:
        config["backends"][0]["embedder"] = "queries"
        config["backends"].append({"id": "queries", "kind": "tei", "url": args.embedder, "does": ["embed"]})
    path = args.work / "edge.json"
    path.write_text(json.dumps(config, indent=1))
    return path


def twice(engine, args, mode, config, queries, asked, processes):
    """All queries by requests, twice, each time through an edge that remembers nothing; in the second the node that it asks first is killed after a third. Writes both runs."""
    runs = []
    for kill in (False, True):
        edge = subprocess.Popen([args.rankbox, "serve", "-addr", "127.0.0.1:0", "-config", str(config)], stdout=subprocess.PIPE, stderr=open(args.work / "edge.log", "a"), text=True)
        processes.append(edge)
        runs.append(search(edge.stdout.readline().strip(), args, mode, queries, asked, processes[0] if kill else None))
        edge.terminate()
    for name, run in zip(("whole", "killed"), runs):
        (args.out / f"{args.engine}-{mode}-{name}.run").write_text("".join(f"{q} Q0 {h['id']} {i} {h['score']!r} {args.engine}-{mode}\n" for q, hits in run for i, h in enumerate(hits, 1)))
    different = [q for (q, a), (_, b) in zip(*runs) if not same(a, b)]
    print(f"{mode}: {len(queries)} queries twice, a node killed in the second: none lost, {len(different)} rankings differ in more than ties", flush=True)
    if different:
        print("different:", " ".join(different[:20]))


def experiment(args, engine, config, queries, processes):
    """An experiment twice, each through an edge that remembers nothing: with all nodes, and with the first killed after a third of the answers. Prints both tables."""
    modes = engine.modes if args.embedder else ["bm25"]
    spec, far = args.work / "spec.json", remote(args)
    spec.write_text(json.dumps({"systems": [f"search(backend={args.engine},mode={m})" for m in modes], "measures": ["nDCG@10", "R@100"]}))
    for name in ("whole", "killed"):
        edge = subprocess.Popen([args.rankbox, "serve", "-addr", "127.0.0.1:0", "-config", str(config)], stdout=subprocess.PIPE, stderr=open(args.work / "edge.log", "a"), text=True)
        processes.append(edge)
        out = Path(tempfile.mkdtemp(dir=args.work)) / name
        run = subprocess.Popen([args.rankbox, "run", str(spec), "-collection", str(far), "-edge", edge.stdout.readline().strip(), "-o", str(out), "-quiet"], stdout=subprocess.PIPE, text=True)
        processes.append(run)
        answers = out / "answers.jsonl"

        def kept():  # other lines say what the file is, and what the backend declared
            return answers.read_text().count('{"ask":')

        if name == "killed":
            wait("a third of the answers", lambda: kept() * 3 >= queries * len(modes))
            processes[0].kill()
            done = kept()
            print(f"a node killed after {done} answers of {queries * len(modes)}", flush=True)
            if done >= queries * len(modes):
                sys.exit("cluster: all was answered before the node was killed")
        text = run.communicate()[0]
        if run.returncode:
            sys.exit(f"cluster: the experiment failed: {run.returncode}")
        print(f"{name}: {kept()} answers\n{text.split('Means over')[0]}", flush=True)
        if kept() != queries * len(modes):
            sys.exit("cluster: a query is lost")
        edge.terminate()


def settled(engine, queries):
    """A function that says whether every node answers as every other, and as it did five seconds before: Weaviate's BM25 misses documents for a while after they were accepted."""
    before = [None]

    def ready():
        now = [[sorted(engine.ask(i, text)) for _, text in queries] for i in range(NODES)]
        for i in range(1, NODES):
            n = sum(not close(x, y) for x, y in zip(now[i], now[0]))
            if n:
                print(f"node {i} answers {n} of {len(queries)} queries otherwise than node 0", flush=True)
        same_as_before, before[0] = before[0] is not None and close(now, before[0]), now
        if not same_as_before:
            time.sleep(5)
        return same_as_before and all(close(n, now[0]) for n in now)

    return ready


def close(a, b):
    """Whether scores, in lists of lists, are equal but for the order in which a node adds, some 1e-6 of them, and for the mean length of documents that each of
    Weaviate's nodes keeps for itself: after a load on a busy machine, scores of one differed by 5e-5. A document that is missing changes them by far more."""
    if isinstance(a, float):
        return math.isclose(a, b, rel_tol=1e-3)
    return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))


def same(a, b):
    """Whether two rankings are one but for the order of equal scores, in which copies of a shard may differ, and for which of those that tie with the last were cut off. Scores of nodes that
    added the same numbers in another order differ by some 1e-6 of them: they count as equal."""
    if len(a) != len(b) or not all(math.isclose(x["score"], y["score"], rel_tol=1e-5) for x, y in zip(a, b)):
        return False
    last = a[-1]["score"] if a else None

    def above(hits):
        return {h["id"] for h in hits if not math.isclose(h["score"], last, rel_tol=1e-5)}

    return above(a) == above(b)


def search(edge, args, mode, queries, asked, victim):
    """The rankings of all queries; victim is killed after a third of them. A query that is not answered ends the program."""

    def one(query):
        body = {"backend": args.engine, "query": query[1], "mode": mode, "top_k": 100}
        if mode != "bm25":
            body["vector"] = asked[query[0]]
        try:
            return query[0], call("POST", edge + "api/v1/search", body)["results"]
        except urllib.error.HTTPError as error:
            sys.exit(f"cluster: query {query[0]} is lost: {error.code} {error.read().decode()}")

    out = []
    with concurrent.futures.ThreadPoolExecutor(IN_FLIGHT) as pool:
        pending = [pool.submit(one, q) for q in queries]
        for i, answer in enumerate(pending):
            if victim is not None and i == len(queries) // 3:
                victim.kill()
            out.append(answer.result())
    return out


if __name__ == "__main__":
    main()
