import { type Decider, Ended } from '../../../analysis/properties/decide.ts';
import { type Evidence, Evidences, failingParts, NO_STEP } from '../../../analysis/properties/evidence.ts';
import { delaysPermit } from '../../../analysis/properties/forced-times.ts';
import type { Decision } from '../../../analysis/properties/formula-of.ts';
import type { Ground } from '../../../analysis/properties/proof.ts';
import type { Formula } from '../../../analysis/properties/property.ts';
import { formulaText } from '../../../analysis/properties/property-text.ts';
import { replay } from '../../../analysis/properties/replay.ts';
import { namedStep } from '../../../analysis/properties/steps.ts';
import { MarkingTokens } from '../../../analysis/space/marking-tokens.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import { commandLine, fileArgument } from '../../../base/shell-words.ts';
import { firstFew } from '../../../report/units.ts';
import { omissionText } from '../../explore/omission-text.ts';
import type { MachineOptions } from '../../inputs/target.ts';
import type { Certificate, PropertyResult, Witness } from './verification.ts';
import type { NamedQuestion } from './verify-questions.ts';

/** Converts decisions to results of the document; every witness is confirmed by an independent replay. */
export class Results {
  readonly #decider: Decider;
  readonly #space: StateSpace;
  readonly #options: Parameters<typeof verifyCommandLine>[2];
  readonly #evidences: Evidences;

  /** @param bytes memory limit for edges, in bytes */
  constructor(decider: Decider, options: Parameters<typeof verifyCommandLine>[2], bytes: number) {
    this.#decider = decider;
    this.#space = decider.space;
    this.#options = options;
    this.#evidences = new Evidences(decider, bytes);
  }

