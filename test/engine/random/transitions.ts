import type { Expression } from '../../../src/net/expression.ts';
import type { Delay, Field, InputArc, OutputArc, Place, TokenCount, Transition } from '../../../src/net/net.ts';
import { SCALARS } from './data.ts';
import { columns } from './places.ts';
import type { Tape } from './tape.ts';
import { binary, num, Terms, type Variable, variable } from './terms.ts';
import { type Traits, withoutFailure } from './traits.ts';

/** Attributes of a transition that a shape fixes; guard, priority, weight, free variables and further arcs are random. */
export interface TransitionShape {
  readonly inputs: readonly InputArc[];
  readonly outputs: readonly OutputArc[];
  /** Variables that are bound by inputs or free. */
  readonly variables: readonly Variable[];
  readonly free?: readonly Field[];
  /** `drawn`: random; immediate, holding or race timing. */
  readonly delay: Delay | 'drawn' | undefined;
  readonly race?: boolean;
  /** Required part of the guard. */
  readonly when?: Expression;
  /** Places to which random inhibitor, reset and read arcs may be added. */
  readonly near: readonly Place[];
}

/** The `k`-th transition of a net. */
export function drawTransition(tape: Tape, traits: Traits, k: number, shape: TransitionShape): Transition {
  const free = shape.free ?? drawFree(tape, traits);
  const variables: Variable[] = [...shape.variables.filter((v) => v.free !== true), ...free];
  const terms = new Terms(tape, traits, variables);
  const more: InputArc[] = [];
  if (traits.inhibit && tape.chance(25)) more.push(test(tape, traits, 'inhibit', tape.pick(shape.near), variables));
  if (traits.reset && tape.chance(25)) more.push(test(tape, traits, 'reset', tape.pick(shape.near), variables));
  const failsInGuard = traits.failure === 'guard';
  const ofGuard: Traits = { ...traits, failure: failsInGuard ? 'RUN003' : undefined };
  const also =
    traits.guards && tape.chance(failsInGuard ? 80 : 35) ? new Terms(tape, ofGuard, variables).guard() : undefined;
  const guard = shape.when === undefined || also === undefined ? (shape.when ?? also) : binary('and', shape.when, also);
  const timed = shape.delay === 'drawn' ? tape.chance(60) : shape.delay !== undefined;
  const delay = !timed ? undefined : shape.delay === 'drawn' ? terms.delay() : shape.delay;
  const race = delay !== undefined && (shape.race === true || (traits.race && tape.chance(50)));
  const counts = traits.speed ? drawCounts(tape, traits, shape.near, variables) : [];
  const counting = new Terms(tape, traits, [...variables, ...counts.map((c) => ({ name: c.name, colour: 'Int' }))]);
  return {
    name: `t${(k * 3) % 5}${k}`,
    inputs: [...shape.inputs, ...more],
    outputs: shape.outputs,
    ...(free.length === 0 ? {} : { free }),
    ...(guard === undefined ? {} : { guard }),
    ...(traits.priority && tape.chance(50) ? { priority: tape.pick([1, 2, -1]) } : {}),
    ...(traits.weight && tape.chance(50) ? { weight: counting.weight() } : {}),
    ...(delay === undefined ? {} : { delay }),
    ...(race ? { timing: 'race' as const } : {}),
    ...(race && tape.chance(45) ? { servers: tape.pick(['single', 2, 1, 3] as const) } : {}),
    ...(race && traits.memory && tape.chance(60) ? { memory: tape.pick(['age', 'resampling', 'age'] as const) } : {}),
    ...(race && traits.speed && tape.chance(70) ? { speed: counting.speed() } : {}),
    ...(counts.length === 0 ? {} : { counts }),
    ...(traits.processes && tape.chance(60) ? { process: terms.process() } : {}),
  };
}

function drawFree(tape: Tape, traits: Traits): Field[] {
  if (!(traits.free && tape.chance(35))) return [];
  const finite = SCALARS.filter((c) => c.kind !== 'integer').map((c) => c.name);
  return Array.from({ length: tape.pick([1, 1, 2]) }, (_, k) => ({ name: `y${1 - k}`, colour: tape.pick(finite) }));
}

