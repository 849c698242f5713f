import { EvaluationFailure } from '../../../net/evaluate.ts';
import type { Net } from '../../../net/net.ts';
import { Edits } from './edits.ts';
import type { Marking } from './marking.ts';
import type { MarkingSearch } from './marking-search.ts';
import { failed, type Rule } from './rule.ts';
import type { Section } from './sections.ts';
import { Starts } from './starts.ts';
import { Tokens } from './tokens.ts';

/** An enabled step; the object is reused for the next one. */
export interface PossibleStep {
  kind: 'fire' | 'start' | 'end' | 'serve';
  /** Undefined for `serve`. */
  rule: Rule | undefined;
  /** For `end`, the section of timed firings; for `serve`, of tokens in service. */
  section: Section | undefined;
  /** For `end` and `serve`: number of the binding or colour that leaves the section. */
  colour: number;
}

/** Enumerates the enabled steps of a marking in a fixed order, and computes their changes. */
export class Steps {
  readonly marking: Marking;
  readonly edits: Edits;
  readonly #starts: Starts;
  readonly #tokens: Tokens;
  readonly #endings: readonly Rule[];
  readonly #services: readonly Section[];
  readonly #step: PossibleStep = { kind: 'fire', rule: undefined, section: undefined, colour: 0 };

  constructor(net: Net, rules: readonly Rule[], marking: Marking, one: ReadonlySet<number>) {
    this.marking = marking;
    this.edits = new Edits(marking);
    this.#tokens = new Tokens(net, rules, marking);
    this.#starts = new Starts(rules, marking, this.#tokens, one);
    this.#endings = rules.filter((r) => r.busy !== undefined);
    this.#services = marking.sections.filter((s) => s.kind === 'service');
  }

  /** The binding of the current start or firing of a rule. */
  slots(rule: Rule): Float64Array {
    return this.#starts.search(rule).slots;
  }

  /**
   * Calls `visit` for every step until it returns true: starts and firings by transition, then ends, then services.
   *
   * @throws InputError if an expression has no value (RUN…)
   */
  each(visit: (step: PossibleStep) => boolean): boolean {
    return this.eachStart(visit) || this.eachCompletion(visit);
  }

  /** As {@link each}, for starts and firings. */
  eachStart(visit: (step: PossibleStep) => boolean): boolean {
    const step = this.#step;
    return this.#starts.each((rule) => {
      step.kind = rule.kind;
      step.rule = rule;
      step.section = undefined;
      return visit(step);
    });
  }

  /** As {@link each}, for ends and services. */
  eachCompletion(visit: (step: PossibleStep) => boolean): boolean {
    return this.#eachEnd(visit) || this.#eachService(visit);
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

  /** A server in queue order can complete only the head of its queue; other services can complete any token. */
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
   * Writes the changes of a step to `edits`. If `learn` is false and the step produces a colour or binding that no explored
   * marking has, returns false and adds no number for it.
   *
   * @throws InputError if an expression has no value (RUN…)
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
    const search = this.#starts.search(rule);
    const { slots } = search;
    try {
      if (step.kind === 'end') {
        section!.colours.copy(colour, slots);
        edits.take(section!, colour, 1);
        return this.#tokens.produce(rule, slots, edits, learn);
      }
      this.#take(rule, search);
      if (rule.busy === undefined) return this.#tokens.produce(rule, slots, edits, learn);
      const binding = learn ? rule.busy.colours.add(slots) : rule.busy.colours.find(slots);
      if (binding < 0) return false;
      edits.add(rule.busy, binding, 1);
      return true;
    } catch (e) {
      throw e instanceof EvaluationFailure ? failed(rule, slots, e) : e;
    }
  }

  /** Calls `visit` for the section and the colour of each arc by which the current start or firing of a rule takes tokens. */
  eachTaken(rule: Rule, visit: (section: number, colour: number) => void): void {
    const { colours } = this.#starts.search(rule);
    rule.arcs.forEach(({ section, takes }, k) => {
      if (takes) visit(section.number, section.colours.width === 0 ? 0 : colours[k]!);
    });
  }

  #take(rule: Rule, search: MarkingSearch): void {
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
}
