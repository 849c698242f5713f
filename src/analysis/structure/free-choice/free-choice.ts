import { components } from '../../petri/components.ts';
import type { Petri } from '../../petri/petri.ts';
import { enablingTrap, isLiveMarkedGraph } from '../linear-proofs.ts';
import { type Arcs, arcsOf, largestClosed, minimalConnected, siphonsOf, trapsOf } from '../siphons.ts';
import { Bipartite } from './bipartite.ts';
import { reduceFreeChoice } from './reduce.ts';
import { deadlockFreeByStates } from './small-space.ts';
import { type PlainNet, wellFormed } from './well-formed.ts';

/** Limits of {@link freeChoice}. */
export interface FreeChoiceLimits {
  /** Work limit for nets that the local rules do not reduce completely, in arcs and matrix entries visited. */
  readonly effort?: number;
  readonly stop?: () => boolean;
}

/** Properties of a net without priorities that {@link freeChoice} proves. */
export interface FreeChoice {
  /** Undefined if not decided, as `live`. */
  readonly deadlockFree: boolean | undefined;
  readonly live: boolean | undefined;
  readonly because: string;
  /** Nodes left by the reductions, and arcs and matrix entries visited. */
  readonly left: number;
  readonly work: number;
}

/** Default work limit, about 2 s. */
const EFFORT = 20_000_000;

type Judgement = Pick<FreeChoice, 'deadlockFree' | 'live' | 'because'>;

/**
 * Liveness and freedom of deadlocks of an extended free-choice net with weights 1; undefined for other nets.
 *
 * 1. Transitions that take from an unmarked siphon never fire. They are removed.
 * 2. Local rules reduce the net ({@link reduceFreeChoice}).
 * 3. A deadlock of the net is a deadlock of all its connected parts. Each part is live if it is a live marked graph, a strongly
 *    connected state machine with a token, or well-formed ({@link wellFormed}) without an unmarked siphon (Desel & Esparza 1995,
 *    theorem 5.8: a well-formed free-choice net is live if and only if every siphon has a token), or if every siphon contains a
 *    marked trap (Commoner's theorem 4.21). A bounded strongly connected part that is not live has a deadlock (theorem 4.31).
 *    Markings of small parts that are not live are explored.
 *
 * Priorities restrict the runs, but not the freedom of deadlocks: some enabled transition of the highest priority can fire.
 *
 * @complexity O(arcs × log) if the rules reduce the net to a few nodes, as they do for nets of sequences, forks, choices and
 * loops that are nested; more by `effort` at most
 */
export function freeChoice(petri: Petri, arcs: Arcs, limits: FreeChoiceLimits = {}): FreeChoice | undefined {
  const { effort = EFFORT, stop = () => false } = limits;
  if (!isOrdinaryFreeChoice(petri, arcs) || petri.transitions.length === 0) return undefined;
  const kept = fireable(petri, arcs);
  const alive = kept.subarray(petri.places.length).reduce((sum, is) => sum + is, 0);
  const net = new Bipartite(petri, arcs, kept);
  const mayLive = reduceFreeChoice(net, stop) && alive === petri.transitions.length;
  if (stop()) return undefined;
  const budget = { left: effort, stop };
  const parts = partsOf(net).map((part) => judged(part, budget));
  const isProved = parts.find((part) => part.deadlockFree === true);
  const found = {
    live: !mayLive || parts.some((p) => p.live === false) ? false : parts.every((p) => p.live) ? true : undefined,
    // Without any part the net has no infinite run.
    deadlockFree: isProved !== undefined ? true : parts.every((p) => p.deadlockFree === false) ? false : undefined,
  };
  const left = net.size;
  const of = petri.places.length + petri.transitions.length;
  const reason =
    isProved?.because ??
    parts.find((p) => p.live === false)?.because ??
    (parts.length === 0 ? 'it has no infinite run' : 'not decided');
  const reduced = left < of ? ` (${left} of ${of} nodes are left by local rules)` : '';
  return { ...found, because: `free-choice net: ${reason}${reduced}`, left, work: net.work + effort - budget.left };
}

/** Weights 1, no tests besides, and transitions that share an input place have the same input places. O(arcs). */
function isOrdinaryFreeChoice({ transitions }: Petri, { inputs, outputs, consumers }: Arcs): boolean {
  for (const t of transitions) if (t.limits.length > 0 || t.resets.length > 0) return false;
  for (const lists of [inputs, outputs])
    for (const list of lists) for (const [, weight] of list) if (weight !== 1) return false;
  return inputs.every((list, t) => {
    if (list.length === 0) return true;
    const own = consumers[list[0]![0]]!;
    if (own[0] !== t) return inputs[own[0]!]!.length === list.length;
    // The first transition of a cluster compares the consumers of all its places.
    return list.every(([p]) => {
      const other = consumers[p]!;
      return other.length === own.length && other.every((u, k) => u === own[k]);
    });
  });
}

/** 1 for the places outside the largest unmarked siphon and the transitions that take nothing from it. O(arcs). */
function fireable({ places, transitions }: Petri, arcs: Arcs): Uint8Array {
  const empty = largestClosed(
    siphonsOf(arcs),
    Uint8Array.from(places, ({ initial }) => (initial === 0 ? 1 : 0)),
  );
  const kept = new Uint8Array(places.length + transitions.length).fill(1);
  for (let p = 0; p < places.length; p++) kept[p]! = 1 - empty[p]!;
  arcs.inputs.forEach((list, t) => {
    if (list.some(([p]) => empty[p] === 1)) kept[places.length + t] = 0;
  });
  return kept;
}

