import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where outside reference data lies: `FORETOKEN_REFERENCES`, by default `../shared` beside the project. */
const root = resolve(process.env['FORETOKEN_REFERENCES'] ?? '../shared');

/** SimGrid's times of a trace on a platform (see traces/ti/README.md of the reference data). */
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

/** Whether the TI traces are there; tests that need them are skipped by name where they are not. */
export const hasTraces: boolean = existsSync(join(root, 'traces/ti/expected.json'));
export const skipped = 'skipped: no reference data (set FORETOKEN_REFERENCES)';

/** A file of the reference data for TI traces. */
export const tiFile = (name: string): string => join(root, 'traces/ti', name);

/** Every entry of the reference data whose network model is built. */
export function references(): Reference[] {
  if (!hasTraces) return [];
  const all = JSON.parse(readFileSync(tiFile('expected.json'), 'utf8')) as Expected[];
  return all.flatMap((e) => {
    const networkModel = MODELS[e.model];
    if (networkModel === undefined) return [];
    const name = `${e.trace} on ${e.platform.split('/').at(-1)}, ${networkModel}`;
    return [{ ...e, networkModel, name }];
  });
}

/** What is known of a net of the Model Checking Contest (see mcc/README.md of the reference data). */
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

/** The nets of the Model Checking Contest; none where the reference data is absent. */
export function contestNets(): ContestNet[] {
  const list = contestFile('expected.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as ContestNet[]) : [];
}
