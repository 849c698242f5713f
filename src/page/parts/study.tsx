import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { WhatIfScenario } from '../../commands/whatif/whatif-result.ts';
import { Chart, type Curve } from '../chart.tsx';

/** Curves that are drawn at once. */
const MAX_CURVES = 12;

/** Run time over an axis whose values are numbers: a curve for each combination of the other axes. */
export function Study({ scenarios }: { readonly scenarios: readonly WhatIfScenario[] }): JSX.Element | null {
  const axes = numericAxes(scenarios);
  const chosen = useSignal(axes[0] ?? '');
  const { x, curves } = useMemo(() => curvesOf(scenarios, chosen.value), [scenarios, chosen.value]);
  if (axes.length === 0) return null;
  return (
    <>
      {axes.length === 1 ? null : (
        <label class="choice">
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
      <Chart
        label={`Run time over ${chosen.value}: the table of scenarios has its numbers`}
        xName={chosen.value}
        yName="run time"
        unit="s"
        x={x}
        curves={curves}
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

function numericAxes(scenarios: readonly WhatIfScenario[]): string[] {
  const names = Object.keys(scenarios[0]?.values ?? {});
  return names.filter((name) => {
    const values = scenarios.map(({ values: of }) => numberOf(of[name]));
    return values.every((value) => value !== undefined) && new Set(values).size > 1;
  });
}

function curvesOf(
  scenarios: readonly WhatIfScenario[],
  axis: string,
): { readonly x: readonly number[]; readonly curves: readonly Curve[] } {
  const x = [...new Set(scenarios.flatMap(({ values }) => numberOf(values[axis]) ?? []))].sort((a, b) => a - b);
  const curves = new Map<string, Ends>();
  for (const { values, figures } of scenarios) {
    const at = x.indexOf(numberOf(values[axis]) ?? Number.NaN);
    const time = figures?.['runTime']?.value;
    if (at < 0 || typeof time !== 'number') continue;
    const others = Object.entries(values).filter(([name]) => name !== axis);
    const name =
      others.length === 0 ? 'run time' : others.map(([key, value]) => `${key} = ${String(value)}`).join(', ');
    if (!curves.has(name) && curves.size === MAX_CURVES) continue;
    const of = curves.get(name) ?? { y: x.map(() => null), lower: x.map(() => null), upper: x.map(() => null) };
    of.y[at] = time;
    const { lower, upper } = figures!['runTime']!;
    if (typeof lower === 'number' && typeof upper === 'number') {
      of.lower[at] = lower;
      of.upper[at] = upper;
    }
    curves.set(name, of);
  }
  return {
    x,
    curves: [...curves].map(([name, { y, lower, upper }]) =>
      lower.every((end) => end === null) ? { name, y } : { name, y, lower, upper },
    ),
  };
}

/** Values of a curve, and the ends of their intervals. */
type Ends = Readonly<Record<'y' | 'lower' | 'upper', (number | null)[]>>;
