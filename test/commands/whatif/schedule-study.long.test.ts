import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { netPredictor } from '../../../src/commands/whatif/predictors/net-predictor.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { NetBuilder } from '../../../src/index.ts';
import { readGoal } from '../../../src/trace/goal/read-goal.ts';
import { LOGGOPS, type LogGops } from '../../../src/trace/goal/schedule.ts';
import { effort } from '../../effort.ts';
import { replay } from '../../trace/goal/replay.ts';
import { folder } from '../../trace/support.ts';

const files = folder({});
afterAll(files.remove);

/** Both ranks send to each other, twice. */
const TEXT = `num_ranks 2
rank 0 {
  a: calc 700
  b: send 3000b to 1 tag 1
  c: recv 80000b from 1 tag 2
  b requires a
  c requires b
}
rank 1 {
  x: recv 3000b from 0 tag 1
  y: send 80000b to 0 tag 2
  z: calc 900
  y requires x
  z requires y
}
`;
const path = files.path('two.goal');
writeFileSync(path, TEXT);
const schedule = readGoal(TEXT, path);

const nanoseconds = (seconds: number): number => Math.round(seconds * 1e9);
const textOf = ({ code, place, message }: Problem): string => `${code} ${place?.part}: ${message}`;
/** The problems of a study, or of its scenarios. */
const fault = async (input: unknown, options: object): Promise<string> => {
  try {
    const { scenarios } = await whatif(input as never, { workers: 1, ...options } as never);
    return scenarios.flatMap(({ problems = [] }) => problems.map(textOf)).join('\n');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(textOf).join('\n');
  }
};

