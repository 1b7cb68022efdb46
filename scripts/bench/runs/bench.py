"""Measures how fast Rankbox reads and measures a large run, beside other tools, and writes docs/benchmark-runs.md. See README.md.

Usage: python3 scripts/bench/runs/bench.py [--cache FOLDER] [--rounds 3] [--queries 6980] [--print]
"""
import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
DOC = os.path.join(ROOT, 'docs', 'benchmark-runs.md')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'scripts', 'oracle', 'trec_eval'))
from program import PACKAGE, VERSION, Absent, program  # noqa: E402
MODULE = 'github.com/rankbox/rankbox'
MEASURES = ['nDCG@10', 'AP', 'RR@10', 'R@1000', 'P@10']
QUERIES = 6980
KEPT = 4  # runs that stay open
PEERS = ['pytrec_eval', 'ranx', 'ir_measures']
# SHA-256 of the run of 6,980 queries: what is measured is always the same.
RUN_SHA256 = '84bdb2a670242f717833d584cff646c5e620b6043a59e617ad66ba4d08a50dd3'
# What the compiler may inline: the patterns of small(richProgram) in build/tool/compile.go, with which the program that reads runs is compiled.
# TestCompiledAsTheWorker fails where they are others.
HOT = ['internal/runtime/...'] + [
    f'{MODULE}/{p}'
    for p in ('core/retrieve/index', 'core/retrieve/rank/bm25', 'core/retrieve/rank/dense', 'core/base/float', 'wasm/kernel')
] + ['unicode/utf8'] + [
    f'{MODULE}/{p}'
    for p in ('core/retrieve/rank/...', 'core/text', 'core/collection/...', 'core/measure', 'core/measure/significance')
]


class Failed(Exception):
    """The tools disagree, or one could not be run."""


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise Failed(f'{os.path.basename(command[0])}: exit code {done.returncode}')
    return done.stdout


def timed(command):
    """Runs a command; returns its output, and what the whole process took: seconds and its peak of resident memory in bytes."""
    with tempfile.TemporaryFile('w+') as out, tempfile.TemporaryFile('w+') as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise Failed(f'{os.path.basename(command[0])}: exit code {process.returncode}: {err.read()[-500:]}')
        return out.read(), {'whole': seconds, 'peak': used.ru_maxrss * 1024}


class Load:
    """How busy others keep the processors meanwhile."""

    def __init__(self):
        self.start, self.busy, self.own = time.perf_counter(), self.ticks(), self.mine()
        self.averages = []

    @staticmethod
    def ticks():
        try:
            with open('/proc/stat') as f:
                user, nice, system, _, _, irq, soft, steal = map(int, f.readline().split()[1:9])
        except (OSError, ValueError):
            return None
        return (user + nice + system + irq + soft + steal) / os.sysconf('SC_CLK_TCK')

    @staticmethod
    def mine():
        t = os.times()
        return t.user + t.system + t.children_user + t.children_system

    def note(self):
        self.averages.append(os.getloadavg()[0])

    def line(self):
        text = 'load average ' + ', '.join(f'{a:.1f}' for a in self.averages) + ' at the start of each round and at the end'
        now = self.ticks()
        if now is not None and self.busy is not None:
            others = max(0.0, now - self.busy - (self.mine() - self.own))
            text += f'; other programs took {100 * others / (time.perf_counter() - self.start) / os.cpu_count():.0f} % of the processors'
        return text


def environment(cache):
    """Makes the virtual environment of the other tools where it is absent or out of date, and returns its Python."""
    with open(os.path.join(HERE, 'requirements.txt'), 'rb') as f:
        wanted = hashlib.sha256(f.read()).hexdigest()
    folder = os.path.join(cache, 'venv')
    python, stamp = os.path.join(folder, 'bin', 'python'), os.path.join(folder, 'requirements.sha256')
    if os.path.exists(stamp):
        with open(stamp) as f:
            if f.read() == wanted:
                return python
    say('installing the other tools')
    run([sys.executable, '-m', 'venv', '--clear', folder])
    run([python, '-m', 'pip', 'install', '-q', '-r', os.path.join(HERE, 'requirements.txt')])
    with open(stamp, 'w') as f:
        f.write(wanted)
    return python


