import * as fc from 'fast-check';

const SIZES = [0, 1, 100, 5000, 65535, 65536, 1e6];

/** Events in one global order, which no blocking operation contradicts: such a program cannot deadlock. */
export const arbitraryProgram = fc.record({
  ranks: fc.integer({ min: 2, max: 5 }),
  events: fc.array(
    fc.record({
      kind: fc.constantFrom('message', 'message', 'message', 'compute', 'collective', 'waitall', 'sleep', 'exchange'),
      a: fc.nat({ max: 99 }),
      b: fc.nat({ max: 99 }),
      tag: fc.nat({ max: 2 }),
      size: fc.constantFrom(...SIZES),
      sender: fc.constantFrom(
        ...['send', 'send', 'isend', 'isend and wait', 'isend and wait'],
        ...['Ssend', 'ISsend', 'ISsend and wait', 'bsend', 'ibsend', 'ibsend and wait'],
      ),
      receiver: fc.constantFrom('recv', 'irecv', 'irecv and wait', 'irecv, test and wait'),
      // Amounts that are no round numbers, so that independent events do not fall on one instant by chance.
      work: fc.integer({ min: 1, max: 1e6 }),
    }),
    { minLength: 1, maxLength: 25 },
  ),
});

/** The time-independent trace of a program. */
export function text({ ranks, events }: typeof arbitraryProgram extends fc.Arbitrary<infer T> ? T : never): string {
  const lines: string[] = [];
  const say = (rank: number, action: string): void => void lines.push(`${rank} ${action}`);
  for (let r = 0; r < ranks; r++) say(r, 'init');
  events.forEach((e, k) => {
    const a = e.a % ranks;
    const b = (a + 1 + (e.b % (ranks - 1))) % ranks;
    if (e.kind === 'message') {
      const [sends, waits] = e.sender.split(' and ');
      say(a, `${sends} ${b} ${e.tag} ${e.size}`);
      const [receives, rest] = [e.receiver.split(/,| and/)[0], e.receiver];
      say(b, `${receives} ${a} ${e.tag} ${e.size}`);
      // A test at the very instant of an arrival depends on who comes first: some work of an odd length before it.
      if (rest.includes('test')) say(b, `compute ${e.work * 1009 + 17 * k + 3}`);
      if (rest.includes('test')) say(b, `test ${a} ${b} ${e.tag}`);
      if (rest.includes('wait')) say(b, `wait ${a} ${b} ${e.tag}`);
      if (waits !== undefined) say(a, `wait ${a} ${b} ${e.tag}`);
    } else if (e.kind === 'exchange') {
      say(a, `sendRecv ${e.size} ${b} ${e.size} ${b}`);
      say(b, `sendRecv ${e.size} ${a} ${e.size} ${a}`);
    } else if (e.kind === 'compute') say(a, `compute ${e.work * 997 + k}`);
    else if (e.kind === 'sleep') say(a, `sleep ${e.work * 1.37e-9}`);
    else if (e.kind === 'waitall') say(a, 'waitall');
    else {
      const kinds = [
        `bcast ${e.size} ${a}`,
        `allreduce ${e.size} ${e.work}`,
        'barrier',
        `alltoall ${e.size} ${e.size}`,
      ];
      for (let r = 0; r < ranks; r++) say(r, kinds[e.b % kinds.length]!);
    }
  });
  for (let r = 0; r < ranks; r++) say(r, 'waitall');
  for (let r = 0; r < ranks; r++) say(r, 'finalize');
  return `${lines.join('\n')}\n`;
}
