import { TIME_WORDS } from '../../base/time-words.ts';
import type { Style } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { prose } from '../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../report/units.ts';
import type { CheaperParts } from './cheaper-parts.ts';
import type { DiagnosisDocument } from './diagnosis-document.ts';
import type { DiagnosedLine, DiagnosedLock } from './ledger-losses.ts';

/** Maximum number of rows per section; the view states how many are omitted. */
export const MAX_LINES = 16;

export const lineText = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `${file.split(/[\\/]/).at(-1)}:${line}`;

export const rest = (count: number, what: string): string[] =>
  count > 0 ? [`and ${counted(count, `more ${what}`)}, --json has all`] : [];

/** Lines that take most time of the workers. */
export function lineTable({ lines = [] }: DiagnosisDocument, style: Style): string[] {
  const shown = lines.slice(0, MAX_LINES);
  if (shown.length === 0) return [];
  const times = (of: (line: DiagnosedLine) => number): string[] => shown.map((line) => formatSeconds(of(line)));
  return [
    style.bold('Lines'),
    ...table(
      [
        { head: 'line', cells: shown.map(lineText) },
        { head: 'executing', right: true, cells: times(({ executing }) => executing) },
        { head: 'spinning', right: true, cells: times(({ spinning }) => spinning) },
        { head: TIME_WORDS.waiting.label, right: true, cells: times(({ waiting }) => waiting) },
        { head: TIME_WORDS.overhead.label, right: true, cells: times(({ overhead }) => overhead) },
        { head: 'operations', right: true, cells: shown.map(({ count }) => formatCount(count)) },
        { head: 'waits', right: true, cells: shown.map(({ waits }) => formatCount(waits)) },
      ],
      style,
    ),
    ...rest(lines.length - shown.length, 'line'),
  ];
}

/** Objects for which strands wait longest. */
export function lockTable({ locks = [] }: DiagnosisDocument, style: Style): string[] {
  const shown = locks.slice(0, MAX_LINES);
  if (shown.length === 0) return [];
  const times = (of: (lock: DiagnosedLock) => number): string[] => shown.map((lock) => formatSeconds(of(lock)));
  return [
    style.bold('Locks and other objects'),
    ...table(
      [
        { head: 'object', cells: shown.map(({ name }) => name) },
        { head: 'kind', cells: shown.map(({ kind }) => (kind === 'latch' ? 'barrier' : kind)) },
        // Calls that release the object count, too, unlike the operations that `predict` counts.
        { head: 'calls', right: true, cells: shown.map(({ operations }) => formatCount(operations)) },
        { head: 'waits', right: true, cells: shown.map(({ count }) => formatCount(count)) },
        { head: 'waited', right: true, cells: times(({ wait }) => wait) },
        { head: TIME_WORDS.overhead.label, right: true, cells: times(({ overhead }) => overhead) },
        { head: 'line', cells: shown.map(lineText) },
      ],
      style,
    ),
    ...rest(locks.length - shown.length, 'object'),
  ];
}

/** What 10 % cheaper lines and locks would gain. */
export function cheaperLines({ runs, parts }: CheaperParts, style: Style): string[] {
  if (parts.length === 0) return [];
  return [
    style.bold('10 % cheaper lines and locks'),
    ...prose(
      `A line works 10 % shorter; of a lock, each tenth operation waits for nobody. ${counted(runs, 'run')} of changed programs.`,
      style.width,
    ),
    ...table(
      [
        { head: 'cheaper', cells: parts.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`)) },
        { head: 'line', cells: parts.map(lineText) },
        {
          head: 'gain',
          right: true,
          cells: parts.map(({ gain }) => (gain === undefined ? 'does not end' : formatSeconds(gain))),
        },
      ],
      style,
    ),
  ];
}
