# What the scorers of search servers say of the run of conventions_ids.json: the figures behind their conventions in
# core/measure. usage: conventions_servers.py LISTS OUT WORK QUEPID SEARCH-RELEVANCE
# LISTS is core/measure/testdata/conventions_ids.json, OUT conventions_servers.json beside it, WORK a folder for jars,
# the last two are clones of o19s/quepid and opensearch-project/search-relevance. It takes git, Maven, Java 17 and
# Node.js.
import json, os, re, subprocess, sys
LISTS, OUT, WORK, QUEPID, SEARCH_RELEVANCE = sys.argv[1:6]
HERE = os.path.dirname(os.path.abspath(__file__))
# rank-eval-client is what Elastic published of the module rank-eval outside the server, last for 7.17.
RANK_EVAL, QUEPID_COMMIT = '7.17.28', 'f80322f3'
# d17ddf6 is in the release 3.1 of Search Relevance.
RELEVANCE = {'d17ddf6': ('org.opensearchproject', ['Evaluation']),
             '0b75cf84': ('org.opensearchproject.later', ['Evaluation', 'JudgmentThresholdCalculator'])}
os.makedirs(os.path.join(WORK, 'classes'), exist_ok=True)
lists = json.load(open(LISTS))['lists']
cases = []
for l in lists:
    order = sorted(range(len(l['ids'])), key=lambda i: -l['scores'][i])  # stable, as the file has them
    cases.append((l['query'], [l['ids'][i] for i in order], dict(zip(l['judged_ids'], l['judged']))))
values = {}


def put(tool, notation, name, query, value):
    measure = values.setdefault(tool, {}).setdefault(notation, {'as': name, 'per_query': {}, 'mean': 0, 'decimals': 0})
    measure['per_query'][query] = value


def show(clone, commit, path):
    return subprocess.run(['git', '-C', clone, 'show', f'{commit}:{path}'], check=True, capture_output=True, text=True).stdout


# Elasticsearch and OpenSearch, in Java
with open(os.path.join(WORK, 'pom.xml'), 'w') as f:
    f.write('<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>')
    for group, artifact in (('org.elasticsearch', 'elasticsearch'), ('org.elasticsearch.plugin', 'rank-eval-client')):
        f.write(f'<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{RANK_EVAL}</version></dependency>')
    f.write('</dependencies></project>')
subprocess.run(['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=es'], cwd=WORK, check=True)
sources = []
for commit, (package, classes) in RELEVANCE.items():
    os.makedirs(os.path.join(WORK, package), exist_ok=True)
    for name in classes:
        path = f'src/main/java/org/opensearch/searchrelevance/metrics/calculator/{name}.java'
        sources.append(f'{package}/{name}.java')
        with open(os.path.join(WORK, sources[-1]), 'w') as f:
            f.write(re.sub(r'package [\w.]+;', f'package {package};', show(SEARCH_RELEVANCE, commit, path)))
with open(os.path.join(WORK, 'cases.tsv'), 'w') as f:
    for query, ids, ratings in cases:
        f.write('\t'.join((query, ' '.join(ids), ' '.join(f'{d}={g}' for d, g in ratings.items()))) + '\n')
subprocess.run(['javac', '-d', 'classes', '-cp', 'es/*', *sources, os.path.join(HERE, 'Servers.java')], cwd=WORK, check=True)
said = subprocess.run(['java', '-cp', 'classes:es/*', 'Servers', 'cases.tsv'], cwd=WORK, check=True, capture_output=True, text=True).stdout
for line in said.splitlines():
    tool, notation, name, query, value = line.split('\t')
    put(tool, notation, name, query, float(value))

# Quepid: its scorers in the functions that its own jobs give them. Documents of a query without ratings have none.
logic = show(QUEPID, QUEPID_COMMIT, 'lib/scorer_logic.js')
release = re.search(r'^## (\d+\.\d+\.\d+)', show(QUEPID, QUEPID_COMMIT, 'CHANGELOG.md'), re.M).group(1)
RUN = """const vm = require('node:vm'), [given, logic, code] = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(given.map((g) => vm.runInNewContext(`${logic}\n{${code}\n}\ngetScore()`, g))));"""
for scorer, ours, name in (('ndcg', 'nDCG', 'NDCG'), ('ndcg_cut', "nDCG(dcg='exp-log2')", 'NDCG_CUT'), ('p', 'P', 'P'), ('ap', 'AP', 'AP'), ('rr', 'RR', 'RR')):
    code = show(QUEPID, QUEPID_COMMIT, f'db/scorers/{scorer}@10.js')
    for k in (3, 5, 10):
        depth = re.sub(r'= *10;?( *// *@Rank)', rf'= {k};\1', code)
        assert f'= {k};' in depth, scorer
        given = []
        for query, ids, ratings in cases:
            docs = [{'id': d, **({'rating': ratings[d]} if d in ratings else {})} for d in ids]
            best = sorted(({'id': d, 'rating': g} for d, g in ratings.items()), key=lambda x: -x['rating'])
            given.append({'docs': docs, 'bestDocs': best, 'total': len(docs), 'options': {}, 'query': {'ratedDocs': best}})
        done = subprocess.run(['node', '-e', RUN], input=json.dumps([given, logic, depth]), check=True, capture_output=True, text=True)
        for (query, _, _), value in zip(cases, json.loads(done.stdout)):
            if value is not None:  # NaN
                put('Quepid', f'{ours}@{k}', f'{name}@{k}', query, value)

for measures in values.values():
    for m in measures.values():
        m['mean'] = sum(m['per_query'].values()) / len(m['per_query'])
versions = {'Elasticsearch': RANK_EVAL, 'OpenSearch': '0b75cf8', 'OpenSearch 3': '3.1', 'Quepid': release}
with open(OUT, 'w') as f:
    f.write('{\n"versions":' + json.dumps(versions, sort_keys=True) + ',\n"lists":[\n' + ',\n'.join(json.dumps(l) for l in lists) + '],\n"values":{\n')
    f.write(',\n'.join(json.dumps(t) + ':{\n' + ',\n'.join(f'{json.dumps(m)}:{json.dumps(v)}' for m, v in sorted(values[t].items())) + '\n}' for t in sorted(values)))
    f.write('\n}\n}\n')
