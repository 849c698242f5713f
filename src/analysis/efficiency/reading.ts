import { listing } from '../../base/listing.ts';
import { TIME_WORDS } from '../../base/time-words.ts';
import { slowerNodes } from '../../trace/run/host-speeds.ts';
import type { EfficiencyMeter } from './efficiency.ts';
import { type IntervalFigures, intervalFigures, processFigures } from './interval-figures.ts';
import { type IntervalNode, intervalName } from './interval-tree.ts';

/** Causes of lost time at which the guided reading can end. */
export type Cause =
  | 'insufficient-parallelism-sequential'
  | 'insufficient-parallelism-parallel'
  | 'load-imbalance'
  | 'slower-host'
  | 'time-variation'
  | 'local-imbalance'
  | 'many-operations'
  | 'input-output'
  | 'idle'
  | 'none';

/** One question of the guided reading, the figures that answer it, and the answer. */
export interface Step {
  readonly question: string;
  readonly answer: string;
  /** Seconds to which the answer refers. */
  readonly seconds: number;
}

/** Result of the guided reading. */
export interface Reading {
  readonly steps: readonly Step[];
  readonly cause: Cause;
  /** Interval in which time is lost. */
  readonly interval: IntervalNode;
  /** For lost synchronization: the interval in which the delay arose. */
  readonly origin: IntervalNode | undefined;
}

/** A part explains a loss if it is at least this share of it. */
const CLOSE = 0.5;
/** Maximum number of slower hosts that are named. */
const MAX_HOSTS = 5;
/** Lost time below this share of the total time needs no explanation. */
const NEGLIGIBLE = 0.01;

/**
 * Walks through the questions of "Debugging the efficiency of DVM programs" (section on the analysis of
 * characteristics): the largest loss of the program; for insufficient parallelism, sequential or parallel sections; for
 * communication, whether synchronization explains it, then load imbalance, then variation of times, else single loops
 * one level down; otherwise input/output, late partners of messages, gaps, or many operations. Ends at the innermost interval
 * that has most of the loss.
 *
 * @param lateMessages seconds that processes wait for late senders and receivers, by interval
 * @param ioWaits seconds that processes wait in input/output, by interval
 * @param hasMessages whether processes exchange messages: threads have operations on tasks and objects only
 * @param hosts their speeds, where they are known
 */
export function readEfficiency(
  meter: EfficiencyMeter,
  lateMessages: ReadonlyMap<number, number>,
  ioWaits: ReadonlyMap<number, number>,
  hasMessages: boolean,
  hosts?: ProcessHosts,
): Reading {
  return new GuidedReading(meter, lateMessages, ioWaits, hasMessages, hosts).read();
}

/** Hosts of the processes. */
export interface ProcessHosts {
  /** Host of each process. */
  readonly hostOf: readonly number[];
  readonly names: readonly string[];
  /** Speed of a core of each host, in flop/s. */
  readonly speeds: readonly number[];
  readonly speedText: (speed: number) => string;
}

class GuidedReading {
  readonly #meter: EfficiencyMeter;
  readonly #lateMessages: ReadonlyMap<number, number>;
  readonly #ioWaits: ReadonlyMap<number, number>;
  /** Figures of the whole program. */
  readonly #figures: IntervalFigures;
  /** Seconds by which the processes do less input/output than the one that does most. */
  readonly #ioImbalance: number;
  readonly #steps: Step[] = [];

  readonly #hasMessages: boolean;
  readonly #hosts: ProcessHosts | undefined;

