import fc from 'fast-check';

/** Schedules of up to four ranks with CPUs, interfaces, wildcards, tags, dependencies of both kinds, and unmatched messages. */
export const schedules: fc.Arbitrary<string> = fc
  .record({
    ranks: fc.integer({ min: 1, max: 4 }),
    seeds: fc.array(
      fc.record({
        kind: fc.constantFrom('calc', 'message', 'message', 'send', 'recv'),
        a: fc.nat(3),
        b: fc.nat(3),
        size: fc.constantFrom(0, 1, 1, 2, 8, 100, 1000, 5000),
        tag: fc.nat(1),
        any: fc.nat(9),
        cpu: fc.nat(1),
        nic: fc.nat(1),
        onSend: fc.array(fc.record({ back: fc.integer({ min: 1, max: 4 }), started: fc.boolean() }), { maxLength: 2 }),
        onReceive: fc.array(fc.record({ back: fc.integer({ min: 1, max: 4 }), started: fc.boolean() }), {
          maxLength: 2,
        }),
      }),
      { maxLength: 14 },
    ),
    parts: fc.constantFrom(1, 2),
    single: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ ranks, seeds, parts, single }) => {
    const lines: string[][] = Array.from({ length: ranks }, () => []);
    const labels: number[] = lines.map(() => 0);
    const add = (rank: number, words: string, after: readonly { back: number; started: boolean }[]): void => {
      const k = labels[rank]!++;
      lines[rank]!.push(`l${k}: ${words}`);
      const seen = new Set<number>();
      for (const { back, started } of after) {
        const before = k - back;
        if (before < 0 || seen.has(before)) continue;
        seen.add(before);
        lines[rank]!.push(`l${k} ${started ? 'irequires' : 'requires'} l${before}`);
      }
    };
    for (const s of seeds) {
      const [a, b] = [s.a % ranks, s.b % ranks];
      const own = ` cpu ${s.cpu % parts}`;
      const nic = ` nic ${s.nic % parts}`;
      if (s.kind === 'calc') add(a, `calc ${s.size}${own}`, s.onSend);
      if (s.kind === 'message' || (s.kind === 'send' && single === 1))
        add(a, `send ${s.size}b to ${b} tag ${s.tag}${own}${nic}`, s.onSend);
      if (s.kind === 'message' || (s.kind === 'recv' && single === 1))
        add(b, `recv ${s.size}b from ${s.any === 0 ? -1 : a} tag ${s.any === 1 ? -1 : s.tag}${own}${nic}`, s.onReceive);
    }
    return `num_ranks ${ranks}\n${lines.map((of, rank) => `rank ${rank} {\n${of.join('\n')}\n}`).join('\n')}\n`;
  });
