import { markovChain } from '../../../analysis/markov/chain.ts';
import type { BoundedMean } from '../../../analysis/markov/mean-bounds.ts';
import { lowered, rewardsOf } from '../../../analysis/markov/rewards.ts';
import { SteadyState } from '../../../analysis/markov/steady-state.ts';
import { StepRates } from '../../../analysis/markov/step-rates.ts';
import { parseReward } from '../../../analysis/properties/parse-property.ts';
import { Derivatives, type Sensitive } from '../../../analysis/sensitivity/derivative.ts';
import { Budget } from '../../../analysis/space/budget.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import { didYouMean, fail, quote } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { explored } from '../../steady/chain-space.ts';
import { changeNet, rateAxis } from '../axes/net-axes.ts';
import type { FigureDerivative, ScenarioFigure } from '../whatif-result.ts';
import type { Predictor } from './predictor.ts';

/** Long-run figures that are asked for: names of figures, and expressions of rewards by name. */
export interface FigureRequest {
  readonly figures?: readonly string[];
  readonly rewards?: Readonly<Record<string, string>>;
}

/** The expression of each figure, as a reward of `steady`. */
type Asked = readonly { readonly name: string; readonly text: string; readonly unit: string }[];

/**
 * The figures that are asked for: `transitions.NAME.throughput`, `places.NAME.mean`, `rewards.NAME`; without names, all rewards.
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
  return names.map(
    (name) =>
      known.find((one) => one.name === name) ??
      fail('WHAT022', `net ${quote(net.name)} has no figure ${quote(name)}.${didYouMean(name, all)}`, {
        part: `figure ${name}`,
      }),
  );
}

const quoted = (name: string): string => JSON.stringify(name);

/** Returns a predictor of long-run figures from the Markov chain of a net, with proved intervals and derivatives. */
export function exactPredictor(net: Net, options: FigureRequest): Predictor {
  const asked = figuresAsked(net, options);
  return ({ values, ideal }) => {
    if (ideal !== undefined) fail('WHAT012', `net ${quote(net.name)} has no network and no balance to idealise`);
    let own = net;
    for (const [axis, value] of Object.entries(values)) own = changeNet(own, axis, value);
    const found = solved(own, asked, Object.keys(values));
    return { complete: found !== undefined, blocked: 0, figures: found ?? {} };
  };
}

/** Undefined if memory ran out. */
function solved(net: Net, asked: Asked, axes: readonly string[]): Readonly<Record<string, ScenarioFigure>> | undefined {
  // Refuses delays before exploring.
  void new StepRates(net);
  const budget = Budget.of({});
  const space = explored(net, budget, {});
  const chain = space.complete ? markovChain(space, budget.stop, { last: new Uint8Array(space.states) }) : undefined;
  const state = chain === undefined ? undefined : SteadyState.of(chain, budget.stop);
  if (chain === undefined || state === undefined) return undefined;
  const rates = axes.flatMap((axis) => variedRate(net, axis));
  const derivatives = rates.length === 0 ? undefined : Derivatives.of(chain, state, budget.stop);
  const figures = asked.map(({ text }) => {
    const expression = parseReward(text, net);
    const { raisedBy, ...reward } = rewardsOf(expression, chain, space);
    const mean = state.mean(reward);
    const counts = expression.kind === 'firings' ? numbersOf(space, expression.transitions) : [];
    const figure: Sensitive = { ...reward, counts };
    const slopes = derivatives?.of(figure, mean, rates) ?? [];
    return { mean: lowered(mean, raisedBy), slopes };
  });
  return Object.fromEntries(
    asked.map(({ name, unit }, k) => {
      const { mean, slopes } = figures[k]!;
      const found = slopes.map((slope, i) => derivativeOf(slope, rates[i]!, mean));
      const figure = { value: mean.mean, unit, ...intervalOf(mean) };
      return [name, found.length === 0 ? figure : { ...figure, derivatives: found }];
    }),
  );
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

function variedRate(net: Net, axis: string): AxisRate[] {
  const name = rateAxis(axis);
  if (name === undefined) return [];
  const transition = net.transitions.findIndex((t) => t.name === name.transition);
  const delay = net.transitions[transition]?.delay;
  if (delay === undefined || 'op' in delay || delay.dist !== 'exponential') return [];
  if (delay.rate.op !== 'const') return [];
  const rate = delay.rate.value;
  const isRate = name.what === 'rate';
  return [{ by: axis, transition, rate, perUnit: isRate ? 1 : -rate * rate, value: isRate ? rate : 1 / rate }];
}

/** The derivative by the value of the axis, and the elasticity. */
function derivativeOf(slope: BoundedMean, { by, perUnit, value }: AxisRate, mean: BoundedMean): FigureDerivative {
  const ends = [slope.lower * perUnit, slope.upper * perUnit].sort((a, b) => a - b) as [number, number];
  const [lower, upper] = [ends[0] - ROUNDED * Math.abs(ends[0]), ends[1] + ROUNDED * Math.abs(ends[1])];
  const own = slope.mean * perUnit;
  const elasticity = mean.mean === 0 ? null : (own * value) / mean.mean;
  return { by, value: own, ...intervalOf({ mean: own, lower, upper }), elasticity };
}

/** Roundings of a mean that becomes a rate and back. */
const ROUNDED = 2 ** -49;

function intervalOf({ lower, upper }: BoundedMean) {
  const isBounded = Number.isFinite(lower) && Number.isFinite(upper);
  return isBounded ? { lower, upper, certainty: 1 } : { lower: null, upper: null, certainty: 0 };
}
