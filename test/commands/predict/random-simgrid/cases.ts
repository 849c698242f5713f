/**
 * Random platforms and programs, each from a seed. A change here makes `ends-3.32.jsonl` wrong: record it again with `record.ts`.
 */
export interface Case {
  readonly kind: string;
  readonly xml: string;
  /** Host of each rank. */
  readonly hosts: readonly string[];
  readonly trace: string;
  readonly model: string;
  readonly collectives: string;
}

/** Draws of one seed (mulberry32). */
class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 2654435761) >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** A number between two positive ones, even on a logarithmic scale, with six digits: no events at one instant by chance. */
  real(from: number, to: number): number {
    return Number((from * (to / from) ** this.next()).toPrecision(6));
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** `count` integers. */
  ints(count: number, from: number, to: number): number[] {
    return Array.from({ length: count }, () => this.int(from, to));
  }
}

interface Part {
  readonly xml: string;
  readonly hosts: readonly string[];
}

const product = (numbers: readonly number[]): number => numbers.reduce((a, b) => a * b, 1);
const bandwidth = (d: Draws): string => `${d.real(1e7, 1e10)}Bps`;
const latency = (d: Draws): string => `${d.real(1e-7, 1e-3).toFixed(12)}s`;
const speed = (d: Draws): string => `speed="${d.real(1e8, 1e10)}f"`;
const cores = (d: Draws): string => (d.chance(0.5) ? ` core="${d.int(1, 4)}"` : '');
const loopback = (d: Draws): string => `loopback_bw="${bandwidth(d)}" loopback_lat="${latency(d)}"`;

function link(d: Draws, id: string, policies: readonly string[]): string {
  return `<link id="${id}" bandwidth="${bandwidth(d)}" latency="${latency(d)}" sharing_policy="${d.pick(policies)}"/>`;
}

function cluster(d: Draws, id: string, count: number, more: string): Part {
  const policy = d.pick(['SHARED', 'SPLITDUPLEX', 'SPLITDUPLEX', 'FULLDUPLEX', 'FATPIPE']);
  const xml = `<cluster id="${id}" prefix="${id}n" suffix="" radical="0-${count - 1}" ${speed(d)}${cores(d)} bw="${bandwidth(d)}" lat="${latency(d)}" sharing_policy="${policy}"${more}/>`;
  return { xml, hosts: Array.from({ length: count }, (_, i) => `${id}n${i}`) };
}

function flat(d: Draws, id: string): Part {
  const policy = d.pick(['SHARED', 'FATPIPE']);
  const backbone = d.chance(0.5) ? ` bb_bw="${bandwidth(d)}" bb_lat="${latency(d)}" bb_sharing_policy="${policy}"` : '';
  const limit = d.chance(0.3) ? ` limiter_link="${bandwidth(d)}"` : '';
  return cluster(d, id, d.int(2, 8), `${backbone}${d.chance(0.4) ? ` ${loopback(d)}` : ''}${limit}`);
}

function torus(d: Draws, id: string): Part {
  const sides = d.ints(d.int(1, 3), 2, 4);
  return cluster(d, id, product(sides), ` topology="TORUS" topo_parameters="${sides.join(',')}" ${loopback(d)}`);
}

function dragonfly(d: Draws, id: string): Part {
  const [groups, chassis, blades, nodes] = [d.int(1, 3), d.int(1, 3), d.int(3, 4), d.int(1, 3)];
  const parameters = `${groups},${d.int(1, 3)};${chassis},${d.int(1, 3)};${blades},${d.int(1, 3)};${nodes}`;
  const loop = d.chance(0.4) ? ` ${loopback(d)}` : '';
  const count = groups * chassis * blades * nodes;
  return cluster(d, id, count, ` topology="DRAGONFLY" topo_parameters="${parameters}"${loop}`);
}

function fatTree(d: Draws, id: string): Part {
  const levels = d.int(1, 3);
  const down = d.ints(levels, 2, 3);
  const up = [1, ...d.ints(levels - 1, 1, 3)];
  const parameters = `${levels};${down};${up};${d.ints(levels, 1, 2)}`;
  return cluster(d, id, product(down), ` topology="FAT_TREE" topo_parameters="${parameters}"`);
}

