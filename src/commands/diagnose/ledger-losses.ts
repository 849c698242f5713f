import type { KnownLoss, LossCause, LossSubject, SourceLine } from '../../analysis/diagnosis/known-losses.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import { type LedgerPart, type LineTotals, totalsOf } from '../../models/threads/ledger-parts.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import { groupKey } from '../../models/threads/program/row-names.ts';
import { ROW } from '../../models/threads/program/rows.ts';
import type { LedgerLine, TimeLedger } from '../../models/threads/time-ledger.ts';
import { fromHere } from '../predict/model/model-figures.ts';

/** The net of a thread program, or the part of a net that is one. */
type About = Pick<ThreadNet, 'program' | 'machine' | 'scheduler' | 'carriers'>;

/** Measurements of one thread program: its ledger, and the part of the region. */
export interface Ledgers {
  readonly net: About;
  readonly ledger: TimeLedger;
}

/** From this number of forks on, a region is one of a loop over time steps. */
const MANY_FORKS = 8;

/** Figures of an object, or of a line without one, over all its rows. */
interface Sums {
  /** Operation of the rows, for lines that compute, load, store or sleep. */
  readonly work: number;
  readonly totals: { -readonly [K in keyof LineTotals]: number };
  /** The line with the largest of a figure. */
  readonly top: { seconds: number; site: SourceLine };
}

/** The losses of a region that the ledgers of its pools show. */
export function ledgerLosses(
  ledgers: readonly Ledgers[],
  partOf: (ledger: TimeLedger) => LedgerPart | undefined,
  figures: RegionFigures,
): KnownLoss[] {
  const base = figures.workerSeconds;
  const losses: KnownLoss[] = [];
  for (const one of ledgers) {
    const part = partOf(one.ledger);
    if (part === undefined) continue;
    losses.push(...objectLosses(one, part, figures), ...lineLosses(one, part, base), ...forkLosses(one, part, figures));
  }
  return losses;
}

/** Losses at objects: contention, operations, and waiting. */
function objectLosses(
  { net, ledger }: Ledgers,
  part: LedgerPart,
  { workerSeconds: base, activities }: RegionFigures,
): KnownLoss[] {
  const { objects } = net.program;
  const sums = new Map<number, Sums>();
  ledger.lines.forEach((line, k) => {
    if (line.object < 0) return;
    const totals = totalsOf(part, k);
    if (totals.count === 0 && totals.waiting === 0) return;
    addTo(sums, line.object, totals, totals.waiting + totals.spinning + totals.overhead, siteOf(net, line));
  });
  // Under a cooperative scheduler, blocked strands leave their carrier: the carrier is idle while all of its strands wait.
  const waited = [...sums].reduce(
    (all, [o, { totals }]) => (objects[o]!.isJoin === true ? all : all + totals.waiting),
    0,
  );
  const isIdle = activities.waiting === 0 && waited > 0;
  const scale = isIdle ? Math.min(1, activities.idle / waited) : 1;
  return [...sums].flatMap(([o, { totals, top }]): KnownLoss[] => {
    const { kind, name, site, isJoin } = objects[o]!;
    if (isJoin === true) return [];
    const { file = '', line = 0 } = site?.place ?? {};
    const declared = { file: fromHere(file), line };
    const at = top.site.file === declared.file && top.site.line === declared.line ? {} : { at: top.site };
    const subject: LossSubject = { object: name, kind, ...declared, ...at };
    const { spinning, overhead, count, waits } = totals;
    const waiting = totals.waiting * scale;
    const explains = { overhead: spinning + overhead, ...(isIdle ? { idle: waiting } : { waiting }) };
    const common = { subject, base, explains };
    if (kind === 'atomic' || kind === 'counter')
      return [
        spinning >= overhead
          ? { ...common, cause: 'contended-atomic', seconds: spinning, count }
          : { ...common, cause: 'object-operations', seconds: spinning + overhead, count },
      ];
    const inverted = Math.min(waiting, totals.inverted);
    const inversion: KnownLoss[] =
      inverted > 0
        ? [
            {
              ...{ subject, base, cause: 'priority-inversion', seconds: inverted, count: waits, isInactive: true },
              explains: { waiting: inverted },
            },
          ]
        : [];
    const contention: KnownLoss = {
      ...common,
      cause: causeOf(kind),
      seconds: spinning + waiting - inverted,
      count: waits,
      isInactive: true,
      explains: inverted > 0 ? { overhead: spinning + overhead, waiting: waiting - inverted } : explains,
    };
    if (overhead <= contention.seconds + inverted) return [...inversion, contention];
    return [
      ...inversion,
      {
        ...common,
        cause: 'object-operations',
        seconds: overhead + spinning,
        count,
        explains: { overhead: overhead + spinning },
      },
    ];
  });
}

