import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InputError } from '../../../src/base/problem.ts';
import { type MachineService, machineModule } from '../../../src/commands/mapping/machine-module.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster, compose, type ProgramModel, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';

type Step =
  | { readonly kind: 'compute' | 'load' | 'access'; readonly amount: number }
  | { readonly kind: 'transfer'; readonly amount: number; readonly shift: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('compute' as const, 'load' as const, 'access' as const),
    amount: fc.nat(3_000_000),
  }),
  fc.record({ kind: fc.constant('transfer' as const), amount: fc.nat(100_000), shift: fc.integer({ min: 1, max: 3 }) }),
);
const LABELS: Readonly<Record<MachineService, readonly [string, string]>> = {
  compute: ['compute', 'computed'],
  load: ['load', 'loaded'],
  access: ['access', 'accessed'],
  transfer: ['transfer', 'transferred'],
};
const servicesIn = (steps: readonly Step[]): MachineService[] => [...new Set(steps.map((s) => s.kind))];
const target = (s: Extract<Step, { kind: 'transfer' }>, rank: number, ranks: number): number =>
  (rank + s.shift) % ranks;

/** The program written by hand: every rank asks the machine step by step; a message is sent, and the one that comes is awaited. */
function handWritten(steps: readonly Step[], ranks: number): Net {
  const n = new NetBuilder('program');
  const [Rank, Thread, Bytes] = [n.range('Rank', 0, ranks - 1), n.range('Thread', 0, 0), n.integer('Bytes')];
  const Message = n.range('Message', 0, steps.length - 1);
  const Step = n.range('Step', 0, steps.length);
  const at = n.place(
    'at',
    { rank: Rank, step: Step },
    { initial: Array.from({ length: ranks }, (_, rank) => ({ rank, step: 0 })) },
  );
  const messages = n.place('messages', { from: Rank, to: Rank, id: Message, b: Bytes });
  const arrived = n.place('arrived', { to: Rank, id: Message });
  const services = servicesIn(steps).filter((name) => name !== 'transfer');
  const asked = new Map(services.map((s) => [s, n.place(`${s} asked`, { rank: Rank, k: Thread, w: Bytes })]));
  const served = new Map(services.map((s) => [s, n.place(`${s} served`, { rank: Rank, k: Thread })]));
  for (const s of services) {
    n.transition(`ask ${s}`, (t) => t.label(LABELS[s][0], t.take(asked.get(s)!)));
    n.transition(`get ${s}`, (t) => {
      const token = { rank: t.free('rank', Rank), k: t.free('k', Thread) };
      t.label(LABELS[s][1], token);
      t.put(served.get(s)!, token);
    });
  }
  if (servicesIn(steps).includes('transfer')) {
    n.transition('send', (t) => t.label('transfer', t.take(messages)));
    n.transition('arrive', (t) => {
      const token = {
        from: t.free('from', Rank),
        to: t.free('to', Rank),
        id: t.free('id', Message),
        b: t.free('b', Bytes),
      };
      t.label('transferred', token);
      t.put(arrived, { to: token.to, id: token.id });
    });
  }
  const waits = n.place('waits', { rank: Rank, step: Step });
  steps.forEach((s, k) => {
    for (let rank = 0; rank < ranks; rank++) {
      n.transition(`begin ${k} of ${rank}`, (t) => {
        t.take(at, { rank, step: k });
        t.put(waits, { rank, step: k });
        if (s.kind === 'transfer') t.put(messages, { from: rank, to: target(s, rank, ranks), id: k, b: s.amount });
        else t.put(asked.get(s.kind)!, { rank, k: 0, w: s.amount });
      });
      n.transition(`end ${k} of ${rank}`, (t) => {
        t.take(waits, { rank, step: k });
        if (s.kind === 'transfer') t.take(arrived, { to: rank, id: k });
        else t.take(served.get(s.kind)!, { rank, k: 0 });
        t.put(at, { rank, step: k + 1 });
      });
    }
  });
  // An interface may be busy for longer than the ranks.
  const ended = n.place('ended', { rank: Rank });
  n.processes(Rank, ended);
  n.transition('finish', (t) => {
    const { rank } = t.take(at, { step: steps.length });
    t.put(ended, { rank });
  });
  return n.build();
}