def programs(cache):
    """Compiles Rankbox's side: the command, and ours.go natively and as the page's worker is."""
    say('compiling')
    folder = os.path.join(cache, 'bin')
    os.makedirs(folder, exist_ok=True)
    out = {name: os.path.join(folder, name) for name in ('rankbox', 'ours', 'ours.wasm')}
    go = ['go', 'build', '-trimpath']
    run([*go, '-o', out['rankbox'], './cmd/rankbox'], cwd=ROOT)
    run([*go, '-o', out['ours'], './scripts/bench/runs'], cwd=ROOT)
    flags = ['-buildvcs=false', '-ldflags=-s -w', '-gcflags=all=-l', *(f'-gcflags={p}=' for p in HOT)]
    wasm = dict(os.environ, GOOS='js', GOARCH='wasm', CGO_ENABLED='0')
    run([*go, *flags, '-o', out['ours.wasm'], './scripts/bench/runs'], cwd=ROOT, env=wasm)
    goroot = run(['go', 'env', 'GOROOT'], cwd=ROOT).strip()
    node = ['node', '--stack-size=8192', os.path.join(goroot, 'lib', 'wasm', 'wasm_exec_node.js'), out['ours.wasm']]
    return out['rankbox'], [out['ours']], node


def files(cache, ours, queries):
    """Writes the runs and the qrels where they are absent; returns the qrels and the runs."""
    folder = os.path.join(cache, f'runs-{queries}')
    os.makedirs(folder, exist_ok=True)
    qrels = os.path.join(folder, 'qrels')
    runs = [os.path.join(folder, f'{seed}.run') for seed in range(1, KEPT + 1)]
    for seed, name in enumerate(runs, 1):
        if not os.path.exists(name):
            say(f'writing run {seed} of {KEPT}')
            run([*ours, 'make', name + '.part', qrels, str(queries), str(seed)])
            os.rename(name + '.part', name)
    with open(runs[0], 'rb') as f:
        digest = hashlib.file_digest(f, 'sha256').hexdigest()
    if queries == QUERIES and digest != RUN_SHA256:
        raise Failed(f'{runs[0]} has SHA-256 {digest} where {RUN_SHA256} is expected: remove {folder}; if ours.go makes other runs now, say so in RUN_SHA256')
    return qrels, runs


def say(text):
    print(f'  {text}', file=sys.stderr, flush=True)


def reference(cache):
    """Fetches the trec_eval program where it is not there yet."""
    say('looking for trec_eval')
    try:
        return program(cache)
    except Absent as e:
        raise Failed(f'{e}; --without-trec-eval leaves it out') from None


def measure(options, cache, python, trec_eval):
    """Runs everything in turns and returns the figures: {name: [one a round]}, the values by tool, and the load."""
    command, native, node = programs(cache)
    qrels, runs = files(cache, native, options.queries)
    values = {name: os.path.join(cache, f'{name}.values.json') for name in ['native', 'wasm', *PEERS]}
    peers = os.path.join(HERE, 'peers.py')
    tasks = {
        'command': [command, 'eval', qrels, runs[0], *MEASURES, '-p', '-1'],
        'native': [*native, 'measure', qrels, runs[0], values['native']],
        'wasm': [*node, 'measure', qrels, runs[0], values['wasm']],
        'native statistics': [*native, 'statistics'],
        'wasm statistics': [*node, 'statistics'],
        **{name: [python, '-W', 'ignore', peers, name, qrels, runs[0], values[name]] for name in PEERS},
        'native keep': [*native, 'keep', qrels, *runs],
        'wasm keep': [*node, 'keep', qrels, *runs],
    }
    if trec_eval:
        tasks['trec_eval'] = [trec_eval, '-q', '-c', '-m', 'ndcg_cut.10', '-m', 'map', '-m', 'recip_rank', '-m', 'recall.1000', '-m', 'P.10', qrels, runs[0]]
    figures = {name: [] for name in tasks}
    load, printed = Load(), {}
    for i in range(options.rounds):
        load.note()
        for name, task in tasks.items():
            out, used = timed(task)
            if name in ('command', 'trec_eval'):
                printed[name] = out
            else:
                used.update(json.loads(out))
            figures[name].append(used)
            say(f'round {i + 1}: {name}: {used["whole"]:.2f} s')
    load.note()
    byquery = {}
    for name, file in values.items():
        with open(file) as f:
            byquery[name] = json.load(f)
    return figures, byquery, printed, load.line(), os.path.getsize(runs[0]), qrels


def means(values):
    return [sum(v[i] for v in values.values()) / len(values) for i in range(len(MEASURES))]


