import { equalBottlenecks } from '../../../analysis/bounds/equal-bottlenecks.ts';
import { type FullPlace, fullPlaces } from '../../../analysis/bounds/full-load.ts';
import { drawsNumbers } from '../../../analysis/monitor.ts';
import type { Net } from '../../../net/net.ts';

/** Digits of a rate in a remark. */
const DIGITS = 6;

/** A sentence for each place whose load is 1 or more; none for constant times and load 1, which may be steady. */
export function loadRemarks(net: Net, stop: () => boolean): readonly string[] {
  const isRandom = drawsNumbers(net);
  return fullPlaces(net, stop)
    .filter(({ isOver }) => isOver || isRandom)
    .map(loadRemark);
}

function loadRemark({ name, isOver, rates }: FullPlace): string {
  const number = (rate: number): string => String(Number(rate.toPrecision(DIGITS)));
  const known =
    rates === undefined
      ? ''
      : `: tokens arrive at ${number(rates.arrive)}/s, and leave at ${number(rates.leave)}/s at most`;
  return isOver
    ? `place ${name} has a load above 1${known}. Its tokens grow in proportion to the time: there is no steady state`
    : `place ${name} has load 1${known}. With random times its tokens grow like a random walk, with the root of the time: there is no steady state`;
}

/** A sentence about servers that are equally loaded bottlenecks, whose queues a simulation hardly settles. */
export function tieRemarks(net: Net, precision: number, stop: () => boolean): readonly string[] {
  const tied = equalBottlenecks(net, stop);
  if (tied.length === 0) return [];
  const tokens = net.places.reduce((sum, { initial }) => initial.reduce((all, { count }) => all + count, sum), 0);
  const firings = (tokens / precision) ** 2;
  return [
    `${tied.join(', ')} are equal bottlenecks: nothing pulls their queues back, and tokens drift between them like a random walk. With ${tokens} tokens in the net, mean tokens take in the order of (tokens / precision)^2 = ${firings.toExponential(0)} firings; throughputs take fewer, and --method bounds needs no run`,
  ];
}
