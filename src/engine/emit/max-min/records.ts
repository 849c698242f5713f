/*
 * Sample:
 * const routes = n.routesTable('routes', Int32Array.of(0, 1), Int32Array.of(0), Float64Array.of(1));
 * const links = [{ name: 'link', capacity: 5, fatpipe: false }];
 * place('p', { service: ({ x }) => ({ links, amount: x, weight: 1, bound: 2, routes, route: 0 }) });
 * →
 *   let S0_flowNums: nums = nums(192);
 *   let S0_flowInts: ints = view(S0_flowNums);
 */
import { part } from '../part.ts';

/** A max-min service for which kernel text is generated. */
export interface MaxMinText {
  /** Number of the service; its identifiers begin with `S<number>_`. */
  readonly number: number;
  /** Number of its place, for errors. */
  readonly place: number;
  /** Kind of its events in the queue. */
  readonly kind: number;
  readonly links: number;
  /** Prefix of the arrays `<routes>_link` and `<routes>_coefficient`, which list the links of each route. */
  readonly routes: string;
  /** True if the capacity of a link depends on the number of its tokens. */
  readonly counted: boolean;
  /** Number of profiles of all links: from 1 on, links change over time. */
  readonly profiles: number;
  /** True if only the modified set of links is solved, see `lazy.ts`. */
  readonly lazy?: boolean;
}

/** End of a list: no record. */
export const NONE = -1;

const FLOW_NUMS = ['order', 'left', 'amount', 'since', 'rate', 'weight', 'bound', 'level'] as const;
const FLOW_INTS = ['token', 'from', 'to', 'crossings', 'mark', 'fixed', 'node'] as const;
/** Further members of the flows of services whose links change, see `profiles.ts`. */
const CHANGING_NUMS = ['cap', 'penalty', 'slowness'] as const;
const CHANGING_INTS = ['waits'] as const;
const CROSSING_NUMS = ['coefficient'] as const;
const CROSSING_INTS = ['flow', 'link', 'next', 'previous', 'sibling'] as const;
const LINK_NUMS = ['demand', 'rest', 'weight'] as const;
const LINK_INTS = ['first', 'mark'] as const;

/** Sizes of the records of flows and of crossings, in doubles; that of links is a power of 2, given by its binary logarithm. */
const FLOW = 12;
const CHANGING_FLOW = 15;
const CROSSING = 4;
const LINK_SHIFT = 2;
/** Records allocated at first. */
const FLOWS = 16;
const CROSSINGS = 32;

/** Code for a member of a record, given the code of its handle. */
type Part = (record: string) => string;
type Parts<N extends string> = Readonly<Record<N, Part>>;

/** Code for the members of the records of one service, and the prefix of its identifiers. */
export interface MaxMinRecords {
  readonly S_: string;
  /** `cap`, `penalty` and `slowness` exist only if links have profiles, `waits` also with the lazy solver. */
  readonly flow: Parts<
    | (typeof FLOW_NUMS)[number]
    | (typeof FLOW_INTS)[number]
    | (typeof CHANGING_NUMS)[number]
    | (typeof CHANGING_INTS)[number]
  >;
  readonly crossing: Parts<(typeof CROSSING_NUMS)[number] | (typeof CROSSING_INTS)[number]>;
  readonly link: Parts<(typeof LINK_NUMS)[number] | (typeof LINK_INTS)[number]>;
}

export function recordsOf({ number, profiles }: MaxMinText): MaxMinRecords {
  const s = `S${number}_`;
  // Members that do not exist share offsets with others, and no text uses them.
  const nums = profiles > 0 ? [...FLOW_NUMS, ...CHANGING_NUMS] : FLOW_NUMS;
  const flow = partsOf(`${s}flow`, nums, [...FLOW_INTS, ...CHANGING_INTS], 0);
  return {
    S_: s,
    flow: flow as MaxMinRecords['flow'],
    crossing: partsOf(`${s}crossing`, CROSSING_NUMS, CROSSING_INTS, 0),
    link: partsOf(`${s}link`, LINK_NUMS, LINK_INTS, LINK_SHIFT),
  };
}

/** Members of a record, doubles first, then ints; the record with handle h begins at h << `shift`, in doubles. */
function partsOf<D extends string, I extends string>(
  array: string,
  nums: readonly D[],
  ints: readonly I[],
  shift: number,
): Parts<D | I> {
  const at = (record: string, by: number, offset: number): string => {
    const begin = by === 0 ? record : `(${record} << ${by})`;
    return offset === 0 ? begin : `${begin} + ${offset}`;
  };
  return Object.fromEntries([
    ...nums.map((name, k) => [name, (record: string) => `${array}Nums[${at(record, shift, k)}]`]),
    ...ints.map((name, k) => [name, (record: string) => `${array}Ints[${at(record, shift + 1, 2 * nums.length + k)}]`]),
  ]) as Parts<D | I>;
}

