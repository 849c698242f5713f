import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SparseVector } from '../../../src/analysis/flows/elimination.ts';
import { tokensOf } from '../../../src/analysis/flows/place-flows.ts';
import type { Petri } from '../../../src/analysis/petri/petri.ts';
import { Decider } from '../../../src/analysis/properties/decide.ts';
import type { Decision } from '../../../src/analysis/properties/formula-of.ts';
import { questionOf } from '../../../src/analysis/properties/formula-of.ts';
import type { Property } from '../../../src/analysis/properties/property.ts';
import { StateFormulas } from '../../../src/analysis/properties/state-formula.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import type { MarkingView, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { petriOf } from '../../../src/analysis/structure/plain-petri.ts';
import { StructuralProver } from '../../../src/analysis/structure/prove-property.ts';
import { type Structure, structureOf, withSolver } from '../../../src/analysis/structure/structure.ts';
import { reachedSums } from '../../../src/analysis/structure/trial-run.ts';
import { provesUnreachable } from '../../../src/analysis/structure/unreachable.ts';
import { InputError } from '../../../src/base/problem.ts';
import { linearSolver } from '../../../src/commands/structure/structure.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryNet } from '../../engine/random-net.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { RunError } from '../../reference/evaluate.ts';
import { formulas, properties } from '../properties/formulas.ts';
import { plainNets } from './random-plain-net.ts';

const solver = (await linearSolver())!;
const MAX_STATES = 400;
const RUNS = effort(30);

const KINDS = [
  ['place/transition nets', plainNets({ all: false }), 2 * RUNS],
  ['with inhibitors, resets and priorities', plainNets({ all: true }), 2 * RUNS],
  ['nets of finite colours', finiteNet, RUNS],
  ['nets of every feature', arbitraryNet, RUNS],
] as const;

/** Token counts by place of the unfolded net. */
function tokensByPlace({ places }: Petri, { places: marked, busy }: MarkingView): number[] {
  return places.map(({ kind, node, values }) => {
    const same = (other: readonly number[]): boolean => other.every((v, k) => v === values[k]);
    if (kind === 'busy')
      return busy.reduce((sum, b) => sum + (b.transition === node && same(Object.values(b.binding)) ? b.count : 0), 0);
    const tokens = marked.find((p) => p.place === node)?.tokens ?? [];
    return tokens.reduce((sum, t) => sum + (t.where === kind && same(t.values) ? t.count : 0), 0);
  });
}

const weighed = (weights: SparseVector, marking: readonly number[]): number =>
  [...weights].reduce((sum, [p, w]) => sum + w * marking[p]!, 0);

/** Structure of a net and a few hundred of its states; `undefined` if either is rejected. */
function explored(net: Net): { found: Structure; space: StateSpace } | undefined {
  try {
    const found = withSolver(structureOf(net, { effort: 100_000 }), solver);
    const running = exploration(net, { maxStates: MAX_STATES });
    while (running.advance(MAX_STATES));
    return { found, space: running.space };
  } catch (e) {
    if (e instanceof InputError || e instanceof RunError) return undefined;
    throw e;
  }
}

