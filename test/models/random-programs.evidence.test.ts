import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../../src/commands/predict/predict.ts';
import { effort } from '../effort.ts';
import { parseTi } from '../oracle/parse.ts';
import { expandPrograms } from '../oracle/program.ts';
import { type Machine, replay } from '../oracle/replay.ts';
import { arbitraryProgram, text } from './random-trace.ts';

/**
 * Random message-passing programs, run as nets and by the independent replayer, on a machine without contention (links too
 * wide to be saturated by hundreds of messages; a fatpipe limits the bandwidth).
 */
const dir = mkdtempSync(join(tmpdir(), 'foretoken-programs-'));
afterAll(() => rmSync(dir, { recursive: true }));
const platform = join(dir, 'flat.xml');
writeFileSync(
  platform,
  `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1250GBps" lat="0us" bb_bw="1.25GBps" bb_lat="20us" bb_sharing_policy="FATPIPE" sharing_policy="SPLITDUPLEX"/>
</platform>
`,
);
const MACHINE = { latency: 20e-6, bandwidth: 1.25e9, speed: 1e9 };
const PROTOCOLS: readonly [Machine['protocol'], string][] = [
  ['plain', 'simgrid-plain'],
  ['eager', 'simgrid-eager'],
  ['rendezvous', 'simgrid-rendezvous'],
];

test.each(PROTOCOLS)('the net of a random program ends like the plain replayer (%s)', (protocol, networkModel) => {
  const file = join(dir, `${protocol}.ti`);
  fc.assert(
    fc.property(arbitraryProgram, (program) => {
      const trace = text(program);
      writeFileSync(file, trace);
      const document = predict(file, { machine: platform, ranks: program.ranks, networkModel });
      const expected = replay(expandPrograms(parseTi(trace, program.ranks)), { ...MACHINE, protocol });
      expect(document.deadlock).toEqual([]);
      document.ranks.forEach((r, k) => {
        expect(Math.abs(r.endTime! - expected.rankEnd[k]!)).toBeLessThanOrEqual(1e-9 * expected.rankEnd[k]! + 1e-15);
        const parts = r.computing + r.communicating! + r.waiting! + r.idle;
        expect(Math.abs(parts - document.figures.runTime.value)).toBeLessThanOrEqual(1e-9 * parts);
      });
    }),
    { numRuns: effort(60) },
  );
});
