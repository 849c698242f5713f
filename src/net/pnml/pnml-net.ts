import { InputError, type Place as Position, Problems, quote } from '../../base/problem.ts';
import { evaluator } from '../evaluate.ts';
import type { MarkedPlace, Net, Place, Tokens, Transition } from '../net.ts';
import { assumedDelays, withAssumedDelays } from '../untimed.ts';
import { validate } from '../validation/validate.ts';
import { Context } from './pnml-context.ts';
import { Declarations, DOT, setsOf, sortText } from './pnml-declarations.ts';
import type { PnmlInput } from './pnml-decode.ts';
import { conditionOf } from './pnml-difference.ts';
import type { ArcRecord, At, FinalRecord, PipeTiming, PlaceRecord, PnmlDocument } from './pnml-document.ts';
import { numberIn } from './pnml-labels.ts';
import { simplified } from './pnml-multiset.ts';
import { Nodes } from './pnml-nodes.ts';
import { DocumentReader } from './pnml-reader.ts';
import { Terms } from './pnml-terms.ts';
import { type EndedArc, type SortedPlace, transitionOf } from './pnml-transition.ts';
import { PNML_LIMITS, type PnmlLimits, parseXml } from './pnml-xml.ts';
import { withDistributions } from './tools/distributions.ts';
import { isStochastic, type PipeRate, withTiming } from './tools/pipe-timing.ts';
import { type CountedPlace, type RateExpression, rateExpression } from './tools/rate-expression.ts';
import { withSubprocesses } from './tools/subprocesses.ts';

/** A net read from the standard elements, with its document. */
export interface PlainPnml {
  readonly net: Net;
  readonly document: PnmlDocument;
  readonly warnings: string[];
}

/**
 * Reads the standard elements of a document. Nodes are named by their ids, or by their names if foretoken generated the
 * ids.
 *
 * @throws InputError with file, line and column of every problem
 */
export function readPlain(input: PnmlInput, file: string, limits: PnmlLimits = PNML_LIMITS): PlainPnml {
  const problems = new Problems(limits.problems);
  const reader = new DocumentReader(file, problems);
  parseXml(input, file, reader, problems, limits);
  const ctx = new Context(file, problems, reader.warnings);
  const document = withSubprocesses(reader.document(), ctx);
  const net = new NetMaker(ctx, document).net();
  problems.end();
  checked(net, document, ctx);
  return { net, document, warnings: ctx.warnings };
}

/** Validates the net: errors that PNML allows are reported at the node concerned. */
function checked(net: Net, document: PnmlDocument, ctx: Context): void {
  if (validate(net).length === 0) return;
  const positions = new Map<object, Position>([[net, ctx.place(document.at)]]);
  net.places.forEach((p, k) => {
    positions.set(p, ctx.place(document.places[k]!));
  });
  net.transitions.forEach((t, k) => {
    positions.set(t, ctx.place(document.transitions[k]!));
  });
  const start = ctx.place(document.at);
  throw new InputError(validate(net, positions).map((p) => ({ ...p, place: { ...start, ...p.place } })));
}

/** Builds the net, place by place and transition by transition. */
class NetMaker {
  readonly #ctx: Context;
  readonly #document: PnmlDocument;
  readonly #declarations: Declarations;
  readonly #places = new Map<string, SortedPlace>();

  constructor(ctx: Context, document: PnmlDocument) {
    this.#ctx = ctx;
    this.#document = document;
    this.#declarations = new Declarations(ctx, document.declarations);
  }

