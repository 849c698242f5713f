import type { SimulationProgress, SpaceProgress, StructureProgress, StudyProgress } from './job.ts';

/** Delay before the progress line appears, and interval between its updates, in milliseconds. */
const FIRST = 2000;
const NEXT = 200;

/** Output stream of the progress line: `process.stderr`, or a test double. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Progress line on a terminal: appears after two seconds, is updated five times per second, and is erased at the end. */
export class Progress {
  readonly #stream: ProgressStream;
  readonly #text: () => string;
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  /** @param text returns the current text of the line, less than 40 columns wide */
  constructor(stream: ProgressStream, text: () => string) {
    this.#stream = stream;
    this.#text = text;
    const { TERM } = process.env;
    if (stream.isTTY !== true || TERM === 'dumb') return;
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

/** Progress text of a job: `simulating: 42 %, at 1.250 s`, `1.25 M states, 830 k/s, 64.1 k to go`. */
export function progressText(
  state: SimulationProgress | SpaceProgress | StudyProgress | StructureProgress | undefined,
): string {
  if (state === undefined) return 'reading…';
  if ('analysing' in state) return 'analysing the structure…';
  if ('states' in state) return exploringText(state);
  if ('scenarios' in state) return studyText(state);
  const share = Number.isNaN(state.share) || state.share === 0 ? '' : `${Math.floor(state.share * 100)} %, `;
  return `simulating: ${share}at ${state.time.toPrecision(4)} s`;
}

/** Progress text of a study: `predicting: 3 of 12 scenarios`. */
export function studyText({ done, scenarios }: StudyProgress): string {
  return scenarios === 0 ? 'reading…' : `predicting: ${done} of ${scenarios} scenarios`;
}

function exploringText({ states, expanded, seconds }: SpaceProgress): string {
  const found = `${short(states)} states`;
  if (expanded >= states) return `${found}: verdicts…`;
  const rate = seconds > 0 ? `, ${short(states / seconds)}/s` : '';
  return `${found}${rate}, ${short(states - expanded)} to go`;
}

/** Formats a count with three significant digits and an SI prefix, as in `1.25 M`. */
function short(count: number): string {
  const power = count < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3));
  if (power === 0) return String(Math.round(count));
  return `${Number((count / 1000 ** power).toPrecision(3))} ${['', 'k', 'M', 'G', 'T'][power]}`;
}
