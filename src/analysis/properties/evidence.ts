import type { StateSpace } from '../space/state-space.ts';
import { crowded } from './colours.ts';
import type { Decider } from './decide.ts';
import type { Decision } from './formula-of.ts';
import type { FoundPath } from './proof.ts';
import { type Formula, isStateFormula } from './property.ts';
import { formulaText } from './property-text.ts';
import { infinitePath, pathAlong, pathWithin, type StatePath, shortestPaths } from './shortest.ts';
import { booleanOf, type Known } from './units.ts';
import { violatedConditions } from './workflow.ts';

/** A path that shows why a formula holds or fails. */
export interface Evidence extends StatePath {
  /** Number of steps before the part that repeats forever; undefined if the path is finite. */
  readonly loop?: number;
  /** The statement that holds at the end of the path or along it. */
  readonly shows: string;
  /** Set for a path found by other means than the exploration; its steps have no targets. */
  readonly found?: FoundPath;
}

/** `shows` of a path to a deadlock. */
export const NO_STEP = 'no further step is possible';

/** Formulas in `shows` are truncated to this number of characters. */
const MAX_TEXT = 160;

/**
 * Searches for a path that explains the value of a formula: a shortest path to a state that satisfies an `EF` or violates an
 * `AG`; a path into a cycle or to a dead state for an `EG` that holds or an `AF` that fails; then further into the formula as
 * far as a single path can show it. If several operands qualify, the first is used. Undefined if no single path explains the
 * value, as for an `AG` that holds or an `EF` that fails.
 */
export class Evidences {
  readonly #decider: Decider;
  readonly #space: StateSpace;
  readonly #bytes: number;

  constructor(decider: Decider, bytes: number) {
    this.#decider = decider;
    this.#space = decider.space;
    this.#bytes = bytes;
  }

  of({ question, value, known, proof }: Decision): Evidence | undefined {
    if (proof?.path !== undefined) return evidenceOf(partOf(proof.path, proof.because));
    if (question.kind !== 'formula' || typeof value !== 'boolean') return undefined;
    const found = this.#explain(question.formula, 0, value, known);
    if (found === undefined) return undefined;
    const first = found[0];
    if (first === undefined) return undefined;
    if (first.found !== undefined) return evidenceOf(first);
    const loop = found.findIndex((part) => part.loop !== undefined);
    const before = found.slice(0, Math.max(0, loop)).reduce((sum, part) => sum + part.path.steps.length, 0);
    return {
      from: first.path.from,
      steps: found.flatMap((part) => part.path.steps),
      shows: found.at(-1)!.shows,
      ...(loop < 0 ? {} : { loop: before + found[loop]!.loop! }),
    };
  }

  /** Consecutive segments of the path; undefined if no path explains the value. */
  #explain(f: Formula, state: number, holds: boolean, known?: ReadonlyMap<Formula, Known>): Part[] | undefined {
    if (isStateFormula(f)) return state === 0 && known !== undefined ? [this.#here(f, 0, holds)] : [];
    const unit = known?.get(f);
    if (unit?.state !== undefined) return this.#to(f, unit.state);
    if (unit?.path !== undefined) return [partOf(unit.path, sentence(goalOf(f), f.op !== 'AG'))];
    switch (f.op) {
      case 'not':
        return this.#explain(f.of, state, !holds, known);
      case 'and':
      case 'or':
        return this.#operands(f.of, state, holds, f.op === 'and', known);
      case 'implies':
        return this.#operands([{ op: 'not', of: f.a }, f.b], state, holds, false, known);
      case 'EX':
      case 'AX':
        return holds === (f.op === 'EX') ? this.#next(f.of, state, holds) : undefined;
      case 'EF':
      case 'AG':
        return holds === (f.op === 'EF') ? this.#within({ op: 'true' }, f.of, state, holds) : undefined;
      case 'EU':
        return holds ? this.#within(f.a, f.b, state, true) : undefined;
      case 'EG':
      case 'AF':
        return holds === (f.op === 'EG') ? this.#forEver(f.of, state, holds) : undefined;
      case 'AU': {
        if (holds) return undefined;
        const notB: Formula = { op: 'not', of: f.b };
        if (this.#sure({ op: 'EG', of: notB }, state)) return this.#forEver(notB, state, true);
        return this.#within(notB, { op: 'and', of: [{ op: 'not', of: f.a }, notB] }, state, true);
      }
      default:
        return undefined;
    }
  }

  /** Explains the first operand that decides the value; if every operand is needed, the only one with path operators. */
  #operands(
    parts: readonly Formula[],
    state: number,
    holds: boolean,
    all: boolean,
    known: ReadonlyMap<Formula, Known> | undefined,
  ): Part[] | undefined {
    if (holds === all) {
      const paths = parts.filter((part) => !isStateFormula(part));
      return paths.length === 1 ? this.#explain(paths[0]!, state, holds, known) : undefined;
    }
    const settling = parts.filter((part) => this.#settles(part, state, holds, known));
    for (const part of settling) {
      const found = this.#explain(part, state, holds, known);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #settles(part: Formula, state: number, holds: boolean, known: ReadonlyMap<Formula, Known> | undefined): boolean {
    const unit = known?.get(part);
    if (unit !== undefined) return unit.value === holds;
    return this.#sure(holds ? part : { op: 'not', of: part }, state);
  }

  #sure(f: Formula, state: number): boolean {
    if (isStateFormula(f)) return this.#decider.atoms.holds(f, state, state + 1)[0] === 1;
    return this.#decider.ctl()?.holding(f).must[state] === 1;
  }

  /** A path to a state that was found during exploration. */
  #to(f: Formula, state: number): Part[] {
    const [path] = shortestPaths(this.#space, [state], Math.min(this.#bytes, this.#decider.bytes), () =>
      this.#decider.check(),
    );
    const goal = goalOf(f);
    if (f.op === 'AG' && goal.op === 'EF')
      return [{ path: path!, shows: `from here on, ${textOf(goal.of)} never holds again` }];
    return [{ path: path!, shows: sentence(goal, f.op !== 'AG') }];
  }

