import type { SimulationProgress, SpaceProgress, StructureProgress, StudyProgress } from './job.ts';

/** Delay before the progress line appears, and interval between its updates, in milliseconds. */
const FIRST = 2000;
const NEXT = 200;
/** Without a terminal, the time of the first line; each further one comes when the time has doubled. */
const FIRST_WHOLE = 60_000;

/** Output stream of the progress line: `process.stderr`, or a test double. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Progress line on a terminal: appears after two seconds, is updated five times per second, and is erased at the end. Elsewhere, as in a
 * batch job, a whole line after one, two, four, … minutes says how far the work is, so that long work is no hang.
 */
export class Progress {
  readonly #stream: ProgressStream;
  readonly #text: () => string;
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  /**
   * @param text returns the current text of the line, at most 60 columns wide
   * @param limited whether the work has a limit of time already
   */
  constructor(stream: ProgressStream, text: () => string, limited = hasTimeLimit()) {
    this.#stream = stream;
    this.#text = text;
    const { TERM } = process.env;
    if (stream.isTTY !== true || TERM === 'dumb') {
      const advice = limited ? '' : '; --seconds SECONDS ends it with partial results';
      const look = (milliseconds: number): void => {
        stream.write(`foretoken: after ${roughly(milliseconds / 1000)}: ${text()}${advice}\n`);
        later(milliseconds);
      };
      const later = (milliseconds: number): void => {
        this.#timer = setTimeout(() => look(2 * milliseconds), milliseconds);
        this.#timer.unref();
      };
      this.#timer = setTimeout(() => look(FIRST_WHOLE), FIRST_WHOLE);
      this.#timer.unref();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#show();
      this.#timer = setInterval(() => this.#show(), NEXT);
    }, FIRST);
  }

  /** Erases the line and stops updating it. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#shown) this.#stream.write('\r\x1b[K');
    this.#shown = false;
  }

  #show(): void {
    this.#shown = true;
    this.#stream.write(`\r\x1b[K${this.#text()}`);
  }
}

/** True if the command line of this process limits its time. */
const hasTimeLimit = (): boolean => process.argv.some((word) => /^--seconds(=|$)/.test(word));

/**
 * Estimates the time left of work whose share is known, from its speed since it began and in the second half of that time. If the two
 * disagree, both ends of a range are shown: parts of a run can differ in speed.
 */
export class TimeLeft {
  #samples: { readonly at: number; readonly share: number }[] = [];
  #share = 0;
  /** Time between two samples, in milliseconds: it doubles when there are too many. */
  #spacing = 0;

