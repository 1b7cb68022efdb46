"""Measures other libraries over a growth collection, and the memory of rankbox index. `go run ./build bench -only growth` runs it.

Usage: growth.py FOLDER RANKBOX. FOLDER has texts.txt, queries.json and best.json (core/retrieve/rank/bm25/prune_test.go), RANKBOX is the command.
Prints JSON: index (bytes of memory at most), peers. The libraries go into a virtual environment beside FOLDER, Lucene comes from Maven.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
REQUIREMENTS = os.path.join(HERE, 'growth.txt')
# Libraries that score every document in Python take too long for more.
MOST = {'rank-bm25': 10_000}


def quantile(values, p):
    """The p-quantile, linear between neighbours."""
    values = sorted(values)
    at = (len(values) - 1) * p
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def timed(search, queries, passes):
    """Returns the median of each query in milliseconds, and what was found."""
    found = [search(q) for q in queries]
    took = [[] for _ in queries]
    for _ in range(passes):
        for i, q in enumerate(queries):
            start = time.perf_counter()
            search(q)
            took[i].append((time.perf_counter() - start) * 1e3)
    return [median(t) for t in took], found


def bm25s(texts, queries):
    import bm25s as library
    start = time.perf_counter()
    index = library.BM25(method='lucene', k1=.9, b=.4, backend='numba')
    index.index([t.split() for t in texts], show_progress=False)
    build = time.perf_counter() - start

    def search(query):
        documents, _ = index.retrieve([query], k=10, show_progress=False, n_threads=1)
        return documents[0].tolist()
    return 'k1 = 0.9, b = 0.4, backend numba', build, timed(search, [q.split() for q in queries], 3)


def tantivy(texts, queries):
    import tantivy as library
    schema = library.SchemaBuilder()
    schema.add_integer_field('id', stored=True, fast=True)
    schema.add_text_field('text', tokenizer_name='whitespace')
    start = time.perf_counter()
    index = library.Index(schema.build())
    writer = index.writer(heap_size=1_000_000_000, num_threads=1)
    for i, text in enumerate(texts):
        writer.add_document(library.Document(id=i, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    build = time.perf_counter() - start
    searcher = index.searcher()

    def search(query):
        return searcher.search(query, 10, count=False).hits
    times, found = timed(search, [index.parse_query(q, ['text']) for q in queries], 5)
    found = [[searcher.doc(at)['id'][0] for _, at in hits] for hits in found]
    return 'k1 = 1.2 and b = 0.75, which are fixed', build, (times, found)


def rank_bm25(texts, queries):
    import numpy
    from rank_bm25 import BM25Okapi
    start = time.perf_counter()
    index = BM25Okapi([t.split() for t in texts], k1=.9, b=.4)
    build = time.perf_counter() - start

    def search(query):
        return numpy.argsort(-index.get_scores(query), kind='stable')[:10].tolist()
    return 'BM25Okapi, k1 = 0.9, b = 0.4', build, timed(search, [q.split() for q in queries], 1)


PEERS = {'bm25s': bm25s, 'tantivy': tantivy, 'rank-bm25': rank_bm25}


def same(found, best):
    """The part of the best documents that a library found too."""
    hits = sum(len(set(f) & {h['Doc'] for h in b}) for f, b in zip(found, best))
    return hits / sum(len(b) for b in best)


def row(name, version, settings, build, times, found, best):
    return {'Name': name, 'Version': version, 'Settings': settings, 'Median': quantile(times, .5), 'P95': quantile(times, .95),
            'Build': build * 1e3, 'Same': same(found, best)}


def load(folder):
    with open(os.path.join(folder, 'texts.txt')) as f:
        texts = f.read().splitlines()
    with open(os.path.join(folder, 'queries.json')) as f:
        queries = json.load(f)
    with open(os.path.join(folder, 'best.json')) as f:
        best = [b or [] for b in json.load(f)]
    return texts, queries, best


def one(name, folder):
    """Measures a library in this process and prints its row."""
    from importlib.metadata import version
    texts, queries, best = load(folder)
    settings, build, (times, found) = PEERS[name](texts, queries)
    print(json.dumps(row(name, version(name), settings, build, times, found, best)))


def lucene_version():
    """Returns the version of Lucene that this machine's Java runs: 10 needs Java 21."""
    said = subprocess.run(['java', '-version'], check=True, stderr=subprocess.PIPE, text=True).stderr
    return '10.3.2' if int(said.split('"')[1].split('.')[0]) >= 21 else '9.12.1'


def lucene(folder):
    """Measures Lucene, in one segment."""
    release = lucene_version()
    jar = os.path.expanduser(f'~/.m2/repository/org/apache/lucene/lucene-core/{release}/lucene-core-{release}.jar')
    if not os.path.exists(jar):
        subprocess.run(['mvn', '-q', 'dependency:get', f'-Dartifact=org.apache.lucene:lucene-core:{release}'], check=True,
                       stdout=sys.stderr)
    _, queries, best = load(folder)
    lines, index = os.path.join(folder, 'queries.txt'), os.path.join(folder, 'lucene')
    with open(lines, 'w') as f:
        f.writelines(q + '\n' for q in queries)
    shutil.rmtree(index, ignore_errors=True)
    out = subprocess.run(['java', '-Xmx2g', '-cp', jar, os.path.join(HERE, 'Growth.java'), os.path.join(folder, 'texts.txt'), lines, index],
                         check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    shutil.rmtree(index)
    found = [[int(d) for d in line.split()[1:]] for line in out[1:]]
    times = [int(line.split()[0]) / 1e6 for line in out[1:]]
    return row('Lucene', release, 'k1 = 0.9, b = 0.4, one segment, no cache', float(out[0]), times, found, best)


def memory(folder, command):
    """The memory of rankbox index over the collection, at most, in bytes."""
    corpus, queries, to = (os.path.join(folder, name) for name in ('corpus.tsv', 'queries.jsonl', 'bundle'))
    with open(os.path.join(folder, 'texts.txt')) as f, open(corpus, 'w') as out:
        for i, line in enumerate(f):
            out.write(f'{i}\t{line}')
    with open(queries, 'w') as out:
        out.write('{"_id":"q","text":"w1"}\n')
    shutil.rmtree(to, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    subprocess.run([command, 'index', '-quiet', '-analyzer', 'whitespace', '-corpus', corpus, '-queries', queries, '-o', to], check=True,
                   stdout=sys.stderr)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if most <= before:
        raise SystemExit('rankbox index took less memory than what ran before it: its own is not known')
    shutil.rmtree(to)
    os.remove(corpus)
    return most * 1024


def main(folder, command):
    index = memory(folder, command)
    venv = os.path.join(os.path.dirname(os.path.abspath(folder)), 'venv')
    python = os.path.join(venv, 'bin', 'python')
    if not os.path.exists(python):
        subprocess.run([sys.executable, '-m', 'venv', venv], check=True)
    subprocess.run([python, '-m', 'pip', 'install', '-q', '-r', REQUIREMENTS], check=True, stdout=sys.stderr)
    documents = sum(1 for _ in open(os.path.join(folder, 'texts.txt')))
    peers = [lucene(folder)]
    for name in PEERS:  # each in a process of its own
        if documents <= MOST.get(name, documents):
            out = subprocess.run([python, os.path.abspath(__file__), '--one', name, folder], check=True, stdout=subprocess.PIPE)
            peers.append(json.loads(out.stdout))
    print(json.dumps({'Index': index, 'Peers': peers}))


if __name__ == '__main__':
    if sys.argv[1] == '--one':
        one(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
