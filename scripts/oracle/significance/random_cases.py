# Random cases for core/measure/significance with the answers of scipy, statsmodels, rbo and cliffs-delta. Usage: random_cases.py OUT [CASES] [SEED]
import json, math, sys, warnings
import numpy as np
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired
from cliffs_delta import cliffs_delta
import rbo as rbo_package

out, cases, seed = sys.argv[1], int((sys.argv + [0, 0])[2] or 300), int((sys.argv + [0, 0, 0])[3] or 1)
rng = np.random.default_rng(seed)
warnings.filterwarnings('ignore')
np.seterr(all='ignore')
ALTERNATIVES = ['two-sided', 'less', 'greater']


def plain(x):
    """Numbers as JSON can hold them."""
    if isinstance(x, dict): return {k: plain(v) for k, v in x.items()}
    if isinstance(x, (list, tuple, np.ndarray)): return [plain(v) for v in x]
    if isinstance(x, (np.bool_, bool)): return bool(x)
    if isinstance(x, (np.integer, int)): return int(x)
    if isinstance(x, (np.floating, float)):
        x = float(x)
        return 'NaN' if x != x else ('Infinity' if x > 0 else '-Infinity') if math.isinf(x) else x
    return x


# scores in 64ths, so that differences are exact and equal ones are equal
KINDS = {
    'any': lambda n: rng.integers(0, 65, (2, n)) / 64,
    'normal': lambda n: np.round(rng.normal(0, 1, (2, n)) * 2**20) / 2**20,
    'coarse': lambda n: rng.integers(0, 5, (2, n)) / 4,
    'binary': lambda n: rng.integers(0, 2, (2, n)).astype(float),
    'skewed': lambda n: np.round(rng.exponential(1, (2, n))**3 * 1024) / 1024,
    'mostly equal': lambda n: (lambda a: np.array([a, np.where(rng.random(n) < .8, a, rng.integers(0, 65, n) / 64)]))(rng.integers(0, 65, n) / 64),
    'better': lambda n: (lambda a: np.array([a, a + rng.integers(-8, 33, n) / 64]))(rng.integers(0, 33, n) / 64),
    'constant': lambda n: (lambda a: np.array([a, a + rng.integers(-2, 3) / 8]))(rng.integers(0, 65, n) / 64),
    'huge': lambda n: rng.integers(-64, 65, (2, n)) * 2.0**300,
    'tiny': lambda n: rng.integers(-64, 65, (2, n)) * 2.0**-300,
}
SIZES = [0, 1, 2, 3, 4, 5, 8, 10, 12, 13, 14, 20, 29, 30, 31, 49, 50, 51, 80]


def pair(kind, n):
    a, b = KINDS[kind](n)
    d = b - a
    c = {'kind': kind, 'a': a, 'b': b, 'positive': int((d > 0).sum()), 'negative': int((d < 0).sum())}
    tied = bool(n) and (np.any(d == 0) or len(np.unique(np.abs(d))) < n)
    level = float(rng.choice([.8, .9, .95, .99]))
    c['level'], c['t'], c['wilcoxon'], c['sign'], c['randomisation'] = level, {}, [], {}, {}
    for alt in ALTERNATIVES:
        if n >= 2:
            r = stats.ttest_rel(b, a, alternative=alt)
            ci = r.confidence_interval(level)
            c['t'][alt] = [r.statistic, r.pvalue, ci.low, ci.high]
        m = c['positive'] + c['negative']
        if m: c['sign'][alt] = stats.binomtest(c['positive'], m, .5, alternative=alt).pvalue
        for zero in ['wilcox', 'pratt', 'zsplit']:
            for correction in [False, True]:
                for method in ['auto', 'exact', 'asymptotic', 'permutation']:
                    if n == 0 or method == 'exact' and tied or rng.random() > .3: continue   # some of the 72 ways
                    if method == 'permutation':
                        if n > 12 or correction: continue
                        how = stats.PermutationMethod(n_resamples=np.inf)
                    else: how = method
                    try: r = stats.wilcoxon(d, zero_method=zero, correction=correction, alternative=alt, method=how)
                    except ValueError: continue   # one query whose difference is 0: its permutation test wants two
                    w = [zero, correction, method, alt, r.statistic, r.pvalue]
                    if method == 'asymptotic': w.append(r.zstatistic)
                    c['wilcoxon'].append(w)
        if 2 <= n <= 12 and kind not in ('huge', 'tiny'):
            r = stats.permutation_test((d,), np.mean, permutation_type='samples', n_resamples=np.inf, alternative=alt, vectorized=True)
            c['randomisation'][alt] = r.pvalue
    if n >= 2 and kind not in ('huge', 'tiny'):
        c['bootstrap'] = {}
        for method in ['percentile', 'BCa']:   # few resamples, but the same for both sides
            r = stats.bootstrap((d,), np.mean, n_resamples=int(rng.choice([2, 19, 60])) if method == 'percentile' else len(c['means']), method=method,
                                confidence_level=level, rng=np.random.default_rng(n), vectorized=True)
            c['bootstrap'][method], c['means'] = [r.confidence_interval.low, r.confidence_interval.high], r.bootstrap_distribution
        c['bootstrap']['error'] = r.standard_error
    if n: c['cliff'] = cliffs_delta(list(b), list(a))[0]
    if n: c['superiority'] = stats.mannwhitneyu(b, a).statistic / n / n
    if n: c['skew'] = stats.skew(d)
    sd = d.std(ddof=1) if n > 1 else 0
    if sd > 0 and kind not in ('huge', 'tiny', 'constant'):
        dz = d.mean() / sd
        t, tail = dz * math.sqrt(n), (1 - level) / 2
        def nc(p):
            f = lambda x: stats.nct.sf(t, n - 1, x) - p
            w = 2.0
            while f(t - w) > 0 and w < 2000: w *= 2
            lo = t - w
            w = 2.0
            while f(t + w) < 0 and w < 2000: w *= 2
            return optimize.brentq(f, lo, t + w, xtol=1e-11) / math.sqrt(n)
        try: c['dz'] = [dz, nc(tail), nc(1 - tail)]
        except ValueError: c['dz'] = [dz]
        low, high = sorted(rng.normal(0, 1.5, 2) * sd)
        low, high = float(low), float(high)
        p, x, y = ttost_paired(b, a, low, high)
        c['tost'] = [low, high, p, x[0], x[1], y[0], y[1]]
    if n >= 2:
        r = stats.kendalltau(a, b)
        c['kendall'] = [r.statistic, r.pvalue, stats.kendalltau(a, b, variant='c').statistic]
        c['spearman'] = list(stats.spearmanr(a, b)) if n > 2 else None
        c['weighted'] = stats.weightedtau(a, b).statistic
    return c