describe('parameters of LogGOPS as axes', () => {
  test('scenarios have the times of a plain event list, and of predict', async () => {
    const numbers = fc.constantFrom(0, 1, 7, 1000, 2500, 90_000);
    const axes = fc.record(
      { L: numbers, o: numbers, g: numbers, G: fc.constantFrom(0, 1, 6), O: fc.constantFrom(0, 2), S: numbers },
      { requiredKeys: ['L'] },
    );
    await fc.assert(
      fc.asyncProperty(axes, fc.constantFrom('o=300', 'G=2,O=1'), async (varied, fixed) => {
        const base = Object.fromEntries(fixed.split(',').map((one) => one.split('='))) as Record<string, string>;
        const own = Object.fromEntries(Object.entries(varied).filter(([name]) => base[name] === undefined));
        const values = Object.fromEntries(Object.entries(own).map(([name, value]) => [`loggops.${name}`, value]));
        const { runTime } = await netPredictor(readNetFile(path, fixed), path, { loggops: fixed })({
          index: 0,
          values,
        });
        const numbers = Object.fromEntries(Object.entries(base).map(([name, value]) => [name, Number(value)]));
        const parameters: LogGops = { ...LOGGOPS, ...numbers, ...own };
        const time = nanoseconds(runTime!);
        expect(time).toBe(Math.max(...replay(schedule, parameters).ends));
        const loggops = [...Object.entries(parameters)].map(([name, value]) => `${name}=${value}`).join(',');
        expect(time).toBe(nanoseconds(predict(path, { loggops }).figures.runTime.value!));
      }),
      { numRuns: effort(50) },
    );
  });

  test('may change relative to the parameters of the file, next to axes of the net, in any thread', async () => {
    const commented = files.path('commented.goal');
    writeFileSync(commented, `// LogGOPS L=1000\n${TEXT}`);
    const vary = { 'loggops.L': ['x2', '+50%'], 'delay.calculate': ['x1', 'x3'] };
    const [here, threads] = await Promise.all(
      [1, 2].map(async (workers) => {
        const { scenarios } = await whatif(commented, { vary, workers });
        return scenarios.map(({ figures }) => nanoseconds(figures!['runTime']!.value!));
      }),
    );
    expect(threads).toEqual(here);
    const time = (loggops: string): number => nanoseconds(predict(commented, { loggops }).figures.runTime.value!);
    expect([here![0], here![2]]).toEqual([time('L=2000'), time('L=1500')]);
    // The calc of 700 ns comes first; that of 900 ns ends before the large message has come.
    expect(here![1]! - here![0]!).toBe(2 * 700);
  });

  test.each([
    [{ vary: { 'loggops.L': [-1] } }, 'WHAT009 axis loggops.L: expected a number from 0'],
    [{ vary: { 'loggops.S': ['lots'] } }, 'MACH031 axis loggops.S: expected a number from 0'],
    [{ vary: { 'loggops.L': [true] } }, 'WHAT009 axis loggops.L: expected a number from 0'],
    [{ vary: { 'loggops.l': [1] } }, 'WHAT007 axis loggops.l: net "two" has no axis "loggops.l"'],
    [{ vary: { 'loggops.L': [1, 2] }, loggops: 'o=1,L=5' }, 'WHAT005 axis loggops.L: option loggops fixes it to 5'],
    // Delays are constant.
    [{ vary: { 'loggops.L': [1] }, figures: ['places.ready.mean'] }, 'CTMC001'],
    [{ vary: { 'loggops.G': [1] }, loggops: 'L=1,L=2' }, 'GOAL006 loggops: parameter L of LogGOPS is given twice'],
    [{ vary: { 'loggops.L': [1] }, loggops: 'Q=1' }, 'GOAL006 loggops: unknown parameter of LogGOPS "Q"'],
  ])('are refused in %j', async (options, message) => {
    const found = await fault(path, options);
    expect(found).toContain(message);
  });

  test('are those of the network of a machine, too, in SI units', async () => {
    const machine = files.path('loggops.yaml');
    const network = '{ kind: loggops, L: 800ns, o: 300ns, g: 100ns, G: 2ns, O: 0ns, S: 65535B }';
    writeFileSync(machine, `nodes: 2\ncoresPerNode: 1\nspeed: 1Gf\nnetwork: ${network}\n`);
    const options = {
      machine,
      workers: 1,
      loggops: 'o=40',
      vary: { 'machine.network.L': [1e-6, '2us', 'x3'], 'machine.network.S': ['2kB', 65_535], 'loggops.G': [1, 'x4'] },
    };
    const { scenarios } = await whatif(path, options as never);
    const expected = [1000, 2000, 2400].flatMap((L) =>
      [2000, 65_535].flatMap((S) =>
        [1, 8].map((G) => predict(path, { loggops: `L=${L},S=${S},G=${G},o=40,g=100,O=0` }).figures.runTime.value),
      ),
    );
    expect(scenarios.map(({ figures }) => figures!['runTime']!.value)).toEqual(expected);
    expect(new Set(expected).size).toBe(6);
    expect(await fault(path, { vary: { 'machine.network.L': [1e-6] } })).toContain(
      'WHAT007 axis machine.network.L: net "two" has no axis "machine.network.L": give the machine, --machine FILE',
    );
    expect(await fault(path, { machine, vary: { 'machine.network.L': [1e-6], 'loggops.L': [1] } })).toContain(
      'WHAT005 axis loggops.L: axis machine.network.L sets the same parameter',
    );
    expect(await fault(path, { machine, loggops: 'L=5', vary: { 'machine.network.L': [1e-6] } })).toContain(
      'WHAT005 axis machine.network.L: option loggops fixes it to 5',
    );
    expect(await fault(path, { machine, vary: { 'machine.network.L': ['soon', -1] } })).toMatch(
      /UNIT001 axis machine\.network\.L.*\n.*axis machine\.network\.L/,
    );
    expect(await fault(path, { machine, vary: { 'machine.speed': ['x2'] } })).toContain('WHAT007 axis machine.speed');
  });

  test('belong to schedules only', async () => {
    const n = new NetBuilder('other');
    n.place('p', {}, { initial: 1 });
    const net = n.build();
    expect(await fault(net, { vary: { 'loggops.L': [1] } })).toContain('WHAT007');
    expect(await fault(net, { vary: { 'tokens.p': [1] }, loggops: 'L=1' })).toContain('GOAL006');
  });
});
