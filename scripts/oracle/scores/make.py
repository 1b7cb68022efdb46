"""Makes core/intake/scores/testdata with the tools whose files are read there: ir_measures, trec_eval, PyTerrier, pytrec_eval,
autojudge-evaluate, MTEB, Ragas and nuggetizer. No model is called.

Usage: python3 make.py FOLDER   (in an environment with the packages of requirements.txt)

Each file stands beside expected.json, which has the figures that the tools give for it, and the versions.
"""
import asyncio
import json
import os
import pathlib
import random
import subprocess
import sys
from importlib.metadata import version

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'trec_eval'))
from program import program  # noqa: E402

OUT = os.path.abspath(sys.argv[1])
EXPECTED = {'versions': {p: version(p) for p in (
    'ir_measures', 'python-terrier', 'pytrec_eval-terrier', 'autojudge-evaluate', 'mteb', 'ragas', 'nuggetizer')}}
DRAWN = random.Random(34)


def path(name):
    full = os.path.join(OUT, name)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    return full


def write(name, text):
    with open(path(name), 'w', encoding='utf-8') as f:
        f.write(text)


def save(name, value):
    EXPECTED[name] = value


# Three runs over 12 queries, of which two have no relevant document for one of the runs.
QUERIES = [str(q) for q in range(1, 13)]
QRELS = {q: {f'd{d}': DRAWN.randint(0, 2) for d in DRAWN.sample(range(30), 8)} for q in QUERIES}
RUNS = {}
for name, skill in (('bm25', .5), ('dense', .8), ('hybrid', 1.1)):
    RUNS[name] = {q: {f'd{d}': round(skill * QRELS[q].get(f'd{d}', 0) + DRAWN.random(), 4) for d in range(30)} for q in QUERIES}

work = os.path.join(OUT, '.work')
os.makedirs(work, exist_ok=True)
with open(os.path.join(work, 'qrels'), 'w') as f:
    for q in QUERIES:
        for d, g in QRELS[q].items():
            f.write(f'{q} 0 {d} {g}\n')
for name, run in RUNS.items():
    with open(os.path.join(work, name), 'w') as f:
        for q in QUERIES:
            for rank, (d, s) in enumerate(sorted(run[q].items(), key=lambda x: (-x[1], x[0])), 1):
                f.write(f'{q} Q0 {d} {rank} {s} {name}\n')


