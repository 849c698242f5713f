import { markovChain } from '../../../analysis/markov/chain.ts';
import type { BoundedMean } from '../../../analysis/markov/mean-bounds.ts';
import { lowered, rewardsOf } from '../../../analysis/markov/rewards.ts';
import { SteadyState } from '../../../analysis/markov/steady-state.ts';
import { StepRates } from '../../../analysis/markov/step-rates.ts';
import { parseReward } from '../../../analysis/properties/parse-property.ts';
import { Derivatives, type Sensitive } from '../../../analysis/sensitivity/derivative.ts';
import { Budget } from '../../../analysis/space/budget.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import { given } from '../../../base/given.ts';
import { didYouMean, fail, InputError, type Problem, quote } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { named } from '../../inputs/check-options.ts';
import { byCutChain } from '../../steady/chain/by-growing-capacity.ts';
import { explored } from '../../steady/chain/chain-space.ts';
import { loadRemarks } from '../../steady/simulated/load-remarks.ts';
import { partOf } from '../axes/axes.ts';
import { delayOf, rateAxis } from '../axes/net-axes.ts';
import { type ChangedNet, scenarioNet } from '../axes/schedule-axes.ts';
import type { FigureDerivative, ScenarioFigure } from '../whatif-result.ts';
import type { Outcome, Predictor } from './predictor.ts';

/** Long-run figures that are asked for: names of figures, and expressions of rewards by name. */
export interface FigureRequest {
  readonly figures?: readonly string[];
  readonly rewards?: Readonly<Record<string, string>>;
}

/** Long-run figures, and the maximum number of states of their chain. */
export interface ExactOptions extends FigureRequest {
  readonly maxStates?: number;
}

/** The expression of each figure, as a reward of `steady`. */
type Asked = readonly { readonly name: string; readonly text: string; readonly unit: string }[];

/**
 * The figures that are asked for: `transitions.NAME.throughput`, `places.NAME.mean`, `rewards.NAME`; without names, all rewards. A name that is
 * given twice is one figure.
 *
 * @throws InputError WHAT022 no such figure, PROP001 to PROP007 for rewards
 */
export function figuresAsked(net: Net, { figures, rewards = {} }: FigureRequest): Asked {
  const known = [
    ...net.transitions.map((t) => ({
      name: `transitions.${t.name}.throughput`,
      text: `firings(${quoted(t.name)})`,
      unit: '1/s',
    })),
    ...net.places.map((p) => ({ name: `places.${p.name}.mean`, text: `tokens(${quoted(p.name)})`, unit: '1' })),
    ...Object.entries(rewards).map(([name, text]) => {
      const isRate = parseReward(text, net).kind === 'firings';
      return { name: `rewards.${name}`, text, unit: isRate ? '1/s' : '1' };
    }),
  ];
  const names = figures ?? Object.keys(rewards).map((name) => `rewards.${name}`);
  const all = known.map(({ name }) => name);
  return [...new Set(names)].map(
    (name) =>
      known.find((one) => one.name === name) ??
      fail('WHAT022', `net ${quote(net.name)} has no figure ${quote(name)}.${didYouMean(name, all)}`, {
        part: `figure ${name}`,
      }),
  );
}

const quoted = (name: string): string => JSON.stringify(name);

/** Returns a predictor of long-run figures from the Markov chain of a net, with proved intervals and derivatives. */
export function exactPredictor(changed: ChangedNet, options: ExactOptions): Predictor {
  const { net } = changed;
  const asked = figuresAsked(net, options);
  return ({ values, ideal }) => {
    if (ideal !== undefined) fail('WHAT012', `net ${quote(net.name)} has no network and no balance to idealise`);
    const own = scenarioNet(changed, values);
    const axes = Object.keys(values);
    try {
      return { blocked: 0, ...solved(own, asked, axes, options) };
    } catch (error) {
      if (!(error instanceof InputError) || error.problems[0]?.code !== 'CTMC004') throw error;
      return { blocked: 0, ...cut(own, asked, axes, options, error) };
    }
  };
}

type Solved = Pick<Outcome, 'complete' | 'figures' | 'warnings' | 'notes'>;

/** Without figures, and with a warning, if a limit was reached. @throws InputError CTMC004 infinitely many states */
function solved(net: Net, asked: Asked, axes: readonly string[], options: ExactOptions): Solved {
  // Refuses delays before exploring.
  void new StepRates(net);
  const budget = Budget.of({});
  const space = explored(net, budget, given(options, ['maxStates']), false);
  const chain = space.complete ? markovChain(space, budget.stop, { last: new Uint8Array(space.states) }) : undefined;
  const state = chain === undefined ? undefined : SteadyState.of(chain, budget.stop);
  if (chain === undefined || state === undefined)
    return { complete: false, figures: {}, warnings: [limitReached(space, options)] };
  const varied = axes.map((axis) => variedRate(net, axis));
  const rates = varied.filter((one) => typeof one !== 'string');
  const derivatives = rates.length === 0 ? undefined : Derivatives.of(chain, state, budget.stop);
  const notes = varied.flatMap((one, k) => {
    if (typeof one === 'string') return [noDerivative(axes[k]!, one)];
    return derivatives === undefined ? [noDerivative(axes[k]!, 'the net can end in several sets of states')] : [];
  });
  const figures = asked.map(({ text }) => {
    const expression = parseReward(text, net);
    const { raisedBy, ...reward } = rewardsOf(expression, chain, space);
    const mean = state.mean(reward);
    const counts = expression.kind === 'firings' ? numbersOf(space, expression.transitions) : [];
    const figure: Sensitive = { ...reward, counts };
    const slopes = derivatives?.of(figure, mean, rates) ?? [];
    return { mean: lowered(mean, raisedBy), slopes };
  });
  const entries = asked.map(({ name, unit }, k): [string, ScenarioFigure] => {
    const { mean, slopes } = figures[k]!;
    const found = slopes.map((slope, i) => derivativeOf(slope, rates[i]!, mean));
    const figure = { value: mean.mean, unit, ...intervalOf(mean) };
    return [name, found.length === 0 ? figure : { ...figure, derivatives: found }];
  });
  return { complete: true, figures: Object.fromEntries(entries), ...(notes.length === 0 ? {} : { notes }) };
}

