import { surroundingsOf } from '../../../net/evaluate.ts';
import { scalarNet } from '../../../net/expressions.ts';
import type { Net } from '../../../net/net.ts';
import type {
  Classified,
  Firing,
  MarkedTokens,
  MarkingView,
  StateGraph,
  StateSpace,
  Step,
  StepGraph,
  Truncation,
} from '../state-space.ts';
import { Encoder } from './encoder.ts';
import { Marking } from './marking.ts';
import { Maxima } from './maxima.ts';
import { type Permutable, Representative } from './permutable.ts';
import { type Rule, rulesOf } from './rule.ts';
import { type Section, Sections } from './sections.ts';
import { lengthAt, lengthBytes, StateStore } from './state-store.ts';
import { type PossibleStep, Steps } from './steps.ts';

/** States between two calls of `stop`. */
const CHECK_EVERY = 256;
const TARGETS = 1 << 16;

/** States found by an exploration, stored as byte strings and decoded for every query. */
export class GeneralSpace implements StateSpace {
  readonly net: Net;
  readonly order: 'breadth' | 'depth';
  expanded = 0;
  edges = 0;
  complete = false;
  truncation: Truncation | undefined;
  seconds = 0;
  readonly store: StateStore = new StateStore();
  /** The most recently decoded marking. */
  readonly current: Marking;
  readonly steps: Steps;
  readonly encoder: Encoder = new Encoder();
  readonly maxima: Maxima;
  /** First states of the distances begun; `boundary` is the first state of the next distance. */
  readonly begun: number[] = [0];
  boundary = 1;
  /** The net with fields of composite colours split into columns. */
  readonly scalar: Net;
  readonly sections: Sections;
  readonly rules: readonly Rule[];
  readonly #representative: Representative | undefined;

  constructor(
    net: Net,
    order: 'breadth' | 'depth',
    one: ReadonlySet<number> = new Set(),
    permutable: Permutable | undefined = undefined,
  ) {
    this.net = net;
    this.order = order;
    this.scalar = scalarNet(net);
    const around = surroundingsOf(net);
    this.sections = new Sections(this.scalar, around);
    this.rules = rulesOf(this.scalar, this.sections, around);
    this.current = new Marking(this.sections.all);
    this.steps = new Steps(this.scalar, this.rules, this.current, one);
    if (permutable !== undefined) this.#representative = new Representative(this.sections, net.places, permutable);
    this.maxima = new Maxima(net.name, this.current, this.steps.edits);
    this.#initial();
  }

  get states(): number {
    return this.store.states;
  }

  get levels(): readonly number[] {
    if (this.order === 'depth') return [];
    return this.states > this.boundary ? [...this.begun, this.boundary] : [...this.begun];
  }

  get bytes(): number {
    const colours = new Set(this.sections.all.map((s) => s.colours));
    return [...colours].reduce((sum, c) => sum + c.bytes, this.store.bytes);
  }

  get maxTokensPerMarking(): number {
    return this.maxima.tokensPerMarking;
  }

  get maxTokensInPlace(): number {
    return this.maxima.tokensInPlace;
  }

  /** Collects the changes of a step of the decoded marking; false if it leads to a colour that is not known yet. */
  apply(step: PossibleStep, learn: boolean): boolean {
    const isKnown = this.steps.apply(step, learn);
    if (isKnown) this.#representative?.replace(this.steps.edits);
    return isKnown;
  }

  /** Decodes the marking of a state into `current`. */
  open(state: number): void {
    const page = this.store.page(state);
    const at = this.store.at(state);
    const length = lengthAt(page, at);
    this.current.decode(page, at + lengthBytes(length), length);
  }

  tokens(places: readonly number[], from: number, to: number): Float64Array {
    const wanted = new Set(places);
    const sections = this.sections.all.filter((s) => s.kind !== 'busy' && wanted.has(s.node));
    return Float64Array.from({ length: to - from }, (_, k) => {
      this.open(from + k);
      return sections.reduce((sum, s) => sum + this.current.sum(s.number), 0);
    });
  }

