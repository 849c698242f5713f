import { bar } from './bar.ts';
import type { PredictionDocument, ResourceFigures } from './prediction.ts';
import type { Style } from './style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from './text.ts';
import { formatAmount, formatCount, formatShare } from './units.ts';

/** Most hosts and most links that are listed; of those that are used less than 5 %, three. */
const HOSTS = 4;
const LINKS = 8;
const HARDLY = 0.05;
const HARDLY_USED = 3;

/** How far hosts and links are used, the busiest of each first, with bars; what is left out is counted. */
export function resourceTable({ resources }: PredictionDocument, style: Style): string[] {
  const hosts = sorted(resources, 'host');
  const links = sorted(resources, 'link');
  const listedHosts = listed(hosts, HOSTS);
  const listedLinks = listed(links, LINKS);
  const shown = [...listedHosts, ...listedLinks];
  if (shown.length === 0) return [];
  const names = shown.map((r) => printable(r.name, style.unicode));
  const shares = shown.map((r) => formatShare(r.utilisation));
  const amounts = shown.map(
    (r) => `${formatAmount(r.amount.value, r.amount.unit)} at ${formatAmount(r.capacity.value, r.capacity.unit)}`,
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
    const { filled, rest } = bar(shown[k]!.utilisation, barWidth, style.unicode);
    return `${name}  ${style.used(filled)}${style.dim(rest)}  ${share}${amount}`;
  };
  const hostLines = listedHosts.map((_, k) => line(k));
  const linkLines = listedLinks.map((_, k) => line(listedHosts.length + k));
  return [
    ...section('Hosts', hosts, hostLines, style),
    ...(hosts.length > 0 && links.length > 0 ? [''] : []),
    ...section('Links', links, linkLines, style),
  ].map((l) => l.trimEnd());
}

function section(title: string, all: readonly ResourceFigures[], lines: readonly string[], style: Style): string[] {
  if (all.length === 0) return [];
  if (all.length === lines.length) return [style.bold(title), ...lines];
  const mean = all.reduce((sum, r) => sum + r.utilisation, 0) / all.length;
  const [least, most] = [formatShare(all.at(-1)!.utilisation), formatShare(all[0]!.utilisation)];
  const range = least === most ? `all used to ${most}` : `used ${least} to ${most}, mean ${formatShare(mean)}`;
  const head = `: the busiest ${lines.length} of ${formatCount(all.length)}; ${range}`;
  return [style.bold(title) + clipped(head, style.width - title.length, style.more), ...lines];
}

function listed(busiestFirst: readonly ResourceFigures[], most: number): readonly ResourceFigures[] {
  const used = busiestFirst.filter((r) => r.utilisation >= HARDLY).length;
  return busiestFirst.slice(0, Math.min(most, Math.max(used, HARDLY_USED)));
}

function sorted(resources: readonly ResourceFigures[], kind: ResourceFigures['kind']): ResourceFigures[] {
  return resources.filter((r) => r.kind === kind).sort((a, b) => b.utilisation - a.utilisation);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}