/**
 * The figures of an infinite chain by one that is cut, as `steady` has them. Its intervals hold for the infinite chain; derivatives would be
 * those of the cut one.
 *
 * @param endless the error that is thrown if no capacity makes all intervals narrow
 * @throws InputError CTMC004 for a load of 1 or more, and `endless`
 */
function cut(net: Net, asked: Asked, axes: readonly string[], options: ExactOptions, endless: InputError): Solved {
  const rewards = asked.map(({ name, text }) => [name, parseReward(text, net)] as const);
  const question = {
    net,
    rewards,
    options: given(options, ['maxStates']),
    isLimited: options.maxStates !== undefined,
    isRestarted: false,
  };
  const budget = Budget.of({});
  const [load] = loadRemarks(net, budget.stop);
  if (load !== undefined) fail('CTMC004', load);
  const found = byCutChain({ ...question, budget });
  if (found === undefined) throw endless;
  const figures = asked.map(({ name, unit }): [string, ScenarioFigure] => {
    const { mean, lower, upper } = found.rewards!.find((one) => one.name === name)!;
    return [name, { value: mean!, unit, ...intervalOf({ lower: lower ?? Number.NaN, upper: upper ?? Number.NaN }) }];
  });
  const notes = axes.map((axis) =>
    noDerivative(axis, 'the chain has infinitely many states, and is cut at a capacity'),
  );
  return { complete: true, figures: Object.fromEntries(figures), notes };
}

const noDerivative = (axis: string, why: string): Problem => ({
  code: 'WHAT023',
  message: `no derivative by ${axis}: ${why}`,
  place: { part: partOf(axis) },
});

/** Warning WHAT024: why a scenario has no figures. Its status is `incomplete`. */
function limitReached({ truncation, states }: StateSpace, { maxStates }: ExactOptions): Problem {
  const reached =
    truncation === 'states'
      ? `more than ${maxStates} states, the limit of ${named('whatif', 'maxStates')}`
      : `the memory limit was reached at ${states} states`;
  return { code: 'WHAT024', message: `a scenario has no long-run figures, because of its Markov chain: ${reached}` };
}

function numbersOf({ net }: StateSpace, names: readonly string[]): number[] {
  return [...new Set(names)].map((name) => net.transitions.findIndex((t) => t.name === name));
}

/** The rate that an axis varies: a constant one of an exponential delay. */
interface AxisRate {
  readonly by: string;
  readonly transition: number;
  readonly rate: number;
  /** Change of the rate when the axis rises by 1. */
  readonly perUnit: number;
  /** The value of the axis. */
  readonly value: number;
}

/** The rate that an axis varies, or why there is no derivative by it. */
function variedRate(net: Net, axis: string): AxisRate | string {
  const name = delayOf(axis);
  if (name === undefined) return 'it is neither the rate nor the mean delay of a transition';
  const transition = net.transitions.findIndex((t) => t.name === name);
  const delay = net.transitions[transition]?.delay;
  if (delay === undefined || 'op' in delay || delay.dist !== 'exponential')
    return `the delay of ${quote(name)} is not exponential`;
  if (delay.rate.op !== 'const') return `the rate of ${quote(name)} is not constant`;
  const rate = delay.rate.value;
  const isRate = rateAxis(axis)?.what === 'rate';
  return { by: axis, transition, rate, perUnit: isRate ? 1 : -rate * rate, value: isRate ? rate : 1 / rate };
}

/** The derivative by the value of the axis, and the elasticity. */
function derivativeOf(slope: BoundedMean, { by, perUnit, value }: AxisRate, mean: BoundedMean): FigureDerivative {
  const ends = [slope.lower * perUnit, slope.upper * perUnit].sort((a, b) => a - b) as [number, number];
  const [lower, upper] = [ends[0] - ROUNDED * Math.abs(ends[0]), ends[1] + ROUNDED * Math.abs(ends[1])];
  const own = slope.mean * perUnit;
  const elasticity = mean.mean === 0 ? null : (own * value) / mean.mean;
  return { by, value: own, ...intervalOf({ lower, upper }), elasticity };
}

/** Roundings of a mean that becomes a rate and back. */
const ROUNDED = 2 ** -49;

function intervalOf({ lower, upper }: Pick<BoundedMean, 'lower' | 'upper'>) {
  const isBounded = Number.isFinite(lower) && Number.isFinite(upper);
  return isBounded ? { lower, upper, certainty: 1 } : { lower: null, upper: null, certainty: 0 };
}
