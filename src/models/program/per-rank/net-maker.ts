import type { Net, Place, PlaceKind, Transition } from '../../../net/net.ts';
import type { NodeShapes, PlaceShape, TransitionShape, TurnGroup } from '../../../net/shapes/node-shapes.ts';

interface NewPlace {
  shape: PlaceShape;
  readonly initial: number;
  readonly owner: string | undefined;
}

interface NewTransition {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly shape: TransitionShape;
}

/** Builds a place/transition net whose nodes have shapes. Duplicate names get a number. */
export class NetMaker {
  readonly #places = new Map<string, NewPlace>();
  readonly #transitions = new Map<string, NewTransition>();
  readonly #turns: TurnGroup[] = [];

  place(name: string, shape: PlaceShape, { owner, initial = 0 }: { owner?: string; initial?: number } = {}): string {
    const free = unused(this.#places, name);
    this.#places.set(free, { shape, initial, owner });
    return free;
  }

  /** The place of this name; added if missing. */
  shared(name: string, shape: PlaceShape, initial = 0): string {
    if (!this.#places.has(name)) this.#places.set(name, { shape, initial, owner: undefined });
    return name;
  }

  shape(place: string, shape: PlaceShape): void {
    this.#places.get(place)!.shape = shape;
  }

  transition(name: string, inputs: readonly string[], outputs: readonly string[], shape: TransitionShape): string {
    const free = unused(this.#transitions, name);
    this.#transitions.set(free, { inputs, outputs, shape });
    return free;
  }

  turns(group: TurnGroup): void {
    this.#turns.push(group);
  }

  build(name: string): { net: Net; shapes: Required<NodeShapes> } {
    const places = [...this.#places].map(([place, { shape, initial, owner }]): Place => {
      const kind = kindOf(shape);
      return {
        name: place,
        ...(kind === undefined ? {} : { kind }),
        fields: [],
        order: 'bag',
        key: [],
        initial: initial === 0 ? [] : [{ values: [], count: initial }],
        ...(owner === undefined ? {} : { owner }),
      };
    });
    const transitions = [...this.#transitions].map(
      ([transition, { inputs, outputs }]): Transition => ({
        name: transition,
        inputs: counted(inputs).map(([place, count]) => ({ kind: 'take', place, pattern: {}, count })),
        outputs: counted(outputs).map(([place, count]) => ({
          place,
          values: {},
          count: { op: 'const', value: count },
        })),
      }),
    );
    return {
      net: { name, colours: [], tables: [], places, transitions },
      shapes: {
        places: Object.fromEntries([...this.#places].map(([place, { shape }]) => [place, shape])),
        transitions: Object.fromEntries([...this.#transitions].map(([t, { shape }]) => [t, shape])),
        turns: this.#turns,
      },
    };
  }
}

function unused(known: ReadonlyMap<string, unknown>, name: string): string {
  let free = name;
  for (let k = 2; known.has(free); k++) free = `${name} (${k})`;
  return free;
}

/** The distinct places with their multiplicities. */
function counted(places: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const p of places) counts.set(p, (counts.get(p) ?? 0) + 1);
  return [...counts];
}

function kindOf({ kind }: PlaceShape): PlaceKind | undefined {
  switch (kind) {
    case 'message':
    case 'synchronisation':
    case 'resource':
    case 'data':
      return kind;
    default:
      return 'operation';
  }
}
