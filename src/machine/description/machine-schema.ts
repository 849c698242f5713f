import {
  amount,
  count,
  type FormOf,
  fraction,
  kinds,
  list,
  type Member,
  object,
  oneOf,
  optional,
  required,
  type Schema,
  schemaOf,
  text,
  usually,
  word,
} from '../../base/form.ts';
import { MAX_NORMAL_CV } from '../../base/random/noise.ts';
import { DEFAULT_COSTS, type ThreadCosts } from '../../base/thread-costs.ts';
import { MAX_HOSTS, type Transport } from '../platform.ts';
import { networkForm } from '../topology/topologies.ts';
import { transportMembers } from '../topology/topology.ts';

const DESCRIPTIONS: Readonly<Record<keyof ThreadCosts, string>> = {
  spawn: 'Making a task and putting it into a queue.',
  local: "A look into the worker's own queue.",
  steal: "Taking a task from another worker's queue.",
  search: 'A search of another queue that finds it empty.',
  fetch: 'Taking a task or chunk from a queue or counter that all workers share.',
  lock: 'An uncontended operation on a lock or other synchronisation object.',
  rwLock: 'An operation on a reader-writer lock that need not wait.',
  atomic: 'An atomic operation on a shared word.',
  wake: 'Call of the operating system that wakes a parked thread, in the thread that makes it.',
  spin: 'From the release of a spin lock until a spinning thread has it.',
  spinner: 'Additional time of the hand-over of a spin lock for each thread that goes on spinning.',
  spinFor: 'Longest time that a waiter of a lock of kind spin-then-park spins before it parks.',
  barrier: 'Arriving at a barrier, and finding it complete or not.',
  wakeUp: 'From the release of a blocked thread, or the announcement of work, until it runs.',
  contextSwitch: 'Change from one thread to another on a processor.',
  timeSlice:
    'Time after which a thread gives its processor back if others wait; 0: threads beyond the cores share them evenly, without switches.',
  cacheRefill: 'Filling the cache again, by a thread that others have displaced from its processor.',
  create: 'Creating a thread of the operating system.',
  cacheLine: 'Transfer of one cache line between the caches of two cores.',
  osCall:
    'Call of the operating system that waits on one of its objects, sets it, or pulls a released thread (scheduler a0).',
  osNotify: 'From the notification by the operating system until an idle scheduler thread runs (a0, a1).',
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
  allocate: 'Schedulers a1 and a2 without buffered memory: allocating an entry of a queue, and freeing it.',
};

export const THREAD_COSTS = Object.keys(DESCRIPTIONS) as readonly (keyof ThreadCosts)[];

const threadCosts = object(
  'threads',
  Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, text]) => [
      name,
      usually(DEFAULT_COSTS[name as keyof ThreadCosts], amount('time', 'zero', text)),
    ]),
  ) as { readonly [K in keyof ThreadCosts]: Member<number, false> },
  { description: 'Costs of thread operations: seconds, or with a unit, "50ns"; defaults: docs/threads.md.' },
);

/*
 * Forms of the parts of a machine that make a core spend time on anything but arithmetic: memory, messages, the
 * operating system.
 */

const memoryAccess = oneOf(
  ['after', 'overlapped'],
  'Whether a computation moves its bytes after its arithmetic (default) or overlaps both.',
);

const overhead = object(
  'overhead',
  {
    send: required(amount('time', 'zero', 'For each message sent.'), '300ns'),
    receive: required(amount('time', 'zero', 'For each message received.'), '300ns'),
    perByte: usually(0, amount('time', 'zero', 'For each byte of a message, on both sides: s/B, "0.1ns"; default 0.')),
  },
  { description: "Time that a rank's core spends on a message (o of LogGP, O of LogGOPS); default: none." },
);

/** Maximum coefficient of variation of lognormal noise. Above it, hardly any sample is near the mean. */
const MAX_CV = 10;
const noise = kinds(
  'the noise',
  {
    lognormal: object('lognormal noise', {
      kind: required(word('lognormal')),
      cv: required(fraction(MAX_CV, 'Standard deviation of the factor; its mean is 1.'), '0.1'),
    }),
    exponential: object('exponential noise', { kind: required(word('exponential')) }),
    uniform: object('uniform noise', {
      kind: required(word('uniform')),
      spread: required(fraction(1, 'The factor lies between 1 - spread and 1 + spread.'), '0.1'),
    }),
    normal: object('normal noise', {
      kind: required(word('normal')),
      cv: required(fraction(MAX_NORMAL_CV, 'Standard deviation of the factor; larger ones need lognormal.'), '0.1'),
    }),
  },
  ['exponential'],
  'Noise of the operating system: a random factor of mean 1 on every computation; default: none.',
);

