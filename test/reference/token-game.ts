import { conjuncts, type Expression, variablesOf } from '../../src/net/expression.ts';
import { colourBounds, type InputArc, type Net, type Place, type Transition } from '../../src/net/net.ts';
import { type Binding, evaluate, RunError } from './evaluate.ts';
import { maxMinRates } from './max-min.ts';

/** One line of a run's trace: an immediate firing, or the start or end of a firing with a delay. */
export interface Event {
  readonly time: number;
  readonly what: 'fire' | 'start' | 'end';
  readonly transition: string;
  readonly binding: Binding;
}

export interface Run {
  readonly time: number;
  readonly steps: number;
  readonly firings: Record<string, number>;
  /** Tokens per place, oldest first; tokens in service after the others. */
  readonly marking: Record<string, number[][]>;
  /** Per place: the time at which each token of `marking` came. */
  readonly arrivals: Record<string, number[]>;
  readonly trace: Event[];
}

interface Token {
  readonly values: readonly number[];
  readonly age: number;
  readonly time: number;
}

interface InService {
  readonly values: readonly number[];
  readonly started: number;
  left: number;
  readonly weight: number;
  readonly bound: number;
  readonly crosses: readonly { readonly link: number; readonly coefficient: number }[];
}

interface Firing {
  readonly transition: Transition;
  readonly binding: Binding;
  readonly end: number;
  readonly started: number;
}

interface Candidate {
  readonly transition: Transition;
  readonly tokens: readonly Token[];
  readonly binding: Binding;
}

/** Times nearer than this (relative) are one instant where a service shares something (SEMANTICS 22). */
const SAME = 1e-12;

/**
 * The token game straight from docs/semantics.md: plain objects, every rule one piece of code, no index, no shortcut.
 * Exponentially slower than it could be, and meant to stay so.
 */
export function play(net: Net, options: { maxSteps?: number; maxInstantSteps?: number; trace?: boolean } = {}): Run {
  return new Game(net, options.maxInstantSteps ?? 1e6, options.trace ?? true).run(
    options.maxSteps ?? Number.POSITIVE_INFINITY,
  );
}

class Game {
  readonly net: Net;
  readonly tables;
  readonly colours;
  readonly tokens = new Map<string, Token[]>();
  readonly inService = new Map<string, InService[]>();
  readonly busy: Firing[] = [];
  /** Since which step each enabled candidate is enabled without interruption. */
  enabledSince = new Map<string, { since: number; candidate: Candidate }>();
  /** The visible tokens of each place, as long as nothing moves. */
  seen = new Map<string, Token[]>();
  readonly firings: Record<string, number> = {};
  readonly trace: Event[] = [];
  readonly maxInstantSteps: number;
  readonly tracing: boolean;
  readonly shares: boolean;
  now = 0;
  step = 0;
  ages = 0;
  starts = 0;

  constructor(net: Net, maxInstantSteps: number, tracing: boolean) {
    this.net = net;
    this.maxInstantSteps = maxInstantSteps;
    this.tracing = tracing;
    this.tables = new Map(net.tables.map((t) => [t.name, t]));
    this.colours = new Map(net.colours.map((c) => [c.name, c]));
    this.shares = net.places.some((p) => p.service !== undefined);
    for (const p of net.places) {
      this.tokens.set(p.name, []);
      this.inService.set(p.name, []);
    }
    for (const t of net.transitions) this.firings[t.name] = 0;
    const initial = net.places.flatMap((p) =>
      p.initial.flatMap((t) => Array.from({ length: t.count }, () => ({ place: p, values: t.values }))),
    );
    this.put(initial);
    this.examine();
  }

  run(maxSteps: number): Run {
    let atInstant = 0;
    while (this.step < maxSteps) {
      const before = this.now;
      if (!this.completeOne() && !this.startOne() && !this.advance()) break;
      atInstant = this.now === before ? atInstant + 1 : 0;
      if (atInstant > this.maxInstantSteps) throw new RunError('RUN001', 'endless cycle at one instant');
    }
    const marking: Record<string, number[][]> = {};
    const arrivals: Record<string, number[]> = {};
    for (const p of this.net.places) {
      const visible = this.tokens.get(p.name)!;
      const served = this.inService.get(p.name)!;
      marking[p.name] = [...visible, ...served].map((t) => [...t.values]);
      arrivals[p.name] = visible.map((t) => t.time);
    }
    return { time: this.now, steps: this.step, firings: this.firings, marking, arrivals, trace: this.trace };
  }

