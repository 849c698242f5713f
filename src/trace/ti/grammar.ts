/**
 * The actions of a time-independent trace as SimGrid 3.32 replays them, one row per action. Error messages print the
 * forms of a row, and arguments are checked against them. `x*P` is one argument per rank, `[x]` is optional.
 */

/**
 * Bytes of SimGrid 3.32's predefined datatypes by id, as its replay counts them: 0 … 29 C types, 30 … 37 pairs for
 * MINLOC and MAXLOC, 38 … 49 Fortran types, 50 LONG_DOUBLE_INT, 51 … 54 C++ types, 55 and 56 UB and LB, 57 PACKED, 58 a
 * pointer, 59 COUNT. Some sizes do not match the names: REAL16 (41) has 16 bytes, COMPLEX32 (44) also has
 * 16, INTEGER1 (45) has 4.
 */
export const TYPE_BYTES: readonly number[] = [
  8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, 8, 16, 16, 8, 8, 8, 16,
  16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0, 1, 8, 8,
];
/** The id that SimGrid's tracer writes for every derived datatype; their sizes are lost. */
export const DERIVED_TYPE = -1;
export const ANY_SOURCE = -555;
export const ANY_TAG = -444;
/** The value that SimGrid 3.32's tracer writes for any source (its replay expects −555). */
export const TRACED_ANY_SOURCE = -333;

/** Meaning of an argument, which determines its allowed values. */
export type ArgumentKind =
  | 'flops'
  | 'seconds'
  | 'count'
  | 'sendcount'
  | 'recvcount'
  | 'sendbuf'
  | 'recvbuf'
  | 'disp'
  | 'dst'
  | 'src'
  | 'root'
  | 'tag'
  | 'anytag'
  | 'type'
  | 'sendtype'
  | 'recvtype';

export interface Row {
  readonly name: string;
  /** Argument forms, tried in this order; `…` accepts anything. */
  readonly forms: readonly string[];
}

const P2P_OUT = ['dst tag count [type]'];
const P2P_IN = ['src anytag count [type]'];
const REQUEST = ['src dst anytag'];
const REDUCTION = ['count flops [type]'];
const ROOTED = ['sendcount recvcount [root [sendtype recvtype]]'];
const PAIRWISE = ['sendcount recvcount [sendtype recvtype]'];

/** Positions in {@link ROWS} of the actions that get special treatment. */
export const COMPUTE = 0;
export const SLEEP = 1;
export const SEND = 2;
export const ISEND = 3;
export const RECV = 4;
export const IRECV = 5;
export const WAIT = 6;
export const TEST = 7;
export const WAITALL = 8;
export const SSEND = 9;
export const ISSEND = 10;
export const BSEND = 11;
export const IBSEND = 12;
export const WAITANY = 13;
export const PUT = 14;
export const GET = 15;
export const ACCUMULATE = 16;
export const INIT = 17;
export const FINALIZE = 18;
export const SENDRECV = 23;
/** Fences, which all ranks call in the same order as collectives. */
export const FENCE = 24;
export const FIRST_COLLECTIVE: number = FENCE;

const POINT_TO_POINT: readonly Row[] = [
  { name: 'compute', forms: ['flops'] },
  { name: 'sleep', forms: ['seconds'] },
  { name: 'send', forms: P2P_OUT },
  { name: 'isend', forms: P2P_OUT },
  { name: 'recv', forms: P2P_IN },
  { name: 'irecv', forms: P2P_IN },
  { name: 'wait', forms: REQUEST },
  { name: 'test', forms: REQUEST },
  { name: 'waitall', forms: ['[count]'] },
  // Written by SimGrid's tracer; its replay does not know them.
  { name: 'Ssend', forms: P2P_OUT },
  { name: 'ISsend', forms: P2P_OUT },
  { name: 'bsend', forms: P2P_OUT },
  { name: 'ibsend', forms: P2P_OUT },
  { name: 'waitAny', forms: ['count'] },
  { name: 'Put', forms: P2P_OUT },
  { name: 'Get', forms: P2P_OUT },
  { name: 'Accumulate', forms: P2P_OUT },
  { name: 'init', forms: ['…'] },
  { name: 'finalize', forms: [''] },
  { name: 'comm_size', forms: ['…'] },
  { name: 'comm_split', forms: ['…'] },
  { name: 'comm_dup', forms: ['…'] },
  { name: 'location', forms: ['…'] },
  { name: 'sendRecv', forms: ['sendcount dst recvcount src [sendtype recvtype]'] },
  { name: 'Win_fence', forms: [''] },
];