def agree(figures, byquery, printed):
    """Checks that all tools say the same; returns the means by tool and the largest difference from pytrec_eval on any query."""
    ours, theirs = byquery['native'], byquery['pytrec_eval']
    if ours.keys() != theirs.keys():
        raise Failed(f'Rankbox measured {len(ours)} queries, pytrec_eval {len(theirs)}')
    if byquery['wasm'] != ours:
        raise Failed('Rankbox says other values in wasm than natively')
    for name in ('statistics', 'keep'):
        if len({f['hash'] for where in ('native', 'wasm') for f in figures[f'{where} {name}']}) != 1:
            raise Failed(f'Rankbox says other things in wasm than natively, or in one round than in another: {name}')
    worst = max(abs(a - b) for q in ours for a, b in zip(ours[q], theirs[q], strict=True))
    if not worst <= 1e-9:
        raise Failed(f'Rankbox and pytrec_eval differ by {worst} on a query')
    table = {name: means(byquery[name]) for name in ['native', *PEERS]}
    table['command'] = [float(line.split('\t')[1]) for line in printed['command'].splitlines()]
    if 'trec_eval' in printed:
        table['trec_eval'] = trec_means(printed['trec_eval'])
    for name, row in table.items():
        for m, a, b in zip(MEASURES, table['native'], row, strict=True):
            if not abs(a - b) < 1e-4:
                raise Failed(f'{m}: Rankbox says {a:.6f}, {name} {b:.6f}')
    return table, worst


def trec_means(out):
    """The means of trec_eval -q, with RR@10 made of its recip_rank, query by query."""
    names = ['ndcg_cut_10', 'map', 'recip_rank', 'recall_1000', 'P_10']
    columns = {n: [] for n in names}
    for line in out.splitlines():
        name, query, value = line.split()
        if query != 'all' and name in columns:
            v = float(value)
            columns[name].append(0.0 if name == 'recip_rank' and v < 0.1 else v)
    return [sum(columns[n]) / len(columns[n]) for n in names]


def middle(rounds, key):
    return median(r[key] for r in rounds)


def machine():
    name = ''
    try:
        with open('/proc/cpuinfo') as f:
            name = next((line.split(':', 1)[1].strip() for line in f if line.startswith('model name')), '')
    except OSError:
        pass
    return f'{os.cpu_count()} cores{f" ({name})" if name else ""}, {platform.system()} {platform.machine()}'


def versions(python, trec_eval):
    node = run(['node', '--version']).strip()
    go = run(['go', 'env', 'GOVERSION'], cwd=ROOT).strip()
    with open(os.path.join(HERE, 'requirements.txt')) as f:
        pinned = [' '.join(line.split('==')).strip() for line in f if '==' in line]
    return f'{go}, Node {node.lstrip("v")}, Python {run([python, "-c", "import platform; print(platform.python_version())"]).strip()}, {", ".join(pinned)}{f", trec_eval {VERSION}" if trec_eval else ""}'


def targets(f, size):
    """What is promised: name, what was measured, the promise, whether it is met, and what bounds it where it is not."""
    mb = size / 1e6
    native, wasm = mb / middle(f['native'], 'parse'), mb / middle(f['wasm'], 'parse')
    evaluate = 1000 * middle(f['native'], 'evaluate')
    held = max(f['native'][0]['bytes'], f['native'][0]['grown']) / size
    kept, statistics = f['wasm keep'], middle(f['wasm statistics'], 'seconds')
    every = middle(f['wasm statistics'], 'every')
    files_part = middle(f['wasm'], 'file') / middle(f['wasm'], 'parse')
    taken = middle(kept, 'memory')
    return [
        ('parsing, native', f'{native:.0f} MB/s', '≥ 250 MB/s', native >= 250,
         f'reading the file takes {100 * middle(f["native"], "file") / middle(f["native"], "parse"):.0f} % of the time, the rest is one core that looks at every byte.'),
        ('parsing, as the worker of the page is compiled', f'{wasm:.0f} MB/s', '≥ 120 MB/s', wasm >= 120,
         f'{100 * files_part:.0f} % of the time waits for the file, which Node hands over in pieces; the rest is one thread of WebAssembly.'),
        (f'{len(MEASURES)} measures after parsing, native', f'{evaluate:.0f} ms', '≤ 60 ms', evaluate <= 60,
         f'every one of the documents is looked up among the judgments of its query; the second time in the same process it takes {1000 * middle(f["native"], "again"):.0f} ms.'),
        ('a run in memory, to its file', f'{held:.2f}', '≤ 0.75', held <= 0.75, 'a score takes 8 bytes, an id that is a number 4, another one its length.'),
        (f'{KEPT} such runs open in one wasm instance, compared', f'{taken / 1e6:,.0f} MB', 'open, in ≤ 4 GiB', taken <= 4 << 30,
         'a wasm memory ends at 4 GiB.'),
        ('20 systems × 300 queries, 5 measures, all tests of the report, wasm', f'{statistics:.2f} s', '≤ 1 s', statistics <= 1,
         f'the second time in the same instance takes {middle(f["wasm statistics"], "again"):.2f} s: V8 compiles the code while it runs for the first time.'),
        ('… and every test of every pair on a measure, wasm', f'{statistics + every:.2f} s', '≤ 1 s', statistics + every <= 1,
         'six tests, effect sizes, power and equivalence of 190 pairs come after the tests of the report, where somebody opens them.'),
    ]


