import { fail, InputError, type Problem } from '../../base/problem.ts';
import type { Expression } from '../../net/expression.ts';
import type { Net, StationService, Transition } from '../../net/net.ts';
import { clocksOf } from '../../net/race-timing.ts';
import { type UnfoldOptions, unfoldWithOrigins } from '../../net/unfold/unfold.ts';
import { assertNet } from '../../net/validation/validate-shape.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import { otherDelays } from '../markov/delays/other-delays.ts';
import { flatten } from '../petri/flatten.ts';
import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';
import { exploredBounds } from '../safe/reachable-bounds.ts';
import { all, constant, degree, Identifiers, overVariables, sum, times, variable } from './formulas.ts';
import type { Command, Commands, ImmediateCommand, PlaceFigure, TimedCommand, Variable } from './guarded-commands.ts';
import { hasWritablePhases, PhasedRace, phasedEnds, rateOf, type Series, seriesOf } from './phases.ts';

/**
 * The guarded commands of a net whose delays are exponential, made of phases, or absent, unfolded. Bounds of variables are those of capacities
 * and invariants, else of all markings if they are few.
 *
 * @throws InputError LANG001 for all delays and services that cannot be written; CTMC003 for parameters of phases out of range; UNF… for nets
 * that cannot be unfolded
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
  /** By place of the Petri net: its variables, one for each phase of firings in progress. */
  readonly #counters: readonly (readonly string[])[];
  /** By transition: the place of the Petri net that counts its firings in progress. */
  readonly #busyOf: ReadonlyMap<number, number>;
  /** Phases of races, by transition. */
  readonly #races = new Map<number, { readonly id: string; readonly series: Series }>();
  /** Phases of delays, by transition. */
  readonly #series: readonly (Series | undefined)[];
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
    this.#series = net.transitions.map((t) => (t.delay === undefined ? undefined : seriesOf(net, t)));
    const counted = this.#petri.places.map(({ kind, node, initial }, p): Variable[] => {
      const { prefix, words } = KINDS[kind];
      const { name } = (kind === 'busy' ? net.transitions : net.places)[node]!;
      const what = `${words} ${JSON.stringify(name)}`;
      const phases = kind === 'busy' ? this.#series[node]!.rates.length : 1;
      if (phases > 1)
        return Array.from({ length: phases }, (_, k) => ({
          id: identifiers.of(prefix, `${name} phase ${k + 1}`),
          what: `${what} in phase ${k + 1}`,
          initial: 0,
          bound: bounds[p]!,
        }));
      const id = identifiers.of(prefix, name);
      this.#ids.set(`${kind} ${node}`, id);
      return [{ id, what, initial, bound: bounds[p]! }];
    });
    this.#busyOf = new Map(
      this.#petri.places.flatMap(({ kind, node }, p) => (kind === 'busy' ? [[node, p] as const] : [])),
    );
    this.#counters = counted.map((own) => own.map(({ id }) => id));
    const phases = net.transitions.flatMap(({ name, timing }, node): Variable[] => {
      const series = this.#series[node];
      if (timing !== 'race' || series === undefined || series.rates.length === 1) return [];
      const id = identifiers.of('h', name);
      this.#races.set(node, { id, series });
      return [{ id, what: `phase of transition ${JSON.stringify(name)}`, initial: 1, bound: series.rates.length }];
    });
    this.#variables = [...counted.flat(), ...phases];
    this.#nodeOf = new Map(net.places.map((p, node) => [p.name, node]));
    this.#means = given.places.map((p) => identifiers.of('mean', p.name));
    this.#throughputs = given.transitions.map((t) => identifiers.of('throughput', t.name));
  }

  commands(): Commands {
    const timed: TimedCommand[] = [];
    const immediate: ImmediateCommand[] = [];
    const firings = this.#given.transitions.map((): TimedCommand[] => []);
    const races: PhasedRace[] = [];
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
      const race = t.kind === 'fire' ? this.#races.get(t.node) : undefined;
      let fired: readonly TimedCommand[];
      if (race !== undefined) {
        const phased = new PhasedRace(race.id, command, race.series);
        races.push(phased);
        fired = phased.firings;
        timed.push(...phased.changes);
      } else if (t.kind === 'end') {
        const counters = this.#counters[this.#busyOf.get(t.node)!]!;
        const { ends, changes } = phasedEnds(this.#series[t.node]!, counters, (k) => this.#command(t, k));
        fired = ends;
        timed.push(...changes);
      } else fired = [this.#race(own, this.#series[t.node]!.rates[0]!, command)];
      timed.push(...fired);
      firings[origin]!.push(...fired);
    }
    const after = <C extends Command>(command: C): C => races.reduce((c, race) => race.reset(c), command);
    return {
      name: this.#given.name,
      variables: this.#variables,
      timed: timed.map(after),
      immediate: immediate.map(after),
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

  /** @param phase of the firing that ends, numbered from 0; one that starts is in phase 0 */
  #command({ kind, node, needs, limits, change, resets }: PetriTransition, phase = 0): Command {
    const own = (p: number): string => this.#counters[p]![this.#counters[p]!.length > 1 ? phase : 0]!;
    const tokens = (p: number): Expression => variable(own(p));
    const total = (weighted: readonly Weighted[]): Expression =>
      sum(weighted.flatMap(([p, n]) => this.#counters[p]!.map((id) => times(n, variable(id)))));
    const reset = new Set(resets);
    const changes = new Map<number, number>([...resets.map((p): Weighted => [p, 0]), ...change]);
    const { name } = (kind === 'serve' ? this.#net.places : this.#net.transitions)[node]!;
    return {
      what: `${WORDS[kind]} ${JSON.stringify(name)}`,
      guard: all([
        ...needs.map(([p, n]): Expression => ({ op: 'ge', a: tokens(p), b: constant(n) })),
        ...limits.map(({ sum: parts, most }): Expression => ({ op: 'le', a: total(parts), b: constant(most) })),
      ]),
      updates: [...changes].map(([p, by]) => ({
        id: own(p),
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

/** @throws InputError LANG001 */
function assertExponential(net: Net): void {
  if (net.untimed === true)
    fail('LANG001', 'the net has no delays: give its transitions exponential delays', { part: `net ${net.name}` });
  const written = new Set(net.transitions.filter(hasWritablePhases).map(({ name }) => `transition ${name}`));
  const problems = otherDelays(net)
    .filter(({ part }) => !written.has(part))
    .map(
      ({ part, kind }): Problem => ({
        code: 'LANG001',
        message: `has ${kind}: written are exponential delays, and delays with phases (Erlang, hyper-exponential, Coxian) of holding firings and of races with a single server, enabling memory and no speed. Give it such a delay, or write the chain (.tra)`,
        place: { part },
      }),
    );
  if (problems.length > 0) throw new InputError(problems);
}
