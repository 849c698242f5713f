import type { MarkedTokens, MarkingView, StepKind } from '../../src/analysis/space/state-space.ts';
import type { Net, Place } from '../../src/net/net.ts';
import { type Candidate, Candidates, takenOf } from './candidates.ts';
import { type Binding, RunError } from './evaluate.ts';
import { Happened } from './happened.ts';
import { Marking } from './marking.ts';
import { compareText, Model } from './model.ts';

/** A marking as lists by index of the place: visible and hidden tokens, oldest first, and tokens in service. */
interface Plain {
  readonly tokens: readonly (readonly (readonly number[])[])[];
  readonly service: readonly (readonly (readonly number[])[])[];
  readonly busy: readonly Busy[];
}

/** A firing in progress. */
interface Busy {
  readonly transition: number;
  /** Variables, and columns that patterns omit. */
  readonly named: Binding;
  readonly binding: Binding;
}

/** An explored state space, as strings. */
export interface ReferenceSpace {
  /** Sorted steps `step → marking` of the expanded markings, with duplicates. */
  readonly steps: ReadonlyMap<string, readonly string[]>;
  /** Markings by distance from the initial one; those of the last level may be unexpanded. */
  readonly levels: readonly (readonly string[])[];
  /** True if the space is complete. */
  readonly complete: boolean;
  /** Codes of the failures of steps and of enabling tests (S7). */
  readonly failures: ReadonlySet<string>;
  readonly maxTokensPerMarking: number;
  readonly maxTokensInPlace: number;
  readonly happened: Readonly<Record<string, number>>;
}

/**
 * State space of a net, a direct implementation of docs/semantics.md (E1 to E8): plain objects, strings as keys, all
 * combinations of visible tokens. Stops at the end of a level with more than `most` markings, or after `depth` levels.
 */
export function exploreReference(net: Net, most = 500, depth: number = Number.POSITIVE_INFINITY): ReferenceSpace {
  return new Explorer(net).run(most, depth);
}

/** A marking as a string: tokens in the order of departure, firings in progress in the order of their values. */
export function markingText(net: Net, view: MarkingView): string {
  const token = ({ values, count, where }: MarkedTokens): string =>
    `${where === 'service' ? 'served ' : ''}(${values.join()})×${count}`;
  const places = view.places.map((p) => `${net.places[p.place]!.name}: ${p.tokens.map(token).join(' ')}`);
  const busy = view.busy.map((b) => `${net.transitions[b.transition]!.name}{${bindingText(b.binding)}}×${b.count}`);
  return [...places, ...busy.sort(compareText)].join('; ');
}

/** A step as a string. */
export function stepText(net: Net, kind: StepKind, node: number, binding: Binding): string {
  const name = (kind === 'serve' ? net.places : net.transitions)[node]!.name;
  return `${kind} ${name}{${bindingText(binding)}}`;
}

/** Tokens of a place in the order of departure: groups by key, or by colour in a bag (S3). `tokens` are oldest first. */
export function inOrderOfLeaving(model: Model, place: Place, tokens: Plain['tokens'][number]): Plain['tokens'][number] {
  if (place.order === 'bag') return [...tokens].sort(byColour);
  const key = place.key.map((name) => place.fields.findIndex((f) => f.name === name));
  const rank = (values: readonly number[]): number =>
    place.order === 'priority' ? model.rank(place.priority!, model.columns(place, values)) : 0;
  return tokens
    .map((values, age) => ({ values, age, key: key.map((k) => values[k]!), rank: rank(values) }))
    .sort((a, b) => byColour(a.key, b.key) || b.rank - a.rank || a.age - b.age)
    .map((t) => t.values);
}

/** Run-length encoding of equal adjacent tokens. */
export function runsOf(tokens: readonly (readonly number[])[], where: MarkedTokens['where']): MarkedTokens[] {
  const runs: { values: readonly number[]; count: number; where: MarkedTokens['where'] }[] = [];
  for (const values of tokens) {
    const last = runs.at(-1);
    if (last !== undefined && byColour(last.values, values) === 0) last.count++;
    else runs.push({ values, count: 1, where });
  }
  return runs;
}

/** True if tokens complete service in order; services of other kinds may complete in any order. */
export function servesInOrder({ service }: Place): boolean {
  return service?.kind === 'fcfs' && service.servers === 1;
}

export function byColour(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((v, i) => v !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

function bindingText(binding: Binding): string {
  return Object.entries(binding)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]) => `${name}=${value}`)
    .join();
}

