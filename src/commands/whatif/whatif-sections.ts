import { andMore } from '../../base/listing.ts';
import { bar } from '../../report/bar.ts';
import type { Style } from '../../report/style.ts';
import { type Column, table } from '../../report/table.ts';
import { clipped, displayWidth, padEnd, padStart, printable, prose } from '../../report/text.ts';
import { formatCount, formatSeconds, formatShare } from '../../report/units.ts';
import { type FigureError, levelOf } from '../inputs/document-parts.ts';
import { COMPARED, comparedOf } from './predictors/compared-figure.ts';
import type {
  FoundValue,
  ScalabilityFit,
  Scaling,
  ScalingPoint,
  WhatIfDocument,
  WhatIfScenario,
  WorkerTimes,
} from './whatif-result.ts';

/** Maximum number of rank series whose laws are printed. */
const MAX_SERIES = 12;

/** The values of the other axes, as `machine=a placement=block`. */
function named({ values, ideal }: Pick<Scaling, 'values' | 'ideal'>): string {
  const parts = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return [...parts, ...(ideal === undefined ? [] : [`ideal-${ideal}`])].join(' ');
}

/** The fitted scaling laws of each series of ranks. */
export function scalingSection({ scaling }: WhatIfDocument, style: Style): string[] {
  const lines = scaling.slice(0, MAX_SERIES).flatMap((series) => {
    const { amdahl, scalability, gustafson, growth, points } = series;
    const one = series.axis === undefined ? 'rank' : 'worker';
    const head = named(series);
    const squared = (value: number): string => `${style.unicode ? 'R²' : 'R2'} ${value.toFixed(4)}`;
    const laws = [
      ...(growth === undefined ? [] : [`${grown(growth, points, one)}${shareInterval(series.growthError)}`]),
      ...(amdahl === undefined
        ? []
        : [
            `Amdahl's law: ${formatShare(amdahl.serialShare)}${shareInterval(amdahl.errors?.serialShare)} of ${formatSeconds(amdahl.serialTime)} serial, ${limit(amdahl.serialShare, one)}; ${squared(amdahl.rSquared)}`,
          ]),
      ...(scalability === undefined
        ? []
        : [
            `Universal scalability law: contention ${scalability.contention.toPrecision(3)}${numberInterval(scalability.errors?.contention)}, coherence ${scalability.coherence.toPrecision(3)}${numberInterval(scalability.errors?.coherence)}; ${peak(scalability, points, one)}; ${squared(scalability.rSquared)}`,
          ]),
      ...(gustafson === undefined
        ? []
        : [
            `Gustafson's law, by measured parallelism: ${formatShare(gustafson.serialShare)}${shareInterval(gustafson.errors?.serialShare)} of the ${one}s' time is no parallel work (serial work, imbalance, communicating, waiting), so every further ${one} adds ${(1 - gustafson.serialShare).toPrecision(3)} to the scaled speed-up; ${squared(gustafson.rSquared)}`,
          ]),
    ];
    if (laws.length === 0) return [];
    return [...(head === '' ? [] : [head]), ...laws].flatMap((text, k) => {
      const indent = head === '' || k > 0 ? '  ' : '';
      return prose(printable(style.units(text), style.unicode), style.width - 4).map(
        (line, n) => indent + (n === 0 ? '' : '  ') + line,
      );
    });
  });
  if (lines.length === 0) return [];
  const left = scaling.length - MAX_SERIES;
  return [
    style.bold('Scaling'),
    ...lines,
    ...(left > 0 ? [`  ${andMore(left, 'series', formatCount)}, --json lists all`] : []),
  ];
}

/** Words for what workers do besides computing. */
const DOINGS: Readonly<Record<Exclude<keyof WorkerTimes, 'computing'>, string>> = {
  memory: 'memory',
  preempted: 'preempted',
  ownQueue: 'own queue',
  searching: 'searching',
  spinning: 'spinning',
  operations: 'operations',
  locks: 'locks',
  barriers: 'barriers',
  waiting: 'other waits',
  idle: 'idle',
};
/** Maximum number of series whose workers are printed. */
const MAX_WORKER_SERIES = 3;
/** Numbers of workers below which a cause is not shown. */
const FEW = 0.005;