def page(options, figures, table, worst, printed, load, size, judgments, python):
    # of the memory only what is taken of the system is compared
    for name in ('native keep', 'wasm keep'):
        for r in figures[name]:
            r['open'], r['memory'] = r['open']['taken'], r['memory']['taken']
    f, mb, lines = figures, size / 1e6, []
    line = lines.append
    verdicts = targets(f, size)
    entries = f['native'][0]['entries']
    used = versions(python, 'trec_eval' in f)
    line('# How fast: runs\n')
    line(f'Written by `python3 scripts/bench/runs/bench.py`. Measured in one run, in turns, each time in a process of its own; the figures are medians of {options.rounds} round{"s" * (options.rounds > 1)}. '
         f'Machine: {machine()}; {load}. Versions: {used}.\n')
    line(f'The run: {options.queries:,} queries × 1,000 documents, {entries:,} lines, {mb:.1f} MB, in Anserini\'s format; the qrels: {judgments:,} judgments, '
         f'{judgments / options.queries:.2f} a query, as of MS MARCO\'s dev queries. Both are made with a fixed seed. No two scores of a query are equal, in single precision neither. 1 MB is 1,000,000 bytes. '
         f'The measures: {", ".join(MEASURES)}.\n')
    line('| what | measured | promised | |\n|---|---:|---:|---|')
    for what, have, want, met, _ in verdicts:
        line(f'| {what} | {have} | {want} | {"met" if met else "not met"} |')
    missed = [v for v in verdicts if not v[3]]
    if missed:
        line('\n## What is not met, and what bounds it\n')
        for what, have, want, _, why in missed:
            line(f'- **{what}** ({have}, promised {want}): {why}')

    line('\n## Side by side\n')
    line('| | parse | | evaluate | whole process | × | peak memory |\n|---|---:|---:|---:|---:|---:|---:|')
    base = middle(f['command'], 'whole')
    shown = [('`rankbox eval`', 'command'), ('Rankbox, native', 'native'), ('Rankbox, wasm under Node', 'wasm'), ('pytrec_eval', 'pytrec_eval'), ('ranx', 'ranx'),
             ('ir_measures', 'ir_measures'), ('trec_eval', 'trec_eval')]
    for label, name in shown:
        if name not in f:
            continue
        r, whole = f[name], middle(f[name], 'whole')
        if name == 'trec_eval':
            apart = f'both in {whole:.2f} s | {mb / whole:,.0f} MB/s | '
        elif 'parse' in r[0]:
            parse, evaluate = middle(r, 'parse'), 1000 * middle(r, 'evaluate')
            apart = f'{parse:.2f} s | {mb / parse:,.0f} MB/s | {evaluate:,.0f} ms'
        else:
            apart = '| |'
        line(f'| {label} | {apart} | {whole:.2f} s | {whole / base:.1f} | {middle(r, "peak") / 1e6:,.0f} MB |')
    line('\nParsing includes reading the file, which the system has in memory; reading the qrels is not in it. The whole process is everything from its start to its end: '
         'for the two rows of Rankbox below the first, evaluating twice and collecting garbage to count it; for ranx, evaluating a few queries first so that its code is compiled. × is how many times `rankbox eval`. '
         'pytrec_eval reads with its parse_run, ranx with Run.from_file, ir_measures with read_trec_run into a list.')
    if 'trec_eval' in f:
        line(f'\ntrec_eval is the program itself, version {VERSION}, as the Maven package `{PACKAGE}` has it for this system: with `-q -c` and five measures it reads and measures the run in one go, '
             'so that only its whole process can be timed. pytrec_eval has the same code inside and reads with Python.')
    else:
        line('\ntrec_eval itself was left out of this run.')
    line('\n## The same values\n')
    line(f'| | {" | ".join(MEASURES)} |\n|---|{"---:|" * len(MEASURES)}')
    for label, name in [('Rankbox', 'native'), *[s for s in shown if s[1] in table and s[1] not in ('native', 'command')]]:
        line(f'| {label} | {" | ".join(f"{v:.4f}" for v in table[name])} |')
    line(f'\nQuery by query, Rankbox and pytrec_eval differ by at most {worst:.1g} (the run fails beyond 1e-9), Rankbox natively and in wasm not by a bit. '
         'trec_eval and pytrec_eval have no RR@10: it is their recip_rank where that is at least 0.1, else 0.')
    line('\n## Rankbox alone\n')
    line('| | native | wasm under Node |\n|---|---:|---:|')

    def both(what, task, value):
        line(f'| {what} | {value(f["native" + task])} | {value(f["wasm" + task])} |')

    both('reading the file, of the time of parsing', '', lambda r: f'{middle(r, "file"):.2f} of {middle(r, "parse"):.2f} s')
    both('evaluating, the first time in a process, the second', '', lambda r: f'{1000 * middle(r, "evaluate"):.0f}, {1000 * middle(r, "again"):.0f} ms')
    both('the run in memory: as Run.Bytes says, by the heap', '', lambda r: f'{r[0]["bytes"] / 1e6:.1f}, {middle(r, "grown") / 1e6:.1f} MB')
    both(f'{KEPT} such runs: reading them', ' keep', lambda r: f'{middle(r, "read"):.2f} s')
    both('memory taken of the system then', ' keep', lambda r: f'{middle(r, "open") / 1e6:,.0f} MB')
    both('comparing them: joined, measured, all tests', ' keep', lambda r: f'{middle(r, "compare"):.2f} s')
    both('memory taken of the system then', ' keep', lambda r: f'{middle(r, "memory") / 1e6:,.0f} MB')
    both('tests of 20 systems × 300 queries × 5 measures, the first time, the second', ' statistics', lambda r: f'{middle(r, "seconds"):.2f}, {middle(r, "again"):.2f} s')
    both('then every test of every pair on one measure, the first time', ' statistics', lambda r: f'{middle(r, "every"):.2f} s')
    line('\nThe wasm program is compiled with the flags of the page\'s worker for runs and runs in V8, as Chromium\'s does, but reads its files through Node. '
         'A wasm memory never shrinks: what is taken includes what a collection has freed since. Both print the same reports, to the hash.')
    return '\n'.join(lines) + '\n', verdicts


