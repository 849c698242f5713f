import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { simulate } from '../../src/analysis/simulate.ts';
import { orCodes, randomNets, resultText, watchAll } from './watch-all.ts';

/*
 * Runs random nets in a separate process and prints the results as JSON: whole runs, and runs resumed from saved bytes.
 */

/** Content of the request file. */
export interface Request {
  readonly nets: number;
  readonly seed: string;
  readonly maxSteps: number;
  /** For each net, a saved run in base64, or null. */
  readonly saved: readonly (string | null)[];
}

/** Printed results. */
export interface Answer {
  readonly whole: readonly string[];
  readonly resumed: readonly (string | null)[];
  /** SHA-256 of the bytes when the resumed run is saved again. */
  readonly again: readonly (string | null)[];
}

/** SHA-256 of bytes. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

if (process.argv[1]?.endsWith('fresh-process.ts') === true) {
  const { nets, seed, maxSteps, saved } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Request;
  const all = randomNets(nets);
  const resumed = all.map((net, k) => {
    const bytes = saved[k] ?? null;
    if (bytes === null) return null;
    return orCodes(() => simulate(net, { ...watchAll(net), from: Buffer.from(bytes, 'base64'), maxSteps }));
  });
  const answer: Answer = {
    whole: all.map((net) =>
      resultText(
        net,
        orCodes(() => simulate(net, { ...watchAll(net), seed, maxSteps })),
      ),
    ),
    resumed: resumed.map((run, k) => (run === null ? null : resultText(all[k]!, run))),
    again: resumed.map((run) => (run === null || typeof run === 'string' ? null : hashOf(run.save()))),
  };
  console.log(JSON.stringify(answer));
}
