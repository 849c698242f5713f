import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../src/analysis/space/explore.ts';
import { InputError } from '../../src/base/problem.ts';
import { steady } from '../../src/commands/steady/steady.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnpro } from '../../src/net/pnpro/pnpro-read.ts';
import { exactFigures, type PlainNet } from '../analysis/markov/exact-chain.ts';
import { type Arcs, stochasticNet } from '../analysis/markov/stochastic-nets.ts';
import { atFullEffort, effort } from '../effort.ts';

const RUNS = effort(300);
const PLACES = ['p0', 'p1', 'p2', 'p3'];
const place = fc.constantFrom(...PLACES);
const whole = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

/** Nets that keep their number of tokens: races with one or many clocks, immediate transitions, inhibitors, several tokens. */
const plainNet: fc.Arbitrary<PlainNet> = fc.record({
  initial: fc
    .array(whole(0, 2), { minLength: PLACES.length, maxLength: PLACES.length })
    .map((tokens): Record<string, number> => Object.fromEntries(PLACES.map((p, k) => [p, tokens[k]!]))),
  transitions: fc
    .array(
      fc
        .record({
          pairs: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 3 }),
          timing: fc.oneof(
            { weight: 2, arbitrary: fc.record({ race: fc.constantFrom(1, 2, 3, 7, 100), single: fc.boolean() }) },
            {
              weight: 1,
              arbitrary: fc.record({ race: fc.constantFrom(1, 3, 10), servers: whole(2, 3) }),
            },
            { weight: 1, arbitrary: fc.record({ weight: whole(1, 5), priority: whole(1, 3) }) },
          ),
          inhibit: fc.option(fc.tuple(place, whole(1, 3)), { nil: undefined, freq: 2 }),
        })
        .map(
          ({ pairs, timing, inhibit }): Arcs => ({
            take: pairs.map(([from]) => from).join(' '),
            put: pairs.map(([, to]) => to).join(' '),
            ...(inhibit === undefined ? {} : { inhibit: Array(inhibit[1]).fill(inhibit[0]).join(' ') }),
            ...timing,
          }),
        ),
      { minLength: 2, maxLength: 6 },
    )
    .map((list) => Object.fromEntries(list.map((t, k) => [`t${k}`, t]))),
});

/** Writes a net as GreatSPN does; `draw` chooses how a number is written and which defaults are omitted. */
function written({ initial, transitions }: PlainNet, draw: () => number): string {
  const declared: string[] = [];
  const constant = (value: number): string => {
    const name = `c${declared.length}`;
    const inner = draw() < 0.3 && declared.length > 0 ? `${value} + 0 * c0` : String(value);
    const last = draw() < 0.3;
    declared.push(
      last
        ? `<template last-binding="${inner}" name="${name}" type="INTEGER" x="1.0" y="2.0"/>`
        : `<constant consttype="${draw() < 0.5 ? 'INTEGER' : 'REAL'}" name="${name}" value="${inner}" x="1" y="2"/>`,
    );
    return name;
  };
  const number = (value: number): string => {
    const forms: (() => string)[] = [
      () => String(value),
      () => `${value}.0`,
      () => constant(value),
      () => `(${constant(value + 1)} - 1)`,
      () => `${constant(2)} * ${value} / 2`,
      () => `-(3 - ${value} - 3)`,
    ];
    return forms[Math.floor(draw() * forms.length)]!();
  };
  const given = (name: string, value: number, standard: number): string =>
    value === standard && draw() < 0.5 ? '' : ` ${name}="${number(value)}"`;
  const places = Object.entries(initial).map(
    ([name, tokens]) => `<place label-y="-1.5"${given('marking', tokens, 0)} name="${name}" x="1.0" y="2.0"/>`,
  );
  const timed = Object.entries(transitions).map(([name, { race, single, servers: many, weight = 1, priority = 1 }]) => {
    const servers =
      many !== undefined
        ? ` nservers="${number(many)}"`
        : single === true
          ? ' nservers="1"'
          : draw() < 0.5
            ? ' nservers="Infinite"'
            : '';
    const own =
      race === undefined
        ? `${given('priority', priority, 1)} type="IMM"${given('weight', weight, 1)}`
        : `${given('delay', race, 1)}${servers} type="EXP"`;
    return `<transition name="${name}"${own} rotation="1.57" x="3.55" y="4.0"/>`;
  });
  const arcs = Object.entries(transitions).flatMap(([name, { take, put, inhibit = '' }]) =>
    (
      [
        ['INPUT', take],
        ['OUTPUT', put],
        ['INHIBITOR', inhibit],
      ] as const
    ).flatMap(([kind, words]) => {
      const counts = new Map<string, number>();
      for (const p of words.split(' ').filter((word) => word !== '')) counts.set(p, (counts.get(p) ?? 0) + 1);
      return [...counts].map(([p, count]) => {
        const [tail, head] = kind === 'OUTPUT' ? [name, p] : [p, name];
        return `<arc head="${head}" kind="${kind}"${given('mult', count, 1)} tail="${tail}"><point x="1" y="2"/></arc>`;
      });
    }),
  );
  const nodes = [...places, ...timed];
  // Constants stand anywhere among the nodes, also after their use.
  for (const c of declared) nodes.splice(Math.floor(draw() * (nodes.length + 1)), 0, c);
  return `<project name="P" version="121">\n<gspn name="random"><nodes>\n${nodes.join('\n')}\n</nodes><edges>\n${arcs.join('\n')}\n</edges></gspn></project>`;
}