function causeOf(kind: string): LossCause {
  if (kind === 'mutex' || kind === 'rwlock') return 'lock-contention';
  return kind === 'latch' ? 'barrier-waiting' : 'waiting-for-others';
}

/** Losses of lines that compute, load, store or sleep. */
function lineLosses({ net, ledger }: Ledgers, part: LedgerPart, base: number): KnownLoss[] {
  const bySite = new Map<string, Sums>();
  const isOs = net.scheduler === 'os';
  ledger.lines.forEach((line, k) => {
    if (line.work < 0) return;
    const totals = totalsOf(part, k);
    const site = siteOf(net, line);
    if (totals.count > 0) addTo(bySite, `${line.work} ${site.line} ${site.file}`, totals, 0, site, line.work);
  });
  return [...bySite.values()].flatMap(({ totals, top, work }): KnownLoss[] => {
    const loss = (cause: LossCause, seconds: number, more: Partial<KnownLoss> = {}): KnownLoss[] =>
      seconds > 0 ? [{ cause, subject: top.site, seconds, base, count: totals.count, explains: {}, ...more }] : [];
    if (work === ROW.sleep)
      return loss('system-calls', totals.waiting, { explains: { waiting: totals.waiting }, isInactive: true });
    const beyond = (cause: LossCause, seconds: number): KnownLoss[] =>
      loss(cause, seconds, { explains: { computing: seconds } });
    if (work === ROW.reuse) return beyond('moved-data', totals.sharing);
    const isSliced = isOs && net.machine.costs.timeSlice > 0;
    return [
      ...beyond('false-sharing', totals.sharing),
      ...beyond('memory-bandwidth', totals.crowded),
      // Threads that have ended leave no core unused; those that change on processors wait for them.
      ...loss('oversubscription', totals.preempted, {
        explains: {
          ...(isOs ? { idle: base } : {}),
          ...(isSliced ? { waiting: totals.preempted } : { computing: totals.preempted }),
        },
      }),
    ];
  });
}

/** Beginnings and ends of parallel groups, and creation of threads. */
function forkLosses({ net }: Ledgers, part: LedgerPart, figures: RegionFigures): KnownLoss[] {
  const { activities, stays, workers } = figures;
  const { elapsed, forks, forking, creating, created, forkSite } = part;
  if (elapsed === 0) return [];
  const isOs = net.scheduler === 'os';
  const subject = forkSite < 0 ? {} : { subject: lineAt(net, forkSite) };
  // All workers of a fork lose its time; most of it they are idle.
  const inactive = activities.waiting + activities.idle;
  const explained = (seconds: number): KnownLoss['explains'] =>
    seconds * (isOs ? stays / Math.max(1, forks) : workers) < inactive / 2
      ? {}
      : { idle: activities.idle, overhead: activities.overhead };
  const common = { ...subject, base: elapsed, isElapsed: true } as const;
  if (forks >= MANY_FORKS) {
    const seconds = Math.max(forking, creating);
    return [{ ...common, cause: 'forks-in-time-loop', seconds, count: forks, explains: explained(seconds) }];
  }
  if (!isOs || creating === 0) return [];
  return [{ ...common, cause: 'thread-creation', seconds: creating, count: created, explains: explained(creating) }];
}

function addTo<K>(sums: Map<K, Sums>, key: K, totals: LineTotals, seconds: number, site: SourceLine, work = -1): void {
  const known = sums.get(key);
  if (known === undefined) {
    sums.set(key, { totals: { ...totals }, top: { seconds, site }, work });
    return;
  }
  for (const name of Object.keys(totals) as (keyof LineTotals)[]) known.totals[name] += totals[name];
  if (seconds > known.top.seconds) Object.assign(known.top, { seconds, site });
}

