import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { explore, exploreFile } from '../../../src/commands/explore/explore.ts';
import { spaceDifferences, spaceRerunOf } from '../../../src/commands/explore/explore-rerun.ts';
import type { SpaceDocument } from '../../../src/commands/explore/space.ts';
import { spaceJson } from '../../../src/commands/explore/space-view.ts';
import { anyResult } from '../../../src/commands/rerun/result-file.ts';
import { spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import { add, mod } from '../../../src/net/terms.ts';
import { buffer, mutex } from '../../analysis/space/small-nets.ts';
import { philosophers } from '../../net/contest-nets.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-explore-'));
afterAll(() => rmSync(dir, { recursive: true }));

const values = (d: SpaceDocument): Record<string, number | null> =>
  Object.fromEntries(Object.entries(d.figures).map(([name, { value }]) => [name, value]));

function problems(run: () => unknown): string {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.message;
    throw e;
  }
  return 'none';
}

describe('exact figures', () => {
  test('of a buffer of 100 slots', () => {
    const d = explore(buffer(100), { bounds: 'full;free,full' });
    expect(d).toMatchObject({ complete: true, bounds: [100, 100], dead: [], options: { net: 'buffer' } });
    expect(values(d)).toEqual({
      states: 101,
      edges: 200,
      maxTokensPerMarking: 100,
      maxTokensInPlace: 100,
      deadlockStates: 0,
      sccs: 1,
      bottomSccs: 1,
      homeStates: 101,
    });
    expect(d.verdicts).toEqual({
      deadlock: false,
      oneSafe: false,
      quasiLive: true,
      live: true,
      stableMarking: false,
      reversible: true,
    });
    expect(d.depths).toEqual({ deepest: 100, slice: 2, states: [...new Array<number>(50).fill(2), 1] });
    expect(d.branching).toEqual({ least: 1, mean: 200 / 101, most: 2 });
  });

  test('of mutual exclusion, where critical is one-safe and idle is not', () => {
    const d = explore(mutex(false), { bounds: [['critical'], ['idle']] });
    expect(d).toMatchObject({ bounds: [1, 2], verdicts: { oneSafe: false, live: true, reversible: true } });
    expect(values(d)).toMatchObject({ states: 3, edges: 4, maxTokensPerMarking: 3, maxTokensInPlace: 1, sccs: 1 });
    expect(d.because.oneSafe).toBe('"idle" holds 2 tokens in state 0');
    expect(d.options).toMatchObject({ bounds: 'critical;idle', order: 'breadth' });
  });

  test('of a delay count the states during the delay', () => {
    expect(values(explore(mutex(true)))).toMatchObject({ states: 5, edges: 6, sccs: 1 });
  });

  test.each([
    [2, { states: 9, edges: 14, sccs: 3, bottomSccs: 2, deadlockStates: 2 }],
    [5, { states: 243, edges: 945, sccs: 3, bottomSccs: 2, deadlockStates: 2 }],
  ])('of %i philosophers', (count, figures) => {
    const d = explore(philosophers(count));
    expect(values(d)).toMatchObject(figures);
    expect(d.verdicts).toMatchObject({ deadlock: true, quasiLive: true, live: false, reversible: false });
    expect(d.dead).toHaveLength(2);
    const held = Array.from({ length: count }, (_, x) => ({ place: 'Catch1', token: `(${x})`, count: 1 }));
    expect(d.dead[0]).toMatchObject({ distance: count, marking: held, busy: [] });
  });

  test('are the same depth first, with distances by the graph', () => {
    const [breadth, depth] = [explore(philosophers(5)), explore(philosophers(5), { order: 'depth' })];
    expect(values(depth)).toEqual(values(breadth));
    expect(depth.verdicts).toEqual(breadth.verdicts);
    expect(depth.depths).toEqual(breadth.depths);
    expect(depth.dead.map((d) => d.distance)).toEqual([5, 5]);
  });
});

