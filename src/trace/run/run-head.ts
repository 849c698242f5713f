import { quote, shown } from '../../base/problem.ts';
import type { IntervalPlace, RunEnd, RunHead } from './run-schema.ts';

/** Most processes of a record. */
export const MAX_PROCESSES = 10_000_000;

/** Sockets of a node are fewer than this. */
export const MAX_SOCKETS: number = 2 ** 20;

/** Most cores of a node. */
const MAX_CORES = 1_000_000_000;

/** The head of a record from parsed JSON, or an error message. */
export function headOf(value: unknown): RunHead | string {
  if (!isObject(value) || value['format'] !== 'foretoken-run') return 'expected a run record of foretoken';
  if (value['version'] === undefined) return 'the member "version" is missing: expected 1';
  if (value['version'] !== 1) return `version of the run record: expected 1, got ${shown(value['version'])}`;
  const { program, origin, product, seed, processes, nodes, nodeOf, socketOf, sites } = value;
  if (typeof program !== 'string') return `program: expected a string, got ${shown(program)}`;
  if (origin !== 'simulated' && origin !== 'recorded')
    return `origin: expected "simulated" or "recorded", got ${shown(origin)}`;
  if (typeof product !== 'string') return `product: expected a string, got ${shown(product)}`;
  if (seed !== undefined && typeof seed !== 'string') return `seed: expected a string, got ${shown(seed)}`;
  if (!isIndex(processes, MAX_PROCESSES + 1))
    return `processes: expected an integer from 0 to ${MAX_PROCESSES}, got ${shown(processes)}`;
  if (!Array.isArray(nodes)) return `nodes: expected a list, got ${shown(nodes)}`;
  for (const [k, node] of nodes.entries()) {
    if (
      !isObject(node) ||
      typeof node['name'] !== 'string' ||
      !isIndex(node['sockets'], MAX_SOCKETS) ||
      node['sockets'] === 0
    )
      return `nodes[${k}]: expected { "name": string, "sockets": integer from 1 }`;
    const { cores } = node;
    if (cores !== undefined && (!isIndex(cores, MAX_CORES + 1) || cores === 0))
      return `nodes[${k}].cores: expected an integer from 1 to ${MAX_CORES}, got ${shown(cores)}`;
  }
  const names = new Set(nodes.map((node) => node.name as string));
  if (names.size < nodes.length) return 'nodes: expected distinct names';
  if (!isListOf(nodeOf, processes, (v) => isIndex(v, nodes.length)))
    return `nodeOf: expected the node of each of the ${processes} processes, an index into nodes`;
  const sockets = nodes as RunHead['nodes'];
  if (!isListOf(socketOf, processes, (v, k) => isIndex(v, sockets[nodeOf[k]!]!.sockets)))
    return `socketOf: expected the socket of each of the ${processes} processes within its node`;
  if (sites !== undefined && !(Array.isArray(sites) && sites.every(isSite)))
    return 'sites: expected a list of { "interval": string, "file": string, "line": integer from 1 }';
  return {
    program,
    origin,
    product,
    ...(seed === undefined ? {} : { seed }),
    processes,
    nodes: sockets.map(({ name, sockets: count, cores }) => ({
      ...{ name, sockets: count },
      ...(cores === undefined ? {} : { cores }),
    })),
    nodeOf,
    socketOf,
    ...(sites === undefined
      ? {}
      : { sites: (sites as IntervalPlace[]).map(({ interval, file, line }) => ({ interval, file, line })) }),
  };
}

/** The end of a record from parsed JSON, or an error message. */
export function endOf(value: unknown): RunEnd | string {
  if (!isObject(value)) return `expected the end of a record, got ${shown(value)}`;
  const { complete, time, notes } = value;
  if (typeof complete !== 'boolean') return `complete: expected true or false, got ${shown(complete)}`;
  if (typeof time !== 'number' || !(time >= 0)) return `time: expected seconds from 0, got ${shown(time)}`;
  if (!Array.isArray(notes) || !notes.every((note) => typeof note === 'string'))
    return `notes: expected a list of strings, got ${shown(notes)}`;
  return { complete, time, notes };
}

/** Names of a block from parsed JSON, or a message. */
export function namesOf(value: unknown): readonly string[] | string {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? value
    : `names: expected a list of strings, got ${quote(String(value))}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSite = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['interval'] === 'string' &&
  typeof value['file'] === 'string' &&
  isIndex(value['line'], Number.MAX_SAFE_INTEGER) &&
  value['line'] > 0;

const isIndex = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit;

function isListOf(value: unknown, length: number, is: (v: unknown, k: number) => boolean): value is number[] {
  return Array.isArray(value) && value.length === length && value.every(is);
}
