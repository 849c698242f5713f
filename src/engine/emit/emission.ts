import { isDistribution, parametersOf } from '../../net/distribution.ts';
import { type Expression, variablesOf } from '../../net/expression.ts';
import type { Delay, InputArc, Net, OutputArc, Table } from '../../net/net.ts';
import { countsIn } from '../../net/race-timing.ts';
import type { LogNumbers, Measures } from '../observers.ts';
import { type FreeVariable, needsRow, planOf, type TransitionPlan } from './bindings/plan.ts';
import type { Names, Scope } from './expression.ts';
import { layoutOf, type PlaceLayout } from './layout.ts';
import { rowsOf, type TableRows } from './table-rows.ts';

export interface EmitOptions {
  /** Transitions whose firings are reported to observers. */
  readonly observed: ReadonlySet<string>;
  /** Transitions whose firings are logged, with their numbers in the log. */
  readonly logged: ReadonlyMap<string, LogNumbers>;
  /** Places whose token counts are reported to observers. */
  readonly counted: ReadonlySet<string>;
  /** Those of them whose observers receive the values of the token. */
  readonly coloured?: ReadonlySet<string>;
  /** Places whose tokens keep their arrival time. */
  readonly timed: ReadonlySet<string>;
  /** Figures that the code integrates over time. */
  readonly measures?: Measures | undefined;
  /** Highest age of a token; when it is reached, all tokens are renumbered. */
  readonly lastAge: number;
  /** True if conflicts that ages decide are reported. */
  readonly conflicts?: boolean;
}

const byName = <T extends { readonly name: string }>(a: T, b: T): number => (a.name < b.name ? -1 : 1);

/** A net prepared for code generation: places and transitions are numbered in the order of their names. */
export class Emission {
  readonly net: Net;
  readonly options: EmitOptions;
  readonly layouts: readonly PlaceLayout[];
  readonly byName: ReadonlyMap<string, PlaceLayout>;
  readonly plans: readonly TransitionPlan[];
  /** Transitions that start as soon as they are chosen (S10): immediate and holding ones. */
  readonly prompt: readonly TransitionPlan[];
  readonly races: readonly TransitionPlan[];
  /** The places with a service; the index is the service's number. */
  readonly services: readonly PlaceLayout[];
  /** Priorities of prompt transitions, highest first. Each has a separate agenda; the index is its level. */
  readonly levels: readonly number[];
  readonly context: Names;
  readonly tables: ReadonlyMap<string, Table>;
  readonly tableRows: readonly TableRows[];
  /** Words of an agenda entry: transition, age of its first token, slot and status per token, free values. Always even. */
  readonly stride: number;
  /** True if agenda entries keep the step since which they are enabled: inhibitors or full places may interrupt some unnoticed. */
  readonly stamped: boolean;
  /** True if completions closer than 10⁻¹² (relative) are simultaneous (S12). */
  readonly shares: boolean;
  readonly #uses: { plan: TransitionPlan; arc: number }[][];
  readonly #inhibited: { plan: TransitionPlan; inhibitor: number }[][];
  readonly #filled: TransitionPlan[][];
  readonly #racing: TransitionPlan[][];
  readonly #weighted: ReadonlySet<number>;
  readonly #resets: ReadonlySet<string>;
  readonly #tallied: ReadonlySet<string>;
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
    this.#tallied = new Set(net.transitions.flatMap((t) => (t.counts ?? []).map((c) => c.place)));
    this.levels = [...new Set(this.prompt.map((p) => p.priority))].sort((a, b) => b - a);
    this.#lumped = new Set(this.prompt.filter((p) => this.#isLumped(p)));
    this.#trees = this.levels.map((_, l) => this.#mayHaveTree(l));
    this.tables = new Map(net.tables.map((t) => [t.name, t]));
    const numbers = new Map(net.tables.map((t, k) => [t.name, k]));
    this.tableRows = rowsOf(net.tables);
    const columns = new Map(
      this.tableRows.flatMap((rows) => rows.columns.map((column) => [column.table.name, { rows, column }] as const)),
    );
    const functions = new Map((net.functions ?? []).map((f, k) => [f.name, k]));
    this.context = {
      tables: this.tables,
      tableName: (name) => `K${numbers.get(name)}`,
      columnOf: (name) => columns.get(name),
      functionName: (name) => `call${functions.get(name)}`,
    };
    const words = this.prompt.map((p) => 2 + Math.max(2 * p.arcs.length + p.free.length, this.#passes(p)));
    // A power of two up to a cache line of 16 words; always even, so that the doubles of an entry are aligned.
    const max = Math.max(2, ...words);
    this.stride = max > 16 ? (max + 1) & ~1 : 2 ** Math.ceil(Math.log2(max));
    this.stamped = this.prompt.some((p) => p.inhibitors.length > 0 || this.boundedOutputs(p).length > 0);
    this.shares = this.services.some((l) => l.place.service!.kind === 'max-min' || l.place.service!.kind === 'ps');
  }

  /**
   * The free variables whose values the agenda lists as separate candidates. The list is empty if only outputs and the delay
   * depend on them: then all candidates with the same tokens are enabled and end together, and one entry represents them all.
   * For this to be exact, either no weight is declared, so that the first candidate starts, or all weights are integer constants.
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

  /** True if all declared weights of a priority are integer constants up to 2²⁰, so that their sums are exact in any order. */
  #hasWholeWeights(priority: number): boolean {
    return this.prompt.every(({ priority: own, transition: { weight: w } }) => {
      if (own !== priority || w === undefined) return true;
      return w.op === 'const' && Number.isInteger(w.value) && w.value > 0 && w.value <= 2 ** 20;
    });
  }

