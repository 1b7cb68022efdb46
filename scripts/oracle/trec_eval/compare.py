"""Compares `rankbox eval -o trec_eval9` with the trec_eval program, 9.0.4, byte for byte, on random judgments and runs.

Usage: python3 compare.py RANKBOX [--cases 3000] [--seed 1] [--cache FOLDER] [--golden FILE]

RANKBOX is the compiled command. Every case is a pair of files of 1 to 8 queries and is measured with all_trec, -q and -c, and with three
more sets of options. Without -faults the same calls may differ only in the lines where that program is at fault. --golden writes the first
cases with the program's output, where that is short: testdata/trec_eval-9.0.4.txt of core/measure is of --cases 14 --seed 5.
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
FLAGS = [['-q'], ['-q', '-c'], ['-c'], [], ['-q', '-n'], ['-n'], ['-q', '-c', '-n']]
MORE = [[], [], ['-l', '2'], ['-l', '3'], ['-J'], ['-M', '5'], ['-M', '1'], ['-N', '1000'], ['-J', '-M', '4'], ['-J', '-l', '2'], ['-l', '2', '-M', '3'], ['-l', '0']]
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


def call(command):
    done = subprocess.run(command, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def options(r):
    return [*r.choice(FLAGS), *r.choice(MORE), *(w for m in r.choice(MEASURES) for w in ('-m', m))]


def faulty(line, theirs):
    """Whether a line may differ where Rankbox is not asked for the program's faults."""
    return 'nan' in theirs or line.startswith('num_rel ')


def main():
    parser = argparse.ArgumentParser(description='Compares rankbox eval with the trec_eval program.')
    default = os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'rankbox-bench')
    parser.add_argument('rankbox')
    parser.add_argument('--cases', type=int, default=3000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--cache', default=default)
    parser.add_argument('--golden')
    asked = parser.parse_args()
    try:
        theirs = program(os.path.abspath(asked.cache))
    except Absent as e:
        sys.exit(f'compare.py: {e}')
    r, calls, lines, refused, different, golden = random.Random(asked.seed), 0, 0, 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = os.path.join(folder, 'qrels'), os.path.join(folder, 'run')
        for n in range(asked.cases):
            texts = pair(r)
            if not all(texts):
                continue
            for name, text in zip((qrels, run), texts):
                with open(name, 'w', encoding='utf-8') as f:
                    f.write(text)
            if n < GOLDEN:
                golden.append(f'== qrels\n{texts[0]}== run\n{texts[1]}')
            for o in (['-q', '-c', '-m', 'all_trec'], options(r), options(r), options(r)):
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
                if n < GOLDEN and (calls == 1 or len(want) < SHORT):
                    golden.append(f'== {" ".join(o)}\n{want}')
            if different > 20:
                break
    print(f'{n + 1} cases, {calls} calls, {lines} lines; both refused {refused}; {different} differ')
    if asked.golden:
        with open(asked.golden, 'w', encoding='utf-8') as f:
            f.write(''.join(golden))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
