import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { placeProofs } from '../../../../src/analysis/flows/place-proofs.ts';
import { petriOf } from '../../../../src/analysis/structure/plain-petri.ts';
import { checkShapes } from '../../../../src/analysis/structure/shapes/check-shapes.ts';
import type { ProgramInstance } from '../../../../src/commands/verify/program/program-verification.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { type ResolvedNet, resolvedNet } from '../../../../src/models/program/per-rank/resolved-net.ts';
import type { Recorded } from '../../../../src/models/program/record/recorder.ts';
import { type Statement, statementsIn } from '../../../../src/models/program/record/statement.ts';
import { labelOf } from '../../../../src/models/program/resolve/shape.ts';
import type { ProgramModel } from '../../../../src/models.ts';
import type { Net, Transition } from '../../../../src/net/net.ts';
import { validate } from '../../../../src/net/validation/validate.ts';
import { AT, examples, isMessage, MAX_STATES, mutated, NOT_SHOWN } from './mutate.ts';

/*
 * Mutations of the incidence matrices of all example programs: each send, each receive and each arc of the control net is
 * removed or duplicated, and new arcs are added. The unmodified programs have no findings.
 */

const full = process.env['FORETOKEN_TABLE'] === '1';
/** Number of new arcs per example. */
const NEW_ARCS = full ? 400 : 40;
const rows: string[] = [];
afterAll(() => {
  if (full) console.log(rows.sort().join('\n'));
});

async function modelOf(name: string): Promise<ProgramModel> {
  const { default: model } = (await import(`../../../../examples/${name}/model.ts`)) as { default: ProgramModel };
  return model;
}

/** The control net of a program, with statement numbers as labels. */
function controlNet(programs: readonly Recorded[]): ResolvedNet {
  const numbers = new Map<Statement, number>();
  for (const { body } of programs) for (const s of statementsIn(body)) numbers.set(s, numbers.size);
  return resolvedNet(programs, (s) => `${labelOf(s)} ${numbers.get(s)}`)!;
}

/** Where received values decide how many messages there are, as in a stream with an end marker, the matrix has no numbers to compare. */
const counted = examples().filter((name) => NOT_SHOWN[name] === undefined);

describe('a missing or extra send or receive', () => {
  it.each(counted)('in %s is visible in the matrix', { timeout: 170_000 }, async (name) => {
    const model = await modelOf(name);
    const at = AT[name]!;
    const instances = (change?: (programs: readonly Recorded[]) => readonly Recorded[]): readonly ProgramInstance[] =>
      verifyProgram(model, { ...at, maxSteps: 1e6, maxStates: MAX_STATES }, change).instances;
    for (const one of instances()) expect(one.incidence!.findings).toEqual([]);
    const found = { all: 0, wrong: 0, detected: 0, confirmed: 0, missed: [] as string[], falsely: 0, refuted: 0 };
    const programs = model.with((at.set ?? {}) as never).record(at.ranks);
    programs.forEach(({ body }, program) => {
      [...statementsIn(body)].filter(isMessage).forEach((s, number) => {
        for (const way of ['removed', 'added'] as const) {
          found.all++;
          const changed = instances((p) => mutated(p, program, number, way));
          const wrong = changed.some((i) => i.properties.some((p) => p.verdict === false));
          const statuses = new Set(changed.flatMap((i) => i.incidence!.findings.map((f) => f.status)));
          if (wrong) {
            found.wrong++;
            if (statuses.size > 0) found.detected++;
            else found.missed.push(`${labelOf(s)} line ${s.site.place.line} ${way}`);
            if (statuses.has('confirmed')) found.confirmed++;
          } else {
            if (statuses.has('confirmed')) found.falsely++;
            if (statuses.has('refuted') || statuses.has('suspected')) found.refuted++;
          }
        }
      });
    });
    rows.push(
      `${name.padEnd(20)} messages: changes ${found.all}, wrong ${found.wrong}, detected ${found.detected}, confirmed ${found.confirmed}, missed ${found.missed.length}, false alarms ${found.falsely}, suspicions of right ones ${found.refuted} ${found.missed.join('; ')}`,
    );
    expect(found.falsely).toBe(0);
    expect(found.refuted).toBe(0);
    expect(found.missed).toEqual([]);
    expect(found.detected).toBe(found.confirmed);
  });
});

interface Arc {
  readonly transition: string;
  readonly place: string;
  readonly into: boolean;
}