/** Thread models: mean number of workers in each activity, a column for each. The columns of a row add up to the number of workers. */
export function workerSections({ scaling }: WhatIfDocument, style: Style): string[][] {
  const all = scaling.filter(({ points }) => points.some(({ times, runTime }) => times !== undefined && runTime > 0));
  const left = all.length - MAX_WORKER_SERIES;
  return all.slice(0, MAX_WORKER_SERIES).map((series, k) => {
    const points = series.points.filter(({ times, runTime }) => times !== undefined && runTime > 0);
    const workers = (point: ScalingPoint, name: keyof WorkerTimes): number => point.times![name] / point.runTime;
    const names = Object.keys(DOINGS) as (keyof typeof DOINGS)[];
    const shown = names.filter((name) => points.some((point) => workers(point, name) >= FEW));
    const column = (name: keyof WorkerTimes, head: string): Column => ({
      head,
      right: true,
      cells: points.map((point) => workers(point, name).toFixed(2)),
    });
    const most = points.at(-1)!;
    const causes = shown.map((name) => ({ name, lost: workers(most, name) })).sort((a, b) => b.lost - a.lost);
    const [largest] = causes.filter(({ name, lost }) => name !== 'memory' && lost >= FEW);
    const head = named(series);
    return [
      style.bold(clipped(`Workers on the mean${head === '' ? '' : `, ${head}`}`, style.width, style.more)),
      ...table(
        [
          { head: 'workers', right: true, cells: points.map(({ ranks }) => formatCount(ranks)) },
          column('computing', 'computing'),
          ...shown.map((name) => column(name, DOINGS[name])),
        ],
        style,
      ),
      ...(largest === undefined
        ? []
        : prose(
            `With ${formatCount(most.ranks)} workers, the largest loss is ${DOINGS[largest.name]}: ${largest.lost.toFixed(2)} of them.`,
            style.width - 2,
          ).map((line) => `  ${line}`)),
      ...(left > 0 && k === MAX_WORKER_SERIES - 1
        ? [`  ${andMore(left, 'series', formatCount)}, --json lists all`]
        : []),
    ];
  });
}

/** ` (2.1 % to 3.4 %)`: the interval of a share, if its digits show it. */
function shareInterval(error: FigureError | undefined): string {
  return intervalText(error, (share) => `${share < 0 ? '-' : ''}${formatShare(Math.abs(share))}`);
}

const numberInterval = (error: FigureError | undefined): string => intervalText(error, (x) => x.toPrecision(3));

function intervalText(error: FigureError | undefined, shown: (value: number) => string): string {
  if (error === undefined || error.lower === null || error.upper === null) return '';
  const [low, high] = [shown(error.lower), shown(error.upper)];
  return low === high ? '' : ` (${low} to ${high})`;
}

/** Serial shares below this are rounding errors, and the limit derived from them is meaningless. */
const NO_SHARE = 1e-6;
/** Run times within this share of each other count as a flat curve. */
const FLAT = 0.005;

/** `Run time: 0.1 % longer on 64 ranks than on 1`. */
function grown(growth: number, points: readonly ScalingPoint[], one: string): string {
  const [first, last] = [points[0]!.ranks, points.at(-1)!.ranks];
  const than = `on ${formatCount(last)} ${one}s than on ${formatCount(first)}`;
  if (growth === 0) return `Run time: as long ${than.replace('than', 'as')}`;
  return `Run time: ${formatShare(Math.abs(growth))} ${growth > 0 ? 'longer' : 'shorter'} ${than}`;
}

/** The limit of the speed-up that follows from a serial share. */
function limit(serialShare: number, one: string): string {
  if (serialShare < NO_SHARE) return 'so this law sets no limit to the speed-up';
  const most = 1 / serialShare;
  if (most < 1 + FLAT) return `so more ${one}s are not faster`;
  const times = most < 1000 ? most.toPrecision(3) : formatCount(Math.round(most));
  return `so the speed-up is at most ${times}`;
}

/** The number of ranks (`one`: rank, or worker) with the minimum run time, if the fit has one. */
function peak({ peak: ranks, contention }: ScalabilityFit, points: readonly ScalingPoint[], one: string): string {
  const times = points.map((p) => p.runTime);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  if (most <= least * (1 + FLAT)) return `the run time does not depend on the number of ${one}s`;
  if (ranks !== null)
    return ranks <= 1 ? `one ${one} is fastest` : `fastest at ${formatCount(Math.round(ranks))} ${one}s`;
  return contention < NO_SHARE
    ? `no peak: the run time falls in proportion to the ${one}s`
    : 'no peak: the run time falls towards a limit';
}