const COLLECTIVES: readonly Row[] = [
  { name: 'barrier', forms: [''] },
  { name: 'bcast', forms: ['count [root [type]]'] },
  { name: 'reduce', forms: ['count flops [root [type]]'] },
  { name: 'allreduce', forms: REDUCTION },
  { name: 'scan', forms: REDUCTION },
  { name: 'exscan', forms: REDUCTION },
  { name: 'gather', forms: ROOTED },
  { name: 'scatter', forms: ROOTED },
  { name: 'allgather', forms: PAIRWISE },
  { name: 'alltoall', forms: PAIRWISE },
  { name: 'gatherv', forms: ['sendcount recvcount*P [root [sendtype recvtype]]'] },
  { name: 'scatterv', forms: ['sendcount*P recvcount [root [sendtype recvtype]]'] },
  // With P = 2, two numbers after the counts are datatypes, because the first matching form is used.
  {
    name: 'allgatherv',
    forms: ['sendcount recvcount*P [sendtype recvtype [disp*P]]', 'sendcount recvcount*P disp*P'],
  },
  { name: 'alltoallv', forms: ['sendbuf sendcount*P recvbuf recvcount*P [sendtype recvtype]'] },
  { name: 'reducescatter', forms: ['recvcount*P flops [type]'] },
];

/**
 * All actions. Non-blocking collectives, which SimGrid's tracer writes and its replay does not know, come last, in the order of
 * the blocking ones.
 */
export const ROWS: readonly Row[] = [
  ...POINT_TO_POINT,
  ...COLLECTIVES,
  ...COLLECTIVES.map(({ name, forms }) => ({ name: `i${name}`, forms })),
];
/** The collective with parts, whose line may be that of a Reduce_scatter_block. */
export const REDUCESCATTER: number = FENCE + COLLECTIVES.length;
export const FIRST_NONBLOCKING: number = REDUCESCATTER + 1;

/** The row of the collective of a non-blocking one. */
export const blockingRow = (row: number): number => row - COLLECTIVES.length;

/** Tags by which SimGrid's tracer writes waits for non-blocking collectives, by name; scan and exscan share one. */
export const NONBLOCKING_TAGS: Readonly<Record<string, number>> = {
  ibarrier: -779,
  ibcast: -3335,
  ireduce: -113,
  iallreduce: -4446,
  iscan: -889,
  iexscan: -889,
  igather: -446,
  iscatter: -224,
  iallgather: -557,
  ialltoall: -1113,
  igatherv: -2224,
  iscatterv: -335,
  iallgatherv: -668,
  ialltoallv: -1001,
  ireducescatter: -890,
};

/** True if an action has data of a datatype, or is a barrier or a fence. */
export const hasData = (row: number): boolean =>
  (row >= SEND && row <= IRECV) ||
  (row >= SSEND && row <= IBSEND) ||
  (row >= PUT && row <= ACCUMULATE) ||
  row >= SENDRECV;

/** Mode of a send; a standard one is synchronous or not by the bytes of its message. */
export type TiMode = 'synchronous' | 'buffered';

/** The sends of a trace by name: those of the program whose rank goes on, and their modes. */
export const SENDS: ReadonlyMap<string, { readonly blocking: boolean; readonly mode?: TiMode }> = new Map([
  ['send', { blocking: true }],
  ['Ssend', { blocking: true, mode: 'synchronous' }],
  ['bsend', { blocking: true, mode: 'buffered' }],
  ['isend', { blocking: false }],
  ['ISsend', { blocking: false, mode: 'synchronous' }],
  ['ibsend', { blocking: false, mode: 'buffered' }],
]);