def printed(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


trec_eval = program(os.path.join(work, 'trec_eval'))
EXPECTED['versions']['trec_eval'] = '9.0.4'
for name in RUNS:
    write(f'ir_measures/{name}.txt', printed(os.path.join(os.path.dirname(sys.executable), 'ir_measures'), '-q', os.path.join(work, 'qrels'),
                                            os.path.join(work, name), 'nDCG@10 AP'))
    write(f'trec_eval/{name}.txt', printed(trec_eval, '-q', '-c', '-m', 'official', '-m', 'ndcg_cut.10', os.path.join(work, 'qrels'), os.path.join(work, name)))

import pytrec_eval  # noqa: E402

measured = {name: pytrec_eval.RelevanceEvaluator(QRELS, {'map', 'ndcg_cut_10'}).evaluate(run) for name, run in RUNS.items()}
write('pytrec_eval/hybrid.json', json.dumps(measured['hybrid']))
save('ndcg_cut_10', {name: {q: v['ndcg_cut_10'] for q, v in m.items()} for name, m in measured.items()})
save('map', {name: {q: v['map'] for q, v in m.items()} for name, m in measured.items()})

import pandas  # noqa: E402
import pyterrier  # noqa: E402
from ir_measures import AP, nDCG  # noqa: E402

frames = []
for name, run in RUNS.items():
    rows = [(q, d, s) for q in QUERIES for d, s in run[q].items()]
    frame = pandas.DataFrame(rows, columns=['qid', 'docno', 'score'])
    frame['rank'] = frame.groupby('qid')['score'].rank(ascending=False, method='first').astype(int) - 1
    frames.append(frame)
qrels = pandas.DataFrame([(q, d, g) for q in QUERIES for d, g in QRELS[q].items()], columns=['qid', 'docno', 'label'])
topics = pandas.DataFrame([(q, q) for q in QUERIES], columns=['qid', 'query'])
pyterrier.Experiment(frames, topics, qrels, [nDCG@10, AP], names=list(RUNS), perquery=True).to_csv(path('pyterrier/perquery.csv'))
pyterrier.Experiment(frames, topics, qrels, [nDCG@10, AP], names=list(RUNS)).to_csv(path('pyterrier/means.csv'), index=False)

# The same results as PyTerrier and pandas write them: core/intake reads each as the same run.
results = frames[0][frames[0]['qid'].isin(['1', '2', '3'])]
pyterrier.io.write_results(results, path('results/bm25.res'), run_name='bm25')
results.to_csv(path('results/bm25.csv'))
results.to_json(path('results/bm25.json'), orient='records')
results.to_json(path('results/bm25.jsonl'), orient='records', lines=True)

# The package's own __init__ wants word lists of nltk, which its files of results do not need.
import importlib.util  # noqa: E402
import types  # noqa: E402

package = types.ModuleType('autojudge_evaluate')
package.__path__ = list(importlib.util.find_spec('autojudge_evaluate').submodule_search_locations)
sys.modules['autojudge_evaluate'] = package
from autojudge_evaluate.eval_results import EvalEntry, EvalResult, MeasureSpecs, write as write_results  # noqa: E402

entries = [EvalEntry(run_id=name, topic_id=q, measure=m, value=round(v[m], 4)) for name, by in measured.items() for q, v in by.items()
           for m in ('map', 'ndcg_cut_10')]
entries += [EvalEntry(run_id=name, topic_id='all', measure='map', value=round(sum(v['map'] for v in by.values()) / len(by), 4))
            for name, by in measured.items()]
for form in ('tot', 'ir_measures', 'jsonl'):
    write_results(EvalResult(entries, MeasureSpecs.from_single({'map': float, 'ndcg_cut_10': float})), pathlib.Path(path(f'autojudge/{form}.txt')), form)

from mteb.results.task_result import TaskResult  # noqa: E402

save('mteb', {})
for model in ('example__small', 'example__large'):
    for task, splits in (('Alpha', ['test']), ('Beta', ['dev', 'test']), ('Gamma', ['test'])):
        subsets = ['default'] if task != 'Gamma' else ['en-de', 'en-fr', 'en-it']
        scores = {}
        for split in splits:
            scores[split] = []
            for subset in subsets:
                main = DRAWN.random()
                scores[split].append({'main_score': main, 'ndcg_at_10': main, 'map_at_10': DRAWN.random(), 'hf_subset': subset,
                                      'languages': ['eng-Latn']})
        result = TaskResult(dataset_revision='0' * 40, task_name=task, mteb_version=version('mteb'), scores=scores, evaluation_time=1.5,
                            kg_co2_emissions=None)
        result.to_disk(pathlib.Path(path(f'mteb/{model}/{"a1b2c3d4e5" * 4}/{task}.json')))
        read = TaskResult.from_disk(pathlib.Path(path(f'mteb/{model}/{"a1b2c3d4e5" * 4}/{task}.json')))
        EXPECTED['mteb'].setdefault(model.replace('__', '/'), {})[task] = float(read.get_score(splits=['test']))
    write(f'mteb/{model}/{"a1b2c3d4e5" * 4}/model_meta.json', json.dumps({'name': model.replace('__', '/'), 'revision': 'a1b2c3d4e5' * 4}))

from ragas import EvaluationDataset, SingleTurnSample  # noqa: E402
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall  # noqa: E402

save('ragas', {})
for name in ('keyword', 'vector'):
    samples = []
    for n in range(10):
        reference = DRAWN.sample(range(20), DRAWN.randint(0 if n == 3 else 1, 4))
        retrieved = [] if n == 7 and name == 'vector' else DRAWN.choices(range(20), k=6)
        kind = str if n % 2 else int
        samples.append(SingleTurnSample(user_input=f'question {n}', retrieved_context_ids=[kind(x) for x in retrieved],
                                        reference_context_ids=[kind(x) for x in reference]))
    EvaluationDataset(samples=samples).to_jsonl(path(f'ragas/{name}.jsonl'))
    for metric in (IDBasedContextPrecision(), IDBasedContextRecall()):
        values = [asyncio.run(metric.single_turn_ascore(s)) for s in samples]
        EXPECTED['ragas'].setdefault(name, {})[metric.name] = [None if v != v else float(v) for v in values]

from nuggetizer.core.metrics import calculate_global_metrics, calculate_nugget_scores  # noqa: E402

save('nuggetizer', {})
for name in ('short', 'long'):
    records = []
    for n in range(1, 11):
        nuggets = [{'text': f'fact {k}', 'importance': 'okay' if n == 5 else DRAWN.choice(['vital', 'okay']),
                    'assignment': DRAWN.choice(['support', 'partial_support', 'not_support'])} for k in range(0 if n == 8 else DRAWN.randint(2, 7))]
        records.append({'query': f'question {n}', 'qid': str(n), 'answer_text': 'an answer', 'response_length': 2, 'run_id': name, 'nuggets': nuggets})
    write(f'nuggetizer/{name}.jsonl', ''.join(json.dumps(r) + '\n' for r in records))
    per = [vars(calculate_nugget_scores(r['qid'], r['nuggets'])) for r in records]
    whole = calculate_global_metrics(records)
    write(f'nuggetizer/metrics-{name}.jsonl', ''.join(json.dumps(r) + '\n' for r in per + [whole]))
    EXPECTED['nuggetizer'][name] = {'queries': per, 'all': whole}

import nltk.corpus  # noqa: E402

nltk.corpus.stopwords = types.SimpleNamespace(words=lambda *_: [])  # what counts words needs them, and nothing is counted here
from autojudge_base.report import Report, convert, extract_doc_ids_from_report, submission_dict  # noqa: E402

EXPECTED['versions']['autojudge-base'] = version('autojudge-base')
save('citations', {})
reports = []
for n in range(1, 6):
    docs = [f'shard_{n}_{k}' for k in range(6)]
    reports.append(Report(metadata={'team_id': 't', 'run_id': 'answers', 'narrative_id': str(n), 'narrative': f'question {n}', 'run_desc': 'd', 'type': 'automatic',
                                    'topic_id': str(n), 'use_starter_kit': 0},
                          references=docs, answer=[{'text': 'a sentence', 'citations': [] if n == 3 else DRAWN.sample(range(6), DRAWN.randint(0, 3))}
                                                   for _ in range(3)]))
for name, spec in (('rag', 'rag26'), ('ragtime', 'ragtime26')):
    lines = []
    for r in reports:
        made = convert(r, spec)
        lines.append(json.dumps(submission_dict(made, spec)) + '\n')
        EXPECTED['citations'][made.metadata.topic_id] = sorted(extract_doc_ids_from_report(made, cited_only=True))
    write(f'citations/{name}.jsonl', ''.join(lines))

write('expected.json', json.dumps(EXPECTED, indent=1, sort_keys=True) + '\n')
