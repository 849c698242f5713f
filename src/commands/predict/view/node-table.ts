import { bar } from '../../../report/bar.ts';
import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from '../../../report/text.ts';
import { counted, formatCount, formatShare } from '../../../report/units.ts';
import type { NodeLoad, PredictionDocument } from '../prediction.ts';

/** Maximum number of nodes listed. */
const MAX_ROWS = 4;
/** From this balance on, nodes count as equal. */
const EQUAL = 0.995;

/**
 * Load of the heaviest nodes: the mean number of their ranks at work. Left out if each node has one rank, since the table of
 * ranks shows it, or if all have the same load.
 */
export function nodeTable({ nodes = [] }: PredictionDocument, style: Style): string[] {
  if (nodes.length < 2 || nodes.every(({ ranks }) => ranks < 2)) return [];
  const sorted = [...nodes].sort((a, b) => b.load - a.load);
  const max = sorted[0]!.load;
  const mean = sorted.reduce((sum, { load }) => sum + load, 0) / sorted.length;
  // Nodes without a computing rank do not count, as for ranks without computing.
  const balance = max === 0 ? 1 : sorted.reduce((sum, n) => sum + n.load, 0) / loaded(sorted) / max;
  if (max === 0 || mean / max >= EQUAL) return [];
  // The lightest node is always shown: it has spare capacity.
  const shown = sorted.length <= MAX_ROWS ? sorted : [...sorted.slice(0, MAX_ROWS - 1), sorted.at(-1)!];
  const names = shown.map(({ host }) => printable(host, style.unicode));
  const texts = shown.map(({ load, ranks }) => `${rounded(load)} of ${counted(ranks, 'rank')}`);
  const textWidth = Math.max(...texts.map(displayWidth));
  const nameWidth = Math.min(Math.max(...names.map(displayWidth)), Math.floor(style.width / 3));
  const barWidth = Math.min(40, style.width - nameWidth - textWidth - 4);
  const lines = shown.map(({ load, ranks }, k) => {
    const name = padEnd(clipped(names[k]!, nameWidth, style.more), nameWidth);
    if (barWidth < 1) return clipped(`${name}  ${texts[k]!}`, style.width, style.more);
    const { filled, rest } = bar(ranks > 0 ? load / ranks : 0, barWidth, style.unicode);
    return `${name}  ${style.used(filled)}${style.dim(rest)}  ${padStart(texts[k]!, textWidth)}`;
  });
  const which =
    shown.length < sorted.length ? `; the heaviest and the lightest of ${formatCount(sorted.length)} nodes` : '';
  return [
    heading('Load of nodes', `: mean ${rounded(mean)}, balance ${formatShare(balance)}${which}`, style),
    ...lines,
  ];
}

function loaded(nodes: readonly NodeLoad[]): number {
  return nodes.filter(({ load }) => load > 0).length;
}

function rounded(load: number): string {
  return load === 0 ? '0' : load >= 1000 ? formatCount(Math.round(load)) : load.toPrecision(3);
}
