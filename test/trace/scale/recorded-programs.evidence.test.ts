import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { countCases } from '../../effort.ts';
import { folder } from '../support.ts';

/** SimGrid's compiler and launcher of MPI programs (Debian: libsimgrid-dev). */
const HAS_SMPI = ((): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v smpicc && command -v smpirun'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const HOSTS = 64;
const files = folder({
  'cluster.xml': `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-${HOSTS - 1}" speed="1Gf" bw="1.25GBps" lat="10us"/>
</platform>
`,
  hosts: `${Array.from({ length: HOSTS }, (_, k) => `n${k}`).join('\n')}\n`,
});
afterAll(files.remove);

let compiled = false;

/** The trace of a program on a grid, as SimGrid records it. */
function recorded(program: string, [columns, rows]: readonly [number, number]): string {
  const binary = files.path('programs');
  const source = fileURLToPath(new URL('./programs.c', import.meta.url));
  if (!compiled) execFileSync('smpicc', ['-O2', source, '-o', binary], { stdio: 'ignore' });
  compiled = true;
  const trace = files.path(`${program}-${columns}x${rows}.ti`);
  const options = [
    ...[
      '-np',
      `${columns * rows}`,
      '-platform',
      files.path('cluster.xml'),
      '-hostfile',
      files.path('hosts'),
      '-trace-ti',
    ],
    ...[
      `--cfg=tracing/filename:${trace}`,
      '--cfg=smpi/simulate-computation:no',
      '--cfg=smpi/host-speed:1Gf',
      '--log=root.thres:critical',
    ],
  ];
  execFileSync('smpirun', [...options, binary, program, `${columns}`, `${rows}`, '5'], { stdio: 'ignore' });
  return trace;
}

describe.skipIf(!HAS_SMPI)(
  'a scaled trace has the run time of the program that SimGrid records on as many ranks',
  () => {
    const weak = (trace: string, ranks?: number): number =>
      predict(trace, {
        machine: files.path('cluster.xml'),
        hostfile: files.path('hosts'),
        ...(ranks === undefined ? {} : { ranks, scale: 'weak' as const }),
      }).figures.runTime.value;

    test.each([
      ['jacobi', [4, 4], [8, 8]],
      ['jacobi', [3, 3], [6, 6]],
      ['jacobi', [3, 4], [6, 8]],
      // No rank between the ends is recorded.
      ['jacobi', [2, 2], [8, 8]],
      ['ring', [4, 1], [8, 1]],
      ['ring', [8, 1], [64, 1]],
      ['wavefront', [2, 2], [4, 4]],
      ['wavefront', [4, 4], [8, 8]],
      ['transpose', [4, 1], [16, 1]],
    ] as const)('%s from %j to %j', (program, from, to) => {
      const [columns, rows] = to;
      const larger = weak(recorded(program, to));
      const scaled = weak(recorded(program, from), columns * rows);
      countCases(1);
      expect(Math.abs(scaled / larger - 1)).toBeLessThan(1e-9);
      expect(larger).toBeGreaterThan(0);
    });
  },
);

test.skipIf(!HAS_SMPI)('the programs fix their flops: two recordings are equal', () => {
  const [one, other] = [recorded('ring', [3, 1]), recorded('ring', [3, 1])].map((trace) =>
    readFileSync(trace, 'utf8')
      .trim()
      .split('\n')
      .map((name) => readFileSync(name, 'utf8')),
  );
  expect(one).toEqual(other);
});
