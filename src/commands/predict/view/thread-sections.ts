import { andMore } from '../../../base/listing.ts';
import { TIME_WORDS } from '../../../base/time-words.ts';
import { heading } from '../../../report/heading.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { printable, prose } from '../../../report/text.ts';
import { aligned, counted, formatCount, formatSeconds, formatShare, timeScale } from '../../../report/units.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { RegionFigures, WorkerFigures } from '../threads/worker-figures.ts';
import { limitText, timeSentence } from './explain.ts';

/** Maximum number of lines of a section. */
const MOST = 8;
const BLOCKED = 20;

/** Time in each region: how often it was executed, its time, and how the time of the workers was spent in it. */
export function regionTable(
  { regions = [], workers = [], figures, options }: PredictionDocument,
  style: Style,
): string[] {
  const used = regions.filter(({ executions }) => executions > 0);
  if (used.length === 0) return [];
  const shown = [...used].sort((a, b) => b.seconds - a.seconds).slice(0, MOST);
  const time = figures.runTime.value;
  const scale = timeScale(time);
  const whose =
    options['scheduler'] === 'os'
      ? 'the threads'
      : options['resize'] === undefined
        ? counted(workers.length, 'worker')
        : 'the workers in the pool';
  const share = (of: (region: RegionFigures) => number): string[] =>
    shown.map((region) => {
      const all = region.computing + region.memory + region.overhead + region.waiting + region.idle;
      return all > 0 ? formatShare(of(region) / all) : style.dash;
    });
  const left = used.length - shown.length;
  const more = left > 0 ? `; ${formatCount(left)} of ${formatCount(used.length)} left out, --json lists all` : '';
  return [
    heading('Regions', `, time in ${style.units(scale.unit)}, shares of the time of ${whose}${more}`, style),
    ...table(
      [
        { head: 'region', cells: shown.map(({ name }) => name) },
        { head: 'times', right: true, dispensable: 1, cells: shown.map((r) => formatCount(r.executions)) },
        { head: 'time', right: true, cells: shown.map((r) => aligned(r.seconds / scale.size, time / scale.size)) },
        { head: TIME_WORDS.computing.label, right: true, cells: share((r) => r.computing + r.memory) },
        { head: TIME_WORDS.overhead.label, right: true, cells: share((r) => r.overhead) },
        { head: TIME_WORDS.waiting.label, right: true, cells: share((r) => r.waiting) },
        { head: TIME_WORDS.idle.label, right: true, cells: share((r) => r.idle) },
      ],
      style,
    ),
  ];
}

/** The synchronisation objects that were waited for longest. */
export function objectTable({ objects = [] }: PredictionDocument, style: Style): string[] {
  if (objects.length === 0) return [];
  const shown = objects.slice(0, MOST);
  const left = objects.length - shown.length;
  const spins = shown.some(({ spinning = 0 }) => spinning > 0);
  const more = left > 0 ? `: ${formatCount(left)} of ${formatCount(objects.length)} left out, --json lists all` : '';
  return [
    heading('Synchronisation objects', more, style),
    ...table(
      [
        {
          head: 'object',
          cells: shown.map(({ name, count }) => (count > 1 ? `${name} (${formatCount(count)})` : name)),
        },
        { head: 'kind', dispensable: 2, cells: shown.map(({ kind }) => kind) },
        { head: 'operations', right: true, cells: shown.map((o) => formatCount(o.acquisitions)) },
        { head: 'had to wait', right: true, cells: shown.map((o) => formatCount(o.blocked)) },
        { head: 'waited', right: true, cells: shown.map((o) => style.units(formatSeconds(o.seconds))) },
        ...(spins
          ? [
              {
                head: 'of it spinning',
                right: true,
                cells: shown.map(({ spinning = 0 }) => style.units(formatSeconds(spinning))),
              },
            ]
          : []),
        { head: 'line', dispensable: 1, cells: shown.map(({ file, line }) => sourcePlace(file, line)) },
      ],
      style,
    ),
  ];
}

/** The steps of the scheduler, the most frequent first. */
export function schedulerLines({ scheduler }: PredictionDocument, style: Style): string[] {
  if (scheduler === undefined) return [];
  const steps = Object.entries(scheduler.steps)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  if (steps.length === 0) return [];
  const text = steps.map(([name, count]) => `${name} ${formatCount(count)}`).join(', ');
  return [
    heading('Scheduler', ` ${scheduler.name}, number of its steps`, style),
    ...prose(printable(text, style.unicode), style.width - 2).map((line) => `  ${line}`),
  ];
}

