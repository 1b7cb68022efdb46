# Repeated-measures analysis of variance: F and p of statsmodels AnovaRM, ε and corrected p of pingouin rm_anova and epsilon, and ε of
# interactions of any size by numpy from explicit orthonormal contrasts (Greenhouse and Geisser 1959, Huynh and Feldt 1976), since
# pingouin has it only for two factors. Usage: repeated.py OUT [SEED]
import itertools, json, sys, warnings

import numpy as np
import pandas as pd
import pingouin as pg
import scipy
import scipy.stats
import statsmodels
from statsmodels.stats.anova import AnovaRM

warnings.filterwarnings('ignore')
out, seed = sys.argv[1], int((sys.argv + [0, 0])[2] or 1)
rng = np.random.default_rng(seed)


def helmert(levels):
    """Orthonormal contrasts: a column each."""
    return scipy.linalg.helmert(levels).T


def epsilons(levels, x, term):
    """x is queries × cells, the last factor varying fastest."""
    c = np.ones((1, 1))
    for f, l in enumerate(levels):
        c = np.kron(c, helmert(l) if f in term else np.full((l, 1), l**-0.5))
    y = x @ c
    s = np.cov(y, rowvar=False).reshape(c.shape[1], c.shape[1])
    d, n = c.shape[1], len(x)
    gg = np.trace(s) ** 2 / (d * np.trace(s @ s))
    hf = (n * d * gg - 2) / (d * (n - 1 - d * gg))
    return gg, min(1.0, hf) if hf > 0 else 1.0


def case(name, levels, n, draw):
    cells = int(np.prod(levels))
    x = np.round(draw(n, cells), 3)
    names = ['a', 'b', 'c'][:len(levels)]
    frame = pd.DataFrame([dict(zip(names, cell), q=q, y=x[q, i]) for i, cell in enumerate(itertools.product(*map(range, levels))) for q in range(n)])
    table = AnovaRM(frame, 'y', 'q', within=names).fit().anova_table
    effects = []
    for k in (1, 2):
        for term in itertools.combinations(range(len(levels)), k):
            row = table.loc[':'.join(names[f] for f in term)]
            gg, hf = epsilons(levels, x, term)
            e = {'factors': list(term), 'f': row['F Value'], 'df': row['Num DF'], 'error_df': row['Den DF'], 'p': row['Pr > F'], 'gg': gg, 'hf': max(hf, gg),
                 'p_gg': scipy.stats.f.sf(row['F Value'], gg * row['Num DF'], gg * row['Den DF'])}
            if len(levels) == 1:  # pingouin agrees with all of it
                p = pg.rm_anova(data=frame, dv='y', within='a', subject='q', correction=True)
                wide = frame.pivot(index='q', columns='a', values='y')
                assert abs(p['F'][0] - e['f']) < 1e-9 * e['f'] and abs(pg.epsilon(wide, correction='gg') - gg) < 1e-9
                if levels[0] > 2:
                    assert abs(p.filter(regex='p.GG').iloc[0, 0] - e['p_gg']) < 1e-9 and abs(min(1, pg.epsilon(wide, correction='hf')) - min(1, hf)) < 1e-9
            elif len(levels) == 2:
                p = pg.rm_anova(data=frame, dv='y', within=names, subject='q')
                at = {(0,): 0, (1,): 1, (0, 1): 2}[term]
                assert abs(p['F'][at] - e['f']) < 1e-9 * e['f']
                if k == 1 or min(levels) == 2:
                    assert abs(p['eps'][at] - gg) < 1e-9 and abs(p.filter(regex='p.GG').iloc[at, 0] - e['p_gg']) < 1e-9
            effects.append({k: float(v) if not isinstance(v, list) else v for k, v in e.items()})
    return {'name': name, 'levels': levels, 'queries': n, 'values': x.T.ravel().tolist(), 'effects': effects}


def normal(n, cells):
    return 0.5 + 0.2 * rng.normal(size=(n, 1)) + 0.1 * rng.normal(size=(n, cells))


def uneven(n, cells):  # contrasts of very unequal variance
    return 0.5 + rng.normal(size=(n, 1)) * np.linspace(0, 0.5, cells) + 0.02 * rng.normal(size=(n, cells)) * np.arange(1, cells + 1)


def shifted(n, cells):
    return normal(n, cells) + np.linspace(0, 0.15, cells)


def sparse(n, cells):
    return np.where(rng.random((n, cells)) < 0.6, 0, rng.random((n, cells)))


cases = []
for levels, n in [([2], 12), ([3], 10), ([5], 25), ([2, 2], 10), ([2, 4], 20), ([3, 2], 5), ([3, 4], 15), ([6, 3], 12), ([2, 3, 2], 10), ([3, 3, 2], 25)]:
    for draw in (normal, uneven, shifted, sparse):
        cases.append(case(draw.__name__, levels, n, draw))
with open(out, 'w') as f:
    f.write(json.dumps({'statsmodels': statsmodels.__version__, 'pingouin': pg.__version__, 'scipy': scipy.__version__, 'numpy': np.__version__})[:-1] + ', "cases": [\n')
    f.write(',\n'.join(json.dumps(c, separators=(',', ':')) for c in cases) + '\n]}\n')