/**
 * Code of the state of a service: one array each of the records of flows and of their crossings of shared links, which doubles
 * when it is full and is also viewed as ints; records of links, indexed by link number; and lists of the flows and links to be
 * solved.
 *
 * - A flow's handle is the offset of its record. Free flows are chained through `crossings`. `level` is the flow's bound per unit
 *   of weight; `node` is its event in the queue, {@link NONE} if it has none.
 * - A crossing is in the chain of its link (`next`, `previous`) and in that of its flow (`sibling`). Free crossings are chained
 *   through `sibling`.
 * - A link's `demand` is the load that its flows would cause at their bounds; `rest` and `weight` are used while solving.
 *
 * 104 bytes per flow (128 if links change); `waits` is the last int of a short record, 32 per crossing, 48 per link.
 */
const RECORDS = part(
  {
    S_: 'name',
    links: 'number',
    LINK_ROOM: 'number',
    FLOW_ROOM: 'number',
    NONE: 'number',
    CROSSING_ROOM: 'number',
    FLOWS: 'number',
    FLOW: 'number',
    flow: 'record',
    CROSSING: 'number',
    crossing: 'record',
    link: 'record',
  },
  `
declare const $S_capacity: nums;
// 0: shared link; 1: fatpipe, whose limit is part of each flow's bound; 2: fatpipe with a level; 3: shared link whose capacity
// depends on the number of its tokens.
declare const $S_kinds: bytes;
// Per link, the sum of amount times coefficient that it has carried.
let $S_carried: nums = nums($links);
let $S_linkNums: nums = nums($LINK_ROOM);
let $S_linkInts: ints = view($S_linkNums);
let $S_flowNums: nums = nums($FLOW_ROOM);
let $S_flowInts: ints = view($S_flowNums);
let $S_freeFlow: int = $NONE;
// Number of flows in use.
let $S_present: int = 0;
let $S_crossingNums: nums = nums($CROSSING_ROOM);
let $S_crossingInts: ints = view($S_crossingNums);
let $S_freeCrossing: int = $NONE;
// Flows and links to be solved: those changed since the last solving, later extended to their whole component. Their mark
// equals the number of the next solving.
let $S_flows: ints = ints($FLOWS);
let $S_flowCount: int = 0;
let $S_links: ints = ints($links);
let $S_linkCount: int = 0;
let $S_solving: int = 1;
// Buffers of the solving: flows that are being sorted, and exhausted links.
let $S_sorted: ints = ints($FLOWS);
let $S_full: ints = ints($links);

// Chains all flows with handles from the given one up as free; none of them may be free before.
cold function $S_chainFlows(from: int) {
  for (let f = $S_flowNums.length - $FLOW; f >= from; f -= $FLOW) {
    $flow.crossings(f) = $S_freeFlow;
    $S_freeFlow = f;
  }
}

cold function $S_growFlows() {
  const old = $S_flowNums.length;
  $S_flowNums = grown($S_flowNums, old * 2);
  $S_flows = grown($S_flows, $S_flows.length * 2);
  $S_sorted = grown($S_sorted, $S_sorted.length * 2);
  $S_chainFlows(old);
}

cold function $S_chainCrossings(from: int) {
  for (let x = $S_crossingNums.length - $CROSSING; x >= from; x -= $CROSSING) {
    $crossing.sibling(x) = $S_freeCrossing;
    $S_freeCrossing = x;
  }
}

cold function $S_growCrossings() {
  const old = $S_crossingNums.length;
  $S_crossingNums = grown($S_crossingNums, old * 2);
  $S_chainCrossings(old);
}

function $S_begin() {
  $S_chainFlows(0);
  $S_chainCrossings(0);
  for (let l = 0; l < $links; l++) $link.first(l) = $NONE;
}
$S_begin();
`,
);

/** A record for a token that enters, with the members that do not depend on its demand: the flow `f`. */
const NEW_FLOW = part(
  { S_: 'name', flow: 'record', NONE: 'number' },
  `if ($S_freeFlow < 0) $S_growFlows();
  const f = $S_freeFlow;
  $S_freeFlow = $flow.crossings(f);
  $S_present++;
  $flow.order(f) = order;
  $flow.left(f) = amount;
  $flow.amount(f) = amount;
  $flow.since(f) = now;
  $flow.token(f) = s;
  $flow.from(f) = from;
  $flow.to(f) = to;
  $flow.crossings(f) = $NONE;
  $flow.node(f) = $NONE;`,
);

/** Statements of `enterFlow` for the record of a token. */
export const newFlow = (text: MaxMinText): string => NEW_FLOW({ ...recordsOf(text), NONE });

/** Size of the record of a flow, in doubles. */
export const flowSize = ({ profiles }: Pick<MaxMinText, 'profiles'>): number => (profiles > 0 ? CHANGING_FLOW : FLOW);

/** @see RECORDS */
export const emitMaxMinRecords = (text: MaxMinText): string =>
  RECORDS({
    ...recordsOf(text),
    NONE,
    FLOWS,
    FLOW: flowSize(text),
    CROSSING,
    links: text.links,
    LINK_ROOM: text.links << LINK_SHIFT,
    FLOW_ROOM: FLOWS * flowSize(text),
    CROSSING_ROOM: CROSSINGS * CROSSING,
  });
