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

/** The text of the line of one run: `simulating: 42 %, at 1.250 s`. */
export function progressText(state: { readonly time: number; readonly share: number } | undefined): string {
  if (state === undefined) return 'reading…';
  const share = Number.isNaN(state.share) || state.share === 0 ? '' : `${Math.floor(state.share * 100)} %, `;
  return `simulating: ${share}at ${state.time.toPrecision(4)} s`;
}

/** The text of the line of an exploration: states found, and the share of them that has been expanded. */
export function spaceProgressText(state: { readonly time: number; readonly share: number } | undefined): string {
  if (state === undefined) return 'reading…';
  const states = String(state.time).replace(/\B(?=(\d{3})+$)/g, ',');
  return state.share >= 1
    ? `checking ${states} states`
    : `exploring: ${states} states, ${Math.floor(state.share * 100)} % expanded`;
}
