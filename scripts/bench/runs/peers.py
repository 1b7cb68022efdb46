"""The other tools' side of the benchmark of runs: bench.py starts it once for every figure. It prints one line of JSON.

Usage: peers.py TOOL QRELS RUN VALUES, where TOOL is pytrec_eval, ranx or ir_measures. VALUES gets the value of every query, as
{query: [nDCG@10, AP, RR@10, R@1000, P@10]}.
"""
import json
import os
import sys
import tempfile
import time


def cut(rr):
    """RR@10 of a reciprocal rank: neither trec_eval nor pytrec_eval has a measure for it."""
    return rr if rr >= 0.1 else 0.0


def pytrec_eval(qrels_file, run_file):
    import pytrec_eval
    with open(qrels_file) as f:
        qrels = pytrec_eval.parse_qrel(f)
    start = time.perf_counter()
    with open(run_file) as f:
        run = pytrec_eval.parse_run(f)
    parsed = time.perf_counter()
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, ['ndcg_cut.10', 'map', 'recip_rank', 'recall.1000', 'P.10'])
    result = evaluator.evaluate(run)
    done = time.perf_counter()
    values = {q: [v['ndcg_cut_10'], v['map'], cut(v['recip_rank']), v['recall_1000'], v['P_10']] for q, v in result.items()}
    return parsed - start, done - parsed, values


def ranx(qrels_file, run_file):
    from ranx import Qrels, Run, evaluate
    names = ['ndcg@10', 'map', 'mrr@10', 'recall@1000', 'precision@10']
    # All of it on a few queries first, so that ranx has compiled its code: that is not what is measured.
    with tempfile.TemporaryDirectory() as folder:
        few_qrels, few_run = head(qrels_file, run_file, folder)
        evaluate(Qrels.from_file(few_qrels, kind='trec'), Run.from_file(few_run, kind='trec'), names)
    qrels = Qrels.from_file(qrels_file, kind='trec')
    start = time.perf_counter()
    run = Run.from_file(run_file, kind='trec')
    parsed = time.perf_counter()
    evaluate(qrels, run, names)
    done = time.perf_counter()
    values = {q: [float(run.scores[n][q]) for n in names] for q in run.scores[names[0]]}
    return parsed - start, done - parsed, values


def head(qrels_file, run_file, folder, queries=20):
    """Writes the first queries of a run, and their qrels, into a folder."""
    few = (os.path.join(folder, 'few.qrels'), os.path.join(folder, 'few.run'))
    known = set()
    with open(run_file) as f, open(few[1], 'w') as out:
        for line in f:
            known.add(line.split(' ', 1)[0])
            if len(known) > queries:
                known.discard(line.split(' ', 1)[0])
                break
            out.write(line)
    with open(qrels_file) as f, open(few[0], 'w') as out:
        out.writelines(line for line in f if line.split(' ', 1)[0] in known)
    return few


def ir_measures(qrels_file, run_file):
    import ir_measures
    from ir_measures import AP, P, R, RR, nDCG
    measures = [nDCG @ 10, AP, RR @ 10, R @ 1000, P @ 10]
    qrels = list(ir_measures.read_trec_qrels(qrels_file))
    start = time.perf_counter()
    run = list(ir_measures.read_trec_run(run_file))
    parsed = time.perf_counter()
    values = {}
    for m in ir_measures.iter_calc(measures, qrels, run):
        values.setdefault(m.query_id, [0.0] * len(measures))[measures.index(m.measure)] = m.value
    done = time.perf_counter()
    return parsed - start, done - parsed, values


def main():
    tool, qrels_file, run_file, values_file = sys.argv[1:]
    parse, evaluate, values = {'pytrec_eval': pytrec_eval, 'ranx': ranx, 'ir_measures': ir_measures}[tool](qrels_file, run_file)
    with open(values_file, 'w') as f:
        json.dump(values, f)
    print(json.dumps({'parse': parse, 'evaluate': evaluate}))


if __name__ == '__main__':
    main()
