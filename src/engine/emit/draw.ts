import type { Purpose } from '../../base/streams.ts';
import { type Distribution, isDistribution, parametersOf } from '../../net/distribution.ts';
import type { Delay } from '../../net/net.ts';
import type { Emission } from './emission.ts';

/** Something that is drawn: by which function of the code, and from which stream. */
export interface Draw {
  readonly name: string;
  readonly purpose: Purpose;
  readonly owner: string;
  /** Of a transition whose draws belong to processes: its number. The first value of the call is the process then. */
  readonly ofProcesses?: number;
  /** Undefined: a choice among candidates. */
  readonly distribution: Distribution | undefined;
  /** Where the stream stands among those that the code has itself; −1 where the host draws. */
  readonly at: number;
}

/** Numbers that the state of a stream has. */
const STATE = 4;

/** Everything that a net draws. What is drawn often, in few instructions, the code draws itself. */
export function drawsOf(e: Emission): Draw[] {
  const draws: Draw[] = [];
  let streams = 0;
  const add = (name: string, purpose: Purpose, owner: string, delay: Delay | undefined): void => {
    if (delay === undefined || !isDistribution(delay)) return;
    const own = delay.dist === 'exponential' || delay.dist === 'uniform';
    draws.push({ name, purpose, owner, distribution: delay, at: own ? STATE * streams++ : -1 });
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
    draws.push({ name: 'choice', purpose: 'choice', owner: '', distribution: undefined, at: STATE * streams++ });
  return draws;
}

/**
 * The streams of the code, as `streams.ts` has them: Alea (J. Baagøe 2010), two of its numbers for one of 53 bits; and what is
 * drawn from them, as `sampling.ts` does.
 */
export function emitDraws(e: Emission): string {
  const draws = drawsOf(e);
  const own = draws.filter((d) => d.at >= 0);
  const stream =
    own.length === 0
      ? ''
      : `declare function log(x: num): num;
let streams: nums = nums(${own.length * STATE});
function drawn(k): num {
const t = 2091639 * streams[k] + streams[k + 3] * 2.3283064365386963e-10, c = Math.floor(t), high = t - c;
const u = 2091639 * streams[k + 1] + c * 2.3283064365386963e-10, d = Math.floor(u), low = u - d;
streams[k] = streams[k + 2]; streams[k + 1] = high; streams[k + 2] = low; streams[k + 3] = d;
return high + Math.floor(low * 2097152) * 1.1102230246251565e-16;
}`;
  const chooses = e.plans.some((p) => e.choosesForProcess(p)) ? 'declare function chooses(process: num): num;' : '';
  return [stream, chooses, ...draws.map(emitDraw)].join('\n');
}

function emitDraw({ name, ofProcesses, distribution: d, at }: Draw): string {
  const parameters = d === undefined ? [] : parametersOf(d).map((_, k) => `p${k}: num`);
  if (ofProcesses !== undefined) parameters.unshift('process: num');
  const head = `function ${name}(${parameters.join(', ')}): num`;
  if (at < 0) return `declare ${head};`;
  if (d === undefined)
    return `${head} { return drawn(${at}); }\nexport function drawChoice(): num { return choice(); }`;
  if (d.dist === 'uniform')
    return `${head} { return p0 >= 0 && p0 <= p1 && p1 < Infinity ? p0 + drawn(${at}) * (p1 - p0) + 0 : NaN; }`;
  return `${head} { if (!(p0 > 0 && p0 < Infinity)) return NaN; const x = -log(1 - drawn(${at})) / p0; return x < Infinity ? x + 0 : NaN; }`;
}