class Explorer {
  readonly #model: Model;
  /** Models with a single transition each, so that a failing transition does not hide others. */
  readonly #alone: readonly Model[];
  readonly #net: Net;
  readonly #happened: Happened = new Happened();
  readonly #failures = new Set<string>();

  constructor(net: Net) {
    this.#model = new Model(net);
    this.#net = this.#model.net;
    this.#alone = this.#net.transitions.map((t) => new Model({ ...this.#net, transitions: [t] }));
  }

  run(most: number, depth: number): ReferenceSpace {
    const steps = new Map<string, string[]>();
    const seen = new Map<string, Plain>();
    const levels: string[][] = [];
    const initial = this.#put(
      { tokens: this.#net.places.map(() => []), service: this.#net.places.map(() => []), busy: [] },
      this.#net.places.flatMap((place) =>
        place.initial.flatMap((t) => Array.from({ length: t.count }, () => ({ place, values: t.values }))),
      ),
    );
    let level = [this.#text(initial)];
    seen.set(level[0]!, initial);
    while (level.length > 0) {
      levels.push(level);
      if (seen.size > most || levels.length > depth) break;
      const next: string[] = [];
      for (const text of level) {
        const found = this.#steps(seen.get(text)!).map(({ step, after }) => {
          const target = this.#text(after);
          if (!seen.has(target)) next.push(target);
          seen.set(target, after);
          return `${step} → ${target}`;
        });
        steps.set(text, found.sort());
      }
      level = next;
    }
    const markings = [...seen.values()];
    return {
      steps,
      levels,
      complete: level.length === 0,
      failures: this.#failures,
      maxTokensPerMarking: Math.max(...markings.map((m) => [...m.tokens, ...m.service].flat().length)),
      maxTokensInPlace: Math.max(0, ...markings.flatMap((m) => this.#net.places.flatMap((_, k) => ofColour(m, k)))),
      happened: this.#happened.counts,
    };
  }

  #steps(m: Plain): { step: string; after: Plain }[] {
    const out: { step: string; after: Plain }[] = [];
    const add = (kind: StepKind, node: number, binding: Binding, after: () => Plain): void => {
      const marking = this.#orFailure(after);
      if (marking === undefined) return;
      out.push({ step: stepText(this.#net, kind, node, binding), after: marking });
      this.#happened.note(`step: ${kind}`);
    };
    for (const { transition, candidate, named } of this.#starts(m)) {
      const lasts = candidate.transition.delay !== undefined && !candidate.rule.race;
      add(lasts ? 'start' : 'fire', transition, named, () => {
        const left = this.#begun(m, candidate);
        if (!lasts) return this.#put(left, this.#model.produced(candidate.rule, candidate.binding));
        return { ...left, busy: [...left.busy, { transition, named, binding: candidate.binding }] };
      });
    }
    for (const [k, firing] of m.busy.entries()) {
      if (m.busy.findIndex((b) => sameFiring(b, firing)) < k) continue;
      add('end', firing.transition, firing.named, () =>
        this.#put(
          { ...m, busy: m.busy.filter((_, j) => j !== k) },
          this.#model.produced(this.#model.rules[firing.transition]!, firing.binding),
        ),
      );
    }
    for (const [p, place] of this.#net.places.entries())
      for (const [k, values] of m.service[p]!.entries()) {
        const before = m.service[p]!.slice(0, k);
        if (servesInOrder(place) ? k > 0 : before.some((v) => byColour(v, values) === 0)) continue;
        add('serve', p, this.#model.columns(place, values), () => ({
          ...m,
          service: m.service.with(p, [...before, ...m.service[p]!.slice(k + 1)]),
          tokens: m.tokens.with(p, [...m.tokens[p]!, values]),
        }));
      }
    return out;
  }

  /** Possible starts: immediate and holding candidates of the highest priority; if there are none, all races. */
  #starts(m: Plain): { transition: number; candidate: Candidate; named: Binding }[] {
    const marking = this.#marking(m);
    const all = this.#alone.flatMap((model, transition) => {
      const candidates = new Candidates(model, marking, this.#happened, (place) => this.#held(m, place));
      const found = this.#orFailure(() => candidates.all()) ?? [];
      return found.map((candidate) => ({ transition, candidate, named: named(model, candidate) }));
    });
    const starts = all.filter((c) => !c.candidate.rule.race);
    if (starts.length === 0) return all;
    if (starts.length < all.length) this.#happened.note('races wait for starts');
    const priority = ({ candidate }: (typeof all)[number]): number => candidate.transition.priority ?? 0;
    const highest = Math.max(...starts.map(priority));
    const first = starts.filter((c) => priority(c) === highest);
    if (first.length < starts.length) this.#happened.note('pruned by priority');
    return first;
  }

  /** Takes tokens, then resets places (S8, S9). */
  #begun(m: Plain, { rule, tokens, binding }: Candidate): Plain {
    const marking = this.#marking(m);
    // The same tokens in a separate marking, found by their ages.
    for (const [token, { place, count }] of takenOf(rule, tokens)) {
      const p = this.#model.place(place);
      marking.take(p, marking.all(p).find((t) => t.age === token.age)!, count);
    }
    for (const arc of rule.resetting) {
      const place = this.#model.place(arc.place);
      for (const t of marking.all(place).filter((x) => this.#model.matches(arc, x.values, binding))) {
        marking.remove(place, t);
        this.#happened.note('reset: token removed');
      }
    }
    return { ...m, tokens: this.#net.places.map((p) => marking.all(p).map((t) => t.values)) };
  }

  /** Tokens of one step arrive in the order of place name, then colour (S11). */
  #put(m: Plain, tokens: readonly { place: Place; values: readonly number[] }[]): Plain {
    const lists = { tokens: [...m.tokens], service: [...m.service] };
    for (const [p, place] of this.#net.places.entries()) {
      const list = place.service === undefined ? lists.tokens : lists.service;
      const come = tokens.filter((t) => t.place.name === place.name).map((t) => t.values);
      list[p] = [...list[p]!, ...come.sort(byColour)];
    }
    return { ...m, ...lists };
  }

  #marking(m: Plain): Marking {
    const marking = new Marking(this.#model, this.#happened);
    for (const [p, place] of this.#net.places.entries())
      for (const values of m.tokens[p]!) marking.arrive(place, values, 0);
    return marking;
  }

  /** Number of tokens that count against a place's capacity (S8a). */
  #held(m: Plain, place: Place): number {
    const p = this.#net.places.findIndex((x) => x.name === place.name);
    const reserved = m.busy.flatMap((b) =>
      this.#net.transitions[b.transition]!.outputs.filter((arc) => arc.place === place.name).map((arc) =>
        this.#model.count(arc, b.binding),
      ),
    );
    return m.tokens[p]!.length + m.service[p]!.length + reserved.reduce((sum, n) => sum + n, 0);
  }

  #text(m: Plain): string {
    const places = this.#net.places.flatMap((place, p) => {
      const visible = inOrderOfLeaving(this.#model, place, m.tokens[p]!);
      const served = servesInOrder(place) ? m.service[p]! : [...m.service[p]!].sort(byColour);
      const tokens = [...runsOf(visible, 'place'), ...runsOf(served, 'service')];
      return tokens.length === 0 ? [] : [{ place: p, tokens }];
    });
    const busy = this.#net.transitions.flatMap((_, transition) => {
      const firings = m.busy.filter((b) => b.transition === transition).map((b) => b.named);
      const names = Object.keys(firings[0] ?? {});
      const rows = firings.map((binding) => names.map((name) => binding[name]!)).sort(byColour);
      return runsOf(rows, 'place').map(({ values, count }) => ({
        transition,
        binding: Object.fromEntries(names.map((name, k) => [name, values[k]!])),
        count,
      }));
    });
    return markingText(this.#net, { places, busy });
  }

  #orFailure<R>(of: () => R): R | undefined {
    try {
      return of();
    } catch (e) {
      if (!(e instanceof RunError)) throw e;
      this.#failures.add(e.code);
      return undefined;
    }
  }
}

/** Variables of a candidate, and columns of its tokens that patterns omit, named `place.column`. */
function named(model: Model, { rule, tokens, binding }: Candidate): Binding {
  const out: Record<string, number> = { ...binding };
  const turns = new Map<string, number>();
  for (const [k, arc] of rule.binding.entries()) {
    const turn = (turns.get(arc.place) ?? 0) + 1;
    turns.set(arc.place, turn);
    for (const [c, f] of model.place(arc.place).fields.entries())
      if (arc.pattern[f.name] === undefined)
        out[`${arc.place}${turn === 1 ? '' : `#${turn}`}.${f.name}`] = tokens[k]!.values[c]!;
  }
  return out;
}

function sameFiring(a: Busy, b: Busy): boolean {
  return a.transition === b.transition && bindingText(a.named) === bindingText(b.named);
}

/** Number of tokens of each colour of a place, including those in service. */
function ofColour(m: Plain, place: number): number[] {
  return runsOf([...m.tokens[place]!, ...m.service[place]!].sort(byColour), 'place').map((t) => t.count);
}
