import {
  type Colour,
  NetBuilder,
  type PlaceOf,
  type TermsOf,
  type TransitionBuilder,
} from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import type { Net } from '../../../net/net.ts';
import { add, div, mul, type Term } from '../../../net/terms.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { addNetwork, type Messages, type Terms } from '../../transfers.ts';
import { NO_SIZES, NO_USES, type Ports, portsOf, type Sizes, type Uses } from './ports.ts';
import type { ServiceName } from './served-place.ts';

/** Labels of a service: the request of a program, and the answer when the service is done. */
const LABELS: Readonly<Record<ServiceName | 'network', { readonly begin: string; readonly end: string }>> = {
  processor: { begin: 'compute', end: 'computed' },
  memory: { begin: 'load', end: 'loaded' },
  storage: { begin: 'access', end: 'accessed' },
  network: { begin: 'transfer', end: 'transferred' },
};

const SERVICES = ['processor', 'memory', 'storage'] as const;

/** The services that the modules of a program ask for. */
export function servicesOf(modules: readonly Net[]): ReadonlySet<ServiceName | 'network'> {
  const places = new Set(modules.flatMap((net) => net.places.map((p) => p.name)));
  return new Set([...SERVICES, 'network' as const].filter((name) => places.has(`${name} asked`)));
}

/** The colours of a message under way. */
function messageFields(ports: Ports): Pick<Messages, 'send' | 'receive' | 'pair'> {
  return { send: ports.send, receive: { a: ports.Answer }, pair: (send) => send['p']! };
}

interface Parts {
  readonly services: ReadonlySet<ServiceName | 'network'>;
  readonly sizes: Sizes;
  readonly uses: Uses;
  readonly machine: MessagePassingMachine;
}

/** The module by which a program offers its requests as labels: `compute(rank, k, w)` begins one, `computed(rank, k)` ends it. */
export function requestNet({ services, sizes, uses, machine }: Parts): Net {
  const n = new NetBuilder('requests');
  const ports = portsOf(n, sizes, uses, { ...machine, separate: true });
  const offer = (
    name: ServiceName | 'network',
    asked: PlaceOf<NumberFields>,
    served: PlaceOf<NumberFields>,
    fields: Fields,
  ): void => {
    const { begin, end } = LABELS[name];
    n.transition(`ask ${begin}`, (t) => t.label(begin, t.take(asked)));
    n.transition(`get ${end}`, (t) => {
      const token = freeOf(t, fields);
      t.label(end, token);
      t.put(served, token);
    });
  };
  for (const name of SERVICES) {
    if (!services.has(name)) continue;
    const { asked, served } = ports[name]();
    offer(name, asked, served, userFields(ports));
  }
  if (services.has('network')) {
    const { send, receive } = messageFields(ports);
    const fields = { ...send, ...receive };
    offer(
      'network',
      n.place('network asked', fields as NumberFields, { kind: 'message' }),
      n.place('network served', fields as NumberFields, { kind: 'message' }),
      fields,
    );
  }
  return n.build();
}

/** Identifies the messages of a program written by hand by their ranks and a number. */
function handFields(n: NetBuilder, { Rank, send }: Ports, ranks: number, messages: number): HandFields {
  const fields = { from: Rank, to: Rank, id: n.range('Message', 0, messages - 1), b: send.b };
  return { send: fields, receive: {}, pair: (token) => add(mul(token['from']!, ranks), token['to']!) };
}
type HandFields = Pick<Messages, 'send' | 'receive' | 'pair'>;

/** Services and limits of a machine module for programs that are not models. */
export interface Offer {
  readonly services: ReadonlySet<ServiceName | 'network'>;
  readonly ranks: number;
  /** Requests of a rank at a time, by service. */
  readonly threads: number;
  /** Messages between two ranks at a time. */
  readonly messages: number;
}

/**
 * The module of a machine for any net: labels `compute(rank, k, w)`, `computed(rank, k)`, the same for memory and files, and
 * `transfer(from, to, id, b)`, `transferred(from, to, id, b)`. `machine` has all pairs of ranks, pair = from · ranks + to.
 */
export function openMachineNet({ services, ranks, threads, messages }: Offer, machine: MessagePassingMachine): Net {
  const sizes = { ...NO_SIZES, ranks, pairs: ranks * ranks, threads };
  return machineNet({ services, sizes, uses: NO_USES, machine }, 'machine', messages);
}

/** The module of the machine: its processors, memories, storage and network, offered as labels. */
export function machineNet({ services, sizes, uses, machine }: Parts, name: string, messages?: number): Net {
  const n = new NetBuilder(name);
  const ports = portsOf(n, sizes, uses, { ...machine, separate: false });
  const user = userFields(ports);
  const amount = { ...user, w: ports.send.b };
  const begin = (
    service: ServiceName | 'network',
    fields: Fields,
    body: (t: TransitionBuilder, token: Terms) => void,
  ): void => {
    n.transition(LABELS[service].begin, (t) => {
      const token = freeOf(t, fields);
      t.label(LABELS[service].begin, token);
      body(t, token);
    });
  };
  const end = (service: ServiceName | 'network', from: PlaceOf<NumberFields>, keys: readonly string[]): void => {
    n.transition(LABELS[service].end, (t) => {
      const token = t.take(from) as TermsOf<NumberFields>;
      t.label(LABELS[service].end, Object.fromEntries(keys.map((key) => [key, token[key]!])));
    });
  };
  /** A service that costs no more than a delay, if any. */
  const delayed = (service: ServiceName, delay?: (token: Terms) => Term<number>): void => {
    const done = n.place(LABELS[service].end, user as NumberFields, { kind: 'operation' });
    begin(service, amount, (t, token) => {
      if (service === 'processor') {
        t.kind('compute');
        t.process(token['rank']!);
      }
      if (delay !== undefined) t.delay(delay(token));
      t.put(done, { rank: token['rank']!, k: token['k']! });
    });
    end(service, done, ['rank', 'k']);
  };
  const shared = (service: ServiceName, delay?: number): void => {
    const place = ports[service]().asked;
    begin(service, amount, (t, token) => {
      if (delay !== undefined) t.delay(delay);
      t.put(place, token);
    });
    end(service, place, ['rank', 'k']);
  };
  if (services.has('processor')) {
    if (machine.cores === undefined)
      delayed('processor', (token) => div(token['w']!, ports.speed().at(token['rank']!)));
    else shared('processor');
  }
  if (services.has('memory')) {
    if (machine.memory === undefined) delayed('memory');
    else shared('memory');
  }
  if (services.has('storage')) {
    if (machine.storage === undefined) delayed('storage');
    else shared('storage', machine.storage.latency);
  }
  if (services.has('network')) {
    const message = messages === undefined ? messageFields(ports) : handFields(n, ports, sizes.ranks, messages);
    const { travel, landed } = addNetwork(n, machine, message);
    const fields = { ...message.send, ...message.receive };
    begin('network', fields, (t, token) => {
      const { a, ...send } = token;
      travel(t, send, a === undefined ? {} : { a });
    });
    end('network', landed, Object.keys(fields));
  }
  return n.build();
}

type Fields = Readonly<Record<string, Colour<number>>>;

/** Fields of a request that identify the user of a service: its rank and thread. */
const userFields = (ports: Ports): Fields => ({ rank: ports.Rank, k: ports.Thread });

/** Variables that a partner binds. */
const freeOf = (t: TransitionBuilder, fields: Fields): Terms =>
  Object.fromEntries(Object.entries(fields).map(([name, colour]) => [name, t.free(name, colour)])) as Terms;
