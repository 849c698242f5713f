import { fail } from '../../../base/problem.ts';
import { NetBuilder } from '../../../net/builder/builder.ts';
import { merge } from '../../../net/merge/merge.ts';
import type { Net } from '../../../net/net.ts';
import type { CollectiveChoice } from '../../collectives/choice.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { OP } from '../../operations.ts';
import type { Recorded } from '../record/recorder.ts';
import { type Statement, statementsIn } from '../record/statement.ts';
import { type Arguments, argumentsOf, carryDigits, wildReceivers } from '../resolve/arguments.ts';
import { CollectiveRows } from '../resolve/collective-rows.ts';
import { BLOCKING, isBeside, isNumbered, LAPS, NUMBERED, threadsOf } from '../resolve/collective-threads.ts';
import { GroupNodes } from '../resolve/group-nodes.ts';
import { isWild, type Shape, type Shaped, shapeOf } from '../resolve/shape.ts';
import { wildOrders } from '../resolve/wild-order.ts';
import { World } from '../resolve/world.ts';
import { collectiveNet } from './collective-net.ts';
import { controlFlow } from './control-flow.ts';
import { ControlNet } from './control-net.ts';
import { machineNet, requestNet, servicesOf } from './machine-net.ts';
import { messageNet } from './message-net.ts';
import { portsOf, type Sizes, type Uses } from './ports.ts';
import { firstUsers } from './resources.ts';
import { threadCarriers } from './served-place.ts';

