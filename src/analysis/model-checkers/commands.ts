import { fail, InputError, type Problem } from '../../base/problem.ts';
import type { Expression } from '../../net/expression.ts';
import type { Delay, Net, StationService, Transition } from '../../net/net.ts';
import { clocksOf } from '../../net/race-timing.ts';
import { type UnfoldOptions, unfoldWithOrigins } from '../../net/unfold/unfold.ts';
import { assertNet } from '../../net/validation/validate-shape.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import { otherDelays } from '../markov/delays/other-delays.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';
import { exploredBounds } from '../safe/reachable-bounds.ts';
import { all, constant, degree, Identifiers, overVariables, sum, times, variable } from './formulas.ts';

/** An integer variable: tokens of a place, tokens in service, or firings in progress. */
export interface Variable {
  readonly id: string;
  /** The place or transition whose tokens or firings are counted, in the words of the net. */
  readonly what: string;
  readonly initial: number;
  /** Infinity if no bound is known. */
  readonly bound: number;
}

/** A step that is possible where its guard holds; its expressions are over identifiers of variables. */
export interface Command {
  readonly what: string;
  readonly guard: Expression;
  readonly updates: readonly { readonly id: string; readonly value: Expression }[];
}

/** A step after an exponential delay. */
export interface TimedCommand extends Command {
  readonly rate: Expression;
}

/** A step without delay: of those enabled only those of the highest level are possible (docs/semantics.md, S10). */
export interface ImmediateCommand extends Command {
  readonly level: number;
  /** Undefined if the transition declares none. */
  readonly weight: Expression | undefined;
  /** Identifier of the figure of the transition that fires; undefined for the start of a holding firing. */
  readonly fires: string | undefined;
}

/** The mean number of tokens of a place of the given net. */
export interface PlaceFigure {
  readonly id: string;
  readonly what: string;
  readonly tokens: Expression;
}

/** The firings per second of a transition of the given net. */
export interface TransitionFigure {
  readonly id: string;
  readonly what: string;
  /** The commands whose rates add up to it; none if it fires in {@link ImmediateCommand}s, or never. */
  readonly timed: readonly TimedCommand[];
}

/** A stochastic net as guarded commands, the form of the languages of PRISM and JANI. */
export interface Commands {
  readonly name: string;
  readonly variables: readonly Variable[];
  readonly timed: readonly TimedCommand[];
  readonly immediate: readonly ImmediateCommand[];
  readonly places: readonly PlaceFigure[];
  readonly transitions: readonly TransitionFigure[];
}

/**
 * The guarded commands of a net whose delays are exponential or absent, unfolded. Bounds of variables are those of capacities
 * and invariants, else of all markings if they are few.
 *
 * @throws InputError LANG001 for all delays and services that are not exponential, UNF… for nets that cannot be unfolded
 */
export function commandsOf(given: Net, options: Pick<UnfoldOptions, 'limit'>): Commands {
  assertNet(given);
  assertExponential(given);
  const { net, places, transitions } = unfoldWithOrigins(given, options);
  return new Translation(given, net, { places, transitions }).commands();
}

interface Origins {
  readonly places: readonly number[];
  readonly transitions: readonly number[];
}

class Translation {
  readonly #given: Net;
  readonly #net: Net;
  readonly #origins: Origins;
  readonly #petri: Petri;
  readonly #variables: readonly Variable[];
  /** By kind of variable and node. */
  readonly #ids = new Map<string, string>();
  readonly #nodeOf: ReadonlyMap<string, number>;
  /** Identifiers of figures, by place and by transition of the given net. */
  readonly #means: readonly string[];
  readonly #throughputs: readonly string[];