function drawCounts(tape: Tape, traits: Traits, near: readonly Place[], variables: readonly Variable[]): TokenCount[] {
  return Array.from({ length: tape.pick([1, 0, 2]) }, (_, k) => {
    const { place, pattern } = test(tape, traits, 'inhibit', tape.pick(near), variables);
    return { name: `n${k}`, place, pattern };
  });
}

/** An inhibitor or reset arc; it binds no variables. */
function test(
  tape: Tape,
  traits: Traits,
  kind: 'inhibit' | 'reset',
  place: Place,
  variables: readonly Variable[],
): InputArc {
  const terms = new Terms(tape, withoutFailure(traits), variables);
  const pattern: Record<string, Expression> = {};
  for (const c of columns(place.fields)) {
    const same = variables.filter((v) => v.colour === c.colour);
    switch (tape.next(5)) {
      case 1:
        pattern[c.name] = terms.constant(c.colour);
        break;
      case 2:
      case 3:
        if (same.length > 0) pattern[c.name] = variable(tape.pick(same).name);
        break;
      case 4:
        pattern[c.name] = terms.into(c.colour);
        break;
      default:
    }
  }
  return { kind, place: place.name, pattern, count: kind === 'inhibit' && traits.counts ? 1 + tape.next(4) : 1 };
}

/** A take or read arc with a random pattern; adds the variables that it binds. */
export function drawInput(
  tape: Tape,
  traits: Traits,
  kind: 'take' | 'read',
  place: Place,
  variables: Variable[],
): InputArc {
  const pattern: Record<string, Expression> = {};
  const bound = variables.filter((v) => v.free !== true);
  const terms = new Terms(tape, withoutFailure(traits), bound);
  for (const c of columns(place.fields)) {
    const same = bound.filter((v) => v.colour === c.colour);
    const free = variables.find((v) => v.free === true && (v.colour === 'Two' || v.colour === 'Three'));
    const choice = tape.next(16);
    if (free !== undefined && (c.colour === 'Three' || c.colour === 'Int') && choice % 4 === 3)
      pattern[c.name] = binary('add', variable(free.name), num(0));
    else if (choice >= 13 && same.length > 0) pattern[c.name] = variable(tape.pick(same).name);
    else if (choice === 12) pattern[c.name] = terms.constant(c.colour);
    else if (choice === 11 && bound.length > 0) pattern[c.name] = terms.into(c.colour);
    else if (choice < 9 || choice >= 13) {
      const name = `x${variables.length}`;
      variables.push({ name, colour: c.colour });
      pattern[c.name] = variable(name);
    }
  }
  const count = traits.counts && tape.chance(35) ? tape.pick([2, 2, 3]) : 1;
  return { kind, place: place.name, pattern, count };
}

/** An output arc with random values. */
export function drawOutput(tape: Tape, traits: Traits, place: Place, variables: readonly Variable[]): OutputArc {
  const terms = new Terms(tape, traits, variables);
  const values = Object.fromEntries(columns(place.fields).map((c) => [c.name, terms.into(c.colour)]));
  return { place: place.name, values, count: terms.count() };
}

/** A transition with random arcs between any places. */
export function drawAny(tape: Tape, traits: Traits, k: number, places: readonly Place[]): Transition {
  const free = drawFree(tape, traits);
  const variables: Variable[] = free.map((f) => ({ ...f, free: true }));
  const inputs: InputArc[] = [];
  const source = traits.race && tape.chance(8);
  if (!source) inputs.push(drawInput(tape, traits, 'take', tape.pick(places), variables));
  for (let n = tape.pick([0, 1, 0, 1, 2]); n > 0; n--)
    inputs.push(drawInput(tape, traits, source || tape.chance(25) ? 'read' : 'take', tape.pick(places), variables));
  const outputs = Array.from({ length: 1 + tape.next(3) }, () =>
    drawOutput(tape, traits, tape.pick(places), variables),
  );
  const delay: TransitionShape['delay'] = source ? binary('add', num(tape.next(2)), num(0.5)) : 'drawn';
  return drawTransition(tape, traits, k, { inputs, outputs, variables, free, delay, race: source, near: places });
}
