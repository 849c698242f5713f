import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { caseOf } from './cases.ts';

/** Ends of all ranks in SimGrid 3.32, by seed; recorded by `record.ts`. */
const recorded: readonly { readonly seed: number; readonly ends: readonly number[] }[] = readFileSync(
  new URL('ends-3.32.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const dir = mkdtempSync(join(tmpdir(), 'foretoken-random-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** The ranks that end at another time than in SimGrid, which prints picoseconds. */
function differences({ seed, ends }: (typeof recorded)[number]): string[] {
  const { xml, hosts, trace, model, collectives, kind } = caseOf(seed);
  const [path, machine, hostfile] = ['trace.ti', 'platform.xml', 'hosts'].map((name) => join(dir, name));
  writeFileSync(path!, trace);
  writeFileSync(machine!, xml);
  writeFileSync(hostfile!, `${hosts.join('\n')}\n`);
  const found = predict(path!, { machine: machine!, hostfile: hostfile!, networkModel: model, collectives });
  return ends.flatMap((end, rank) => {
    const { endTime } = found.ranks[rank]!;
    const near = endTime !== null && Math.abs(endTime - end) <= 1e-6 * end + 1e-12;
    return near ? [] : [`seed ${seed}, ${kind}, ${model}, ${collectives}: rank ${rank} ends at ${endTime}, not ${end}`];
  });
}

const KINDS = ['flat', 'torus', 'dragonfly', 'fatTree', 'sockets', 'graph', 'joined'];

test.each(KINDS)('random programs end when SimGrid says on a platform of kind %s', (kind) => {
  const cases = recorded.filter(({ seed }) => caseOf(seed).kind === kind);
  expect(cases.length).toBeGreaterThan(15);
  expect(cases.flatMap(differences)).toEqual([]);
});
