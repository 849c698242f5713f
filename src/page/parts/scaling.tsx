import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { levelOf } from '../../commands/inputs/document-parts.ts';
import { type LawCurve, lawCurves } from '../../commands/whatif/law-curves.ts';
import type { Scaling, ScalingPoint } from '../../commands/whatif/whatif-result.ts';
import { formatShare } from '../../report/units.ts';
import { Chart, type Curve } from '../chart.tsx';
import { Figure } from '../figure.tsx';
import { type Column, Table, withValues } from '../table.tsx';

/** Points at which laws are drawn besides the measured ones. */
const LAW_POINTS = 60;

/** Run time, speed-up and efficiency over ranks or workers, with the fitted laws and their intervals. */
export function ScalingLaws({ scaling }: { readonly scaling: readonly Scaling[] }): JSX.Element | null {
  const chosen = useSignal(0);
  const metric = useSignal<Metric>('runTime');
  if (scaling.length === 0) return null;
  const series = scaling[chosen.value]!;
  return (
    <>
      <h3>Scaling</h3>
      <div class="tools">
        {scaling.length === 1 ? null : (
          <label class="choice">
            Series{' '}
            <select
              value={chosen.value}
              onChange={(event) => {
                chosen.value = Number(event.currentTarget.value);
              }}
            >
              {scaling.map((of, k) => (
                <option key={nameOf(of)} value={k}>
                  {nameOf(of)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="choice">
          Shown{' '}
          <select
            value={metric.value}
            onChange={(event) => {
              metric.value = event.currentTarget.value as Metric;
            }}
          >
            {METRICS.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Series series={series} metric={metric.value} pointer={`/scaling/${chosen.value}`} />
    </>
  );
}

const METRICS = [
  { key: 'runTime', name: 'run time', unit: 's' },
  { key: 'speedUp', name: 'speed-up', unit: '1' },
  { key: 'efficiency', name: 'efficiency', unit: '1' },
] as const;
type Metric = (typeof METRICS)[number]['key'];

const nameOf = ({ values, ideal }: Scaling): string => {
  const parts = Object.entries(values).map(([name, value]) => `${name} = ${String(value)}`);
  return [...parts, ...(ideal === undefined ? [] : [`ideal ${ideal}`])].join(', ') || 'all';
};

function Series(props: { readonly series: Scaling; readonly metric: Metric; readonly pointer: string }): JSX.Element {
  const { series, metric, pointer } = props;
  const axis = series.axis ?? 'ranks';
  const { unit, name } = METRICS.find(({ key }) => key === metric)!;
  const { x, curves } = useMemo(() => curvesOf(series, metric), [series, metric]);
  return (
    <>
      <Chart
        label={`${name} over ${axis}, with the fitted laws: the tables Scaling points and Scaling laws have the numbers`}
        xName={axis}
        yName={name}
        unit={unit}
        x={x}
        curves={curves}
      />
      <Table name="Scaling points" rows={series.points} columns={withValues(columnsOf(axis, pointer), series.points)} />
      <Laws series={series} pointer={pointer} />
    </>
  );
}

function columnsOf(axis: string, pointer: string): Column<ScalingPoint>[] {
  return [
    { name: axis, value: ({ ranks }) => ranks },
    ...METRICS.flatMap(({ key, name, unit }): Column<ScalingPoint>[] => [
      {
        name,
        unit,
        about: { kind: 'what-if', pointer: `/scaling/points/${key}` },
        value: (point) => point[key],
        cell: (point, k) => <Figure name={`${pointer}/points/${k}/${key}`} value={point[key]} unit={unit} />,
      },
      ...(['lower', 'upper'] as const).map(
        (end): Column<ScalingPoint> => ({
          name: `${name}, ${end} end`,
          unit,
          value: ({ errors }) => errors?.[key][end],
          cell: ({ errors }, k) =>
            errors === undefined ? (
              '–'
            ) : (
              <Figure name={`${pointer}/points/${k}/errors/${key}/${end}`} value={errors[key][end]} unit={unit} />
            ),
        }),
      ),
    ]),
  ];
}

/** A number of a fitted law. */
interface LawNumber {
  readonly law: string;
  readonly name: string;
  readonly pointer: string;
  readonly value: number | null;
  readonly unit: string;
  readonly lower?: number | null;
  readonly upper?: number | null;
  readonly certainty?: number;
}

const LAW_NUMBERS = [
  ['amdahl', 'Amdahl', ['serialTime', 'serialShare', 'rSquared']],
  ['scalability', 'universal scalability law', ['serialTime', 'contention', 'coherence', 'peak', 'rSquared']],
  ['gustafson', 'Gustafson', ['serialTime', 'serialShare', 'rSquared']],
] as const;

/** Words for the numbers of laws. */
const WORDS: Readonly<Record<string, string>> = {
  serialTime: 'time on one',
  serialShare: 'serial share',
  contention: 'contention σ',
  coherence: 'coherence κ',
  peak: 'fastest at',
  rSquared: 'R²',
};

function Laws({ series, pointer }: { readonly series: Scaling; readonly pointer: string }): JSX.Element | null {
  const rows = LAW_NUMBERS.flatMap(([key, law, names]): LawNumber[] => {
    const fit = series[key] as
      | (Readonly<Record<string, number | null>> & {
          readonly errors?: Readonly<
            Record<string, { readonly lower: number | null; readonly upper: number | null; readonly certainty: number }>
          >;
        })
      | undefined;
    if (fit === undefined) return [];
    return names.map((name) => ({
      law,
      name: WORDS[name]!,
      pointer: `${pointer}/${key}/${name}`,
      value: fit[name] ?? null,
      unit: name === 'serialTime' ? 's' : '1',
      ...(fit.errors?.[name] ?? {}),
    }));
  });
  if (rows.length === 0) return null;
  const level = formatShare(levelOf(rows));
  return (
    <Table
      name="Scaling laws"
      rows={rows}
      columns={withValues(
        [
          { name: 'Law', value: ({ law }) => law },
          { name: 'Number', value: ({ name }) => name },
          { name: 'Unit', value: ({ unit }) => (unit === '1' ? '' : unit) },
          {
            name: 'Value',
            value: ({ value }) => value,
            cell: (of) => (of.value === null ? 'none' : <Figure name={of.pointer} value={of.value} unit={of.unit} />),
          },
          ...(['lower', 'upper'] as const).map(
            (end): Column<LawNumber> => ({
              name: `${level}, ${end} end`,
              value: (of) => of[end],
              cell: (of) => {
                const at = of.pointer.replace(/\/(\w+)$/, `/errors/$1/${end}`);
                return of[end] === undefined ? '–' : <Figure name={at} value={of[end]} unit={of.unit} />;
              },
            }),
          ),
        ],
        rows,
      )}
    />
  );
}

/** Measured points and laws on one axis; a law of run times becomes one of speed-ups relative to the same measured run time. */
function curvesOf(
  series: Scaling,
  metric: Metric,
): { readonly x: readonly number[]; readonly curves: readonly Curve[] } {
  const { points } = series;
  const first = points[0];
  if (first === undefined) return { x: [], curves: [] };
  const least = first.ranks;
  const most = points.at(-1)!.ranks;
  const between = Array.from({ length: LAW_POINTS }, (_, k) => least * (most / least) ** (k / (LAW_POINTS - 1)));
  const x = [...new Set([...points.map(({ ranks }) => ranks), ...between])].sort((a, b) => a - b);
  const at = new Map(points.map((point) => [point.ranks, point]));
  const measured = (of: (point: ScalingPoint) => number | null | undefined): (number | null)[] =>
    x.map((ranks) => {
      const point = at.get(ranks);
      return point === undefined ? null : (of(point) ?? null);
    });
  const laws = lawCurves(series).flatMap((law): Curve[] => {
    const shown = convertedTo(metric, law, series, first);
    if (shown === undefined) return [];
    const ends = law.band === undefined ? undefined : x.map((ranks) => law.band!(ranks).map((y) => shown(y, ranks)));
    return [
      {
        name: law.law,
        isLaw: true,
        y: x.map((ranks) => shown(law.at(ranks), ranks)),
        ...(ends === undefined
          ? {}
          : { lower: ends.map((pair) => Math.min(...pair)), upper: ends.map((pair) => Math.max(...pair)) }),
      },
    ];
  });
  const hasErrors = points.some(({ errors }) => errors !== undefined);
  const own: Curve = {
    name: 'measured',
    y: measured((point) => point[metric]),
    ...(hasErrors
      ? {
          lower: measured(({ errors }) => errors?.[metric].lower),
          upper: measured(({ errors }) => errors?.[metric].upper),
        }
      : {}),
  };
  return { x, curves: [own, ...laws] };
}

/** How values of a law become those of a metric; undefined if the law says nothing about it. */
function convertedTo(
  metric: Metric,
  { of }: LawCurve,
  { kind }: Scaling,
  first: ScalingPoint,
): ((value: number, ranks: number) => number) | undefined {
  if (metric === of) return (value) => value;
  if (of === 'speedUp') return metric === 'efficiency' ? (value, ranks) => value / ranks : undefined;
  // Laws of run times are fitted in strong scaling only, or say how a run time grows.
  const share = (ranks: number): number => (kind === 'weak' ? ranks / first.ranks : 1);
  const perRank = (ranks: number): number => (kind === 'weak' ? 1 : first.ranks / ranks);
  return metric === 'speedUp'
    ? (value, ranks) => (first.runTime / value) * share(ranks)
    : (value, ranks) => (first.runTime / value) * perRank(ranks);
}