/** Elasticity of the run time, or energy, for each parameter, the largest first, with bars of their magnitude. */
export function elasticitySection({ elasticity, options }: WhatIfDocument, style: Style): string[] {
  if (elasticity.length === 0) return [];
  const names = elasticity.map((e) => printable(e.parameter, style.unicode));
  const width = Math.min(
    names.reduce((max, name) => Math.max(max, displayWidth(name)), 0),
    Math.floor(style.width / 2),
  );
  const max = elasticity.reduce((a, e) => Math.max(a, Math.abs(e.elasticity ?? 0)), 0);
  const intervals = elasticity.map(({ low, high }) =>
    low === undefined || high === undefined ? '' : `${signed(low)} to ${signed(high)}`,
  );
  const wide = intervals.reduce((widest, text) => Math.max(widest, text.length), 0);
  const room = Math.min(40, style.width - width - 12 - (wide > 0 ? wide + 2 : 0));
  const ofInterval = wide > 0 ? `, ${formatShare(levelOf(elasticity))} interval` : '';
  const head = `Elasticity: change of ${COMPARED[comparedOf(options)].words} in % for 1 % more of the parameter${ofInterval}`;
  return [
    style.bold(clipped(head, style.width, style.more)),
    ...elasticity.map(({ elasticity: value }, k) => {
      const name = padEnd(clipped(names[k]!, width, style.more), width);
      if (value === null) return `${name}  ${padStart('unknown', 8)}`;
      const { filled } = bar(max > 0 ? Math.abs(value) / max : 0, Math.max(0, room), style.unicode);
      const interval = wide > 0 ? `  ${padStart(intervals[k]!, wide)}` : '';
      return `${name}  ${padStart(signed(value), 8)}${interval}${filled === '' ? '' : `  ${style.used(filled)}`}`;
    }),
  ];
}

/** Four decimals; numbers that need more have an exponent, so that only 0 is shown as 0. */
function signed(value: number): string {
  const text = value.toFixed(4);
  const isTooSmall = value !== 0 && !/[1-9]/.test(text);
  return `${value > 0 ? '+' : ''}${isTooSmall ? value.toExponential(1) : text}`;
}

/** The result of a search: one sentence for each combination of the other axes. */
export function foundSection({ found, scenarios, options }: WhatIfDocument, style: Style): string[] {
  const compared = comparedOf(options);
  const { words, takes, format } = COMPARED[compared];
  return found.flatMap((one) => {
    const { axis, target, met, value, verified, decided, tried, of } = one;
    const reached = one[compared];
    const where = named(one);
    const time = reached === undefined ? '' : format(reached);
    const at = format(target);
    const text =
      value === undefined
        ? `no tried value of ${axis} could be predicted`
        : met
          ? `${axis} ${value} ${takes} ${time}, within the target of ${at}; ${smaller(one, scenarios, COMPARED[compared].exceeds)}`
          : decided === false
            ? `not decided: ${words === 'run time' ? 'run times do' : `the ${words} does`} not fall all along ${axis}, and none of ${tried} tried values (of ${of}) meets the target of ${at}; nearest is ${value}, ${time}`
            : `no ${verified ? 'given' : 'tried'} value of ${axis} meets the target of ${at}; nearest is ${value}, ${time}`;
    const line = `${where === '' ? '' : `${where}: `}${text}`;
    return prose(printable(style.units(line), style.unicode), style.width).map(met ? style.bold : style.alarm);
  });
}

/** Why no smaller value is the answer: the next smaller one that ran is too slow, and those in between did not run. */
function smaller(
  { axis, value, values, ideal, verified }: FoundValue,
  scenarios: readonly WhatIfScenario[],
  exceeds: string,
): string {
  if (!verified) return 'not all smaller values were tried';
  const key = (others: object, idealised: string | undefined): string => JSON.stringify([others, idealised]);
  const group = key(values, ideal);
  const tried = scenarios.filter(({ values: { [axis]: _, ...others }, ideal: own }) => key(others, own) === group);
  const before = tried.slice(
    0,
    tried.findIndex((s) => s.values[axis] === value),
  );
  if (before.length === 0) return 'it is the first value';
  const last = before.findLastIndex((s) => s.status === 'done');
  const failed = before.length - 1 - last;
  if (failed === 0) return `the value before it ${exceeds}`;
  if (last < 0) return failed === 1 ? 'the value before it fails' : `all ${failed} values before it fail`;
  const between = failed === 1 ? 'the value between fails' : `the ${failed} values between fail`;
  return `${before[last]!.values[axis]} ${exceeds}, ${between}`;
}