  constructor(
    meter: EfficiencyMeter,
    lateMessages: ReadonlyMap<number, number>,
    ioWaits: ReadonlyMap<number, number>,
    hasMessages: boolean,
    hosts: ProcessHosts | undefined,
  ) {
    this.#hasMessages = hasMessages;
    this.#hosts = hosts;
    this.#meter = meter;
    this.#lateMessages = lateMessages;
    this.#ioWaits = ioWaits;
    const processes = processFigures(this.#meter, this.#meter.tree.root);
    this.#figures = intervalFigures(processes);
    this.#ioImbalance =
      processes.reduce((most, { ioTime }) => Math.max(most, ioTime), 0) * processes.length - this.#figures.ioTime;
  }

  read(): Reading {
    const { lostTime, insufficientParallelism, communication, idle, totalTime } = this.#figures;
    const losses = [
      ['insufficient parallelism', insufficientParallelism],
      [TIME_WORDS.communicatingOrWaiting.label, communication],
      ['idle time', idle],
    ] as const;
    const [largest, seconds] = losses.reduce((worst, loss) => (loss[1] > worst[1] ? loss : worst));
    if (totalTime === 0) {
      this.#step('Is time lost?', 'There is nothing to measure: no process spends time.', lostTime);
      return { steps: this.#steps, cause: 'none', interval: this.#root, origin: undefined };
    }
    if (lostTime <= NEGLIGIBLE * totalTime) {
      this.#step('Is time lost?', 'No: less than 1 % of the total time.', lostTime);
      return { steps: this.#steps, cause: 'none', interval: this.#root, origin: undefined };
    }
    this.#step('Which loss is the largest?', `${largest}, ${share(seconds, lostTime)} of the lost time`, seconds);
    if (largest === 'idle time') return this.#idling();
    if (largest === 'insufficient parallelism') return this.#parallelism();
    return this.#communicating();
  }

  #idling(): Reading {
    if (this.#ioImbalance > this.#figures.loadImbalance) {
      const origin = this.#heaviest((f) => f.ioTime);
      this.#step(
        'Where do processes differ in input/output?',
        this.#placeOf((f) => f.ioTime),
        this.#ioImbalance,
      );
      return { steps: this.#steps, cause: 'input-output', interval: this.#root, origin };
    }
    const origin = this.#heaviest((f) => f.loadImbalance);
    this.#step(
      'Where do processes compute for different times?',
      this.#placeOf((f) => f.loadImbalance),
      this.#figuresOf(origin).loadImbalance,
    );
    return { steps: this.#steps, cause: this.#bySpeed('idle'), interval: this.#root, origin };
  }

  #parallelism(): Reading {
    const { insufficientParallelismSequential: sequential, insufficientParallelismParallel: parallel } = this.#figures;
    const isSequential = sequential >= parallel;
    const part = (f: IntervalFigures): number =>
      isSequential ? f.insufficientParallelismSequential : f.insufficientParallelismParallel;
    const interval = this.#heaviest(part);
    this.#step(
      'In sequential or in parallel sections?',
      isSequential
        ? 'sequential: all processes compute the same; look for a heavy sequential loop'
        : 'parallel: the processor grid or the distribution of data leaves processes without work',
      isSequential ? sequential : parallel,
    );
    this.#step(WHERE, this.#placeOf(part), this.#figuresOf(interval).insufficientParallelism);
    const cause = isSequential ? 'insufficient-parallelism-sequential' : 'insufficient-parallelism-parallel';
    return { steps: this.#steps, cause, interval, origin: undefined };
  }

  #communicating(): Reading {
    const { synchronization, communication, ioTime } = this.#figures;
    const interval = this.#heaviest((f) => f.communication);
    const isSynchronization = synchronization >= CLOSE * communication;
    this.#step(
      `Is most of the time ${TIME_WORDS.communicatingOrWaiting.label} synchronization?`,
      `${isSynchronization ? 'yes' : 'no'}, ${share(synchronization, communication)}`,
      synchronization,
    );
    if (isSynchronization) return this.#synchronizing(this.#figures);
    const inIo = sum(this.#ioWaits);
    if (inIo >= CLOSE * communication) return this.#inputOutput(inIo);
    const late = sum(this.#lateMessages);
    if (late >= CLOSE * communication) return this.#waitingForPartners(late);
    const gaps = this.#meter.innerIdle();
    const place = this.#placeOf((f) => f.communication);
    if (gaps >= CLOSE * communication) {
      this.#step(
        'Are processes idle before their end?',
        `yes, for ${share(gaps, communication)} of the time ${TIME_WORDS.communicatingOrWaiting.label}`,
        gaps,
      );
      this.#step(WHERE, place, this.#figuresOf(interval).communication);
      return { steps: this.#steps, cause: 'idle', interval, origin: undefined };
    }
    const isIo = ioTime >= CLOSE * communication;
    this.#step(
      'Input/output or many operations?',
      isIo
        ? `input and output take as long as ${TIME_WORDS.communicatingOrWaiting.label}`
        : `many or long ${this.#hasMessages ? 'messages' : 'operations'}: group or shorten them`,
      isIo ? ioTime : communication,
    );
    this.#step(WHERE, place, this.#figuresOf(interval).communication);
    return { steps: this.#steps, cause: isIo ? 'input-output' : 'many-operations', interval, origin: undefined };
  }

  #inputOutput(waited: number): Reading {
    this.#step(
      'Do processes wait in input and output?',
      `yes, for ${share(waited, this.#figures.communication)} of the time ${TIME_WORDS.communicatingOrWaiting.label}`,
      waited,
    );
    const inside = new Map(this.#ioWaits);
    for (const node of [...this.#meter.tree.nodes].reverse())
      if (node.parent !== undefined)
        inside.set(node.parent.index, (inside.get(node.parent.index) ?? 0) + (inside.get(node.index) ?? 0));
    const interval = heaviest(
      this.#root,
      (node) => node,
      ({ index }) => inside.get(index) ?? 0,
    );
    this.#step(
      WHERE,
      spread(this.#root, interval, ({ index }) => inside.get(index) ?? 0),
      inside.get(interval.index) ?? 0,
    );
    return { steps: this.#steps, cause: 'input-output', interval, origin: undefined };
  }

  #waitingForPartners(late: number): Reading {
    this.#step(
      'Do processes wait for late partners of messages?',
      `yes, for ${share(late, this.#figures.communication)} of the time ${TIME_WORDS.communicatingOrWaiting.label}`,
      late,
    );
    const [where] = [...this.#lateMessages].reduce((most, waits) => (waits[1] > most[1] ? waits : most));
    const interval = this.#meter.tree.nodes[where]!;
    const cause = this.#imbalance(CLOSE * late) ?? 'local-imbalance';
    const value = (f: IntervalFigures): number => (cause === 'input-output' ? f.ioTime : f.loadImbalance);
    const origin = cause === 'local-imbalance' ? undefined : this.#heaviest(value);
    this.#step(
      'Is the load balanced over the whole program?',
      loadAnswer(cause, this.#figures.loadImbalance, late),
      this.#figures.loadImbalance,
    );
    const named = cause === 'load-imbalance' ? this.#bySpeed(cause) : cause;
    this.#step(
      'Where is time lost, and where did the delay arise?',
      lostAndArisen(describe(interval), origin === undefined ? 'no single interval' : this.#placeOf(value)),
      this.#lateMessages.get(where)!,
    );
    return { steps: this.#steps, cause: named, interval, origin };
  }

  #synchronizing({ synchronization, loadImbalance, timeVariation }: IntervalFigures): Reading {
    // A process that comes late to the start of an asynchronous operation makes nobody wait there.
    const waited = (f: IntervalFigures): number => Math.min(f.synchronization, f.communication);
    const interval = this.#heaviest(waited);
    const own = this.#figuresOf(interval);
    const origin = originOf(this.#meter, interval, own.synchronization);
    const explained = CLOSE * Math.min(synchronization, this.#figures.communication);
    const cause = this.#imbalance(explained) ?? (timeVariation >= explained ? 'time-variation' : 'local-imbalance');
    const lost = explained / CLOSE;
    this.#step('Is the load balanced over the whole program?', loadAnswer(cause, loadImbalance, lost), loadImbalance);
    const named = cause === 'load-imbalance' ? this.#bySpeed(cause) : cause;
    this.#step(
      'Where is time lost, and where did the delay arise?',
      lostAndArisen(this.#placeOf(waited), origin === undefined ? 'no single interval' : describe(origin)),
      waited(own),
    );
    return { steps: this.#steps, cause: named, interval, origin };
  }

  /**
   * Asks whether slower hosts explain that processes compute for different times: if all computed at the speed of the fastest host, at
   * least half of the load imbalance would be gone. No question without slower hosts.
   *
   * @returns `slower-host`, or `otherwise`
   */
  #bySpeed(otherwise: Cause): Cause {
    if (this.#hosts === undefined) return otherwise;
    const { hostOf, names, speeds, speedText } = this.#hosts;
    const all = processFigures(this.#meter, this.#root);
    const found = slowerNodes(
      all.map(({ process }) => hostOf[process]!),
      (host) => speeds[host]!,
    );
    if (found === undefined) return otherwise;
    const { slow, fastest } = found;
    const times = all.map(({ process, cpuTimeParallel }) => cpuTimeParallel * (speeds[hostOf[process]!]! / fastest));
    const left =
      times.reduce((most, time) => Math.max(most, time), 0) * times.length - times.reduce((a, b) => a + b, 0);
    const explained = Math.max(0, this.#figures.loadImbalance - left);
    const isExplained = explained >= CLOSE * this.#figures.loadImbalance;
    const named = slow.map((host) => `${names[host]} with ${speedText(speeds[host]!)} a core`);
    this.#step(
      'Do slower hosts explain it?',
      `${isExplained ? 'yes' : 'no'}, ${share(explained, this.#figures.loadImbalance)}: ${listing(named, { max: MAX_HOSTS })}, the fastest with ${speedText(fastest)}`,
      explained,
    );
    return isExplained ? 'slower-host' : otherwise;
  }

  /** The imbalance over the whole program that explains a loss: of computing, or of input/output if that is larger. */
  #imbalance(explained: number): Cause | undefined {
    if (Math.max(this.#figures.loadImbalance, this.#ioImbalance) < explained) return undefined;
    return this.#ioImbalance > this.#figures.loadImbalance ? 'input-output' : 'load-imbalance';
  }

  /** The innermost interval that has most of a figure, in words. */
  #placeOf(value: (f: IntervalFigures) => number): string {
    const of = (node: IntervalNode): number => value(this.#figuresOf(node));
    return spread(this.#root, this.#heaviest(value), of);
  }

  #step(question: string, answer: string, seconds: number): void {
    this.#steps.push({ question, answer, seconds });
  }

  #figuresOf(node: IntervalNode): IntervalFigures {
    return intervalFigures(processFigures(this.#meter, node));
  }

  /** The innermost interval that has most of a figure. */
  #heaviest(value: (f: IntervalFigures) => number): IntervalNode {
    return heaviest(this.#root, (node) => this.#figuresOf(node), value);
  }

  get #root(): IntervalNode {
    return this.#meter.tree.root;
  }
}

const WHERE = 'Where is most time lost?';

const sum = (seconds: ReadonlyMap<number, number>): number => [...seconds.values()].reduce((a, b) => a + b, 0);

/** An interval found by {@link heaviest}; for the program, how the figure is spread. */
function spread(root: IntervalNode, interval: IntervalNode, value: (node: IntervalNode) => number): string {
  if (interval.parent !== undefined || root.children.length === 0) return describe(interval);
  const total = value(root);
  const outside = Math.max(0, total - root.children.reduce((inside, child) => inside + value(child), 0));
  const most = root.children.reduce((a, b) => (value(b) > value(a) ? b : a));
  if (outside >= CLOSE * total) return describe(root);
  const [largest, where] =
    outside > value(most) ? [outside, 'outside all intervals'] : [value(most), `in interval ${intervalName(most)}`];
  return `no single interval; the largest part, ${share(largest, total)}, ${where}`;
}

/**
 * The interval in which most of the delay arose that is lost in an interval; undefined where less than half of the lost
 * time is attributed to intervals.
 */
function originOf(meter: EfficiencyMeter, interval: IntervalNode, lost: number): IntervalNode | undefined {
  const seconds = new Map<number, number>();
  let attributed = 0;
  for (const delay of meter.delays) {
    let node: IntervalNode | undefined = meter.tree.nodes[delay.lostIn];
    while (node !== undefined && node !== interval) node = node.parent;
    if (node === undefined) continue;
    attributed += delay.seconds;
    seconds.set(delay.arisesIn, (seconds.get(delay.arisesIn) ?? 0) + delay.seconds);
  }
  if (attributed < CLOSE * lost || seconds.size === 0) return undefined;
  const [most] = [...seconds].reduce((a, b) => (b[1] > a[1] ? b : a));
  return meter.tree.nodes[most];
}

const lostAndArisen = (lost: string, arisen: string): string =>
  lost === arisen ? `both in ${lost}` : `lost in ${lost}, arises in ${arisen}`;

/** A load imbalance below this share of a loss counts as balance. */
const BALANCED = 0.1;

/** Answer to whether the load is balanced, for a loss in seconds and the load imbalance over the whole program. */
function loadAnswer(cause: Cause, imbalance: number, lost: number): string {
  if (cause === 'load-imbalance') return 'no: some processes compute longer than others in parallel sections';
  if (cause === 'input-output') return 'yes, but some processes do input and output for which others wait';
  if (cause === 'time-variation') return 'yes, but the times of collective operations vary between processes';
  return imbalance < BALANCED * lost
    ? 'yes: imbalances of single loops cancel out over the program'
    : `in part: some processes compute longer over the whole program, which explains up to ${share(imbalance, lost)} of this loss; imbalances of single loops cancel out`;
}

/** The innermost interval that has at least half of its parent's value, from the program down. */
function heaviest<F>(
  root: IntervalNode,
  figuresOf: (node: IntervalNode) => F,
  value: (figures: F) => number,
): IntervalNode {
  let node = root;
  for (;;) {
    let next: IntervalNode | undefined;
    let max = CLOSE * value(figuresOf(node));
    for (const child of node.children) {
      const of = value(figuresOf(child));
      if (of > 0 && of >= max) {
        max = of;
        next = child;
      }
    }
    if (next === undefined) return node;
    node = next;
  }
}

const describe = (node: IntervalNode): string => {
  if (node.parent !== undefined) return `interval ${intervalName(node)}`;
  return node.children.length === 0 ? 'the program, which has no intervals' : 'the program outside its intervals';
};

const share = (part: number, whole: number): string => `${whole > 0 ? Math.round((100 * part) / whole) : 0} %`;