const siteOf = (net: About, { site }: LedgerLine): SourceLine => lineAt(net, site);

function lineAt({ program }: About, site: number): SourceLine {
  const { file = '', line = 0 } = program.sites[site]!.place;
  return { file: fromHere(file), line };
}

/** Carrier-seconds and executions of a source line, over the whole run. */
export interface DiagnosedLine extends SourceLine {
  /** Seconds of computing, loading and storing. */
  readonly executing: number;
  /** Seconds on the processor until an operation of the line could begin. */
  readonly spinning: number;
  /** Seconds blocked or asleep, until the strand runs again. */
  readonly waiting: number;
  /** Seconds of operations of objects and of the scheduler. */
  readonly overhead: number;
  /** Executions of the line's operations. */
  readonly count: number;
  /** Those of them that were blocked or slept. */
  readonly waits: number;
}

/** A synchronisation object, over the whole run. */
export interface DiagnosedLock extends SourceLine {
  /** Name of the object, or of all objects of a declaration. */
  readonly name: string;
  /** Kind of the object: `mutex`, `atomic`, … */
  readonly kind: string;
  /** Seconds in which strands wait for it, blocked or on the processor. */
  readonly wait: number;
  /** Operations that were blocked. */
  readonly count: number;
  /** Number of operations. */
  readonly operations: number;
  /** Seconds that they take themselves. */
  readonly overhead: number;
  /** Part of `wait`: seconds in which threads less urgent than the waiter keep the holder of the lock from a core. Absent if 0. */
  readonly inverted?: number;
}

/** A line, and whether its operations compute, load, store or sleep. */
export interface WorkingLine extends DiagnosedLine {
  readonly isWork: boolean;
}

/** The source lines of a run, those that take most time first. */
export function diagnosedLines(ledgers: readonly Ledgers[]): WorkingLine[] {
  const lines = new Map<string, { -readonly [K in keyof WorkingLine]: WorkingLine[K] }>();
  for (const { net, ledger } of ledgers)
    ledger.lines.forEach((line, k) => {
      const { executing, spinning, waiting, overhead, count, waits } = totalsOf(ledger.whole, k);
      if (count + executing + waiting + overhead + spinning === 0) return;
      const site = siteOf(net, line);
      const key = `${site.line} ${site.file}`;
      const one = lines.get(key) ?? {
        ...site,
        executing: 0,
        spinning: 0,
        waiting: 0,
        overhead: 0,
        count: 0,
        waits: 0,
        isWork: false,
      };
      lines.set(key, one);
      one.isWork ||= line.work >= 0;
      one.executing += executing;
      one.spinning += spinning;
      one.waiting += waiting;
      one.overhead += overhead;
      one.count += count;
      one.waits += waits;
    });
  const all = ({ executing, spinning, waiting, overhead }: DiagnosedLine): number =>
    executing + spinning + waiting + overhead;
  return [...lines.values()].sort((a, b) => all(b) - all(a) || a.file.localeCompare(b.file) || a.line - b.line);
}

/** The objects of a run, those with most waiting first. */
export function diagnosedLocks(ledgers: readonly Ledgers[]): DiagnosedLock[] {
  const locks = new Map<string, { -readonly [K in keyof DiagnosedLock]: DiagnosedLock[K] }>();
  for (const { net, ledger } of ledgers)
    ledger.lines.forEach(({ object }, k) => {
      if (object < 0) return;
      const { spinning, waiting, overhead, count, waits, inverted } = totalsOf(ledger.whole, k);
      const about = net.program.objects[object]!;
      if (count === 0 || about.isJoin === true) return;
      const key = groupKey(about);
      const { file = '', line = 0 } = about.site?.place ?? {};
      const one = locks.get(key) ?? {
        ...{ name: about.name, kind: about.kind, file: fromHere(file), line },
        ...{ wait: 0, count: 0, operations: 0, overhead: 0 },
      };
      locks.set(key, one);
      one.wait += spinning + waiting;
      one.count += waits;
      one.operations += count;
      one.overhead += overhead;
      if (inverted > 0) one.inverted = (one.inverted ?? 0) + inverted;
    });
  return [...locks.values()].sort((a, b) => b.wait - a.wait || b.operations - a.operations);
}
