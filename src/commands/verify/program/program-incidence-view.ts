import { andMore, ranges } from '../../../base/listing.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import type { Style } from '../../../report/style.ts';
import { printable, prose } from '../../../report/text.ts';
import { counted, formatCount } from '../../../report/units.ts';
import type { IncidenceFinding, ProgramInstance, ProgramVerificationDocument } from './program-verification.ts';

/** Maximum number of findings, and of operations per finding, listed. */
const MAX_ROWS = { findings: 8, operations: 4 } as const;

/** A finding for one number of ranks, under all protocols. */
interface StatementInfo {
  readonly finding: IncidenceFinding;
  readonly instance: ProgramInstance;
}

/** Summary line, if there is a matrix: `Incidence matrix: 2 findings, 1 confirmed`. */
export function incidenceHead({ instances }: ProgramVerificationDocument, style: Style): string[] {
  const looked = instances.filter((i) => i.incidence !== undefined);
  const last = looked.at(-1)?.incidence;
  if (last === undefined) return [];
  const all = findingsOf(looked);
  const count = (status: IncidenceFinding['status']): number => all.filter((t) => t.finding.status === status).length;
  const parts = [all.length === 0 ? 'no findings' : counted(all.length, 'finding')];
  for (const status of ['confirmed', 'refuted', 'suspected'] as const)
    if (count(status) > 0) parts.push(`${formatCount(count(status))} ${status}`);
  if (last.open > 0) parts.push(`${counted(last.open, 'count')} of messages unknown`);
  const left = looked.find((i) => i.incidence!.reason !== undefined);
  if (left !== undefined) parts.push(`not checked for ${counted(left.ranks, 'rank')}: ${left.incidence!.reason}`);
  return prose(printable(`Incidence matrix: ${parts.join(', ')}`, style.unicode), style.width);
}

/** The findings from the incidence matrix with their status and operations. */
export function incidenceLines({ instances }: ProgramVerificationDocument, style: Style): string[] {
  const all = findingsOf(instances);
  if (all.length === 0) return [];
  const lines = [style.bold('From the incidence matrix')];
  for (const { finding, instance } of all.slice(0, MAX_ROWS.findings)) {
    const { kind, what, at, status, by, reason } = finding;
    const why = by === undefined ? (reason === undefined ? '' : `: ${reason}`) : ` by ${byText(by)}`;
    const shown = at.slice(0, MAX_ROWS.operations).map(({ operation, file, line, ranks }) => {
      const where = sourcePlace(file, line);
      return `${operation}${where === '' ? '' : `, ${where}`}, rank${ranks.length === 1 ? '' : 's'} ${ranges(ranks)}`;
    });
    if (at.length > MAX_ROWS.operations) shown.push(`${formatCount(at.length - MAX_ROWS.operations)} more`);
    const where = shown.length === 0 ? '' : ` (${shown.join('; ')})`;
    const text = `${counted(instance.ranks, 'rank')}: ${kind}, ${status}${why}: ${what}${where}`;
    const hung = prose(printable(text, style.unicode), style.width - 6);
    lines.push(...hung.map((line, k) => (k === 0 ? '  ' : '    ') + line));
  }
  const left = all.length - MAX_ROWS.findings;
  if (left > 0) lines.push(`  ${andMore(left, '', formatCount)}, --json lists all`);
  return lines;
}

function byText(by: NonNullable<IncidenceFinding['by']>): string {
  return by === 'one run' ? by : `the ${by}`;
}

const RANKED: readonly IncidenceFinding['status'][] = ['suspected', 'refuted', 'confirmed'];

/** Findings without duplicates for one number of ranks; of duplicates, the one with the strongest status. */
function findingsOf(instances: readonly ProgramInstance[]): StatementInfo[] {
  const found = new Map<string, StatementInfo>();
  for (const instance of instances)
    for (const finding of instance.incidence?.findings ?? []) {
      const key = JSON.stringify([instance.ranks, finding.kind, finding.places, finding.transitions]);
      const known = found.get(key);
      if (known === undefined || RANKED.indexOf(finding.status) > RANKED.indexOf(known.finding.status))
        found.set(key, { finding, instance });
    }
  return [...found.values()];
}
