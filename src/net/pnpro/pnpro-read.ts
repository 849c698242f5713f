import { InputError, type Place as Position, Problems, quote } from '../../base/problem.ts';
import type { InputArc, Net, OutputArc, Place, Transition } from '../net.ts';
import { Context } from '../pnml/pnml-context.ts';
import type { PnmlInput } from '../pnml/pnml-decode.ts';
import { limitsOf, type PnmlLimits, parseXml } from '../pnml/pnml-xml.ts';
import { validate } from '../validation/validate.ts';
import { type PnproElement, type PnproNetPage, ProjectReader } from './pnpro-document.ts';
import { ADDED, AT_LEAST_ONE, Constants, NOT_NEGATIVE } from './pnpro-expression.ts';
import { timingOf } from './pnpro-transition.ts';

/** A net read from a project of GreatSPN. */
export interface PnproNet {
  readonly net: Net;
  /** Warnings about content that was ignored or interpreted. */
  readonly warnings: readonly string[];
}

/**
 * Reads the net of a project of GreatSPN's editor (`.PNPRO`): a generalised stochastic Petri net without colours, with
 * constants, parameters at their last values, inhibitor arcs, immediate, exponential and deterministic transitions. The
 * project must have one net.
 *
 * Timed transitions are races; rates and times are in 1/s and s. Rates and weights may depend on the marking. All else that carries a meaning and is not understood is refused; drawings, measures
 * and logs are ignored. All problems are reported, not only the first.
 *
 * @throws InputError with file, line and column of every problem; PNML001 to PNML004 for XML; NET040, NET058 for invalid limits
 * @complexity the size of the document, which is limited
 */
export function readPnpro(input: PnmlInput, file = 'net.PNPRO', limits: Partial<PnmlLimits> = {}): PnproNet {
  const all = limitsOf('readPnpro', limits);
  const problems = new Problems(all.problems);
  const ctx = new Context(file, problems, []);
  const reader = new ProjectReader(ctx);
  parseXml(input, file, reader, problems, all);
  const page = reader.net();
  const made = page === undefined ? undefined : new PageNet(ctx, page);
  problems.end();
  const { net, positions } = made!;
  const found = validate(net, positions);
  if (found.length > 0) {
    const start = ctx.place(page!);
    throw new InputError(found.map((p) => ({ ...p, place: { ...start, ...p.place } })));
  }
  return { net, warnings: ctx.warnings };
}

/** The arcs of a transition. */
interface Arcs {
  readonly inputs: InputArc[];
  readonly outputs: OutputArc[];
}

const DIRECTIONS = { INPUT: 'place', INHIBITOR: 'place', OUTPUT: 'transition' } as const;

/** The net of a page, with the positions of its parts. Problems are reported; after one, the net must not be used. */
class PageNet {
  readonly net: Net;
  readonly positions = new Map<object, Position>();
  readonly #ctx: Context;
  readonly #constants: Constants;
  readonly #nodes = new Map<string, 'place' | 'transition' | 'constant'>();
  readonly #arcs = new Map<string, Arcs>();
  readonly #places: Place[];

  constructor(ctx: Context, page: PnproNetPage) {
    this.#ctx = ctx;
    const { places, transitions, constants, templates } = page;
    for (const p of places) this.#declare(p, 'place');
    for (const t of transitions) this.#declare(t, 'transition');
    for (const c of [...constants, ...templates]) this.#declare(c, 'constant');
    this.#constants = new Constants(ctx, constants, templates);
    this.#places = places.map((p) => this.#place(p));
    this.#connect(page.arcs);
    const made = transitions.map((t) => this.#transition(t));
    this.net = { name: page.name || 'net', colours: [], tables: [], places: this.#places, transitions: made };
    this.positions.set(this.net, ctx.place(page));
  }

  #declare(element: PnproElement, kind: 'place' | 'transition' | 'constant'): void {
    const name = element.attributes['name'] ?? '';
    if (name === '') this.#ctx.report('PNPRO003', `a ${kind} has no attribute "name"`, element);
    else if (this.#nodes.has(name))
      this.#ctx.report('PNPRO007', `duplicate name ${quote(name)}: it is that of a ${this.#nodes.get(name)}`, element);
    else this.#nodes.set(name, kind);
  }

  #place(element: PnproElement): Place {
    const { name = '', type = 'DISCRETE', domain = '', marking = '' } = element.attributes;
    const what = `place ${quote(name)}`;
    if (type !== 'DISCRETE')
      this.#ctx.report(
        'PNPRO004',
        `${what} has type=${quote(type)}: only places of discrete tokens are supported`,
        element,
      );
    const coloured = domain !== '';
    if (coloured)
      this.#ctx.report(
        'PNPRO009',
        `${what} has colours, domain=${quote(domain)}: unfold the net in GreatSPN, or export it as PNML`,
        element,
      );
    const count =
      marking === '' || coloured
        ? 0
        : (this.#constants.value(marking, NOT_NEGATIVE, element, `marking of ${what}`) ?? 0);
    return this.#at(element, plainPlace(name, count));
  }