  net(): Net {
    const { places: placeRecords, transitions: transitionRecords } = this.#document;
    const nodes = new Nodes(this.#ctx, this.#document);
    const places = placeRecords.map((p) => this.#place(p));
    const arcs = this.#arcs(nodes);
    const transitions = transitionRecords.map((t) =>
      transitionOf(this.#ctx, this.#declarations, nameOf(t, this.#document), t, arcs.get(t.id) ?? []),
    );
    const { colours, tables } = this.#declarations;
    const finalMarkings = this.#document.finalMarkings.map((m) => this.#finalMarking(m));
    const net = {
      name: nameOf(this.#document, this.#document) || 'net',
      colours,
      tables,
      places,
      transitions: this.#timed(transitions),
      ...(finalMarkings.length === 0 ? {} : { finalMarkings }),
    };
    // With delays or several priorities, the order of the transitions has a meaning: validation refuses a source.
    const [first] = net.transitions;
    if (net.transitions.some((t) => t.delay !== undefined || t.priority !== first!.priority)) return net;
    const assumed = withAssumedDelays(net);
    const why = assumedDelays(assumed);
    if (why !== undefined) this.#ctx.warn(why);
    return assumed;
  }

  /** The transitions with the timing that other tools write. */
  #timed(transitions: readonly Transition[]): readonly Transition[] {
    const { transitions: records, stochastic: part } = this.#document;
    const stochastic = isStochastic(records);
    const mixed = records.find((r) => r.stochastic !== undefined);
    if (mixed !== undefined && stochastic)
      this.#ctx.report('PNML008', 'the net has the timing of two tools, PIPE and ProM or pm4py: expected one', mixed);
    if (mixed !== undefined) return withDistributions(this.#ctx, transitions, records, part);
    if (!stochastic && records.every((r) => r.timing?.priority === undefined)) return transitions;
    return transitions.map((t, k) => {
      const { timing = {}, id, line, column } = records[k]!;
      return withTiming(t, timing, stochastic, this.#rate(id, timing, { line, column }));
    });
  }

  /** The rate or weight of a transition (PIPE): a parameter, an expression, or a number. */
  #rate(id: string, { parameter, expression: written, rate = 1, timed }: PipeTiming, at: At): PipeRate {
    const { parameters } = this.#document;
    const expression = timed === true && written?.part === 'weight' ? undefined : written;
    if (parameter === undefined && expression === undefined) return number(rate);
    const text = parameter === undefined ? expression!.text : parameters.get(parameter);
    if (text === undefined) {
      this.#unknown(parameter!, at);
      return number(rate);
    }
    const part = parameter === undefined ? `<${expression!.part}>` : `the parameter ${quote(parameter)}`;
    const what = `${part} of transition ${quote(id)}`;
    const value = numberIn(text);
    if (value > 0 && Number.isFinite(value)) return number(value);
    const found: RateExpression = Number.isNaN(value)
      ? rateExpression(text, (place) => this.#counted(place))
      : { wrong: 'is no number > 0' };
    if (!('wrong' in found)) {
      if (found.counts.length > 0) return found;
      const constant = evaluator(found.value, new Map(), { tables: new Map(), functions: new Map() })([]);
      if (constant > 0 && Number.isFinite(constant)) return number(constant);
    }
    const wrong = 'wrong' in found ? found.wrong : 'has no value > 0';
    this.#ctx.report('PNML007', `${what}: the expression ${quote(text)} ${wrong}`, expression ?? at);
    return number(rate);
  }

  #counted(id: string): CountedPlace | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const capacity = this.#document.places.find((p) => p.id === id)?.capacity?.value;
    return { name: place.name, capacity: capacity === 0 ? undefined : capacity };
  }

  /** The initial marking in a parameter (PIPE); reports one that is unknown or out of range. */
  #markingParameter({ name, ...at }: At & { readonly name: string }): number | undefined {
    const text = this.#document.parameters.get(name);
    if (text === undefined) {
      this.#unknown(name, at);
      return undefined;
    }
    const value = numberIn(text);
    if (value >= 0 && Number.isInteger(value)) return value;
    this.#ctx.report('PNML007', `the parameter ${quote(name)}: expected an integer >= 0 as its expression`, at);
    return undefined;
  }

  #unknown(parameter: string, at: At): void {
    const near = this.#ctx.near(parameter, [...this.#document.parameters.keys()]);
    this.#ctx.report('PNML010', `unknown parameter ${quote(parameter)}.${near}`, at);
  }

  /** The marked places; empty ones are omitted. */
  #finalMarking(records: readonly FinalRecord[]): MarkedPlace[] {
    return records.flatMap((record): MarkedPlace[] => {
      const place = this.#places.get(record.place);
      if (place === undefined) {
        const near = this.#ctx.near(record.place, [...this.#places.keys()]);
        this.#ctx.report('PNML010', `unknown place ${quote(record.place)} in a final marking.${near}`, record);
        return [];
      }
      return record.count === 0 ? [] : [{ place: place.name, count: record.count }];
    });
  }

  #place(p: PlaceRecord): Place {
    const ctx = this.#ctx;
    const { coloured } = this.#document;
    const { type } = p;
    if (coloured && type === undefined) ctx.report('PNML019', `place ${quote(p.id)} has no <type>`, p);
    const sort = (type === undefined ? undefined : ctx.attempt(() => this.#declarations.sort(type, p.id))) ?? DOT;
    const sets = setsOf(sort);
    const columns = sets.map((_, k) => `c${k + 1}`);
    const name = nameOf(p, this.#document);
    const sorted: SortedPlace = { name, sort, sets, columns };
    if (!this.#places.has(p.id)) this.#places.set(p.id, sorted);
    const { capacity } = p;
    if (capacity !== undefined && capacity.value > 0)
      ctx.warn('<capacity>, which is not part of the standard, is read as the maximum number of tokens of a place');
    return {
      name,
      fields: sets.map((set, k) => ({ name: columns[k]!, colour: set.name })),
      order: 'bag',
      key: [],
      ...(capacity === undefined || capacity.value === 0 ? {} : { capacity: capacity.value }),
      initial: ctx.attempt(() => this.#initial(p, sorted)) ?? [],
    };
  }

  #initial(p: PlaceRecord, { sort, columns }: SortedPlace): Tokens[] {
    const ctx = this.#ctx;
    const { parameter } = p;
    if (parameter !== undefined) {
      const count = this.#markingParameter(parameter);
      return count === undefined || count === 0 ? [] : [{ values: [], count }];
    }
    if (p.tokens !== undefined) {
      if (columns.length > 0)
        ctx.giveUp(
          'PNML005',
          `<initialMarking> is a number, but place ${quote(p.id)} holds ${sortText(sort)}`,
          p.tokens,
        );
      if (p.marking !== undefined) ctx.giveUp('PNML008', 'a place has two initial markings', p.tokens);
      return p.tokens.value === 0 ? [] : [{ values: [], count: p.tokens.value }];
    }
    const { marking } = p;
    if (marking === undefined) return [];
    const terms = new Terms(ctx, this.#declarations, (v) =>
      ctx.giveUp('PNML017', `an initial marking must not have variables, but uses ${quote(v.id)}`, marking),
    );
    const tokens = terms.tokens(marking, sort);
    const { plus } = simplified(tokens);
    const sound = conditionOf(tokens.differences);
    if (sound.op !== 'const' || sound.value === 0)
      ctx.giveUp('PNML017', 'an initial marking subtracts more tokens than it has', marking);
    return plus.map(({ columns: values, count }) => {
      if (!Number.isSafeInteger(count))
        ctx.giveUp(
          'PNML007',
          `${count} tokens of one colour: at most ${Number.MAX_SAFE_INTEGER} are supported`,
          marking,
        );
      return { values: values.map((e) => (e.op === 'const' ? e.value : unfixed(ctx, marking))), count };
    });
  }

  /** The arcs of each transition, in document order. */
  #arcs(nodes: Nodes): Map<string, EndedArc[]> {
    const arcs = new Map<string, EndedArc[]>();
    for (const arc of this.#document.arcs) {
      const ends = nodes.ends(arc);
      if (ends === undefined) continue;
      const place = this.#places.get(ends.place)!;
      if (!ends.takes && arc.kind !== undefined && arc.kind !== 'take') this.#wrongDirection(arc);
      const list = arcs.get(ends.transition);
      if (list === undefined) arcs.set(ends.transition, [{ arc, place, takes: ends.takes }]);
      else list.push({ arc, place, takes: ends.takes });
    }
    return arcs;
  }

  #wrongDirection(arc: ArcRecord): void {
    const message = `an arc of kind "${arc.kind}" goes from a transition to a place: expected an arc from a place`;
    this.#ctx.report('PNML011', message, arc);
  }
}

const number = (value: number): PipeRate => ({ value: { op: 'const', value }, counts: [] });

/** The name of a node in the net: its id, or its name if ids are generated. */
export function nameOf(
  { id, title }: { readonly id: string; readonly title?: string },
  { namedByTitle }: PnmlDocument,
): string {
  return namedByTitle && title !== undefined ? title : id;
}

function unfixed(ctx: Context, at: At): never {
  return ctx.giveUp('PNML017', 'an initial marking has a term without a fixed value', at);
}
