import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of external reference data: `FORETOKEN_REFERENCES`, by default `../shared`. */
const root = resolve(process.env['FORETOKEN_REFERENCES'] ?? '../shared');

/** SimGrid's run times of a trace on a platform (see traces/ti/README.md of the reference data). */
export interface Expected {
  readonly trace: string;
  readonly platform: string;
  readonly hostfile: string;
  readonly ranks: number;
  readonly actions: number;
  readonly model: string;
  readonly expectedTime: number;
  readonly rankEnd: readonly number[];
}

const MODELS: Readonly<Record<string, string>> = {
  plain: 'simgrid-plain',
  plainEager: 'simgrid-eager',
  plainRendezvous: 'simgrid-rendezvous',
  default: 'simgrid-smpi',
};

export interface Reference extends Expected {
  readonly networkModel: string;
  readonly name: string;
}

/** True if the TI traces exist; otherwise tests that need them are skipped. */
export const hasTraces: boolean = existsSync(join(root, 'traces/ti/expected.json'));
export const skipped = 'skipped: no reference data (set FORETOKEN_REFERENCES)';

/** A file of the reference data for TI traces. */
export const tiFile = (name: string): string => join(root, 'traces/ti', name);

/**
 * Entries of the reference data with supported network models.
 *
 * @param list `expected-topologies.json`: platforms of routing TORUS, DRAGONFLY, Floyd and Dijkstra
 */
export function references(list: 'expected.json' | 'expected-topologies.json' = 'expected.json'): Reference[] {
  if (!existsSync(tiFile(list))) return [];
  const all = JSON.parse(readFileSync(tiFile(list), 'utf8')) as Expected[];
  return all.flatMap((e) => {
    const networkModel = MODELS[e.model];
    if (networkModel === undefined) return [];
    const name = `${e.trace} on ${e.platform.split('/').at(-1)}, ${networkModel}`;
    return [{ ...e, networkModel, name }];
  });
}

/** Known facts about a net of the Model Checking Contest (see mcc/README.md of the reference data). */
export interface ContestNet {
  readonly file: string;
  readonly kind: 'pt' | 'coloured';
  readonly places: number;
  readonly transitions: number;
  readonly arcs: number;
  readonly states: number;
  readonly edges: number;
  readonly maxTokensPerMarking: number;
  readonly maxTokensInPlace: number;
  readonly deadlock: boolean;
}

/** A file of the reference data for nets of the Model Checking Contest. */
export const contestFile = (name: string): string => join(root, 'mcc', name);

/** The nets of the Model Checking Contest; empty without reference data. */
export function contestNets(): ContestNet[] {
  const list = contestFile('expected.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as ContestNet[]) : [];
}

/** A file of the reference data for stochastic nets (see gspn/README.md of the reference data). */
export const gspnFile = (name: string): string => join(root, 'gspn', name);