/** The strands that wait forever, with the objects and their holders. */
export function blockedStrandLines({ deadlock, scheduler }: PredictionDocument, style: Style): string[] {
  const names = new Map(deadlock.map(({ rank, strand }) => [rank, strand!]));
  const lines = deadlock.slice(0, BLOCKED).flatMap((blocked) => {
    const { strand, operation, file, line, since, worker } = blocked;
    const place = sourcePlace(file, line);
    const on = scheduler?.name === 'os' ? '' : ` on worker ${worker}`;
    const text = `${strand}${on}: ${operation}${place === '' ? '' : `, ${place}`}, ${holderOf(blocked, names)}, since ${formatSeconds(since)}`;
    return prose(style.units(printable(text, style.unicode)), style.width - 4).map(
      (part, k) => (k === 0 ? '  ' : '    ') + part,
    );
  });
  const left = deadlock.length - BLOCKED;
  return [
    style.bold('Waiting forever'),
    ...lines,
    ...(left > 0 ? [`  ${andMore(left, '', formatCount)}, --json lists all`] : []),
  ];
}

function holderOf(blocked: BlockedRank, names: ReadonlyMap<number, string>): string {
  const { waitsFor, object, rank, below, unqueued } = blocked;
  if (below !== undefined) return `below ${below} on the stack of its worker`;
  if (unqueued === true) {
    const { unqueued: _, ...lock } = blocked;
    return `not queued: its scheduler thread needs the lock ${object}, ${holderOf(lock, names)}`;
  }
  const [holder] = waitsFor ?? [];
  if (holder === undefined) return object === undefined ? 'never executed' : `nobody will release ${object}`;
  if (holder === rank) return 'which it holds itself';
  return `held by ${names.get(holder) ?? `strand ${holder}, which has ended`}`;
}

/** Why a thread program takes its time, and what limits it; every figure comes from the document. */
export function explainThreads(
  document: PredictionDocument,
): { readonly why: string; readonly limit: string } | undefined {
  const { workers = [], figures, objects = [], options } = document;
  const time = figures.runTime.value;
  if (workers.length === 0 || !(time > 0)) return undefined;
  const all = time * workers.length;
  const share = (of: (w: WorkerFigures) => number): number => workers.reduce((sum, w) => sum + of(w), 0) / all;
  const [computing, memory, overhead] = [share((w) => w.computing), share((w) => w.memory), share((w) => w.overhead)];
  const [waiting, idle] = [share((w) => w.waiting), share((w) => w.idle)];
  const one = options['scheduler'] === 'os' ? 'thread' : 'worker';
  const why = timeSentence(one, [
    ['computing', computing],
    ...(memory > 0 ? ([['memory', memory]] as const) : []),
    ['overhead', overhead],
    ['waiting', waiting],
    ['idle', idle],
  ]);
  const active = computing + memory;
  const largest = Math.max(overhead, waiting, idle);
  const busy = document.resources.find(({ kind }) => kind === 'host')?.utilisation ?? 0;
  const saturated = document.resources.find(({ kind, utilisation }) => kind === 'memory' && utilisation >= SATURATED);
  const facts =
    saturated !== undefined
      ? `Memory: ${saturated.name} has a utilisation of ${formatShare(saturated.utilisation)}.`
      : active >= ACTIVE || busy >= ACTIVE
        ? computingSentence(active, busy, one)
        : largest === overhead
          ? `Overhead of the scheduler and of objects: ${formatShare(overhead)} of the ${one}s' time.`
          : largest === waiting
            ? waitingSentence(waiting, one, objects)
            : `Idle ${one}s: ${formatShare(idle)} of their time; on average ${(active * workers.length).toPrecision(3)} of ${counted(workers.length, one)} compute.`;
  return { why, limit: limitText(document, one, facts) };
}

const ACTIVE = 0.8;
const SATURATED = 0.9;

function computingSentence(active: number, busy: number, one: string): string {
  return busy >= ACTIVE
    ? `The cores have a utilisation of ${formatShare(busy)}.`
    : `The ${one}s compute, load and store for ${formatShare(active)} of their time.`;
}

function waitingSentence(waiting: number, one: string, objects: NonNullable<PredictionDocument['objects']>): string {
  const [most] = objects;
  const where =
    most === undefined || most.seconds === 0
      ? ''
      : `, longest for ${most.name} (${[most.kind, sourcePlace(most.file, most.line)].filter((t) => t !== '').join(', ')}): ${formatSeconds(most.seconds)} in total`;
  return `Waiting: ${formatShare(waiting)} of the ${one}s' time${where}.`;
}
