import type { Style } from '../../report/style.ts';
import { type Column, table } from '../../report/table.ts';
import { figure, halfWidth, plusMinus, rest } from '../exact/figure-text.ts';
import type { FigureError } from '../inputs/document-parts.ts';
import type { WhatIfDocument, WhatIfScenario } from './whatif-result.ts';

/** Maximum number of derivatives listed. */
const MAX_DERIVATIVES = 60;

/** True for a study of long-run figures. */
export const isExact = ({ options }: WhatIfDocument): boolean =>
  options['figures'] !== undefined && options['net'] !== undefined;

/** Long-run figures of each scenario, and their derivatives, all with their proved intervals. */
export function exactSections(document: WhatIfDocument, style: Style): string[][] {
  return [figures(document, style), derivatives(document, style)];
}

function axisColumns({ axes }: WhatIfDocument, scenarios: readonly WhatIfScenario[], style: Style): Column[] {
  return axes.map(({ name }) => ({
    head: name,
    right: true,
    cells: scenarios.map((s) => String(s.values[name] ?? style.dash)),
  }));
}

type Bounded = FigureError & { readonly value: number };

function bounded({
  value,
  lower = null,
  upper = null,
  certainty = 0,
}: Partial<FigureError> & { value: number }): Bounded {
  return { value, lower, upper, certainty };
}

/** A column of values and one of their half-widths. */
function valueColumns(head: string, all: readonly (Bounded | undefined)[], style: Style): Column[] {
  const text = (format: (value: number, error: FigureError) => string): string[] =>
    all.map((one) => (one === undefined ? style.dash : format(one.value, one)));
  return [
    { head, right: true, cells: text(figure) },
    { head: plusMinus(style), right: true, cells: text((value, error) => halfWidth(figure(value, error), error)) },
  ];
}

function figures(document: WhatIfDocument, style: Style): string[] {
  const { scenarios } = document;
  const names = new Set(scenarios.flatMap((s) => Object.keys(s.figures ?? {})));
  const columns = [...names].flatMap((name) => {
    const cells = scenarios.map((s) => s.figures?.[name]);
    return valueColumns(
      name,
      cells.map((one) => (one === undefined ? undefined : bounded(one))),
      style,
    );
  });
  return [
    style.bold('Scenarios, long-run figures'),
    ...table([...axisColumns(document, scenarios, style), ...columns], style),
  ];
}

function derivatives(document: WhatIfDocument, style: Style): string[] {
  const rows = document.scenarios.flatMap((scenario) =>
    Object.entries(scenario.figures ?? {}).flatMap(([name, { derivatives: all = [] }]) =>
      all.map((derivative) => ({ scenario, name, derivative })),
    ),
  );
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_DERIVATIVES);
  const left = rows.length - shown.length;
  const columns: Column[] = [
    ...axisColumns(
      document,
      shown.map((row) => row.scenario),
      style,
    ),
    { head: 'figure', cells: shown.map((row) => row.name) },
    { head: 'by', cells: shown.map((row) => row.derivative.by) },
    ...valueColumns(
      'derivative',
      shown.map((row) => row.derivative),
      style,
    ),
    {
      head: 'elasticity',
      right: true,
      cells: shown.map(({ derivative: { elasticity } }) => elasticity?.toFixed(4) ?? style.dash),
    },
  ];
  return [style.bold('Derivatives'), ...table(columns, style), ...rest(left, 'derivative')];
}
