import { isDistribution, parametersOf } from '../../net/distribution.ts';
import { type Expression, variablesOf } from '../../net/expression.ts';
import type { Delay, InputArc, Net, OutputArc, Table } from '../../net/net.ts';
import type { LogNumbers } from '../observers.ts';
import type { Names } from './expression.ts';
import { layoutOf, type PlaceLayout } from './layout.ts';
import { type FreeVariable, needsRow, planOf, type TransitionPlan } from './plan.ts';
import { rowsOf, type TableRows } from './table-rows.ts';

export interface EmitOptions {
  /** Transitions whose firings are reported. */
  readonly observed: ReadonlySet<string>;
  /** Transitions whose firings are logged, by which numbers. */
  readonly logged: ReadonlyMap<string, LogNumbers>;
  /** Places whose numbers of tokens are reported. */
  readonly counted: ReadonlySet<string>;
  /** Places whose tokens keep the time at which they came. */
  readonly timed: ReadonlySet<string>;
  /** Ages of tokens are numbered up to this and then anew. */
  readonly lastAge: number;
}

const byName = <T extends { readonly name: string }>(a: T, b: T): number => (a.name < b.name ? -1 : 1);

/** A net on its way to code: places and transitions numbered in the order of their names. */
export class Emission {
  readonly net: Net;
  readonly options: EmitOptions;
  readonly layouts: readonly PlaceLayout[];
  readonly byName: ReadonlyMap<string, PlaceLayout>;
  readonly plans: readonly TransitionPlan[];
  /** Plans that start as soon as they can, and those that race. */
  readonly prompt: readonly TransitionPlan[];
  readonly races: readonly TransitionPlan[];
  /** The places with a service, in the order in which they are numbered. */
  readonly services: readonly PlaceLayout[];
  /** Priorities of prompt transitions, the highest first: each has an agenda of its own. */
  readonly levels: readonly number[];
  readonly context: Names;
  readonly tables: ReadonlyMap<string, Table>;
  readonly tableRows: readonly TableRows[];
  /** Words of an agenda entry: transition, age of its first token, slot and status of every token, free values. */
  readonly stride: number;
  /** Whether agenda entries keep the step since which they are enabled: some may be interrupted without notice. */
  readonly stamped: boolean;
  /** Whether completions that are almost at one time are at one instant (S12). */
  readonly shares: boolean;
  readonly #uses: { plan: TransitionPlan; arc: number }[][];
  readonly #inhibited: { plan: TransitionPlan; inhibitor: number }[][];
  readonly #filled: TransitionPlan[][];
  readonly #racing: TransitionPlan[][];
  readonly #weighted: ReadonlySet<number>;
  readonly #resets: ReadonlySet<string>;
  readonly #lumped: ReadonlySet<TransitionPlan>;
  readonly #trees: readonly boolean[];