def main():
    parser = argparse.ArgumentParser(description='Measures runs beside other tools and writes docs/benchmark-runs.md.')
    default = os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'rankbox-bench')
    parser.add_argument('--cache', default=default, help='folder for runs (1.2 GB), programs and the virtual environment, outside of the repository')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--queries', type=int, default=QUERIES, help='fewer, for a quick look: printed only')
    parser.add_argument('--without-trec-eval', action='store_true', help='do not measure the trec_eval program, which Maven fetches')
    parser.add_argument('--print', action='store_true', help='print the page instead of writing it')
    options = parser.parse_args()
    cache = os.path.abspath(options.cache)
    try:
        if sys.version_info[:2] != (3, 11):
            raise Failed(f'Python 3.11 is wanted, this is {platform.python_version()}')
        if os.path.commonpath([cache, ROOT]) == ROOT:
            raise Failed('--cache must lie outside of the repository')
        if options.rounds < 1 or options.queries < 1:
            raise Failed('--rounds and --queries must be at least 1')
        os.makedirs(cache, exist_ok=True)
        python = environment(cache)
        trec_eval = None if options.without_trec_eval else reference(cache)
        figures, byquery, printed, load, size, qrels = measure(options, cache, python, trec_eval)
        table, worst = agree(figures, byquery, printed)
        with open(qrels) as f:
            judgments = sum(1 for _ in f)
        text, verdicts = page(options, figures, table, worst, printed, load, size, judgments, python)
    except Failed as e:
        sys.exit(f'bench.py: {e}')
    for what, have, want, met, _ in verdicts:
        say(f'{"met" if met else "not met":7} {what}: {have} ({want})')
    if options.print or options.queries != QUERIES:
        print(text, end='')
        return
    with open(DOC, 'w') as f:
        f.write(text)


if __name__ == '__main__':
    main()