/** The forms of a row as text, for messages. */
export function describeForms(row: Row): string {
  const forms = row.forms.map((form) => `${row.name} ${form.replaceAll('anytag', 'tag')}`.trim());
  return forms.map((form) => `"<rank> ${form}"`).join(' or ');
}

/**
 * The kinds of the `count` arguments of an action for a number of ranks; undefined if no form of the row has this
 * number of arguments. O(forms + count).
 */
export function kindsOf(row: Row, count: number, ranks: number): readonly ArgumentKind[] | undefined {
  for (const form of row.forms) {
    if (form === '…') return [];
    const kinds: ArgumentKind[] = [];
    for (const word of form.split(' ')) {
      if (word.startsWith('[') && kinds.length === count) break;
      const name = word.replaceAll(/[[\]]/g, '');
      if (name === '') continue;
      if (kinds.length >= count) {
        kinds.length = count + 1;
        break;
      }
      const kind = name.replace('*P', '') as ArgumentKind;
      for (let i = name.endsWith('*P') ? ranks : 1; i > 0; i--) kinds.push(kind);
    }
    if (kinds.length === count) return kinds;
  }
  return undefined;
}

/** The reason why an action that SimGrid's tracer writes (or that MPI defines) cannot be replayed; undefined for other words. */
export function refusal(word: string): string | undefined {
  const name = word.toLowerCase();
  if (
    /^i(barrier|bcast|reduce|allreduce|scan|exscan|gatherv?|scatterv?|allgatherv?|alltoallv?|reducescatter)$/.test(name)
  )
    return `SimGrid's tracer writes it as ${name}`;
  if (/^i?alltoallw$/.test(name)) return "SimGrid's tracer writes it as alltoallv, or as ialltoallv";
  if (name === 'waitany') return "SimGrid's tracer writes it as waitAny";
  if (/^(waitsome|testall|testany|testsome)$/.test(name))
    return 'the trace does not identify its requests; use wait, test, waitAny or waitall';
  if (/^i?[sb]send$/.test(name)) {
    const written = { ssend: 'Ssend', issend: 'ISsend', bsend: 'bsend', ibsend: 'ibsend' }[name]!;
    return `SimGrid's tracer writes it as ${written}`;
  }
  if (/^i?rsend$/.test(name)) return "SimGrid's tracer writes ready sends as send and isend";
  if (/^(psend|precv)$/.test(name)) return 'partitioned messages cannot be replayed; use isend and irecv';
  if (/^(send_?init|recv_?init|ssend_?init|start(all)?)$/.test(name))
    return "SimGrid's tracer does not write the source of a persistent receive, and no request of Startall; use isend and irecv";
  if (/^(i?m?probe|i?mrecv|cancel)$/.test(name)) return 'probing and cancelling cannot be replayed';
  const oneSided = ['Put', 'Get', 'Accumulate', 'Win_fence'].find((written) => written.toLowerCase() === name);
  if (oneSided !== undefined) return `SimGrid's tracer writes it as ${oneSided}`;
  if (/^r(put|get|accumulate)$/.test(name))
    return "it belongs between locks, and SimGrid's tracer does not write the rank that they lock; use Put, Get and Accumulate with Win_fence";
  if (/^win_(post|start|complete|wait|test)$/.test(name))
    return "SimGrid's tracer does not write the group of its line; use Win_fence";
  if (/^win_(un)?lock(_all)?$|^win_flush/.test(name))
    return "SimGrid's tracer does not write the rank whose window it locks or completes; use Win_fence";
  if (/^(r?get_accumulate|fetch_and_op|compare_and_swap)$/.test(name))
    return 'it locks the memory of its target, and the order of locks is not in the trace; use Get and Accumulate';
  if (/^win_/.test(name)) return 'windows have no lines in a trace; remove the line';
  if (/^file_/.test(name)) return 'file operations cannot be replayed';
  return undefined;
}
