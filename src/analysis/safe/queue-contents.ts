import { fail } from '../../base/problem.ts';
import { columnsOf } from '../../net/colour.ts';
import type { Petri, PetriPlace, PetriTransition, Weighted } from '../petri/petri.ts';
import { valueText } from '../properties/colours.ts';
import { explore } from '../space/explore.ts';

/** A place of {@link QueuedPetri}: a place of the unfolded net, or a content of a queue. */
export interface QueuedPlace extends PetriPlace {
  /** A content of a queue, marked if the queue has it. */
  readonly content?: {
    /** `queue[a|b]` for a before b. */
    readonly name: string;
    /** Values of its tokens, the head first. */
    readonly tokens: readonly (readonly number[])[];
    /** Values that tokens of this queue can have. */
    readonly colours: readonly (readonly number[])[];
  };
}

/** A step of {@link QueuedPetri}. */
export interface QueuedTransition extends PetriTransition {
  /** Number of the step among those of the same step of the net, one for each content of its queues; absent if there is one. */
  readonly version?: number;
}

/** An unfolded net in which the places of a queue are its contents instead of the colours of its tokens. */
export interface QueuedPetri extends Petri {
  readonly places: readonly QueuedPlace[];
  readonly transitions: readonly QueuedTransition[];
}

/** One queue of a place: the tokens that agree in the columns of its key. */
interface Queue {
  /** Its places in the relaxed form, by position in the list. */
  readonly colours: readonly number[];
  /** Reachable contents: sequences of these places, the head first. */
  readonly contents: (readonly number[])[];
  readonly numbers: Map<string, number>;
  /** Position of the first content among the places of the result. */
  first: number;
}

/**
 * The exact form of a net whose queues have several colours: every reachable content of a queue is a place, of which one is marked. A
 * step becomes one step for each content of the queues that it touches; those from or into contents that no reachable marking has
 * can never fire, and are left out.
 *
 * O(markings × tokens + steps × contents of the queues that they touch).
 *
 * @param petri the relaxed form, without the order of its queues
 * @throws InputError UNF004 for orders other than a queue, and for steps that take several tokens of one queue or put different ones
 * into it; SAFE001 if there are more than `maxMarkings` markings; UNF009 for bindings with an expression without a value
 */
export function queueContents(petri: Petri, maxMarkings: number): QueuedPetri {
  const { unordered = [] } = petri.relaxed ?? {};
  if (unordered.length === 0) return petri;
  const queues = queuesOf(petri, new Set(unordered));
  findContents(petri, queues, maxMarkings);
  const queueOf = new Map(queues.flatMap((queue) => queue.colours.map((p) => [p, queue] as const)));
  /** Numbers of the other places in the result. */
  const kept: number[] = [];
  const places: QueuedPlace[] = [];
  for (const [p, place] of petri.places.entries()) {
    if (queueOf.has(p)) continue;
    kept[p] = places.length;
    places.push(place);
  }
  for (const queue of queues) {
    queue.first = places.length;
    const node = petri.places[queue.colours[0]!]!.node;
    queue.contents.forEach((content, k) => {
      const valuesOf = (p: number): readonly number[] => petri.places[p]!.values;
      const own = {
        name: contentName(petri, queue, content),
        tokens: content.map(valuesOf),
        colours: queue.colours.map(valuesOf),
      };
      places.push({ kind: 'place', node, values: [], initial: k === 0 ? 1 : 0, content: own });
    });
  }
  const transitions = petri.transitions.flatMap((t) => new Versions(petri, t, queueOf, kept).all());
  const { relaxed: _, ...exact } = petri;
  return { ...exact, places, transitions };
}

/** The queues of the places without order: a list for each value of their keys. */
function queuesOf({ net, columns, places }: Petri, unordered: ReadonlySet<string>): Queue[] {
  const queues = new Map<string, { colours: number[] }>();
  places.forEach(({ kind, node, values }, p) => {
    const place = net.places[node];
    if (kind === 'busy' || place === undefined || !unordered.has(place.name)) return;
    if (place.order !== 'fifo' || place.service !== undefined)
      refuse(place.name, `is a ${place.service === undefined ? place.order : 'queue of a server'}`);
    const key = place.key.map((name) => values[columns[node]!.findIndex((c) => c.name === name)]);
    const id = `${node} ${key.join()}`;
    const known = queues.get(id);
    if (known === undefined) queues.set(id, { colours: [p] });
    else known.colours.push(p);
  });
  return [...queues.values()].map(({ colours }) => ({ colours, contents: [], numbers: new Map(), first: 0 }));
}

function refuse(place: string, why: string): never {
  fail(
    'UNF004',
    `${why} with several colours, whose order a safe net expresses only for queues (fifo) of which a step takes or puts one token. Use a fifo, or a step for each token`,
    { part: `place ${place}` },
  );
}

/** Finds the contents of all reachable markings; that of the initial marking is the first. */
function findContents(petri: Petri, queues: readonly Queue[], maxMarkings: number): void {
  const space = explore(petri.net, { maxStates: maxMarkings });
  if (!space.complete)
    fail(
      'SAFE001',
      `the contents of ${queues.length} queues with several colours are not known: there are more than ${maxMarkings} markings`,
      { part: `net ${petri.net.name}` },
    );
  const numberOf = new Map<string, readonly [Queue, number]>();
  for (const queue of queues)
    for (const p of queue.colours) {
      const { node, values } = petri.places[p]!;
      numberOf.set(`${node} ${values.join()}`, [queue, p]);
    }
  const nodes = new Set(queues.map(({ colours }) => petri.places[colours[0]!]!.node));
  for (let state = 0; state < space.states; state++) {
    const found = new Map<Queue, number[]>(queues.map((queue) => [queue, []]));
    for (const { place, tokens } of space.marking(state).places) {
      if (!nodes.has(place)) continue;
      for (const { values, count } of tokens) {
        const [queue, p] = numberOf.get(`${place} ${values.join()}`)!;
        for (let k = 0; k < count; k++) found.get(queue)!.push(p);
      }
    }
    for (const [queue, content] of found) addContent(queue, content);
  }
}

