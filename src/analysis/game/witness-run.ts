import { listing } from '../../base/listing.ts';
import { fail, InputError, shown } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { coloursOf, valueText } from '../properties/colours.ts';
import { type NamedStep, stepOf } from '../properties/steps.ts';
import { type RunMarking, TokenSteps, totals } from '../properties/token-steps.ts';
import { type Candidate, Candidates, canonical } from './candidates.ts';
import { labelOf, type PlaceMarking } from './game-labels.ts';
import { GameRules } from './rules.ts';
import type { SeenMarking } from './seen-marking.ts';
import { GameTokens } from './tokens.ts';

/** A firing sequence as `verify` writes it. */
export interface WitnessSteps {
  readonly steps: readonly NamedStep[];
  /** Index of the step (from 0) from which the sequence repeats forever. */
  readonly loop?: number;
}

/** Markings followed at once where steps leave open which tokens they take. */
const MAX_PATHS = 256;
/** Passes through a loop that a run follows. */
const MAX_PASSES = 1000;
/** Enabled steps that a refusal lists. */
const MAX_LISTED = 8;

/** A marking on the path, and the one before it. */
interface Path {
  readonly marking: RunMarking;
  readonly before: Path | undefined;
}

/**
 * A firing sequence of a net, step by step. Its steps follow rules S3 to S9 without time and priorities, as in a replay. The
 * enabled steps at a position follow rules E4 to E6, as in a state space. Position 0 is the initial marking, position k the
 * marking after k steps; a sequence with a loop goes on through it.
 *
 * Following takes O(steps × tokens and arcs involved), a marking O(tokens), its enabled steps O(transitions × bindings).
 */
export class WitnessRun {
  readonly #net: Net;
  readonly #rules: GameRules;
  readonly #steps: readonly NamedStep[];
  readonly #loop: number | undefined;
  readonly #moves: TokenSteps;
  readonly #markings: RunMarking[];

  /** @throws InputError GAME004 the first step that the net does not permit, with the steps enabled there */
  constructor(net: Net, { steps, loop }: WitnessSteps) {
    this.#net = net;
    this.#rules = new GameRules(net);
    this.#moves = new TokenSteps(net);
    this.#steps = steps;
    if (loop !== undefined && !(Number.isInteger(loop) && loop >= 0 && loop < steps.length))
      fail('GAME004', `its loop begins at step ${shown(loop)}: expected an index from 0 to ${steps.length - 1}`, {
        part: 'witness',
      });
    this.#loop = loop;
    let paths: Path[] = [{ marking: this.#moves.initial(), before: undefined }];
    steps.forEach((step, k) => {
      const found = this.#after(paths, step);
      if (typeof found === 'string') this.#refuse(found, step, k, paths[0]!.marking);
      paths = found;
    });
    const markings: RunMarking[] = [];
    for (let at: Path | undefined = paths[0]; at !== undefined; at = at.before) markings.push(at.marking);
    this.#markings = markings.reverse();
  }

  /** Number of steps of the sequence, the loop once. */
  get length(): number {
    return this.#steps.length;
  }

  /** The largest position: that of the last step, or of the last pass through the loop that is followed. */
  get last(): number {
    const { length } = this.#steps;
    return this.#loop === undefined ? length : length + MAX_PASSES * (length - this.#loop);
  }

  /** The step that leads to a position, as an index of the sequence; undefined for the initial marking. */
  stepAt(position: number): number | undefined {
    if (position <= 0) return undefined;
    const { length } = this.#steps;
    if (position <= length || this.#loop === undefined) return position - 1;
    return this.#loop + ((position - 1 - this.#loop) % (length - this.#loop));
  }

  /** The tokens of every place at a position, in the order of the net. */
  marking(position: number): PlaceMarking[] {
    const { places } = this.#at(position);
    return this.#net.places.map(({ name }, place) => {
      const columns = this.#rules.columns[place]!;
      const { seen, served } = places.get(place);
      const listed = (runs: typeof seen, inService: boolean): PlaceMarking['tokens'] =>
        runs.flatMap(({ values, count }) => {
          const text = values.map((value, k) => valueText(columns[k], value)).join(', ');
          return Array.from({ length: count }, () => ({ values, text, inService }));
        });
      const tokens = [...listed(seen, false), ...listed(served, true)];
      return { place: name, count: tokens.length, tokens };
    });
  }

  /** Firings in progress at a position, as in `send(x=1, y=2)`. */
  inProgress(position: number): string[] {
    return [...this.#at(position).busy].flatMap(([key, count]) => {
      const [node, ...binding] = JSON.parse(key) as [number, ...[string, number][]];
      const rule = this.#rules.rules[node]!;
      const label = labelOf(rule, (name) => new Map(binding).get(name));
      return Array.from({ length: count }, () => label);
    });
  }

  /** Transitions that can fire or start, firings that can end, and tokens that can be served at a position. */
  enabled(position: number): string[] {
    return this.#enabledIn(this.#at(position));
  }

