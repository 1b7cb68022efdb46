# What scipy says of the cases of oracle/significance/cases.json in which rounding alone tells numbers apart, once they are rounded:
# differences and scores to 12 decimals. Usage: rounded.py CASES OUT
import json, sys, warnings
import numpy as np
from scipy import stats

warnings.filterwarnings('ignore')
cases = json.load(open(sys.argv[1]))['cases']


def noisy(v):
    s = np.sort(np.asarray(v, float))
    gaps = np.diff(s)
    return bool(np.any((gaps > 0) & (gaps <= 1e-10 * np.max(np.abs(s)))))


def plain(x):
    x = float(x)
    return 'NaN' if x != x else x


out = {}
for c in cases:
    a, b = (np.array([float(v) for v in c[k]]) for k in 'ab')
    d = b - a
    o = {}
    if noisy(np.abs(d)):
        r = np.round(d, 12)
        o['wilcoxon'] = []
        for w in c['wilcoxon']:
            if w['method'] == 'exact':
                continue  # scipy's table holds only without ties
            x = stats.wilcoxon(r, zero_method=w['zero_method'], correction=w['correction'], method='approx' if w['method'] == 'asymptotic' else w['method'], alternative=w['alternative'])
            o['wilcoxon'].append([w['zero_method'], w['correction'], w['method'], w['alternative'], plain(x.statistic), plain(x.pvalue), plain(getattr(x, 'zstatistic', np.nan))])
    if noisy(np.concatenate([a, b])):
        a, b = np.round(a, 12), np.round(b, 12)
        t, s = stats.kendalltau(a, b), stats.spearmanr(a, b)
        o['association'] = [plain(v) for v in (t.statistic, t.pvalue, stats.kendalltau(a, b, variant='c').statistic, s.statistic, s.pvalue)]
        o['cliff'] = float(np.mean(np.sign(b[:, None] - a[None, :])))
    if o:
        out[c['name']] = o
with open(sys.argv[2], 'w') as f:
    f.write('{\n' + ',\n'.join(json.dumps(k) + ':' + json.dumps(v, separators=(',', ':')) for k, v in sorted(out.items())) + '\n}\n')
print({k: list(v) for k, v in out.items()})