  /** First all completions that are due, in the order they were started. */
  completeOne(): boolean {
    const limit = this.shares ? this.now * (1 + SAME) : this.now;
    const firing = this.busy.filter((f) => f.end <= limit).sort((a, b) => a.started - b.started)[0];
    let served: { place: Place; token: InService } | undefined;
    for (const place of this.net.places)
      for (const token of this.inService.get(place.name)!)
        if (token.left === 0 && (served === undefined || token.started < served.token.started))
          served = { place, token };
    if (firing !== undefined && (served === undefined || firing.started < served.token.started)) {
      this.busy.splice(this.busy.indexOf(firing), 1);
      this.step++;
      this.record('end', firing.transition, firing.binding);
      this.put(this.produced(firing.transition, firing.binding));
    } else if (served !== undefined) {
      const queue = this.inService.get(served.place.name)!;
      queue.splice(queue.indexOf(served.token), 1);
      this.step++;
      this.arrive(served.place, served.token.values);
    } else return false;
    this.examine();
    return true;
  }

  /** Then one start: the candidate enabled longest; ties by the ages of the tokens bound, then by transition name. */
  startOne(): boolean {
    let best: { since: number; candidate: Candidate } | undefined;
    for (const entry of this.enabledSince.values()) if (best === undefined || this.before(entry, best)) best = entry;
    if (best === undefined) return false;
    const { transition, tokens, binding } = best.candidate;
    const delay = transition.delay === undefined ? undefined : this.value(transition.delay, binding);
    if (delay !== undefined && !(delay >= 0 && this.now + delay < Number.POSITIVE_INFINITY))
      throw new RunError('RUN004', `delay ${delay} of ${transition.name}`);
    const produced = this.produced(transition, binding);
    this.step++;
    this.firings[transition.name]!++;
    transition.inputs
      .filter((a) => a.kind !== 'inhibit')
      .forEach((arc, k) => {
        if (arc.kind === 'take') for (let n = 0; n < arc.count; n++) this.remove(arc.place, tokens[k]!);
      });
    if (delay === undefined) {
      this.record('fire', transition, binding);
      this.put(produced);
    } else {
      this.record('start', transition, binding);
      this.busy.push({ transition, binding, end: this.now + delay, started: this.starts++ });
    }
    // A candidate ends with its own firing: where tokens for another one are left, it counts as enabled anew.
    this.enabledSince.delete(this.key(best.candidate));
    this.examine();
    return true;
  }