  constructor(net: Net, options: EmitOptions) {
    this.net = net;
    this.options = options;
    const midst = leftFromMidst(net);
    this.layouts = [...net.places]
      .sort(byName)
      .map((p, k) => layoutOf(net, p, k, options.timed.has(p.name), midst.has(p.name)));
    this.byName = new Map(this.layouts.map((l) => [l.place.name, l]));
    this.plans = [...net.transitions].sort(byName).map((t, k) => planOf(net, t, k));
    this.#uses = this.layouts.map(() => []);
    this.#inhibited = this.layouts.map(() => []);
    this.#filled = this.layouts.map(() => []);
    this.#racing = this.layouts.map(() => []);
    this.#connect();
    this.prompt = this.plans.filter((p) => !p.race);
    this.races = this.plans.filter((p) => p.race);
    this.services = this.layouts.filter((l) => l.place.service !== undefined);
    this.#weighted = new Set(this.prompt.filter((p) => p.transition.weight !== undefined).map((p) => p.priority));
    this.#resets = new Set(this.plans.flatMap((p) => p.resets.map((a) => a.place)));
    this.levels = [...new Set(this.prompt.map((p) => p.priority))].sort((a, b) => b - a);
    this.#lumped = new Set(this.prompt.filter((p) => this.#isLumped(p)));
    this.#trees = this.levels.map((_, l) => this.#mayHaveTree(l));
    this.tables = new Map(net.tables.map((t) => [t.name, t]));
    const numbers = new Map(net.tables.map((t, k) => [t.name, k]));
    this.tableRows = rowsOf(net.tables);
    const columns = new Map(
      this.tableRows.flatMap((rows) => rows.columns.map(({ table, word }) => [table.name, { rows, word }] as const)),
    );
    const functions = new Map((net.functions ?? []).map((f, k) => [f.name, k]));
    this.context = {
      tables: this.tables,
      tableName: (name) => `K${numbers.get(name)}`,
      columnOf: (name) => columns.get(name),
      functionName: (name) => `call${functions.get(name)}`,
    };
    const words = this.prompt.map((p) => 2 + Math.max(2 * p.arcs.length + p.free.length, this.#passes(p)));
    // A power of two, up to what a line of the cache holds; even, so that doubles of entries are doubles of the array.
    const most = Math.max(2, ...words);
    this.stride = most > 16 ? (most + 1) & ~1 : 2 ** Math.ceil(Math.log2(most));
    this.stamped = this.prompt.some((p) => p.inhibitors.length > 0 || this.boundedOutputs(p).length > 0);
    this.shares = this.services.some((l) => l.place.service!.kind === 'max-min' || l.place.service!.kind === 'ps');
  }

  /**
   * The free variables over which a transition's candidates are listed. They are not where nothing but the outputs and the delay
   * depends on them, so that all candidates with the same tokens stand and fall together, and either the first of
   * them starts anyway or weights are whole constants, so that one entry can stand for all of them, exactly.
   */
  listed(plan: TransitionPlan): readonly FreeVariable[] {
    return this.#lumped.has(plan) ? [] : plan.free;
  }

  #isLumped(plan: TransitionPlan): boolean {
    if (plan.race || plan.free.length === 0) return false;
    if (!this.#hasWholeWeights(plan.priority) || this.choosesForProcess(plan)) return false;
    const held = [
      ...plan.conditions,
      ...plan.transition.inputs.flatMap((a) => (a.kind === 'reset' ? [] : Object.values(a.pattern))),
      ...this.boundedOutputs(plan).flatMap((b) => b.arcs.map((a) => a.count)),
    ];
    const used = new Set<string>();
    for (const x of held) variablesOf(x, used);
    return plan.free.every((v) => !used.has(v.name));
  }

  /** Whether all weights of a priority are whole constants, so that sums of them are exact in any order. */
  #hasWholeWeights(priority: number): boolean {
    return this.prompt.every(({ priority: own, transition: { weight: w } }) => {
      if (own !== priority || w === undefined) return true;
      return w.op === 'const' && Number.isInteger(w.value) && w.value > 0 && w.value <= 2 ** 20;
    });
  }

  /**
   * Whether candidates of a level may be kept in a tree of their weights: these are whole, nothing but the leaving of a
   * token ends a candidate, and of a token of its own each.
   */
  hasTree(level: number): boolean {
    return this.#trees[level]!;
  }

  /** Whether tokens that leave are counted. */
  get countsDeaths(): boolean {
    return this.#trees.includes(true);
  }

  #mayHaveTree(level: number): boolean {
    const priority = this.levels[level]!;
    if (!this.isWeighted(level) || !this.#hasWholeWeights(priority)) return false;
    return this.prompt.every(
      (p) =>
        p.priority !== priority ||
        (p.inhibitors.length === 0 &&
          this.boundedOutputs(p).length === 0 &&
          !this.choosesForProcess(p) &&
          p.arcs.every((_, k) => !needsRow(p, k))),
    );
  }

  /** Whether some transition of a level has a weight. */
  isWeighted(level: number): boolean {
    return this.#weighted.has(this.levels[level]!);
  }

  /** Whether a transition's candidates may be drawn by weight (S10), by a process of its own (S15). */
  choosesForProcess(plan: TransitionPlan): boolean {
    const rivals = plan.race ? this.races : this.prompt.filter((p) => p.priority === plan.priority);
    return plan.transition.process !== undefined && rivals.some((p) => p.transition.weight !== undefined);
  }

  /** Whether a reset arc empties a place. */
  isReset(layout: PlaceLayout): boolean {
    return this.#resets.has(layout.place.name);
  }

  /** Words that a token needs which passes on to this transition alone. */
  #passes(plan: TransitionPlan): number {
    if (plan.arcs.length !== 1) return 0;
    return this.layoutOf(plan.arcs[0]!).wide.reduce((n, wide) => n + (wide ? 2 : 1), 0);
  }