describe('of a program', () => {
  test('a final state is not a deadlock', async () => {
    const d = await exploreFile('examples/ring/model.ts', { ranks: 3 });
    expect(d).toMatchObject({ complete: true, verdicts: { deadlock: false }, inputs: { model: {} } });
    expect(values(d)).toMatchObject({ deadlockStates: 0, finalStates: 1 });
    expect(d.dead).toMatchObject([{ final: true, marking: [{ place: 'ended' }, {}, {}] }]);
  });

  test('ranks that wait forever are a deadlock', () => {
    const stuck = spmd({ name: 'stuck', params: {}, build: (m) => m.recv({ from: (s) => m.size - 1 - s.rank }) });
    const d = explore(stuck, { ranks: 2 });
    expect(d).toMatchObject({ verdicts: { deadlock: true }, figures: { finalStates: { value: 0 } } });
    expect(d.dead).toMatchObject([{ final: false }]);
  });
});

describe('limits', () => {
  test('of states keep the states found', () => {
    const d = explore(buffer(1000), { maxStates: 10, bounds: 'full' });
    expect(d).toMatchObject({ complete: false, truncation: 'states' });
    expect(values(d)).toMatchObject({ states: 10, sccs: null, bottomSccs: null });
    expect(d.verdicts).toEqual({
      deadlock: null,
      oneSafe: false,
      quasiLive: true,
      live: null,
      stableMarking: false,
      reversible: null,
    });
    expect(d.bounds![0]).toBeLessThan(11);
    expect(d.because.live).toBe('not all states were explored (states)');
  });

  test('a deadlock found before the limit is kept', () => {
    const d = explore(philosophers(6), { maxStates: 728, order: 'breadth' });
    expect(d).toMatchObject({ complete: false, verdicts: { deadlock: true, live: false, reversible: false } });
  });

  test('interruption stops the exploration', () => {
    let asked = 0;
    const d = explore(buffer(1e6), { cancelled: () => asked++ > 2 });
    expect(d).toMatchObject({ complete: false, truncation: 'interrupted' });
  });

  test('the time of the whole command counts reading and preparation', () => {
    const document = explore(philosophers(8), {});
    expect(document.totalSeconds).toBeGreaterThanOrEqual(document.seconds);
    expect(explore(philosophers(3), { begun: performance.now() - 5000 }).totalSeconds).toBeGreaterThan(5);
  });

  test('the time limit stops the exploration', () => {
    expect(explore(philosophers(14), { seconds: 0.05 })).toMatchObject({ complete: false, truncation: 'time' });
  });

  test.each([
    [{ maxStates: 0 }, 'EXPL005 maxStates: expected an integer >= 1, got 0'],
    [{ maxStates: Number.NaN }, 'EXPL005 maxStates: expected an integer >= 1, got NaN'],
    [{ memory: -1 }, 'EXPL005 memory: expected bytes > 0, got -1'],
    [{ seconds: 0 }, 'EXPL005 seconds: expected seconds > 0, got 0'],
    [{ workers: 1.5 }, 'EXPL005 workers: expected an integer >= 1, got 1.5'],
    [{ order: 'breath' as 'breadth' }, 'EXPL005 order: unknown order "breath". Did you mean "breadth"?'],
    [{ bounds: 'full,ful' }, 'buffer: EXPL001 group 1: the net has no place "ful". Did you mean "full"?'],
    [{ bounds: [[]] }, 'EXPL002 group 1: names no place'],
    [{ graph: 'out.png' }, 'out.png: EXPL004 unknown graph extension ".png".'],
  ])('%j is rejected', (options, message) => {
    expect(problems(() => explore(buffer(3), options))).toContain(message);
  });

  test('other inputs are rejected by their extension', () => {
    expect(problems(() => explore('x.ti'))).toContain('x.ti: APP030 ".ti" is not the extension of a net');
    // @ts-expect-error the option does not apply to this kind of input
    expect(problems(() => explore('x.json', { ranks: 3 }))).toContain('x.json: APP004');
    expect(problems(() => explore('absent.json'))).toContain('absent.json: APP001');
  });
});

