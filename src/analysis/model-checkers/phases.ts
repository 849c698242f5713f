import { surroundingsOf } from '../../net/evaluate.ts';
import { type Expression, variablesOf, withOperands } from '../../net/expression.ts';
import type { Delay, Net, Transition } from '../../net/net.ts';
import { clocksOf } from '../../net/race-timing.ts';
import { isPhaseType, type PhaseType, phaseTypeOf } from '../markov/delays/phase-type.ts';
import { all, constant, times, variable } from './formulas.ts';
import type { Command, TimedCommand } from './guarded-commands.ts';

/** Exponential phases one after another: after phase k the delay goes on with probability `onward[k]`, or ends. */
export interface Series {
  /** Per second. */
  readonly rates: readonly number[];
  readonly onward: readonly number[];
}

/** True if variables of a model can follow the phases of a delay: clocks have no order, and none is kept while its transition is disabled. */
export function hasWritablePhases({ delay, timing, memory = 'enabling', speed, ...t }: Transition): boolean {
  if (!isPhaseType(delay)) return false;
  return timing !== 'race' || (clocksOf(t) === 1 && memory === 'enabling' && speed === undefined);
}

/** The phases of a delay of an unfolded net. @throws InputError CTMC003 for parameters out of range */
export function seriesOf(net: Net, { name, delay }: Transition): Series {
  if (!isPhaseType(delay)) return { rates: [rateOf(delay!)], onward: [0] };
  return coxian(phaseTypeOf(delay, new Map(), surroundingsOf(net), { part: `transition ${name}` })([]));
}

/** The rate of an exponential delay of an unfolded net. */
export const rateOf = (delay: Delay): number =>
  ((delay as { readonly rate: Expression }).rate as { readonly value: number }).value;

/**
 * The same distribution as a series that begins in one phase (Cumani, _Microelectronics and Reliability_ 22, 1982). A choice between
 * exponential delays begins with the highest rate μ: λ/(s + λ) = μ/(s + μ) · (λ/μ + (1 − λ/μ) λ/(s + λ)). So a branch of rate λ ends
 * after that phase with probability λ/μ, and otherwise is chosen again among the others.
 */
function coxian({ first, rates, onward }: PhaseType): Series {
  if (first.length === 1) return { rates, onward };
  const branches = first
    .map(({ phase, probability }) => ({ rate: rates[phase - 1]!, probability }))
    .sort((a, b) => b.rate - a.rate);
  const series: { readonly rates: number[]; readonly onward: number[] } = { rates: [], onward: [] };
  for (let left = branches; left.length > 0; ) {
    const [{ rate }] = left as [(typeof left)[0]];
    const others = left
      .map((b) => ({ rate: b.rate, probability: (b.probability * (rate - b.rate)) / rate }))
      .filter(({ probability }) => probability > 0);
    const total = others.reduce((sum, { probability }) => sum + probability, 0);
    series.rates.push(rate);
    series.onward.push(total);
    left = others.map((b) => ({ rate: b.rate, probability: b.probability / total }));
  }
  return series;
}

/** Successive phases of a series with equal rates and probabilities: `from` … `to`, numbered from 0. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly rate: number;
  readonly onward: number;
}

function runsOf({ rates, onward }: Series): Run[] {
  const runs: Run[] = [];
  for (const [k, rate] of rates.entries()) {
    const last = runs.at(-1);
    if (last?.rate === rate && last.onward === onward[k]) runs[runs.length - 1] = { ...last, to: k };
    else runs.push({ from: k, to: k, rate, onward: onward[k]! });
  }
  return runs;
}

/** A race whose phase is a variable: 1 where it is disabled. */
export class PhasedRace {
  readonly id: string;
  readonly #guard: Expression;
  readonly #reads: ReadonlySet<string>;
  readonly #series: Series;
  readonly #command: Command;

  /** @param command the firing of the race, without its phase */
  constructor(id: string, command: Command, series: Series) {
    this.id = id;
    this.#command = command;
    this.#guard = command.guard;
    this.#reads = variablesOf(command.guard);
    this.#series = series;
  }

  /** The firings, which reset the phase. */
  get firings(): TimedCommand[] {
    return this.#steps(({ onward }) => 1 - onward, this.#command.what, [
      ...this.#command.updates,
      { id: this.id, value: constant(1) },
    ]);
  }

  /** The changes of the phase. */
  get changes(): TimedCommand[] {
    const next: Expression = { op: 'add', a: variable(this.id), b: constant(1) };
    const what = `next phase before ${this.#command.what}`;
    return this.#steps(({ onward }) => onward, what, [{ id: this.id, value: next }]);
  }

  /** A step of another transition, which resets the phase if it disables the race. */
  reset<C extends Command>(command: C): C {
    const after = new Map(command.updates.map(({ id, value }) => [id, value]));
    if (after.has(this.id) || ![...this.#reads].some((id) => after.has(id))) return command;
    const changed = (e: Expression): Expression =>
      e.op === 'var' ? (after.get(e.name) ?? e) : withOperands(e, changed);
    const value: Expression = { op: 'if', test: changed(this.#guard), a: variable(this.id), b: constant(1) };
    return { ...command, updates: [...command.updates, { id: this.id, value }] };
  }

  #steps(share: (run: Run) => number, what: string, updates: Command['updates']): TimedCommand[] {
    return runsOf(this.#series).flatMap((run) => {
      const rate = share(run) * run.rate;
      return rate === 0 ? [] : [{ what, guard: all([this.#guard, this.#within(run)]), updates, rate: constant(rate) }];
    });
  }

  #within({ from, to }: Run): Expression {
    const phase = variable(this.id);
    if (from === to) return { op: 'eq', a: phase, b: constant(from + 1) };
    return all([
      { op: 'ge', a: phase, b: constant(from + 1) },
      { op: 'le', a: phase, b: constant(to + 1) },
    ]);
  }
}

/**
 * The ends and changes of phases of holding firings, which are counted by phase.
 *
 * @param end the end of a firing in a phase
 */
export function phasedEnds(
  { rates, onward }: Series,
  counters: readonly string[],
  end: (phase: number) => Command,
): { readonly ends: TimedCommand[]; readonly changes: TimedCommand[] } {
  const ends: TimedCommand[] = [];
  const changes: TimedCommand[] = [];
  for (const [k, id] of counters.entries()) {
    const command = end(k);
    const own = variable(id);
    const rated = (share: number): Expression => times(share * rates[k]!, own);
    if (onward[k]! < 1) ends.push({ ...command, rate: rated(1 - onward[k]!) });
    if (onward[k] === 0) continue;
    const next = counters[k + 1]!;
    changes.push({
      what: `next phase before ${command.what}`,
      guard: { op: 'ge', a: own, b: constant(1) },
      updates: [
        { id, value: { op: 'sub', a: own, b: constant(1) } },
        { id: next, value: { op: 'add', a: variable(next), b: constant(1) } },
      ],
      rate: rated(onward[k]!),
    });
  }
  return { ends, changes };
}