/** Source and destination of each pair of communicating ranks, by pair number. */
export interface Pairs {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** The net of a program on a machine, and the tables to interpret its firings. */
export interface ProgramNet {
  readonly net: Net;
  /** The modules that `net` was merged from. */
  readonly modules: readonly Net[];
  readonly world: World;
  readonly machine: MessagePassingMachine;
  readonly programs: readonly Recorded[];
  readonly rows: CollectiveRows;
  readonly arguments: ReadonlyMap<Statement, Arguments>;
  /** Labels of all statements, and the tests and counts of those that have one. */
  readonly shaped: ReadonlyMap<Statement, Shaped>;
  /** Requests by which puts and gets are complete, and that of sends which nothing waits for. */
  readonly oneSidedRequest: number;
  readonly freeRequest: number;
  /** The thread of each collective call. */
  readonly threadOf: ReadonlyMap<Statement, number>;
  /**
   * By thread: number of the request that completes it; the next number blocks the thread, further ones are its own
   * requests.
   */
  readonly firstRequest: Int32Array;
  /** Total number of requests. */
  readonly requests: number;
  /** Makes the module of the machine for a net that leaves it out. */
  readonly machineNet?: () => Net;
}

/**
 * Makes the net of programs on a machine: the synchronised merge (S16) of each program's control flow, the messages,
 * and the collectives. Folded by rank: its size depends on the number of statements, not on ranks or loop iterations.
 *
 * @param machineFor returns the machine data for the communicating pairs of ranks
 * @param hosts the host of each rank, for algorithms of collectives that depend on it; without them each rank counts as a node
 * @throws InputError MODEL0xx with the line of the model
 * @complexity linear in statements × states that their arguments read, and in the steps of collectives
 */
export function programNet(
  programs: readonly Recorded[],
  collectives: CollectiveChoice,
  machineFor: (pairs: Pairs) => MessagePassingMachine,
  hosts?: ArrayLike<number>,
): ProgramNet {
  const ranks = programs.reduce((sum, p) => sum + p.size, 0);
  const world = new World(ranks);
  const builders = programs.map((p) => new NetBuilder(p.name));
  const prefixes = programs.map((p) => (programs.length > 1 ? `${p.name}.` : ''));
  const shapes = programs.map((p, k) => shapeOf(p, world, builders[k]!, prefixes[k]!));
  const rows = new CollectiveRows(world, collectives, new GroupNodes(collectives, hosts));
  const isWildReceiver = wildReceivers(shapes);
  const digits = carryDigits(shapes);
  const { noise } = machineFor(NO_PAIRS);
  const anyWild = statementsOf(shapes).some(isWild);
  const threads = threadsOf(programs);
  const numbered = isNumbered(shapes);
  const callNumbers = numbered ? new Map([...threads].map(([s, k]) => [s, Math.min(k, NUMBERED)])) : threads;
  const args = shapes.map((shape) =>
    argumentsOf({ shape, world, rows, digits, isWildReceiver, anyWild, noise, callNumbers }),
  );
  const contexts = new Set<number>();
  for (const s of statementsOf(shapes)) {
    if (isMessage(s)) world.context(s.comm.number);
    if (s.kind === 'put' || s.kind === 'get') world.tag(s.comm.number, 0, true);
    if (numbered && isBeside(s)) contexts.add(world.context(s.comm.number));
  }
  const lapTags = numbered ? rows.lapTags(NUMBERED, LAPS) : undefined;
  const machine = machineFor(world.pairEnds());

  const own = Math.max(...programs.map((p) => p.requests));
  const oneSidedRequest = own + 1;
  const free = own + 2;
  const count = Math.max(BLOCKING, ...threads.values()) + 1;
  const threadRequest = (k: number): number => free + 1 + k * (rows.requests + 2);
  const carry = digits.reduce((n, d) => n * d.size, 1);
  const carriers = threadCarriers(shapes);
  if (machine.separate === true) refuseThreads(programs);
  const sizes: Sizes = {
    ranks,
    carriers,
    pairs: world.pairs.count,
    tags: world.tags.count,
    contexts: world.contexts.count,
    requests: threadRequest(count),
    free,
    threads: count,
    rows: rows.op.length,
    carry,
    laps: numbered ? LAPS : 1,
  };
  const uses = usesOf(shapes, args, machine, rows, world);
  const firstRequest = Int32Array.from({ length: count }, (_, k) => threadRequest(k));
  world.seal();

  const providers = firstUsers(programs);
  const modules = shapes.map((shape, k) => {
    const net = builders[k]!;
    const control = new ControlNet({
      net,
      ports: portsOf(net, sizes, uses, machine),
      uses,
      world,
      shape,
      arguments: args[k]!,
      machine,
      digits,
      prefix: prefixes[k]!,
      threadRequest,
      oneSidedRequest,
      freeRequest: free,
      threadOf: threads,
      carriers,
      sizes,
      provides: (resource) => providers.get(resource) === programs[k],
    });
    return controlFlow(control);
  });
  if (uses.messages) modules.push(messageNet(sizes, uses, world, machine));
  if (uses.collectives)
    modules.push(collectiveNet(sizes, uses, { rows, lapTags, firstRequest, numbered: contexts }, machine));
  const name = programs.map((p) => p.name).join('+');
  const services = servicesOf(modules);
  const parts = { services, sizes, uses, machine };
  if (machine.separate === true && services.size > 0) modules.push(requestNet(parts));
  const net = modules.length === 1 ? modules[0]! : merge(modules, { name });
  return {
    net,
    modules,
    world,
    machine,
    programs,
    rows,
    arguments: new Map(args.flatMap((of) => [...of])),
    shaped: new Map(shapes.flatMap(({ of }) => [...of])),
    oneSidedRequest,
    freeRequest: free,
    threadOf: threads,
    firstRequest,
    requests: sizes.requests,
    ...(machine.separate === true ? { machineNet: () => machineNet(parts, 'machine') } : {}),
  };
}

/** @throws InputError MODEL042 for a region of threads, whose pools are bound to the cores of the machine */
function refuseThreads(programs: readonly Recorded[]): void {
  for (const { body } of programs)
    for (const s of statementsIn(body))
      if (s.kind === 'threads')
        fail('MODEL042', 'a region of threads: expected a model without, or a prediction without `map`', s.site.place);
}

const NO_PAIRS: Pairs = { from: new Int32Array(0), to: new Int32Array(0) };

function statementsOf(shapes: readonly Shape[]): Statement[] {
  return shapes.flatMap((shape) => [...shape.of.keys()]);
}

/** True if a statement sends, receives or looks for a message of two ranks. */
const isMessage = (s: Statement): s is Extract<Statement, { kind: 'send' | 'recv' | 'probe' }> =>
  s.kind === 'send' || s.kind === 'recv' || s.kind === 'probe';

function usesOf(
  shapes: readonly Shape[],
  args: readonly ReadonlyMap<Statement, Arguments>[],
  machine: MessagePassingMachine,
  rows: CollectiveRows,
  world: World,
): Uses {
  const all = statementsOf(shapes);
  const kinds = new Set(all.map((s) => s.kind));
  const wild = all.some(isWild);
  const oneSided = kinds.has('put') || kinds.has('get');
  const messages = oneSided || all.some(isMessage) || rows.op.finish().some((op) => op !== OP.compute);
  const collectives = kinds.has('collective') || kinds.has('fence');
  const asks = (s: Statement): boolean =>
    'into' in s && (s.into.source !== undefined || s.into.tag !== undefined || s.into.carry.length > 0);
  const onlyWild = (s: Statement, k: number): boolean =>
    isMessage(s) && (isWild(s) || args[k]!.get(s)!['wild']?.constant === 1);
  const exact =
    collectives ||
    oneSided ||
    shapes.some((shape, k) => [...shape.of.keys()].some((s) => isMessage(s) && !onlyWild(s, k)));
  return {
    messages,
    wild,
    exact: exact || !wild,
    status: all.some(asks),
    modes: oneSided || all.some((s) => s.kind === 'send' && s.mode !== 'standard' && s.mode !== 'ready'),
    oneSided,
    collectives,
    free: shapes.some((s) => s.free.size > 0),
    sized: (machine.overhead?.perByte ?? 0) > 0 || machine.calls?.receive !== undefined,
    orders: wild ? wildOrders(shapes, args, world) : { sends: false, receives: [] },
  };
}
