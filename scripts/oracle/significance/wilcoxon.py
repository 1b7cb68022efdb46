# Wilcoxon's test, Cliff's delta and the sign test on P@k, from the numbers of relevant documents: integers and fractions, nothing is
# rounded. scipy on the quotients takes 1 - 2/3, 2/3 - 1/3 and 1/3 - 0 for three sizes. Usage: wilcoxon.py OUT [CASES] [SEED]
import json, random, sys
from fractions import Fraction
from math import comb

out, cases, seed = sys.argv[1], int((sys.argv + [0, 0])[2] or 60), int((sys.argv + [0, 0, 0])[3] or 1)
random.seed(seed)


def wilcoxon(d, zeros):
    """Exact less, greater and two-sided p over all signs of the ranks of integers d, and W = min(W+, W-)."""
    if zeros == 'wilcox':
        d = [v for v in d if v]
    size = sorted(abs(v) for v in d)
    rank = {s: Fraction(2 * size.index(s) + 1 + size.count(s), 2) for s in size}  # mean rank
    plus = sum((rank[v] for v in d if v > 0), Fraction())
    minus = sum((rank[-v] for v in d if v < 0), Fraction())
    if zeros == 'zsplit':
        half = sum((rank[0] for v in d if v == 0), Fraction()) / 2
        plus, minus = plus + half, minus + half
    ways = {half if zeros == 'zsplit' else Fraction(): 1}
    for v in d:
        if v:
            more = {}
            for s, n in ways.items():
                more[s] = more.get(s, 0) + n
                more[s + rank[abs(v)]] = more.get(s + rank[abs(v)], 0) + n
            ways = more
    total = sum(ways.values())
    less = Fraction(sum(n for s, n in ways.items() if s <= plus), total)
    greater = Fraction(sum(n for s, n in ways.items() if s >= plus), total)
    return [float(p) for p in (less, greater, min(Fraction(1), 2 * min(less, greater)), min(plus, minus))]


def case(k, a, b):
    d = [y - x for x, y in zip(a, b)]
    better, worse = sum(v > 0 for v in d), sum(v < 0 for v in d)
    n = better + worse
    sign = min(Fraction(1), 2 * Fraction(sum(comb(n, i) for i in range(min(better, worse) + 1)), 2**n)) if n else None
    cliff = Fraction(sum((y > x) - (y < x) for x in a for y in b), len(a) ** 2)
    return {'k': k, 'a': a, 'b': b, 'wilcox': wilcoxon(d, 'wilcox'), 'pratt': wilcoxon(d, 'pratt'), 'zsplit': wilcoxon(d, 'zsplit'),
            'better': better, 'worse': worse, 'sign': sign is not None and float(sign), 'cliff': float(cliff)}


found = [case(3, [2, 0, 1, 0, 2, 1, 1, 2, 0, 2], [3, 0, 3, 2, 1, 2, 0, 3, 2, 3])]  # by the quotients p = .0273
while len(found) < cases:
    k = random.choice([3, 5, 7, 10, 20])
    n = random.choice([5, 8, 10, 13, 20, 40])
    found.append(case(k, [random.randrange(k + 1) for _ in range(n)], [random.randrange(k + 1) for _ in range(n)]))
with open(out, 'w') as f:
    f.write('[\n' + ',\n'.join(json.dumps(c, separators=(',', ':')) for c in found) + '\n]\n')
