import { bar } from '../../../report/bar.ts';
import type { Style } from '../../../report/style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from '../../../report/text.ts';
import { formatAmount, formatCount, formatSeconds, formatShare } from '../../../report/units.ts';
import type { PredictionDocument, ResourceFigures } from '../prediction.ts';

/** A kind of resources. Those `alone` are links that each message has for itself (fatpipes): no share of such a link is used. */
interface Table {
  readonly title: string;
  readonly kind: ResourceFigures['kind'];
  readonly most: number;
  readonly alone?: true;
}

/** The tables and the maximum number of resources in each. Resources used less than 5 % get at most three lines. */
const TABLES: readonly Table[] = [
  { title: 'Hosts', kind: 'host', most: 4 },
  { title: 'Memory', kind: 'memory', most: 4 },
  { title: 'Links', kind: 'link', most: 8 },
  { title: 'Links that each message has for itself', kind: 'link', most: 3, alone: true },
];
const HARDLY = 0.05;
const HARDLY_USED = 3;

/** Utilisation of hosts, memories and links with bars, the busiest of each first; the rest is summarised. */
export function resourceTable({ resources, figures: { energy } }: PredictionDocument, style: Style): string[] {
  const tables = TABLES.map((kind) => {
    const all = sorted(resources, kind);
    return { ...kind, all, shown: kind.alone ? all.slice(0, kind.most) : listed(all, kind.most) };
  }).filter(({ all }) => all.length > 0);
  const shown = tables.flatMap((table) => table.shown);
  if (shown.length === 0) return [];
  const names = shown.map((r) => printable(r.name, style.unicode));
  const shares = shown.map((r) => (r.fatpipe ? '' : formatShare(r.utilisation)));
  const amounts = shown.map(
    (r) =>
      `${r.amount.unit === 's' ? formatSeconds(r.amount.value) : formatAmount(r.amount.value, r.amount.unit)} at ${formatAmount(r.capacity.value, r.capacity.unit)}${r.energy === undefined ? '' : `, ${formatAmount(r.energy.value, 'J')}`}`,
  );
  const shareWidth = widest(shares);
  const amountWidth = widest(amounts);
  const nameWidth = Math.min(widest(names), Math.max(12, Math.floor(style.width / 3)));
  const room = style.width - nameWidth - shareWidth - 4;
  const hasAmount = room - amountWidth - 2 >= 10;
  const barWidth = Math.min(40, hasAmount ? room - amountWidth - 2 : room);
  const line = (k: number): string => {
    const name = padEnd(clipped(names[k]!, nameWidth, style.more), nameWidth);
    const share = padStart(shares[k]!, shareWidth);
    const amount = hasAmount ? `  ${style.dim(amounts[k]!)}` : '';
    if (shown[k]!.fatpipe)
      return `${name}  ${style.dim(clipped(amounts[k]!, style.width - nameWidth - 2, style.more))}`;
    const { filled, rest } = bar(shown[k]!.utilisation, barWidth, style.unicode);
    return `${name}  ${style.used(filled)}${style.dim(rest)}  ${share}${amount}`;
  };
  let next = 0;
  return tables
    .flatMap((table, k) => {
      const lines = table.shown.map(() => line(next++));
      const sum = table.kind === 'host' && energy !== undefined ? [energyLine(energy.value, table.all)] : [];
      return [...(k > 0 ? [''] : []), ...section(table, lines, style), ...sum];
    })
    .map((l) => l.trimEnd());
}

/** Energy of all hosts, and the part of those without ranks. */
function energyLine(all: number, hosts: readonly ResourceFigures[]): string {
  const unused = all - hosts.reduce((sum, { energy }) => sum + (energy?.value ?? 0), 0);
  const others = unused > 1e-9 * all ? `, of which hosts without ranks ${formatAmount(unused, 'J')}` : '';
  return `Energy of all hosts ${formatAmount(all, 'J')}${others}`;
}

function section(
  { title, all, alone }: Table & { readonly all: readonly ResourceFigures[] },
  lines: readonly string[],
  style: Style,
): string[] {
  if (all.length === lines.length) return [style.bold(clipped(title, style.width, style.more)), ...lines];
  if (alone)
    return [
      style.bold(clipped(`${title}: ${lines.length} of ${formatCount(all.length)}`, style.width, style.more)),
      ...lines,
    ];
  const mean = all.reduce((sum, r) => sum + r.utilisation, 0) / all.length;
  const [min, max] = [formatShare(all.at(-1)!.utilisation), formatShare(all[0]!.utilisation)];
  const range = min === max ? `all ${max} used` : `used ${min} to ${max}, mean ${formatShare(mean)}`;
  const head = `: the busiest ${lines.length} of ${formatCount(all.length)}; ${range}`;
  return [style.bold(title) + clipped(head, style.width - title.length, style.more), ...lines];
}

function listed(busiestFirst: readonly ResourceFigures[], max: number): readonly ResourceFigures[] {
  const used = busiestFirst.filter((r) => r.utilisation >= HARDLY).length;
  return busiestFirst.slice(0, Math.min(max, Math.max(used, HARDLY_USED)));
}

function sorted(resources: readonly ResourceFigures[], { kind, alone }: Table): ResourceFigures[] {
  return resources
    .filter((r) => r.kind === kind && (r.fatpipe ?? false) === (alone ?? false))
    .sort((a, b) => b.utilisation - a.utilisation);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, displayWidth(text)), 0);
}
