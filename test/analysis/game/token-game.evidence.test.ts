import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenGame } from '../../../src/analysis/game/token-game.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { netOfChangingLinks } from '../../engine/changing-links.ts';
import { arbitraryNet } from '../../engine/random-net.ts';
import { RunError } from '../../reference/evaluate.ts';
import { referenceRun } from '../../reference/token-game.ts';

/** What a player sees before a choice. */
interface Seen {
  readonly enabled: readonly string[];
  readonly time: number;
  readonly marking: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly arrivals: Readonly<Record<string, readonly number[]>>;
  /** Firings in progress and running clocks with their ends, in alphabetical order. */
  readonly underWay: readonly (readonly [label: string, end: number])[];
}

const underWayOf = (
  all: readonly {
    readonly transition: string;
    readonly binding: Readonly<Record<string, number>>;
    readonly end: number;
    readonly isClock: boolean;
  }[],
): Seen['underWay'] =>
  all
    .map(
      ({ transition, binding, end, isClock }) =>
        [`${isClock ? 'clock' : 'firing'} ${labelled(transition, binding)}`, end] as const,
    )
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x - y));

/** Choices that a player makes at most. */
const CHOICES = 30;

const labelled = (transition: string, binding: Readonly<Record<string, number>>): string =>
  `${transition} ${JSON.stringify(Object.entries(binding).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

/** The choices of the reference engine, and the code of the rule that the run breaks in the end. */
function played(net: Net, script: readonly number[]): { readonly seen: Seen[]; readonly code?: string } {
  const seen: Seen[] = [];
  try {
    const end = referenceRun(net, {
      pick: (candidates, now) => {
        const enabled = candidates.map(({ transition, binding }) => labelled(transition.name, binding));
        seen.push({ enabled, ...now, underWay: underWayOf(now.underWay) });
        return seen.length > CHOICES ? -1 : script[seen.length - 1]! % candidates.length;
      },
    });
    if (seen.length <= CHOICES)
      seen.push({ enabled: [], time: end.time, marking: end.marking, arrivals: end.arrivals, underWay: [] });
    return { seen };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { seen, code: error.code };
  }
}

function seenIn(game: TokenGame): Seen {
  const marking = game.marking();
  return {
    enabled: game.enabled().map(({ transition, binding }) => labelled(transition, binding)),
    time: game.time,
    underWay: underWayOf(game.underWay()),
    marking: Object.fromEntries(marking.map(({ place, tokens }) => [place, tokens.map(({ values }) => values)])),
    arrivals: Object.fromEntries(
      marking.map(({ place, tokens }) => [place, tokens.filter(({ inService }) => !inService).map(({ time }) => time)]),
    ),
  };
}

/** Times agree to 10⁻¹² where rates are shared (S14), exactly elsewhere. */
function agrees(found: Seen, wanted: Seen, shares: boolean): void {
  if (!shares) {
    expect(found).toEqual(wanted);
    return;
  }
  const close = (a: number, b: number): void =>
    expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(b)));
  close(found.time, wanted.time);
  expect(found.enabled).toEqual(wanted.enabled);
  expect(found.marking).toEqual(wanted.marking);
  expect(found.underWay.map(([label]) => label)).toEqual(wanted.underWay.map(([label]) => label));
  for (const [k, [, end]] of wanted.underWay.entries()) close(found.underWay[k]![1], end);
  for (const [place, times] of Object.entries(wanted.arrivals))
    for (const [k, time] of times.entries()) close(found.arrivals[place]![k]!, time);
}

const codeOf = (call: () => unknown): string | undefined => {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems[0]!.code;
  }
};

/** Plays random nets next to the reference, forwards, back and forwards again. */
function compare(
  nets: fc.Arbitrary<Net>,
  runs: number,
): Record<'choices' | 'withSeveral' | 'failures' | 'underWay', number> {
  let choices = 0;
  let underWay = 0;
  let withSeveral = 0;
  let failures = 0;
  fc.assert(
    fc.property(nets, fc.array(fc.nat(1000), { minLength: CHOICES, maxLength: CHOICES }), (net, script) => {
      const { seen, code } = played(net, script);
      const shares = net.places.some(({ service }) => service?.kind === 'max-min' || service?.kind === 'ps');
      let game: TokenGame | undefined;
      const begun = codeOf(() => {
        game = new TokenGame(net);
      });
      if (seen.length === 0) {
        expect(begun).toBe(code);
        return;
      }
      expect(begun).toBeUndefined();
      const own = game!;
      const past: Seen[] = [];
      seen.forEach((wanted, k) => {
        const found = seenIn(own);
        agrees(found, wanted, shares);
        past.push(found);
        choices++;
        underWay += wanted.underWay.length;
        if (wanted.enabled.length > 1) withSeveral++;
        const isLast = k === seen.length - 1;
        if (wanted.enabled.length === 0 || (isLast && code === undefined)) return;
        const failed = codeOf(() => own.fire(script[k]! % wanted.enabled.length));
        expect(failed).toBe(isLast ? code : undefined);
        if (failed === undefined) return;
        failures++;
        // A firing that breaks a rule changes nothing.
        expect(seenIn(own)).toEqual(found);
      });
      for (let k = past.length - 1; k > 0; k--) {
        expect(own.back()).toBe(true);
        expect(seenIn(own)).toEqual(past[k - 1]);
      }
      expect(own.back()).toBe(false);
      for (let k = 1; k < past.length; k++) {
        own.fire(script[k - 1]! % past[k - 1]!.enabled.length);
        expect(seenIn(own)).toEqual(past[k]);
      }
    }),
    { numRuns: runs },
  );
  return { choices, withSeveral, failures, underWay };
}

describe('the token game', () => {
  it('has the choices, times, markings, firings in progress and clocks of the reference engine, forwards and back', () => {
    const { choices, withSeveral, failures, underWay } = compare(arbitraryNet, effort(10_000));
    expect(choices).toBeGreaterThan(atFullEffort(50_000));
    expect(withSeveral).toBeGreaterThan(atFullEffort(5000));
    expect(underWay).toBeGreaterThan(atFullEffort(10_000));
    expect(failures).toBeGreaterThan(atFullEffort(20));
  });

  it('has them where links of services change (S5a)', () => {
    const { choices, withSeveral } = compare(netOfChangingLinks, effort(3000));
    expect(choices).toBeGreaterThan(atFullEffort(6000));
    expect(withSeveral).toBeGreaterThan(atFullEffort(1000));
  });
});
