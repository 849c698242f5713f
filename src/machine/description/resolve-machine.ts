import { withPresets } from '../../base/form.ts';
import { quote } from '../../base/problem.ts';
import { type Machine, type MachineChange, type NodeGroup, nodeCount } from '../machine.ts';
import { MAX_HOSTS, MAX_LINKS, suggest } from '../platform.ts';
import { NO_LINK } from '../topology/loggops.ts';
import { linksOf, machinePlatform } from '../topology/machine-platform.ts';
import { topologyOf } from '../topology/topologies.ts';
import { groupForm, machineForm, type WrittenGroup, type WrittenMachine } from './machine-schema.ts';
import { exampleOf, type Path, type Report } from './read-form.ts';

/**
 * Creates a machine from its input: fills in defaults and checks that the parts fit together. Reports MACH006 (a part
 * is missing), MACH011 (parts that do not fit) and MACH012 (too large).
 *
 * @returns undefined if a problem was reported
 */
export function resolveMachine(given: WrittenMachine, name: string, report: Report): Machine | undefined {
  const written = given.network?.kind === 'loggops' ? { ...UNUSED, ...given } : given;
  let sound = true;
  const wrong = (message: string, ...path: Path): void => {
    sound = false;
    report('MACH011', message, path);
  };
  const lacks = (part: keyof typeof machineForm.members): void => {
    sound = false;
    report('MACH006', `the machine lacks ${JSON.stringify(part)}${exampleOf(part, machineForm.members[part])}`, []);
  };
  const groups = readGroups(written, wrong, lacks);
  if (written.eagerBelow === undefined) lacks('eagerBelow');
  const filled = withPresets(machineForm, written) as unknown as Omit<Machine, 'nodes'>;
  const { source, network, eagerBelow, detachedBelow, collectives, memoryAccess, overhead, gap } = filled;
  const { noise, storage, threads, latencyFactor, bandwidthFactor, callTimes, changes } = filled;
  const sharing = written.sharing === 'fcfs' ? written.sharing : undefined;
  if (sharing !== undefined && network.kind === 'loggops')
    wrong(
      'a loggops network has no links that messages could wait for: omit sharing, or give a network with links',
      'sharing',
    );
  checkPieces(filled, wrong);
  if (detachedBelow < eagerBelow)
    wrong(
      `expected at least eagerBelow, ${eagerBelow}, since an eager send never waits; got ${detachedBelow}`,
      'detachedBelow',
    );
  if (!sound) return undefined;
  const machine: Machine = {
    name: written.name ?? name,
    ...defined({ source }),
    nodes: groups,
    network,
    eagerBelow,
    detachedBelow,
    ...defined({ sharing, latencyFactor, bandwidthFactor, callTimes, collectives }),
    memoryAccess,
    overhead,
    gap,
    ...defined({ noise, storage, threads, changes }),
  };
  checkNetwork(machine, wrong);
  const [hosts, links] = sound ? [nodeCount(machine), linksOf(machine)] : [0, 0];
  if (hosts > MAX_HOSTS) report('MACH012', `the machine has ${hosts} nodes: expected at most ${MAX_HOSTS}`, ['groups']);
  else if (links > MAX_LINKS) report('MACH012', `the machine has ${links} links: expected at most ${MAX_LINKS}`, []);
  else {
    if (sound && changes !== undefined) checkChanges(machine, changes, wrong);
    return sound ? machine : undefined;
  }
  return undefined;
}

