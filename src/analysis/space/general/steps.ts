import { fail } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { EvaluationFailure } from '../../../net/unfold/unfold-evaluate.ts';
import { BindingSearch } from './binding-search.ts';
import { Edits } from './edits.ts';
import type { Marking } from './marking.ts';
import type { Rule } from './rule.ts';
import type { Section } from './sections.ts';
import { Tokens } from './tokens.ts';

/** More transitions than this are looked up by the places that are marked; fewer are all tried. */
const MANY = 48;

/** A step that is possible; the object is used again for the next one. */
export interface PossibleStep {
  kind: 'fire' | 'start' | 'end' | 'serve';
  /** Of a service undefined. */
  rule: Rule | undefined;
  /** Of an end the firings that last; of a service what it serves. */
  section: Section | undefined;
  /** Of these the one that goes: the number of a binding, or of a colour. */
  colour: number;
}

/** Finds the steps that are possible in a marking, in a fixed order, and what each of them changes. */
export class Steps {
  readonly marking: Marking;
  readonly edits: Edits;
  readonly #searches: readonly BindingSearch[];
  /** Rules by level, then by number. */
  readonly #order: readonly Rule[];
  /** Positions in that order, by a section without which the rule has no candidate; and those that have none. */
  readonly #keyed: readonly (readonly number[])[];
  readonly #keyless: readonly number[];
  readonly #near: Int32Array;
  readonly #tokens: Tokens;
  readonly #endings: readonly Rule[];
  readonly #services: readonly Section[];
  readonly #step: PossibleStep = { kind: 'fire', rule: undefined, section: undefined, colour: 0 };

