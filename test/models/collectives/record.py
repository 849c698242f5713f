#!/usr/bin/env python3
"""record.py PLATFORM.xml... > simgrid-3.32.jsonl: simulated times of collectives by SimGrid's own replay.

Needs SimGrid 3.32 (Debian: libsimgrid-dev, for smpirun). Each platform has hosts n0, n1, ...; one rank a host. All
settings are "plain": no factors, no overheads. Takes about one minute for the two platforms in this folder:

    ./record.py flat-nocontention.xml flat-nic.xml > simgrid-3.32.jsonl

One entry (JSON) a line: platform, ranks, protocol (plain, eager, rendezvous), trace (lines `RANK ACTION ...`, where the rank
`*` stands for every rank), skewed (each rank r first computes ((5r + 2) mod 7) * 40000 flops, then follows the trace
twice, so that ranks arrive at different times and collectives follow each other at once) and rankEnd, the end of each
rank's last action in seconds. A trace that SimGrid aborts on has `aborts: true` and no times.
"""
import json
import os
import subprocess
import sys
import tempfile

PLAIN = ['network/model:CM02', 'network/bandwidth-factor:1', 'network/latency-factor:1', 'network/weight-S:0',
         'network/TCP-gamma:0', 'network/crosstraffic:0', 'smpi/os:0:0:0:0:0', 'smpi/ois:0:0:0:0:0',
         'smpi/or:0:0:0:0:0', 'smpi/test:0', 'smpi/iprobe:0', 'smpi/init:0', 'smpi/wtime:0',
         'maxmin/concurrency-limit:-1']
PROTOCOL = {'plain': [], 'eager': ['smpi/async-small-thresh:65536'], 'rendezvous': ['smpi/send-is-detached-thresh:0']}
BYTE, DOUBLE = 6, 0
SMALL, LARGE = 1000, 100000


def every(action):
    """The same action on all ranks."""
    return lambda ranks: [f'* {action}']


def each(action):
    """One action a rank, from a function of (rank, ranks)."""
    return lambda ranks: [f'{r} {action(r, ranks)}' for r in range(ranks)]


def words(values):
    return ' '.join(str(v) for v in values)


def uneven(scale):
    """Parts of the ranks, some of them nothing."""
    return lambda ranks: [(i * 7 + 3) % 5 * scale for i in range(ranks)]


def between(scale, i, j):
    """What rank i sends to rank j, sometimes nothing."""
    return (i * 3 + j * 5) % 4 * scale


