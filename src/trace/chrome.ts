import { WholeFile } from '../base/files/whole-file.ts';
import { jsonText } from '../base/spelled-out.ts';

/** Characters collected before they are encoded and written. */
const BLOCK = 1 << 16;
/** Maximum number of strings whose JSON form is cached. */
const KNOWN = 4096;
/** Distance in microseconds by which an arrow is moved into a slice if it meets the slice's end. */
const INSIDE = 1e-3;

/** The last slice of a rank, in microseconds; its end also in seconds and as written in the file. */
interface Last {
  start: number;
  end: number;
  seconds: number;
  text: string;
}

/**
 * Writes a Chrome trace (the JSON object format of the Trace Event Format, Google 2016) for chrome://tracing, Perfetto
 * and speedscope: ranks are threads, activities are slices, messages are arrows. Memory is a few hundred bytes per rank
 * for any number of events. The same calls write the same bytes.
 *
 * **Times** are given in seconds and written in microseconds with every digit of the double: the decimal point is
 * moved, nothing is multiplied. A slice's duration is rounded down if start + duration would exceed its end, in doubles
 * or in whole nanoseconds. Viewers calculate in these units and would drop a slice that begins inside its predecessor,
 * or draw it below. `displayTimeUnit` is `ns`, because chrome://tracing otherwise compares in steps of a microsecond.
 * It is written last, because Perfetto before 2022 read times as nanoseconds if it came first (google/perfetto issues
 * 106 and 274).
 *
 * **Slices** of one rank must be given in the order of time and must not overlap.
 *
 * **Arrows** are flow events: `s` at the tail, `f` with `"bp":"e"` at the head. A flow event is bound to the slice of
 * its thread at its time. chrome://tracing takes slices as [start, end). Perfetto sorts all events by time (those of
 * the same nanosecond in the order of the file) and takes the slice of the thread that began last. It drops an arrow if
 * no slice precedes its tail or if its head comes before its tail. Callers therefore write the slices at both ends
 * before the arrow, if these are known, and this class moves ends as follows:
 * - an end at the end of its rank's last slice is placed 1 ns before it, or in the middle of a slice shorter than 2 ns;
 * - an end on a rank without slices is placed 1 ns later, after the start of the first slice that may follow;
 * - a head is never before its tail.
 *
 * **Counters** are `C` events, one series each. Those of one name are in the order of time; slices and counters are not.
 *
 * The file is written under a temporary name in the same folder and renamed by {@link close}; {@link abort} removes it.
 * A target that is not a regular file (/dev/null, a named pipe) is written directly. All methods throw OUT001 if
 * writing fails.
 */
export class ChromeTrace {
  readonly #file: WholeFile;
  readonly #last: (Last | undefined)[] = [];
  readonly #known = new Map<string, string>();
  #isOpen = true;
  #text = '{"traceEvents":[\n';
  #first = true;
  #arrows = 0;

  constructor(path: string) {
    this.#file = new WholeFile(path, 'OUT001');
    this.#event('{"ph":"M","pid":1,"name":"process_name","args":{"name":"ranks"}}');
  }

  /** Names the thread of a rank. Threads are shown in the order of ranks. */
  thread(rank: number, name: string): void {
    const head = `{"ph":"M","pid":1,"tid":${rank + 1},"name":`;
    this.#event(`${head}"thread_name","args":{"name":${this.#quoted(name)}}}`);
    this.#event(`${head}"thread_sort_index","args":{"sort_index":${rank}}}`);
  }

