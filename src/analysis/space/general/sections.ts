import { fail } from '../../../base/problem.ts';
import { type ColourSet, type Column, columnsOf } from '../../../net/colour.ts';
import { type Evaluate, EvaluationFailure, evaluator, type Surroundings } from '../../../net/evaluate.ts';
import type { Net, Place } from '../../../net/net.ts';
import { Colours } from './colours.ts';
import { Queue } from './queue.ts';

/**
 * A part of a marking: the tokens of a place (visible to arcs or hidden behind those), the tokens in its service, or the timed
 * firings of a transition. Without a queue it is a bag.
 */
export interface Section {
  readonly number: number;
  /** Description for messages, e.g. `place p`. */
  readonly part: string;
  readonly kind: 'place' | 'service' | 'busy';
  /** Index in `net.places`; for `busy`, in `net.transitions`. */
  readonly node: number;
  readonly colours: Colours;
  readonly queue: Queue | undefined;
  /** True if no step changes it; its tokens are then stored once instead of with every state. */
  readonly fixed: boolean;
}

/** The sections of the places of a net with scalar columns; rules add sections for timed firings. */
export class Sections {
  readonly all: Section[] = [];
  /** By place index. */
  readonly columns: readonly (readonly Column[])[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #services = new Map<number, Section>();

  constructor(net: Net, around: Surroundings) {
    const sets = new Map<string, ColourSet>(net.colours.map((c) => [c.name, c]));
    this.columns = net.places.map((p) => columnsOf(p.fields, sets));
    this.#numbers = new Map(net.places.map((p, k) => [p.name, k]));
    const changing = changingPlaces(net);
    net.places.forEach((p, node) => {
      const columns = this.columns[node]!;
      const colours = new Colours(columns.length);
      const queue = p.order === 'bag' || columns.length === 0 ? undefined : queueOf(p, columns, colours, around);
      this.#add('place', node, `place ${p.name}`, colours, queue, !changing.has(p.name));
    });
    net.places.forEach((p, node) => {
      if (p.service === undefined) return;
      const { colours } = this.all[node]!;
      const inOrder = p.service.kind === 'fcfs' && p.service.servers === 1 && colours.width > 0;
      const queue = inOrder ? new Queue(colours, []) : undefined;
      this.#services.set(node, this.#add('service', node, `place ${p.name}`, colours, queue));
    });
  }

  place(name: string): number {
    return this.#numbers.get(name)!;
  }

  /** The section of a place that arcs see. */
  store(place: number): Section {
    return this.all[place]!;
  }

  service(place: number): Section | undefined {
    return this.#services.get(place);
  }

  /** The section that receives produced tokens. */
  entry(place: number): Section {
    return this.#services.get(place) ?? this.all[place]!;
  }

  /** Adds a section for the timed firings of a transition. */
  busy(transition: number, name: string, slots: number): Section {
    return this.#add('busy', transition, `transition ${name}`, new Colours(slots), undefined);
  }

  #add(
    kind: Section['kind'],
    node: number,
    part: string,
    colours: Colours,
    queue: Queue | undefined,
    fixed = false,
  ): Section {
    const section: Section = { number: this.all.length, part, kind, node, colours, queue, fixed };
    this.all.push(section);
    return section;
  }
}

/** Names of places that some step may change. */
function changingPlaces(net: Net): Set<string> {
  const inputs = net.transitions.flatMap((t) => t.inputs.filter((a) => a.kind === 'take' || a.kind === 'reset'));
  const arcs = [...inputs, ...net.transitions.flatMap((t) => t.outputs)];
  const served = net.places.filter((p) => p.service !== undefined);
  return new Set([...arcs.map((a) => a.place), ...served.map((p) => p.name)]);
}

function queueOf(p: Place, columns: readonly Column[], colours: Colours, around: Surroundings): Queue {
  const key = p.key.map((name) => columns.findIndex((c) => c.name === name));
  if (p.order !== 'priority') return new Queue(colours, key);
  const slotOf = new Map(columns.map((c, k) => [c.name, k]));
  return new Queue(colours, key, priorityBy(p, evaluator(p.priority!, slotOf, around)));
}

function priorityBy(p: Place, evaluate: Evaluate): (values: Float64Array) => number {
  const part = `place ${p.name}`;
  return (values) => {
    try {
      const priority = evaluate(values);
      return Number.isNaN(priority)
        ? fail('RUN014', 'priority of a token: expected a number, got NaN', { part })
        : priority;
    } catch (e) {
      if (!(e instanceof EvaluationFailure)) throw e;
      return fail(e.code, `priority of token (${[...values].join(', ')}): ${e.message}`, { part });
    }
  };
}
