import type { JSX } from 'preact';
import { levelOf } from '../../commands/inputs/document-parts.ts';
import type { ElasticityFigures } from '../../commands/whatif/whatif-result.ts';
import { formatShare } from '../../report/units.ts';
import { CURVES } from '../draw/colours.ts';
import { Figure } from '../figure.tsx';
import { Table, withValues } from '../table.tsx';

/** Size of the bars, in CSS pixels. */
const WIDTH = 360;
const ROW = 24;

/** Relative change of the run time per relative change of each parameter: as bars, the largest first, and as a table. */
export function Elasticities({ of }: { readonly of: readonly ElasticityFigures[] }): JSX.Element | null {
  if (of.length === 0) return null;
  const level = formatShare(levelOf(of));
  const rows = of
    .map(({ parameter, elasticity, low, high }, index) => ({ parameter, elasticity, low, high, index }))
    .sort((a, b) => Math.abs(b.elasticity ?? 0) - Math.abs(a.elasticity ?? 0));
  return (
    <>
      <h3>Elasticity of the run time</h3>
      <Bars rows={rows} />
      <Table
        name="Elasticities"
        isTitled
        rows={rows}
        columns={withValues(
          [
            { name: 'Parameter', value: ({ parameter }) => parameter },
            ...(['elasticity', 'low', 'high'] as const).map((key) => ({
              name: { elasticity: 'Elasticity', low: `${level}, lower end`, high: `${level}, upper end` }[key],
              about: { kind: 'what-if', pointer: `/elasticity/${key}` },
              value: (row: (typeof rows)[number]) => row[key],
              cell: (row: (typeof rows)[number]) =>
                row[key] === undefined ? (
                  '–'
                ) : (
                  <Figure name={`/elasticity/${row.index}/${key}`} value={row[key]} unit="1" />
                ),
            })),
          ],
          rows,
        )}
      />
    </>
  );
}

/** A bar for each parameter, from 0 to the left or right, with its interval as a line. */
function Bars(props: {
  readonly rows: readonly {
    readonly parameter: string;
    readonly elasticity: number | null;
    readonly low?: number | undefined;
    readonly high?: number | undefined;
  }[];
}): JSX.Element {
  const rows = props.rows.filter(({ elasticity }) => elasticity !== null).slice(0, 40);
  const most = rows.reduce(
    (max, { elasticity, low = 0, high = 0 }) => Math.max(max, Math.abs(elasticity!), Math.abs(low), Math.abs(high)),
    1e-12,
  );
  const x = (value: number): number => (value / most) * (WIDTH / 2) + WIDTH / 2;
  return (
    <svg
      class="bars"
      width={WIDTH + 260}
      height={rows.length * ROW}
      viewBox={`0 0 ${WIDTH + 260} ${rows.length * ROW}`}
      role="img"
      aria-label="Elasticities as bars; the table has their numbers"
    >
      {rows.map(({ parameter, elasticity, low, high }, k) => {
        const y = k * ROW;
        return (
          <g key={parameter}>
            <text x={WIDTH + 10} y={y + ROW / 2}>
              {parameter}
            </text>
            <rect
              x={Math.min(x(0), x(elasticity!))}
              y={y + 4}
              width={Math.abs(x(elasticity!) - x(0))}
              height={ROW - 8}
              fill={elasticity! > 0 ? CURVES[1] : CURVES[0]}
            />
            {low === undefined || high === undefined ? null : (
              <path
                class="whisker"
                d={`M${x(low)} ${y + ROW / 2}H${x(high)}M${x(low)} ${y + 7}v${ROW - 14}M${x(high)} ${y + 7}v${ROW - 14}`}
              />
            )}
          </g>
        );
      })}
      <path class="whisker" d={`M${WIDTH / 2} 0V${rows.length * ROW}`} />
    </svg>
  );
}