/** Maximum number of pieces of a function of the message size. */
const MAX_PIECES = 1000;
/** Largest factor on latencies and bandwidths. */
const MAX_FACTOR = 1e6;

const above = required(amount('size', 'zero', 'For messages of more bytes; thresholds ascend.'), '0');
const factorPieces = (description: string) =>
  list(
    object('a piece', { above, factor: required(fraction(MAX_FACTOR, 'Above 0.'), '1.2') }),
    1,
    MAX_PIECES,
    `${description}, by size of the message with its envelope; default: those of the network model.`,
  );
const callPieces = (description: string) =>
  list(
    object('a piece', {
      above,
      time: required(amount('time', 'zero', 'For each message.'), '1us'),
      perByte: optional(amount('time', 'zero', 'For each byte of it: s/B, "0.1ns"; default 0.')),
    }),
    1,
    MAX_PIECES,
    `${description} The first piece also holds up to its threshold.`,
  );
const callTimes = object(
  'callTimes',
  {
    send: optional(callPieces('Of a blocking send that does not wait for its receiver, before its message starts.')),
    isend: optional(callPieces('Of every non-blocking send, before its message starts.')),
    receive: optional(callPieces('Of the receiver of a message whose sender did not wait, after its arrival.')),
  },
  { description: "Time of a rank in its calls by size of the message (SimGrid's os, ois, or), instead of overhead." },
);

/** Maximum numbers of parts that change over time, and of changes of one. */
const MAX_CHANGES = 10_000;
const factorsOverTime = (description: string) =>
  optional(
    list(
      object('a change', {
        at: required(amount('time', 'zero', 'From this time on; times ascend.'), '10s'),
        factor: required(fraction(MAX_FACTOR, 'Above 0, of a latency from 0 on.'), '0.5'),
      }),
      1,
      MAX_CHANGES,
      description,
    ),
  );
const changes = list(
  object('a part that changes', {
    of: required(text('Name of a node or link, as results have it: node3, node0.up.'), 'node0'),
    speed: factorsOverTime('Of a node: factors on the speed of its cores.'),
    bandwidth: factorsOverTime('Of a link: factors on its bandwidth.'),
    latency: factorsOverTime('Of a link: factors on its latency.'),
    every: optional(
      amount('time', 'positive', 'The factors are repeated after this time; default: the last one remains.'),
    ),
    fails: optional(
      amount('time', 'zero', 'It fails: ranks on the node stop, messages on it are lost; default: never.'),
    ),
    returns: optional(amount('time', 'positive', 'A link works again; default: never.')),
  }),
  1,
  MAX_CHANGES,
  'Nodes and links that change over time, or fail.',
);

/** Maximum number of cores of a node. */
const MAX_CORES = 65536;

/** Maximum power of a node, in watts. */
export const MAX_POWER = 1e9;

/** Maximum number of groups of nodes. */
const MAX_GROUPS = 4096;

/** Names of groups must not end in a digit; otherwise `a1` + `0` and `a` + `10` would be the same node. */
export const GROUP_NAME: { readonly pattern: string; readonly words: string } = {
  pattern: '^[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z_.-])?$',
  words: 'letters, digits, "_", "." and "-", beginning with a letter and not ending with a digit',
};

