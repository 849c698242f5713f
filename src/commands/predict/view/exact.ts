import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { printable, prose } from '../../../report/text.ts';
import { counted, formatCount, formatNetSeconds } from '../../../report/units.ts';
import type { ExactFigures } from '../../exact/exact-parts.ts';
import { timeTable } from '../../exact/figure-text.ts';
import type { PredictionDocument } from '../prediction.ts';

/** Figures of all runs: run times over all orders, parallelism over all markings, and the distribution of the run time. */
export function exactLines({ exact, figures, fragments }: PredictionDocument, style: Style): string[] {
  if (exact === undefined) return [];
  const { because } = exact;
  const lines = [
    ...(because.distribution === undefined && exact.distribution === undefined ? [overAllOrders(exact, style)] : []),
    ...parallelism(exact, { maximum: figures.parallelism?.max.value ?? 0, fragments: fragments?.count ?? 0 }),
    ...(because.distribution === undefined
      ? []
      : [`Distribution of the run time: not known (${because.distribution})`]),
  ];
  return [
    heading('In all runs', ': foretoken explore shows the orders and the markings', style),
    ...lines.flatMap((line) => prose(printable(line, style.unicode), style.width)),
    ...(exact.distribution === undefined
      ? []
      : timeTable(exact.distribution, { head: 'run time', verb: 'have ended' }, {}, style)),
  ];
}

function overAllOrders({ runTime }: ExactFigures, style: Style): string {
  const { because, deadlocks } = runTime;
  const [shortest, longest] = [runTime.shortest.value, runTime.longest.value];
  const text = (seconds: number | null): string =>
    style.units(seconds === null ? 'not known' : formatNetSeconds(seconds));
  const range = shortest === longest ? text(shortest) : `shortest ${text(shortest)}, longest ${text(longest)}`;
  const stuck = deadlocks === 0 ? '' : `; runs that stop in one of ${counted(deadlocks, 'deadlock')} have none`;
  return `Run time over all orders: ${range}${because === null ? '' : ` (${because})`}${stuck}`;
}

/** @param seen figures of the predicted run. It is one of the runs explored, so its figures are lower bounds if markings are missing */
function parallelism(
  { parallelism: found, because }: ExactFigures,
  seen: { readonly maximum: number; readonly fragments: number },
): string[] {
  const why = because.parallelism === undefined ? '' : ` (${because.parallelism})`;
  if (found === undefined) return why === '' ? [] : [`Parallelism over all orders: not known${why}`];
  const least = found.complete ? '' : 'at least ';
  const known = (name: keyof typeof seen): number => (found.complete ? found[name] : Math.max(found[name], seen[name]));
  const fragments = counted(known('fragments'), 'fragment');
  return [`Parallelism over all orders: maximum ${least}${formatCount(known('maximum'))}, ${least}${fragments}${why}`];
}
