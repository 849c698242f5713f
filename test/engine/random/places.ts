import { type ColourSet, columnsOf } from '../../../src/net/colour.ts';
import type { Expression } from '../../../src/net/expression.ts';
import type { Field, Place, Service, StationService, Tokens } from '../../../src/net/net.ts';
import { COMPOSITES, LINKS, SCALARS, valuesOf } from './data.ts';
import type { Tape } from './tape.ts';
import { binary, num, Terms, type Variable, variable } from './terms.ts';
import { type Traits, withoutFailure } from './traits.ts';

const COLOURS: ReadonlyMap<string, ColourSet> = new Map([...SCALARS, ...COMPOSITES].map((c) => [c.name, c]));

/** The columns of fields, as variables. */
export function columns(fields: readonly Field[]): Variable[] {
  return columnsOf(fields, COLOURS).map((c) => ({ name: c.name, colour: c.colour.name }));
}

/** Attributes of a place that a shape fixes; the others are random. */
export interface PlaceShape {
  readonly fields?: readonly Field[];
  readonly order?: 'bag' | 'fifo';
  readonly key?: readonly string[];
  /** Exactly these tokens. */
  readonly initial?: readonly Tokens[];
  /** Maximum number of distinct random tokens. */
  readonly tokens?: number;
  readonly service?: Service;
}

/** The `k`-th place of a net; the order of names differs from the order of declaration. */
export function drawPlace(tape: Tape, traits: Traits, k: number, shape: PlaceShape = {}): Place {
  const fields = shape.fields ?? drawFields(tape, traits);
  const all = columns(fields);
  const ranked = traits.priorityQueues && all.length > 0 && tape.chance(50);
  const order = shape.order ?? (ranked ? 'priority' : tape.chance(40) ? 'fifo' : 'bag');
  const key = shape.key ?? (order === 'bag' ? [] : all.filter(() => tape.chance(ranked ? 20 : 50)).map((c) => c.name));
  const initial = shape.initial ?? drawTokens(tape, all, shape.tokens ?? 4);
  const service = shape.service ?? drawService(tape, traits, all);
  const held = initial.reduce((sum, t) => sum + t.count, 0);
  return {
    name: `p${(k * 7) % 5}${k}`,
    fields,
    order,
    key,
    ...(order === 'priority' ? { priority: drawPriority(tape, traits, all) } : {}),
    ...(service === undefined ? {} : { service }),
    ...(traits.capacity && tape.chance(40) ? { capacity: Math.max(1, held) + tape.next(4) } : {}),
    initial,
  };
}

/** Priority of tokens in a queue: mostly a column that is not part of the key. */
function drawPriority(tape: Tape, traits: Traits, all: readonly Variable[]): Expression {
  const number = all.findLast((c) => c.colour !== 'Sort');
  return number === undefined || tape.chance(30)
    ? new Terms(tape, withoutFailure(traits), all).whole()
    : variable(number.name);
}

function drawFields(tape: Tape, traits: Traits): Field[] {
  return Array.from({ length: tape.pick([0, 1, 1, 2]) }, (_, f) => ({
    name: `f${f}`,
    colour: tape.pick(traits.composite && tape.chance(60) ? COMPOSITES : SCALARS).name,
  }));
}

function drawTokens(tape: Tape, all: readonly Variable[], most: number): Tokens[] {
  return Array.from({ length: 1 + tape.next(most) }, () => ({
    values: all.map((c) => tape.pick(valuesOf(c.colour))),
    count: tape.pick([1, 1, 2, 3]),
  }));
}

function drawService(tape: Tape, traits: Traits, all: readonly Variable[]): Service | undefined {
  if (traits.stations && tape.chance(35)) return drawStation(tape, traits, all);
  const failing = traits.failure === 'RUN006' || traits.failure === 'RUN007';
  if (!(traits.sharing && tape.chance(failing ? 80 : 40))) return undefined;
  const terms = new Terms(tape, traits, all);
  if (!failing && tape.chance(40)) return { kind: 'ps', servers: 1 + tape.next(2), time: terms.delay() };
  const number = all.find((c) => c.colour === 'Two');
  return {
    kind: 'max-min',
    links: LINKS,
    amount: number === undefined ? num(tape.next(4)) : binary('add', variable(number.name), num(tape.next(3))),
    weight: traits.failure === 'RUN006' && tape.chance(80) ? terms.whole() : num(1 + tape.next(3)),
    bound: tape.chance(50) ? num(1 + tape.next(5)) : num(Number.POSITIVE_INFINITY),
    routes: 'routes',
    route:
      traits.failure === 'RUN007' && tape.chance(80)
        ? binary('add', terms.whole(), num(4))
        : number === undefined
          ? num(tape.next(4))
          : variable(number.name),
  };
}

/** A station whose servers serve one token each. */
export function drawStation(tape: Tape, traits: Traits, all: readonly Variable[]): StationService {
  const terms = new Terms(tape, traits, all);
  const time = terms.delay();
  const servers = 1 + tape.next(2);
  switch (tape.next(5)) {
    case 1:
      return { kind: 'lcfs-pr', servers, time };
    case 2:
      return { kind: 'priority', servers, time, priority: terms.whole(), preemptive: false };
    case 3:
      return { kind: 'priority', servers, time, priority: terms.whole(), preemptive: true };
    case 4:
      return { kind: 'is', time };
    default:
      return { kind: 'fcfs', servers, time };
  }
}
