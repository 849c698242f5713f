import type { Evidence, FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { SlowHost } from '../../analysis/diagnosis/known-losses.ts';
import { TIME_WORDS } from '../../base/time-words.ts';
import { documentJson } from '../../report/document-json.ts';
import { pageOf } from '../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { clipped, printable, prose } from '../../report/text.ts';
import { alikeSeconds, counted, formatCount, formatSeconds, formatShare } from '../../report/units.ts';
import { COUNTERS, type Counter } from '../../trace/workers/worker-states.ts';
import type { DiagnosedRegion, DiagnosedWorker, DiagnosisDocument, DiagnosisFinding } from './diagnosis-document.ts';
import { cheaperLines, lineTable, lineText, lockTable, MAX_LINES, rest } from './line-tables.ts';
import { speedText } from './slower-hosts.ts';
import type { Speedup } from './speedup.ts';
import type { ThresholdSource } from './threshold-sources.ts';

/** Maximum number of slower hosts that are named. */
const MAX_HOSTS = 4;

/** Causes in words. */
const CAUSE: Readonly<Record<FindingCause, string>> = {
  'slower-host': 'hosts compute more slowly than others',
  'fine-grain': 'the grain of tasks is too fine',
  'linear-spawning': 'one worker spawns most tasks',
  'too-few-tasks': 'there are too few tasks',
  'excessive-waiting': 'workers wait for the longest tasks',
  'lock-contention': 'strands wait for a lock',
  'contended-atomic': 'threads wait for an atomic word',
  'object-operations': 'operations on an object take long',
  'false-sharing': 'threads change data in the same cache lines',
  'moved-data': 'data are in the caches of another worker',
  'memory-bandwidth': 'the memory is saturated',
  'barrier-waiting': 'threads wait at a barrier',
  'waiting-for-others': 'strands wait for what others release',
  'priority-inversion': 'less urgent threads keep the holder of a lock from a core',
  'system-calls': 'workers wait in system calls',
  oversubscription: 'more threads than cores compute',
  'forks-in-time-loop': 'threads are forked and joined too often',
  'thread-creation': 'threads are created',
  'critical-path': 'tasks wait for each other in a chain',
  unknown: 'overhead without a known cause',
};

/** Lost time of the workers. */
const LOSS: Readonly<Partial<Record<FindingCause, string>>> = {
  'fine-grain': 'Overhead takes',
  'linear-spawning': 'Overhead takes',
  'too-few-tasks': 'Workers wait or are idle for',
  'excessive-waiting': 'Workers wait or are idle for',
  'slower-host': 'Workers are idle for',
};

/** The diagnosis as text for a terminal. */
export function renderDiagnosis(document: DiagnosisDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const { regions } = document;
  const sections = [
    headline(document, style),
    deadlockLines(document, style),
    ...regions
      .filter((region) => findings(region, regions).length > 0)
      .slice(0, MAX_LINES)
      .map((region) => findingLines({ ...region, findings: findings(region, regions) }, style)),
    regionTable(regions, style),
    workerTable(regions, style),
    lineTable(document, style),
    lockTable(document, style),
    counterTable(regions, style),
    ownTable(regions, style),
    thresholdLines(document, style),
    ...(document.speedup === undefined
      ? []
      : [speedupLines(document.speedup, style), withoutLines(document.speedup, style)]),
    ...(document.cheaper === undefined ? [] : [cheaperLines(document.cheaper, style)]),
  ];
  return style.amounts(pageOf(sections));
}

/** The findings of a region; of a region in one rank, those that are not findings over all ranks. */
function findings(region: DiagnosedRegion, regions: readonly DiagnosedRegion[]): readonly DiagnosisFinding[] {
  if (region.rank === undefined) return region.findings;
  const whole = region.name.slice(0, region.name.lastIndexOf(', rank '));
  const known = regions.filter(({ name }) => name === whole).flatMap((r) => r.findings.map(({ cause }) => cause));
  return region.findings.filter(({ cause }) => !known.includes(cause));
}

export function diagnosisJson(document: DiagnosisDocument): string {
  return documentJson(document, Object.keys(document) as (keyof DiagnosisDocument)[]);
}

function headline({ regions, inputs, model, origin, deadlock, window }: DiagnosisDocument, style: Style): string[] {
  const found = regions.filter(({ findings }) => findings.length > 0).length;
  const summary =
    regions.length === 0
      ? 'No parallel region'
      : found === 0
        ? `No parallel overhead to report in ${counted(regions.length, 'region')}`
        : `Parallel overhead in ${found} of ${counted(regions.length, 'region')}`;
  const source =
    model === undefined
      ? [inputs['run']?.path ?? `a ${origin} run`, origin]
      : [
          model.name,
          `simulated with ${model.ranks === undefined ? '' : `${counted(model.ranks, 'rank')} of `}${counted(model.workers, 'worker')}`,
          `scheduler ${model.scheduler}`,
          `${deadlock === undefined ? 'run time' : 'deadlock after'} ${formatSeconds(model.runTime)}`,
          ...(model.serialTime === undefined ? [] : [`serial ${formatSeconds(model.serialTime)}`]),
        ];
  if (window !== undefined) source.push(`from ${window.from} s to ${window.to} s`);
  return [
    style.bold(deadlock === undefined ? summary : `Deadlock. ${summary}`),
    clipped(printable(source.join(style.dot), style.unicode), style.width, style.more),
  ];
}

/** The strands that cannot continue. */
function deadlockLines({ deadlock = [] }: DiagnosisDocument, style: Style): string[] {
  if (deadlock.length === 0) return [];
  const shown = deadlock.slice(0, MAX_LINES);
  return [
    style.bold('Blocked strands'),
    ...table(
      [
        { head: 'strand', cells: shown.map(({ rank, strand }) => strand ?? `rank ${rank}`) },
        { head: 'operation', cells: shown.map(({ operation }) => operation) },
        { head: 'line', cells: shown.map(({ file, line }) => `${file.split(/[\\/]/).at(-1)}:${line}`) },
      ],
      style,
    ),
    ...rest(deadlock.length - shown.length, 'strand'),
  ];
}

function findingLines(region: DiagnosedRegion, style: Style): string[] {
  const { name, from, to, findings } = region;
  const [begin, end] = [formatSeconds(from), formatSeconds(to)];
  // Recorded times may begin anywhere: a short region far from 0 begins and ends at the same digits.
  const span = begin === end ? `${formatSeconds(to - from)} from ${begin} on` : `${begin} to ${end}`;
  // Names of the model are in findings, advice and changes.
  const told = (text: string): string[] => prose(printable(text, style.unicode), style.width);
  return [
    style.bold(clipped(printable(`Region ${name}, ${span}`, style.unicode), style.width, style.more)),
    ...findings.flatMap(
      ({ cause, evidence, secondsLost, advice, change, predictedGain, gainIsBound, noGain, ...about }) => [
        ...told(
          `${cause}: ${CAUSE[cause]}${subjectText(about)}. ${LOSS[cause] ?? 'It takes'} ${formatSeconds(secondsLost)} in all; ${evidence.map((one) => evidenceText(one, about.hosts === undefined ? 'time' : 'host')).join(', ')}. ${limitText(region, about)}`,
        ),
        ...told(`Advice: ${advice}.`),
        ...(predictedGain === undefined
          ? []
          : told(
              `Predicted gain: ${gainIsBound === true ? 'at most ' : ''}${formatSeconds(predictedGain)}, with ${change}.`,
            )),
        ...(noGain === undefined ? [] : told(`No predicted gain: ${noGain}.`)),
      ],
    ),
  ];
}

/** How much a cause limits the speed-up of its region. */
function limitText(
  { speedup, workersCount, cores }: DiagnosedRegion,
  { speedupWithout }: { readonly speedupWithout: number },
): string {
  const on = cores === undefined ? counted(workersCount, 'worker') : counted(cores, 'core');
  return `Speed-up ${speedup.toPrecision(3)} on ${on}, without this loss ${speedupWithout.toPrecision(3)}.`;
}

/** The object or line of a finding: `: mutex m, pool.ts:7, mostly at pool.ts:12`. */
function subjectText({ subject, subjects, hosts }: Pick<DiagnosisFinding, 'subject' | 'subjects' | 'hosts'>): string {
  if (hosts !== undefined) return hostsText(hosts);
  if (subject === undefined) return '';
  const { object, kind, at } = subject;
  const name = object === undefined ? '' : `${kind === 'latch' ? 'barrier' : kind} ${object}, `;
  const place = at === undefined ? '' : `, mostly at ${lineText(at)}`;
  const others = subjects === undefined ? '' : ` and ${counted(subjects - 1, 'other')}`;
  return `: ${name}${lineText(subject)}${place}${others}`;
}

/** `: node3 with 1.00 Gflop/s a core, the fastest host has 2.00 Gflop/s`. */
function hostsText(hosts: readonly SlowHost[]): string {
  const some = hosts.slice(0, MAX_HOSTS).map(({ name, speed }) => `${name} with ${speedText(speed)}`);
  const left = hosts.length - some.length;
  const more = left === 0 ? '' : ` and ${counted(left, 'other')}`;
  return `: ${some.join(', ')}${more} a core; the fastest has ${speedText(hosts[0]!.others)}`;
}

function evidenceText({ figure, value, threshold, kind, count }: Evidence, event: string): string {
  const relation = value === undefined || value > threshold ? 'above' : 'not above';
  const number = (x: number): string => (x >= 1000 ? formatCount(Math.round(x)) : String(Number(x.toPrecision(3))));
  switch (figure) {
    case 'overheadShare':
      return `${TIME_WORDS[kind === 'inactive' ? 'waitingOrIdle' : 'overhead'].label} ${formatShare(value!)} (threshold ${formatShare(threshold)})`;
    case 'taskRate':
      return `up to ${number(value!)} tasks per second of a worker (${relation} ${number(threshold)}, an absolute rate)`;
    case 'handling':
      return `handling its tasks takes up to ${formatShare(value!)} of a worker's computing and overhead (threshold ${formatShare(threshold)})`;
    case 'stealRatio':
      return value === undefined
        ? 'no task from the own queue'
        : `${number(value)} tasks from elsewhere per own task (${relation} ${number(threshold)})`;
    case 'tasksPerWorker':
      return `tasks per worker: ${number(value!)}`;
    case 'lossShare':
      return `${formatShare(value!)} of the time (threshold ${formatShare(threshold)}), ${counted(count!, event)}`;
    case 'searchRate':
      return `${number(value!)} searches in vain per second and worker (${relation} ${number(threshold)}, an absolute rate)`;
  }
}

function regionTable(regions: readonly DiagnosedRegion[], style: Style): string[] {
  const shown = regions.slice(0, 4 * MAX_LINES);
  const times = (of: (region: DiagnosedRegion) => number): string[] => shown.map(of).map(alikeSeconds(shown.map(of)));
  return [
    style.bold('Regions'),
    ...table(
      [
        { head: 'region', cells: shown.map(({ name }) => name) },
        { head: 'from', right: true, cells: times(({ from }) => from), dispensable: 1 },
        { head: 'time', right: true, cells: times(({ seconds }) => seconds) },
        { head: 'workers', right: true, cells: shown.map(({ workersCount }) => formatCount(workersCount)) },
        {
          head: TIME_WORDS.overhead.label,
          right: true,
          cells: shown.map(({ activeShare }) => formatShare(activeShare)),
        },
        {
          head: TIME_WORDS.waitingOrIdle.label,
          right: true,
          cells: shown.map(({ inactiveShare }) => formatShare(inactiveShare)),
        },
        { head: 'own tasks', right: true, cells: shown.map(({ ownTasks }) => formatCount(ownTasks)), dispensable: 1 },
        { head: 'others', right: true, cells: shown.map(({ otherTasks }) => formatCount(otherTasks)), dispensable: 1 },
        {
          head: 'causes',
          cells: shown.map(({ findings }) => findings.map(({ cause }) => cause).join(', ') || style.dash),
        },
      ],
      style,
    ),
    ...rest(regions.length - shown.length, 'region'),
  ];
}

/** States of the workers, of the region that loses most. */
function workerTable(regions: readonly DiagnosedRegion[], style: Style): string[] {
  const worst = worstOf(regions);
  if (worst === undefined) return [];
  const workers = worst.workers ?? [];
  const shown = workers.slice(0, MAX_LINES);
  if (shown.length === 0) return [];
  const share = (of: (worker: DiagnosedWorker) => number): string[] =>
    shown.map((worker) => {
      const time = timeOf(worker, worst.seconds);
      return formatShare(time > 0 ? of(worker) / time : 0);
    });
  return [
    style.bold(clipped(printable(`Workers of region ${worst.name}`, style.unicode), style.width, style.more)),
    ...table(
      [
        { head: 'worker', cells: shown.map(({ worker }) => worker) },
        { head: TIME_WORDS.computing.label, right: true, cells: share((w) => w.computing) },
        { head: TIME_WORDS.overhead.label, right: true, cells: share((w) => w.overhead) },
        { head: TIME_WORDS.waiting.label, right: true, cells: share((w) => w.waiting) },
        { head: TIME_WORDS.idle.label, right: true, cells: share((w) => w.idle) },
        { head: 'own queue', right: true, cells: share((w) => w.seconds.local), dispensable: 2 },
        { head: 'elsewhere', right: true, cells: share((w) => w.seconds.global), dispensable: 2 },
        { head: 'own tasks', right: true, cells: shown.map((w) => formatCount(w.ownTasks)), dispensable: 1 },
        { head: 'others', right: true, cells: shown.map((w) => formatCount(w.otherTasks)), dispensable: 1 },
      ],
      style,
    ),
    ...rest(workers.length - shown.length, 'worker'),
  ];
}

/** The region that loses most. */
function worstOf(regions: readonly DiagnosedRegion[]): DiagnosedRegion | undefined {
  const lost = ({ activeShare, inactiveShare, workersCount, seconds }: DiagnosedRegion): number =>
    (activeShare + inactiveShare) * workersCount * seconds;
  return regions.reduce<DiagnosedRegion | undefined>(
    (a, b) => (a === undefined || lost(b) > lost(a) ? b : a),
    undefined,
  );
}

/** Transitions of the life-cycle with the letters of their states: E→L is EXEC→LOCAL. */
const TRANSITIONS: readonly (readonly [head: string, counter: Counter])[] = COUNTERS.map((counter) => [
  counter.replace(/^(.)[a-z]+([A-Z])[a-z]+$/, (_, from: string, to: string) => `${from.toUpperCase()}→${to}`),
  counter,
]);

/** The eight counters of each worker, of the region that loses most. */
function counterTable(regions: readonly DiagnosedRegion[], style: Style): string[] {
  const shown = worstOf(regions)?.workers?.slice(0, MAX_LINES) ?? [];
  // Threads of the operating system have no queues.
  if (shown.every(({ counters }) => COUNTERS.every((counter) => counters[counter] === 0))) return [];
  return [
    style.bold('Transitions; E is EXEC, L LOCAL, G GLOBAL, W WAIT'),
    ...table(
      [
        { head: 'worker', cells: shown.map(({ worker }) => worker) },
        ...TRANSITIONS.map(([head, counter]) => ({
          head: printable(head, style.unicode),
          right: true,
          cells: shown.map(({ counters }) => formatCount(counters[counter])),
        })),
      ],
      style,
    ),
  ];
}

/** Shares of the user's own states, of the region that loses most. */
function ownTable(regions: readonly DiagnosedRegion[], style: Style): string[] {
  const worst = worstOf(regions);
  const shown = worst?.workers?.slice(0, MAX_LINES) ?? [];
  const names = [...new Set((worst?.workers ?? []).flatMap(({ own }) => Object.keys(own ?? {})))];
  if (worst === undefined || shown.length === 0 || names.length === 0) return [];
  return [
    style.bold('Own states'),
    ...table(
      [
        { head: 'worker', cells: shown.map(({ worker }) => worker) },
        ...names.map((name, k) => ({
          head: printable(name, style.unicode),
          right: true,
          cells: shown.map(({ own }) => formatShare((own?.[name] ?? 0) / worst.seconds)),
          ...(k < 4 ? {} : { dispensable: 1 }),
        })),
      ],
      style,
    ),
  ];
}

const THRESHOLD_WORDS: Readonly<Record<ThresholdSource['threshold'], string>> = {
  active: TIME_WORDS.overhead.label,
  inactive: TIME_WORDS.waitingOrIdle.label,
  handling: 'handling of tasks',
  taskRate: 'tasks per second of a worker',
  stealRatio: 'tasks from elsewhere per own task',
  searchRate: 'searches in vain per second and worker',
};

/** The thresholds, each with its source. */
function thresholdLines({ thresholds, regions }: DiagnosisDocument, style: Style): string[] {
  if (regions.length === 0) return [];
  const list = thresholds.map(({ threshold, value, from, source }) => {
    const isShare = threshold === 'active' || threshold === 'inactive' || threshold === 'handling';
    const shown = isShare ? formatShare(value) : formatCount(Number(value.toPrecision(6)));
    const why = from === 'given' ? 'given' : threshold === 'active' || threshold === 'inactive' ? 'default' : source;
    return `${THRESHOLD_WORDS[threshold]} ${shown} (${why})`;
  });
  return prose(printable(`Thresholds: ${list.join('; ')}.`, style.unicode), style.width);
}

/** Time of a worker in a region: that of the region, or that in which a thread exists. */
const timeOf = ({ computing, overhead, waiting, idle }: DiagnosedWorker, seconds: number): number =>
  Math.min(seconds, computing + overhead + waiting + idle);

/** Lines and locks by what 10 % less of them would gain. */
function speedupLines(speedup: Speedup, style: Style): string[] {
  const { work, span, parallelism, burdenedSpan, burdenedParallelism, spawns, notCovered, points } = speedup;
  const factor = (x: number | undefined): string => {
    if (x === undefined) return style.dash;
    return x >= 1000 ? formatCount(Math.round(x)) : x.toPrecision(3);
  };
  return [
    style.bold('Speed-up'),
    ...prose(
      `Work ${formatSeconds(work)}, span ${formatSeconds(span)}${notCovered.length === 0 ? '' : ' or more'}: parallelism ${factor(parallelism)}. ` +
        `With steals and wake-ups on ${counted(spawns, 'spawn')}: span ${formatSeconds(burdenedSpan)}, parallelism ${factor(burdenedParallelism)}.`,
      style.width,
    ),
    ...(notCovered.length === 0
      ? []
      : prose(`Without the time that threads wait for: ${notCovered.join(', ')}.`, style.width)),
    ...table(
      [
        { head: 'workers', right: true, cells: points.map(({ workers }) => formatCount(workers)) },
        { head: 'at most', right: true, cells: points.map(({ upper }) => factor(upper)) },
        { head: 'estimate', right: true, cells: points.map(({ lower }) => factor(lower)) },
        { head: 'simulated', right: true, cells: points.map(({ simulated }) => factor(simulated)) },
        {
          head: 'run time',
          right: true,
          cells: points.map(({ runTime }) => (runTime === undefined ? 'deadlock' : formatSeconds(runTime))),
        },
      ],
      style,
    ),
  ];
}

/** Simulated speed-ups with all causes, and without each of them. */
function withoutLines({ points, without = [] }: Speedup, style: Style): string[] {
  if (without.length === 0) return [];
  const cells = (of: readonly { readonly simulated?: number }[]): string[] =>
    of.map(({ simulated }) => (simulated === undefined ? style.dash : simulated.toPrecision(3)));
  return [
    style.bold('Simulated speed-up without a cause'),
    ...table(
      [
        { head: 'workers', right: true, cells: points.map(({ workers }) => formatCount(workers)) },
        { head: 'as it is', right: true, cells: cells(points) },
        ...without.map((curve, k) => ({ head: `(${k + 1})`, right: true, cells: cells(curve.points) })),
      ],
      style,
    ),
    ...without.flatMap(({ region, cause, change }, k) =>
      prose(printable(`(${k + 1}) without ${cause} in region ${region}: ${change}.`, style.unicode), style.width),
    ),
  ];
}
