import { ranges } from '../../../base/listing.ts';
import { bar } from '../../../report/bar.ts';
import { heading } from '../../../report/heading.ts';
import { sparkline } from '../../../report/sparkline.ts';
import type { Style } from '../../../report/style.ts';
import { clipped, padStart } from '../../../report/text.ts';
import { formatCount, formatShare } from '../../../report/units.ts';
import type { FragmentFigures, PredictionDocument } from '../prediction.ts';

/** Maximum number of histogram columns, and the width of each. */
const BINS = 8;
const COLUMN = 8;
/** Maximum number of fragments listed, and their minimum share of the run time. */
const LISTED = 3;
const NOTABLE = 0.005;

/**
 * The fragments of a run: their number, the share of the run time by their size, and the longest ones. A single fragment is
 * left out, because it adds nothing to the parallelism.
 */
export function fragmentLines({ fragments, ranks }: PredictionDocument, style: Style): string[] {
  if (fragments === undefined || fragments.count < 2) return [];
  const { count, complete, longest } = fragments;
  const number = `${complete ? '' : 'at least '}${formatCount(count)}`;
  const shown = longest.slice(0, LISTED).filter(({ share }) => share >= NOTABLE);
  const shares = shown.map(({ share }) => formatShare(share));
  const shareWidth = Math.max(0, ...shares.map((text) => text.length));
  const lines = shown.map((fragment, k) => {
    const { filled, rest } = bar(fragment.share, 8, style.unicode);
    const names = processes(fragment, ranks.length, style);
    const text = clipped(names, style.width - 8 - shareWidth - 4, style.more);
    return `${style.used(filled)}${style.dim(rest)}  ${padStart(shares[k]!, shareWidth)}  ${text}`;
  });
  return [
    heading('Fragments', `: ${number} sets of ranks at work together`, style),
    ...histogram(fragments, style),
    ...lines,
  ];
}

/** Histogram: sizes or ranges of sizes, a block, and the share of the run time. */
function histogram({ shareBySize }: FragmentFigures, style: Style): string[] {
  const columns = Math.min(BINS, Math.floor((style.width - 5) / COLUMN));
  const bins = binned(shareBySize, columns);
  const cell = (text: string): string => padStart(text, COLUMN);
  const top = Math.max(...bins.map(({ share }) => share));
  const blocks = bins.map(({ share }) => cell(sparkline([share], 1, top, style.unicode).repeat(3)));
  return [
    style.dim(`size ${bins.map(({ from, to }) => cell(from === to ? String(from) : `${from}-${to}`)).join('')}`),
    `     ${style.used(blocks.join(''))}`,
    `share${bins.map(({ share }) => cell(formatShare(share))).join('')}`,
  ];
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** Sums over size ranges of equal length; 0 and the maximum size get separate bins. O(sizes). */
export function binned(shareBySize: readonly number[], columns: number): Bin[] {
  const max = shareBySize.length - 1;
  const between = Math.max(0, max - 1);
  const length = max < columns ? 1 : Math.ceil(between / (columns - 2));
  const bins: Bin[] = [];
  const add = (from: number, to: number): void => {
    bins.push({ from, to, share: shareBySize.slice(from, to + 1).reduce((sum, share) => sum + share, 0) });
  };
  add(0, 0);
  for (let from = 1; from < max; from += length) add(from, Math.min(max - 1, from + length - 1));
  if (max > 0) add(max, max);
  return bins;
}

function processes(
  { size, processes: named }: FragmentFigures['longest'][number],
  ranks: number,
  style: Style,
): string {
  if (size === 0) return 'no rank';
  if (size === ranks) return ranks === 1 ? 'rank 0' : `all ${formatCount(ranks)} ranks`;
  const more = size > named.length ? `,${style.more} (${formatCount(size)} ranks)` : '';
  return `rank${size === 1 ? '' : 's'} ${ranges(named)}${more}`;
}