/** Hosts that are sockets: a bus for each node, memory that is a FATPIPE, and network cards of nodes. */
function sockets(d: Draws, id: string): Part {
  const hosts: string[] = [];
  const [nodes, each] = [d.int(2, 3), d.int(2, 3)];
  let xml = `<zone id="${id}" routing="Full">`;
  for (let n = 0; n < nodes; n++) {
    const own = Array.from({ length: each }, (_, s) => `${id}n${n}s${s}`);
    hosts.push(...own);
    xml += `<zone id="${id}z${n}" routing="Full">`;
    for (const host of own) xml += `<host id="${host}" ${speed(d)} core="${d.int(1, 4)}"/>`;
    xml += `<router id="${id}r${n}"/>${link(d, `${id}bus${n}`, ['SHARED'])}`;
    for (const host of own) xml += link(d, `${host}m`, ['FATPIPE']);
    own.forEach((host, s) => {
      if (d.chance(0.6)) xml += `<route src="${host}" dst="${host}" symmetrical="NO"><link_ctn id="${host}m"/></route>`;
      for (const other of own.slice(s + 1))
        xml += `<route src="${host}" dst="${other}"><link_ctn id="${id}bus${n}"/></route>`;
      xml += `<route src="${host}" dst="${id}r${n}"><link_ctn id="${host}m"/></route>`;
    });
    xml += '</zone>';
  }
  for (let n = 0; n < nodes; n++) xml += link(d, `${id}nic${n}`, ['SPLITDUPLEX']);
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++)
      xml += `<zoneRoute src="${id}z${a}" dst="${id}z${b}" gw_src="${id}r${a}" gw_dst="${id}r${b}"><link_ctn id="${id}nic${a}" direction="UP"/><link_ctn id="${id}nic${b}" direction="DOWN"/></zoneRoute>`;
  return { xml: `${xml}</zone>`, hosts };
}

/** A graph of hosts: a tree with some more edges, or routes of all pairs that share links. */
function graph(d: Draws, id: string): Part {
  const routing = d.pick(['Full', 'Full', 'Floyd', 'Dijkstra', 'DijkstraCache']);
  const hosts = Array.from({ length: d.int(2, 6) }, (_, i) => `${id}n${i}`);
  let xml = `<zone id="${id}" routing="${routing}">`;
  for (const host of hosts) xml += `<host id="${host}" ${speed(d)}${cores(d)}/>`;
  const links: boolean[] = [];
  let routes = '';
  const edge = (from: string, to: string, twoWay = true): void => {
    const parts: string[] = [];
    for (let left = d.int(1, 3); left > 0; left--) {
      const again = links.length > 0 && d.chance(0.25);
      const at = again ? d.int(0, links.length - 1) : links.push(d.chance(0.3)) - 1;
      if (!again) xml += link(d, `${id}l${at}`, links[at]! ? ['SPLITDUPLEX'] : ['SHARED', 'FATPIPE']);
      parts.push(`<link_ctn id="${id}l${at}"${links[at]! ? ` direction="${d.pick(['UP', 'DOWN'])}"` : ''}/>`);
    }
    routes += `<route src="${from}" dst="${to}"${twoWay ? '' : ' symmetrical="NO"'}>${parts.join('')}</route>`;
  };
  hosts.forEach((host, i) => {
    if (routing !== 'Full') {
      if (i > 0) edge(hosts[d.int(0, i - 1)]!, host);
      return;
    }
    for (const other of hosts.slice(i + 1)) {
      const twoWay = d.chance(0.7);
      edge(host, other, twoWay);
      if (!twoWay) edge(other, host, false);
    }
    if (d.chance(0.3)) edge(host, host, false);
  });
  return { xml: `${xml}${routes}</zone>`, hosts };
}

/** Flat clusters that are joined by links between their routers. */
function joined(d: Draws): Part {
  const parts = Array.from({ length: d.int(2, 3) }, (_, i) => flat(d, `c${i}`));
  let xml = `<zone id="w" routing="${d.pick(['Full', 'Floyd', 'Dijkstra'])}">${parts.map((part) => part.xml).join('')}`;
  const pairs = parts.flatMap((_, a) => parts.map((_, b) => [a, b] as const).filter(([, b]) => b > a));
  for (const [a, b] of pairs) xml += link(d, `w${a}${b}`, ['SHARED', 'FATPIPE']);
  for (const [a, b] of pairs)
    xml += `<zoneRoute src="c${a}" dst="c${b}" gw_src="c${a}nc${a}_router" gw_dst="c${b}nc${b}_router"><link_ctn id="w${a}${b}"/></zoneRoute>`;
  return { xml: `${xml}</zone>`, hosts: parts.flatMap((part) => part.hosts) };
}

