#!/usr/bin/env python3
"""record.py > requests-3.32.jsonl: times that SimGrid computes when it executes requests.c: tests for several requests, and the calls of
one-sided communication (a replay of traces knows neither).

Needs SimGrid 3.32 (Debian: libsimgrid-dev, for smpicc and smpirun). Computations and clocks cost no time, and neither do tests
(smpi/test:0). One entry (JSON) a line: call, bytes, step, and time in seconds.
"""
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, '..', 'collectives', 'cluster.xml')
CONFIG = ['smpi/simulate-computation:0', 'smpi/wtime:0', 'smpi/test:0']


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'requests')
        subprocess.run(['smpicc', '-O1', os.path.join(HERE, 'requests.c'), '-o', program], check=True)
        for call in ('testany', 'testsome', 'testall', 'accumulate', 'put', 'get'):
            for size in (8, 1024, 4096, 65536, 100000, 1048576):
                for step in (7000, 90000, 3000000) if call.startswith('test') else (0,):
                    out = subprocess.run(
                        ['smpirun', '-np', '2', '-platform', PLATFORM, *(f'--cfg={c}' for c in CONFIG),
                         '--log=root.thres:critical', program, call, str(size), str(step)],
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60, check=True).stdout
                    entry = {'call': call, 'bytes': size, 'step': step, 'time': float(f'{float(out):.12g}')}
                    print(json.dumps(entry, separators=(',', ':')), flush=True)


if __name__ == '__main__':
    main()