  #here(f: Formula, state: number, holds: boolean): Part {
    return { path: { from: state, steps: [] }, shows: sentence(f, holds) };
  }

  #next(of: Formula, state: number, holds: boolean): Part[] | undefined {
    const goal: Formula = holds ? of : { op: 'not', of };
    const step = this.#space.firings(state).find((s) => s.target >= 0 && this.#sure(goal, s.target));
    if (step === undefined) return undefined;
    const part: Part = { path: { from: state, steps: [step] }, shows: sentence(of, holds) };
    return [part, ...(this.#explain(of, step.target, holds) ?? [])];
  }

  #within(through: Formula, goal: Formula, state: number, holds: boolean): Part[] | undefined {
    const ctl = this.#decider.ctl();
    const graph = this.#decider.graph();
    if (ctl === undefined || graph === undefined) return undefined;
    const reached = ctl.holding(holds ? goal : { op: 'not', of: goal }).must;
    const passes = ctl.holding(through).must;
    const states = pathWithin(
      graph,
      state,
      (s) => passes[s] === 1,
      (s) => reached[s] === 1,
    );
    if (states === undefined) return undefined;
    const part: Part = { path: pathAlong(this.#space, states), shows: sentence(goal, holds) };
    return [part, ...(this.#explain(goal, states.at(-1)!, holds) ?? [])];
  }

  #forEver(of: Formula, state: number, holds: boolean): Part[] | undefined {
    const ctl = this.#decider.ctl();
    const graph = this.#decider.graph();
    if (ctl === undefined || graph === undefined) return undefined;
    const stays = ctl.holding({ op: 'EG', of: holds ? of : { op: 'not', of } }).must;
    const found = infinitePath(graph, state, stays);
    if (found === undefined) return undefined;
    const all = `in every state: ${sentence(of, holds)}`;
    const path = pathAlong(this.#space, found.states);
    return [found.loop === undefined ? { path, shows: all } : { path, shows: all, loop: found.loop }];
  }
}

interface Part {
  readonly path: StatePath;
  readonly shows: string;
  readonly loop?: number;
  readonly found?: FoundPath;
}

function evidenceOf({ path, shows, loop, found }: Part): Evidence {
  return { ...path, shows, ...(loop === undefined ? {} : { loop }), ...(found === undefined ? {} : { found }) };
}

function partOf(found: FoundPath, shows: string): Part {
  return {
    path: { from: 0, steps: found.steps.map((step) => ({ ...step, target: -1 })) },
    shows: found.shows ?? shows,
    ...(found.loop === undefined ? {} : { loop: found.loop }),
    found,
  };
}

/** The formula to be reached or avoided. */
function goalOf(f: Formula): Formula {
  return f.op === 'EF' || f.op === 'AG' ? f.of : f.op === 'EU' ? f.b : f;
}

function sentence(f: Formula, holds: boolean): string {
  if (f.op === 'not') return sentence(f.of, !holds);
  if (holds && (f.op === 'deadlock' || f.op === 'dead')) return NO_STEP;
  return `${textOf(f)} ${holds ? 'holds' : 'does not hold'}`;
}

function textOf(f: Formula): string {
  const text = formulaText(f);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Maximum number of failing parts reported. */
const MAX_LISTED = 1000;

/**
 * The failing parts of a property that is a conjunction: operands of a top-level `and`; operands of the `and` under an `AG`
 * in the violating state; or the places that violate a `within` there; or the conditions of soundness. Empty for all other
 * properties.
 */
export function failingParts(decider: Decider, { question, value, known }: Decision): string[] {
  if (question.kind !== 'formula' || value !== false) return [];
  const { formula, sound } = question;
  if (sound !== undefined)
    return violatedConditions(decider.space.net, sound, known, (state) => decider.space.marking(state)).slice(
      0,
      MAX_LISTED,
    );
  if (formula.op === 'and') return texts(formula.of.filter((part) => booleanOf(part, known) === false));
  const { state, path } = known.get(formula) ?? {};
  if (formula.op !== 'AG' || (state === undefined && path === undefined)) return [];
  const holds = (f: Formula): boolean =>
    state === undefined ? path!.holds(f) : decider.atoms.holds(f, state, state + 1)[0] === 1;
  if (formula.of.op === 'and') return texts(formula.of.of.filter((part) => !holds(part)));
  if (formula.of.op !== 'within') return [];
  const { space } = decider;
  return crowded(space.net, state === undefined ? path!.marking : space.marking(state), formula.of.tokens);
}

function texts(formulas: readonly Formula[]): string[] {
  return formulas.slice(0, MAX_LISTED).map(formulaText);
}