/** Checks the parts that change over time. */
function checkChanges(machine: Machine, changes: readonly MachineChange[], wrong: Wrong): void {
  if (machine.network.kind === 'loggops') {
    wrong('a machine with a loggops network has no links and no speed over time: give a network with links', 'changes');
    return;
  }
  const { changes: _, ...plain } = machine;
  const platform = machinePlatform(plain);
  const links = new Set(platform.links.map(({ name }) => name));
  const seen = new Set<string>();
  changes.forEach((change, k) => {
    const { of, every, fails, returns } = change;
    const isHost = platform.hostIndex(of) !== undefined;
    if (!isHost && !links.has(of)) {
      const names = [...platform.hosts.map(({ name }) => name), ...links];
      wrong(`unknown node or link ${quote(of)}.${suggest(of, names, names.length)}`, 'changes', k, 'of');
      return;
    }
    if (seen.has(of)) wrong(`${quote(of)} occurs twice: put its changes into one entry`, 'changes', k, 'of');
    seen.add(of);
    const kind = isHost ? 'node' : 'link';
    for (const member of isHost ? (['bandwidth', 'latency', 'returns'] as const) : (['speed'] as const))
      if (change[member] !== undefined)
        wrong(
          `${quote(of)} is a ${kind}: expected ${isHost ? 'speed or fails' : 'bandwidth, latency, fails or returns'}`,
          ...['changes', k, member],
        );
    const lists = (['speed', 'bandwidth', 'latency'] as const).flatMap((member) =>
      change[member] === undefined ? [] : [{ member, list: change[member] }],
    );
    for (const { member, list } of lists)
      list.forEach(({ at, factor }, i) => {
        const before = list[i - 1]?.at ?? 0;
        if (at < before)
          wrong(`expected ascending times, from ${before} s on; got ${at}`, 'changes', k, member, i, 'at');
        if (factor === 0 && member !== 'latency')
          wrong(`expected a factor above 0; use \`fails\` for a ${kind} that fails`, 'changes', k, member, i, 'factor');
        if (every !== undefined && at > every)
          wrong(`expected a time up to \`every\`, ${every} s; got ${at}`, 'changes', k, member, i, 'at');
      });
    if (lists.length === 0 && fails === undefined)
      wrong(
        `${quote(of)} does not change: give ${isHost ? 'speed or fails' : 'bandwidth, latency or fails'}`,
        'changes',
        k,
      );
    if (every !== undefined && lists.length === 0)
      wrong('expected factors to repeat: give speed, bandwidth or latency', 'changes', k, 'every');
    if (returns !== undefined && !(returns > (fails ?? Number.POSITIVE_INFINITY)))
      wrong(
        `expected a time after \`fails\`${fails === undefined ? '' : `, ${fails} s`}; got ${returns}`,
        'changes',
        k,
        'returns',
      );
  });
}

/** Parts that a machine with a LogGOPS network can omit, since no message uses them. */
const UNUSED = { link: NO_LINK, eagerBelow: 0 } as const;

/** Reports parts that do not fit together. */
type Wrong = (message: string, ...path: Path) => void;

/** Checks the functions of the message size. */
function checkPieces(given: Omit<Machine, 'nodes'>, wrong: Wrong): void {
  const { latencyFactor, bandwidthFactor, callTimes = {}, overhead } = given;
  const ascends = (pieces: readonly { readonly above: number }[] = [], ...path: Path): void =>
    pieces.forEach(({ above }, k) => {
      // Sizes are integers: no message is between 10 and 10.5 bytes.
      if (k > 0 && Math.floor(above) <= Math.floor(pieces[k - 1]!.above))
        wrong(
          `expected more bytes than in the piece before, ${pieces[k - 1]!.above}; got ${above}`,
          ...path,
          k,
          'above',
        );
    });
  for (const [member, pieces = []] of Object.entries({ latencyFactor, bandwidthFactor })) {
    ascends(pieces, member);
    pieces.forEach(({ factor }, k) => {
      if (factor === 0) wrong('expected a factor above 0; got 0', member, k, 'factor');
    });
  }
  for (const [member, pieces] of Object.entries(callTimes)) ascends(pieces, 'callTimes', member);
  if (Object.keys(callTimes).length > 0 && (overhead.send > 0 || overhead.receive > 0 || overhead.perByte > 0))
    wrong('callTimes and overhead are two descriptions of the same times: give one of them', 'callTimes');
}

