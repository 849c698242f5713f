import { fail, quote } from '../../../base/problem.ts';
import { isDistribution } from '../../../net/distribution.ts';
import { EvaluationFailure, evaluator, type Surroundings, surroundingsOf } from '../../../net/evaluate.ts';
import type { Expression } from '../../../net/expression.ts';
import type { MaxMinService, Net, Place, ServiceLink, Transition } from '../../../net/net.ts';
import type { GeneralSpace } from '../general/general-space.ts';
import type { Marking } from '../general/marking.ts';
import { failed } from '../general/rule.ts';
import type { Section } from '../general/sections.ts';

/** Relative excess of a link's capacity that is rounding. */
const ROUNDING = 1e-12;

/** A part of a marking whose tokens or firings leave it after a time. */
export interface TimedSection {
  readonly section: Section;
  /** True if only the first token is served at a time. */
  readonly inTurn: boolean;
  /** Seconds from entering (or from being first) to leaving. */
  readonly seconds: (colour: number) => number;
  /** Why the tokens of this marking take longer than alone; undefined if they do not. */
  readonly delayed?: (marking: Marking) => string | undefined;
}

/** True if a net has a delay or a service. */
export function takesTime({ places, transitions }: Net): boolean {
  return places.some((p) => p.service !== undefined) || transitions.some((t) => t.delay !== undefined);
}

/** Why the delays of a net are not constant, if they are not. */
export function whyNotConstant({ places, transitions }: Net): string | undefined {
  for (const { name, delay, timing } of transitions) {
    if (delay === undefined) continue;
    if (isDistribution(delay)) return `transition ${quote(name)} has a random delay`;
    if (timing === 'race') return `transition ${quote(name)} is a race`;
  }
  for (const { name, service } of places) {
    if (service === undefined) continue;
    if (service.kind !== 'max-min') {
      if (isDistribution(service.time)) return `place ${quote(name)} has a random service time`;
    } else if (service.links.some((link) => link.level === true))
      return `the rates of tokens in ${quote(name)} depend on each other`;
    else if (service.links.some(({ profiles }) => profiles !== undefined))
      return `links of ${quote(name)} change over time`;
    else if (service.solver !== undefined) return `the links of ${quote(name)} are solved lazily`;
  }
  return undefined;
}

/** The timed sections of a net with constant delays, in the order of sections. */
export function timedSections(space: GeneralSpace): TimedSection[] {
  const around = surroundingsOf(space.net);
  const firings = space.rules.flatMap((rule): TimedSection[] => {
    const { busy, transition, folded } = rule;
    if (busy === undefined) return [];
    const delay = evaluator(transition.delay as Expression, folded.slotOf, around);
    const seconds = (colour: number): number => {
      const slots = Float64Array.from(busy.colours.row(colour));
      try {
        return checked(delay(slots), transition);
      } catch (e) {
        throw e instanceof EvaluationFailure ? failed(rule, slots, e) : e;
      }
    };
    return [{ section: busy, inTurn: false, seconds: remembered(seconds) }];
  });
  const services = space.scalar.places.flatMap((place, node): TimedSection[] => {
    const section = space.sections.service(node);
    return section === undefined ? [] : [served(place, section, space, around)];
  });
  return [...firings, ...services].sort((a, b) => a.section.number - b.section.number);
}

function served(place: Place, section: Section, space: GeneralSpace, around: Surroundings): TimedSection {
  const service = place.service!;
  const slotOf = new Map(space.sections.columns[section.node]!.map((c, k) => [c.name, k]));
  const value = (e: Expression): ((colour: number) => number) => {
    const evaluate = evaluator(e, slotOf, around);
    return (colour) => {
      try {
        return evaluate(section.colours.row(colour));
      } catch (failure) {
        if (!(failure instanceof EvaluationFailure)) throw failure;
        return fail(failure.code, failure.message, { part: `place ${place.name}` });
      }
    };
  };
  if (service.kind === 'max-min') return shared(place, section, service, value, around);
  const time = value(service.time as Expression);
  const seconds = remembered((colour) => checked(time(colour), place));
  if (service.kind === 'is') return { section, inTurn: false, seconds };
  if (service.kind === 'fcfs' && service.servers === 1) return { section, inTurn: true, seconds };
  const delayed = (marking: Marking): string | undefined =>
    marking.sum(section.number) > service.servers ? `tokens in ${quote(place.name)} outnumber its servers` : undefined;
  return { section, inTurn: false, seconds, delayed };
}

/** Tokens that never exhaust a shared link progress at the rates they have alone. */
function shared(
  place: Place,
  section: Section,
  { links, amount, bound, routes, route }: MaxMinService,
  value: (e: Expression) => (colour: number) => number,
  around: Surroundings,
): TimedSection {
  const table = around.tables.get(routes);
  if (table?.kind !== 'routes') throw new Error(`no routes table ${routes}`);
  const [amountOf, boundOf, routeOf] = [value(amount), value(bound), value(route)];
  const crossed = (colour: number): { readonly link: ServiceLink; readonly coefficient: number }[] => {
    const list = routeOf(colour);
    const from = table.start[list] ?? 0;
    const to = table.start[list + 1] ?? from;
    return Array.from({ length: to - from }, (_, k) => ({
      link: links[table.link[from + k]!]!,
      coefficient: table.coefficient[from + k]!,
    }));
  };
  const rate = (colour: number): number =>
    Math.min(boundOf(colour), ...crossed(colour).map(({ link, coefficient }) => capacityOf(link, 1) / coefficient));
  const seconds = remembered((colour) => checked(amountOf(colour) / rate(colour), place));
  const delayed = ({ start, end, ids, counts }: Marking): string | undefined => {
    const loads = new Map<ServiceLink, { readonly load: number; readonly tokens: number }>();
    for (let run = start[section.number]!; run < end[section.number]!; run++)
      for (const { link, coefficient } of crossed(ids[run]!)) {
        if (link.fatpipe) continue;
        const { load, tokens } = loads.get(link) ?? { load: 0, tokens: 0 };
        const added = counts[run]!;
        loads.set(link, { load: load + added * coefficient * rate(ids[run]!), tokens: tokens + added });
      }
    for (const [link, { load, tokens }] of loads)
      if (load > capacityOf(link, tokens) * (1 + ROUNDING))
        return `tokens in ${quote(place.name)} share ${quote(link.name)}`;
    return undefined;
  };
  return links.every((link) => link.fatpipe)
    ? { section, inTurn: false, seconds }
    : { section, inTurn: false, seconds, delayed };
}

/** The capacity of a link while a number of tokens cross it. */
const capacityOf = ({ capacity, byTokens = [] }: ServiceLink, tokens: number): number =>
  byTokens[Math.min(tokens, byTokens.length) - 1] ?? capacity;

/** @throws InputError RUN004 */
function checked(seconds: number, { name }: Place | Transition): number {
  if (seconds >= 0 && seconds < Number.POSITIVE_INFINITY) return seconds;
  return fail('RUN004', `a delay of ${seconds} s`, { part: name });
}

function remembered(of: (colour: number) => number): (colour: number) => number {
  const known: number[] = [];
  return (colour) => {
    const before = known[colour];
    if (before !== undefined) return before;
    const value = of(colour);
    known[colour] = value;
    return value;
  };
}