const PLATFORMS = { flat, torus, dragonfly, fatTree, sockets, graph, joined };
const SIZES = [0, 1, 100, 241, 700, 1410, 5000, 9400, 20000, 65535, 65536, 100000, 1e6];
const TYPES = ['6', '0', '1'];

/** The lines of a collective, one for each rank. */
function collective(d: Draws, ranks: number, library: string): string[] {
  const n = d.chance(0.5) ? d.pick(SIZES) : Math.floor(d.real(1, 3e5));
  const flops = d.chance(0.5) ? 0 : d.int(1, 1e6);
  const [root, t] = [d.int(0, ranks - 1), d.pick(TYPES)];
  const parts = d.ints(ranks, -4000, 20000).map((part) => Math.max(0, part));
  const between = Array.from({ length: ranks }, () => d.ints(ranks, -5000, 20000).map((part) => Math.max(0, part)));
  const forms: readonly ((rank: number) => string)[] = [
    () => 'barrier',
    () => `bcast ${n} ${root} ${t}`,
    () => `reduce ${n} ${flops} ${root} ${t}`,
    () => `allreduce ${n} ${flops} ${t}`,
    () => `scan ${n} ${flops} ${t}`,
    () => `scatter ${n} ${n} ${root} ${t} ${t}`,
    () => `allgather ${n} ${n} ${t} ${t}`,
    () => `alltoall ${n} ${n} ${t} ${t}`,
    (r) => `gatherv ${parts[r]} ${parts.join(' ')} ${root} ${t} ${t}`,
    (r) => `scatterv ${parts.join(' ')} ${parts[r]} ${root} ${t} ${t}`,
    // The replay of impi's GB sends the longest part on, instead of all: lines have no displacements. A stated difference.
    (r) => (library === 'impi' ? 'barrier' : `allgatherv ${parts[r]} ${parts.join(' ')} ${t} ${t}`),
    (r) => `alltoallv 9 ${between[r]!.join(' ')} 9 ${between.map((row) => row[r]).join(' ')} ${t} ${t}`,
    () => `reducescatter ${parts.join(' ')} ${flops} ${t}`,
    // Under MVAPICH2 a gather before any call that sets up nodes is MPICH's: a stated gap.
    () => (library === 'mvapich2' ? 'barrier' : `gather ${n} ${n} ${root} ${t} ${t}`),
  ];
  const form = d.pick(forms);
  return Array.from({ length: ranks }, (_, rank) => `${rank} ${form(rank)}`);
}

function program(d: Draws, ranks: number, model: string, library: string): string {
  const lines: string[] = Array.from({ length: ranks }, (_, r) => `${r} init`);
  const say = (rank: number, action: string): void => void lines.push(`${rank} ${action}`);
  for (let left = d.int(1, 25); left > 0; left--) {
    const a = d.int(0, ranks - 1);
    const b = (a + d.int(1, ranks - 1)) % ranks;
    const size = d.chance(0.5) ? d.pick(SIZES) : Math.floor(d.real(1, 2e6));
    const [tag, t] = [d.int(0, 2), d.pick(TYPES)];
    // A receive of any source looks into the mailbox of its own size first under simgrid-eager: a stated difference.
    const any = model !== 'simgrid-eager' && d.chance(0.1);
    switch (
      d.pick(['message', 'message', 'message', 'compute', 'compute', 'exchange', 'sleep', 'waitall', 'all', 'all'])
    ) {
      case 'message': {
        const [sends, receives] = [d.pick(['send', 'isend', 'isend wait']), d.pick(['recv', 'irecv', 'irecv wait'])];
        say(a, `${sends.split(' ')[0]} ${b} ${tag} ${size} ${t}`);
        say(b, `${receives.split(' ')[0]} ${any ? -555 : a} ${tag} ${size} ${t}`);
        if (receives.includes(' ') && !any) say(b, `wait ${a} ${b} ${tag}`);
        if (sends.includes(' ')) say(a, `wait ${a} ${b} ${tag}`);
        break;
      }
      case 'compute':
        say(a, `compute ${Math.floor(d.real(1e3, 1e8))}`);
        break;
      case 'exchange':
        say(a, `sendRecv ${size} ${b} ${size + 7} ${b} 6 6`);
        say(b, `sendRecv ${size + 7} ${a} ${size} ${a} 6 6`);
        break;
      case 'sleep':
        say(a, `sleep ${d.real(1e-6, 1e-2).toFixed(12)}`);
        break;
      case 'waitall':
        say(a, 'waitall');
        break;
      default:
        lines.push(...collective(d, ranks, library));
    }
  }
  for (const word of ['waitall', 'finalize']) for (let r = 0; r < ranks; r++) say(r, word);
  return `${lines.join('\n')}\n`;
}

