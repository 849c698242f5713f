/*
 * Sample:
 * const p = place('p'); fires((t) => { t.take(p); t.delay(exponential(2)); });
 * →
 *   function draw0(p0: num): num { return p0 > 1e-300 && p0 < Infinity ? drawn(0, 1) / p0 : draw0Slow(p0); }
 */
import type { Purpose } from '../../base/random/streams.ts';
import { type Distribution, isDistribution, parametersOf } from '../../net/distribution.ts';
import type { Delay } from '../../net/net.ts';
import type { Emission } from './emission.ts';
import { LOGARITHM } from './logarithm.ts';
import { emitStreams } from './stream.ts';

/** With a rate above this, every drawn time is finite. */
const SURE_RATE = 1e-300;

/** A random draw: the function of the code that performs it, and its stream. */
export interface Draw {
  readonly name: string;
  readonly purpose: Purpose;
  readonly owner: string;
  /** Number of the transition, if its draws are keyed by process (S15); the process is then the first argument of the call. */
  readonly ofProcesses?: number;
  /** `undefined` for a choice among candidates. */
  readonly distribution: Distribution | undefined;
  /** Index among the streams that the code keeps; −1 if the host draws. */
  readonly at: number;
}

/** True if the code, not the host, draws from this distribution; the draw returns a time in seconds, or NaN. */
export const drawsItself = (d: Distribution): boolean => d.dist === 'exponential' || d.dist === 'uniform';

/** All draws of a net. The code performs frequent draws that take few instructions; the host performs the others. */
export function drawsOf(e: Emission): Draw[] {
  const draws: Draw[] = [];
  let streams = 0;
  const add = (name: string, purpose: Purpose, owner: string, delay: Delay | undefined): void => {
    if (delay === undefined || !isDistribution(delay)) return;
    draws.push({ name, purpose, owner, distribution: delay, at: drawsItself(delay) ? streams++ : -1 });
  };
  for (const { number, transition: t } of e.plans)
    if (t.process === undefined) add(`draw${number}`, 'delay', t.name, t.delay);
    else if (t.delay !== undefined && isDistribution(t.delay)) {
      const distribution = t.delay;
      draws.push({ name: `draw${number}`, purpose: 'delay', owner: t.name, ofProcesses: number, distribution, at: -1 });
    }
  e.services.forEach((l, k) => {
    const s = l.place.service!;
    if (s.kind !== 'max-min') add(`drawAt${k}`, 'service', l.place.name, s.time);
  });
  if (e.plans.some((p) => p.transition.weight !== undefined))
    draws.push({ name: 'choice', purpose: 'choice', owner: '', distribution: undefined, at: streams++ });
  return draws;
}

/** Code of the draws, with the same results as `net/distributions`; draws of the host are declared only. */
export function emitDraws(e: Emission): string {
  const draws = drawsOf(e);
  const own = draws.filter((d) => d.at >= 0);
  const stream = own.length === 0 ? '' : `${LOGARITHM}${emitStreams(own.length)}`;
  const chooses = e.plans.some((p) => e.choosesForProcess(p))
    ? 'declare nogrow function chooses(process: num): num;'
    : '';
  return [stream, chooses, ...draws.map(emitDraw)].join('\n');
}

function emitDraw({ name, ofProcesses, distribution: d, at }: Draw): string {
  const parameters = d === undefined ? [] : parametersOf(d).map((_, k) => `p${k}: num`);
  if (ofProcesses !== undefined) parameters.unshift('process: num');
  const head = `function ${name}(${parameters.join(', ')}): num`;
  if (at < 0) return `declare nogrow ${head};`;
  if (d === undefined)
    return `${head} { return drawn(${at}, 0); }\nexport function drawChoice(): num { return choice(); }`;
  if (d.dist === 'uniform')
    return `${head} { return p0 >= 0 && p0 <= p1 && p1 < Infinity ? p0 + drawn(${at}, 0) * (p1 - p0) + 0 : NaN; }`;
  return `${head} { return p0 > ${SURE_RATE} && p0 < Infinity ? drawn(${at}, 1) / p0 : ${name}Slow(p0); }
cold function ${name}Slow(p0: num): num { if (!(p0 > 0 && p0 < Infinity)) return NaN; const x = drawn(${at}, 1) / p0; return x < Infinity ? x : NaN; }`;
}
