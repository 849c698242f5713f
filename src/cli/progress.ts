import type { SimulationProgress, SpaceProgress, StudyProgress } from './job.ts';

/** Milliseconds of work before a progress line appears, and between two of its states. */
const FIRST = 2000;
const NEXT = 200;

/** A terminal to write to: `process.stderr`, or a stand-in of a test. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** One line on a terminal that is rewritten while work lasts longer than two seconds, and erased at its end. */
export class Progress {
  readonly #stream: ProgressStream;
  readonly #text: () => string;
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  /** @param text what the line says, under 40 columns */
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

  /** Erases the line and writes no more. */
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

/** The text of the line of one run: `simulating: 42 %, at 1.250 s`, `1.25 M states, 830 k/s, 64.1 k to go`. */
export function progressText(state: SimulationProgress | SpaceProgress | StudyProgress | undefined): string {
  if (state === undefined) return 'reading…';
  if ('states' in state) return exploringText(state);
  if ('scenarios' in state) return studyText(state);
  const share = Number.isNaN(state.share) || state.share === 0 ? '' : `${Math.floor(state.share * 100)} %, `;
  return `simulating: ${share}at ${state.time.toPrecision(4)} s`;
}

/** The text of the line of a study: `predicting: 3 of 12 scenarios`. */
export function studyText({ done, scenarios }: StudyProgress): string {
  return scenarios === 0 ? 'reading…' : `predicting: ${done} of ${scenarios} scenarios`;
}

function exploringText({ states, expanded, seconds }: SpaceProgress): string {
  const found = `${short(states)} states`;
  if (expanded >= states) return `${found}: verdicts…`;
  const rate = seconds > 0 ? `, ${short(states / seconds)}/s` : '';
  return `${found}${rate}, ${short(states - expanded)} to go`;
}

/** `1.25 M`: three digits and a power of a thousand. */
function short(count: number): string {
  const power = count < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3));
  if (power === 0) return String(Math.round(count));
  return `${Number((count / 1000 ** power).toPrecision(3))} ${['', 'k', 'M', 'G', 'T'][power]}`;
}