  layoutOf(arc: InputArc | OutputArc): PlaceLayout {
    return this.byName.get(arc.place)!;
  }

  level(plan: TransitionPlan): number {
    return this.levels.indexOf(plan.priority);
  }

  /** The arcs of prompt transitions that take or read from a place. */
  uses(layout: PlaceLayout): readonly { plan: TransitionPlan; arc: number }[] {
    return this.#uses[layout.number]!;
  }

  /** The inhibitor arcs of prompt transitions at a place. */
  inhibitedBy(layout: PlaceLayout): readonly { plan: TransitionPlan; inhibitor: number }[] {
    return this.#inhibited[layout.number]!;
  }

  /** The places with a capacity that a transition brings tokens to, and those arcs. */
  boundedOutputs(plan: TransitionPlan): { layout: PlaceLayout; arcs: OutputArc[] }[] {
    const bounded = new Map<PlaceLayout, OutputArc[]>();
    for (const arc of plan.transition.outputs) {
      const layout = this.layoutOf(arc);
      if (layout.place.capacity !== undefined) bounded.set(layout, [...(bounded.get(layout) ?? []), arc]);
    }
    return [...bounded].map(([layout, arcs]) => ({ layout, arcs }));
  }

  /** The prompt transitions that bring tokens to a place with a capacity. */
  filledBy(layout: PlaceLayout): readonly TransitionPlan[] {
    return this.#filled[layout.number]!;
  }

  /** The races whose clocks depend on the tokens of a place. */
  racesAt(layout: PlaceLayout): readonly TransitionPlan[] {
    return this.#racing[layout.number]!;
  }

  /** What depends on which place: filled once, so that large nets are looked through once. */
  #connect(): void {
    for (const plan of this.plans) {
      const { race } = plan;
      const racing = new Set<PlaceLayout>();
      plan.arcs.forEach((a, arc) => {
        const l = this.layoutOf(a);
        if (race) racing.add(l);
        else this.#uses[l.number]!.push({ plan, arc });
      });
      plan.inhibitors.forEach((a, inhibitor) => {
        const l = this.layoutOf(a);
        if (race) racing.add(l);
        else this.#inhibited[l.number]!.push({ plan, inhibitor });
      });
      for (const l of new Set(plan.transition.outputs.map((a) => this.layoutOf(a)))) {
        if (l.place.capacity === undefined) continue;
        if (race) racing.add(l);
        else this.#filled[l.number]!.push(plan);
      }
      for (const l of racing) this.#racing[l.number]!.push(plan);
    }
  }
}

/** The expressions that a delay is computed from. */
export const delayParts = (d: Delay): readonly Expression[] => (isDistribution(d) ? parametersOf(d) : [d]);

/** Places that are reset, or of which a transition may need more than one token. */
function leftFromMidst(net: Net): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { inputs } of net.transitions) {
    const seen = new Set<string>();
    for (const { kind, place, count } of inputs) {
      if (kind === 'inhibit') continue;
      if (kind === 'reset' || count > 1 || seen.has(place)) found.add(place);
      seen.add(place);
    }
  }
  return found;
}