  #transition(element: PnproElement): Transition {
    const { name = '', guard = 'True' } = element.attributes;
    if (!/^\s*(true)?\s*$/i.test(guard))
      this.#ctx.report(
        'PNPRO004',
        `transition ${quote(name)} has guard=${quote(guard)}: guards are not supported`,
        element,
      );
    const isPlace = (other: string): boolean => this.#nodes.get(other) === 'place';
    const timing = timingOf(this.#ctx, this.#constants, element, name, isPlace);
    const { inputs, outputs } = this.#arcs.get(name) ?? { inputs: [], outputs: [] };
    return this.#at(element, { name, inputs, outputs, ...timing });
  }

  #connect(arcs: readonly PnproElement[]): void {
    const known = new Set<string>();
    for (const arc of arcs) {
      const {
        tail,
        head,
        kind = arc.attributes['type'],
        mult = arc.attributes['multiplicity'] ?? '1',
      } = arc.attributes;
      const missing = [['tail', tail] as const, ['head', head] as const, ['kind', kind] as const].find(
        ([, v]) => (v ?? '') === '',
      );
      if (missing !== undefined) {
        this.#ctx.report('PNPRO003', `an arc has no attribute "${missing[0]}"`, arc);
        continue;
      }
      const ends = this.#ends(arc, tail!, head!, kind!);
      if (ends === undefined) continue;
      const what = `the ${kind!.toLowerCase()} arc from ${quote(tail!)} to ${quote(head!)}`;
      const key = JSON.stringify([kind, ends]);
      if (known.has(key)) this.#ctx.report('PNPRO007', `${what} occurs more than once`, arc);
      known.add(key);
      this.#add(arc, kind as keyof typeof DIRECTIONS, ends, mult, `mult of ${what}`);
    }
  }

  #add(
    arc: PnproElement,
    kind: keyof typeof DIRECTIONS,
    { place, transition }: { readonly place: string; readonly transition: string },
    mult: string,
    what: string,
  ): void {
    const range = kind === 'INHIBITOR' ? AT_LEAST_ONE : kind === 'INPUT' ? NOT_NEGATIVE : ADDED;
    const count = this.#constants.value(mult, range, arc, what);
    // An arc that takes or puts no tokens has no effect.
    if (count === undefined || count === 0) return;
    const { inputs, outputs } = this.#arcs.get(transition) ?? { inputs: [], outputs: [] };
    this.#arcs.set(transition, { inputs, outputs });
    if (kind === 'OUTPUT') outputs.push({ place, values: {}, count: { op: 'const', value: count } });
    else inputs.push({ kind: kind === 'INPUT' ? 'take' : 'inhibit', place, pattern: {}, count });
  }

  /** The ends of an arc, whose kind determines the direction; undefined if they do not fit, which was reported. */
  #ends(
    arc: PnproElement,
    tail: string,
    head: string,
    kind: string,
  ): { place: string; transition: string } | undefined {
    if (!Object.hasOwn(DIRECTIONS, kind)) {
      const expected = Object.keys(DIRECTIONS).join(', ');
      this.#ctx.report('PNPRO004', `an arc has kind=${quote(kind)}: expected ${expected}`, arc);
      return undefined;
    }
    for (const end of [tail, head]) {
      const found = this.#nodes.get(end);
      if (found === 'place' || found === 'transition') continue;
      const message = `an arc from ${quote(tail)} to ${quote(head)}: ${quote(end)} is no place and no transition.`;
      this.#ctx.report('PNPRO008', `${message}${this.#ctx.near(end, [...this.#nodes.keys()])}`, arc);
      return undefined;
    }
    const from = DIRECTIONS[kind as keyof typeof DIRECTIONS];
    const [first, second] = [this.#nodes.get(tail), this.#nodes.get(head)];
    if (first === second || first !== from) {
      const to = from === 'place' ? 'transition' : 'place';
      const message = `an arc of kind ${kind} from the ${first} ${quote(tail)} to the ${second} ${quote(head)}`;
      this.#ctx.report('PNPRO008', `${message}: expected an arc from a ${from} to a ${to}`, arc);
      return undefined;
    }
    return first === 'place' ? { place: tail, transition: head } : { place: head, transition: tail };
  }

  #at<T extends object>(element: PnproElement, part: T): T {
    this.positions.set(part, this.#ctx.place(element));
    return part;
  }
}

function plainPlace(name: string, count: number): Place {
  return { name, fields: [], order: 'bag', key: [], initial: count === 0 ? [] : [{ values: [], count }] };
}