  classes(nodes: readonly Classified[], count: number): (from: number, to: number) => Float64Array[] {
    const columnOf = ({ kind, node, by }: Classified): number =>
      kind === 'busy'
        ? this.rules[node]!.names.indexOf(by)
        : this.sections.columns[node]!.findIndex(({ name }) => name === by);
    const wanted = nodes.flatMap((one) => {
      const column = columnOf(one);
      return this.sections.all
        .filter(({ kind, node }) => node === one.node && (kind === 'busy') === (one.kind === 'busy'))
        .map((section) => ({ section, classOf: (id: number) => one.classOf(section.colours.value(id, column)) }));
    });
    const { start, end } = this.current;
    return (from, to) => {
      const rows = Array.from({ length: count }, () => new Float64Array(to - from));
      for (let k = 0; k < to - from; k++) {
        this.open(from + k);
        for (const { section, classOf } of wanted)
          for (let run = start[section.number]!; run < end[section.number]!; run++) {
            const found = classOf(this.current.ids[run]!);
            if (found !== undefined) rows[found]![k]! += this.current.counts[run]!;
          }
      }
      return rows;
    };
  }

  enabled(transitions: readonly number[], from: number, to: number): Uint8Array {
    const wanted = new Set(transitions);
    const isOne = ({ kind, rule }: PossibleStep): boolean =>
      (kind === 'fire' || kind === 'start') && wanted.has(rule!.number);
    return Uint8Array.from({ length: to - from }, (_, k) => {
      this.open(from + k);
      return this.steps.each(isOne) ? 1 : 0;
    });
  }

  neverEnabled(
    transitions: readonly number[],
    from: number,
    to: number,
    within: (state: number) => boolean = () => true,
  ): number[] {
    const left = new Set(transitions);
    const remove = ({ kind, rule }: PossibleStep): boolean => {
      if (kind === 'fire' || kind === 'start') left.delete(rule!.number);
      return left.size === 0;
    };
    for (let state = from; state < to && left.size > 0; state++) {
      if (!within(state)) continue;
      this.open(state);
      this.steps.each(remove);
    }
    return transitions.filter((t) => left.has(t));
  }

  outDegree(from: number, to: number): Int32Array {
    let steps = 0;
    const count = (): boolean => {
      steps++;
      return false;
    };
    return Int32Array.from({ length: to - from }, (_, k) => {
      this.open(from + k);
      steps = 0;
      this.steps.each(count);
      return steps;
    });
  }

  firings(state: number): Firing[] {
    const firings: Firing[] = [];
    this.open(state);
    this.steps.each((step) => {
      firings.push({ ...this.described(step), target: this.#target(step) });
      return false;
    });
    return firings;
  }

  /** A step of the decoded marking with its binding by name. */
  described({ kind, rule, section, colour }: PossibleStep): Step {
    if (rule === undefined) {
      const values = section!.colours.row(colour);
      const columns = this.sections.columns[section!.node]!.map((c, k) => [c.name, values[k]!] as const);
      return { kind, node: section!.node, binding: Object.fromEntries(columns) };
    }
    const slots = kind === 'end' ? section!.colours.row(colour) : this.steps.slots(rule);
    return { kind, node: rule.number, binding: bindingOf(rule, slots) };
  }

  marking(state: number): MarkingView {
    this.open(state);
    return viewOf(this.current, this.rules);
  }

  graph(bytes: number = Number.POSITIVE_INFINITY, stop: () => boolean = () => false): StateGraph | undefined {
    const { states } = this;
    const room = Math.floor((bytes - 8 * (states + 1)) / 4);
    if (this.edges > room) return undefined;
    const start = new Float64Array(states + 1);
    const pages: Uint32Array[] = [];
    let edges = 0;
    const add = (step: PossibleStep): boolean => {
      const target = this.#target(step);
      if (target < 0) return false;
      if (edges >= room) return true;
      if (edges % TARGETS === 0) pages.push(new Uint32Array(TARGETS));
      pages.at(-1)![edges++ % TARGETS] = target;
      return false;
    };
    for (let state = 0; state < states; state++) {
      start[state] = edges;
      if (state % CHECK_EVERY === 0 && stop()) return undefined;
      this.open(state);
      if (this.steps.each(add)) return undefined;
    }
    start[states] = edges;
    return { states, edges, start, target: (edge) => pages[Math.floor(edge / TARGETS)]![edge % TARGETS]! };
  }

  stepGraph(stop?: () => boolean): StepGraph | undefined {
    return stepGraphOf(this, (state) => this.firings(state), stop);
  }

  /** The target state of a step; −1 if not stored. Adds no new colours. */
  #target(step: PossibleStep): number {
    if (!this.apply(step, false)) return -1;
    this.encoder.write(this.current, this.steps.edits);
    return this.store.find(this.encoder.bytes, this.encoder.length);
  }

  /** Stores the initial marking; tokens arrive in the order of their colours (S11). */
  #initial(): void {
    const { edits } = this.steps;
    edits.begin();
    this.scalar.places.forEach((p, node) => {
      const section = this.sections.entry(node);
      const tokens = p.initial.filter((t) => t.count > 0).sort((a, b) => byColour(a.values, b.values));
      for (const { values, count } of tokens) edits.add(section, section.colours.add(values), count);
    });
    this.maxima.update();
    for (const section of this.sections.all) {
      const edit = section.fixed ? edits.get(section.number) : undefined;
      if (edit !== undefined) this.current.fix(section, edit.ids, edit.counts, edit.length);
    }
    this.encoder.write(this.current, edits);
    this.store.add(this.encoder.bytes, this.encoder.length, 1);
  }
}

