import type { InputArc, Place, Transition } from '../../src/net/net.ts';
import { type Binding, RunError } from './evaluate.ts';
import type { Happened } from './happened.ts';
import type { Marking, Token } from './marking.ts';
import type { Model, Rule } from './model.ts';

/** A transition with the visible tokens that it takes and reads, and the values of its free variables (S10). */
export interface Candidate {
  readonly rule: Rule;
  readonly transition: Transition;
  /** One token per take or read arc, in the order of the net. */
  readonly tokens: readonly Token[];
  /** Values of the free variables, in the order of their names. */
  readonly free: readonly number[];
  readonly binding: Binding;
  /** Number of tokens that it will produce in places with a capacity. */
  readonly brings: ReadonlyMap<Place, number>;
}

/** Finds all candidates of a marking by trying every combination of visible tokens (S3, S6, S8, S8a). */
export class Candidates {
  readonly #model: Model;
  readonly #marking: Marking;
  readonly #happened: Happened;
  /** Number of tokens in a place, including reserved ones and those in service. */
  readonly #held: (place: Place) => number;

  constructor(model: Model, marking: Marking, happened: Happened, held: (place: Place) => number) {
    this.#model = model;
    this.#marking = marking;
    this.#happened = happened;
    this.#held = held;
  }

  all(): Candidate[] {
    const seen = new Map(this.#model.net.places.map((p) => [p.name, this.#marking.visible(p)]));
    return this.#model.rules.flatMap((rule) => this.#of(rule, seen));
  }

  /** Enabling degree: number of consecutive firings possible; determines the number of clocks (S9a). */
  degree({ rule, tokens }: Candidate): number {
    const taken = takenOf(rule, tokens);
    if (taken.size === 0) return 1;
    return Math.min(...[...taken].map(([t, { place, count }]) => Math.floor(this.#inRow(place, t) / count)));
  }

  /** Weight in a choice, 1 if none is declared (S10, RUN008). */
  weight(candidate: Candidate): number {
    const { weight, name } = candidate.transition;
    if (weight === undefined) return 1;
    const w = this.#model.value(weight, this.#counted(candidate));
    if (!(w > 0 && w < Number.POSITIVE_INFINITY)) throw new RunError('RUN008', `weight ${w} of ${name}`);
    return w;
  }

  /** Work of a clock per second in the current marking (S9b, RUN017). */
  speed(candidate: Candidate): number {
    const { speed, name } = candidate.transition;
    if (speed === undefined) return 1;
    const s = this.#model.value(speed, this.#counted(candidate));
    if (!(s >= 0 && s < Number.POSITIVE_INFINITY)) throw new RunError('RUN017', `speed ${s} of ${name}`);
    return s;
  }

  /** The binding with the counts of its transition. */
  #counted({ transition, binding }: Candidate): Binding {
    const counts = (transition.counts ?? []).map(({ name, place, pattern }) => {
      const arc = { kind: 'inhibit', place, pattern, count: 1 } as const;
      const all = this.#marking.all(this.#model.place(place));
      return [name, all.filter((t) => this.#model.matches(arc, t.values, binding)).length];
    });
    return { ...binding, ...Object.fromEntries(counts) };
  }

  #of(rule: Rule, seen: ReadonlyMap<string, readonly Token[]>): Candidate[] {
    const out: Candidate[] = [];
    const choose = (tokens: readonly Token[], binding: Binding): void => {
      const arc = rule.binding[tokens.length];
      if (arc === undefined) {
        range(tokens, [], binding);
        return;
      }
      for (const token of seen.get(arc.place)!) {
        const more = this.#bind(arc, token, binding);
        if (more !== undefined && this.#mayHold(rule, more)) choose([...tokens, token], more);
      }
    };
    const range = (tokens: readonly Token[], free: readonly number[], binding: Binding): void => {
      const variable = rule.free[free.length];
      if (variable === undefined) {
        const brings = this.#enabled(rule, tokens, binding);
        if (brings !== undefined) out.push({ rule, transition: rule.transition, tokens, free, binding, brings });
        return;
      }
      for (let v = variable.low; v <= variable.high; v++)
        range(tokens, [...free, v], { ...binding, [variable.name]: v });
    };
    choose([], {});
    return out;
  }

  /** The binding extended by a token; `undefined` if a variable is already bound to a different value. */
  #bind(arc: InputArc, token: Token, binding: Binding): Binding | undefined {
    const { fields } = this.#model.place(arc.place);
    // Most tokens do not fit: they are rejected before the binding is copied.
    for (let i = 0; i < fields.length; i++) {
      const e = arc.pattern[fields[i]!.name];
      if (e?.op === 'var' && e.name in binding && binding[e.name] !== token.values[i]) return undefined;
    }
    const more: Record<string, number> = { ...binding };
    for (const [i, f] of fields.entries()) {
      const e = arc.pattern[f.name];
      if (e?.op !== 'var') continue;
      if (e.name in more && more[e.name] !== token.values[i]) return undefined;
      more[e.name] = token.values[i]!;
    }
    return more;
  }

  /** False only if the guard cannot hold for any extension of the binding; prunes the enumeration. */
  #mayHold(rule: Rule, b: Binding): boolean {
    return rule.conditions.every(({ e, variables }) => {
      if (!variables.every((v) => v in b)) return true;
      return this.#tested(e, b) !== 0;
    });
  }

  /** Tokens produced in places with a capacity, if enabled by patterns, guard, tokens, inhibitors and capacity (S8). */
  #enabled(rule: Rule, tokens: readonly Token[], b: Binding): Map<Place, number> | undefined {
    if (!rule.binding.every((arc, k) => this.#model.matches(arc, tokens[k]!.values, b))) return undefined;
    if (!this.#guardHolds(rule, b)) return undefined;
    if (!this.#inRowSuffice(rule, tokens)) return undefined;
    for (const arc of rule.inhibiting) {
      const matching = this.#marking
        .all(this.#model.place(arc.place))
        .filter((t) => this.#model.matches(arc, t.values, b));
      if (matching.length < arc.count) continue;
      this.#happened.note('inhibited');
      return undefined;
    }
    return this.#room(rule, tokens, b);
  }

  /** A failure in one part of the guard is not reported if another part excludes the candidate (S7). */
  #guardHolds(rule: Rule, b: Binding): boolean {
    const parts = rule.conditions.map(({ e }) => this.#tested(e, b));
    if (parts.includes(0)) return false;
    const failure = parts.find((p) => p instanceof RunError);
    if (failure !== undefined) throw failure;
    return true;
  }

  #tested(e: Rule['conditions'][number]['e'], b: Binding): number | RunError {
    try {
      return this.#model.value(e, b);
    } catch (failure) {
      if (failure instanceof RunError) return failure;
      throw failure;
    }
  }

  /** Counts of take arcs on the same token add up; those of read arcs do not (S3). */
  #inRowSuffice(rule: Rule, tokens: readonly Token[]): boolean {
    for (const [token, { place, count }] of takenOf(rule, tokens)) if (this.#inRow(place, token) < count) return false;
    return rule.binding.every((arc, k) => arc.kind === 'take' || this.#inRow(arc.place, tokens[k]!) >= arc.count);
  }

  /** Checks the capacity of all output places (S8a); returns the tokens produced in them. */
  #room(rule: Rule, tokens: readonly Token[], b: Binding): Map<Place, number> | undefined {
    const brings = new Map<Place, number>();
    for (const arc of rule.outputs) {
      const place = this.#model.place(arc.place);
      if (place.capacity !== undefined) brings.set(place, (brings.get(place) ?? 0) + this.#model.count(arc, b));
    }
    for (const [place, count] of brings) {
      let takes = 0;
      for (const { place: from, count: taken } of takenOf(rule, tokens).values())
        if (from === place.name) takes += taken;
      if (count === 0 || this.#held(place) - takes + count <= place.capacity!) continue;
      this.#happened.note('capacity: no room');
      return undefined;
    }
    return brings;
  }

  #inRow(place: string, token: Token): number {
    return this.#marking.inRow(this.#model.place(place), token);
  }
}

/** Number of tokens taken for each visible one, including itself. */
export function takenOf(rule: Rule, tokens: readonly Token[]): Map<Token, { place: string; count: number }> {
  const taken = new Map<Token, { place: string; count: number }>();
  rule.binding.forEach((arc, k) => {
    if (arc.kind !== 'take') return;
    const token = tokens[k]!;
    taken.set(token, { place: arc.place, count: (taken.get(token)?.count ?? 0) + arc.count });
  });
  return taken;
}