function arcsOf({ transitions }: Net): Arc[] {
  return transitions.flatMap(({ name, inputs, outputs }) => [
    ...inputs.map(({ place }) => ({ transition: name, place, into: false })),
    ...outputs.map(({ place }) => ({ transition: name, place, into: true })),
  ]);
}

/** The net with the weight of one arc increased or decreased by 1. */
function withArc(net: Net, { transition, place, into }: Arc, by: 1 | -1): Net {
  const change = (t: Transition): Transition => {
    if (into) {
      const others = t.outputs.filter((a) => a.place !== place);
      const own = t.outputs.find((a) => a.place === place)?.count;
      const count = (own?.op === 'const' ? own.value : 0) + by;
      if (count === 0) return { ...t, outputs: others };
      return { ...t, outputs: [...others, { place, values: {}, count: { op: 'const', value: count } }] };
    }
    const others = t.inputs.filter((a) => a.place !== place);
    const count = (t.inputs.find((a) => a.place === place)?.count ?? 0) + by;
    if (count === 0) return { ...t, inputs: others };
    return { ...t, inputs: [...others, { kind: 'take', place, pattern: {}, count }] };
  };
  return { ...net, transitions: net.transitions.map((t) => (t.name === transition ? change(t) : t)) };
}

/** Deterministic pseudo-random numbers (Park & Miller 1988). */
function drawn(count: number): number[] {
  let state = 42;
  return Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647));
}

describe('a missing or extra arc of the control net', () => {
  it.each(examples())(
    'of %s is found, with the names of its place and transition',
    { timeout: 170_000 },
    async (name) => {
      const at = AT[name]!;
      const { net, shapes } = controlNet((await modelOf(name)).with((at.set ?? {}) as never).record(at.ranks));
      expect(validate(net)).toEqual([]);
      expect(checkShapes(net, shapes).findings).toEqual([]);
      const found = { removed: [0, 0], doubled: [0, 0], put: [0, 0] };
      const missed: string[] = [];
      const look = (as: keyof typeof found, arc: Arc, by: 1 | -1): void => {
        const { findings } = checkShapes(withArc(net, arc, by), shapes);
        found[as][0]!++;
        const named = findings.some((f) => f.transitions.includes(arc.transition) && f.kind === 'transition shape');
        const placed = findings.some((f) => f.places.includes(arc.place));
        if (named || placed) found[as][1]!++;
        else missed.push(`${as}: ${arc.transition}, ${arc.place}`);
      };
      const arcs = arcsOf(net);
      for (const arc of arcs) {
        look('removed', arc, -1);
        look('doubled', arc, 1);
      }
      const there = new Set(arcs.map((a) => JSON.stringify(a)));
      for (const n of drawn(NEW_ARCS)) {
        const arc = {
          transition: net.transitions[n % net.transitions.length]!.name,
          place: net.places[Math.floor(n / 7) % net.places.length]!.name,
          into: n % 2 === 1,
        };
        if (!there.has(JSON.stringify(arc))) look('put', arc, 1);
      }
      rows.push(
        `${name.padEnd(20)} arcs: ${Object.entries(found)
          .map(([as, [all, hit]]) => `${as} ${all}, detected ${hit}`)
          .join('; ')}; missed ${missed.length}; places ${net.places.length}, transitions ${net.transitions.length}`,
      );
      expect(missed).toEqual([]);
    },
  );

  it.each(examples())('of %s: without the mutation an invariant proves every control place safe', async (name) => {
    const at = AT[name]!;
    const { net, shapes } = controlNet((await modelOf(name)).with((at.set ?? {}) as never).record(at.ranks));
    const petri = petriOf(net);
    const { proofs } = placeProofs(petri);
    const open = net.places.filter((p, k) => {
      const { kind } = shapes.places[p.name]!;
      return !['message', 'synchronisation', 'data'].includes(kind) && proofs[k]?.bound !== 1;
    });
    expect(open.map((p) => p.name)).toEqual([]);
  });
});

it.each(Object.keys(AT))('of %s: docs/evidence.md has the size of the control net', async (name) => {
  const at = AT[name]!;
  const { net } = controlNet((await modelOf(name)).with((at.set ?? {}) as never).record(at.ranks));
  const size = `| ${name} | ${net.places.length} × ${net.transitions.length} |`;
  expect(readFileSync('docs/evidence.md', 'utf8')).toContain(size);
});
