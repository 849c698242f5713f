import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { simulate } from '../../../../src/analysis/simulate.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { traceNet } from '../../../../src/commands/subjects/read-trace.ts';
import { stepAt } from '../../../../src/models/transfer-parts.ts';
import { nextChange, profileValue } from '../../../../src/net/link-profile.ts';
import { everyNth } from '../../../effort.ts';
import { profiledCase } from './cases.ts';

/** Ends of all ranks in SimGrid 3.32, by seed; recorded by `record.ts`. */
const recorded: readonly { readonly seed: number; readonly ends: readonly number[] }[] = readFileSync(
  new URL('profile-ends-3.32.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const dir = mkdtempSync(join(tmpdir(), 'foretoken-profiled-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** The files of a case, and the options of its prediction. */
function written(seed: number) {
  const { xml, hosts, trace, model: networkModel, collectives, files } = profiledCase(seed);
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const machine = write('platform.xml', xml);
  return {
    path: write('trace.ti', trace),
    options: { machine, hostfile: write('hosts', `${hosts.join('\n')}\n`), networkModel, collectives },
  };
}

/**
 * Whether a link changes the weight of a message while that waits for its latency. SimGrid 3.32 then lets its bytes move at once, or
 * with `network/optim:Lazy` never; here the message waits as long as it was told to when it set out.
 */
function changesDuringLatency(seed: number): boolean {
  const { path, options } = written(seed);
  const built = traceNet(path, options);
  const { machine, net, operations } = built;
  const { links, routes, latency, protocol, follow } = machine;
  const matters = links.map(({ profiles = [] }) =>
    profiles.filter(({ of }) => of === 'latency' || (of === 'capacity' && follow!.weightByCapacity > 0)),
  );
  const found = simulate(net, { record: 'all' }).events.some(({ transition, what, time, binding }) => {
    if (what === 'end' || !['launch', 'depart', 'match', 'matchLoose'].includes(transition)) return false;
    const { o, b } = binding as Readonly<Record<string, number>>;
    const pair = operations.pair[o!]!;
    const crossed = Array.from(routes.link.subarray(routes.start[pair], routes.start[pair + 1]));
    const later = crossed.flatMap((l) => links[l]!.profiles ?? []).filter(({ of }) => of === 'latency');
    const seconds = latency[pair]! + later.reduce((sum, profile) => sum + profileValue(profile, time), 0);
    const end = time + seconds * stepAt(protocol.latencyFactor, b! + protocol.envelope);
    return crossed.some((l) => matters[l]!.some((profile) => nextChange(profile, time) <= end * (1 + 1e-9)));
  });
  built.trace.close();
  return found;
}

/** The ranks that end at another time than in SimGrid, which prints picoseconds. */
function differences({ seed, ends }: (typeof recorded)[number]): string[] {
  const { path, options } = written(seed);
  const found = predict(path, options);
  const { kind, changed } = profiledCase(seed);
  return ends.flatMap((end, rank) => {
    const { endTime } = found.ranks[rank]!;
    const near = endTime !== null && Math.abs(endTime - end) <= 1e-6 * end + 1e-12;
    const about = `seed ${seed}, ${kind}, ${options.networkModel}, ${[...changed].join(' ')}`;
    return near ? [] : [`${about}: rank ${rank} ends at ${endTime}, not ${end}`];
  });
}

test('random programs end when SimGrid says on platforms that change over time', { timeout: 600_000 }, () => {
  const plain = recorded.filter(({ seed }) => !changesDuringLatency(seed));
  expect(recorded.length - plain.length).toBeLessThan(recorded.length / 4);
  for (const what of ['SPEED', 'BANDWIDTH', 'LATENCY'] as const)
    expect(plain.filter(({ seed }) => profiledCase(seed).changed.has(what)).length, what).toBeGreaterThan(10);
  expect(everyNth(3, plain).flatMap(differences)).toEqual([]);
});
