import { andMore, listing } from '../../base/listing.ts';
import type { Style } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { printable, prose } from '../../report/text.ts';
import { alikeFormat, formatCount, formatShare, isSeen } from '../../report/units.ts';
import type { ScenarioFigure, WhatIfDocument, WhatIfScenario } from './whatif-result.ts';

/** Maximum number of differences listed. */
const MAX_LISTED = 12;
/** Maximum number of figures named in which no difference is seen. */
const MAX_NAMED = 8;

interface Listed {
  readonly scenario: WhatIfScenario;
  readonly name: string;
  readonly figure: ScenarioFigure & { readonly lower: number; readonly upper: number; readonly certainty: number };
}

/** Differences far below this size are rounding. A time is a sum of parts of the run time, so the run time is its size. */
function sizeOf({ figures = {} }: WhatIfScenario, name: string): number {
  const { value = 0, unit } = figures[name] ?? {};
  return Math.max(Math.abs(value), unit === 's' ? (figures['runTime']?.value ?? 0) : 0);
}

/**
 * Paired differences of the figures besides the run time: those whose interval excludes 0, and the names of figures in which no
 * scenario differs visibly from the baseline.
 */
export function differenceSection({ scenarios, axes }: WhatIfDocument, style: Style): string[] {
  const all = scenarios.flatMap((scenario) =>
    Object.entries(scenario.differences ?? {}).map(([name, figure]) => ({ scenario, name, figure }) as Listed),
  );
  const [first] = all;
  if (first === undefined) return [];
  const seen = all.filter(({ scenario, name, figure }) => isSeen(figure, sizeOf(scenario, name)));
  const some = seen.slice(0, MAX_LISTED);
  const rows = some.map(({ scenario, name, figure: { value, unit, lower, upper } }) => {
    const format = alikeFormat([value, lower, upper]);
    const signed = (x: number): string => `${x < 0 ? '-' : '+'}${format(Math.abs(x))}`;
    return {
      scenario: [
        ...axes.map((axis) => `${axis.name}=${scenario.values[axis.name]}`),
        ...(scenario.ideal === undefined ? [] : [`ideal-${scenario.ideal}`]),
      ].join(' '),
      name: unit === '1' ? name : `${name}, ${unit}`,
      difference: signed(value),
      interval: `${signed(lower)} to ${signed(upper)}`,
    };
  });
  const cells = (key: keyof (typeof rows)[number]): string[] => rows.map((row) => printable(row[key], style.unicode));
  const visible = new Set(seen.map(({ name }) => name));
  const unseen = [...new Set(all.map(({ name }) => name))].filter((name) => !visible.has(name));
  const named = listing(unseen, { max: MAX_NAMED, what: 'figure', format: formatCount });
  const left = seen.length - some.length;
  return [
    style.bold('Differences of further figures to the baseline'),
    ...(rows.length === 0
      ? []
      : table(
          [
            { head: 'scenario', cells: cells('scenario') },
            { head: 'figure', cells: cells('name') },
            { head: 'difference', right: true, cells: cells('difference') },
            {
              head: style.units(`${formatShare(first.figure.certainty)} interval`),
              right: true,
              cells: cells('interval'),
            },
          ],
          style,
        )),
    ...(left > 0 ? [`${andMore(left, 'difference', formatCount)}, --json lists all`] : []),
    ...(unseen.length === 0 ? [] : prose(printable(`no difference seen: ${named}`, style.unicode), style.width)),
  ];
}