  constructor(net: Net, rules: readonly Rule[], marking: Marking) {
    this.marking = marking;
    this.edits = new Edits(marking);
    this.#searches = rules.map((r) => new BindingSearch(r));
    this.#order = [...rules].sort((a, b) => a.level - b.level || a.number - b.number);
    const keyed: number[][] = marking.sections.map(() => []);
    const keyless: number[] = [];
    this.#order.forEach((rule, k) => {
      const lists = rule.arcs.filter((a) => !a.section.fixed).map((a) => keyed[a.section.number]!);
      const least = lists.sort((a, b) => a.length - b.length)[0];
      (least ?? keyless).push(k);
    });
    this.#keyed = keyed;
    this.#keyless = keyless;
    this.#near = new Int32Array(rules.length);
    this.#tokens = new Tokens(net, rules, marking);
    this.#endings = rules.filter((r) => r.busy !== undefined);
    this.#services = marking.sections.filter((s) => s.kind === 'service');
  }

  /** The values of the binding of a firing that starts. */
  slots(rule: Rule): Float64Array {
    return this.#searches[rule.number]!.slots;
  }

  /**
   * Calls `visit` for every step, until it says that it has seen enough: starts and firings at once by transition, then
   * ends, then services.
   *
   * @throws InputError where an expression has no value (RUN…)
   */
  each(visit: (step: PossibleStep) => boolean): boolean {
    return this.#eachStart(visit) || this.#eachEnd(visit) || this.#eachService(visit);
  }

  /** Where others of a higher level can start, candidates are looked at only for failures of their tests (S7). */
  #eachStart(visit: (step: PossibleStep) => boolean): boolean {
    const step = this.#step;
    const many = this.#order.length > MANY;
    const near = many ? this.#collect() : this.#order.length;
    let level = -1;
    let started = Number.POSITIVE_INFINITY;
    for (let k = 0; k < near; k++) {
      const rule = this.#order[many ? this.#near[k]! : k]!;
      level = rule.level;
      const pruned = level > started;
      if ((pruned && !rule.fallible) || !this.#mayBe(rule)) continue;
      const search = this.#searches[rule.number]!;
      const candidate = (): boolean => {
        if (!this.#enabled(rule, search) || pruned) return false;
        started = level;
        step.kind = rule.kind;
        step.rule = rule;
        step.section = undefined;
        return visit(step);
      };
      try {
        if (search.run(this.marking, candidate)) return true;
      } catch (e) {
        throw failed(rule, search.slots, e);
      }
    }
    return false;
  }

  #eachEnd(visit: (step: PossibleStep) => boolean): boolean {
    const { marking } = this;
    const step = this.#step;
    for (const rule of this.#endings) {
      const section = rule.busy!;
      const end = marking.end[section.number]!;
      for (let run = marking.start[section.number]!; run < end; run++) {
        step.kind = 'end';
        step.rule = rule;
        step.section = section;
        step.colour = marking.ids[run]!;
        if (visit(step)) return true;
      }
    }
    return false;
  }

  /** A server that serves in order has only the head of its queue; of others any token may be the next. */
  #eachService(visit: (step: PossibleStep) => boolean): boolean {
    const { marking } = this;
    const step = this.#step;
    for (const section of this.#services) {
      const start = marking.start[section.number]!;
      const end = section.queue === undefined ? marking.end[section.number]! : start + 1;
      if (start === marking.end[section.number]!) continue;
      for (let run = start; run < end; run++) {
        step.kind = 'serve';
        step.rule = undefined;
        step.section = section;
        step.colour = marking.ids[run]!;
        if (visit(step)) return true;
      }
    }
    return false;
  }

  /**
   * Writes what a step changes into the edits. False where it would bring about a colour that no explored marking has, which
   * is then not given a number unless `learn` says so.
   *
   * @throws InputError where an expression has no value (RUN…)
   */
  apply(step: PossibleStep, learn: boolean): boolean {
    const { edits } = this;
    const { rule, section, colour } = step;
    edits.begin();
    if (rule === undefined) {
      edits.take(section!, colour, 1);
      edits.add(this.marking.sections[section!.node]!, colour, 1);
      return true;
    }
    const search = this.#searches[rule.number]!;
    const { slots } = search;
    try {
      if (step.kind === 'end') {
        section!.colours.copy(colour, slots);
        edits.take(section!, colour, 1);
        return this.#tokens.bring(rule, slots, edits, learn);
      }
      this.#take(rule, search);
      if (rule.busy === undefined) return this.#tokens.bring(rule, slots, edits, learn);
      const binding = learn ? rule.busy.colours.add(slots) : rule.busy.colours.find(slots);
      if (binding < 0) return false;
      edits.add(rule.busy, binding, 1);
      return true;
    } catch (e) {
      throw failed(rule, slots, e);
    }
  }

  #take(rule: Rule, search: BindingSearch): void {
    const { edits } = this;
    for (let k = 0; k < rule.arcs.length; k++) {
      const { section, takes, count } = rule.arcs[k]!;
      if (takes) edits.take(section, section.colours.width === 0 ? 0 : search.colours[k]!, count);
    }
    for (const test of rule.resets) {
      test.bind(search.slots);
      edits.reset(test.section, test.matches);
    }
  }

  /** The positions of the rules that marked sections can touch, ascending. */
  #collect(): number {
    const { marked, markedCount } = this.marking;
    const near = this.#near;
    let n = 0;
    for (const k of this.#keyless) near[n++] = k;
    for (let m = 0; m < markedCount; m++) for (const k of this.#keyed[marked[m]!]!) near[n++] = k;
    near.subarray(0, n).sort();
    return n;
  }

  /** Whether the places have what a candidate needs at least. */
  #mayBe(rule: Rule): boolean {
    const { start, end, counts } = this.marking;
    for (let k = 0; k < rule.arcs.length; k++) {
      const { number } = rule.arcs[k]!.section;
      if (start[number] === end[number]) return false;
    }
    if (rule.fallible) return true;
    for (let k = 0; k < rule.plain.length; k++) {
      const { section, needs } = rule.plain[k]!;
      if (counts[start[section.number]!]! < needs) return false;
    }
    return true;
  }

  /** Tokens in a row, inhibitors, capacity (S8): what comes after patterns and guard. */
  #enabled(rule: Rule, search: BindingSearch): boolean {
    if (!this.#inRow(rule, search)) return false;
    for (const test of rule.inhibitors) {
      test.bind(search.slots);
      if (test.inhibits(this.marking)) return false;
    }
    return rule.rooms.length === 0 || this.#tokens.fit(rule, search.slots);
  }

  /** Arcs that take the same visible token add up, arcs that read do not (S3). */
  #inRow(rule: Rule, search: BindingSearch): boolean {
    const { marking } = this;
    const { start, counts } = marking;
    for (const { section, needs } of rule.plain) if (counts[start[section.number]!]! < needs) return false;
    const { arcs } = rule;
    for (let k = 0; k < arcs.length; k++) {
      const { section, takes, count } = arcs[k]!;
      if (section.colours.width === 0 || (count === 1 && arcs.length === 1)) continue;
      const colour = search.colours[k]!;
      let needs = count;
      if (takes)
        for (let other = 0; other < k; other++) {
          const arc = arcs[other]!;
          if (arc.takes && arc.section === section && search.colours[other] === colour) needs += arc.count;
        }
      if (needs > 1 && counts[marking.find(section, colour)]! < needs) return false;
    }
    return true;
  }
}

/** The error of a binding with which an expression has no value. */
function failed(rule: Rule, slots: Float64Array, e: unknown): unknown {
  if (!(e instanceof EvaluationFailure)) return e;
  const binding = rule.names.map((name, k) => `${name} = ${slots[k]}`).join(', ');
  try {
    return fail(e.code, `${binding === '' ? '' : `with ${binding}: `}${e.message}`, {
      part: `transition ${rule.transition.name}`,
    });
  } catch (error) {
    return error;
  }
}