def correction():
    m = int(rng.integers(1, 60))
    p = [lambda: rng.random(m), lambda: rng.random(m)**4, lambda: rng.integers(0, 6, m) / 5, lambda: np.concatenate([rng.random(m // 2) * 1e-5, rng.random(m - m // 2)])][int(rng.integers(4))]()
    return {'p': p, 'adjusted': {k: multipletests(p, method=k)[1] for k in
            ['bonferroni', 'sidak', 'holm', 'holm-sidak', 'simes-hochberg', 'hommel', 'fdr_bh', 'fdr_by']}}


def power():
    n, dz, alpha = int(rng.integers(2, 400)), float(rng.choice([0, .05, .1, .2, .5, .8, 1.5])) or float(rng.random()), float(rng.choice([.001, .01, .05, .1]))
    alt = str(rng.choice(['two-sided', 'larger']))
    want = float(rng.choice([.5, .8, .9, .99]))
    c = {'n': n, 'dz': dz, 'alpha': alpha, 'alternative': alt, 'want': want}
    v = TTestPower().power(dz, n, alpha, alternative=alt)
    if v == v: c['power'] = v   # scipy's noncentral t is NaN far out
    if n < 200:   # statsmodels' two solvers break down on some tails: checked by its own power
        for k, args in {'effect': dict(nobs=n), 'queries': dict(effect_size=dz)}.items():
            try: v = float(np.atleast_1d(TTestPower().solve_power(alpha=alpha, power=want, alternative=alt, **args))[0])
            except Exception: continue
            back = TTestPower().power(v if k == 'effect' else dz, n if k == 'effect' else v, alpha, alternative=alt)
            if v > 0 and abs(back - want) < 1e-9 and (k == 'effect' or v > 2.01): c[k] = v
    return c


def rankings():
    k, l = int(rng.integers(1, 30)), int(rng.integers(1, 30))
    s, t = rng.permutation(40)[:k], rng.permutation(40)[:l]
    if rng.random() < .3: t = s.copy(); rng.shuffle(t[:5]); l = k
    p = float(rng.choice([.5, .8, .9, .98]))
    c = {'s': s, 't': t, 'p': p, 'ext': rbo_package.RankingSimilarity(list(map(int, s)), list(map(int, t))).rbo_ext(p=p)}
    c['truncated'] = rbo_package.RankingSimilarity(list(map(int, s)), list(map(int, t))).rbo(p=p)
    n = int(rng.integers(2, 25))
    x, y = rng.permutation(n).astype(float), rng.permutation(n).astype(float)
    order = np.argsort(-y)   # Yilmaz, Aslam and Robertson 2008, section 3, as written there
    c['x'], c['y'] = x, y
    c['tau_ap'] = 2 / (n - 1) * sum(sum(x[order[j]] > x[order[i]] for j in range(i)) / i for i in range(1, n)) - 1
    return c


kinds = list(KINDS)
answer = {
    'pairs': [pair(kinds[i % len(kinds)], SIZES[(i // len(kinds) + i) % len(SIZES)]) for i in range(cases)],
    'corrections': [correction() for _ in range(max(cases // 5, 5))],
    'power': [power() for _ in range(max(cases // 5, 5))],
    'rankings': [rankings() for _ in range(max(cases // 5, 5))],
}
with open(out, 'w') as f: json.dump(plain(answer), f, separators=(',', ':'))
