import type { Net } from '../../../net/net.ts';
import {
  type Degrees,
  type NodeShapes,
  type PlaceShape,
  placeDegrees,
  type Side,
  sideOf,
  type TransitionShape,
  type Turns,
  transitionDegrees,
} from '../../../net/shapes/node-shapes.ts';
import { endGap } from './end-equation.ts';
import { type Balance, MessageBalance } from './message-balance.ts';
import { type ArcsOf, type PlainMatrix, placeShapes, plainMatrix } from './plain-matrix.ts';

/** Kinds of structural faults in the net of a program. */
export type ShapeFault =
  | 'unsafe place'
  | 'lost message'
  | 'receive that nothing sends to'
  | 'unmatched counts'
  | 'transition shape';

/** Nodes whose arcs contradict their role. */
export interface ShapeFinding {
  /** Kind of the fault. */
  readonly kind: ShapeFault;
  /** Names of the places involved. */
  readonly places: readonly string[];
  /** Names of the transitions involved. */
  readonly transitions: readonly string[];
  /** The arcs or counts required by the shape, as text. */
  readonly expected: string;
  /** The arcs or counts present, as text. */
  readonly found: string;
  /** For messages: number of tokens added in a complete run. */
  readonly produced?: Turns;
  /** For messages: number of tokens taken in a complete run. */
  readonly consumed?: Turns;
  /**
   * True if the fault is certain for the given firing counts: in no run do all processes reach their ends with every message
   * taken (the state equation has no solution).
   */
  readonly proved: boolean;
}

/** The result of {@link checkShapes}. */
export interface ShapeReport {
  readonly findings: readonly ShapeFinding[];
  /** Message places for which the given firing counts leave open if all messages are taken. */
  readonly open: readonly string[];
}

/**
 * Compares the arcs of every place and transition with its role: verification of a program's net from its incidence matrix,
 * before any marking is examined. Findings are suspicions; only the state space shows their effect on runs. Pre and Post are
 * kept separate, so that loops between a place and a transition are visible. O(arcs).
 *
 * @throws InputError STR003 for nets with colours, and for names that the net does not have
 */
export function checkShapes(net: Net, shapes: NodeShapes = {}): ShapeReport {
  const matrix = plainMatrix(net);
  const places = placeShapes(net, shapes);
  const findings: ShapeFinding[] = [];
  const parties = new Map<string, string>();
  for (const { party, transitions } of shapes.turns ?? [])
    if (party !== undefined) for (const t of transitions) parties.set(t, party);
  for (const [name, shape] of places) {
    const found =
      shape.kind === 'resource'
        ? resourceFinding(name, matrix)
        : (degreeFinding(name, shape, matrix, parties, shapes) ?? undefined);
    if (found !== undefined) findings.push(found);
  }
  const balances = new MessageBalance(matrix, places, shapes);
  const open: string[] = [];
  const faulty = new Set<string>();
  for (const balance of balances.each()) {
    const found = messageFinding(balance, matrix);
    if (found !== undefined) {
      findings.push(found);
      faulty.add(balance.places[0]!);
    } else if (balance.left.least !== 0 || balance.left.most !== 0) open.push(balance.places[0]!);
  }
  for (const balance of balances.together()) {
    if (balance.places.some((p) => faulty.has(p)) || !isUnbalanced(balance)) continue;
    findings.push(unmatched(balance));
  }
  if (open.length > 0 && findings.length === 0) {
    const gap = endGap(matrix, places, shapes);
    if (gap !== undefined) findings.push(gapFinding(gap, matrix));
  }
  for (const [name, shape] of Object.entries(shapes.transitions ?? {})) {
    const found = transitionFinding(name, shape, matrix, places);
    if (found !== undefined) findings.push(found);
  }
  return { findings, open };
}

function degreeFinding(
  name: string,
  shape: PlaceShape,
  matrix: PlainMatrix,
  parties: ReadonlyMap<string, string>,
  { turns = [] }: NodeShapes,
): ShapeFinding | undefined {
  const expected = placeDegrees(shape);
  if (expected === undefined) return undefined;
  const [puts, takes] = [matrix.puts.get(name)!, matrix.takes.get(name)!];
  const synchronises = shape.kind === 'synchronisation';
  const count = (arcs: ArcsOf): number => {
    const once = new Set<string>();
    let sum = 0;
    for (const [t, n] of arcs) {
      const party = synchronises ? parties.get(t) : undefined;
      if (party === undefined) sum += n;
      else once.add(party);
    }
    return sum + once.size;
  };
  const found = { in: count(puts), out: count(takes) };
  const about = { places: [name], transitions: [...new Set([...puts.keys(), ...takes.keys()])] };
  const uneven = shape.kind === 'synchronisation' ? unevenParties(shape.names ?? [], [puts, takes], turns) : undefined;
  if (sameDegrees(found, expected) && uneven === undefined) return undefined;
  return {
    kind: synchronises ? 'unmatched counts' : 'unsafe place',
    ...about,
    expected: uneven === undefined ? `${shape.kind}: ${degreesText(expected)}` : 'all parties arrive equally often',
    found: uneven ?? degreesText(found),
    proved: uneven !== undefined || (found.in === 0 && matrix.initial.get(name) === 0 && isNeeded(takes, turns)),
  };
}

/** True if, by the given firing counts, some transition that takes from the place certainly fires. */
function isNeeded(takes: ArcsOf, turns: NonNullable<NodeShapes['turns']>): boolean {
  return turns.some(
    ({ transitions, least }) => least > 0 && transitions.length > 0 && transitions.every((t) => takes.has(t)),
  );
}