describe.each(KINDS)('structure of %s', (_, nets, runs) => {
  test('proved properties hold in every explored marking', { timeout: 300_000 }, () => {
    const met = { bounds: 0, flows: 0, dead: 0, free: 0, live: 0 };
    fc.assert(
      fc.property(nets, (net) => {
        const both = explored(net);
        if (both === undefined) return;
        const { found, space } = both;
        const { petri, proofs } = found;
        const flows = found.placeSemiflows.flows.map((flow) => [flow, tokensOf(flow, petri)] as const);
        const weights = [...found.weights, ...proofs.flatMap((p) => (p?.by === 'weights' ? [p.weights] : []))].map(
          (w) => [w, tokensOf(w, petri)] as const,
        );
        const fired = new Set<string>();
        for (let s = 0; s < space.states; s++) {
          const marking = tokensByPlace(petri, space.marking(s));
          for (const [p, proof] of proofs.entries())
            expect(marking[p]).toBeLessThanOrEqual(proof?.bound ?? Number.POSITIVE_INFINITY);
          for (const [flow, tokens] of flows) expect(weighed(flow, marking)).toBe(tokens);
          for (const [w, tokens] of weights) expect(weighed(w, marking)).toBeLessThanOrEqual(tokens);
          if (s < space.expanded) for (const f of space.firings(s)) fired.add(`${f.kind} ${f.node}`);
        }
        const { deadlockFree, live } = found.verdicts;
        const degrees = [...space.outDegree(0, space.expanded)];
        if (deadlockFree.value === true) expect(degrees).not.toContain(0);
        if (deadlockFree.value === false && space.complete) expect(degrees).toContain(0);
        if (live.value !== undefined && space.complete) expect(isLive(space)).toBe(live.value);
        // Without colours, each transition has exactly one binding.
        if (petri.transitions.length === net.transitions.length)
          for (const t of found.dead) expect(fired.has(`fire ${petri.transitions[t]!.node}`)).toBe(false);
        met.bounds += proofs.filter((p) => p !== undefined).length;
        met.flows += flows.length;
        met.dead += found.dead.length;
        met.free += Number(deadlockFree.value !== undefined);
        met.live += Number(live.value !== undefined);
      }),
      { numRuns: runs },
    );
    expect(met.bounds).toBeGreaterThan(atFullEffort(runs));
    expect(met.flows).toBeGreaterThan(atFullEffort(runs / 10));
    expect(met.free).toBeGreaterThan(atFullEffort(0));
  });

  test('unreachable conditions hold in no explored marking', { timeout: 300_000 }, () => {
    let proved = 0;
    fc.assert(
      fc.property(
        nets.chain((net) =>
          fc.tuple(fc.constant(net), fc.array(formulas(namesOf(net), false), { minLength: 5, maxLength: 5 })),
        ),
        ([net, targets]) => {
          const both = explored(net);
          if (both === undefined) return;
          const atoms = new StateFormulas(both.space);
          for (const target of targets)
            for (const by of [undefined, solver]) {
              if (provesUnreachable(both.found, target, by) === undefined) continue;
              proved++;
              // States that were not expanded may look dead.
              expect(atoms.first(target, 0, both.space.expanded)).toBe(-1);
            }
        },
      ),
      { numRuns: runs },
    );
    expect(proved).toBeGreaterThan(atFullEffort(runs / 5));
  });

  test('properties agree with the space', { timeout: 300_000 }, () => {
    let proved = 0;
    fc.assert(
      fc.property(
        nets.chain((net) =>
          fc.tuple(fc.constant(net), fc.array(properties(namesOf(net)), { minLength: 4, maxLength: 4 })),
        ),
        ([net, asked]) => {
          const all: Property[] = [
            ...asked,
            { kind: 'bounds' },
            { kind: 'safe' },
            { kind: 'deadlock-free' },
            { kind: 'live' },
          ];
          const answers = decisions(net, all);
          if (answers === undefined) return;
          const prover = new StructuralProver(net, { solver, effort: 100_000 });
          for (const { question, value, bounds } of answers) {
            const proof = prover.prove(question);
            if (proof === undefined || value === undefined) continue;
            proved++;
            expect(proof.value).toBe(value);
            if (proof.bounds !== undefined) expect(proof.bounds).toEqual(bounds);
          }
        },
      ),
      { numRuns: runs },
    );
    expect(proved).toBeGreaterThan(atFullEffort(runs / 5));
  });

  test('markings reached by a run are in the space', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(nets, (net) => {
        const both = explored(net);
        if (both?.space.complete !== true) return;
        const { petri } = both.found;
        const sums = petri.places.map((_, p) => new Map([[p, 1]]));
        const most = sums.map(() => 0);
        for (let s = 0; s < both.space.states; s++)
          for (const [p, n] of tokensByPlace(petri, both.space.marking(s)).entries()) most[p] = Math.max(most[p]!, n);
        for (const [p, n] of reachedSums(petri, sums, 20_000).entries()) expect(n).toBeLessThanOrEqual(most[p]!);
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});

function namesOf(net: Net): { places: string[]; transitions: string[] } {
  return {
    places: net.places.map((p) => p.name),
    transitions: net.transitions.length === 0 ? ['none'] : net.transitions.map((t) => t.name),
  };
}

/** Decisions from the complete space; `undefined` if it is not available. */
function decisions(net: Net, properties: readonly Property[]): Decision[] | undefined {
  try {
    petriOf(net);
    const decider = new Decider(
      exploration(net, { maxStates: MAX_STATES }),
      properties.map((p) => questionOf(net, p)),
      { bytes: 1e8 },
    );
    decider.run();
    return decider.decisions;
  } catch (e) {
    if (e instanceof InputError || e instanceof RunError) return undefined;
    throw e;
  }
}

/** True if every transition can be enabled again from every reachable state. */
function isLive(space: StateSpace): boolean {
  const [answer] = decisions(space.net, [{ kind: 'live' }])!;
  return answer!.value as boolean;
}
