import { MAX_NORMAL_CV, type Noise } from '../../base/random/noise.ts';
import type { ThreadCosts } from '../../base/thread-costs.ts';
import type { Schema } from '../../net/json/json-schema.ts';
import type { MemoryAccess, Overhead, Transport } from '../machine.ts';
import { MAX_HOSTS } from '../simgrid/platform-draft.ts';
import {
  amount,
  count,
  fraction,
  kinds,
  list,
  object,
  oneOf,
  optional,
  required,
  type Shape,
  text,
  word,
} from './schema.ts';

const DESCRIPTIONS: Readonly<Record<keyof ThreadCosts, string>> = {
  spawn: 'Making a task and putting it into a queue.',
  local: "A look into the worker's own queue.",
  steal: "Taking a task from another worker's queue.",
  search: 'A search of another queue that finds it empty.',
  fetch: 'Taking a task or chunk from a queue or counter that all workers share.',
  lock: 'An uncontended operation on a lock or other synchronisation object.',
  atomic: 'An atomic operation on a shared word.',
  wakeUp: 'From the release of a blocked thread, or the announcement of work, until it runs.',
  contextSwitch: 'Change from one thread to another on a processor.',
  create: 'Creating a thread of the operating system.',
  cacheLine: 'Transfer of one cache line between the caches of two cores.',
  osCall:
    'Call of the operating system that waits on one of its objects, sets it, or pulls a released thread (scheduler a0).',
  osNotify: 'From the notification by the operating system until a waiting scheduler thread runs (a0).',
  match: 'Finding the user thread of a released thread of the operating system, and marking it ready (a0).',
  swap: 'A compare-and-swap on scheduler data that scheduler threads change at the same time (a1, a2).',
  register: 'Looking for a scheduler thread in the registrations of a primitive, and adding it (a1).',
  notify: 'Notifying one registered scheduler thread (a1).',
  scan: 'Testing one blocked thread in a scan of a blocked queue (a1).',
  pull: 'Taking a released thread from a completion list (a2).',
  enqueue: 'Appending a thread to a queue of a cooperative scheduler.',
  dequeue: 'Taking a thread from a queue of a cooperative scheduler.',
  userSwitch: 'Change from one thread to another in user mode, by a cooperative scheduler.',
  remote: 'Additional time of an operation on data of a cooperative scheduler in the memory of another NUMA node.',
};

export const THREAD_COSTS = Object.keys(DESCRIPTIONS) as readonly (keyof ThreadCosts)[];

/** Shape of the costs of thread operations; each may be omitted. */
const threadCosts: Shape<Partial<ThreadCosts>> = object(
  'threads',
  Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, text]) => [name, optional(amount('time', 'zero', text))]),
  ) as { readonly [K in keyof ThreadCosts]: { readonly shape: Shape<number>; readonly required: false } },
  { description: 'Costs of thread operations: seconds, or with a unit, "50ns"; defaults: docs/threads.md.' },
);

/*
 * Shapes of the parts of a machine that make a core spend time on anything but arithmetic: memory, messages, the
 * operating system.
 */

/** Shape of the option for the order of arithmetic and memory access. */
const memoryAccess: Shape<MemoryAccess> = oneOf<MemoryAccess>(
  ['after', 'overlapped'],
  'Whether a computation moves its bytes after its arithmetic (default) or overlaps both.',
);

/** Overhead as given in the input; `perByte` is optional. */
type WrittenOverhead = Pick<Overhead, 'send' | 'receive'> & Partial<Overhead>;

const overhead: Shape<WrittenOverhead> = object(
  'overhead',
  {
    send: required(amount('time', 'zero', 'For each message sent.')),
    receive: required(amount('time', 'zero', 'For each message received.')),
    perByte: optional(amount('time', 'zero', 'For each byte of a message, on both sides: s/B, "0.1ns"; default 0.')),
  },
  { description: "Time that a rank's core spends on a message (o of LogGP, O of LogGOPS); default: none." },
);

/** Maximum coefficient of variation of lognormal noise. Above it, hardly any sample is near the mean. */
const MAX_CV = 10;
/** Shape of operating-system noise. */
const noise: Shape<Noise> = kinds<Noise>(
  'the noise',
  {
    lognormal: object('lognormal noise', {
      kind: required(word('lognormal')),
      cv: required(fraction(MAX_CV, 'Standard deviation of the factor; its mean is 1.')),
    }),
    exponential: object('exponential noise', { kind: required(word('exponential')) }),
    uniform: object('uniform noise', {
      kind: required(word('uniform')),
      spread: required(fraction(1, 'The factor lies between 1 - spread and 1 + spread.')),
    }),
    normal: object('normal noise', {
      kind: required(word('normal')),
      cv: required(fraction(MAX_NORMAL_CV, 'Standard deviation of the factor; larger ones need lognormal.')),
    }),
  },
  ['exponential'],
  'Noise of the operating system: a random factor of mean 1 on every computation; default: none.',
);

/** Maximum number of levels of a fat tree and of dimensions of a torus. */
const MAX_LEVELS = 16;
/** Maximum number of groups of nodes. */
const MAX_GROUPS = 4096;

/** Names of groups must not end in a digit; otherwise `a1` + `0` and `a` + `10` would be the same node. */
const NAME = {
  pattern: '^[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z_.-])?$',
  words: 'letters, digits, "_", "." and "-", beginning with a letter and not ending with a digit',
};