describe('without limits, a net that may have infinitely many markings', () => {
  test('whose integers and tokens grow is left after some seconds, with the place', () => {
    const n = new NetBuilder('growing');
    const K = n.integer('K');
    const [last, all] = [n.place('last', { k: K }, { initial: [{ k: 0 }] }), n.place('all', { k: K })];
    n.transition('next', (t) => {
      const { k } = t.take(last);
      t.put(last, { k: add(k, 1) });
      t.put(all, { k });
    });
    const found = explore(n.build());
    expect(found).toMatchObject({ complete: false, truncation: 'memory', verdicts: { deadlock: null } });
    expect(found.warnings.join()).toMatch(/place last: .*infinitely many markings.* --max-states or --memory/);
    expect(explore(n.build(), { maxStates: 10 })).toMatchObject({ truncation: 'states' });
  }, 60_000);

  test('is finished if its markings are few', () => {
    const n = new NetBuilder('small');
    const K = n.integer('K');
    const at = n.place('at', { k: K }, { initial: [{ k: 0 }], order: 'fifo' });
    n.transition('next', (t) => {
      const { k } = t.take(at);
      t.put(at, { k: mod(add(k, 1), 10_000) });
    });
    expect(explore(n.build())).toMatchObject({ complete: true, figures: { states: { value: 10_000 } }, warnings: [] });
  });
});

describe('the graph', () => {
  test.each(['svg', 'html', 'dot'])('of a small space as %s', (ending) => {
    const path = join(dir, `space.${ending}`);
    explore(mutex(false), { graph: path });
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('State space of mutex: 3 states, 4 edges, complete');
    expect(text).toContain('enter (p 0)');
  });

  test('of a large space is rejected, and nothing is written', () => {
    const path = join(dir, 'large.svg');
    expect(problems(() => explore(buffer(300), { graph: path }))).toContain(
      'EXPL003 graph: has 301 states: a drawing has at most 300 states',
    );
    expect(readdirSync(dir)).not.toContain('large.svg');
  });
});

describe('the result', () => {
  const net = join(dir, 'net.json');
  writeFileSync(net, netToJson(philosophers(3)));
  const file = join(dir, 'result.json');

  test('can be read and repeated', () => {
    const before = explore(net, { bounds: 'Fork', maxStates: 20, memory: 4e9, seconds: 100 });
    writeFileSync(file, spaceJson(before));
    const read = anyResult(file) as SpaceDocument;
    expect(read).toEqual(before);
    const { input, options } = spaceRerunOf(read, file);
    expect(options).toEqual({ order: 'breadth', maxStates: 20, bounds: 'Fork' });
    expect(spaceDifferences(read, explore(input, options))).toEqual([]);
    expect(spaceDifferences(read, explore(input, { ...options, maxStates: 21 }))).toContain('figures');
  });

  test('cannot be repeated if it was cut short or has no input file', () => {
    const document = explore(net, { cancelled: () => true });
    expect(problems(() => spaceRerunOf(document, file))).toContain('APP012 was cut short');
    expect(problems(() => spaceRerunOf(explore(buffer(2)), file))).toContain('APP012 names no net or model file');
  });

  test('is rejected if it is damaged', () => {
    const good = explore(net);
    for (const [broken, message] of [
      [{ ...good, version: 2 }, 'version: expected 1, got 2'],
      [{ ...good, inputs: 5 }, 'inputs: expected an object, got 5'],
      [{ ...good, figures: {} }, 'figures.states: is missing'],
    ] as const) {
      writeFileSync(file, JSON.stringify(broken));
      expect(problems(() => anyResult(file))).toContain(message);
    }
  });
});