  /**
   * `about 40 s left`, `20 s to 2 min left`; undefined while too little is known.
   *
   * @param share of the work that is done, from 0 to 1; NaN: not known
   * @param now milliseconds of a clock that never goes back
   */
  text(share: number, now: number = performance.now()): string | undefined {
    // Another part of the work has begun.
    if (share < this.#share) this.#samples = [];
    const estimates = this.#estimates(share, now);
    if (estimates === undefined) return undefined;
    const [least, most] = [Math.min(...estimates), Math.max(...estimates)];
    if (most <= AGREE * least) return `about ${roughly(estimates[1])} left`;
    const [from, to] = [roughly(least), roughly(most)];
    return from === to ? `about ${to} left` : `${from} to ${to} left`;
  }

  /** `3 min`: the longer estimate, of work that ends at the latest where its share is 1. Memory that is given back takes no part. */
  most(share: number, now: number = performance.now()): string | undefined {
    const estimates = this.#estimates(Math.max(share, this.#share), now);
    return estimates === undefined ? undefined : roughly(Math.max(...estimates));
  }

  /** Seconds left by the speed since the work began, and by that in the second half of the time. */
  #estimates(share: number, now: number): readonly [number, number] | undefined {
    if (Number.isNaN(share) || share >= 1) return undefined;
    this.#share = share;
    const last = this.#samples.at(-1);
    if (last === undefined || now - last.at >= this.#spacing) this.#samples.push({ at: now, share });
    if (this.#samples.length > MAX_SAMPLES) {
      this.#samples = this.#samples.filter((_, k) => k % 2 === 0);
      this.#spacing = (now - this.#samples[0]!.at) / this.#samples.length;
    }
    const samples = this.#samples;
    const first = samples[0]!;
    if (now - first.at < LEAST_TIME || share - first.share < LEAST_SHARE) return undefined;
    const half = samples.findLast(({ at }) => at <= (first.at + now) / 2)!;
    // Nothing was done lately.
    if (half.share >= share) return undefined;
    const left = (from: typeof first): number => ((1 - share) * (now - from.at)) / (share - from.share) / 1000;
    return [left(first), left(half)];
  }
}

const MAX_SAMPLES = 64;
/** Estimates begin after this time, in milliseconds, and this share of the work. */
const LEAST_TIME = 2000;
const LEAST_SHARE = 0.01;
/** Estimates agree if one is at most this multiple of the other. */
const AGREE = 1.5;

/** A time in seconds with the digits that an estimate deserves: `7 s`, `40 s`, `3 min`, `1.5 h`, `3 d`. */
function roughly(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 57.5) return `${5 * Math.round(seconds / 5)} s`;
  if (seconds < 570) return `${Math.round(seconds / 60)} min`;
  if (seconds < 3450) return `${5 * Math.round(seconds / 300)} min`;
  if (seconds < 36 * 3600) return `${Number((seconds / 3600).toFixed(seconds < 36_000 ? 1 : 0))} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Progress text of a job: `simulating: 42 %, about 40 s left`, `1.25 M states, 830 k/s, 64.1 k to go, at most 3 min left`. */
export function progressText(
  state: SimulationProgress | SpaceProgress | StudyProgress | StructureProgress | undefined,
  left: TimeLeft = new TimeLeft(),
): string {
  if (state === undefined) return 'reading…';
  if ('analysing' in state) return 'analysing the structure…';
  if ('states' in state) return exploringText(state, left);
  if ('scenarios' in state) return studyText(state, left);
  const share = Number.isNaN(state.share) || state.share === 0 ? '' : `${Math.floor(state.share * 100)} %, `;
  return `simulating: ${share}${left.text(state.share) ?? `at ${state.time.toPrecision(4)} s`}`;
}

/** Progress text of a study: `predicting: 3 of 12 scenarios`, `3 of 12 scenarios: about 40 s left`. */
export function studyText({ done, scenarios }: StudyProgress, left: TimeLeft = new TimeLeft()): string {
  return scenarios === 0 ? 'reading…' : partsText('predicting', done, scenarios, 'scenarios', left);
}

/** Progress text of work whose parts take about as long as each other: the words of {@link studyText}. */
export function partsText(verb: string, done: number, all: number, parts: string, left: TimeLeft): string {
  const time = left.text(done / all);
  return time === undefined ? `${verb}: ${done} of ${all} ${parts}` : `${done} of ${all} ${parts}: ${time}`;
}

/** The number of states is not known before, so that the time left is that to the nearest limit. */
function exploringText({ states, expanded, seconds, used = Number.NaN }: SpaceProgress, left: TimeLeft): string {
  const found = `${short(states)} states`;
  if (expanded >= states) return `${found}: analysing…`;
  const rate = seconds > 0 ? `, ${short(states / seconds)}/s` : '';
  const most = left.most(used);
  return `${found}${rate}, ${short(states - expanded)} to go${most === undefined ? '' : `, at most ${most} left`}`;
}

/** Formats a count with three significant digits and an SI prefix, as in `1.25 M`. */
function short(count: number): string {
  const power = count < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3));
  if (power === 0) return String(Math.round(count));
  return `${Number((count / 1000 ** power).toPrecision(3))} ${['', 'k', 'M', 'G', 'T'][power]}`;
}
