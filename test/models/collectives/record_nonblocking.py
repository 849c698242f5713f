#!/usr/bin/env python3
"""record_nonblocking.py > nonblocking-3.32.jsonl: times of non-blocking collectives that SimGrid computes when it executes
nonblocking.c (a replay of traces does not support them).

Needs SimGrid 3.32 (Debian: libsimgrid-dev, for smpicc and smpirun). Settings are those of smpirun; calls of the library cost no
time. Takes some ten minutes. One entry (JSON) a line: call, ranks, bytes, computing, and end, the time in seconds at which each
rank has it complete; full, if that differs with network/optim:Full: SimGrid's default, Lazy, recomputes only part of the shared
bandwidth, and then leaves rates that are not max-min fair.
"""
import json
import os
import subprocess
import sys
import tempfile
from multiprocessing.dummy import Pool

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = ['bcast', 'reduce', 'allreduce', 'scan', 'exscan', 'gather', 'scatter', 'allgather', 'alltoall', 'gatherv',
         'scatterv', 'allgatherv', 'alltoallv', 'reducescatter']
CONFIG = ['smpi/simulate-computation:0', 'smpi/wtime:0']


def times(program, call, ranks, size, computing, config):
    out = subprocess.run(
        ['smpirun', '-np', str(ranks), '-platform', os.path.join(HERE, 'cluster.xml'),
         *(f'--cfg={c}' for c in config), '--log=root.thres:critical', program, call, str(size), str(computing)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=300, check=True).stdout
    end = dict(line.split() for line in out.splitlines())
    return [float(f'{float(end[str(rank)]):.12g}') for rank in range(ranks)]


def run(program, call, ranks, size, computing):
    end = times(program, call, ranks, size, computing, CONFIG)
    full = times(program, call, ranks, size, computing, [*CONFIG, 'network/optim:Full'])
    entry = {'call': call, 'ranks': ranks, 'bytes': size, 'computing': computing, 'end': end}
    same = all(abs(a - b) <= 1e-6 * a for a, b in zip(end, full))
    return json.dumps(entry if same else {**entry, 'full': full}, separators=(',', ':'))


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'nonblocking')
        subprocess.run(['smpicc', '-O1', os.path.join(HERE, 'nonblocking.c'), '-o', program], check=True)
        cases = [(program, call, ranks, size, computing) for ranks in range(2, 17) for computing in (0, 1)
                 for call, size in [('barrier', 0), *((c, s) for c in CALLS for s in (8, 4096, 65536, 1048576))]]
        with Pool(2) as pool:
            for number, line in enumerate(pool.imap(lambda case: run(*case), cases)):
                print(line, flush=True)
                print(f'\r{number + 1} of {len(cases)}', end='', file=sys.stderr)


if __name__ == '__main__':
    main()
