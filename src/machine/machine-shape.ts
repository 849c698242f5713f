import type { Noise } from '../base/noise.ts';
import type { ThreadCosts } from '../base/thread-costs.ts';
import type { Schema } from '../net/json/json-schema.ts';
import { memoryAccess, noise, overhead, type WrittenOverhead } from './core-time-shape.ts';
import type { MemoryAccess, Transport } from './machine.ts';
import { MAX_HOSTS } from './platform-draft.ts';
import { amount, count, list, object, optional, required, type Shape, text } from './shape.ts';
import { threadCosts } from './thread-costs-shape.ts';
import { kinds, word } from './word-shapes.ts';

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
