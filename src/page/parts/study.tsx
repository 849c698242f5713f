import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { AnyDocument } from '../../report/page-parts.ts';
import { timeScale } from '../../report/units.ts';

/** A scenario of a study, as far as a curve needs it. */
interface Scenario {
  readonly values: Readonly<Record<string, unknown>>;
  readonly figures?: { readonly runTime?: { readonly value?: unknown } };
}

/** Colours of curves: distinguishable for colour-blind readers (Okabe & Ito 2008), and on light and dark paper. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'] as const;

/** Curves that are drawn at once. */
const MAX_CURVES = 12;

/** Run time over an axis whose values are numbers: a curve for each combination of the other axes. */
export function Study({ document }: { readonly document: AnyDocument }): JSX.Element | null {
  const scenarios = (Array.isArray(document['scenarios']) ? document['scenarios'] : []) as readonly Scenario[];
  const axes = numericAxes(scenarios);
  const chosen = useSignal(axes[0] ?? '');
  const box = useRef<HTMLDivElement>(null);
  const { x, curves } = curvesOf(scenarios, chosen.value);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || curves.length === 0) return;
    const most = curves.reduce((max, { y }) => y.reduce<number>((m, v) => Math.max(m, v ?? 0), max), 0);
    const { size, unit } = timeScale(most);
    const ink = getComputedStyle(element).color;
    const axis = { stroke: ink, grid: { stroke: 'rgb(128 128 128 / 30%)' } };
    const plot = new uPlot(
      {
        width: Math.min(900, element.clientWidth),
        height: 320,
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: chosen.value },
          {
            ...axis,
            label: `run time, ${unit}`,
            values: (_, ticks) => ticks.map((tick) => String(Number((tick / size).toPrecision(4)))),
          },
        ],
        series: [
          { label: chosen.value },
          ...curves.map(({ name }, k) => ({
            label: name,
            stroke: COLOURS[k % COLOURS.length]!,
            width: 2,
            ...(k >= COLOURS.length ? { dash: [6, 4] } : {}),
            points: { show: true, size: 7 },
            spanGaps: true,
          })),
        ],
      },
      [x, ...curves.map(({ y }) => y)] as uPlot.AlignedData,
      element,
    );
    return () => plot.destroy();
  }, [document, chosen.value]);
  if (axes.length === 0) return null;
  return (
    <>
      {axes.length === 1 ? null : (
        <label>
          Curve over{' '}
          <select
            value={chosen.value}
            onChange={(event) => {
              chosen.value = event.currentTarget.value;
            }}
          >
            {axes.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div
        ref={box}
        class="chart"
        role="img"
        aria-label={`Run time over ${chosen.value}: the table of scenarios has its numbers`}
      />
    </>
  );
}

/** A number, or a factor as in `x0.5`. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [, factor] = typeof value === 'string' ? (/^x?(\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.exec(value) ?? []) : [];
  return factor === undefined ? undefined : Number(factor);
}

function numericAxes(scenarios: readonly Scenario[]): string[] {
  const names = Object.keys(scenarios[0]?.values ?? {});
  return names.filter((name) => {
    const values = scenarios.map(({ values: of }) => numberOf(of[name]));
    return values.every((value) => value !== undefined) && new Set(values).size > 1;
  });
}

function curvesOf(
  scenarios: readonly Scenario[],
  axis: string,
): {
  readonly x: readonly number[];
  readonly curves: readonly { readonly name: string; readonly y: (number | null)[] }[];
} {
  const x = [...new Set(scenarios.flatMap(({ values }) => numberOf(values[axis]) ?? []))].sort((a, b) => a - b);
  const curves = new Map<string, (number | null)[]>();
  for (const { values, figures } of scenarios) {
    const at = x.indexOf(numberOf(values[axis]) ?? Number.NaN);
    const time = figures?.runTime?.value;
    if (at < 0 || typeof time !== 'number') continue;
    const others = Object.entries(values).filter(([name]) => name !== axis);
    const name =
      others.length === 0 ? 'run time' : others.map(([key, value]) => `${key} = ${String(value)}`).join(', ');
    if (!curves.has(name) && curves.size === MAX_CURVES) continue;
    const y = curves.get(name) ?? x.map(() => null);
    y[at] = time;
    curves.set(name, y);
  }
  return { x, curves: [...curves].map(([name, y]) => ({ name, y })) };
}
