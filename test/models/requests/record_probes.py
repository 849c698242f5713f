#!/usr/bin/env python3
"""record_probes.py > probes-3.32.jsonl: times that SimGrid computes when it executes probes.c.

Needs SimGrid 3.32 (Debian: libsimgrid-dev, for smpicc and smpirun). Computations and clocks cost no time. MPI_Probe of SMPI looks again and
again: here every 0.1 us, so that times are up to 0.1 us late for each probe; MPI_Iprobe takes no time. One entry (JSON) a line: call, bytes,
step, whether messages below 64 KiB are eager, and time in seconds.
"""
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, '..', 'collectives', 'cluster.xml')
CONFIG = ['smpi/simulate-computation:0', 'smpi/wtime:0', 'smpi/grow-injected-times:no']


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'probes')
        subprocess.run(['smpicc', '-O1', os.path.join(HERE, 'probes.c'), '-o', program], check=True)
        for call in ('probe', 'any', 'iprobe', 'claimed'):
            for size in (8, 1024, 4096, 65536, 100000, 1048576):
                for step in (7100, 400000) if call != 'any' else (0,):
                    for eager in (False, True):
                        config = CONFIG + [f'smpi/iprobe:{0 if call == "iprobe" else 1e-7}',
                                           f'smpi/async-small-thresh:{65536 if eager else 0}']
                        out = subprocess.run(
                            ['smpirun', '-np', '2', '-platform', PLATFORM, *(f'--cfg={c}' for c in config),
                             '--log=root.thres:critical', program, call, str(size), str(step)],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60, check=True).stdout
                        entry = {'call': call, 'bytes': size, 'step': step, 'eager': eager,
                                 'time': float(f'{float(out):.12g}')}
                        print(json.dumps(entry, separators=(',', ':')), flush=True)


if __name__ == '__main__':
    main()