function addContent({ contents, numbers }: Queue, content: readonly number[]): void {
  const id = content.join();
  if (numbers.has(id)) return;
  numbers.set(id, contents.length);
  contents.push(content);
}

function contentName({ net, columns, places }: Petri, { colours }: Queue, content: readonly number[]): string {
  const { node } = places[colours[0]!]!;
  const place = net.places[node]!;
  const own = columns[node] ?? columnsOf(place.fields, new Map(net.colours.map((c) => [c.name, c])));
  const text = (p: number, isKey: boolean): string =>
    places[p]!.values.flatMap((value, k) =>
      place.key.includes(own[k]!.name) === isKey ? [valueText(own[k], value)] : [],
    ).join();
  const key = place.key.length === 0 ? '' : `${text(colours[0]!, true)}: `;
  return `${place.name}[${key}${content.map((p) => text(p, false)).join('|')}]`;
}

/** A step for each content of the queues that it touches. */
class Versions {
  readonly #petri: Petri;
  readonly #t: PetriTransition;
  readonly #queueOf: ReadonlyMap<number, Queue>;
  readonly #kept: readonly number[];

  constructor(petri: Petri, t: PetriTransition, queueOf: ReadonlyMap<number, Queue>, kept: readonly number[]) {
    this.#petri = petri;
    this.#t = t;
    this.#queueOf = queueOf;
    this.#kept = kept;
  }

  all(): QueuedTransition[] {
    const { needs, change, resets, limits, queued } = this.#t;
    const touched = new Set(
      [...needs, ...change, ...limits.flatMap(({ sum }) => sum), ...(queued?.takes ?? []), ...(queued?.puts ?? [])]
        .map(([p]) => p)
        .concat(resets)
        .flatMap((p) => this.#queueOf.get(p) ?? []),
    );
    let found: ReadonlyMap<Queue, number>[] = [new Map()];
    for (const queue of touched)
      found = found.flatMap((row) => queue.contents.map((_, k) => new Map([...row, [queue, k]])));
    const versions = found.flatMap((row) => this.#version(row) ?? []);
    return versions.length < 2 ? versions : versions.map((own, version) => ({ ...own, version }));
  }

  /** The step from these contents; undefined if it is not enabled with them, or leads to contents that never occur. */
  #version(contents: ReadonlyMap<Queue, number>): QueuedTransition | undefined {
    const { queued: _, ...t } = this.#t;
    const isPlain = (p: number): boolean => !this.#queueOf.has(p);
    const plain = (list: readonly Weighted[]): Weighted[] =>
      list.flatMap(([p, n]): Weighted[] => (isPlain(p) ? [[this.#kept[p]!, n]] : []));
    const needs = plain(t.needs);
    const change = plain(t.change);
    for (const [queue, number] of contents) {
      const next = this.#next(queue, queue.contents[number]!);
      const to = next && queue.numbers.get(next.join());
      if (to === undefined) return undefined;
      needs.push([queue.first + number, 1]);
      if (to !== number) change.push([queue.first + number, -1], [queue.first + to, 1]);
    }
    const limits = t.limits.map(({ sum, most }) => ({
      sum: plain(sum),
      most: sum.reduce((left, [p, weight]) => {
        const queue = this.#queueOf.get(p);
        if (queue === undefined) return left;
        return left - weight * queue.contents[contents.get(queue)!]!.filter((q) => q === p).length;
      }, most),
    }));
    if (limits.some(({ sum, most }) => sum.length === 0 && most < 0)) return undefined;
    return {
      ...t,
      needs: needs.sort(byPlace),
      change: change.sort(byPlace),
      limits: limits.filter(({ sum }) => sum.length > 0),
      resets: t.resets.flatMap((p) => (isPlain(p) ? [this.#kept[p]!] : [])),
    };
  }

  /** The content of a queue after the step; undefined if its head does not allow the step. */
  #next(queue: Queue, content: readonly number[]): readonly number[] | undefined {
    const { needs, resets, queued } = this.#t;
    const inQueue = (list: readonly Weighted[] = []): readonly Weighted[] =>
      list.filter(([p]) => this.#queueOf.get(p) === queue);
    const wanted = inQueue(needs);
    const takes = inQueue(queued?.takes);
    const puts = inQueue(queued?.puts);
    if (wanted.reduce((sum, [, n]) => sum + n, 0) > 1)
      this.#refuse(queue, 'is a fifo of which a step takes several tokens,');
    if (puts.some(([p]) => p !== puts[0]![0]))
      this.#refuse(queue, 'is a fifo into which a step puts tokens of several colours,');
    if (wanted.length === 1 && content[0] !== wanted[0]![0]) return undefined;
    const taken = takes.length === 0 ? content : content.slice(1);
    return [
      ...taken.filter((p) => !resets.includes(p)),
      ...puts.flatMap(([p, n]) => Array.from({ length: n }, () => p)),
    ];
  }

  #refuse({ colours }: Queue, why: string): never {
    return refuse(this.#petri.net.places[this.#petri.places[colours[0]!]!.node]!.name, why);
  }
}

const byPlace = ([a]: Weighted, [b]: Weighted): number => a - b;
