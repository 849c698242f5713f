import { InputError } from '../../../base/problem.ts';
import { type FoldedTransition, foldedTransition } from '../../../net/bindings/folded-transition.ts';
import type { ColourSet } from '../../../net/colour.ts';
import { type EvaluationFailure, type Surroundings, surroundingsOf } from '../../../net/evaluate.ts';
import { type Expression, operands } from '../../../net/expression.ts';
import type { Net, Transition } from '../../../net/net.ts';
import { Output } from './output.ts';
import type { Section, Sections } from './sections.ts';
import { TokenTest } from './token-test.ts';

/** A transition prepared for exploration. */
export interface Rule {
  readonly number: number;
  readonly transition: Transition;
  readonly folded: FoldedTransition;
  /** Names of the slots, made unique. */
  readonly names: readonly string[];
  readonly kind: 'fire' | 'start';
  /** Position of its priority: 0 is the highest; races come last. Enabled rules disable those with a larger position. */
  readonly level: number;
  /** True if a test may fail to evaluate (S7); such rules are evaluated even if others have priority. */
  readonly fallible: boolean;
  /** Arcs that consume or read, in net order. */
  readonly arcs: readonly Arc[];
  /** Minimum number of uncoloured tokens: consumed tokens are added up, read tokens are not. */
  readonly plain: readonly { readonly section: Section; readonly needs: number }[];
  readonly inhibitors: readonly TokenTest[];
  readonly resets: readonly TokenTest[];
  /** Sorted by place name. */
  readonly outputs: readonly Output[];
  /** True if several outputs go to the same queue, so that their order matters (S11). */
  readonly sorts: boolean;
  readonly rooms: readonly Room[];
  /** Section of its timed firings. */
  readonly busy: Section | undefined;
}

/** An arc that consumes or reads tokens. */
export interface Arc {
  readonly section: Section;
  readonly takes: boolean;
  readonly count: number;
}

/** A place with a capacity that a transition fills (S8a). */
export interface Room {
  readonly place: number;
  readonly capacity: number;
  /** Tokens that the transition consumes there. */
  readonly takes: number;
  readonly outputs: readonly Output[];
}

/** Rules for all transitions of a net with scalar columns, in net order; adds sections for timed firings. */
export function rulesOf(net: Net, sections: Sections, around: Surroundings = surroundingsOf(net)): Rule[] {
  const colours = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
  const levels = [...new Set(net.transitions.map(levelOf))].sort((a, b) => b - a);
  return net.transitions.map((transition, number): Rule => {
    const columns = (place: string) => sections.columns[sections.place(place)]!;
    const folded = foldedTransition(transition, columns, colours, around);
    const store = (place: string): Section => sections.store(sections.place(place));
    const arcs = folded.arcs.map(
      ({ arc }): Arc => ({ section: store(arc.place), takes: arc.kind === 'take', count: arc.count }),
    );
    const tests = (kind: 'inhibit' | 'reset'): TokenTest[] =>
      transition.inputs
        .filter((a) => a.kind === kind)
        .map((a) => new TokenTest(a, store(a.place), columns(a.place), folded.slotOf, around));
    const outputs = [...transition.outputs]
      .sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
      .map((a) => new Output(a, sections.place(a.place), sections, folded.slotOf, around));
    const queues = outputs.filter((o) => o.section.queue !== undefined).map((o) => o.section.number);
    const lasts = transition.delay !== undefined && transition.timing !== 'race';
    const rooms = roomsOf(net, arcs, outputs);
    return {
      number,
      transition,
      folded,
      names: uniqueNames(folded),
      kind: lasts ? 'start' : 'fire',
      level: levels.indexOf(levelOf(transition)),
      fallible: isFallible(transition, rooms),
      arcs,
      plain: plainOf(arcs),
      inhibitors: tests('inhibit'),
      resets: tests('reset'),
      outputs,
      sorts: new Set(queues).size < queues.length,
      rooms,
      busy: lasts ? sections.busy(number, transition.name, folded.slots.length) : undefined,
    };
  });
}

/**
 * Priority of a transition. Races come after every start and have no priority among themselves, because the clock of any of
 * them may run out first.
 */
function levelOf(t: Transition): number {
  return t.timing === 'race' ? Number.NEGATIVE_INFINITY : (t.priority ?? 0);
}

function plainOf(arcs: readonly Arc[]): Rule['plain'] {
  const needs = new Map<Section, { takes: number; reads: number }>();
  for (const { section, takes, count } of arcs) {
    if (section.colours.width > 0) continue;
    const n = needs.get(section) ?? { takes: 0, reads: 0 };
    if (takes) n.takes += count;
    else n.reads = Math.max(n.reads, count);
    needs.set(section, n);
  }
  return [...needs].map(([section, n]) => ({ section, needs: Math.max(n.takes, n.reads) }));
}

function roomsOf(net: Net, arcs: readonly Arc[], outputs: readonly Output[]): Room[] {
  const places = [...new Set(outputs.map((o) => o.place))];
  return places.flatMap((place): Room[] => {
    const { capacity } = net.places[place]!;
    if (capacity === undefined) return [];
    const takes = arcs.reduce((sum, a) => sum + (a.takes && a.section.node === place ? a.count : 0), 0);
    return [{ place, capacity, takes, outputs: outputs.filter((o) => o.place === place) }];
  });
}

/** Table look-ups and function calls may fail, and so may computed counts that a capacity depends on. */
function isFallible(t: Transition, rooms: readonly Room[]): boolean {
  const terms = t.inputs.flatMap((a) => Object.values(a.pattern));
  const counts = rooms.flatMap((r) => r.outputs.map((o) => o.arc.count)).filter((e) => e.op !== 'const');
  return counts.length > 0 || [...terms, ...(t.guard === undefined ? [] : [t.guard])].some(mayFail);
}

function mayFail(e: Expression): boolean {
  const open = [e];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.op === 'at' || next.op === 'call') return true;
    open.push(...operands(next));
  }
  return false;
}

/** The names of the slots; an omitted column with the name of a variable gets a `'` appended. */
function uniqueNames(folded: FoldedTransition): string[] {
  const given = new Set<string>();
  return folded.slots.map(({ name }) => {
    let free = name;
    while (given.has(free)) free += "'";
    given.add(free);
    return free;
  });
}

/** The error for a binding for which an expression has no value; names transition, binding and code. */
export function failed(rule: Rule, slots: Float64Array, e: EvaluationFailure): InputError {
  const binding = rule.names.map((name, k) => `${name} = ${slots[k]}`).join(', ');
  const message = `${binding === '' ? '' : `with ${binding}: `}${e.message}`;
  return new InputError([{ code: e.code, message, place: { part: `transition ${rule.transition.name}` } }]);
}
