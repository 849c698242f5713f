import { COMPONENT_BYTES, components } from '../petri/components.ts';
import type { Budget } from '../space/budget.ts';
import type { Exploration, StateGraph, StateSpace } from '../space/state-space.ts';
import { Ctl, predecessorBytes, predecessors } from './ctl.ts';
import type { Decision, Helper, Open, Question } from './formula-of.ts';
import type { FoundPath, Proof } from './proof.ts';
import type { Formula, Sum } from './property.ts';
import { StateFormulas } from './state-formula.ts';
import { booleanOf, type Known, type Unit, unitsOf } from './units.ts';

/** The first slice is small, so that properties decided by few states are answered quickly. */
const FIRST_SLICE = 256;
const MAX_SLICE = 1 << 15;
/** Slices that take longer are shortened. Milliseconds. */
const LONG_SLICE = 100;
/** Working memory of a path operator in bytes per state. */
const WORKING_BYTES = 16;
/** Path formulas are first tried on the known part after this number of states, then each time it has grown by `TRY_AGAIN`. */
const TRY_AFTER = 1 << 12;
const TRY_AGAIN = 16;

interface Asked {
  readonly question: Question;
  readonly units: Map<Formula, Unit>;
  readonly known: Map<Formula, Known>;
  most: number;
  bounds: number[] | undefined;
  states: number;
  value: boolean | number | undefined;
  reason: string | undefined;
  /** Markings examined by a helper that did not decide the question. */
  seen: number | undefined;
  proof: Proof | undefined;
}

/** Thrown if the user cancels or the time limit is reached. */
export class Ended extends Error {
  readonly limit: 'interrupted' | 'time';

  constructor(limit: 'interrupted' | 'time') {
    super();
    this.limit = limit;
  }
}

const REASONS = { interrupted: 'ended by request', time: 'the time limit was reached' } as const;

/**
 * Answers questions about a net during the exploration of its state space, each as early as the known part allows, and stops
 * exploring as soon as all are answered. A complete space answers every question. In a truncated space a state that was
 * found settles its question, an `EF` without a witness stays unknown, and path formulas are decided if unknown states
 * cannot change the result ({@link Ctl}).
 */
export class Decider {
  /** Why the work ended with questions still open; undefined otherwise. */
  ended: Ended['limit'] | undefined;
  readonly space: StateSpace;
  readonly atoms: StateFormulas;
  readonly #exploration: Exploration;
  readonly #options: DecideOptions;
  #budget: Budget | undefined;
  readonly #asked: readonly Asked[];
  #seen = 0;
  #graph: StateGraph | undefined;
  #ctl: Ctl | undefined;