/** The groups of nodes. A machine without groups has a single one, `node`. */
function readGroups(
  written: WrittenMachine,
  wrong: Wrong,
  lacks: (part: keyof typeof machineForm.members) => void,
): NodeGroup[] {
  const { groups, nodes, socketsPerNode, coresPerNode, speed, turbo, power, link, intraNode } = written;
  const { memory, memoryPerCore } = written;
  const outside = defined({
    socketsPerNode,
    coresPerNode,
    speed,
    turbo,
    power,
    link,
    intraNode,
    memory,
    memoryPerCore,
  });
  if (groups === undefined) {
    for (const part of ['nodes', 'coresPerNode', 'speed', 'link'] as const)
      if (written[part] === undefined) lacks(part);
    return fillGroup({ ...outside, nodes: nodes ?? 0 }, 'node', [], wrong);
  }
  if (nodes !== undefined) wrong('a machine with groups has no "nodes": the groups give the numbers of nodes', 'nodes');
  const names = new Set<string>();
  return groups.flatMap((own, k) => {
    const { name = `group${k}-` } = own;
    if (names.has(name)) wrong(`duplicate group ${JSON.stringify(name)}`, 'groups', k, 'name');
    names.add(name);
    for (const part of ['coresPerNode', 'speed', 'link'] as const)
      if (own[part] === undefined && written[part] === undefined)
        wrong(`neither the group nor the machine has ${JSON.stringify(part)}`, 'groups', k);
    return fillGroup({ ...outside, ...own }, name, ['groups', k], wrong);
  });
}

/** The members that are not undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function fillGroup(written: WrittenGroup, name: string, path: Path, wrong: Wrong): NodeGroup[] {
  const given = withPresets(groupForm, written) as WrittenGroup & { readonly socketsPerNode: number };
  const { nodes: count, socketsPerNode: sockets, coresPerNode: cores, speed, power, link, intraNode } = given;
  if (cores === undefined || speed === undefined || link === undefined || intraNode === undefined) return [];
  if (cores % sockets !== 0)
    wrong(`the number of cores, ${cores}, is not a multiple of the number of sockets, ${sockets}`, ...path);
  const { memory, memoryPerCore, turbo } = written;
  if (turbo !== undefined)
    checkTurbo(turbo, cores / sockets, (message, ...at) => wrong(message, ...path, 'turbo', ...at));
  if (memoryPerCore !== undefined && memory === undefined)
    wrong('memoryPerCore requires memory', ...path, 'memoryPerCore');
  return [
    {
      name,
      count,
      sockets,
      cores,
      speed,
      ...defined({ turbo }),
      ...(power === undefined ? {} : { power: { busy: power.idle, ...power } }),
      link,
      intraNode,
      ...defined({ memory, memoryPerCore }),
    },
  ];
}

/** The factors on the speed of a core by the number of busy cores of its socket. */
function checkTurbo(turbo: readonly number[], cores: number, wrong: Wrong): void {
  if (turbo.length > cores)
    wrong(`expected at most ${cores} factors, one for each core of a socket; got ${turbo.length}`);
  turbo.forEach((factor, k) => {
    if (factor === 0) wrong('expected a factor above 0; got 0', k);
    else if (k > 0 && factor > turbo[k - 1]!)
      wrong(`expected at most the factor of fewer busy cores, ${turbo[k - 1]}; got ${factor}`, k);
  });
}

/** Checks that the network has exactly one place per node and that all cables are equal if the topology requires it. */
function checkNetwork(machine: Machine, wrong: Wrong): void {
  const { network, nodes } = machine;
  const topology = topologyOf(network);
  const { latency, bandwidth } = nodes[0]!.link;
  nodes.forEach(({ link }, k) => {
    if (topology.equalCables && (link.latency !== latency || link.bandwidth !== bandwidth))
      wrong(`all cables of a ${network.kind} are equal: groups cannot have different links`, 'groups', k, 'link');
  });
  const names = () => nodes.flatMap(({ name, count }) => Array.from({ length: count }, (_, k) => `${name}${k}`));
  const misfit = topology.misfit?.(network, nodeCount(machine), names);
  if (misfit !== undefined) wrong(misfit.message, 'network', ...(misfit.member === undefined ? [] : [misfit.member]));
}
