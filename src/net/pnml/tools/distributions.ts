import type { Code } from '../../../base/codes.ts';
import { ownOf } from '../../../base/own.ts';
import { didYouMean, quote } from '../../../base/problem.ts';
import type { Expression } from '../../expression.ts';
import type { Transition } from '../../net.ts';
import type { Context } from '../pnml-context.ts';
import type { At, Element, StochasticPart, TransitionRecord } from '../pnml-document.ts';
import { numberIn } from '../pnml-labels.ts';
import { integer } from '../pnml-terms.ts';
import { constant, MAKERS } from './distribution-makers.ts';

/** The tool-specific part of ProM and pm4py that holds the timing of transitions. */
const STOCHASTIC_TOOL = 'StochasticPetriNet';

export const isStochasticPart = ({ name, attributes }: Pick<Element, 'name' | 'attributes'>): boolean =>
  name === 'toolspecific' && attributes['tool'] === STOCHASTIC_TOOL;

/** Properties by element; false: known and without influence on firings. */
const PROPERTIES: Readonly<Record<'net' | 'transition', Readonly<Record<string, boolean>>>> = {
  net: { executionPolicy: true, timeUnit: true },
  transition: {
    distributionType: true,
    distributionParameters: true,
    priority: true,
    weight: true,
    invisible: false,
    trainingData: false,
    // pm4py repeats its version as an attribute.
    tool: false,
    version: false,
  },
};

/** Keeps the properties of a part in a transition or, without an id, in the net. */
export function keepStochasticPart(
  holder: { stochastic?: StochasticPart; readonly id?: string },
  part: Element,
  report: (code: Code, message: string, at: At) => void,
): void {
  if (holder.stochastic !== undefined)
    report('PNML008', `a second part of tool "${STOCHASTIC_TOOL}": expected one`, part);
  const of = holder.id === undefined ? 'net' : 'transition';
  holder.stochastic = stochasticPart(part, of, (message, at) => report('PNML021', message, at));
}

/** The properties of a part: children with a key (ProM, pm4py) or attributes (Koalas). */
function stochasticPart(
  { attributes, children, line, column }: Element,
  of: 'net' | 'transition',
  unknown: (message: string, at: At) => void,
): StochasticPart {
  const known = { tool: false, version: false, ...PROPERTIES[of] };
  const properties = new Map<string, string>();
  const add = (key: string, value: string, at: At): void => {
    const read = ownOf(known, key);
    if (read === undefined)
      unknown(`the property ${quote(key)} of a stochastic ${of} is unknown.${didYouMean(key, Object.keys(known))}`, at);
    else if (read && properties.has(key)) unknown(`the property ${quote(key)} is given twice`, at);
    else if (read) properties.set(key, value);
  };
  for (const [key, value] of Object.entries(attributes)) if (!key.includes(':')) add(key, value, { line, column });
  for (const child of children)
    if (child.name === 'property') add(child.attributes['key'] ?? '', child.text, child);
    else unknown(`<${child.name}> in <toolspecific tool="${STOCHASTIC_TOOL}">: expected <property key="…">`, child);
  return { properties, line, column };
}

const POLICIES: Readonly<Record<string, NonNullable<Transition['memory']>>> = {
  race_enabling_memory: 'enabling',
  race_age_memory: 'age',
  race_resampling: 'resampling',
};

/** Seconds of a unit of ProM. */
const UNITS: Readonly<Record<string, number>> = {
  unspecified: 1,
  nanoseconds: 1e-9,
  microseconds: 1e-6,
  milliseconds: 1e-3,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
};

type Timing = Pick<Transition, 'delay' | 'timing' | 'servers' | 'memory' | 'priority' | 'weight'>;

/**
 * The transitions with the distributions, weights and priorities of ProM and pm4py: timed transitions are races with one
 * server, immediate ones precede them and are chosen by priority, then weight. Transitions without a part take no time.
 *
 * ProM and pm4py write one format with two meanings; only ProM writes policy and unit of the net, by which it is recognised.
 */
export function withDistributions(
  ctx: Context,
  transitions: readonly Transition[],
  records: readonly TransitionRecord[],
  net: StochasticPart | undefined,
): readonly Transition[] {
  const given = records.filter((r) => r.stochastic !== undefined);
  if (given.length < records.length)
    ctx.warn('transitions without a distribution in a stochastic net take no time, with weight 1');
  const reader = new TimingReader(ctx, net);
  const priorities = records.map((r) => reader.priority(r));
  const timings = records.map((r) => reader.timing(r));
  checkPriorities(ctx, records, timings, priorities);
  const lowest = priorities.reduce(
    (least, own, k) => (timings[k]!.delay === undefined ? Math.min(least, own) : least),
    Number.POSITIVE_INFINITY,
  );
  return transitions.map((t, k) => {
    const { weight, ...timing } = timings[k]!;
    if (timing.delay !== undefined) return { ...t, ...timing };
    return { ...t, priority: 1 + priorities[k]! - lowest, weight: weight ?? constant(1) };
  });
}