  /** Nothing is due and nothing can start: time goes on to the next completion. */
  advance(): boolean {
    let next = Math.min(Number.POSITIVE_INFINITY, ...this.busy.map((f) => f.end));
    const running: { token: InService; rate: number }[] = [];
    for (const p of this.net.places) {
      const tokens = this.inService.get(p.name)!;
      if (p.service === undefined || tokens.length === 0) continue;
      const rates = maxMinRates(tokens, p.service.links);
      tokens.forEach((token, k) => {
        running.push({ token, rate: rates[k]! });
        next = Math.min(next, this.now + token.left / rates[k]!);
      });
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    const elapsed = next - this.now;
    for (const { token, rate } of running) {
      const finish = this.now + token.left / rate;
      token.left = finish <= next * (1 + SAME) ? 0 : token.left - rate * elapsed;
    }
    this.now = next;
    return true;
  }

  /** What arcs other than inhibitors see: of a bag the oldest of each colour, of a fifo the oldest of each key. */
  visible(place: Place): Token[] {
    const key =
      place.order === 'bag'
        ? place.fields.map((_, k) => k)
        : place.key.map((n) => place.fields.findIndex((f) => f.name === n));
    const seen = new Set<string>();
    return this.tokens.get(place.name)!.filter((t) => {
      const id = key.map((k) => t.values[k]).join();
      if (seen.has(id)) return false;
      seen.add(id);
      return true;
    });
  }

  /** How many tokens equal to this visible one can be taken in a row. */
  inRow(place: Place, head: Token): number {
    const key =
      place.order === 'bag'
        ? place.fields.map((_, k) => k)
        : place.key.map((n) => place.fields.findIndex((f) => f.name === n));
    let n = 0;
    for (const t of this.tokens.get(place.name)!) {
      if (!key.every((k) => t.values[k] === head.values[k])) continue;
      if (!t.values.every((v, k) => v === head.values[k])) break;
      n++;
    }
    return n;
  }

  /** Finds all candidates; those enabled before keep their seniority, the others are enabled since this step. */
  examine(): void {
    const found = new Map<string, { since: number; candidate: Candidate }>();
    this.seen = new Map(this.net.places.map((p) => [p.name, this.visible(p)]));
    for (const transition of this.net.transitions)
      for (const candidate of this.candidates(transition)) {
        const key = this.key(candidate);
        found.set(key, { since: this.enabledSince.get(key)?.since ?? this.step, candidate });
      }
    this.enabledSince = found;
  }

  candidates(transition: Transition): Candidate[] {
    const arcs = transition.inputs.filter((a) => a.kind !== 'inhibit');
    const conditions = conjuncts(transition.guard).map((e) => ({ e, variables: [...variablesOf(e)] }));
    const out: Candidate[] = [];
    const choose = (tokens: Token[], binding: Binding): void => {
      const arc = arcs[tokens.length];
      if (arc === undefined) {
        if (this.enabled(transition, arcs, tokens, binding)) out.push({ transition, tokens, binding });
        return;
      }
      for (const token of this.seen.get(arc.place)!) {
        const more = this.bind(arc, token, binding);
        if (more !== undefined && this.admits(conditions, more)) choose([...tokens, token], more);
      }
    };
    choose([], {});
    return out;
  }

  /** The binding with what a token adds to it; undefined where a variable that is bound already has another value. */
  bind(arc: InputArc, token: Token, binding: Binding): Binding | undefined {
    const fields = this.place(arc.place).fields;
    const terms = fields.map((f, i) => ({ e: arc.pattern[f.name], value: token.values[i]! }));
    if (terms.some(({ e, value }) => e?.op === 'var' && e.name in binding && binding[e.name] !== value))
      return undefined;
    const more: Record<string, number> = { ...binding };
    for (const { e, value } of terms) {
      if (e?.op !== 'var') continue;
      if (e.name in more && more[e.name] !== value) return undefined;
      more[e.name] = value;
    }
    return more;
  }

  /** Whether the conditions hold, from left to right as far as they are bound: spares listing what cannot be enabled. */
  admits(
    conditions: readonly { readonly e: Expression; readonly variables: readonly string[] }[],
    b: Binding,
  ): boolean {
    for (const { e, variables } of conditions) {
      if (!variables.every((v) => v in b)) return true;
      if (this.value(e, b) === 0) return false;
    }
    return true;
  }

  enabled(transition: Transition, arcs: readonly InputArc[], tokens: readonly Token[], binding: Binding): boolean {
    const fits = (arc: InputArc, token: Token): boolean =>
      this.place(arc.place).fields.every((f, i) => {
        const e = arc.pattern[f.name];
        return e === undefined || this.value(e, binding) === token.values[i];
      });
    if (!arcs.every((arc, k) => fits(arc, tokens[k]!))) return false;
    if (transition.guard !== undefined && this.value(transition.guard, binding) === 0) return false;
    for (const token of new Set(tokens)) {
      const taken = arcs.filter((a, k) => a.kind === 'take' && tokens[k] === token);
      const need = taken.reduce((sum, a) => sum + a.count, 0);
      if (need > 0 && this.inRow(this.place(taken[0]!.place), token) < need) return false;
    }
    return transition.inputs.every((a) => a.kind !== 'inhibit' || !this.tokens.get(a.place)!.some((t) => fits(a, t)));
  }

  key(c: Candidate): string {
    return `${c.transition.name} ${c.tokens.map((t) => t.age).join()}`;
  }

  before(a: { since: number; candidate: Candidate }, b: { since: number; candidate: Candidate }): boolean {
    if (a.since !== b.since) return a.since < b.since;
    const [x, y] = [ordered(a.candidate), ordered(b.candidate)];
    for (const [k, token] of x.entries()) {
      const other = y[k];
      if (other === undefined) return false;
      if (token.age !== other.age) return token.age < other.age;
    }
    if (x.length !== y.length) return true;
    return a.candidate.transition.name < b.candidate.transition.name;
  }

  produced(transition: Transition, binding: Binding): { place: Place; values: number[] }[] {
    return transition.outputs.flatMap((arc) => {
      const place = this.place(arc.place);
      const count = this.value(arc.count, binding);
      if (!Number.isInteger(count) || count < 0 || count > 1e6) throw new RunError('RUN005', `count ${count}`);
      if (count === 0) return [];
      const values = place.fields.map((f) => {
        const v = this.value(arc.values[f.name]!, binding);
        const { low, high } = colourBounds(this.colours.get(f.colour)!);
        if (!Number.isInteger(v) || v < low || v > high)
          throw new RunError('RUN002', `${f.name} = ${v} in ${place.name}`);
        return v;
      });
      return Array.from({ length: count }, () => ({ place, values }));
    });
  }

  /** Tokens that come in one step come in the order of place name, then colour. */
  put(tokens: readonly { place: Place; values: readonly number[] }[]): void {
    const order = [...tokens].sort((a, b) => {
      if (a.place.name !== b.place.name) return a.place.name < b.place.name ? -1 : 1;
      const k = a.values.findIndex((v, i) => v !== b.values[i]);
      return k < 0 ? 0 : a.values[k]! - b.values[k]!;
    });
    for (const { place, values } of order) {
      if (place.service === undefined) this.arrive(place, values);
      else this.serve(place, values);
    }
  }

  arrive(place: Place, values: readonly number[]): void {
    this.tokens.get(place.name)!.push({ values, age: this.ages++, time: this.now });
  }

  serve(place: Place, values: readonly number[]): void {
    const s = place.service!;
    const binding = Object.fromEntries(place.fields.map((f, k) => [f.name, values[k]!]));
    const routes = this.tables.get(s.routes)!;
    if (routes.kind !== 'routes') throw new Error('no routes');
    const route = this.value(s.route, binding);
    if (!(route >= 0 && route < routes.start.length - 1)) throw new RunError('RUN003', `route ${route}`);
    const crosses = [];
    for (let k = routes.start[route]!; k < routes.start[route + 1]!; k++)
      crosses.push({ link: routes.link[k]!, coefficient: routes.coefficient[k]! });
    const [left, weight, bound] = [s.amount, s.weight, s.bound].map((e) => this.value(e, binding)) as [
      number,
      number,
      number,
    ];
    if (!(left >= 0 && left < Number.POSITIVE_INFINITY && weight > 0 && weight < Number.POSITIVE_INFINITY && bound > 0))
      throw new RunError('RUN006', `amount ${left}, weight ${weight}, bound ${bound}`);
    const alone = Math.min(bound, ...crosses.map((c) => s.links[c.link]!.capacity / c.coefficient));
    const done = alone === Number.POSITIVE_INFINITY;
    this.inService
      .get(place.name)!
      .push({ values, started: this.starts++, left: done ? 0 : left, weight, bound, crosses });
  }

  remove(place: string, like: Token): void {
    const all = this.tokens.get(place)!;
    const same = all.indexOf(like);
    const index = same >= 0 ? same : all.findIndex((t) => t.values.every((v, k) => v === like.values[k]));
    all.splice(index, 1);
  }

  place(name: string): Place {
    return this.net.places.find((p) => p.name === name)!;
  }

  value(e: Parameters<typeof evaluate>[0], b: Binding): number {
    return evaluate(e, b, this.tables);
  }

  record(what: Event['what'], transition: Transition, binding: Binding): void {
    if (this.tracing) this.trace.push({ time: this.now, what, transition: transition.name, binding });
  }
}

/** The tokens a candidate binds, by place name (and by position among the arcs of one place). */
function ordered(c: Candidate): Token[] {
  return c.transition.inputs
    .filter((a) => a.kind !== 'inhibit')
    .map((arc, k) => ({ arc, token: c.tokens[k]! }))
    .sort((a, b) => (a.arc.place < b.arc.place ? -1 : a.arc.place > b.arc.place ? 1 : 0))
    .map((x) => x.token);
}
