import { readFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { effort } from '../../effort.ts';
import { folder } from '../../trace/support.ts';

const files = folder({
  'cpus.goal': `num_ranks 2
rank 0 {
  a: calc 1000
  b: send 8192b to 1 tag 7
  d: calc 3000 cpu 1
  b requires a
}
rank 1 {
  c: recv 8192b from 0 tag 7
  e: calc 500
  e requires c
}
`,
});
afterAll(files.remove);

interface Row {
  readonly process: number;
  readonly start: number;
  readonly end: number;
  readonly state: string;
}

/** The states that the record of a schedule has. */
function rows(path: string): Row[] {
  const record = files.path('states.csv');
  predict(path, { run: record });
  const [, ...lines] = readFileSync(record, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [process, , start, end, state] = line.split(',');
    return { process: Number(process), start: Number(start), end: Number(end), state: state! };
  });
}

/** Checks that the states of each rank follow each other without gaps, and add up to the figures, to a thousandth of a nanosecond. */
function addUp(path: string): void {
  const { ranks, figures } = predict(path);
  const all = rows(path);
  for (const { rank, computing, communicating, waiting, idle } of ranks) {
    const own = all.filter(({ process }) => process === rank).sort((a, b) => a.start - b.start || a.end - b.end);
    let at = 0;
    for (const { start, end } of own) {
      expect(Math.abs(start - at), `rank ${rank}`).toBeLessThan(1e-15);
      at = end;
    }
    expect(Math.abs(at - figures.runTime.value), `rank ${rank}`).toBeLessThan(1e-15);
    for (const [state, seconds] of Object.entries({ computing, communicating, waiting, idle })) {
      const sum = own.filter((row) => row.state === state).reduce((s, { start, end }) => s + end - start, 0);
      expect(Math.abs(sum - seconds!), `rank ${rank}, ${state}`).toBeLessThan(1e-12);
    }
  }
}

describe('records of schedules', () => {
  test('a rank computes while one of its CPUs does, and communicates while none computes', () => {
    const { ranks } = predict(files.path('cpus.goal'));
    const figures = ranks.map(({ computing, communicating, waiting, idle }) =>
      [computing, communicating!, waiting!, idle].map((s) => Math.round(s * 1e9)),
    );
    // Rank 0: 3,000 ns on CPU 1 cover the other computation and the overhead o = 1,500 ns of its send.
    // Rank 1: the message lands at 1,000 + o + L = 5,000 ns and takes o + 8,191 G = 50,646 ns.
    expect(figures).toEqual([
      [3000, 0, 0, 53146],
      [500, 50646, 5000, 0],
    ]);
    addUp(files.path('cpus.goal'));
  });

  test('a deadlock: the rank waits until the end', () => {
    writeFileSync(
      files.path('stuck.goal'),
      'num_ranks 2\nrank 0 {\n a: calc 100\n}\nrank 1 {\n b: recv 8b from 0\n}\n',
    );
    const { ranks, deadlock } = predict(files.path('stuck.goal'));
    expect(deadlock.map(({ rank }) => rank)).toEqual([1]);
    expect(ranks[1]).toMatchObject({ computing: 0, communicating: 0, waiting: expect.closeTo(1e-7, 15) });
    addUp(files.path('stuck.goal'));
  });

  test('profile reads the record, and other nets have none', () => {
    const record = files.path('cpus.ftrun');
    predict(files.path('cpus.goal'), { run: record });
    expect(profile(record).calls.map(({ call, ...sums }) => [call, sums.count])).toEqual([
      ['MPI_Recv', 1],
      ['MPI_Send', 1],
    ]);
    const n = new NetBuilder('n');
    n.place('p', {}, { initial: 1 });
    expect(() => predict(n.build(), { run: files.path('n.ftrun') })).toThrow(
      /APP004 option run .*does not apply to a net: it belongs to traces, models, thread models and schedules/,
    );
  });
});

const operation = fc.record({
  kind: fc.nat({ max: 2 }),
  time: fc.nat({ max: 5000 }),
  peer: fc.nat({ max: 9 }),
  cpu: fc.nat({ max: 2 }),
});

test('the states of random schedules add up to the figures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 4 }),
      fc.nat({ max: 2 }),
      fc.array(operation, { minLength: 1, maxLength: 14 }),
      (ranks, cpus, all) => {
        const blocks: string[][] = Array.from({ length: ranks }, () => []);
        all.forEach(({ kind, time, peer, cpu }, k) => {
          const [from, to] = [peer % ranks, (peer + 1 + (time % (ranks - 1))) % ranks];
          const on = ` cpu ${cpu % (cpus + 1)}`;
          if (kind === 0) blocks[from]!.push(`c${k}: calc ${time}${on}`);
          else {
            blocks[from]!.push(`s${k}: send ${time * 20 + 1}b to ${to} tag ${k}${on}`);
            // Some messages are never received.
            if (kind === 1 || peer > 0) blocks[to]!.push(`r${k}: recv ${time * 20 + 1}b from ${from} tag ${k}${on}`);
          }
        });
        for (const block of blocks)
          for (let i = block.length - 1; i > 0; i -= 2)
            block.push(`${block[i]!.split(':')[0]} requires ${block[i - 1]!.split(':')[0]}`);
        const text = blocks.map((block, r) => `rank ${r} {\n${block.join('\n')}\n}\n`).join('');
        writeFileSync(files.path('random.goal'), `num_ranks ${ranks}\n${text}`);
        addUp(files.path('random.goal'));
      },
    ),
    { numRuns: effort(500) },
  );
});