  constructor(given: Net, net: Net, origins: Origins) {
    this.#given = given;
    this.#net = net;
    this.#origins = origins;
    this.#petri = flatten(net, Number.POSITIVE_INFINITY);
    const identifiers = new Identifiers();
    const bounds = knownBounds(this.#petri);
    this.#variables = this.#petri.places.map(({ kind, node, initial }, p): Variable => {
      const { prefix, words } = KINDS[kind];
      const { name } = (kind === 'busy' ? net.transitions : net.places)[node]!;
      const id = identifiers.of(prefix, name);
      this.#ids.set(`${kind} ${node}`, id);
      return { id, what: `${words} ${JSON.stringify(name)}`, initial, bound: bounds[p]! };
    });
    this.#nodeOf = new Map(net.places.map((p, node) => [p.name, node]));
    this.#means = given.places.map((p) => identifiers.of('mean', p.name));
    this.#throughputs = given.transitions.map((t) => identifiers.of('throughput', t.name));
  }

  commands(): Commands {
    const timed: TimedCommand[] = [];
    const immediate: ImmediateCommand[] = [];
    const firings = this.#given.transitions.map((): TimedCommand[] => []);
    for (const t of this.#petri.transitions) {
      const command = this.#command(t);
      if (t.kind === 'serve') {
        timed.push({ ...command, rate: this.#serviceRate(t.node) });
        continue;
      }
      const own = this.#net.transitions[t.node]!;
      const origin = this.#origins.transitions[t.node]!;
      if (t.kind === 'start' || (t.kind === 'fire' && own.delay === undefined)) {
        const fires = t.kind === 'fire' ? this.#throughputs[origin] : undefined;
        immediate.push({ ...command, level: t.level!, weight: this.#counted(own, own.weight), fires });
        continue;
      }
      const rate = rateOf(own.delay!);
      const rated =
        t.kind === 'end'
          ? { ...command, rate: times(rate, variable(this.#ids.get(`busy ${t.node}`)!)) }
          : this.#race(own, rate, command);
      timed.push(rated);
      firings[origin]!.push(rated);
    }
    return {
      name: this.#given.name,
      variables: this.#variables,
      timed,
      immediate,
      places: this.#placesOf(),
      transitions: this.#given.transitions.map((t, k) => ({
        id: this.#throughputs[k]!,
        what: `transition ${JSON.stringify(t.name)}`,
        timed: firings[k]!,
      })),
    };
  }

  #placesOf(): PlaceFigure[] {
    const parts = this.#given.places.map((): Expression[] => []);
    for (const { kind, node } of this.#petri.places)
      if (kind !== 'busy') parts[this.#origins.places[node]!]?.push(variable(this.#ids.get(`${kind} ${node}`)!));
    return this.#given.places.map((p, k) => ({
      id: this.#means[k]!,
      what: `place ${JSON.stringify(p.name)}`,
      tokens: sum(parts[k]!),
    }));
  }

  #command({ kind, node, needs, limits, change, resets }: PetriTransition): Command {
    const tokens = (p: number): Expression => variable(this.#variables[p]!.id);
    const total = (weighted: readonly Weighted[]): Expression => sum(weighted.map(([p, n]) => times(n, tokens(p))));
    const reset = new Set(resets);
    const changes = new Map<number, number>([...resets.map((p): Weighted => [p, 0]), ...change]);
    const { name } = (kind === 'serve' ? this.#net.places : this.#net.transitions)[node]!;
    return {
      what: `${WORDS[kind]} ${JSON.stringify(name)}`,
      guard: all([
        ...needs.map(([p, n]): Expression => ({ op: 'ge', a: tokens(p), b: constant(n) })),
        ...limits.map(({ sum: own, most }): Expression => ({ op: 'le', a: total(own), b: constant(most) })),
      ]),
      updates: [...changes].map(([p, by]) => ({
        id: this.#variables[p]!.id,
        value: reset.has(p) ? constant(by) : { op: by < 0 ? 'sub' : 'add', a: tokens(p), b: constant(Math.abs(by)) },
      })),
    };
  }

  /** All servers at work have one rate; which tokens they serve makes no difference, as the tokens are equal. */
  #serviceRate(node: number): Expression {
    const service = this.#net.places[node]!.service as StationService;
    const servers = service.kind === 'is' ? Number.POSITIVE_INFINITY : service.servers;
    return times(rateOf(service.time), degree([[variable(this.#ids.get(`service ${node}`)!), 1]], servers));
  }

  #race(own: Transition, rate: number, command: Command): TimedCommand {
    const taken = new Map<string, number>();
    for (const { kind: arc, place, count } of own.inputs)
      if (arc === 'take') taken.set(place, (taken.get(place) ?? 0) + count);
    const clocks = degree(
      [...taken].map(([place, count]) => [this.#tokensOf(place), count]),
      clocksOf(own),
    );
    const speed = this.#counted(own, own.speed);
    if (speed === undefined) return { ...command, rate: times(rate, clocks) };
    const runs: Expression = { op: 'gt', a: speed, b: constant(0) };
    return {
      ...command,
      guard: all([command.guard, runs]),
      rate: times(rate, clocks.op === 'const' ? speed : { op: 'mul', a: speed, b: clocks }),
    };
  }

  /** The tokens of a place; one that can never be marked has no variable. */
  #tokensOf(place: string): Expression {
    const id = this.#ids.get(`place ${this.#nodeOf.get(place)!}`);
    return id === undefined ? constant(0) : variable(id);
  }

  /** A term over counts as one over variables. @throws InputError LANG004 */
  #counted({ name, counts = [] }: Transition, e: Expression | undefined): Expression | undefined {
    if (e === undefined) return undefined;
    const places = new Map(counts.map((c) => [c.name, c.place]));
    return overVariables(e, (count) => this.#tokensOf(places.get(count)!), `transition ${name}`);
  }
}

const KINDS = {
  place: { prefix: 'p', words: 'tokens in place' },
  service: { prefix: 's', words: 'tokens in service in place' },
  busy: { prefix: 'f', words: 'firings in progress of transition' },
} as const;

const WORDS = {
  fire: 'firing of transition',
  start: 'start of transition',
  end: 'end of transition',
  serve: 'service in place',
} as const;

/** Bounds by place: proved, or of all markings if they are few. */
function knownBounds(petri: Petri): readonly number[] {
  const proved = provedBounds(petri);
  return proved.every(Number.isFinite) ? proved : (exploredBounds(petri) ?? proved);
}

/** The rate of an exponential delay of an unfolded net. */
const rateOf = (delay: Delay): number =>
  ((delay as { readonly rate: Expression }).rate as { readonly value: number }).value;

/** @throws InputError LANG001 */
function assertExponential(net: Net): void {
  if (net.untimed === true)
    fail('LANG001', 'the net has no delays: give its transitions exponential delays', { part: `net ${net.name}` });
  const problems = otherDelays(net).map(
    ({ part, kind }): Problem => ({
      code: 'LANG001',
      message: `has ${kind}: a Markov model has exponential delays only. Give it an exponential delay`,
      place: { part },
    }),
  );
  if (problems.length > 0) throw new InputError(problems);
}
