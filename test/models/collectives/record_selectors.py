#!/usr/bin/env python3
"""record_selectors.py SELECTOR... > selectors-3.32.jsonl: times of collectives by SimGrid's selectors, or by one algorithm.

Needs SimGrid 3.32 (Debian: libsimgrid-dev, for smpicc and smpirun). SimGrid executes selectors.c on flat-nocontention.xml,
one rank a host, with the settings "plain" of record.py. SELECTOR is a value of smpi/coll-selector, such as ompi, or one
operation with an algorithm, such as bcast=NTSL. Cases: both sides of every threshold of the selector, ranks that are powers of
two and not, three roots, bytes and doubles. Takes some minutes for a selector.

Every algorithm by name was recorded on 2, 3, 5 and 8 ranks (RANKS='5 8' is kept): record_selectors.py reduce_scatter=ompi_ring ….
A selector `reduce_scatter=NAME` is written as `reducescatter=NAME`.

NODES='2 block' is two ranks on each host, neighbours; NODES='2 cyclic' the ranks r and r + P/2; NODES='3 block' leaves a last host with fewer
ranks where P is no multiple. Such entries have `nodes`, the host of each rank. Kept: RANKS='4 6 9 24' ONLY='bcast reduce allreduce' mpich, with
`2 block`, `3 cyclic` and `4 block`. Of mvapich2 and impi all was compared on 2, 3, 4, 5, 6, 8, 9, 12, 16, 24 and 32 ranks with 2, 3 and 4 a host,
`block` and `cyclic`; kept are the calls that depend on nodes, with `2 block` on 4, 8, 24 and 32 ranks, `3 cyclic` on 9, `3 block` on 8 and `4 block` on
4, 16 and 32, and one root. Entries of 0 bytes are of 4, 6, 8 and 16 ranks.

Of mpich on 64 and 128 ranks and of ompi on 128, one root and at most ten cases of a call are kept.

One entry (JSON) a line: selector, ranks, call, type (c: 1 byte, d: 8 bytes per element), root, and cases: lists of [bytes, end of
the last rank, sum of the ends of all ranks, sum weighted by rank + 1], in seconds. Calls that SimGrid aborts on are absent.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from record import PLAIN

HERE = os.path.dirname(os.path.abspath(__file__))
# Ranks on which a bcast of impi can be SMP_linear. With one rank a node, that leaves messages for later calls: each runs alone.
LEAVES_MESSAGES = (2, 5, 7, 8)
RANKS = (2, 3, 4, 5, 7, 8, 12, 16, 20, 32, 33, 64, 100, 128)
NODES = os.environ.get('NODES', '1 block').split()
KEPT = os.environ.get('ONLY', '').split()
ROOTED = ('bcast', 'reduce', 'gather', 'scatter')
# Thresholds of any number of ranks up to 128, in bytes (ompi, then mpich); mvapich2 and impi have further ones, see own_edges.
EDGES = {
    'barrier': [],
    'bcast': [2, 8, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384, 32768, 65536, 131072, 262144, 524288, 1048576],
    'reduce': [8, 16, 32, 2048, 4096, 8192, 65536, 262144, 524288, 1048576],
    'allreduce': [8, 16, 64, 128, 2049, 4096, 8192, 16384, 65536, 131072, 262144, 1048576],
    'gather': [2, 4, 1024, 8192, 32768, 65536, 131072, 262144],
    'scatter': [2, 512, 2048, 4096, 8192, 16384, 32768, 131072, 262144, 1048576],
    'allgather': [512, 1024, 2561, 4096, 16384, 65536, 131072],
    'allgatherv=': [128, 256, 1024, 2048, 2561, 4096, 8192, 16384, 65536, 262144],
    'allgatherv': [1000, 40000],
    'alltoall': [2, 4, 16, 64, 256, 512, 1024, 4096, 32768, 262144, 524288, 1048576],
    'alltoallv': [1000, 100000],
    'reducescatter=': [2, 16, 64, 256, 512, 2048, 4096, 16384, 32768, 65536, 262144],
    'reducescatter': [1000, 40000],
}
DOUBLES = (8, 24, 1000, 8000, 40000, 200000, 1000000, 2500000)


def own_edges(selector, call, ranks):
    """Thresholds of the selector's own tables for this number of ranks and of ranks per node, each with both sides."""
    name = call.rstrip('=')
    folder = os.path.join(HERE, '../../../src/models/collectives/selectors')
    sources = [os.path.join(folder, file) for file in (f'{selector}-tables.ts', f'{selector}.ts')]
    texts = [open(path).read() for path in sources if os.path.exists(path)]
    text = next((t for t in texts if re.search(rf"const {name}\b", t)), None)
    if call in ('barrier', 'alltoallv') or text is None:
        return []
    edges = set()
    # A call of two levels has tables for its algorithms inside nodes, too.
    for table in re.findall(rf"const {name}(?:Inside)?(?:: \w+)? = tables?UpTo\((.*?)\n?\);", text, re.S):
        of = dict((int(each), lines) for each, lines in re.findall(r"\b(\d+): [`']([^`']*:[^`']*)[`']", table))
        lines = of.get(int(NODES[0]), of[1]) if of else table.split('`')[1]
        rows = dict(re.findall(r'^ *(\d+|\*): (.*)$', lines, re.M))
        row = rows[next(most for most in rows if most == '*' or ranks <= int(most))]
        edges |= {int(n) + d for n in re.findall(r'(\d+) \d', row) for d in ((0, 1) if "'included'" in table else (-1, 0))}
    # Parts of a call are given; the table of its sum, or of its mean, has its edges elsewhere.
    divisor = ranks if call == 'reducescatter=' or (call == 'allgatherv=' and selector == 'impi') else 1
    return sorted({e // divisor + d for e in edges for d in ((0, 1) if divisor > 1 else (0,)) if e // divisor + d > 0})


def edges_of(selector, call, ranks):
    # Intel's own algorithms follow MVAPICH2's choices.
    also = own_edges('mvapich2', call, ranks) if selector == 'impi' and NODES[0] != '1' else []
    return sorted({*own_edges(selector, call, ranks), *also})


def sizes(call, kind):
    if kind == 'd':
        return DOUBLES if call not in ('barrier', 'alltoall', 'alltoallv', 'gather', 'scatter', 'allgather') else ()
    return sorted({n for edge in EDGES[call] for n in (edge - 1, edge)}) if EDGES[call] else [0]


def cases(ranks, only, selector):
    """(call, bytes, root, type); what one link, or all of them together, would carry is limited."""
    for call in EDGES:
        if only and call.rstrip('=') != only or KEPT and call not in KEPT:
            continue
        pairs = call.startswith('all') and call != 'allreduce'
        for kind in 'cd':
            own = edges_of(selector, call, ranks) if kind == 'c' and call not in ('allgatherv', 'reducescatter') else []
            known = sizes(call, kind)
            for n in [*known, *(n for n in own if n not in known)]:
                # Many ranks are recorded with shorter messages, so that a selector takes minutes.
                if ranks > 32 and n * ranks > 2 ** (22 if call in ('bcast', 'allreduce', 'reduce') else 18):
                    continue
                if n * (ranks if call not in ('bcast', 'allreduce', 'reduce', 'barrier') else 1) > 2 ** 25:
                    continue
                if pairs and n * ranks * ranks > 2 ** 30 or n * ranks > 2 ** 28:
                    continue
                roots = sorted({0, ranks // 2, ranks - 1}) if n in known else [ranks // 2]
                for root in roots if call in ROOTED else (0,):
                    yield call, n, root, kind


def hosts(ranks):
    each, kind = int(NODES[0]), NODES[1]
    count = -(-ranks // each)
    return [rank // each if kind == 'block' else rank % count for rank in range(ranks)]


def run(program, selector, ranks, chosen):
    config = [f'smpi/coll-selector:{selector}'] if '=' not in selector else [f'smpi/{selector.replace("=", ":")}']
    most = max(2 * max(n * ranks for _, n, _, _ in chosen), 2 ** 22)
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as file, tempfile.NamedTemporaryFile('w') as hostfile, tempfile.NamedTemporaryFile('w', suffix='.xml') as platform:
        hostfile.writelines(f'n{host}\n' for host in hosts(ranks))
        hostfile.flush()
        # Ranks wait by computing: each on a core of its own.
        with open(os.path.join(HERE, 'flat-nocontention.xml')) as plain:
            platform.write(re.sub('speed=', f'core="{NODES[0]}" speed=', plain.read()))
        platform.flush()
        file.write('\n'.join(f'{call} {n} {root} {kind}' for call, n, root, kind in chosen) + '\n')
        file.flush()
        out = subprocess.run(
            ['smpirun', '-np', str(ranks), '-platform', platform.name, '-hostfile', hostfile.name,
             *(f'--cfg={c}' for c in [*PLAIN, 'smpi/simulate-computation:0', 'surf/precision:1e-12',
                                     *config]), '--log=root.thres:critical', program,
             file.name, str(most), *(['twice'] if NODES[0] != '1' else ['barrier'] if selector == 'impi' else [])], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    ends = [[None] * ranks for _ in chosen]
    for line in out.splitlines():
        words = line.split()
        if len(words) == 3 and words[0].isdigit():
            ends[int(words[0]) - 1][int(words[1])] = float(words[2])
    return ends


def rounded(x):
    return float(f'{x:.11g}')


def keep(lines, case, end):
    call, n, root, kind = case
    lines.setdefault((call, kind, root), []).append(
        [n, *map(rounded, (max(end), sum(end), sum((r + 1) * e for r, e in enumerate(end))))])


def record(program, selector, ranks):
    only = selector.split('=')[0].replace('_', '') if '=' in selector else None
    chosen = list(cases(ranks, only, selector))
    lines = {}
    if selector == 'impi' and NODES[0] == '1' and ranks in LEAVES_MESSAGES:
        for case in chosen:
            [end] = run(program, selector, ranks, [case])
            if None in end:
                print(f'{selector} on {ranks} ranks aborts: {case}', file=sys.stderr)
            else:
                keep(lines, case, end)
        chosen = []
    while chosen:
        ends = run(program, selector, ranks, chosen)
        done = next((k for k, e in enumerate(ends) if None in e), len(chosen))
        for case, end in zip(chosen[:done], ends):
            keep(lines, case, end)
        if done < len(chosen):
            print(f'{selector} on {ranks} ranks aborts: {chosen[done]}', file=sys.stderr)
            failed = chosen[done]
            # With several ranks a node, only some roots and sizes fail.
            chosen = [c for c in chosen[done + 1:] if NODES[0] != '1' or (c[0], c[3]) != (failed[0], failed[3])]
        else:
            chosen = []
    for (call, kind, root), found in lines.items():
        entry = {'selector': selector.replace('_scatter=', 'scatter='), 'ranks': ranks, 'call': call, 'type': kind, 'root': root, 'cases': found}
        if NODES[0] != '1':
            entry['nodes'] = hosts(ranks)
        print(json.dumps(entry, separators=(',', ':')), flush=True)


def main():
    ranks = [int(r) for r in os.environ.get('RANKS', '').split()] or RANKS
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'selectors')
        subprocess.run(['smpicc', '-O1', os.path.join(HERE, 'selectors.c'), '-o', program], check=True)
        for selector in sys.argv[1:]:
            for count in ranks:
                record(program, selector, count)


if __name__ == '__main__':
    main()
