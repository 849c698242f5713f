import { didYouMean, fail, type Place, type Problem, quote } from '../../base/problem.ts';
import { WORKER_STATES, type WorkerState } from './worker-states.ts';

/**
 * States of workers by the names of spans. A key is a name, or a pattern in which `*` matches any characters, or either of
 * them after `cat:` for a category. A value is a state, or a state with the name of the user's own state, `WAIT:locked`.
 */
export type SpanNames = Readonly<Record<string, WorkerState | `${WorkerState}:${string}`>>;

/** A state of the life-cycle, and the user's own state that refines it. */
export interface SpanState {
  readonly state: WorkerState;
  readonly own?: string;
}

/** The labels by which a span is classified: its names, the most specific first, and its categories. */
export interface SpanLabels {
  readonly names: readonly string[];
  readonly categories?: readonly string[];
}

const CATEGORY = 'cat:';

/** Splits `STATE` or `STATE:NAME`; undefined for other strings. */
export function spanState(text: string): SpanState | undefined {
  const at = text.indexOf(':');
  const word = at < 0 ? text : text.slice(0, at);
  const state = WORKER_STATES.find((known) => known === word);
  if (state === undefined || at === text.length - 1) return undefined;
  return at < 0 ? { state } : { state, own: text.slice(at + 1) };
}

interface Rule {
  readonly key: string;
  readonly text: string;
  readonly found: SpanState;
  readonly matches: (labels: SpanLabels) => boolean;
}

/**
 * Finds the state of spans. A name that is given in full has priority over patterns and categories, and an earlier name of a
 * span over a later one. Each combination of names is matched once: O(rules) for each, O(1) for a repeated one.
 */
export class SpanStates {
  readonly #exact: ReadonlyMap<string, SpanState>;
  readonly #rules: readonly Rule[];
  readonly #known = new Map<string, SpanState | undefined>();
  readonly #matched = new Set<string>();
  readonly #present = new Set<string>();
  readonly #place: Place;

  constructor(states: SpanNames, place: Place) {
    const exact = new Map<string, SpanState>();
    const rules: Rule[] = [];
    for (const [key, text] of Object.entries(states)) {
      const found = spanState(text)!;
      const isCategory = key.startsWith(CATEGORY);
      const pattern = isCategory ? key.slice(CATEGORY.length) : key;
      if (!isCategory && !pattern.includes('*')) exact.set(key, found);
      else {
        const fits = wildcard(pattern);
        const matches = isCategory
          ? ({ categories = [] }: SpanLabels) => categories.some(fits)
          : ({ names }: SpanLabels) => names.some(fits);
        rules.push({ key, text, found, matches });
      }
    }
    this.#exact = exact;
    this.#rules = rules;
    this.#place = place;
  }

  /**
   * The state of a span; undefined if no name, pattern or category matches.
   *
   * @throws InputError WRK008 where patterns with different states match
   */
  of(labels: SpanLabels): SpanState | undefined {
    const { names, categories = [] } = labels;
    const key = JSON.stringify([names, categories]);
    if (this.#known.has(key)) return this.#known.get(key);
    for (const name of names) this.#present.add(name);
    for (const category of categories) this.#present.add(`${CATEGORY}${category}`);
    const found = this.#find(labels);
    this.#known.set(key, found);
    return found;
  }

  #find(labels: SpanLabels): SpanState | undefined {
    const fitting = this.#rules.filter(({ matches }) => matches(labels));
    for (const rule of fitting) this.#matched.add(rule.key);
    for (const name of labels.names) {
      const exact = this.#exact.get(name);
      if (exact === undefined) continue;
      this.#matched.add(name);
      return exact;
    }
    const [first] = fitting;
    const other = fitting.find(({ text }) => text !== first!.text);
    if (other !== undefined)
      fail(
        'WRK008',
        `states: the span ${quote(labels.names[0] ?? '')} matches ${first!.key}=${first!.text} and ${other.key}=${other.text}: expected patterns that match no span twice, or the full name of the span`,
        this.#place,
      );
    return first?.found;
  }

  /** WRK007: names and patterns that match no span. */
  unmatched(): Problem[] {
    const missing = [...this.#exact.keys(), ...this.#rules.map(({ key }) => key)].filter(
      (key) => !this.#matched.has(key) && !this.#present.has(key),
    );
    if (missing.length === 0) return [];
    const list = missing.map((name) => quote(name)).join(' or ');
    const message = `states: no span has the name ${list}.${didYouMean(missing[0]!, [...this.#present])}`;
    return [{ code: 'WRK007', message, place: this.#place }];
  }
}

/** A test for a pattern in which `*` matches any characters. O(length of the pattern × length of the text), without backtracking. */
function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return (text) => text === pattern;
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const middle = parts.slice(1, -1);
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > text.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}
