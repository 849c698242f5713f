import { type ColourSet, colourBounds, columnsOf } from '../../src/net/colour.ts';
import { conjuncts, type Expression } from '../../src/net/expression.ts';
import { scalarNet } from '../../src/net/expressions.ts';
import type { Net, OutputArc, Place, Transition } from '../../src/net/net.ts';
import { type Binding, evaluate, RunError } from '../reference/evaluate.ts';

/** Firings of each reachable marking as sorted strings `transition → marking`, with duplicates. */
export type Space = ReadonlyMap<string, readonly string[]>;

interface Token {
  readonly place: Place;
  readonly values: readonly number[];
}

/** Count of each token, by its name. */
type Marking = ReadonlyMap<string, { readonly token: Token; readonly count: number }>;

/**
 * Markings reachable within `depth` firings, untimed: every enabled binding can fire, ignoring delays, priorities and
 * weights. Implements S6–S8a with plain objects; places are bags. Stops at the end of a level with more than `most`
 * markings; the last level then has no firings.
 */
export function explore(net: Net, depth: number, most = 2000): Space {
  return new Explorer(scalarNet(net)).run(depth, most);
}

/** A marking as a string of tokens such as `place[red,3]`. */
function text(marking: Marking): string {
  return [...marking]
    .map(([name, { count }]) => `${name}:${count}`)
    .sort()
    .join(' ');
}

class Explorer {
  readonly #net: Net;
  readonly #colours: ReadonlyMap<string, ColourSet>;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #tables;
  readonly #functions;

  constructor(net: Net) {
    this.#net = net;
    this.#colours = new Map(net.colours.map((c) => [c.name, c]));
    this.#places = new Map(net.places.map((p) => [p.name, p]));
    this.#tables = new Map(net.tables.map((t) => [t.name, t]));
    this.#functions = new Map((net.functions ?? []).map((f) => [f.name, f]));
  }

