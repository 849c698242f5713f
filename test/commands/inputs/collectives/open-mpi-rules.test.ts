import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../../src/base/problem.ts';
import { readRuleFile } from '../../../../src/commands/inputs/collectives/collective-rules.ts';
import { rulesFileOf } from '../../../../src/commands/inputs/target.ts';
import { readMachineFile } from '../../../../src/machine/description/machine-file.ts';
import { chooseAlgorithm } from '../../../../src/models/collectives/choice.ts';
import { parseChoice, ruleFileIn } from '../../../../src/models/collectives/parse-choice.ts';
import type { Collective } from '../../../../src/trace/collective.ts';

const folder = mkdtempSync(join(tmpdir(), 'ft-open-mpi-'));
let files = 0;

function fileOf(text: string, ending = 'conf'): string {
  const path = join(folder, `rules${files++}.${ending}`);
  writeFileSync(path, text);
  return path;
}

function problemOf(read: () => unknown, file: string): string {
  try {
    read();
    return 'none';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replaceAll(file, 'FILE');
  }
}

/** The example of Open MPI's documentation, and an alltoall with totals. */
const EXAMPLE = `rule-file-version-2
2   # num of collectives
7   # bcast
2   # number of comm sizes
#=====================
8   # comm size
2   # number of rules
# Bytes   alg topo segs reqs
0            6 0 0 0
12288        9 0 0 64
64 1
0            1 0 0
3
1
4 3
0 3 0 0 2
4096 2 0 0
65536 0 0 0
`;
const file = fileOf(EXAMPLE);

const named = (text: string, call: Collective, ranks: number): string =>
  chooseAlgorithm(parseChoice(text, 'simgrid', readRuleFile), call, ranks, false).name;
const bcast = (bytes: number): Collective => ({ kind: 'bcast', bytes, root: 0 });
const alltoall = (bytes: number): Collective => ({ kind: 'alltoall', sendBytes: bytes, recvBytes: bytes });

describe("rules in Open MPI's format", () => {
  test.each([
    [8, bcast(0), 'binomial_tree'],
    [8, bcast(12287), 'binomial_tree'],
    [8, bcast(12288), 'scatter_LR_allgather'],
    [63, bcast(1e6), 'scatter_LR_allgather'],
    [64, bcast(1e6), 'NTSL'],
    [1000, bcast(0), 'NTSL'],
    // Bytes of an alltoall are those of all ranks.
    [4, alltoall(1023), 'bruck'],
    [4, alltoall(1024), 'pair'],
    [16, alltoall(255), 'bruck'],
    [16, alltoall(256), 'pair'],
  ] as const)('hold from their ranks and bytes up to the next ones: %i ranks, %o', (ranks, call, name) => {
    expect(named(file, call, ranks)).toBe(name);
  });

  test.each([
    [7, bcast(1000)],
    [3, alltoall(8)],
    [4, alltoall(16384)],
    [8, { kind: 'allreduce', bytes: 100, flops: 0 }],
  ] as const)('leave other calls to the selector ompi: %i ranks, %o', (ranks, call) => {
    expect(named(file, call, ranks)).toBe(named('ompi', call, ranks));
  });

  test.each([
    ['', 'FILE: COLL013 the file is empty: expected rules of Open MPI'],
    ['# nothing', 'COLL013 expected the number of collectives, got the end of the file'],
    ['1\nbcast', 'FILE:2:1: COLL013 expected the number of a collective, an integer from 0, got "bcast"'],
    ['rule-file-version-3\n1', 'FILE:1:1: COLL013 expected version 1 or 2, got 3'],
    ['1\n 5', 'FILE:2:2: COLL014 unknown collective 5. Known: 0 allgather, 1 allgatherv, 2 allreduce,'],
    ['1 14', 'FILE:1:3: COLL014 collective 14 (scan) has one algorithm here: leave out its rules'],
    [
      '1 6 1 2 1 0 7 0 0',
      "FILE:1:13: COLL014 unknown algorithm 7 of barrier. Known: 0 (Open MPI's own choice), 1 ompi_basic_linear, 2 ompi_doublering,",
    ],
    ['1 7 1 2 1 512 6 0 0', 'FILE:1:11: COLL013 expected a first row of 0 bytes, got 512'],
    ['1 7 1 2 2 0 6 0 0\n0 6 0 0', 'FILE:2:1: COLL013 expected more bytes than in the row before (0), got 0'],
    ['1 7 2 8 1 0 6 0 0\n4 1 0 6 0 0', 'FILE:2:1: COLL013 expected more ranks than in the list before (8), got 4'],
    [
      '1 7 1 2 1 0 3 0 8192',
      'FILE:1:17: COLL014 the size of segments 8192 of bcast 3 (ompi_pipeline) is not modelled: expected 0',
    ],
    ['1 7 1 2 1 0 2 4 0', 'FILE:1:15: COLL014 the fan-out 4 of bcast 2 (ompi_pipeline) is not modelled: expected 0'],
    ['2 7 1 2 1 0 6 0 0\n7 0', 'FILE:2:1: COLL013 a second list of rules of bcast'],
    ['1 7 1 2 1 0 6 0 0\n9', 'FILE:2:1: COLL013 expected the end of the file after all collectives, got "9"'],
  ])('are refused at the place: %j', (text, message) => {
    const path = fileOf(text);
    expect(problemOf(() => readRuleFile(path, false), path)).toContain(message);
  });
});

describe('rules of one operation', () => {
  const yaml = fileOf('otherwise: mpich\nbcast: [{ bytes: 1000.., algorithm: NTSL }]\n', 'yaml');

  test('come from the file, whose selector takes the gaps', () => {
    const text = `ompi,bcast=${yaml}`;
    expect(named(text, bcast(1000), 8)).toBe('NTSL');
    expect(named(text, bcast(999), 8)).toBe(named('mpich', bcast(999), 8));
    expect(named(text, alltoall(1), 8)).toBe(named('ompi', alltoall(1), 8));
    expect(parseChoice(text, 'simgrid', readRuleFile).text).toBe(text);
    expect(ruleFileIn(text)).toBe(yaml);
    expect(rulesFileOf({ collectives: text })).toBe(yaml);
  });

  test.each([
    [`alltoall=${yaml}`, `MACH041 alltoall=FILE: the file has no rules of alltoall; it has those of bcast`],
    [`${yaml},bcast=${file}`, 'names two files'],
    [`bcast=${file},alltoall=${yaml}`, 'names two files'],
  ])('are refused: %s', (text, message) => {
    expect(problemOf(() => parseChoice(text, 'simgrid', readRuleFile), yaml)).toContain(message);
  });

  test('are relative to their machine file', () => {
    const machine = fileOf(
      'nodes: 2\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\ncollectives: ompi,bcast=own.conf\n',
      'yaml',
    );
    expect(readMachineFile(machine).collectives).toBe(`ompi,bcast=${join(folder, 'own.conf')}`);
  });
});