/** The same program as a model. */
const modelOf = (steps: readonly Step[]): ProgramModel =>
  spmd({
    name: 'model',
    build(m) {
      steps.forEach((s, k) => {
        if (s.kind === 'compute') m.compute({ flops: s.amount });
        else if (s.kind === 'load') m.compute({ bytes: s.amount });
        else if (s.kind === 'access') m.writeFile({ bytes: s.amount });
        else if (s.kind === 'transfer') {
          m.isend({ to: ({ rank, size }) => (rank + s.shift) % size, bytes: s.amount, tag: k });
          m.recv({ from: ({ rank, size }) => (rank + size - (s.shift % size)) % size, tag: k });
        }
      });
    },
  }) as unknown as ProgramModel;

const machines = fc.record({
  nodes: fc.integer({ min: 1, max: 3 }),
  coresPerNode: fc.integer({ min: 1, max: 3 }),
  speed: fc.constantFrom('1Gf', '2.4Gf'),
  link: fc.constant({ latency: '10us', bandwidth: '1.25GB/s' }),
  intraNode: fc.constant({ latency: '1us', bandwidth: '10GB/s' }),
  memory: fc.constantFrom(undefined, '20GB/s'),
  storage: fc.constantFrom(undefined, { latency: '1ms', bandwidth: '100MB/s' }),
  gap: fc.constantFrom(undefined, '20us'),
  eagerBelow: fc.constant('1MB'),
  detachedBelow: fc.constant('1MB'),
});
const made = (given: object): ReturnType<typeof cluster> =>
  cluster(Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined)) as never);

describe('a machine as a module', () => {
  test('runs nets written by hand as long as the same programs written as models', { timeout: 600_000 }, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        machines,
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 4 }),
        (given, steps, ranks) => {
          const machine = made(given);
          const services = servicesIn(steps);
          const options = { ranks, oversubscribe: true };
          const module = machineModule(machine, { ...options, services, messages: steps.length });
          const net = compose([handWritten(steps, ranks), module], { synchronise: services.flatMap((s) => LABELS[s]) });
          const { figures, deadlock } = predict(net);
          expect(deadlock).toEqual([]);
          const expected = predict(modelOf(steps), { machine, ...options }).figures.runTime!.value;
          expect(Math.abs(figures.runTime!.value - expected)).toBeLessThanOrEqual(1e-12 * expected);
          for (const s of services) seen.add(s);
        },
      ),
      { numRuns: effort(100) },
    );
    expect([...seen].sort()).toEqual(Object.keys(LABELS).sort());
  });

  const machine = made({
    nodes: 2,
    coresPerNode: 1,
    speed: '1Gf',
    link: { latency: '10us', bandwidth: '1GB/s' },
    eagerBelow: 0,
    noise: { kind: 'uniform', spread: 0.1 },
  });

  test.each([
    ['options of others', { rank: 2 }, 'MODEL001: machineModule has no option "rank". Did you mean "ranks"?'],
    ['no ranks', {}, 'MODEL001: machineModule: ranks: expected an integer from 1 to 4096, got nothing'],
    ['too many ranks', { ranks: 5000 }, 'MODEL001: machineModule: ranks: expected an integer from 1 to 4096, got 5000'],
    ['unknown services', { ranks: 2, services: ['computed'] }, 'got "computed". Did you mean "compute"?'],
    [
      'no services',
      { ranks: 2, services: [] },
      'services: expected a list of compute, load, access, transfer, got an empty one',
    ],
    ['no requests', { ranks: 2, threads: 0 }, 'MODEL001: machineModule: threads: expected an integer from 1'],
    ['more ranks than cores', { ranks: 3 }, 'MACH021'],
    ['noise', { ranks: 2 }, 'MODEL042: the noise of the machine'],
  ])('refuses %s', (_, options, message) => {
    try {
      machineModule(machine, options as never);
      expect.unreachable();
    } catch (e) {
      const { code, message: text } = (e as InputError).problems[0]!;
      expect(`${code}: ${text}`).toContain(message);
    }
  });

  test('labels that the program does not use are told', () => {
    const quiet = made({
      nodes: 2,
      coresPerNode: 1,
      speed: '1Gf',
      link: { latency: '10us', bandwidth: '1GB/s' },
      eagerBelow: 0,
    });
    const program = handWritten([{ kind: 'compute', amount: 1 }], 2);
    expect(() =>
      compose([program, machineModule(quiet, { ranks: 2 })], { synchronise: ['compute', 'computed'] }),
    ).toThrow('nobody meets label machine.transfer');
  });
});