  /** A position as formulas see it. */
  seen(position: number): SeenMarking {
    const colours = coloursOf(this.#net);
    const { places } = this.#at(position);
    const counts = (place: string): ReturnType<typeof totals> => totals(places.get(colours.places.get(place)!));
    const sum = (found: ReturnType<typeof totals>): number =>
      [...found.values()].reduce((total, { count }) => total + count, 0);
    const firing = this.#enabledIn(this.#at(position), 'names');
    const first = this.#markings[0]!.places;
    return {
      count: (place, colour) =>
        colour === undefined
          ? sum(counts(place))
          : (counts(place).get((colours.values(place, colour) ?? []).join())?.count ?? 0),
      largest: (place) => Math.max(0, ...[...counts(place).values()].map(({ count }) => count)),
      enabled: new Set(firing),
      initially: (place) => sum(totals(first.get(colours.places.get(place)!))),
    };
  }

  /** A step in words, as {@link enabled} writes it. */
  label(step: number): string {
    const { kind, node, binding } = this.#steps[step]!;
    const words = Object.entries(binding).map(([name, value]) => `${name}=${value}`);
    const own = words.length === 0 ? node : `${node}(${words.join(', ')})`;
    return kind === 'fire' || kind === 'start' ? own : `${kind} ${own}`;
  }

  #at(position: number): RunMarking {
    while (this.#markings.length <= position) {
      const index = this.stepAt(this.#markings.length)!;
      const found = this.#after([{ marking: this.#markings.at(-1)!, before: undefined }], this.#steps[index]!);
      if (typeof found === 'string') this.#refuse(found, this.#steps[index]!, index, this.#markings.at(-1)!);
      this.#markings.push(found[0]!.marking);
    }
    return this.#markings[position]!;
  }

  /** The markings after a step, or why it is impossible. */
  #after(paths: readonly Path[], step: NamedStep): Path[] | string {
    let why = '';
    let numbered: ReturnType<typeof stepOf>;
    try {
      numbered = stepOf(this.#net, step, '');
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return error.problems[0]!.message;
    }
    const next: Path[] = [];
    for (const path of paths) {
      const after = this.#moves.after(path.marking, numbered);
      if (typeof after === 'string') why = after;
      else for (const marking of after) next.push({ marking, before: path });
      if (next.length >= MAX_PATHS) break;
    }
    return next.length === 0 ? why : next.slice(0, MAX_PATHS);
  }

  #refuse(why: string, { kind, node }: NamedStep, k: number, marking: RunMarking): never {
    const enabled = this.#enabledIn(marking);
    const listed = listing(enabled, { max: MAX_LISTED, separator: '; ' });
    return fail('GAME004', `is not possible: ${why}. Enabled: ${listed === '' ? 'nothing' : listed}`, {
      part: `step ${k + 1}: ${kind} ${node}`,
    });
  }

  /** @param as labels of all steps, or the names of transitions that can fire or start */
  #enabledIn({ places, busy, reserved }: RunMarking, as: 'labels' | 'names' = 'labels'): string[] {
    const tokens = new GameTokens(this.#rules);
    const counts = this.#net.places.map((_, place) => {
      const { seen, served } = places.get(place);
      for (const { values, count } of seen) for (let n = 0; n < count; n++) tokens.arrive(place, values, 0);
      return served.reduce((sum, { count }) => sum + count, tokens.count(place)) + (reserved.get(place) ?? 0);
    });
    const all = new Candidates(this.#rules, tokens, (place) => counts[place]!).all();
    const candidates = prunedByPriority(all).sort(canonical);
    if (as === 'names') return candidates.map(({ rule }) => rule.transition.name);
    const starts = candidates.map(({ rule, slots }) => labelOf(rule, (_, slot) => slots[slot]));
    const ends = [...busy.keys()].map((key) => {
      const [node, ...binding] = JSON.parse(key) as [number, ...[string, number][]];
      return `end ${labelOf(this.#rules.rules[node]!, (name) => new Map(binding).get(name))}`;
    });
    const serves = this.#net.places.flatMap(({ name, service }, place) => {
      const { served } = places.get(place);
      const next = service?.kind === 'fcfs' && service.servers === 1 ? served.slice(0, 1) : served;
      const columns = this.#rules.columns[place]!;
      return next.map(({ values }) => {
        const words = values.map((value, k) => `${columns[k]!.name}=${valueText(columns[k], value)}`);
        return `serve ${words.length === 0 ? name : `${name}(${words.join(', ')})`}`;
      });
    });
    return [...new Set([...starts, ...ends, ...serves])];
  }
}

/** Candidates that a state space lets start: rules E4 and E5 of docs/semantics.md. */
function prunedByPriority(all: readonly Candidate[]): Candidate[] {
  const first = all.filter(({ rule }) => !rule.isRace);
  if (first.length === 0) return [...all];
  const highest = Math.max(...first.map(({ rule }) => rule.transition.priority ?? 0));
  return first.filter(({ rule }) => (rule.transition.priority ?? 0) === highest);
}
