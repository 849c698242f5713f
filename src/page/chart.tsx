import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { timeScale } from '../report/units.ts';
import { CURVES } from './draw/colours.ts';
import { palette, useDrawing } from './draw/scheme.ts';
import { tickLabels } from './draw/ticks.ts';

/** A curve of a chart. Points are measured; a law is a line. */
export interface Curve {
  readonly name: string;
  readonly y: readonly (number | null)[];
  readonly isLaw?: boolean;
  /** Ends of an interval at each point. */
  readonly lower?: readonly (number | null)[];
  readonly upper?: readonly (number | null)[];
}

/** Curves over numbers. `unit` is that of the values: `s` is scaled to what fits, other units are printed as they are. */
export function Chart(props: {
  readonly label: string;
  readonly xName: string;
  readonly yName: string;
  readonly unit: string;
  readonly x: readonly number[];
  readonly curves: readonly Curve[];
}): JSX.Element {
  const { label, xName, yName, unit, x, curves } = props;
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || curves.length === 0) return;
    const plot = new uPlot(
      {
        width: Math.min(900, element.clientWidth),
        height: 320,
        ...optionsOf(props, () => getComputedStyle(element).color),
      },
      [
        x,
        ...curves.flatMap(({ y, lower, upper }) => [y, ...(lower && upper ? [lower, upper] : [])]),
      ] as uPlot.AlignedData,
      element,
    );
    drawn.current = plot;
    return () => {
      drawn.current = undefined;
      plot.destroy();
    };
  }, [xName, yName, unit, x, curves]);
  // Its ink is the colour of the text.
  useDrawing(() => {
    palette();
    return () => drawn.current?.redraw(false);
  });
  return <div ref={box} class="chart" role="img" aria-label={label} />;
}

function optionsOf(
  { xName, yName, unit, curves }: Parameters<typeof Chart>[0],
  ink: () => string,
): Pick<uPlot.Options, 'scales' | 'axes' | 'series' | 'bands'> {
  const most = curves.flatMap(({ y, upper = [] }) => [...y, ...upper]).reduce<number>((m, v) => Math.max(m, v ?? 0), 0);
  const scale = unit === 's' ? timeScale(most) : { size: 1, unit: '' };
  const axis = { stroke: ink, grid: { stroke: 'rgb(128 128 128 / 30%)' } };
  const series: uPlot.Series[] = [{ label: xName }];
  const bands: uPlot.Band[] = [];
  curves.forEach(({ name, isLaw, lower, upper }, k) => {
    const stroke = CURVES[k % CURVES.length]!;
    series.push({
      label: name,
      stroke,
      width: isLaw ? 1.5 : 2,
      ...(isLaw || k >= CURVES.length ? { dash: [6, 4] } : {}),
      points: { show: isLaw !== true, size: 7 },
      spanGaps: true,
    });
    if (lower === undefined || upper === undefined) return;
    const at = series.length;
    const end = { stroke: `${stroke}88`, width: 1, points: { show: false }, spanGaps: true };
    series.push({ label: `${name}, lower end`, ...end }, { label: `${name}, upper end`, ...end });
    bands.push({ series: [at + 1, at], fill: `${stroke}22` });
  });
  return {
    scales: { x: { time: false } },
    axes: [
      { ...axis, label: xName },
      {
        ...axis,
        label: scale.unit === '' ? yName : `${yName}, ${scale.unit}`,
        values: (_, ticks) => tickLabels(ticks.map((tick) => tick / scale.size)),
      },
    ],
    series,
    bands,
  };
}