/** The case of a seed. */
export function caseOf(seed: number): Case {
  const d = new Draws(seed);
  const kind = d.pick(Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[]);
  const part = PLATFORMS[kind](d, 'c');
  const model = d.pick(['simgrid-plain', 'simgrid-eager', 'simgrid-rendezvous', 'simgrid-smpi']);
  const library = d.pick(['simgrid', 'simgrid', 'ompi', 'ompi', 'mpich', 'mvapich2', 'impi']);
  // The other two have algorithms of their own for hosts with several ranks, which are not modelled.
  const alone = library === 'mvapich2' || library === 'impi';
  const ranks = alone ? Math.min(part.hosts.length, d.int(2, 9)) : d.int(2, 9);
  const shares = d.chance(0.5);
  const hosts = Array.from({ length: ranks }, (_, r) =>
    shares && !alone ? d.pick(part.hosts) : part.hosts[r % part.hosts.length]!,
  );
  const xml = `<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">${part.xml}</platform>\n`;
  return { kind, xml, hosts, trace: program(d, ranks, model, library), model, collectives: library };
}

/** What a profile of a case changes. */
export type Changed = 'SPEED' | 'BANDWIDTH' | 'LATENCY';

/** As {@link caseOf}, on a platform whose hosts and links change over time, with the files of its profiles by name. */
export function profiledCase(
  seed: number,
): Case & { readonly changed: ReadonlySet<Changed>; readonly files: Readonly<Record<string, string>> } {
  const plain = caseOf(seed);
  const d = new Draws(seed + 2 ** 20);
  const changed = new Set<Changed>();
  const files: Record<string, string> = {};
  /** The lines of a profile, and its period if an attribute gives it. */
  const profile = (kind: Changed, value: () => number, periods: readonly string[]): [text: string, period: number] => {
    changed.add(kind);
    let time = d.chance(0.3) ? 0 : d.real(1e-5, 3e-2);
    const lines = Array.from({ length: d.int(1, 5) }, () => {
      const line = `${time} ${value()}`;
      time = Number((time + d.real(1e-5, 3e-2)).toPrecision(9));
      return line;
    });
    const pause = d.real(1e-4, 3e-2);
    const period = Number((Number(lines.at(-1)!.split(' ')[0]) + pause).toPrecision(9));
    const again = d.pick(periods);
    if (again === 'LOOPAFTER') lines.push(`LOOPAFTER ${pause}`);
    if (again === 'PERIODICITY') lines.unshift(`PERIODICITY ${period}`);
    return [`${lines.join('\n')}\n`, again === 'attribute' ? period : -1];
  };
  let traces = '';
  for (const host of new Set(plain.hosts)) {
    if (!d.chance(0.5)) continue;
    const [text, period] = profile('SPEED', () => d.real(0.2, 2), ['', '', 'PERIODICITY', 'LOOPAFTER', 'attribute']);
    traces += `<trace id="${host}" periodicity="${period}">\n${text}</trace>\n<trace_connect kind="SPEED" trace="${host}" element="${host}"/>\n`;
  }
  // SimGrid 3.32 aborts on a connection of a bandwidth or latency, but takes their files.
  const file = (kind: 'BANDWIDTH' | 'LATENCY', link: string, value: () => number): string => {
    const name = `${kind.toLowerCase()}-${link}.txt`;
    [files[name]] = profile(kind, value, ['', '', 'PERIODICITY', 'LOOPAFTER']);
    return ` ${kind.toLowerCase()}_file="${name}"`;
  };
  const links = plain.xml.replace(
    /<link id="(\w+)" bandwidth="([^B]+)Bps" latency="[^"]+"/g,
    (all: string, id: string, rate: string) => {
      const wide = d.chance(0.5) ? file('BANDWIDTH', id, () => Number(rate) * d.real(0.3, 2)) : '';
      return `${all}${wide}${d.chance(0.15) ? file('LATENCY', id, () => d.real(1e-7, 1e-4)) : ''}`;
    },
  );
  return { ...plain, xml: links.replace('</platform>', `${traces}</platform>`), changed, files };
}
