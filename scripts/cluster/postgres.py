"""Serve a BEIR folder from PostgreSQL with pgvector, by the interface of PostgREST: POST /rpc/FUNCTION with the arguments as JSON.

    python scripts/cluster/postgres.py FOLDER --vectors DIR --port 19900

A tool for development, and the adapter where PostgREST does not run. It needs numpy, psycopg and pgserver (PostgreSQL 16 with pgvector). FUNCTION is in the schema below, and
it is what the kind `postgrest` of the edge calls: search(mode, query, vector, k) gives rows of id and score, and search_documents(ids) titles and texts. Prints its address and
stops after --seconds.
"""

import argparse
import json
import re
import signal
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pgserver
import psycopg

SCHEMA = """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE documents (id text PRIMARY KEY, title text, body text, embedding vector(%d),
  words tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(title, '') || ' ' || coalesce(body, ''))) STORED);
CREATE FUNCTION search(mode text, query text, k int, vector text DEFAULT NULL) RETURNS TABLE (id text, score float8) LANGUAGE sql STABLE AS $$
  (SELECT d.id, -(d.embedding <#> search.vector::vector) FROM documents d WHERE search.mode = 'knn' ORDER BY d.embedding <#> search.vector::vector LIMIT search.k)
  UNION ALL
  (SELECT d.id, ts_rank_cd(d.words, q, 1)::float8 AS s FROM documents d,
     to_tsquery('english', (SELECT coalesce(string_agg(quote_literal(w), ' | '), '') FROM unnest(tsvector_to_array(to_tsvector('simple', search.query))) w)) q
   WHERE search.mode = 'bm25' AND d.words @@ q ORDER BY s DESC, d.id LIMIT search.k)
$$;
CREATE FUNCTION search_documents(ids text[]) RETURNS TABLE (id text, title text, body text) LANGUAGE sql STABLE AS $$
  SELECT d.id, d.title, d.body FROM documents d WHERE d.id = ANY(search_documents.ids)
$$;
"""


def load(db, folder, vectors):
    ids = (vectors.parent / "doc_ids.txt").read_text().split()
    rows = dict(zip(ids, np.load(vectors / "docs.npy")))
    dim = len(next(iter(rows.values())))
    db.execute(SCHEMA % dim)
    with open(folder / "corpus.jsonl", encoding="utf-8") as lines, db.cursor() as cursor, cursor.copy("COPY documents (id, title, body, embedding) FROM STDIN") as copy:
        for line in lines:
            d = json.loads(line)
            copy.write_row((d["_id"], d.get("title", ""), d.get("text", ""), json.dumps(rows[d["_id"]].tolist())))
    db.execute("CREATE INDEX ON documents USING gin (words)")
    db.execute("ANALYZE documents")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(404, b"{}")

    def do_POST(self):
        name = re.fullmatch(r"/rpc/([a-z_]+)", self.path)
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not name or not all(re.fullmatch("[a-z_]+", a) for a in given):
            return self.answer(404, b"{}")
        call = ", ".join(f"{a} => %({a})s" for a in given)
        try:
            with self.server.lock:
                text = self.server.db.execute(f"SELECT coalesce(json_agg(t), '[]')::text FROM {name[1]}({call}) t", given).fetchone()[0]
        except psycopg.Error as error:
            return self.answer(400, json.dumps({"code": error.sqlstate, "message": str(error)}).encode())
        self.answer(200, text.encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="BEIR folder: corpus.jsonl")
    parser.add_argument("--vectors", type=Path, required=True, help="folder with docs.npy, ids one folder up")
    parser.add_argument("--port", type=int, default=0, help="of 127.0.0.1; 0 is a free one")
    parser.add_argument("--seconds", type=int, default=3600, help="until it stops")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the database is stopped on the way out
    with tempfile.TemporaryDirectory(prefix="rankbox-postgres-") as folder:
        with pgserver.get_server(folder) as engine, psycopg.connect(engine.get_uri(), autocommit=True) as db:
            load(db, args.folder, args.vectors)
            server = ThreadingHTTPServer(("127.0.0.1", args.port), Handler)
            server.db, server.lock = db, threading.Lock()
            print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
            timer = threading.Timer(args.seconds, server.shutdown)
            timer.daemon = True
            timer.start()
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                pass


if __name__ == "__main__":
    main()
