import type { Expression } from '../../../src/net/expression.ts';
import type { Delay, InputArc, OutputArc, Place, Tokens, Transition } from '../../../src/net/net.ts';
import { LENGTH } from './data.ts';
import { drawPlace, drawStation, type PlaceShape } from './places.ts';
import type { Tape } from './tape.ts';
import { binary, num, Terms, type Variable, variable } from './terms.ts';
import type { Traits } from './traits.ts';
import { drawAny, drawTransition } from './transitions.ts';

/** A net under construction. */
export class Draft {
  readonly tape: Tape;
  readonly traits: Traits;
  readonly places: Place[] = [];
  readonly transitions: Transition[] = [];

  constructor(tape: Tape, traits: Traits) {
    this.tape = tape;
    this.traits = traits;
  }

  place(shape?: PlaceShape): Place {
    const place = drawPlace(this.tape, this.traits, this.places.length, shape);
    this.places.push(place);
    return place;
  }

  /** A transition with the given arcs and other random attributes. */
  transition(
    inputs: readonly InputArc[],
    outputs: readonly OutputArc[],
    variables: readonly Variable[],
    delay: Delay | 'drawn' | undefined,
    more: { readonly race?: boolean; readonly when?: Expression } = {},
  ): void {
    const shape = { inputs, outputs, variables, delay, near: this.places, ...more };
    this.transitions.push(drawTransition(this.tape, this.traits, this.transitions.length, shape));
  }

  any(): void {
    this.transitions.push(drawAny(this.tape, this.traits, this.transitions.length, this.places));
  }

  /** A shared delay for several transitions, which causes ties. */
  delay(): Delay {
    return new Terms(this.tape, this.traits, []).delay();
  }
}

/** Typical net structures; each adds places and transitions. The first is the simplest. */
export const SHAPES: readonly ((d: Draft) => void)[] = [
  soup,
  soup,
  chain,
  ring,
  match,
  program,
  barrier,
  network,
  repair,
];

const take = (place: Place, pattern: Record<string, Expression> = {}, count = 1): InputArc => ({
  kind: 'take',
  place: place.name,
  pattern,
  count,
});

const put = (place: Place, values: Record<string, Expression> = {}, count = 1): OutputArc => ({
  place: place.name,
  values,
  count: num(count),
});

const black = (count: number): Tokens[] => [{ values: [], count }];

/** Arbitrary places with transitions between them. */
function soup(d: Draft): void {
  for (let n = 1 + d.tape.next(4); n > 0; n--) d.place();
  for (let n = 1 + d.tape.next(4); n > 0; n--) d.any();
}

/** Tokens circulate through places with one consumer each; often only the last step takes time. */
function chain(d: Draft): void {
  const n = 2 + d.tape.next(3);
  const fields = [{ name: 'f0', colour: d.tape.pick(['Two', 'Three', 'Int']) }];
  const places = Array.from({ length: n }, (_, k) =>
    d.place({ fields, ...(k === 0 ? {} : { initial: [] }), order: d.tape.pick(['bag', 'fifo']) }),
  );
  const variables = [{ name: 'x0', colour: fields[0]!.colour }];
  for (const [k, place] of places.entries()) {
    const last = k === n - 1;
    const delay = last ? d.delay() : d.tape.pick([undefined, num(0), num(0), num(0.5)]);
    const next = places[last ? 0 : k + 1]!;
    d.transition([take(place, { f0: variable('x0') })], [put(next, { f0: variable('x0') })], variables, delay);
  }
}

/** Tokens at several positions advance with equal delays. */
function ring(d: Draft): void {
  const fields = [
    { name: 'f0', colour: 'Three' },
    { name: 'f1', colour: 'Two' },
  ];
  const at = d.place({ fields, order: 'bag', key: [] });
  const x = variable('x0');
  const onward: Expression = { op: 'if', test: binary('eq', x, num(1)), a: num(-1), b: binary('add', x, num(1)) };
  const variables = [
    { name: 'x0', colour: 'Three' },
    { name: 'x1', colour: 'Two' },
  ];
  d.transition(
    [take(at, { f0: x, f1: variable('x1') })],
    [put(at, { f0: onward, f1: variable('x1') })],
    variables,
    d.delay(),
  );
}

