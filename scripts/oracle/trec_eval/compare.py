"""Compares `rankbox eval -o trec_eval9` with the trec_eval program, 9.0.4, byte for byte, on random judgments and runs.

Usage: python3 compare.py RANKBOX [--kind qrels|qrels_jg|prefs|qrels_prefs] [--cases 3000] [--seed 1] [--cache FOLDER] [--golden FILE]

RANKBOX is the compiled command. Every case is a pair of files of 1 to 8 queries and is measured with all measures of its kind of judgments
(trec_eval's -R), -q and -c, with four more sets of options, and once with -Z. Without -faults the same calls may differ only in the lines
where that program is at fault. --golden writes the first cases with the program's output, where that is short:
testdata/trec_eval-9.0.4.txt of core/measure is of --cases 14 --seed 5, and trec_eval-9.0.4-KIND.txt of --kind KIND --cases 4 --seed 5.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from program import Absent, program  # noqa: E402

NAMES = [f'd{i}' for i in range(40)] + ['D1', 'Z', '-5', 'd/1', '10', '9', '1', 'é', 'Ω1', 'd_1', 'a', 'aa', 'A', '_x', '~', '!', '0', '00', '😀']
SCORES = [
    lambda r: str(r.randint(0, 4)),
    lambda r: str(r.randint(-8, 8) / 4),
    lambda r: repr(r.uniform(0, 1)),
    lambda r: repr(10 + r.randint(0, 3) * 1e-8),           # equal in single precision
    lambda r: repr(1e8 + r.randint(0, 30)),                # many equal in single precision
    lambda r: f'{r.gauss(0, 100):.{r.randint(0, 12)}f}',
    lambda r: r.choice(['1e3', '1E3', '1000', '-0', '0', '.5', '5e-1', '+2', '1.0000000001', '1', '1e-46', '-1e-46', '3e38', '-3e38', '1e-40', '2.', '0x1p3']),
]
GRADES = [
    lambda r: r.choice([0, 0, 1]),
    lambda r: r.randint(-1, 1),
    lambda r: r.randint(0, 4),
    lambda r: r.randint(-2, 4),
    lambda r: r.choice([0, 1, 2, 9, 10, 12]),
]
# What -m is given. Everything that trec_eval -h -m all_trec lists is among them, alone or with parameters.
MEASURES = [
    ['official'], ['all_trec'], ['set'], [], ['P.3,7'], ['P'], ['P.1'], ['ndcg_cut.2,4.9'], ['ndcg_cut'], ['ndcg.1=3,2=7'], ['ndcg.0=1,1=2,2=0,3=-1'], ['ndcg'],
    ['ndcg_rel.1=3,2=7'], ['ndcg_rel.0=0.5'], ['ndcg_rel'], ['Rndcg.1=3,2=7'], ['Rndcg'], ['G.1=4.5,2=9,4=7'], ['Rndcg.1=0,2=0'], ['G'], ['binG'], ['set_F.0.5'], ['set_F.0'], ['set_F'],
    ['iprec_at_recall.0,.25,.5,1'], ['iprec_at_recall.0.33'], ['iprec_at_recall'], ['11pt_avg'], ['11pt_avg.0.2,0.5,0.8'], ['relstring'], ['relstring.3'], ['relstring.40'],
    ['utility'], ['utility.1,-1,0,0'], ['utility.2,-1,-0.5,0.01'], ['gm_map'], ['gm_bpref'], ['Rprec_mult.0.5,1,3'], ['Rprec_mult'], ['Rprec'], ['infAP'], ['bpref'],
    ['recip_rank'], ['map'], ['map_cut.1,3'], ['recall.1,3'], ['relative_P.2,3'], ['success.1,3'], ['success'], ['runid'], ['num_q', 'num_ret', 'num_rel', 'num_rel_ret'],
    ['num_nonrel_judged_ret'], ['set_P', 'set_recall', 'set_map', 'set_relative_P'], ['yaap'], ['map', 'P.5', 'map', 'P.9'], ['official', 'P.2', 'relstring.5'],
]
# By kind of judgments: the nickname that stands for all measures, and what -m is given.
ALL = {'qrels': 'all_trec', 'qrels_jg': 'qrels_jg', 'prefs': 'all_prefs', 'qrels_prefs': 'all_prefs'}
PREFERRING = [
    ['prefs'], ['all_prefs'], ['prefs_simp'], ['prefs_pair'], ['prefs_avgjg'], ['prefs_avgjg_Rnonrel'], ['prefs_avgjg_Rnonrel_ret', 'prefs_avgjg_ret'], ['prefs_simp_imp', 'prefs_pair_imp'],
    ['prefs_num_prefs_poss', 'prefs_num_prefs_ful', 'prefs_num_prefs_ful_ret'], ['num_q', 'runid', 'prefs_pair_ret', 'prefs_simp_ret', 'prefs_avgjg_imp'],
]
GROUPED = [['qrels_jg'], ['map_avgjg'], ['P_avgjg'], ['P_avgjg.1'], ['P_avgjg.2,7,40'], ['Rprec_mult_avgjg'], ['Rprec_mult_avgjg.0.3,1,2.5'], ['num_q', 'map_avgjg', 'runid']]
FLAGS = [['-q'], ['-q', '-c'], ['-c'], [], ['-q', '-n'], ['-n'], ['-q', '-c', '-n']]
MORE = [[], [], ['-l', '2'], ['-l', '3'], ['-J'], ['-M', '5'], ['-M', '1'], ['-N', '1000'], ['-J', '-M', '4'], ['-J', '-l', '2'], ['-l', '2', '-M', '3'], ['-l', '0']]
WRITTEN = [['-M', '0'], ['-J', '-M', '0'], ['-l2', '-M4'], ['--level_for_rel', '2'], ['--Max=3'], ['-J', '-T', 'trec_results'], ['-D', '0']]
GOLDEN = 14  # cases that --golden writes
SHORT = 3000  # characters of output that it writes; of the first call all


def pair(r):
    """Returns judgments and a run of some queries, as text. A run has one tag: of several, trec_eval prints the last, Rankbox the first and a warning."""
    qrels, run = [], []
    name, grade = r.choice(['', 'q', '10', 'Q', '-', 'é']), r.choice(GRADES)
    for t in r.sample(range(20), r.randint(1, 8)):
        query, score, where = f'{name}{t}', r.choice(SCORES), r.random()
        if where > .12:
            judged = [(d, grade(r)) for d in r.sample(NAMES, r.randint(1, 25))]
            if max(g for _, g in judged) < 0:
                judged[0] = judged[0][0], 0  # trec_eval reads beyond its memory where no grade of a query is 0 or more
            qrels += [f'{query} 0 {d} {g}\n' for d, g in judged]
        if where < .88:
            run += [f'{query} Q0 {d} {i} {score(r)} tag\n' for i, d in enumerate(r.sample(NAMES, r.randint(1, 40)))]
    if r.random() < .3:
        r.shuffle(run)
    return ''.join(qrels), ''.join(run)


def users(r, kind):
    """Returns judgments of several users and a run, as text."""
    judged, run = [], []
    score, negative = r.choice(SCORES), kind != 'qrels_jg' and r.random() < .05
    queries = [f'{r.choice(["q", "Q"])}{t}' for t in r.sample(range(20), r.randint(1, 5))]
    odd = kind != 'qrels_jg' and r.random() < .03  # judgments that contradict each other
    for query in dict.fromkeys(queries):
        where = .5 if odd else r.random()
        names = r.sample(NAMES, r.randint(2, 30))
        for user in r.sample(['a', 'b', 'B', 'u1', 'u10', 'u2', 'é'], r.choice([1, 1, 2, 3, 5])) if where > .1 else []:
            docs = r.sample(names, r.randint(1, len(names)))
            mind = {d: r.randint(-1 if kind == 'qrels_jg' or negative else 0, r.choice([0, 1, 3, 9])) for d in docs}
            if kind == 'qrels_jg':
                judged += [f'{query} {user} {d} {g}\n' for d, g in mind.items()]
            elif kind == 'qrels_prefs':
                judged += [f'{query} {user} {d} {level(r, g)}\n' for d, g in mind.items()]
            else:
                for sub in range(r.choice([1, 1, 2, 3, 8])):
                    here = [d for d in docs if r.random() < .6] if sub else docs[:r.randint(1, len(docs))]
                    step = r.choice([1, 1, 2])  # levels that are apart here may be together there
                    judged += [f'{query} {user} s{sub} {d} {level(r, mind[d] if mind[d] < 2 else 1 + mind[d] // step)}\n' for d in here]
                if odd:
                    d, e = r.sample(names, 2)
                    judged += [f'{query} {user} x {d} 2\n', f'{query} {user} x {e} 1\n', f'{query} {user} y {d} 1\n', f'{query} {user} y {e} {r.choice("0123")}\n']
        if where < .9:
            run += [f'{query} Q0 {d} {i} {score(r)} tag\n' for i, d in enumerate(r.sample(NAMES, r.randint(1, 40)))]
    if r.random() < .5:
        r.shuffle(judged)
    return ''.join(judged), ''.join(run), negative


def level(r, g):
    return r.choice([f'{g}', f'{g}', f'{g}.0', f'{g}e0'])


LAST = chr(0x10ffff)  # a name that sorts behind every other: beyond the last of its table trec_eval -Z looks into memory that is not its own


def zscores(r, printed):
    """Returns a file for -Z of most values that a call with -q has printed. Every other one is a lens: deviations of 1e-16 from 0 print all bits of a value."""
    lines, lens = [], r.random() < .5
    queries = {}
    for line in printed.splitlines():
        name, query, _ = line.split('\t')
        queries.setdefault(query, []).append(name.strip())
    extra = ['gm_map', 'gm_bpref', LAST]
    for query, names in [*queries.items(), (LAST, ['map'])]:
        if query != LAST and r.random() < .05:
            continue
        for name in names + extra:
            if name == LAST or r.random() > .05:
                if lens:
                    lines.append(f'{query} {name} 0 1e-16\n')
                    continue
                lines.append(f'{query} {name} {r.choice([repr(r.uniform(0, 1)), "0", "0.5", "-1", "1"])} {r.choice([repr(r.uniform(0, 1)), "0", "0.25", "2"])}\n')
    r.shuffle(lines)
    return ''.join(lines)


def call(command):
    done = subprocess.run(command, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def options(r, kind, negative, more=MORE):
    flags = [*r.choice(FLAGS), *r.choice(more)]
    measures = r.choice({'qrels': MEASURES, 'qrels_jg': GROUPED}.get(kind, PREFERRING))
    if negative and any(m == 'all_prefs' or 'Rnonrel' in m for m in measures):
        measures = ['prefs']
    return [*flags, *([] if kind == 'qrels' else ['-R', kind]), *(w for m in measures for w in ('-m', m))]


def faulty(line, theirs):
    """Whether a line may differ where Rankbox is not asked for the program's faults."""
    if line.startswith(('Z11pt_avg', 'Ziprec_at_recall', 'ZRndcg')):
        return True  # a deviation of what is not a number
    return 'nan' in theirs or line.lstrip('Z').startswith(('num_rel ', 'prefs_avgjg_Rnonrel'))


