import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { WhatIfScenario } from '../../commands/whatif/whatif-result.ts';
import { Chart, type Curve } from '../chart.tsx';
import { Choice } from '../figure.tsx';

/** Curves that are drawn at once. */
const MAX_CURVES = 12;

/** Run time over an axis whose values are numbers: a curve for each combination of the other axes, which can be restricted to one value. */
export function Study({ scenarios }: { readonly scenarios: readonly WhatIfScenario[] }): JSX.Element | null {
  const axes = numericAxes(scenarios);
  const chosen = useSignal(axes[0] ?? '');
  const only = useSignal<Readonly<Record<string, string>>>({});
  const { x, curves, names, all } = useMemo(
    () => curvesOf(scenarios, chosen.value, only.value),
    [scenarios, chosen.value, only.value],
  );
  if (axes.length === 0) return null;
  return (
    <>
      <div class="tools">
        {axes.length === 1 ? null : (
          <Choice
            name="Curve over"
            of={Object.fromEntries(axes.map((name) => [name, name]))}
            value={chosen.value}
            choose={(axis) => {
              chosen.value = axis;
            }}
          />
        )}
        {otherAxes(scenarios, chosen.value).map(([axis, values]) => (
          <Choice
            key={axis}
            name={axis}
            // Keys that are numbers would come before all others.
            of={{ '': 'each', ...Object.fromEntries(values.map((value) => [`=${value}`, value])) }}
            value={only.value[axis] === undefined ? '' : `=${only.value[axis]}`}
            choose={(key) => {
              const { [axis]: _, ...others } = only.value;
              only.value = key === '' ? others : { ...others, [axis]: key.slice(1) };
            }}
          />
        ))}
      </div>
      {names.length < 2 ? null : <p class="note">A curve for each {names.join(', ')}.</p>}
      {all <= MAX_CURVES ? null : (
        <p class="note">
          {MAX_CURVES} of {all} curves are drawn: choose values to see the others.
        </p>
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

/** The other axes with more than one value, and their values. */
function otherAxes(scenarios: readonly WhatIfScenario[], axis: string): [name: string, values: readonly string[]][] {
  return Object.keys(scenarios[0]?.values ?? {})
    .filter((name) => name !== axis)
    .map((name): [string, readonly string[]] => [
      name,
      [...new Set(scenarios.map(({ values }) => String(values[name])))],
    ])
    .filter(([, values]) => values.length > 1);
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

/** The curves of the scenarios with these values: at most {@link MAX_CURVES} of `all`. `names`: the axes whose values name a curve. */
function curvesOf(
  scenarios: readonly WhatIfScenario[],
  axis: string,
  only: Readonly<Record<string, string>>,
): {
  readonly x: readonly number[];
  readonly curves: readonly Curve[];
  readonly names: readonly string[];
  readonly all: number;
} {
  const shown = scenarios.filter(({ values }) =>
    Object.entries(only).every(([name, value]) => name === axis || String(values[name]) === value),
  );
  const names = otherAxes(shown, axis).map(([name]) => name);
  const x = [...new Set(shown.flatMap(({ values }) => numberOf(values[axis]) ?? []))].sort((a, b) => a - b);
  const curves = new Map<string, Ends>();
  for (const { values, figures } of shown) {
    const at = x.indexOf(numberOf(values[axis]) ?? Number.NaN);
    const time = figures?.['runTime']?.value;
    if (at < 0 || typeof time !== 'number') continue;
    const of = names.map((name) => String(values[name]));
    const name = names.length === 0 ? 'run time' : names.length === 1 ? `${names[0]} = ${of[0]}` : of.join(', ');
    const ends = curves.get(name) ?? { y: x.map(() => null), lower: x.map(() => null), upper: x.map(() => null) };
    ends.y[at] = time;
    const { lower, upper } = figures!['runTime']!;
    if (typeof lower === 'number' && typeof upper === 'number') {
      ends.lower[at] = lower;
      ends.upper[at] = upper;
    }
    curves.set(name, ends);
  }
  return {
    x,
    curves: [...curves]
      .slice(0, MAX_CURVES)
      .map(([name, { y, lower, upper }]) =>
        lower.every((end) => end === null) ? { name, y } : { name, y, lower, upper },
      ),
    names,
    all: curves.size,
  };
}

/** Values of a curve, and the ends of their intervals. */
type Ends = Readonly<Record<'y' | 'lower' | 'upper', (number | null)[]>>;
