import { heading } from '../../../report/heading.ts';
import type { Style } from '../../../report/style.ts';
import { printable, prose } from '../../../report/text.ts';
import { counted, formatBytes, formatSeconds, formatShare } from '../../../report/units.ts';
import type { PredictionDocument } from '../prediction.ts';

/** Characters of a word that a shell takes as they are. */
const PLAIN = /^[\w.:@%+-]+$/;

/** The placement that a search has found, its figures before and after, and the option that repeats it. */
export function suggestedPlacementLines({ suggestedPlacement }: PredictionDocument, style: Style): string[] {
  if (suggestedPlacement === undefined) return [];
  const lines = (text: string): string[] => prose(printable(style.units(text), style.unicode), style.width);
  if (suggestedPlacement.kind === 'none')
    return [
      heading('Suggested placement', ': none', style),
      ...lines(`Not looked for: ${suggestedPlacement.because}.`),
    ];
  const { kind, before, after, predictions, limit, tried, complete } = suggestedPlacement;
  const search = complete ? '' : 'interrupted after ';
  const count = `${search}${counted(predictions, 'prediction')} of at most ${limit}`;
  const scope = tried === 'all' ? `all placements tried, ${count}` : count;
  const [time, bytes] = [after.runTime.value, after.betweenNodes.value];
  if (kind === 'given') {
    const none = tried === 'all' ? 'No placement is faster' : 'No faster one found';
    return [
      heading('Suggested placement', `: that of this run; ${scope}`, style),
      ...lines(`${none}: ${formatSeconds(time)}, ${formatBytes(bytes)} between nodes.`),
    ];
  }
  const less = formatShare((before.runTime.value - time) / before.runTime.value);
  const figures =
    `${formatSeconds(time)} instead of ${formatSeconds(before.runTime.value)} (${less} less); ` +
    `${formatBytes(bytes)} instead of ${formatBytes(before.betweenNodes.value)} between nodes`;
  return [
    heading('Suggested placement', `; ${scope}`, style),
    ...lines(figures),
    // In one line, so that it can be copied.
    printable(option(suggestedPlacement), style.unicode),
  ];
}

/** The option that places the ranks so; a hostfile as the output of a command, for bash. */
function option({
  placement,
  hostfile,
}: {
  readonly placement?: string;
  readonly hostfile: readonly string[];
}): string {
  if (placement !== undefined) return `--placement ${placement}`;
  const words = hostfile.map((line) => (PLAIN.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`));
  return `--hostfile <(printf '%s\\n' ${words.join(' ')})`;
}