/**
 * Describes two parties of a synchronisation of which one arrives (or leaves) more often than the other can. Some party then
 * waits forever, because each synchronisation needs all of them. Undefined if the firing counts do not show this.
 */
function unevenParties(
  names: readonly string[],
  arcs: readonly ArcsOf[],
  turns: NonNullable<NodeShapes['turns']>,
): string | undefined {
  const totals = new Map<string, Turns>(names.map((name) => [name, { least: 0, most: 0 }]));
  for (const { party, transitions, least, most } of turns) {
    if (party === undefined || !transitions.some((t) => arcs.some((of) => of.has(t)))) continue;
    const known = totals.get(party) ?? { least: 0, most: 0 };
    totals.set(party, { least: known.least + least, most: known.most + most });
  }
  const all = [...totals];
  if (all.length < 2) return undefined;
  const busiest = all.reduce((a, b) => (b[1].least > a[1].least ? b : a));
  const rarest = all.reduce((a, b) => (b[1].most < a[1].most ? b : a));
  if (busiest[1].least <= rarest[1].most) return undefined;
  return `${busiest[0]} ${turnsText(busiest[1])}, ${rarest[0]} ${turnsText(rarest[1])}`;
}

function resourceFinding(name: string, { takes, puts }: PlainMatrix): ShapeFinding | undefined {
  const transitions = [...new Set([...takes.get(name)!.keys(), ...puts.get(name)!.keys()])];
  const uneven = transitions.filter((t) => takes.get(name)!.get(t) !== puts.get(name)!.get(t));
  if (uneven.length === 0) return undefined;
  return {
    kind: 'unsafe place',
    places: [name],
    transitions: uneven,
    expected: 'resource: every transition returns the tokens that it takes',
    found: uneven
      .map((t) => `${t} takes ${takes.get(name)!.get(t) ?? 0} and returns ${puts.get(name)!.get(t) ?? 0}`)
      .join(', '),
    proved: false,
  };
}

function messageFinding(balance: Balance, { takes, puts, initial }: PlainMatrix): ShapeFinding | undefined {
  const [place] = balance.places as [string];
  const { produced, consumed, transitions } = balance;
  const about = { places: [place], transitions, produced, consumed, proved: balance.known && isUnbalanced(balance) };
  if (puts.get(place)!.size === 0 && initial.get(place)! === 0)
    return takes.get(place)!.size === 0
      ? undefined
      : {
          kind: 'receive that nothing sends to',
          ...about,
          expected: 'message: at least one send',
          found: `${turnsText(consumed)} received, none sent`,
        };
  if (takes.get(place)!.size === 0)
    return {
      kind: 'lost message',
      ...about,
      expected: 'message: at least one receive',
      found: `${turnsText(produced)} sent, none received`,
    };
  return isUnbalanced(balance) ? unmatched(balance) : undefined;
}

function unmatched({ places, transitions, produced, consumed, known }: Balance): ShapeFinding {
  return {
    kind: 'unmatched counts',
    places,
    transitions,
    expected: 'message: equal numbers of sends and receives',
    found: `${turnsText(produced)} sent, ${turnsText(consumed)} received`,
    produced,
    consumed,
    proved: known,
  };
}

function gapFinding(places: readonly string[], { takes, puts }: PlainMatrix): ShapeFinding {
  return {
    kind: 'unmatched counts',
    places,
    transitions: [...new Set(places.flatMap((p) => [...puts.get(p)!.keys(), ...takes.get(p)!.keys()]))],
    expected: 'message: equal numbers of sends and receives',
    found: 'for all numbers of loop iterations, sends and receives differ',
    proved: true,
  };
}

function isUnbalanced({ left }: Balance): boolean {
  return left.least > 0 || left.most < 0;
}

function transitionFinding(
  name: string,
  shape: TransitionShape,
  { inputs, outputs }: PlainMatrix,
  places: ReadonlyMap<string, PlaceShape>,
): ShapeFinding | undefined {
  const expected = transitionDegrees(shape);
  const [ins, outs] = [inputs.get(name)!, outputs.get(name)!];
  const wrong = (['control', 'message', 'synchronisation'] as const).filter(
    (side) => !sameDegrees(degreesAt(side, ins, outs, places), expected[side]),
  );
  if (wrong.length === 0) return undefined;
  const degrees = (of: (side: Side) => Degrees): string =>
    wrong.map((side) => `${side} ${degreesText(of(side))}`).join(', ');
  return {
    kind: 'transition shape',
    places: [...new Set([...ins.keys(), ...outs.keys()])],
    transitions: [name],
    expected: `${shape.kind}: ${degrees((side) => expected[side])}`,
    found: degrees((side) => degreesAt(side, ins, outs, places)),
    proved: false,
  };
}

function degreesAt(side: Side, ins: ArcsOf, outs: ArcsOf, places: ReadonlyMap<string, PlaceShape>): Degrees {
  const sum = (arcs: ArcsOf): number => {
    let total = 0;
    for (const [p, n] of arcs) if (sideOf(places.get(p)!) === side) total += n;
    return total;
  };
  return { in: sum(ins), out: sum(outs) };
}

function sameDegrees(a: Degrees, b: Degrees): boolean {
  return a.in === b.in && a.out === b.out;
}

function degreesText(d: Degrees): string {
  return `${d.in} in, ${d.out} out`;
}

/** `3`, `2 to 4`, `at least 2`. */
export function turnsText({ least, most }: Turns): string {
  if (least === most) return String(least);
  if (most === Number.POSITIVE_INFINITY) return least === 0 ? 'any number' : `at least ${least}`;
  return `${least} to ${most}`;
}
