import { fail } from '../../base/problem.ts';
import { assertMembers } from '../../net/members.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { type MarkovChain, markovChain } from '../markov/chain.ts';
import { rateAt } from '../markov/rows.ts';
import { StepRates } from '../markov/step-rates.ts';
import { checkLimits } from '../space/check-limits.ts';
import { explore } from '../space/explore.ts';
import { Identifiers } from './formulas.ts';

/** Default maximum number of states. */
const MAX_STATES = 1_000_000;

/** Limit of {@link netToMarkovFiles}. */
export interface MarkovFilesOptions {
  /** Maximum number of markings and of states. Default: 1,000,000. */
  readonly maxStates?: number;
}

/** A Markov chain in the files that PRISM exports and imports, as texts. */
export interface MarkovFiles {
  /** Rates between different states: `3 4`, then lines `0 1 2.5`, by state and target. */
  readonly tra: string;
  /** Tokens of each place by state: `(p_up,p_down)`, then lines `0:(2,0)`. */
  readonly sta: string;
  /** The initial state, and states that are never left. */
  readonly lab: string;
  /**
   * Rewards per second by state, by name: `mean_PLACE`, tokens of a place, and `throughput_TRANSITION`, firings per second. `3 2`, then
   * lines `0 2` for those that are not 0.
   */
  readonly srew: Readonly<Record<string, string>>;
}

/**
 * Writes the Markov chain of a net in PRISM's files of explicit chains, which PRISM and Storm read: states, rates, labels and rewards.
 * It is the chain that `steady` solves: vanishing markings are eliminated, and delays with phases have a state for each phase.
 *
 * Variables are the tokens of places, of all colours and in service. If several states have equal tokens, the last variable,
 * `variant`, numbers them.
 *
 * @throws InputError CTMC001 … CTMC005 for nets without a finite Markov chain; LANG006 if immediate steps lead from the initial marking to
 * several markings; LANG007 for more states than the limit; NET… for an invalid net
 */
export function netToMarkovFiles(net: Net, options: MarkovFilesOptions = {}): MarkovFiles {
  assertValid(net);
  assertMembers('netToMarkovFiles', 'options', options, ['maxStates']);
  checkLimits(options);
  // Refuses delays before exploring.
  void new StepRates(net);
  const { maxStates = MAX_STATES } = options;
  const space = explore(net, { maxStates });
  const chain = space.complete ? markovChain(space, undefined, { isFull: (states) => states > maxStates }) : undefined;
  if (chain === undefined)
    fail('LANG007', `has more than ${maxStates} states: explicit files are for chains of fewer`, {
      part: `net ${net.name}`,
    });
  const [initial, ...others] = chain.initial.to.keys();
  if (others.length > 0)
    fail(
      'LANG006',
      `begins in ${others.length + 1} states, because its initial marking takes no time and is left by chance: the files have one initial state. Write JANI instead (.jani)`,
      { part: `net ${net.name}` },
    );
  const identifiers = new Identifiers();
  const places = net.places.map((p) => identifiers.of('p', p.name));
  const means = net.places.map((p, k) => [identifiers.of('mean', p.name), rewards(chain.tokens(k))]);
  const rates = net.transitions.map((t, k) => [identifiers.of('throughput', t.name), rewards(chain.throughput(k))]);
  return {
    tra: rateLines(chain),
    sta: stateLines(
      places,
      net.places.map((_, k) => chain.tokens(k)),
      chain.states,
    ),
    lab: labelLines(chain, initial!),
    srew: Object.fromEntries([...means, ...rates]),
  };
}

function rateLines({ states, start, target, rates }: MarkovChain): string {
  const lines = [`${states} ${target.length}`];
  for (let s = 0; s < states; s++) {
    const row: [number, number][] = [];
    for (let e = start[s]!; e < start[s + 1]!; e++) row.push([target[e]!, rateAt(rates, e)]);
    row.sort(([a], [b]) => a - b);
    for (const [to, rate] of row) lines.push(`${s} ${to} ${rate}`);
  }
  return text(lines);
}

function stateLines(places: readonly string[], tokens: readonly Float64Array[], states: number): string {
  const variants = new Map<string, number>();
  const rows: string[] = [];
  const variantOf: number[] = [];
  for (let s = 0; s < states; s++) {
    const row = tokens.map((of) => of[s]!).join(',');
    const variant = variants.get(row) ?? 0;
    variants.set(row, variant + 1);
    rows.push(row);
    variantOf.push(variant);
  }
  const isPlain = variants.size === states && places.length > 0;
  const names = isPlain ? places : [...places, 'variant'];
  const row = (s: number): string =>
    [...(places.length === 0 ? [] : [rows[s]!]), ...(isPlain ? [] : [variantOf[s]!])].join(',');
  return text([`(${names.join(',')})`, ...rows.map((_, s) => `${s}:(${row(s)})`)]);
}

function labelLines(chain: MarkovChain, initial: number): string {
  const ended = chain.ended();
  const lines = ['0="init" 1="deadlock"'];
  for (let s = 0; s < chain.states; s++) {
    const labels = [...(s === initial ? [0] : []), ...(ended[s] === 1 ? [1] : [])];
    if (labels.length > 0) lines.push(`${s}: ${labels.join(' ')}`);
  }
  return text(lines);
}

function rewards(of: Float64Array): string {
  const lines: string[] = [];
  for (const [s, reward] of of.entries()) if (reward !== 0) lines.push(`${s} ${reward}`);
  return text([`${of.length} ${lines.length}`, ...lines]);
}

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
