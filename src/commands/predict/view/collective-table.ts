import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { formatAmount, formatCount, formatShare } from '../../../report/units.ts';
import type { CollectiveFigures, PredictionDocument } from '../prediction.ts';

/** Groups whose messages carry a smaller share of all bytes are left out. */
const NOTABLE = 0.01;

/** The collective calls whose messages carry most bytes, with the algorithm that each takes. */
export function collectiveTable({ collectives = [] }: PredictionDocument, style: Style): string[] {
  const shown = collectives.filter(({ share, bytes }) => bytes.value > 0 && share >= NOTABLE);
  if (shown.length === 0) return [];
  return [
    heading('Collectives', ': the largest calls and their algorithms', style),
    ...table(
      [
        ...(shown.some(({ job }) => job !== undefined)
          ? [{ head: 'job', dispensable: 1, cells: shown.map(({ job = '' }) => job) }]
          : []),
        { head: 'operation', cells: shown.map(({ operation }) => operation) },
        { head: 'algorithm', cells: shown.map(({ algorithm }) => algorithm) },
        { head: 'by', dispensable: 2, cells: shown.map(({ selector }) => selector ?? 'name') },
        { head: 'size', cells: shown.map((group) => style.units(sizes(group))) },
        { head: 'ranks', right: true, dispensable: 3, cells: shown.map(({ ranks }) => formatCount(ranks)) },
        { head: 'calls', right: true, cells: shown.map(({ calls }) => formatCount(calls)) },
        { head: 'of all bytes', right: true, cells: shown.map(({ share }) => formatShare(share)) },
      ],
      style,
    ),
  ];
}

function sizes({ minimum, maximum }: CollectiveFigures): string {
  const [low, high] = [minimum, maximum].map(({ value }) => formatAmount(value, 'B'));
  return low === high ? low! : `${low} to ${high}`;
}