def roots(ranks):
    return sorted({0, ranks // 2, ranks - 1})


def collectives(ranks):
    """All cases of one number of ranks: functions from ranks to lines."""
    yield every('barrier')
    for n in (SMALL, LARGE):
        for root in roots(ranks):
            yield every(f'bcast {n} {root} {BYTE}')
            yield every(f'reduce {n} 300000 {root} {BYTE}')
            yield every(f'gather {n} {n} {root} {BYTE} {BYTE}')
            yield every(f'scatter {n} {n} {root} {BYTE} {BYTE}')
        root = ranks - 1
        parts = uneven(n)(ranks)
        yield each(lambda r, p: f'gatherv {parts[r]} {words(parts)} {root} {BYTE} {BYTE}')
        yield each(lambda r, p: f'scatterv {words(parts)} {parts[r]} {root} {BYTE} {BYTE}')
        yield each(lambda r, p: f'allgatherv {parts[r]} {words(parts)} {BYTE} {BYTE}')
        yield each(lambda r, p: f'alltoallv 9 {words(between(n, r, i) for i in range(p))} 9 '
                                f'{words(between(n, i, r) for i in range(p))} {BYTE} {BYTE}')
        yield every(f'allreduce {n} 200000 {BYTE}')
        yield every(f'scan {n} 100000 {BYTE}')
        yield every(f'exscan {n} 0 {BYTE}')
        yield every(f'allgather {n} {n} {BYTE} {BYTE}')
        yield every(f'reducescatter {words([n] * ranks)} 1000 {BYTE}')
        yield every(f'reducescatter {words(uneven(n // 10)(ranks))} 1000 {BYTE}')
        yield every(f'alltoall {n} {n} {BYTE} {BYTE}')
    # Around SimGrid's 524288 elements, in bytes and in doubles.
    for n, kind in ((524288, BYTE), (524289, BYTE), (100000, DOUBLE), (524288, DOUBLE), (600000, DOUBLE)):
        rest = n // ranks
        yield every(f'reducescatter {words([n - rest * (ranks - 2) - 5, 5] + [rest] * (ranks - 2))} 0 {kind}')


def alltoalls(ranks):
    """Both sides of every threshold of the choice of algorithm."""
    edges = {2: [1, 2, 4, 16, 64, 256, 4096, 32768, 1048576], 3: [524288], 4: [524288, 1048576], 5: [524288], 8: [524288],
             16: [4, 512], 20: [4, 512], 31: [512], 32: [512], 48: [512], 63: [512], 64: [1024, 262144], 128: [1024, 32768]}
    for edge in edges.get(ranks, []):
        yield every(f'alltoall {edge - 1} {edge - 1} {BYTE} {BYTE}')
        yield every(f'alltoall {edge} {edge} {BYTE} {BYTE}')


def send_recvs(ranks):
    yield each(lambda r, p: f'sendRecv {SMALL} {(r + 1) % p} {SMALL} {(r - 1) % p} {BYTE} {BYTE}')
    yield each(lambda r, p: f'sendRecv {LARGE} {(r + 1) % p} {LARGE} -555 {BYTE} {BYTE}')
    yield each(lambda r, p: f'sendRecv {LARGE} {r} {LARGE} {r} {BYTE} {BYTE}')


def written_out(trace, ranks, skewed):
    """The lines of the trace file."""
    lines = []
    for line in trace:
        who, action = line.split(' ', 1)
        lines += [f'{rank} {action}' for rank in range(ranks)] if who == '*' else [line]
    return [f'{rank} compute {(rank * 5 + 2) % 7 * 40000}' for rank in range(ranks)] + lines * 2 if skewed else lines


def cases(platform):
    """(ranks, protocol, skewed, case) of all entries of one platform."""
    contended = platform != 'flat-nocontention'
    for ranks in (4, 8) if contended else (2, 3, 4, 5, 7, 8, 16, 20):
        for skewed in (False, True):
            for case in (*collectives(ranks), *send_recvs(ranks)):
                yield ranks, 'plain', skewed, case
    if contended:
        return
    for ranks in (2, 3, 4, 5, 8, 16, 20, 31, 32, 48, 63, 64, 128):
        for case in alltoalls(ranks):
            yield ranks, 'plain', False, case
    for ranks in (5, 8):
        for protocol in ('eager', 'rendezvous'):
            for case in collectives(ranks):
                yield ranks, protocol, True, case


def replay(platform, ranks, protocol, lines):
    with tempfile.TemporaryDirectory() as folder:
        ti, listing, hosts = (os.path.join(folder, name) for name in ('t.ti', 'list', 'hosts'))
        with open(ti, 'w') as file:
            file.write('\n'.join(lines) + '\n')
        with open(listing, 'w') as file:
            file.write(ti + '\n')
        with open(hosts, 'w') as file:
            file.writelines(f'n{rank}\n' for rank in range(ranks))
        run = subprocess.run(
            ['smpirun', '-no-privatize', '-replay', listing, '-np', str(ranks), '-platform', platform, '-hostfile', hosts,
             '--log=xbt_cfg.thres:critical', '--log=smpi_config.thres:error', '--log=smpi_replay.thres:verbose',
             '--log=root.fmt:%.12r%e%P%e%m%n', *(f'--cfg={c}' for c in PLAIN + PROTOCOL[protocol])],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if 'Simulation time' not in run.stdout:
        return {'aborts': True}
    end = [0.0] * ranks
    for line in run.stdout.splitlines():
        time, who, rest = line.split(' ', 2)
        if who.isdigit() and not rest.startswith('Simulation time'):
            end[int(who)] = float(time)
    return {'rankEnd': end}


def main():
    entries = []
    for path in sys.argv[1:]:
        platform = os.path.splitext(os.path.basename(path))[0]
        for ranks, protocol, skewed, case in cases(platform):
            trace = case(ranks)
            entry = {'platform': platform, 'ranks': ranks, 'protocol': protocol, 'skewed': skewed, 'trace': trace}
            result = replay(path, ranks, protocol, written_out(trace, ranks, skewed))
            entries.append(json.dumps({**entry, **result}, separators=(',', ':')))
            print(f'\r{len(entries)}', end='', file=sys.stderr)
    print('\n'.join(entries))


if __name__ == '__main__':
    main()
