import { bar } from './bar.ts';
import type { Style } from './style.ts';
import { clipped, displayWidth, padEnd, padStart, printable, prose } from './text.ts';
import { formatCount, formatSeconds, formatShare } from './units.ts';
import type { Scaling, WhatIfDocument } from './whatif.ts';

/** Most series of ranks whose laws are printed. */
const MOST_SERIES = 12;

/** The values of the other axes, as `machine=a placement=block`. */
function named({ values, ideal }: Pick<Scaling, 'values' | 'ideal'>): string {
  const parts = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return [...parts, ...(ideal === undefined ? [] : [`ideal-${ideal}`])].join(' ');
}

/** What a law of scaling says of each series of ranks. */
export function scalingSection({ scaling }: WhatIfDocument, style: Style): string[] {
  const lines = scaling.slice(0, MOST_SERIES).flatMap((series) => {
    const { amdahl, scalability } = series;
    const head = named(series);
    const squared = (value: number): string => `${style.unicode ? 'R²' : 'R2'} ${value.toFixed(4)}`;
    const laws = [
      ...(amdahl === undefined
        ? []
        : [
            `Amdahl's law: ${formatShare(amdahl.serialShare)} of ${formatSeconds(amdahl.serialTime)} serial, so never more than ${limit(amdahl.serialShare)} times as fast; ${squared(amdahl.rSquared)}`,
          ]),
      ...(scalability === undefined
        ? []
        : [
            `Universal scalability law: contention ${scalability.contention.toPrecision(3)}, coherence ${scalability.coherence.toPrecision(3)}; ${peak(scalability.peak)}; ${squared(scalability.rSquared)}`,
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
  const left = scaling.length - MOST_SERIES;
  return [
    style.bold('Scaling'),
    ...lines,
    ...(left > 0 ? [`  and ${formatCount(left)} more series, --json has all`] : []),
  ];
}

function limit(serialShare: number): string {
  return serialShare > 0 ? (1 / serialShare).toPrecision(3) : 'any number of';
}

function peak(ranks: number | null): string {
  if (ranks === null) return 'no peak: more ranks are always faster';
  return ranks <= 1 ? 'one rank is fastest' : `fastest at ${formatCount(Math.round(ranks))} ranks`;
}

/** How much the run time hangs on each parameter, the most first, with bars of their magnitude. */
export function elasticitySection({ elasticity }: WhatIfDocument, style: Style): string[] {
  if (elasticity.length === 0) return [];
  const names = elasticity.map((e) => printable(e.parameter, style.unicode));
  const width = Math.min(
    names.reduce((most, name) => Math.max(most, displayWidth(name)), 0),
    Math.floor(style.width / 2),
  );
  const most = elasticity.reduce((a, e) => Math.max(a, Math.abs(e.elasticity ?? 0)), 0);
  const intervals = elasticity.map(({ low, high }) =>
    low === undefined || high === undefined ? '' : `${signed(low)} to ${signed(high)}`,
  );
  const wide = intervals.reduce((widest, text) => Math.max(widest, text.length), 0);
  const room = Math.min(40, style.width - width - 12 - (wide > 0 ? wide + 2 : 0));
  const head = `Elasticity: per cent of run time for one per cent of the parameter${wide > 0 ? ', 95 % interval' : ''}`;
  return [
    style.bold(clipped(head, style.width, style.more)),
    ...elasticity.map(({ elasticity: value }, k) => {
      const name = padEnd(clipped(names[k]!, width, style.more), width);
      if (value === null) return `${name}  ${padStart('unknown', 8)}`;
      const { filled } = bar(most > 0 ? Math.abs(value) / most : 0, Math.max(0, room), style.unicode);
      const interval = wide > 0 ? `  ${padStart(intervals[k]!, wide)}` : '';
      return `${name}  ${padStart(signed(value), 8)}${interval}${filled === '' ? '' : `  ${style.used(filled)}`}`;
    }),
  ];
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(4)}`;

/** What a search found, a sentence for each combination of the other axes. */
export function foundSection({ found }: WhatIfDocument, style: Style): string[] {
  return found.flatMap((one) => {
    const { axis, target, met, value, runTime, verified } = one;
    const where = named(one);
    const time = runTime === undefined ? '' : formatSeconds(runTime);
    const at = formatSeconds(target);
    const text =
      value === undefined
        ? `no ${axis} that was tried could be predicted`
        : met
          ? `${axis} ${value} takes ${time}, at most ${at}; the value before it takes longer`
          : `no ${axis} ${verified ? 'of those given' : 'that was tried'} takes at most ${at}; nearest is ${value}, ${time}`;
    const line = `${where === '' ? '' : `${where}: `}${text}`;
    return prose(printable(style.units(line), style.unicode), style.width).map(met ? style.bold : style.alarm);
  });
}