const nodes = count(MAX_HOSTS, 'Number of nodes.');
const nodeMembers = {
  socketsPerNode: usually(
    1,
    count(1024, 'Sockets of a node; each has an equal share of its cores and memory. Default 1.'),
  ),
  coresPerNode: optional(count(MAX_CORES, 'Cores of a node, on all its sockets.'), '16'),
  speed: optional(amount('speed', 'positive', 'Speed of one core: flop/s, or with a unit, "2.4Gf".'), '4Gf'),
  turbo: optional(
    list(
      fraction(MAX_FACTOR, 'Above 0; not above the one before.'),
      1,
      MAX_CORES,
      'Factors on the speed of a core while 1, 2, … cores of its socket compute; the last one also holds for more. Default: 1.',
    ),
    '[1, 1, 0.9, 0.8]',
  ),
  power: optional(
    object(
      'the power',
      {
        idle: required(fraction(MAX_POWER, 'While no core computes.'), '100'),
        busy: usually(
          ({ idle }: { readonly idle: number }) => idle,
          fraction(MAX_POWER, 'While hardly anything computes; default: idle.'),
        ),
        full: required(fraction(MAX_POWER, 'While all cores compute.'), '250'),
      },
      { description: 'Power of a node in watts; linear in the busy cores from busy to full.' },
    ),
  ),
  link: optional(
    object('the link', transportMembers, {
      description:
        'Each direction of a cable. A message between two nodes crosses at least two, in a torus at least one.',
    }),
    '{ latency: 1us, bandwidth: 10GB/s }',
  ),
  intraNode: usually(
    ({ link }: { readonly link?: Transport }) => link,
    object('intraNode', transportMembers, {
      description: 'Between ranks of one node, not shared between messages; default: the numbers of link.',
    }),
  ),
  memory: optional(
    amount('rate', 'positive', "Bandwidth of a node's memory, shared by its cores; each socket has an equal share."),
  ),
  memoryPerCore: optional(amount('rate', 'positive', 'Maximum memory bandwidth of one core.')),
};
export const groupForm = object('a group', {
  name: optional(text('Prefix of the names of its nodes, before their number.', GROUP_NAME)),
  nodes: required(nodes, '4'),
  ...nodeMembers,
});
/** A group of nodes as given in the input. */
export type WrittenGroup = FormOf<typeof groupForm>;

/** Form of a machine file and of the options of `cluster`. */
export const machineForm = object(
  'the machine',
  {
    $schema: optional(text('For editors.')),
    name: optional(text('Name of the machine.')),
    source: optional(text('Source of the numbers.')),
    nodes: optional(nodes, '4'),
    ...nodeMembers,
    groups: optional(
      list(
        groupForm,
        1,
        MAX_GROUPS,
        'Groups of different nodes, instead of nodes; parts that a group omits are those of the machine.',
      ),
    ),
    network: usually({ kind: 'crossbar' }, networkForm),
    sharing: optional(
      oneOf(
        ['max-min', 'fcfs'],
        'Messages share links equally (max-min, default), or occupy them first come, first served (fcfs).',
      ),
    ),
    eagerBelow: optional(
      amount('size', 'zero', 'The transfer of a message of fewer bytes starts at the send.'),
      '64KiB',
    ),
    detachedBelow: usually(
      ({ eagerBelow }: { readonly eagerBelow?: number }) => eagerBelow,
      amount('size', 'zero', 'A blocking send of fewer bytes does not wait; default and minimum: eagerBelow.'),
    ),
    latencyFactor: optional(factorPieces('Factors on the latency of routes')),
    bandwidthFactor: optional(factorPieces('Factors on the bandwidth of routes')),
    callTimes: optional(callTimes),
    collectives: optional(
      text(
        'Algorithms of collectives, as the option --collectives takes them, files of rules relative to this file; default: those of the network model.',
      ),
      'ompi',
    ),
    memoryAccess: usually('after', memoryAccess),
    overhead: usually({ send: 0, receive: 0, perByte: 0 }, overhead),
    gap: usually(
      0,
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
    changes: optional(changes),
  },
  {
    otherWords: { hosts: 'nodes', topology: 'network', interconnect: 'network', flops: 'speed', frequency: 'speed' },
    rules: {
      oneOf: [{ required: ['nodes', 'coresPerNode', 'speed'] }, { required: ['groups'] }],
      // LogGOPS has neither links nor thresholds of this protocol.
      if: {
        required: ['network'],
        properties: {
          network: { type: 'object', required: ['kind'], properties: { kind: { const: 'loggops' } } },
        },
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {},
      else: { required: ['eagerBelow'], anyOf: [{ required: ['link'] }, { required: ['groups'] }] },
    },
  },
);

/** A machine as given in the input: units converted to SI, no defaults filled in. */
export type WrittenMachine = FormOf<typeof machineForm>;

/** JSON Schema of machine files. */
export const machineSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A parallel machine',
  ...schemaOf(machineForm),
};