  constructor(exploration: Exploration, questions: readonly Question[], options: DecideOptions) {
    this.#exploration = exploration;
    this.space = exploration.space;
    this.#options = options;
    this.#budget = options.budget;
    this.atoms = new StateFormulas(this.space, options.final, () => this.#check());
    this.#asked = questions.map((question) => ({
      question,
      units: question.kind === 'formula' ? unitsOf(question.formula) : new Map(),
      known: new Map(),
      most: Number.NEGATIVE_INFINITY,
      bounds: question.kind === 'bounds' ? this.space.net.places.map(() => 0) : undefined,
      states: 0,
      value: undefined,
      reason: undefined,
      seen: undefined,
      proof: undefined,
    }));
  }

  /** Explores until every question is answered or cannot be answered. */
  run(): void {
    const { space } = this;
    let slice = FIRST_SLICE;
    let next = TRY_AFTER;
    let more = true;
    try {
      this.#look();
      if (this.#options.instead !== undefined) {
        this.#help([this.#options.instead]);
        more = false;
        next = 0;
      }
      const { proveFirst = false } = this.#options;
      if (proveFirst && more) {
        this.#prove();
        this.#help(this.#options.first ?? []);
      }
      while (more && this.#open.length > 0) {
        const begun = performance.now();
        more = this.#exploration.advance(slice);
        this.#look();
        // With a time limit a slice takes about a tenth of a second; without one slices must not depend on time.
        const late = this.#budget?.isTimed === true && performance.now() - begun > LONG_SLICE;
        slice = late ? Math.max(FIRST_SLICE, slice >> 1) : Math.min(MAX_SLICE, slice * 2);
        if (more && space.states >= next) {
          if (next === TRY_AFTER && !proveFirst) this.#prove();
          next = space.states * TRY_AGAIN;
          this.#paths();
        }
        if (more && next !== TRY_AFTER) more = !this.#helped();
      }
      if (!space.complete && next === TRY_AFTER && !proveFirst) this.#prove();
      if (space.truncation !== undefined && this.#open.length > 0) this.#helped();
      if (this.#open.length > 0) this.#finish();
    } catch (e) {
      if (!(e instanceof Ended)) throw e;
      this.ended = e.limit;
      for (const asked of this.#open) asked.reason = REASONS[e.limit];
    }
    this.#locate();
    this.#options.stage?.('formulas');
  }

  /** Where states are not kept: replaces those that show a value by paths to them. */
  #locate(): void {
    const { located } = this.#options;
    if (located === undefined) return;
    const found = this.#asked.flatMap(({ known }) =>
      [...known].flatMap(([formula, { value, state }]) =>
        state === undefined ? [] : [{ known, formula, value, state }],
      ),
    );
    if (found.length === 0) return;
    const paths = located(found.map(({ state }) => state));
    for (const [k, { known, formula, value }] of found.entries()) {
      const path = paths?.[k];
      known.set(formula, path === undefined ? { value } : { value, path });
    }
  }

  get decisions(): Decision[] {
    return this.#asked.map(({ question, value, units, known, most, bounds, states, reason, seen, proof }) => ({
      question,
      value,
      units,
      known,
      states: value === undefined ? (seen ?? this.space.states) : states,
      ...(value === undefined && question.kind !== 'formula' && most > Number.NEGATIVE_INFINITY
        ? { atLeast: most }
        : {}),
      ...(bounds === undefined ? {} : { bounds }),
      ...(reason === undefined ? {} : { reason }),
      ...(proof === undefined ? {} : { proof }),
    }));
  }

  /** All edges between the states found; undefined if they exceed the memory limit. */
  graph(): StateGraph | undefined {
    if (this.#graph?.states !== this.space.states) {
      this.#options.stage?.('edges');
      this.#graph = this.space.graph(this.bytes, () => this.#late !== undefined);
      this.check();
      this.#ctl = undefined;
    }
    return this.#graph;
  }

  /** Fixpoint evaluation over the states found; undefined if the edges exceed the memory limit. */
  ctl(): Ctl | undefined {
    const graph = this.graph();
    if (graph === undefined) return undefined;
    if (this.#ctl === undefined) {
      const { bytes } = this;
      const needed = predecessorBytes(graph);
      if (needed + WORKING_BYTES * graph.states > bytes) return undefined;
      this.#ctl = new Ctl(
        predecessors(this.space, graph, () => this.#check()),
        this.atoms,
        { check: () => this.#check(), bytes: bytes - needed },
      );
    }
    return this.#ctl;
  }

  get #open(): Asked[] {
    return this.#asked.filter((a) => a.value === undefined);
  }

  /** Memory available for the next allocation, in bytes. */
  get bytes(): number {
    return Math.min(this.#options.bytes, this.#budget?.bytesLeft ?? Number.POSITIVE_INFINITY);
  }

  /** Replaces the budget for the work that follows, for example the search for witnesses. */
  allow(budget: Budget): void {
    this.#budget = budget;
  }

  /** @throws Ended if cancelled or out of time */
  check(): void {
    this.#check();
  }

  get #late(): Ended['limit'] | undefined {
    return this.#options.cancelled?.() === true ? 'interrupted' : this.#budget?.late;
  }

  #check(): void {
    const late = this.#late;
    if (late !== undefined) throw new Ended(late);
  }

  /** Evaluates the open questions on the states found since the last call. */
  #look(): void {
    const [from, to] = [this.#seen, this.space.states];
    if (from === to) return;
    this.#seen = to;
    for (const asked of this.#open) {
      if (asked.question.kind === 'most')
        asked.most = Math.max(asked.most, this.atoms.most(asked.question.sum, from, to));
      else if (asked.question.kind === 'bounds') this.#lookBounds(asked, from, to);
      else {
        for (const unit of asked.units.values())
          if (!asked.known.has(unit.formula)) this.#lookUnit(asked, unit, from, to);
        this.#settle(asked);
      }
    }
  }

  #lookBounds(asked: Asked, from: number, to: number): void {
    asked.most = this.space.maxTokensInPlace;
    this.space.net.places.forEach(({ name }, k) => {
      const sum: Sum = { terms: [{ factor: 1, place: name }], constant: 0 };
      asked.bounds![k] = Math.max(asked.bounds![k]!, this.atoms.most(sum, from, to));
    });
  }

  #lookUnit({ known }: Asked, unit: Unit, from: number, to: number): void {
    if (unit.kind === 'now') {
      if (from === 0) known.set(unit.formula, { value: this.atoms.holds(unit.formula, 0, 1)[0] === 1 });
    } else if (unit.kind === 'reach') {
      const state = this.atoms.first(unit.goal, from, to);
      if (state >= 0) known.set(unit.formula, { value: unit.found, state });
    }
  }

  #settle(asked: Asked): void {
    if (asked.question.kind !== 'formula' || asked.value !== undefined) return;
    asked.value = booleanOf(asked.question.formula, asked.known);
    if (asked.value !== undefined) asked.states = this.space.states;
  }

  /** Asks the helpers; returns true if further exploration is useless. */
  #helped(): boolean {
    const { helpers = [] } = this.#options;
    this.#help(helpers);
    for (const helper of helpers) {
      const reason = helper.stops?.(this.space.states);
      if (reason === undefined) continue;
      for (const asked of this.#open) asked.reason ??= reason;
      return true;
    }
    return false;
  }

  #help(helpers: readonly Helper[]): void {
    const { states, truncation: ended } = this.space;
    for (const helper of helpers) {
      this.#check();
      helper.work(
        this.#open.map((asked) => this.#opened(asked)),
        { states, ended },
      );
    }
  }

  #opened(asked: Asked): Open {
    const { question, known } = asked;
    return {
      question,
      units: [...asked.units.values()].filter((unit) => !known.has(unit.formula)),
      get settled() {
        return asked.value !== undefined;
      },
      know: (unit, is) => {
        known.set(unit.formula, is);
        this.#settle(asked);
      },
      answer: (proof) => this.#proved(asked, proof),
      because: (reason, states) => {
        asked.reason = reason;
        asked.seen = states;
      },
    };
  }

  /** Tries to prove the open questions without states. */
  #prove(): void {
    for (const asked of this.#open) {
      this.#check();
      const proof = this.#options.prove?.(asked.question);
      if (proof !== undefined) this.#proved(asked, proof);
    }
  }

  #proved(asked: Asked, proof: Proof): void {
    asked.proof = proof;
    asked.value = proof.value;
    asked.states = this.space.states;
    if (proof.bounds !== undefined) asked.bounds = proof.bounds === null ? undefined : [...proof.bounds];
  }

  /** Evaluates everything that is left once exploration has ended. */
  #finish(): void {
    const { complete, states } = this.space;
    for (const asked of this.#open) {
      if (complete && asked.question.kind !== 'formula') {
        asked.value = asked.most;
        asked.states = states;
      }
      for (const unit of asked.units.values())
        if (complete && unit.kind === 'reach' && !asked.known.has(unit.formula))
          asked.known.set(unit.formula, { value: !unit.found });
      // Every condition of soundness is decided, so that all violated ones are reported.
      if (asked.question.kind !== 'formula' || asked.question.sound === undefined) this.#settle(asked);
    }
    if (complete) this.#homes();
    for (const asked of this.#open) this.#settle(asked);
    this.#paths();
  }

  #undecided(...kinds: readonly Unit['kind'][]): [Asked, Unit][] {
    return this.#open.flatMap((asked) =>
      [...asked.units.values()]
        .filter((unit) => kinds.includes(unit.kind) && !asked.known.has(unit.formula))
        .map((unit): [Asked, Unit] => [asked, unit]),
    );
  }

  /** `AG EF goal` in a complete space: every bottom component must contain a state of the goal. */
  #homes(): void {
    const left = this.#undecided('home');
    if (left.length === 0) return;
    this.#check();
    const graph = this.graph();
    if (graph === undefined) {
      this.#withoutEdges(left);
      return;
    }
    if (COMPONENT_BYTES * graph.states > this.bytes) {
      this.#withoutEdges(left);
      return;
    }
    const found = components(graph, () => this.#late !== undefined);
    this.#check();
    const { of, bottom, count } = found!;
    for (const [asked, unit] of left) {
      if (unit.kind !== 'home' || asked.value !== undefined) continue;
      this.#check();
      const has = new Uint8Array(count);
      const { states } = graph;
      for (let at = 0; at < states; at += MAX_SLICE) {
        const holds = this.atoms.holds(unit.goal, at, Math.min(states, at + MAX_SLICE));
        for (let k = 0; k < holds.length; k++) has[of[at + k]!]! |= holds[k]!;
      }
      const state = of.findIndex((c) => bottom[c] === 1 && has[c] === 0);
      asked.known.set(unit.formula, state < 0 ? { value: true } : { value: false, state });
      this.#settle(asked);
    }
  }

  /** Path formulas, and in a truncated space also `AG EF goal`, evaluated at the initial state. */
  #paths(): void {
    const left = this.#undecided('paths', ...(this.space.complete ? [] : (['home'] as const)));
    if (left.length === 0) return;
    this.#check();
    const ctl = this.ctl();
    if (ctl === undefined) {
      this.#withoutEdges(left);
      return;
    }
    for (const [asked, { formula }] of left) {
      if (asked.value !== undefined) continue;
      const { must, may } = ctl.holding(formula);
      if (must[0] === 1) asked.known.set(formula, { value: true });
      else if (may[0] === 0) asked.known.set(formula, { value: false });
      this.#settle(asked);
    }
  }

  #withoutEdges(left: readonly (readonly [Asked, Unit])[]): void {
    for (const [asked] of left) asked.reason = 'the edges do not fit into the memory limit';
  }
}

interface DecideOptions {
  /** Formula of the markings in which a run may end. */
  readonly final?: Formula;
  /** Memory limit of the edges, in bytes. */
  readonly bytes: number;
  readonly cancelled?: () => boolean;
  /** Limits of the whole work: it ends when time is over, and large allocations respect the memory left. */
  readonly budget?: Budget;
  /** Tries to answer a question without states; called once many states have been found. */
  readonly prove?: (question: Question) => Proof | undefined;
  /** True if `prove` is called before any state is explored: for nets of which a state takes as long as a proof. */
  readonly proveFirst?: boolean;
  /** Procedures that are called once after `prove`, if that comes first. */
  readonly first?: readonly Helper[];
  /** Other procedures that answer questions, in order; called from the same point on. */
  readonly helpers?: readonly Helper[];
  /** Replaces the exploration, which then provides the initial marking only. */
  readonly instead?: Helper;
  /** Hash compaction: paths to states; undefined if there is no time for them. */
  readonly located?: (states: readonly number[]) => readonly FoundPath[] | undefined;
  /** Called with the stage of the work that begins. */
  readonly stage?: (stage: 'exploring' | 'edges' | 'formulas') => void;
}