/** Two or three keyed queues whose first tokens of equal key are matched and returned, like sends and receives. */
function match(d: Draft): void {
  const colour = d.tape.pick(['Two', 'Three']);
  const fields = [
    { name: 'f0', colour },
    { name: 'f1', colour: 'Int' },
  ];
  const queues = Array.from({ length: 2 + d.tape.next(2) }, () =>
    d.place({ fields, order: 'fifo', key: ['f0'], tokens: 6 }),
  );
  const met = d.place({ fields, initial: [] });
  const key = variable('x0');
  const variables: Variable[] = [{ name: 'x0', colour }];
  const inputs = queues.map((q, k) => {
    variables.push({ name: `x${k + 1}`, colour: 'Int' });
    return take(q, { f0: key, f1: variable(`x${k + 1}`) });
  });
  d.transition(
    inputs,
    [put(met, { f0: key, f1: variable('x1') })],
    variables,
    d.tape.chance(50) ? d.delay() : undefined,
  );
  const back = variables.slice(0, 2);
  const terms = new Terms(d.tape, d.traits, back);
  const outputs = queues.map((q) => put(q, { f0: terms.into(colour), f1: variable('x1') }));
  d.transition([take(met, { f0: key, f1: variable('x1') })], outputs, back, d.delay());
}

/** Ranks execute a program stored in a table: they send, receive and compute. */
function program(d: Draft): void {
  const rank = { name: 'f0', colour: 'Three' };
  const ranks = [-1, 0, 1].slice(0, 1 + d.tape.next(3)).map((r) => ({ values: [r, 0], count: 1 }));
  const at = d.place({ fields: [rank, { name: 'f1', colour: 'Int' }], order: 'bag', initial: ranks });
  const sent = d.place({ fields: [rank, { name: 'f1', colour: 'Int' }], order: 'fifo', key: ['f0'], tokens: 2 });
  const [x, i] = [variable('x0'), variable('x1')];
  const variables = [
    { name: 'x0', colour: 'Three' },
    { name: 'x1', colour: 'Int' },
  ];
  const onward = put(at, { f0: x, f1: binary('mod', binary('add', i, num(1)), num(LENGTH)) });
  const operation = { op: 'at', table: 'steps', index: i } as const;
  const here = take(at, { f0: x, f1: i });
  const to = new Terms(d.tape, d.traits, variables).into('Three');
  d.transition([here], [onward, put(sent, { f0: to, f1: i })], variables, undefined, {
    when: binary('eq', operation, num(1)),
  });
  const received = [...variables, { name: 'x2', colour: 'Int' }];
  const message = take(sent, { f0: x, f1: variable('x2') });
  d.transition([here, message], [onward], received, d.tape.pick([undefined, num(0)]), {
    when: binary('eq', operation, num(2)),
  });
  const lasts = d.tape.chance(50) ? d.delay() : ({ op: 'at', table: 'times', index: i } as const);
  const computes = binary('or', binary('eq', operation, num(0)), binary('eq', operation, num(3)));
  d.transition([here], [onward], variables, lasts, { when: computes });
}

/** Tokens wait until all have arrived; counts are tokens without data. */
function barrier(d: Draft): void {
  const fields = [{ name: 'f0', colour: 'Three' }];
  const n = 1 + d.tape.next(4);
  const ranks = Array.from({ length: n }, (_, k) => ({ values: [(k % 3) - 1], count: 1 }));
  const computing = d.place({ fields, order: 'bag', key: [], initial: ranks });
  const waiting = d.place({ fields, initial: [] });
  const arrived = d.place({ fields: [], initial: [], order: 'bag' });
  const open = d.place({ fields: [], initial: [], order: 'bag' });
  const pattern = { f0: variable('x0') };
  const variables = [{ name: 'x0', colour: 'Three' }];
  d.transition([take(computing, pattern)], [put(waiting, pattern), put(arrived)], variables, 'drawn');
  d.transition([take(arrived, {}, n)], [put(open, {}, n)], [], d.tape.pick([undefined, num(0), num(1)]));
  d.transition(
    [take(open), take(waiting, pattern)],
    [put(computing, pattern)],
    variables,
    d.tape.pick([undefined, num(0)]),
  );
}

/** A closed network of stations. */
function network(d: Draft): void {
  const fields = [{ name: 'f0', colour: 'Two' }];
  const columns = [{ name: 'f0', colour: 'Two' }];
  const stations = Array.from({ length: 2 + d.tape.next(2) }, () =>
    d.place({ fields, service: drawStation(d.tape, d.traits, columns), tokens: 3 }),
  );
  const variables = [{ name: 'x0', colour: 'Two' }];
  const terms = new Terms(d.tape, d.traits, variables);
  for (const s of stations) {
    const next = d.tape.pick(stations);
    d.transition([take(s, { f0: variable('x0') })], [put(next, { f0: terms.into('Two') })], variables, undefined);
  }
}

/** Machines that fail and are repaired: several racing clocks per place. */
function repair(d: Draft): void {
  const up = d.place({ fields: [], order: 'bag', initial: black(1 + d.tape.next(4)) });
  const down = d.place({ fields: [], order: 'bag', initial: [] });
  const racing = d.tape.chance(70);
  d.transition([take(up)], [put(down)], [], d.delay(), { race: racing });
  d.transition([take(down)], [put(up)], [], d.delay(), { race: racing });
}