const transportMembers = {
  latency: required(amount('time', 'zero', 'Latency: seconds, or with a unit, "1.5us".')),
  bandwidth: required(amount('rate', 'positive', 'Bytes per second, or with a unit: "12.5GB/s", "100Gb/s".')),
};
const levels = (description: string): Shape<readonly number[]> =>
  list(count(MAX_HOSTS, 'An integer from 1.'), 1, MAX_LEVELS, description);

/** A network as given in the input. */
export type WrittenNetwork =
  | { readonly kind: 'crossbar' }
  | ({ readonly kind: 'backbone' } & Transport)
  | {
      readonly kind: 'fat-tree';
      readonly down: readonly number[];
      readonly up: readonly number[];
      readonly cables?: readonly number[];
    }
  | { readonly kind: 'torus'; readonly sizes: readonly number[] };

const network = kinds<WrittenNetwork>(
  'the network',
  {
    crossbar: object('a crossbar', { kind: required(word('crossbar')) }),
    backbone: object('a backbone', { kind: required(word('backbone')), ...transportMembers }),
    'fat-tree': object('a fat tree', {
      kind: required(word('fat-tree')),
      down: required(levels('Children of a switch, level by level from the nodes up.')),
      up: required(levels('Parents of a node or switch, level by level.')),
      cables: optional(levels('Parallel cables to each parent, level by level; default 1.')),
    }),
    torus: object('a torus', {
      kind: required(word('torus')),
      sizes: required(levels('Nodes along each dimension; the first varies fastest.')),
    }),
  },
  ['crossbar'],
  'Topology between the nodes; default: crossbar.',
);

const nodes = count(MAX_HOSTS, 'Number of nodes.');
const nodeMembers = {
  socketsPerNode: optional(
    count(1024, 'Sockets of a node; each has an equal share of its cores and memory. Default 1.'),
  ),
  coresPerNode: optional(count(65536, 'Cores of a node, on all its sockets.')),
  speed: optional(amount('speed', 'positive', 'Speed of one core: flop/s, or with a unit, "2.4Gf".')),
  link: optional(
    object('the link', transportMembers, {
      description:
        'Each direction of a cable. A message between two nodes crosses at least two, in a torus at least one.',
    }),
  ),
  intraNode: optional(
    object('intraNode', transportMembers, {
      description: 'Between ranks of one node, not shared between messages; default: the numbers of link.',
    }),
  ),
  memory: optional(
    amount('rate', 'positive', "Bandwidth of a node's memory, shared by its cores; each socket has an equal share."),
  ),
  memoryPerCore: optional(amount('rate', 'positive', 'Maximum memory bandwidth of one core.')),
};
const group = object('a group', {
  name: optional(text('Prefix of the names of its nodes, before their number.', NAME)),
  nodes: required(nodes),
  ...nodeMembers,
});
/** Properties of nodes as given in the input, for a group or for the whole machine. */
export interface WrittenNodes {
  readonly socketsPerNode?: number;
  readonly coresPerNode?: number;
  readonly speed?: number;
  readonly link?: Transport;
  readonly intraNode?: Transport;
  readonly memory?: number;
  readonly memoryPerCore?: number;
}
/** A group of nodes as given in the input. */
export interface WrittenGroup extends WrittenNodes {
  readonly name?: string;
  readonly nodes: number;
}
/** A machine as given in the input: units converted to SI, no defaults filled in. */
export interface WrittenMachine extends WrittenNodes {
  readonly name?: string;
  readonly source?: string;
  readonly nodes?: number;
  readonly groups?: readonly WrittenGroup[];
  readonly network?: WrittenNetwork;
  readonly eagerBelow: number;
  readonly detachedBelow?: number;
  readonly memoryAccess?: MemoryAccess;
  readonly overhead?: WrittenOverhead;
  readonly gap?: number;
  readonly noise?: Noise;
  readonly storage?: Transport;
  readonly threads?: Partial<ThreadCosts>;
}

/** Shape of a machine file and of the options of `cluster`. */
export const machineShape: Shape<WrittenMachine> = object(
  'the machine',
  {
    $schema: optional(text('For editors.')),
    name: optional(text('Name of the machine.')),
    source: optional(text('Source of the numbers.')),
    nodes: optional(nodes),
    ...nodeMembers,
    groups: optional(
      list(
        group,
        1,
        MAX_GROUPS,
        'Groups of different nodes, instead of nodes; parts that a group omits are those of the machine.',
      ),
    ),
    network: optional(network),
    eagerBelow: required(amount('size', 'zero', 'The transfer of a message of fewer bytes starts at the send.')),
    detachedBelow: optional(
      amount('size', 'zero', 'A blocking send of fewer bytes does not wait; default and minimum: eagerBelow.'),
    ),
    memoryAccess: optional(memoryAccess),
    overhead: optional(overhead),
    gap: optional(
      amount(
        'time',
        'zero',
        'Minimum time between two messages that leave a node, and between two that arrive; default 0.',
      ),
    ),
    noise: optional(noise),
    storage: optional(
      object('the storage', transportMembers, {
        description: 'File storage: the time to open or seek, and the bandwidth shared by all ranks.',
      }),
    ),
    threads: optional(threadCosts),
  },
  { rules: { oneOf: [{ required: ['nodes', 'coresPerNode', 'speed', 'link'] }, { required: ['groups'] }] } },
);

/** JSON Schema of machine files. */
export const machineSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A parallel machine',
  ...machineShape.schema,
};