  /** @param file input file; with it, the result contains a command line that repeats it */
  of(decision: Decision, { id, text }: NamedQuestion, file: string | undefined): PropertyResult {
    const { value, states, atLeast, bounds } = decision;
    const witness = this.#witness(decision);
    const failing = this.#unlessEnded(() => failingParts(this.#decider, decision)) ?? [];
    const certificate = this.#certificate(decision, witness !== undefined);
    const holdsIn = this.#holdsIn(decision);
    return {
      id,
      property: text,
      verdict: value === undefined ? null : orUnbounded(value),
      states,
      ...(value === undefined ? { reason: decision.reason ?? this.#limit() } : {}),
      ...(atLeast === undefined ? {} : { atLeast }),
      ...(bounds === undefined ? {} : { bounds: this.#named(bounds) }),
      ...(failing.length === 0 ? {} : { failing }),
      ...(holdsIn.length === 0 ? {} : { holdsIn }),
      ...(witness === undefined ? {} : { witness }),
      ...(certificate === undefined ? {} : { certificate }),
      ...(file === undefined || file === '-' ? {} : { repeat: verifyCommandLine(file, text, this.#options) }),
    };
  }

  /** Basis of a verdict other than a witness. */
  #certificate({ value, question, proof, units, known }: Decision, shown: boolean): Certificate | undefined {
    const space = this.#space;
    if (proof?.ground !== undefined) return proof.ground;
    if (proof !== undefined) return { kind: 'structure', by: proof.by, because: proof.because };
    if (value === undefined) return undefined;
    const ground = joint([...known.values()].flatMap((k) => k.ground ?? []));
    if (ground !== undefined) return ground;
    const all = question.kind !== 'formula' || (!shown && [...units.values()].some((u) => u.kind !== 'now'));
    return all && space.complete ? { kind: 'complete space', states: space.states, edges: space.edges } : undefined;
  }

  #named(bounds: readonly number[]): Record<string, number | 'unbounded'> {
    return Object.fromEntries(this.#space.net.places.map((p, k) => [p.name, orUnbounded(bounds[k]!)]));
  }

  #limit(): string {
    const words = {
      states: 'the state limit was reached',
      memory: 'the memory limit was reached',
      time: 'the time limit was reached',
      interrupted: 'ended by request',
    };
    const { truncation, omission } = this.#space;
    if (truncation === undefined && omission !== undefined && this.#decider.ended === undefined)
      return `not proven, since ${omissionText(omission)}`;
    return truncation === undefined ? 'ended by request' : words[truncation];
  }

  /** Number of states in which the temporal subformulas hold; empty unless the state space is complete. */
  #holdsIn({ units, value }: Decision): { readonly formula: string; readonly states: number }[] {
    if (!this.#space.complete || value === undefined) return [];
    return [...units.values()].flatMap(({ kind, formula }) => {
      const holds = kind === 'paths' ? this.#unlessEnded(() => this.#decider.ctl()?.holding(formula).must) : undefined;
      if (holds === undefined) return [];
      return [{ formula: formulaText(formula), states: holds.reduce((sum, x) => sum + x, 0) }];
    });
  }

  #witness(decision: Decision): Witness | undefined {
    const found = this.#unlessEnded(() => this.#evidences.of(decision));
    if (found === undefined) return undefined;
    const steps = found.steps.map((step) => namedStep(this.#space.net, step));
    const { changes } = this.#replayed(steps);
    if (found.found?.loop !== undefined)
      assertGrows(this.#replayed([...steps, ...steps.slice(found.found.loop)]), found.found.loop, steps.length);
    const delays = delaysPermit(this.#space.net, found.steps, (step) => this.#canStart(found, step));
    return {
      steps: steps.map((step, k) => ({ ...step, changes: changes[k]! })),
      ...(found.loop === undefined ? {} : { loop: found.loop }),
      shows: steps.length === 0 && found.shows === NO_STEP ? `${NO_STEP}; tokens: ${this.#initially()}` : found.shows,
      shortest: isShortest(decision, found),
      ...(delays === undefined ? {} : { delays }),
    };
  }

  /** The first tokens of the initial marking: steps name the nodes of a witness, and a witness without steps has none. */
  #initially(): string {
    const all = new MarkingTokens(this.#space.net)
      .tokens(this.#space.marking(0))
      .map(
        ({ place, token, count }) => `${place} ${token === '' ? count : `${count === 1 ? '' : `${count}×`}${token}`}`,
      );
    return firstFew(all);
  }

  /** True if a firing can start in the state before a step of the sequence. */
  #canStart({ from, steps, found }: Evidence, step: number): boolean {
    if (found !== undefined) return found.canStart(step);
    const state = step === 0 ? from : steps[step - 1]!.target;
    return this.#space.firings(state).some((f) => f.kind === 'fire' || f.kind === 'start');
  }

  /** Replays a sequence; failure is an internal error, so no result is returned. */
  #replayed(steps: Parameters<typeof replay>[1]): ReturnType<typeof replay> {
    try {
      return replay(this.#space.net, steps);
    } catch (e) {
      throw new Error(`a sequence found by the search does not replay: ${(e as Error).message}`);
    }
  }

  #unlessEnded<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (e) {
      if (!(e instanceof Ended)) throw e;
      return undefined;
    }
  }
}

/** Checks that one pass through the loop decreases no place and increases at least one. */
function assertGrows({ changes }: ReturnType<typeof replay>, from: number, to: number): void {
  const sums = new Map<string, number>();
  for (const { place, colour, by } of changes.slice(from, to).flat()) {
    const key = JSON.stringify([place, colour]);
    sums.set(key, (sums.get(key) ?? 0) + by);
  }
  const all = [...sums.values()];
  if (all.some((n) => n < 0) || !all.some((n) => n > 0)) throw new Error('a loop found by the search adds no tokens');
}

/** JSON has no infinity. */
function orUnbounded<T extends boolean | number>(value: T): T | 'unbounded' {
  return value === Number.POSITIVE_INFINITY ? 'unbounded' : value;
}

/** Combines the grounds of several searches of reduced nets: their states and edges are added. */
function joint(grounds: readonly Ground[]): Ground | undefined {
  const alike = grounds.filter((g) => g.kind === 'reduced space');
  const [first] = alike;
  if (first === undefined) return grounds[0];
  const sum = (of: (g: (typeof alike)[number]) => number): number => alike.reduce((n, g) => n + of(g), 0);
  return { ...first, states: sum((g) => g.states), edges: sum((g) => g.edges) };
}

/** Sequences to a state found breadth first are shortest; sequences for nested formulas are shortest only part by part. */
function isShortest({ question, units, known }: Decision, { loop, found }: Evidence): boolean {
  if (found !== undefined) return found.shortest;
  if (question.kind !== 'formula' || loop !== undefined) return false;
  const [unit, another] = [...units.values()].filter((u) => u.kind !== 'now');
  return (
    another === undefined && unit !== undefined && unit.kind === 'reach' && known.get(unit.formula)?.state !== undefined
  );
}

/** Options of a verification that are repeated on the command line. */
interface Repeated extends MachineOptions {
  readonly maxStates?: number;
  readonly memory?: number;
  readonly seconds?: number;
  readonly reduce?: string;
  readonly hashCompact?: boolean;
  readonly seed?: number | string;
  readonly final?: string | Formula;
  readonly set?: Readonly<Record<string, number | string | boolean>>;
}

const FLAGS = {
  machine: '--machine',
  hostfile: '--hostfile',
  placement: '--placement',
  ranks: '--ranks',
  networkModel: '--network-model',
  collectives: '--collectives',
  maxStates: '--max-states',
  memory: '--memory',
  seconds: '--seconds',
  reduce: '--reduce',
} as const;

/** Command line for a POSIX shell that verifies one property again. */
function verifyCommandLine(input: string, property: string, options: Repeated): string {
  const words = ['foretoken', 'verify', fileArgument(input), '--property', property];
  for (const key of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    const value = options[key];
    if (typeof value === 'string' || typeof value === 'number') words.push(FLAGS[key], String(value));
  }
  const { final } = options;
  if (final !== undefined) words.push('--final', typeof final === 'string' ? final : formulaText(final));
  if (options.hashCompact === true) words.push('--hash-compact');
  if (options.seed !== undefined) words.push('--seed', String(options.seed));
  if (options.oversubscribe === true) words.push('--oversubscribe');
  for (const [name, value] of Object.entries(options.set ?? {})) words.push('--set', `${name}=${value}`);
  return commandLine(words);
}