  run(depth: number, most: number): Space {
    const space = new Map<string, string[]>();
    let level = new Map<string, Marking>();
    const initial = this.#initial();
    level.set(text(initial), initial);
    for (let d = 0; d <= depth && level.size > 0; d++) {
      const last = d === depth || space.size + level.size > most;
      const next = new Map<string, Marking>();
      for (const [name, marking] of level) {
        const firings: string[] = [];
        for (const t of last ? [] : this.#net.transitions)
          for (const after of this.#successors(t, marking)) {
            firings.push(`${t.name} → ${text(after)}`);
            next.set(text(after), after);
          }
        space.set(name, firings.sort());
      }
      if (last) break;
      level = new Map([...next].filter(([name]) => !space.has(name)));
    }
    return space;
  }

  #initial(): Marking {
    const tokens = this.#net.places.flatMap((place) =>
      place.initial.map((t) => ({ token: { place, values: t.values }, count: t.count })),
    );
    return changed(
      new Map(),
      tokens.map(({ token, count }) => [this.#name(token), token, count]),
    );
  }

  #successors(t: Transition, marking: Marking): Marking[] {
    const arcs = t.inputs.filter((a) => a.kind === 'take' || a.kind === 'read');
    const free = columnsOf(t.free ?? [], this.#colours);
    const out: Marking[] = [];
    const chosen: Token[] = [];
    const choose = (binding: Binding): void => {
      const arc = arcs[chosen.length];
      if (arc !== undefined) {
        for (const { token } of marking.values()) {
          if (token.place.name !== arc.place) continue;
          const more: Record<string, number> = { ...binding };
          token.place.fields.forEach((f, k) => {
            const e = arc.pattern[f.name];
            if (e?.op === 'var' && !(e.name in more)) more[e.name] = token.values[k]!;
          });
          chosen.push(token);
          choose(more);
          chosen.pop();
        }
        return;
      }
      const f = free.find((v) => !(v.name in binding));
      if (f !== undefined) {
        const { low, high } = colourBounds(f.colour);
        for (let v = low; v <= high; v++) choose({ ...binding, [f.name]: v });
        return;
      }
      const after = this.#fired(t, arcs, chosen, binding, marking);
      if (after !== undefined) out.push(after);
    };
    choose({});
    return out;
  }

  /** The marking after a firing; `undefined` if the binding is not enabled. */
  #fired(
    t: Transition,
    arcs: Transition['inputs'],
    chosen: readonly Token[],
    b: Binding,
    marking: Marking,
  ): Marking | undefined {
    const matches = (pattern: Readonly<Record<string, Expression>>, token: Token): boolean =>
      token.place.fields.every(
        (f, k) => pattern[f.name] === undefined || this.#value(pattern[f.name]!, b) === token.values[k],
      );
    const demands = [
      ...arcs.map((arc, k) => () => matches(arc.pattern, chosen[k]!)),
      ...conjuncts(t.guard).map((e) => () => this.#value(e, b) !== 0),
    ];
    if (!holds(demands)) return undefined;
    const taken = new Map<string, number>();
    arcs.forEach((arc, k) => {
      const name = this.#name(chosen[k]!);
      if (arc.kind === 'take') taken.set(name, (taken.get(name) ?? 0) + arc.count);
    });
    const there = (name: string): number => marking.get(name)?.count ?? 0;
    if ([...taken].some(([name, n]) => there(name) < n)) return undefined;
    if (arcs.some((arc, k) => there(this.#name(chosen[k]!)) < arc.count)) return undefined;
    const matching = (arc: Transition['inputs'][number]) =>
      [...marking.values()].filter((m) => m.token.place.name === arc.place && matches(arc.pattern, m.token));
    for (const arc of t.inputs)
      if (arc.kind === 'inhibit' && matching(arc).reduce((sum, m) => sum + m.count, 0) >= arc.count) return undefined;
    const brought = t.outputs.map((arc) => this.#brought(arc, b));
    for (const place of this.#net.places) {
      const come = brought.reduce((sum, x) => sum + (x.token.place === place ? x.count : 0), 0);
      const here = [...marking.values()].filter((m) => m.token.place === place).reduce((sum, m) => sum + m.count, 0);
      const go = arcs.reduce((sum, a) => sum + (a.kind === 'take' && a.place === place.name ? a.count : 0), 0);
      if (come > 0 && here - go + come > (place.capacity ?? Number.POSITIVE_INFINITY)) return undefined;
    }
    const left = changed(
      marking,
      [...taken].map(([name, n]) => [name, marking.get(name)!.token, -n]),
    );
    const reset = t.inputs.filter((a) => a.kind === 'reset').flatMap(matching);
    const kept = new Map([...left].filter(([, m]) => !reset.some((r) => r.token === m.token)));
    return changed(
      kept,
      brought.filter((x) => x.count > 0).map(({ token, count }) => [this.#name(token), token, count]),
    );
  }

  #brought(arc: OutputArc, b: Binding): { token: Token; count: number } {
    const place = this.#places.get(arc.place)!;
    const count = this.#value(arc.count, b);
    if (!Number.isInteger(count) || count < 0) throw new RunError('RUN005', `count ${count}`);
    if (count === 0) return { token: { place, values: [] }, count };
    const values = place.fields.map((f) => {
      const value = this.#value(arc.values[f.name]!, b);
      const { low, high } = colourBounds(columnsOf([f], this.#colours)[0]!.colour);
      if (!Number.isInteger(value) || value < low || value > high) throw new RunError('RUN002', `${value}`);
      return value;
    });
    return { token: { place, values }, count };
  }

  #name({ place, values }: Token): string {
    if (place.fields.length === 0) return place.name;
    const texts = place.fields.map((f, k) => {
      const c = this.#colours.get(f.colour)!;
      if (c.kind === 'bool') return values[k] === 0 ? 'false' : 'true';
      return c.kind === 'enum' ? c.values[values[k]!]! : String(values[k]);
    });
    return `${place.name}[${texts.join(',')}]`;
  }

  #value(e: Expression, b: Binding): number {
    return evaluate(e, b, this.#tables, this.#functions);
  }
}

/** True if all conditions hold. A failure is reported only if no other condition excludes the binding (S7). */
function holds(demands: readonly (() => boolean)[]): boolean {
  let failure: RunError | undefined;
  for (const demand of demands) {
    try {
      if (!demand()) return false;
    } catch (e) {
      if (!(e instanceof RunError)) throw e;
      failure ??= e;
    }
  }
  if (failure !== undefined) throw failure;
  return true;
}

function changed(marking: Marking, changes: readonly (readonly [string, Token, number])[]): Marking {
  const after = new Map(marking);
  for (const [name, token, n] of changes) {
    const count = (after.get(name)?.count ?? 0) + n;
    if (count === 0) after.delete(name);
    else after.set(name, { token: after.get(name)?.token ?? token, count });
  }
  return after;
}
