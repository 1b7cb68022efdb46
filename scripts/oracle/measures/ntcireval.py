# Q-measure of random rankings as pyNTCIREVAL computes it. Usage: ntcireval.py OUT [CASES] [SEED]
import json, random, sys
from pyNTCIREVAL.metrics.q_measure import QMeasure

out, cases, seed = sys.argv[1], int((sys.argv + [0, 0])[2] or 60), int((sys.argv + [0, 0, 0])[3] or 1)
random.seed(seed)
found = []
while len(found) < cases:
    judged = [random.choice([0, 0, 0, 1, 1, 2, 3]) for _ in range(random.randrange(1, 15))]
    ranked = random.sample(judged, random.randrange(len(judged) + 1)) + [None] * random.randrange(6)
    random.shuffle(ranked)
    beta, cut = random.choice([0.0, 1.0, 1.0, 10.0]), random.choice([None, None, 1, 3, 10])
    grades = random.choice([[1, 2, 3], [1, 3, 7]])
    if not any(judged) or not any(g is not None for g in ranked):  # it finds no highest grade there
        continue
    m = QMeasure([judged.count(g) for g in range(4)], grades, beta, cutoff=cut)
    found.append({'ranked': ranked, 'judged': judged, 'measure': 'Q(beta=%s%s)%s' % (beta, '' if grades == [1, 2, 3] else ',gains={1:1,2:3,3:7}', '@%d' % cut if cut else ''),
                  'value': m.compute([(str(i), g) for i, g in enumerate(ranked)])})
with open(out, 'w') as f:
    f.write('[\n' + ',\n'.join(json.dumps(c, separators=(',', ':')) for c in found) + '\n]\n')
