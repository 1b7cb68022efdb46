# What tools that take lists of ids say of one small run: the figures behind their conventions in core/measure.
# usage: conventions_ids.py TOOL LISTS OUT   (LISTS is core/measure/testdata/conventions.json, OUT conventions_ids.json;
# one call for each tool, in a virtual environment of its own, adds its figures to OUT)
import json, os, sys, types, importlib.util, importlib.metadata
TOOL, LISTS, OUT = sys.argv[1:4]
lists = json.load(open(LISTS))['lists']
# Retrievers of chunks return an id more than once: the cases of the issues, and a mixture.
lists += [
    dict(query='twice', ids=['a', 'a'], scores=[2.0, 1.0], judged_ids=['a'], judged=[1]),
    dict(query='three', ids=['a', 'b', 'a', 'c', 'b', 'a'], scores=[6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
         judged_ids=['a', 'c', 'd', 'b'], judged=[3, 1, 2, 0]),
]
version = importlib.metadata.version
# every query: the ids in order, the ids of relevant documents, and their grades
cases = []
for l in lists:
    order = sorted(range(len(l['ids'])), key=lambda i: -l['scores'][i])  # stable, as the file has them
    grades = {d: g for d, g in zip(l['judged_ids'], l['judged']) if g > 0}
    cases.append((l['query'], [l['ids'][i] for i in order], grades))
values = {}


def put(notation, name, per_query):
    per_query = {q: float(v) for q, v in per_query.items() if v is not None}
    values[notation] = {'as': name, 'per_query': per_query, 'mean': sum(per_query.values()) / len(per_query),
                        'decimals': 0}


def each(f, k, empty=True):
    return {q: f(ids[:k] if k else ids, grades) for q, ids, grades in cases if empty or ids and grades}


CUTS = (None, 3, 5, 10)


def at(k):
    return f'@{k}' if k else ''


if TOOL == 'LlamaIndex':
    from llama_index.core.evaluation.retrieval import metrics as m
    released = 'llama-index-core ' + version('llama-index-core')
    for ours, name, metric in (('nDCG', 'ndcg', m.NDCG()), ('AP', 'ap', m.AveragePrecision()), ('RR', 'mrr', m.MRR()),
                               ('Success', 'hit_rate', m.HitRate()), ('P', 'precision', m.Precision()),
                               ('R', 'recall', m.Recall())):
        for k in CUTS:
            if not k and ours in ('P', 'R', 'Success'):
                continue
            suffix = f' (similarity_top_k={k})' if k else ''
            put(ours + at(k), name + suffix, each(
                lambda ids, grades: metric.compute(expected_ids=list(grades), retrieved_ids=ids).score, k, False))
elif TOOL in ('Haystack', 'Haystack 2'):
    from haystack import Document
    from haystack.components import evaluators as e
    released = 'haystack-ai ' + version('haystack-ai')
    evaluators = [('nDCG', e.DocumentNDCGEvaluator()), ('AP', e.DocumentMAPEvaluator()),
                  ('RR', e.DocumentMRREvaluator()), ('Success', e.DocumentRecallEvaluator('single_hit')),
                  ('R', e.DocumentRecallEvaluator('multi_hit'))]

    def run(evaluator):
        def f(ids, grades):
            truth = [Document(id=d, content=d, score=float(g)) for d, g in grades.items()]
            found = [Document(id=d, content=d) for d in ids]
            return evaluator.run(ground_truth_documents=[truth], retrieved_documents=[found])['individual_scores'][0]
        return f
    for ours, evaluator in evaluators:
        mode = {'Success': ' (single_hit)', 'R': ' (multi_hit)'}.get(ours, '')
        for k in CUTS:
            if not k and ours in ('R', 'Success'):
                continue
            put(ours + at(k), type(evaluator).__name__ + mode + (f' (top_k={k})' if k else ''), each(run(evaluator), k))
elif TOOL == 'MLflow':
    import pandas as pd
    from mlflow.metrics import metric_definitions as m
    released = version('mlflow-skinny')
    for ours, name, make in (('nDCG', 'ndcg', m._ndcg_at_k_eval_fn), ('P', 'precision', m._precision_at_k_eval_fn),
                             ('R', 'recall', m._recall_at_k_eval_fn)):
        for k in CUTS[1:]:
            scores = make(k)(pd.Series([ids for _, ids, _ in cases]), pd.Series([list(g) for _, _, g in cases])).scores
            put(ours + at(k), f'{name}_at_{k}', {c[0]: s for c, s in zip(cases, scores)})
elif TOOL == 'Ragas':
    import asyncio
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall
    released = version('ragas')
    for ours, name, metric in (('P', 'id_based_context_precision', IDBasedContextPrecision()),
                               ('R', 'id_based_context_recall', IDBasedContextRecall())):
        for k in CUTS[1:]:
            def one(ids, grades):
                sample = SingleTurnSample(retrieved_context_ids=ids, reference_context_ids=list(grades))
                v = asyncio.run(metric.single_turn_ascore(sample))
                return v if v == v else None  # nan
            put(ours + at(k), f'{name} (top {k})', each(one, k))
elif TOOL == 'LangSmith':
    # It has no measure of retrieval: people write an evaluator each, in the shape that its documentation has. These are
    # the usual ones. The package runs them over every example and keeps the scores; an evaluator without a score leaves
    # its example out of the mean. Nothing is uploaded.
    from uuid import UUID
    from langsmith import Client, evaluate
    from langsmith.schemas import Example
    released = 'langsmith ' + version('langsmith')

    def evaluator(name, k, f):
        def evaluate_one(run, example):
            gold, ids = example.outputs['relevant_ids'], run.outputs['documents'][:k]
            return {'key': f'{name}@{k}', 'score': f(set(gold), ids) if gold else None}
        return evaluate_one
    usual = [('R', 'recall', lambda gold, ids: len(gold & set(ids)) / len(gold)),
             ('RR', 'mrr', lambda gold, ids: next((1 / i for i, d in enumerate(ids, 1) if d in gold), 0.0)),
             ('Success', 'hit', lambda gold, ids: bool(gold & set(ids)))]
    found = {q: ids for q, ids, _ in cases}
    examples = [Example(id=UUID(int=i + 1), inputs={'question': q}, outputs={'relevant_ids': list(grades)})
                for i, (q, _, grades) in enumerate(cases)]
    rows = list(evaluate(lambda inputs: {'documents': found[inputs['question']]}, data=examples,
                         evaluators=[evaluator(name, k, f) for _, name, f in usual for k in CUTS[1:]],
                         upload_results=False, client=Client(api_url='http://127.0.0.1:1', api_key='none')))
    for ours, name, _ in usual:
        for k in CUTS[1:]:
            put(ours + at(k), f'{name}@{k}', {
                row['example'].inputs['question']: r.score for row in rows
                for r in row['evaluation_results']['results'] if r.key == f'{name}@{k}'})
elif TOOL == 'AutoRAG':
    # The module alone, for the package wants every model that it can call: what it imports only names its input.
    released = version('AutoRAG')

    def wrapping(**_):
        def wrap(f):
            f.__wrapped__ = f
            return f
        return wrap
    for name, members in (('autorag', {}), ('autorag.evaluation', {}), ('autorag.evaluation.metric', {}),
                          ('autorag.evaluation.metric.util', {'autorag_metric': wrapping}), ('autorag.schema', {}),
                          ('autorag.schema.metricinput', {'MetricInput': types.SimpleNamespace})):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
    path = importlib.metadata.distribution('AutoRAG').locate_file('autorag/evaluation/metric/retrieval.py')
    spec = importlib.util.spec_from_file_location('retrieval', path)
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    for ours, name in (('nDCG', 'ndcg'), ('AP', 'map'), ('RR', 'mrr'), ('P', 'precision'), ('R', 'recall'), ('F', 'f1')):
        f = getattr(m, 'retrieval_' + name)
        for k in CUTS:
            if not k and ours in ('P', 'R', 'F'):
                continue
            put(ours + at(k), f'retrieval_{name}' + (f' (top_k={k})' if k else ''), each(
                lambda ids, grades: f(types.SimpleNamespace(retrieval_gt=[[d] for d in grades], retrieved_ids=ids))
                if grades else None, k))
doc = json.load(open(OUT)) if os.path.exists(OUT) else dict(versions={}, values={})
doc['versions'][TOOL], doc['values'][TOOL] = released, values
with open(OUT, 'w') as f:
    f.write('{\n"versions":' + json.dumps(doc['versions'], sort_keys=True))
    f.write(',\n"lists":[\n' + ',\n'.join(json.dumps(l) for l in lists) + '\n],\n"values":{\n')
    f.write(',\n'.join(json.dumps(c) + ':{\n' + ',\n'.join(json.dumps(k) + ':' + json.dumps(v) for k, v in sorted(
        ms.items())) + '\n}' for c, ms in sorted(doc['values'].items())) + '\n}\n}\n')
print(TOOL, released, len(values))