  /** An activity of a rank from start to end (seconds, end ≥ start). */
  slice(
    rank: number,
    name: string,
    category: string,
    start: number,
    end: number,
    args?: Readonly<Record<string, string | number>>,
  ): void {
    const before = this.#last[rank];
    const from = before !== undefined && before.seconds === start ? before.text : microseconds(start);
    const text = microseconds(end);
    const a = Number(from);
    const b = Number(text);
    this.#last[rank] = { start: a, end: b, seconds: end, text };
    const more = args === undefined ? '' : `,"args":${jsonText(args)}`;
    this.#event(
      `{"ph":"X","pid":1,"tid":${rank + 1},"ts":${from},"dur":${duration(a, b)},"cat":${this.#quoted(category)},` +
        `"name":${this.#quoted(name)}${more}}`,
    );
  }

  /** A message between two ranks (times in seconds). */
  arrow(fromRank: number, fromTime: number, toRank: number, toTime: number, name: string): void {
    const tail = this.#inside(fromRank, fromTime);
    let head = this.#inside(toRank, toTime);
    if (Number(head) < Number(tail)) head = tail;
    const rest = `"id":${++this.#arrows},"cat":"message","name":${this.#quoted(name)}}`;
    this.#event(`{"ph":"s","pid":1,"tid":${fromRank + 1},"ts":${tail},${rest}`);
    this.#event(`{"ph":"f","bp":"e","pid":1,"tid":${toRank + 1},"ts":${head},${rest}`);
  }

  /** The value of a counter from a time (seconds) on. Viewers draw each as a curve above the ranks. */
  counter(name: string, time: number, value: number): void {
    const head = `{"ph":"C","pid":1,"ts":${microseconds(time)},"cat":"counter","name":${this.#quoted(name)}`;
    this.#event(`${head},"args":{"value":${value}}}`);
  }

  /** Completes the file and renames it to its final name. */
  close(): void {
    if (!this.#isOpen) return;
    this.#text += '\n],"displayTimeUnit":"ns"}\n';
    this.#flush();
    this.#isOpen = false;
    this.#file.close();
  }

  /** Abandons the trace: removes the temporary file; an existing file of the same name is unchanged. */
  abort(): void {
    this.#isOpen = false;
    this.#text = '';
    this.#file.abort();
  }

  #inside(rank: number, time: number): string {
    const last = this.#last[rank];
    if (last === undefined) return microseconds(time + 1e-9);
    if (last.seconds !== time) return microseconds(time);
    return decimal(Math.max(last.end - INSIDE, (last.start + last.end) / 2));
  }

  #quoted(text: string): string {
    let quoted = this.#known.get(text);
    if (quoted === undefined) {
      if (this.#known.size >= KNOWN) this.#known.clear();
      quoted = jsonText(text);
      this.#known.set(text, quoted);
    }
    return quoted;
  }

  #event(text: string): void {
    this.#text += this.#first ? text : `,\n${text}`;
    this.#first = false;
    if (this.#text.length >= BLOCK) this.#flush();
  }

  #flush(): void {
    this.#file.write(this.#text);
    this.#text = '';
  }
}

/** Longest duration in microseconds for which start + duration does not exceed the end, in doubles and in whole nanoseconds. */
function duration(start: number, end: number): string {
  let d = Math.max(0, end - start);
  while (start + d > end) d = below(d);
  const room = Math.floor(end * 1000) - Math.floor(start * 1000);
  if (Math.floor(d * 1000) > room) d = below(Math.max(0, room / 1000));
  return decimal(d);
}

/** The next smaller double of a positive double. */
function below(value: number): number {
  return value * (1 - Number.EPSILON / 2);
}

/**
 * Converts a time in seconds to decimal text in microseconds by moving the decimal point of the double by six places,
 * so nothing is rounded. Never uses an exponent, because some trace readers do not accept one.
 */
export function microseconds(seconds: number): string {
  return shifted(seconds, 6);
}

/** A number as decimal text without an exponent. */
export function decimal(value: number): string {
  return shifted(value, 0);
}

function shifted(value: number, places: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`expected a finite time, got ${value}`);
  if (value === 0) return '0';
  if (value < 0) return `-${shifted(-value, places)}`;
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + places;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return trimmed(digits + '0'.repeat(point - digits.length));
  return `${trimmed(digits.slice(0, point))}.${digits.slice(point)}`;
}

/** Removes leading zeros. */
function trimmed(whole: string): string {
  return whole.replace(/^0+(?=.)/, '');
}