/** A connected part of a reduced net. */
interface Part {
  readonly net: PlainNet;
  readonly petri: Petri;
  readonly arcs: Arcs;
}

/** The connected parts of the nodes that are left. */
function partsOf(net: Bipartite): Part[] {
  const number = new Int32Array(net.nodes).fill(-1);
  const parts: Part[] = [];
  for (let first = 0; first < net.nodes; first++) {
    if (net.alive[first] === 0 || number[first]! >= 0) continue;
    const nodes = [first];
    number[first] = 0;
    for (const node of nodes)
      for (const near of [net.before[node]!, net.after[node]!])
        for (const x of near)
          if (number[x]! < 0) {
            number[x] = 0;
            nodes.push(x);
          }
    nodes.sort((a, b) => a - b);
    nodes.forEach((node, k) => {
      number[node] = k;
    });
    const lists = (of: readonly ReadonlySet<number>[]): number[][] =>
      nodes.map((node) => Array.from(of[node]!, (x) => number[x]!));
    const places = nodes.filter((node) => net.isPlace(node)).length;
    const plain = { places, before: lists(net.before), after: lists(net.after) };
    parts.push(partOf(plain, (p) => net.tokens[nodes[p]!]!));
  }
  return parts;
}

function partOf(net: PlainNet, tokens: (place: number) => number): Part {
  const { places, before, after } = net;
  const transitions = before.slice(places).map((needs, t): Petri['transitions'][number] => {
    const change = new Map<number, number>(needs.map((p) => [p, -1]));
    for (const p of after[places + t]!) change.set(p, (change.get(p) ?? 0) + 1);
    return {
      kind: 'fire',
      node: t,
      binding: {},
      level: 0,
      needs: needs.map((p) => [p, 1] as const),
      limits: [],
      change: [...change].filter(([, n]) => n !== 0),
      resets: [],
    };
  });
  const petri: Petri = {
    net: { name: '', colours: [], tables: [], places: [], transitions: [] },
    columns: [],
    places: Array.from({ length: places }, (_, p) => ({ kind: 'place', node: p, values: [], initial: tokens(p) })),
    transitions,
  };
  return { net, petri, arcs: arcsOf(petri) };
}

function judged(part: Part, budget: { left: number; readonly stop: () => boolean }): Judgement {
  const { net, petri, arcs } = part;
  const { places, before, after } = net;
  const live = (because: string): Judgement => ({ deadlockFree: true, live: true, because });
  if (petri.transitions.some(({ needs }) => needs.length === 0))
    return { deadlockFree: true, live: undefined, because: 'some transition is always enabled' };
  if (isLiveMarkedGraph(petri, arcs)) return live('every cycle of a marked graph has a token');
  const connected = isStronglyConnected(net);
  const hasToken = petri.places.some(({ initial }) => initial > 0);
  const isStateMachine = before.every((list, x) => x < places || (list.length === 1 && after[x]!.length === 1));
  if (connected && hasToken && isStateMachine) return live('a strongly connected state machine has a token');
  if (connected) {
    const { covered, value } = wellFormed(net, budget);
    if (value === true && isEverySiphonMarked(petri, arcs))
      return live('it is well-formed by the rank theorem, and every siphon has a token');
    if (value === false || (value === true && covered))
      return {
        deadlockFree: false,
        live: false,
        because: value ? 'some siphon has no token' : 'it is bounded and not well-formed (rank theorem)',
      };
  }
  const trap = enablingTrap(petri, arcs);
  const isDeadlockFree = trap !== undefined;
  const byTrap = 'each place of a marked trap enables a transition alone';
  const explored = isDeadlockFree
    ? true
    : deadlockFreeByStates(
        net,
        petri.places.map((p) => p.initial),
      );
  const siphons = minimalConnected(siphonsOf(arcs), { effort: Math.max(0, budget.left / 4), stop: budget.stop });
  const inTraps = trapsOf(arcs);
  const controlled = siphons.sets.every((set) => {
    const within = new Uint8Array(petri.places.length);
    for (const p of set) within[p] = 1;
    return largestClosed(inTraps, within).some((is, p) => is === 1 && petri.places[p]!.initial > 0);
  });
  if (controlled && siphons.complete) return live('every siphon contains a marked trap');
  const uncontrolled = 'some siphon contains no marked trap';
  return {
    deadlockFree: explored,
    live: controlled ? undefined : false,
    because: isDeadlockFree
      ? byTrap
      : explored !== undefined
        ? 'its markings were explored'
        : controlled
          ? 'not decided'
          : uncontrolled,
  };
}

function isEverySiphonMarked({ places }: Petri, arcs: Arcs): boolean {
  const empty = Uint8Array.from(places, ({ initial }) => (initial === 0 ? 1 : 0));
  return !largestClosed(siphonsOf(arcs), empty).includes(1);
}

function isStronglyConnected({ after }: PlainNet): boolean {
  const start = new Float64Array(after.length + 1);
  after.forEach((list, x) => {
    start[x + 1] = start[x]! + list.length;
  });
  const targets = after.flat();
  const graph = { states: after.length, edges: targets.length, start, target: (edge: number) => targets[edge]! };
  return components(graph).count === 1;
}
