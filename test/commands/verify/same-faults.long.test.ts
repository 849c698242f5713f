import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { convert, explore, predict, structure, verify, verifyProgram, whatif } from '../../../src/index.ts';
import { ANY, cluster, counter, type ProgramBuilder, type ProgramModel, rankVar, spmd } from '../../../src/models.ts';
import * as matchers from '../../../src/testing/net-matchers.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-same-faults-'));
afterAll(() => rmSync(dir, { recursive: true }));

const RANKS = 3;
const machine = cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '5us', bandwidth: '1GB/s' },
  eagerBelow: 1000,
});
const vars = { i: counter(3), who: rankVar() };
type Build = (m: ProgramBuilder<Record<never, never>, typeof vars>) => void;

const modelOf = (build: Build): ProgramModel =>
  spmd({ name: 'faulty', vars, verifyWith: { ranks: RANKS }, build }) as unknown as ProgramModel;

/** A program in which rank 0 executes `first` and the others execute `others`. */
const parted =
  (first: Build, others: Build): Build =>
  (m) =>
    m.when(
      (s) => s.rank === 0,
      () => first(m),
      () => others(m),
    );

/** Programs that are faulty on every machine and under every protocol, unless they deadlock. */
const faulty: Readonly<Record<string, readonly [code: string, build: Build]>> = {
  'bcast against reduce': [
    'MODEL033',
    parted(
      (m) => m.bcast({ bytes: 8 }),
      (m) => m.reduce({ bytes: 8 }),
    ),
  ],
  'bcast against gather': [
    'MODEL033',
    parted(
      (m) => m.bcast({ bytes: 8 }),
      (m) => m.gather({ bytes: 8 }),
    ),
  ],
  'scan against exscan': [
    'MODEL033',
    parted(
      (m) => m.scan({ bytes: 8 }),
      (m) => m.exscan({ bytes: 8 }),
    ),
  ],
  'sizes of bcast': ['MODEL033', (m) => m.bcast({ bytes: (s) => 8 + s.rank })],
  'sizes of allreduce': ['MODEL033', (m) => m.allreduce({ bytes: (s) => 8 + s.rank })],
  'sizes of allgatherv': ['MODEL033', (m) => m.allgatherv({ counts: (s) => [8, 8, 8 + s.rank] })],
  'amounts of alltoallv': ['MODEL033', (m) => m.alltoallv({ sendCounts: [8, 8, 8], recvCounts: [8, 16, 8] })],
  'amounts of gatherv': ['MODEL033', (m) => m.gatherv({ counts: (s) => [8, s.rank === 0 ? 8 : 16, 8] })],
  'amounts of scatterv': ['MODEL033', (m) => m.scatterv({ counts: (s) => [8, s.rank === 0 ? 8 : 16, 8] })],
  'one call more': [
    'MODEL033',
    (m) => {
      m.bcast({ bytes: 8 });
      parted(
        (x) => x.bcast({ bytes: 8 }),
        () => undefined,
      )(m);
    },
  ],
  'non-blocking calls': [
    'MODEL033',
    parted(
      (m) => m.wait(m.ibcast({ bytes: 8 })),
      (m) => m.wait(m.ireduce({ bytes: 8 })),
    ),
  ],
  'after receives with wildcards': [
    'MODEL033',
    (m) => {
      parted(
        (x) => x.loop('i', 2, () => x.recv({ from: ANY, into: { source: 'who' } })),
        (x) => x.send({ to: 0, bytes: 8 }),
      )(m);
      m.bcast({ bytes: (s) => 8 + s.rank });
    },
  ],
  'roots by the rank': ['MODEL027', (m) => m.bcast({ bytes: 8, root: (s) => s.rank })],
  'roots by a variable': [
    'MODEL027',
    (m) => {
      m.let('who', (s) => s.rank);
      m.bcast({ bytes: 8, root: (s) => s.who });
    },
  ],
  'a peer that does not exist': [
    'MODEL020',
    (m) => {
      m.barrier();
      m.send({ to: (s) => s.rank + 1, bytes: 8 });
    },
  ],
  'a request that nothing waits for': ['MODEL023', (m) => void m.irecv({ from: 0 })],
};

