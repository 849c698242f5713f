import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import '../../src/vitest.ts';
import { replay } from '../../src/analysis/properties/replay.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import {
  arbitraryMachine,
  arbitraryMarking,
  arbitraryNet,
  arbitraryProgram,
  FAULT_KINDS,
  firingSequence,
  NET_FEATURES,
  playSequence,
  withMarking,
} from '../../src/fast-check.ts';
import { validate } from '../../src/net/validation/validate.ts';

const nets = fc.sample(arbitraryNet({ with: NET_FEATURES, places: 6, tokens: 4 }), { numRuns: 60, seed: 6 });

test('a net with any generated marking is valid', () => {
  for (const net of nets)
    fc.assert(
      fc.property(arbitraryMarking(net), (marking) => {
        const marked = withMarking(net, marking);
        expect(validate(marked)).toEqual([]);
      }),
      { numRuns: 20 },
    );
});

test('a marking shrinks to the necessary tokens', () => {
  const net = nets.find((n) => n.places.length > 3)!;
  const count = (m: Record<string, readonly { count: number }[]>): number =>
    Object.values(m).reduce((sum, tokens) => sum + tokens.reduce((s, t) => s + t.count, 0), 0);
  const run = fc.check(
    fc.property(arbitraryMarking(net), (m) => count(m) < 3),
    { seed: 1, numRuns: 1000 },
  );
  expect(count(run.counterexample![0])).toBe(3);
});

test('a firing sequence replays by the firing rule, step by step, and from its choices', () => {
  let steps = 0;
  for (const net of nets)
    fc.assert(
      fc.property(firingSequence(net, { maxLength: 15 }), (sequence) => {
        const { markings } = sequence;
        expect(markings).toHaveLength(sequence.steps.length + 1);
        const replayed = replay(net, sequence.steps);
        for (const { name } of net.places)
          expect(markings.at(-1)!.tokens(name)).toBe(
            replayed.marking.reduce((sum, c) => sum + (c.place === name ? c.by : 0), 0),
          );
        expect(playSequence(net, sequence.choices).steps).toEqual(sequence.steps);
        if (sequence.dead) expect(playSequence(net, [...sequence.choices, 5]).steps).toEqual(sequence.steps);
        steps += sequence.steps.length;
      }),
      { numRuns: 10 },
    );
  expect(steps).toBeGreaterThan(1000);
});

test('every part of a list of choices is a sequence', () => {
  for (const net of nets.slice(0, 20))
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 99 }), { maxLength: 12 }), fc.nat({ max: 11 }), (choices, k) => {
        const part = choices.filter((_, at) => at !== k);
        const { steps, dead } = playSequence(net, part);
        expect(steps.length === part.length || dead).toBe(true);
      }),
      { numRuns: 20 },
    );
});

test('generated machines are valid: a program has a run time on each', () => {
  fc.assert(
    fc.property(
      arbitraryMachine({ cores: 3 }),
      arbitraryProgram({ ranks: 3, events: 4 }),
      (machine, { ranks, model }) => {
        const { figures, deadlock } = predict(model, { machine, ranks });
        expect(deadlock).toEqual([]);
        expect(Number.isFinite(figures.runTime.value)).toBe(true);
      },
    ),
    { numRuns: 20, seed: 3 },
  );
});

test('programs of matched messages are sound under both protocols', () => {
  for (const networkModel of ['simgrid-eager', 'simgrid-rendezvous'])
    fc.assert(
      fc.property(arbitraryProgram({ ranks: 3, events: 4 }), ({ ranks, model }) => {
        expect(model).toBeSound({ ranks, networkModel });
      }),
      { numRuns: 8, seed: 3 },
    );
});

test.each(FAULT_KINDS)('a planted fault is one operation: %s', (kind) => {
  const programs = fc.sample(arbitraryProgram({ mutated: kind }), { numRuns: 200, seed: 1 });
  const faulty = programs.filter((p) => p.fault !== undefined);
  expect(faulty.length).toBeGreaterThan(50);
  for (const { fault, operations } of faulty) {
    expect(fault!.kind).toBe(kind);
    const sends = new Map<string, number>();
    operations.forEach((own, rank) => {
      for (const o of own) {
        if ('to' in o) sends.set(`${rank} ${o.to} ${o.tag}`, (sends.get(`${rank} ${o.to} ${o.tag}`) ?? 0) + 1);
        else if ('from' in o)
          sends.set(`${o.from} ${rank} ${o.tag}`, (sends.get(`${o.from} ${rank} ${o.tag}`) ?? 0) - 1);
      }
    });
    const wrong = [...sends.values()].reduce((sum, n) => sum + Math.abs(n), 0);
    expect(wrong).toBe(kind === 'swapped' ? 0 : kind === 'removed' ? 1 : 2);
  }
});

test('counter-examples show the program, the net, the steps', () => {
  const [program] = fc.sample(arbitraryProgram({ events: 3 }), { numRuns: 1, seed: 5 });
  expect(fc.stringify(program)).toMatch(/^rank 0: /);
  expect(fc.stringify(nets[0])).toMatch(/random/);
  expect(fc.stringify(playSequence(nets[1]!, [0]))).toMatch(/^choices \[/);
  expect(structuredClone(nets[0])).toEqual(nets[0]);
});

test('machines and programs shrink to the smallest', () => {
  const machine = fc.check(
    fc.property(arbitraryMachine(), ({ nodes }) => nodes.length === 0),
    { seed: 3 },
  );
  const [{ nodes, network }] = machine.counterexample!;
  expect([nodes.length, nodes[0]!.count, nodes[0]!.cores, network.kind]).toEqual([1, 1, 1, 'crossbar']);
  const program = fc.check(
    fc.property(arbitraryProgram(), ({ operations }) => operations.flat().length < 4),
    { seed: 3 },
  );
  const [{ ranks, operations }] = program.counterexample!;
  expect([ranks, operations.flat().length]).toEqual([2, 4]);
});

test.each<[string, () => unknown]>([
  ['TEST002 arbitraryProgram: ranks: expected an integer from 2 to 64, got 1', () => arbitraryProgram({ ranks: 1 })],
  [
    'TEST002 arbitraryProgram: unknown fault "tags" in mutated. Did you mean "tag"?',
    () => arbitraryProgram({ mutated: 'tags' as never }),
  ],
  [
    'TEST002 arbitraryProgram: has no option "rank". Did you mean "ranks"?',
    () => arbitraryProgram({ rank: 1 } as never),
  ],
  ['TEST002 arbitraryMachine: nodes: expected an integer', () => arbitraryMachine({ nodes: 0.5 })],
  ['TEST002 firingSequence: maxLength: expected an integer', () => firingSequence(nets[0]!, { maxLength: -1 })],
  ['TEST002 arbitraryMarking: tokens: expected an integer', () => arbitraryMarking(nets[0]!, { tokens: '3' as never })],
  [
    'TEST001 argument of arbitraryMarking: expected a net or a model of a program, got 5',
    () => arbitraryMarking(5 as never),
  ],
  [
    'TEST001 argument of firingSequence: expected a net or a model of a program, got nothing',
    () => firingSequence(undefined as never),
  ],
])('an argument is refused: %s', (message, run) => {
  expect(run).toThrow(message);
});
