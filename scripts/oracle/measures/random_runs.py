# 10,000 random runs of one query: ties, negative and non-ASCII ids, negative grades, short and empty overlaps.
import gzip, json, random, sys, pytrec_eval
out = sys.argv[1]; random.seed(20240711)
names = [f'd{i}' for i in range(60)] + ['é', 'Ω1', '😀', 'документ', '-5', 'd/1', 'Z']
with gzip.open(out, 'wt', encoding='utf-8') as f:
    for n in range(10000):
        docs = random.sample(names, random.randint(1, 60))
        kind = random.randrange(4)
        score = [lambda: float(random.randint(0, 4)), lambda: random.randint(-8, 8) / 4, lambda: random.uniform(0, 1), lambda: 10 + random.randint(0, 3) * 1e-8][kind]
        run = {d: score() for d in docs}
        judged = random.sample(names, random.randint(1, 40))
        top = random.choice([1, 1, 2, 4])
        qrels = {d: random.choice([0, 0, random.randint(0, top), random.randint(0, top), -1 if random.random() < .3 else 0]) for d in judged}
        if max(qrels.values()) < 0: qrels[judged[0]] = 0   # pytrec_eval never returns where no grade is 0 or more
        level = random.choice([1, 1, 2])
        ev = pytrec_eval.RelevanceEvaluator({'q': qrels}, {'all_trec'}, relevance_level=level)
        res = ev.evaluate({'q': run})['q']
        f.write(json.dumps({'ids': list(run), 'scores': list(run.values()), 'judged_ids': list(qrels), 'judged': list(qrels.values()), 'level': level, 'values': res}, ensure_ascii=False) + '\n')