def main():
    parser = argparse.ArgumentParser(description='Compares rankbox eval with the trec_eval program.')
    default = os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'rankbox-bench')
    parser.add_argument('rankbox')
    parser.add_argument('--kind', choices=list(ALL), default='qrels')
    parser.add_argument('--cases', type=int, default=3000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--cache', default=default)
    parser.add_argument('--golden')
    asked = parser.parse_args()
    try:
        theirs = program(os.path.abspath(asked.cache))
    except Absent as e:
        sys.exit(f'compare.py: {e}')
    r, other = random.Random(asked.seed), random.Random(asked.seed + 1)
    calls, lines, refused, different, golden = 0, 0, 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        qrels, run, deviations = (os.path.join(folder, name) for name in ('qrels', 'run', 'zscores'))
        for n in range(asked.cases):
            *texts, negative = (*pair(r), False) if asked.kind == 'qrels' else users(r, asked.kind)
            if not all(texts):
                continue
            for name, text in zip((qrels, run), texts):
                with open(name, 'w', encoding='utf-8') as f:
                    f.write(text)
            if n < GOLDEN:
                golden.append(f'== qrels\n{texts[0]}== run\n{texts[1]}')
            everything = ['prefs'] if negative else [ALL[asked.kind]]  # with levels below 0 Rnonrel reads beyond its memory
            kind = [] if asked.kind == 'qrels' else ['-R', asked.kind]
            sets = [['-q', '-c', *kind, '-m', everything[0]], *(options(r, asked.kind, negative) for _ in range(3)), options(other, asked.kind, negative, WRITTEN)]
            code, printed, _ = call([theirs, '-q', '-n', *kind, '-m', everything[0], qrels, run])
            if code == 0 and printed:
                with open(deviations, 'w', encoding='utf-8') as f:
                    f.write(zscores(other, printed))
                sets.append(['-Z', deviations, *other.choice(FLAGS), *other.choice(MORE), *kind, '-m', everything[0]])
            for k, o in enumerate(sets):
                calls += 1
                code, want, errors = call([theirs, *o, qrels, run])
                mine = [asked.rankbox, 'eval', '-quiet', '-o', 'trec_eval9', *o, qrels, run]
                own, got, problem = call([*mine, '-faults'])
                if code:
                    refused += 1
                    if own == 0 or got:
                        different += 1
                        print(f'{" ".join(o)}: trec_eval stops with {code} ({errors.strip()}), rankbox does not\n{texts[0]}{texts[1]}')
                    continue
                lines += want.count('\n')
                if own or got != want:
                    different += 1
                    a, b = got.splitlines(), want.splitlines()
                    at = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
                    print(f'{" ".join(o)}: {len(a)} and {len(b)} lines, the first that differs: {a[at:at + 1]} for {b[at:at + 1]} {problem}\n{texts[0]}{texts[1]}')
                    continue
                own, plain, problem = call(mine)
                bad = [(a, b) for a, b in zip(plain.splitlines(), want.splitlines(), strict=True) if a != b and not faulty(a, b)]
                if own or bad or 'nan' in plain:
                    different += 1
                    print(f'{" ".join(o)} without -faults: {bad[:3]} {problem}\n{texts[0]}{texts[1]}')
                if n < GOLDEN and (calls == 1 or len(want) < SHORT) and (k < 4 or kind):
                    if '-Z' in o:
                        with open(deviations, encoding='utf-8') as f:
                            golden.append(f'== zscores\n{f.read()}')
                    golden.append(f'== {" ".join(o).replace(deviations, "zscores")}\n{want}')
            if different > 20:
                break
    print(f'{n + 1} cases, {calls} calls, {lines} lines; both refused {refused}; {different} differ')
    if asked.golden:
        with open(asked.golden, 'w', encoding='utf-8') as f:
            f.write(''.join(golden))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