/** The net built directly; the default of servers is left out, as the reader does. */
function direct({ initial, transitions }: PlainNet): Net {
  const net = stochasticNet('random', initial, transitions);
  const plain = net.transitions.map(({ servers, ...t }) =>
    servers !== undefined && servers !== 'infinite' ? { ...t, servers } : t,
  );
  return { ...net, transitions: plain };
}

/** The figures, without those that vary; or the problems. */
function figures(net: Net): unknown {
  try {
    const { solver, complete, states, places, transitions, components } = steady(net);
    return { solver, complete, states, places, transitions, components };
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return e.problems.map(({ code, message }) => `${code} ${message}`);
  }
}

describe('random stochastic nets, written and read', () => {
  test('are the net that was written, with its exact figures', { timeout: 60_000 + 1000 * RUNS }, () => {
    let [chains, proved] = [0, 0];
    fc.assert(
      fc.property(
        plainNet,
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (plain, reals) => {
          const text = written(plain, () => reals.next().value as number);
          const { net } = readPnpro(text);
          expect(net).toEqual(direct(plain));
          const [space, other] = [explore(net), explore(direct(plain))];
          expect([space.states, space.edges]).toEqual([other.states, other.edges]);
          const found = figures(net);
          expect(found).toEqual(figures(direct(plain)));
          if (Array.isArray(found)) return;
          chains++;
          const exact = exactFigures(plain, 60);
          if (exact === undefined || exact === 'endless') return;
          proved++;
          const { places, transitions } = found as ReturnType<typeof steady>;
          for (const p of places) expect(p.mean).toBeCloseTo(exact.mean[p.name]!, 9);
          for (const t of transitions) expect(t.throughput).toBeCloseTo(exact.throughput[t.name]!, 9);
        },
      ),
      { numRuns: RUNS },
    );
    expect(chains).toBeGreaterThan(atFullEffort(150));
    expect(proved).toBeGreaterThan(atFullEffort(100));
  });

  test('a damaged project is read or refused with a place, never an error of JavaScript', () => {
    const reals = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const damage = fc.array(
      fc.tuple(fc.nat(), fc.constantFrom('', '"', '<', '/>', '-', '(', '&lt;', '#', '9', 'x', '\u{1f600}')),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    let refused = 0;
    fc.assert(
      fc.property(plainNet, fc.infiniteStream(reals), damage, (plain, stream, places) => {
        let text = written(plain, () => stream.next().value as number);
        for (const [at, put] of places) {
          const k = at % text.length;
          text = text.slice(0, k) + put + text.slice(k + 1);
        }
        try {
          readPnpro(text, 'a.PNPRO');
        } catch (e) {
          if (!(e instanceof InputError)) throw e;
          refused++;
          for (const { place } of e.problems)
            expect(place).toMatchObject({ file: 'a.PNPRO', line: expect.any(Number) });
        }
      }),
      { numRuns: effort(2000) },
    );
    expect(refused).toBeGreaterThan(atFullEffort(1000));
  });
});