type Call = (model: ProgramModel) => unknown;
const on = { machine, ranks: RANKS };

const commands: Record<string, Call> = {
  predict: (model) => predict(model, on),
  // A study continues after failed scenarios and reports their problems.
  whatif: async (model) => {
    const { scenarios } = await whatif(model, { machine, vary: { ranks: [RANKS] }, workers: 1 });
    const [{ problems }] = scenarios as [(typeof scenarios)[0]];
    if (problems !== undefined) throw new InputError(problems);
    return scenarios;
  },
  verify: (model) => verifyProgram(model, { ranks: RANKS }),
  'verify, eager': (model) => verifyProgram(model, { ranks: RANKS, sends: 'eager' }),
  'verify with properties': (model) => verify(model, ['deadlock-free'], on),
  explore: (model) => explore(model, on),
  structure: (model) => structure(model, on),
  convert: (model) => convert(model, join(dir, 'net.json'), on),
};

type Matcher = (this: object, received: unknown, ...rest: never[]) => unknown;
const inputs: Readonly<Record<string, readonly unknown[]>> = {
  toBeBounded: [1],
  toConserve: [{ ended: 1 }],
  toReach: ['tokens(ended) = 3'],
  toNeverReach: ['tokens(ended) = 3'],
  toSatisfy: ['deadlock-free'],
  toFinishWithin: [1],
};
for (const [name, matcher] of Object.entries(matchers))
  commands[name] = (model) =>
    (matcher as Matcher).call({ isNot: false }, model, ...((inputs[name] ?? []) as never[]), on as never);

describe.each(Object.entries(faulty))('a model with a fault: %s', (_, [code, build]) => {
  test.each(Object.entries(commands))(`%s reports ${code}`, async (__, run) => {
    await expect(async () => run(modelOf(build))).rejects.toMatchObject({
      problems: [expect.objectContaining({ code })],
    });
  });
});

test('a program without a fault passes every command and matcher', async () => {
  const fine = modelOf((m) => {
    m.bcast({ bytes: 8 });
    m.gatherv({ counts: () => [8, 8, 8] });
  });
  for (const run of Object.values(commands).slice(0, 8)) await expect((async () => run(fine))()).resolves.toBeDefined();
});

test('if unequal calls cause a deadlock, the result is the deadlock and the calls are a warning', () => {
  const model = modelOf(
    parted(
      (m) => m.reduce({ bytes: 1e6, root: 1 }),
      (m) => m.barrier(),
    ),
  );
  const found = verifyProgram(model, { ranks: 2, sends: 'rendezvous' });
  expect(found.instances[0]!.properties[0]).toMatchObject({ id: 'deadlock-free', verdict: false });
  expect(found.warnings).toEqual([expect.stringContaining('MODEL033 rank 1 calls barrier')]);
  expect(explore(model, { machine, ranks: 2 }).warnings).toEqual([expect.stringContaining('MODEL033')]);
});

test('calls that differ only in one message order are found by verify', () => {
  const model = modelOf((m) => {
    parted(
      (x) => {
        x.recv({ from: ANY, into: { source: 'who' } });
        x.recv({ from: ANY });
        x.when(
          (s) => s.who === 2,
          () => x.bcast({ bytes: 16 }),
          () => x.bcast({ bytes: 8 }),
        );
      },
      (x) => {
        x.when(
          (s) => s.rank === 2,
          () => x.sleep(1),
        );
        x.send({ to: 0, bytes: 8 });
        x.bcast({ bytes: 8 });
      },
    )(m);
  });
  expect(predict(model, on).deadlock).toEqual([]);
  for (const sends of ['eager', 'rendezvous'] as const)
    expect(() => verifyProgram(model, { ranks: RANKS, sends })).toThrow(/MODEL033 rank \d calls bcast with (8|16) B/);
});
