import { GameRules } from '../../analysis/game/rules.ts';
import { linkUse } from '../../analysis/game/token-history.ts';
import { given } from '../../base/given.ts';
import type { CompileOptions } from '../../engine/compile.ts';
import type { Net } from '../../net/net.ts';
import type { ChromeTrace } from '../../trace/chrome.ts';
import { QUEUES } from './model/model-figures.ts';

type Counts = NonNullable<CompileOptions['counts']>;

/** A counter and the values of it that are written. */
interface Counter {
  readonly name: string;
  value: number;
  written: number | undefined;
  /** Time of the value; it is written when a later change follows, so that values of no duration are left out. */
  time: number;
}

/** Queues that a Chrome trace shows, by the places of nets of programs, traces and thread models: names in results, and of tasks. */
const SHOWN: Readonly<Record<string, string>> = {
  ...given(QUEUES, ['sends', 'wildSends', 'receives', 'wildReceives', 'out queue', 'in queue', 'link queue']),
  queued: 'tasks in queues',
};

/** Writes the lengths of queues and the number of busy links to a Chrome trace, as the engine reports each token that comes or goes. */
export class ChromeCounters {
  readonly #chrome: ChromeTrace;
  readonly #counters: Counter[] = [];
  /** Observers for the compiled net. */
  readonly counts: Counts;
  /** Places whose observers need the values of tokens. */
  readonly coloured: readonly string[];

  constructor(chrome: ChromeTrace, net: Net) {
    this.#chrome = chrome;
    const counts: Record<string, Counts[string]> = {};
    const links: string[] = [];
    let rules: GameRules | undefined;
    const several = net.places.filter(({ service }) => service?.kind === 'max-min').length > 1;
    for (const place of net.places) {
      const { name, initial } = place;
      if (place.service?.kind === 'max-min') {
        rules ??= new GameRules(net);
        const change = linkUse(rules, place);
        const counter = this.#counter(several ? `busy links of ${name}` : 'busy links');
        counter.value = initial.reduce((sum, { values, count }) => sum + change(count, values), 0);
        counts[name] = (time, by, ...values) => this.#change(counter, time, change(by, values));
        links.push(name);
      } else if (Object.hasOwn(SHOWN, name)) {
        const counter = this.#counter(SHOWN[name]!);
        counter.value = initial.reduce((sum, { count }) => sum + count, 0);
        counts[name] = (time, by) => this.#change(counter, time, by);
      }
    }
    this.counts = counts;
    this.coloured = links;
  }

  /** Writes the last values. Counters that are 0 all the time are left out. */
  finish(): void {
    for (const counter of this.#counters)
      if (counter.value !== 0 || counter.written !== undefined) this.#write(counter);
  }

  #counter(name: string): Counter {
    const counter = { name, value: 0, written: undefined, time: 0 };
    this.#counters.push(counter);
    return counter;
  }

  #change(counter: Counter, time: number, by: number): void {
    if (by === 0) return;
    if (time > counter.time) this.#write(counter);
    counter.time = time;
    counter.value += by;
  }

  #write(counter: Counter): void {
    if (counter.value === counter.written) return;
    this.#chrome.counter(counter.name, counter.time, counter.value);
    counter.written = counter.value;
  }
}

/** Observers of both, place by place. */
export function bothCounts(one: Counts, other: Counts = {}): Counts {
  const both = { ...one };
  for (const [place, observer] of Object.entries(other)) {
    const own = one[place];
    both[place] =
      own === undefined
        ? observer
        : (time, by, ...values) => {
            own(time, by, ...values);
            observer(time, by, ...values);
          };
  }
  return both;
}