/** Timed transitions have no priorities here: those of the document must be equal, and none above an immediate one. */
function checkPriorities(
  ctx: Context,
  records: readonly TransitionRecord[],
  timings: readonly Timing[],
  priorities: readonly number[],
): void {
  const timed = records.flatMap((_, k) => (timings[k]!.delay === undefined ? [] : [k]));
  const [first] = timed;
  if (first === undefined) return;
  const expected = priorities[first]!;
  records.forEach((record, k) => {
    const isTimed = timings[k]!.delay !== undefined;
    if (isTimed ? priorities[k] === expected : priorities[k]! >= expected) return;
    ctx.report(
      'PNML021',
      `the priority ${priorities[k]} of transition ${quote(record.id)}, next to ${expected} of the timed transition ${quote(records[first]!.id)}, is not supported: expected one priority of all timed transitions, and none below it`,
      record.stochastic ?? record,
    );
  });
}

class TimingReader {
  readonly #ctx: Context;
  readonly #prom: boolean;
  readonly #unit: number;
  readonly #memory: NonNullable<Transition['memory']>;

  constructor(ctx: Context, net: StochasticPart | undefined) {
    this.#ctx = ctx;
    this.#prom = net !== undefined;
    this.#unit = this.#choice(net, 'timeUnit', UNITS) ?? 1;
    this.#memory = this.#choice(net, 'executionPolicy', POLICIES) ?? 'enabling';
  }

  /** The priority of the document; those without are immediate ones of priority 1. */
  priority({ id, stochastic }: TransitionRecord): number {
    const text = stochastic?.properties.get('priority');
    if (text === undefined) return isImmediate(stochastic) ? 1 : 0;
    const value = integer(text, 0);
    if (typeof value === 'number') return value;
    this.#ctx.report('PNML007', `the priority of transition ${quote(id)}: ${value.wrong}`, stochastic!);
    return 0;
  }

  timing({ id, stochastic }: TransitionRecord): Timing {
    const weight = this.#weight(id, stochastic);
    if (stochastic === undefined || isImmediate(stochastic)) return { weight };
    const type = stochastic.properties.get('distributionType') ?? '';
    const maker = ownOf(MAKERS, type.toUpperCase());
    if (maker === undefined) {
      this.#ctx.report(
        'PNML021',
        `the distribution ${quote(type)} of transition ${quote(id)} is not supported: expected IMMEDIATE, ${Object.keys(MAKERS).join(', ')}`,
        stochastic,
      );
      return { weight };
    }
    const text = stochastic.properties.get('distributionParameters') ?? '';
    const parameters = text.split(';').map(numberIn);
    const delay = parameters.every(Number.isFinite) ? maker.make(parameters, this.#unit, this.#prom) : undefined;
    if (delay === undefined) {
      const expected = this.#prom ? maker.prom : maker.pm4py;
      const of = `the parameters of the ${type.toLowerCase()} distribution of transition ${quote(id)}`;
      this.#ctx.report('PNML007', `${of}: expected ${expected}, got ${quote(text)}`, stochastic);
    }
    return {
      delay: typeof delay === 'object' ? delay : constant(delay ?? 1),
      timing: 'race',
      servers: 'single',
      ...(this.#memory === 'enabling' ? {} : { memory: this.#memory }),
    };
  }

  #weight(id: string, part: StochasticPart | undefined): Expression {
    const text = part?.properties.get('weight');
    const value = text === undefined ? 1 : numberIn(text);
    if (value > 0 && Number.isFinite(value)) return constant(value);
    const got = `expected a number > 0, got ${quote(text!)}`;
    // The weight of a timed transition is not used in a race: pm4py writes 0 or None where it has none.
    if (isImmediate(part)) this.#ctx.report('PNML007', `the weight of transition ${quote(id)}: ${got}`, part!);
    return constant(1);
  }

  #choice<T>(net: StochasticPart | undefined, key: string, of: Readonly<Record<string, T>>): T | undefined {
    const text = net?.properties.get(key);
    if (text === undefined) return undefined;
    // ProM writes `RACE_AGE_MEMORY` or `race (age memory)`, by version.
    const word = text
      .toLowerCase()
      .replace(/[^a-z]+/g, '_')
      .replace(/^_|_$/g, '');
    const found = ownOf(of, word);
    if (found === undefined)
      this.#ctx.report(
        'PNML021',
        `the property ${quote(key)} of the net, ${quote(text)}, is not supported: expected ${Object.keys(of).join(', ')}`,
        net!,
      );
    return found;
  }
}

const isImmediate = (part: StochasticPart | undefined): boolean =>
  part === undefined || part.properties.get('distributionType')?.toUpperCase() === 'IMMEDIATE';
