import { EvaluationFailure } from '../../../net/evaluate.ts';
import type { ArcStep, Check, FreeStep, SearchStep, Source } from './binding-plan.ts';
import { PlanNode } from './binding-plan.ts';
import type { Marking } from './marking.ts';
import type { Rule } from './rule.ts';

/** Up to this number of token runs in a place, all are tried, which is faster than an index. */
const FEW = 8;

/** Enumerates the bindings of a transition that match its patterns and guard, over the tokens of a marking. */
export class BindingSearch {
  readonly rule: Rule;
  /** Variable values of the current binding. */
  readonly slots: Float64Array;
  /** By arc: the colour of its current token. */
  readonly colours: Int32Array;
  readonly #root: PlanNode;
  readonly #before: readonly Check[];
  /** By step: the list of runs to try, if an index provided one. Cursor and end are positions in it, else run numbers or values. */
  readonly #lists: Int32Array[] = [];
  readonly #cursor: Float64Array;
  readonly #end: Float64Array;
  readonly #listed: Uint8Array;
  /** By step: the first evaluation failure so far; it counts only if no other test excludes the binding. */
  readonly #failures: (EvaluationFailure | undefined)[];
  readonly #keys: Float64Array[];

  constructor(rule: Rule) {
    const steps = rule.arcs.length + rule.folded.free.length;
    this.rule = rule;
    this.slots = new Float64Array(rule.folded.slots.length);
    this.colours = new Int32Array(rule.arcs.length);
    this.#root = PlanNode.root(rule);
    this.#before = PlanNode.before(rule);
    this.#cursor = new Float64Array(steps);
    this.#end = new Float64Array(steps);
    this.#listed = new Uint8Array(steps);
    this.#failures = new Array<EvaluationFailure | undefined>(steps + 1).fill(undefined);
    this.#keys = Array.from({ length: rule.folded.slots.length + rule.folded.conditions.length + 1 }, () => EMPTY);
  }

  /**
   * Calls `found` for every binding until it returns true; returns whether it did. Iterative.
   *
   * @throws EvaluationFailure if a pattern or the guard has no value for a binding that no other test excludes
   */
  run(marking: Marking, found: () => boolean): boolean {
    const { steps } = this.#root.planFor(marking);
    this.#failures[0] = undefined;
    if (!this.#passes(this.#before, 0)) return false;
    if (steps.length === 0) {
      if (this.#failures[0] !== undefined) throw this.#failures[0];
      return found();
    }
    let k = 0;
    this.#enter(steps[0]!, 0, marking);
    while (k >= 0) {
      if (!this.#next(steps[k]!, k, marking)) k--;
      else if (k + 1 < steps.length) {
        k++;
        this.#enter(steps[k]!, k, marking);
      } else {
        const failure = this.#failures[k + 1];
        if (failure !== undefined) throw failure;
        if (found()) return true;
      }
    }
    return false;
  }

  #enter(step: SearchStep, k: number, marking: Marking): void {
    this.#listed[k] = 0;
    if ('arc' in step) this.#enterArc(step, k, marking);
    else this.#enterFree(step, k);
  }

  #enterArc(step: ArcStep, k: number, marking: Marking): void {
    const { section, exact, index } = step;
    const from = marking.start[section.number]!;
    const to = marking.end[section.number]!;
    this.#cursor[k] = from;
    this.#end[k] = to;
    if (to - from <= FEW) return;
    if (exact !== undefined) {
      const key = this.#key(exact);
      if (key === undefined) return;
      const colour = section.colours.find(key);
      const run = colour < 0 ? -1 : marking.find(section, colour);
      this.#cursor[k] = run;
      this.#end[k] = run < 0 ? run : run + 1;
    } else if (index !== undefined) {
      const key = this.#key(index.key);
      if (key === undefined) return;
      let list = this.#lists[k];
      if (list === undefined || list.length < to - from) {
        list = new Int32Array(2 * (to - from));
        this.#lists[k] = list;
      }
      this.#listed[k] = 1;
      this.#cursor[k] = 0;
      this.#end[k] = index.tokens.find(marking, key, list);
    }
  }

  #enterFree({ low, high, value }: FreeStep, k: number): void {
    this.#cursor[k] = low;
    this.#end[k] = high + 1;
    if (value === undefined) return;
    try {
      const only = value(this.slots);
      const inside = Number.isInteger(only) && only >= low && only <= high;
      this.#cursor[k] = inside ? only : 0;
      this.#end[k] = inside ? only + 1 : 0;
    } catch (e) {
      // The guard check meets the same failure again and decides whether it counts.
      if (!(e instanceof EvaluationFailure)) throw e;
    }
  }

  /** Advances this step to the next matching token or value; false if none is left. */
  #next(step: SearchStep, k: number, marking: Marking): boolean {
    while (this.#cursor[k]! < this.#end[k]!) {
      const at = this.#cursor[k]!++;
      if ('arc' in step) {
        const run = this.#listed[k] === 1 ? this.#lists[k]![at]! : at;
        if (!this.#fits(step, run, marking)) continue;
      } else this.slots[step.slot] = at;
      this.#failures[k + 1] = this.#failures[k];
      if (this.#passes(step.checks, k + 1)) return true;
    }
    return false;
  }

  #fits(step: ArcStep, run: number, marking: Marking): boolean {
    const { section, slots } = step;
    if (!marking.visible(section, run)) return false;
    const colour = marking.ids[run]!;
    const { colours } = section;
    for (let k = 0; k < slots.length; k++) {
      const { column, slot, bound } = slots[k]!;
      const value = colours.value(colour, column);
      if (!bound) this.slots[slot] = value;
      else if (this.slots[slot] !== value) return false;
    }
    this.colours[step.arc] = colour;
    return true;
  }

  /** A failure counts only if nothing excludes the binding (S7), so it is kept until the binding is complete. */
  #passes(checks: readonly Check[], k: number): boolean {
    for (let c = 0; c < checks.length; c++) {
      const { evaluate, column } = checks[c]!;
      try {
        const value = evaluate(this.slots);
        if (column === undefined ? value === 0 : value !== this.#column(column.arc, column.column)) return false;
      } catch (e) {
        if (!(e instanceof EvaluationFailure)) throw e;
        this.#failures[k] ??= e;
      }
    }
    return true;
  }

  #column(arc: number, column: number): number {
    return this.rule.arcs[arc]!.section.colours.value(this.colours[arc]!, column);
  }

  /** Evaluates the sources into a reused row; undefined if one has no value. */
  #key(sources: readonly Source[]): Float64Array | undefined {
    const n = sources.length;
    let row = this.#keys[n];
    if (row === undefined || row.length !== n) {
      row = new Float64Array(n);
      this.#keys[n] = row;
    }
    try {
      for (let k = 0; k < n; k++) {
        const source = sources[k]!;
        row[k] = 'evaluate' in source ? source.evaluate(this.slots) : this.#column(source.arc, source.column);
      }
      return row;
    } catch (e) {
      if (e instanceof EvaluationFailure) return undefined;
      throw e;
    }
  }
}

const EMPTY = new Float64Array(0);