  /**
   * True if the candidates of a level may be kept in a tree of their weights: all weights are integer constants, a candidate ends
   * only when one of its tokens leaves, and no candidate needs several tokens of one group.
   */
  hasTree(level: number): boolean {
    return this.#trees[level]!;
  }

  /** True if the code counts tokens that leave or are hidden, as trees of weights require. */
  get countsDeaths(): boolean {
    return this.#trees.includes(true);
  }

  #mayHaveTree(level: number): boolean {
    const priority = this.levels[level]!;
    if (!this.isWeighted(level) || !this.#hasWholeWeights(priority)) return false;
    return this.prompt.every(
      (p) =>
        p.priority !== priority ||
        (p.inhibitors.length === 0 && this.boundedOutputs(p).length === 0 && p.arcs.every((_, k) => !needsRow(p, k))),
    );
  }

  /** True if a transition of the level declares a weight. */
  isWeighted(level: number): boolean {
    return this.#weighted.has(this.levels[level]!);
  }

  /** True if a transition has a process and competes by weight (S10), so that the process chooses again (S15). */
  choosesForProcess(plan: TransitionPlan): boolean {
    const rivals = plan.race ? this.races : this.prompt.filter((p) => p.priority === plan.priority);
    return plan.transition.process !== undefined && rivals.some((p) => p.transition.weight !== undefined);
  }

  /** True if the place has a reset arc. */
  isReset(layout: PlaceLayout): boolean {
    return this.#resets.has(layout.place.name);
  }

  /** True if observers of its number of tokens receive the values of the token. */
  isColoured(layout: PlaceLayout): boolean {
    return this.options.coloured?.has(layout.place.name) === true;
  }

  /** True if a speed or weight counts its tokens. */
  isTallied(layout: PlaceLayout): boolean {
    return this.#tallied.has(layout.place.name);
  }

  /** Words of an agenda entry that a pass-through token to this transition needs; 0 if the transition has several arcs. */
  #passes(plan: TransitionPlan): number {
    if (plan.arcs.length !== 1) return 0;
    return this.layoutOf(plan.arcs[0]!).wide.reduce((n, wide) => n + (wide ? 2 : 1), 0);
  }

  layoutOf(arc: Pick<InputArc, 'place'>): PlaceLayout {
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

  /** The places with a capacity to which a transition has output arcs, with those arcs. */
  boundedOutputs(plan: TransitionPlan): { layout: PlaceLayout; arcs: OutputArc[] }[] {
    const bounded = new Map<PlaceLayout, OutputArc[]>();
    for (const arc of plan.transition.outputs) {
      const layout = this.layoutOf(arc);
      if (layout.place.capacity !== undefined) bounded.set(layout, [...(bounded.get(layout) ?? []), arc]);
    }
    return [...bounded].map(([layout, arcs]) => ({ layout, arcs }));
  }

  /** The prompt transitions with output arcs to a place, if it has a capacity. */
  filledBy(layout: PlaceLayout): readonly TransitionPlan[] {
    return this.#filled[layout.number]!;
  }

  /** The races whose clocks depend on the tokens of a place. */
  racesAt(layout: PlaceLayout): readonly TransitionPlan[] {
    return this.#racing[layout.number]!;
  }

  /** Records what depends on each place, in one pass over the net. */
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
      for (const c of countsIn(plan.transition, plan.transition.speed)) racing.add(this.layoutOf(c));
      for (const l of racing) this.#racing[l.number]!.push(plan);
    }
  }
}

/** The expressions of a delay: the delay, or the parameters of its distribution. */
export const delayParts = (d: Delay): readonly Expression[] => (isDistribution(d) ? parametersOf(d) : [d]);

/** Names of places whose tokens can leave behind the visible one: by a reset, or because a transition may need several tokens. */
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

/** The scope of an expression over the columns of a token with values `f0`, `f1`, …. */
export function tokenScope(e: Emission, layout: PlaceLayout): Scope {
  return {
    ...e.context,
    names: new Map(layout.place.fields.map((f, k) => [f.name, `f${k}`])),
    ranges: new Map(layout.place.fields.map((f, k) => [f.name, layout.ranges[k]!])),
  };
}
