import { describe, expect, test } from 'vitest';
import type { MachineOptions } from '../../../src/commands/inputs/target.ts';
import { traceNet } from '../../../src/commands/subjects/read-trace.ts';
import { netFromJson, netToJson } from '../../../src/net/json/json.ts';
import type { Net } from '../../../src/net/net.ts';
import { ALL_EVIDENCE, countCases } from '../../effort.ts';
import { compare, runCompiled } from '../../engine/agree.ts';
import { hasTraces, type Reference, references, skipped, tiFile } from '../../references.ts';

const options = (e: Reference): MachineOptions => ({
  machine: tiFile(e.platform),
  hostfile: tiFile(e.hostfile),
  ranks: e.ranks,
  networkModel: e.networkModel,
});

function netOf(e: Reference): Net {
  const { trace, net } = traceNet(tiFile(e.trace), options(e), true);
  trace.close();
  return net;
}

/** All, or every fourth. */
function few<T>(all: readonly T[]): readonly T[] {
  const chosen = ALL_EVIDENCE ? all : all.filter((_, k) => k % 4 === 0);
  countCases(chosen.length);
  return chosen;
}

/** Results that must be equal: end times of ranks, bit for bit, and firings per transition. */
function outcome(net: Net): unknown {
  const run = runCompiled(net, { trace: false });
  const ends = run.marking['ended']!.map(([r], k) => [r, run.arrivals['ended']![k]]);
  return { ends: ends.sort((a, b) => a[0]! - b[0]!), firings: run.firings };
}

describe.skipIf(!hasTraces)(`the net of a trace${hasTraces ? '' : ` (${skipped})`}`, () => {
  const small = references().filter((e) => e.actions < 5000);
  const models = ['simgrid-plain', 'simgrid-eager', 'simgrid-rendezvous', 'simgrid-smpi'];

  test.each(models)('read back from JSON it gives the same rank ends and firings (%s)', (model) => {
    // Each trace once per network model, on its reference platform with the most contention.
    const rank = [
      'fattree64',
      'smp16x4',
      'flat-backbone',
      'small_platform',
      'flat-halfduplex',
      'flat-nic',
      'flat-nocontention',
    ];
    const hardest = new Map<string, Reference>();
    const order = (e: Reference): number => rank.findIndex((p) => e.platform.includes(p));
    for (const e of small.filter((x) => x.networkModel === model)) {
      const best = hardest.get(e.trace);
      if (best === undefined || order(e) < order(best)) hardest.set(e.trace, e);
    }
    expect(hardest.size).toBeGreaterThan(25);
    for (const e of few([...hardest.values()])) {
      const net = netOf(e);
      expect([e.name, outcome(netFromJson(netToJson(net)))]).toEqual([e.name, outcome(net)]);
    }
  });

  test.each(models)('the reference simulator agrees, step by step (%s)', { timeout: 600_000 }, (model) => {
    // All-to-all on 16 ranks takes the reference 20 s per run, so it is run only once.
    const tiny = small.filter(
      (e) =>
        e.actions < 500 &&
        e.networkModel === model &&
        (!e.trace.includes('transpose-16') || (model === 'simgrid-smpi' && e.platform.includes('flat-nic'))),
    );
    const platforms = [...new Set(tiny.map((e) => e.platform))];
    // One platform per trace and network model, in rotation, so that all platforms are covered.
    const chosen = [...new Set(tiny.map((e) => e.trace))].map((t, k) => {
      const own = tiny.filter((e) => e.trace === t);
      return own[(k + models.indexOf(model)) % own.length]!;
    });
    expect(new Set(chosen.map((e) => e.platform)).size).toBeGreaterThan(Math.min(3, platforms.length - 1));
    for (const e of few(chosen)) compare(netOf(e));
  });
});