function byColour(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((value, c) => value !== b[c]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** A marking in readable form. Tokens of a bag, groups of a queue and timed firings are sorted by value. */
function viewOf(marking: Marking, rules: readonly Rule[]): MarkingView {
  const places: { place: number; tokens: MarkedTokens[] }[] = [];
  const byPlace = new Map<number, Section[]>();
  for (const section of marking.sections) {
    if (section.kind !== 'busy' && marking.end[section.number]! > marking.start[section.number]!)
      byPlace.set(section.node, [...(byPlace.get(section.node) ?? []), section]);
  }
  for (const [place, sections] of [...byPlace].sort(([a], [b]) => a - b)) {
    const tokens = sections.flatMap((section) =>
      runsOf(marking, section).map(
        (run): MarkedTokens => ({
          values: section.colours.row(marking.ids[run]!),
          count: marking.counts[run]!,
          where: section.kind === 'service' ? 'service' : 'place',
        }),
      ),
    );
    places.push({ place, tokens });
  }
  const busy = rules.flatMap((rule) =>
    rule.busy === undefined
      ? []
      : runsOf(marking, rule.busy).map((run) => ({
          transition: rule.number,
          binding: bindingOf(rule, rule.busy!.colours.row(marking.ids[run]!)),
          count: marking.counts[run]!,
        })),
  );
  return { places, busy };
}

/** The values of a binding by variable name. */
function bindingOf(rule: Rule, slots: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(rule.names.map((name, k) => [name, slots[k]!]));
}

function runsOf(marking: Marking, section: Section): number[] {
  const { queue, colours } = section;
  const from = marking.start[section.number]!;
  const runs = Array.from({ length: marking.end[section.number]! - from }, (_, k) => from + k);
  const id = (run: number): number => marking.ids[run]!;
  if (queue === undefined) return runs.sort((a, b) => colours.compare(id(a), id(b)));
  return runs.sort((a, b) => queue.compareGroups(id(a), id(b)) || a - b);
}

/** The graph from the firings of every state, whose bindings are compared by value. */
export function stepGraphOf(
  { states, edges }: { readonly states: number; readonly edges: number },
  firings: (state: number) => readonly Firing[],
  stop: () => boolean = () => false,
): StepGraph | undefined {
  const start = new Uint32Array(states + 1);
  const target = new Int32Array(edges);
  const step = new Uint32Array(edges);
  const steps: Step[] = [];
  const numbers = new Map<string, number>();
  let at = 0;
  for (let state = 0; state < states; state++) {
    if (state % CHECK_EVERY === 0 && stop()) return undefined;
    for (const { kind, node, binding, target: to } of firings(state)) {
      const key = `${kind} ${node} ${Object.values(binding).join()}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = steps.length;
        numbers.set(key, number);
        steps.push({ kind, node, binding });
      }
      target[at] = to;
      step[at++] = number;
    }
    start[state + 1] = at;
  }
  return { states, edges: at, start, target, step, steps };
}
