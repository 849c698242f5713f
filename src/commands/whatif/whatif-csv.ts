import { csvCell } from '../../base/csv.ts';
import { documentJson } from '../../report/document-json.ts';
import type { FigureError } from '../inputs/document-parts.ts';
import { COMPARED, comparedOf } from './predictors/compared-figure.ts';
import type { Scaling, ScalingPoint, WhatIfDocument, WhatIfScenario } from './whatif-result.ts';

/**
 * The scenarios as CSV (RFC 4180: CRLF, quotes doubled): a header line, then one line per scenario. Columns: the axes,
 * `scenario` (the idealisation) if there is any, `status`, every figure with its unit in brackets, the difference of run
 * time, or energy, to the baseline with its interval, speed-up and efficiency if the study has a kind of scaling, the reason of a
 * failure, and the interval of every figure that has one. Numbers have the same precision as in the JSON.
 */
export function whatIfCsv({ axes, scenarios, scaling, options }: WhatIfDocument): string {
  const pointOf = scalingPointsOf(scaling);
  const figures = new Map<string, string>();
  const bounded = new Map<string, string>();
  for (const { figures: own = {} } of scenarios)
    for (const [name, figure] of Object.entries(own)) {
      // An axis has this column already.
      if (axes.some((axis) => axis.name === name)) continue;
      const unit = figure.unit === '1' ? '' : ` [${figure.unit}]`;
      figures.set(name, `${name}${unit}`);
      if ('certainty' in figure) bounded.set(name, unit);
    }
  const { unit } = COMPARED[comparedOf(options)];
  const intervals = scenarios.some((s) => s.difference !== undefined && s.difference.low !== null);
  const columns: [head: string, cell: (s: WhatIfScenario) => string | number | boolean | null | undefined][] = [
    ...axes.map(({ name }): (typeof columns)[0] => [name, (s) => s.values[name]]),
    ...(scenarios.some((s) => s.ideal !== undefined)
      ? [['scenario', (s) => (s.ideal === undefined ? '' : `ideal-${s.ideal}`)] satisfies (typeof columns)[0]]
      : []),
    ['status', (s) => s.status],
    ...[...figures].map(([name, head]): (typeof columns)[0] => [head, (s) => s.figures?.[name]?.value]),
    [`difference [${unit}]`, (s) => s.difference?.mean],
    ...(intervals
      ? ([
          [`difference low [${unit}]`, (s) => s.difference?.low],
          [`difference high [${unit}]`, (s) => s.difference?.high],
        ] satisfies typeof columns)
      : []),
    ['relative difference', (s) => s.difference?.relative],
    ...(options['scaling'] === undefined
      ? []
      : ([
          [options['scaling'] === 'weak' ? 'scaled speed-up' : 'speed-up', (s) => pointOf(s)?.speedUp],
          ['efficiency', (s) => pointOf(s)?.efficiency],
        ] satisfies typeof columns)),
    ['problem', (s) => s.problems?.map((p) => `${p.code} ${p.message}`).join('; ')],
    ...[...bounded].flatMap(([name, unit]): typeof columns => {
      const error = (s: WhatIfScenario): Partial<FigureError> => s.figures?.[name] ?? {};
      return [
        [`${name} lower${unit}`, (s) => error(s).lower],
        [`${name} upper${unit}`, (s) => error(s).upper],
        [`${name} certainty`, (s) => error(s).certainty],
      ];
    }),
  ];
  const rows = [columns.map(([head]) => head), ...scenarios.map((s) => columns.map(([, cell]) => cell(s)))];
  return rows.map((row) => `${row.map((value) => csvCell(value ?? '')).join(',')}\r\n`).join('');
}

/** Returns a function that finds a scenario's point in its series of ranks; undefined if it has none. */
export function scalingPointsOf(scaling: readonly Scaling[]): (scenario: WhatIfScenario) => ScalingPoint | undefined {
  const key = (others: object, ideal: string | undefined): string => JSON.stringify([others, ideal]);
  const all = new Map(scaling.map((s) => [key(s.values, s.ideal), new Map(s.points.map((p) => [p.ranks, p]))]));
  const axis = scaling[0]?.axis ?? 'ranks';
  return ({ values: { [axis]: ranks, ...others }, ideal }) =>
    typeof ranks === 'number' ? all.get(key(others, ideal))?.get(ranks) : undefined;
}

/** All keys in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof WhatIfDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  seed: true,
  complete: true,
  inputs: true,
  options: true,
  axes: true,
  scenarios: true,
  scaling: true,
  elasticity: true,
  found: true,
  warnings: true,
  notes: true,
};

/** The document as JSON text: keys in a fixed order, one line per key and per scenario. */
export function whatIfJson(document: WhatIfDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof WhatIfDocument)[]);
}
