import { bar } from './bar.ts';
import { heading } from './heading.ts';
import type { NodeLoad, PredictionDocument } from './prediction.ts';
import type { Style } from './style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from './text.ts';
import { counted, formatCount, formatShare } from './units.ts';

/** Nodes that are listed. */
const MOST = 4;
/** From this balance on nodes count as equal. */
const EQUAL = 0.995;

/**
 * The load of the heaviest nodes: how many of their ranks are at work on average. Left out where nodes have one rank
 * each, for then the table of ranks says it, and where all have the same load.
 */
export function nodeTable({ nodes = [] }: PredictionDocument, style: Style): string[] {
  if (nodes.length < 2 || nodes.every(({ ranks }) => ranks < 2)) return [];
  const sorted = [...nodes].sort((a, b) => b.load - a.load);
  const most = sorted[0]!.load;
  const mean = sorted.reduce((sum, { load }) => sum + load, 0) / sorted.length;
  // Nodes without any computing rank do not count, as ranks without computing do not.
  const balance = most === 0 ? 1 : sorted.reduce((sum, n) => sum + n.load, 0) / loaded(sorted) / most;
  if (most === 0 || mean / most >= EQUAL) return [];
  // The lightest is always told of: it is where there is room.
  const shown = sorted.length <= MOST ? sorted : [...sorted.slice(0, MOST - 1), sorted.at(-1)!];
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
