import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PredictionDocument } from '../../../../src/commands/predict/prediction.ts';
import { renderPrediction } from '../../../../src/commands/predict/view/terminal.ts';
import { displayWidth } from '../../../../src/report/text.ts';
import { effort } from '../../../effort.ts';
import { deadlocked, documentOf, imbalanced, many, plainNet, saturated, serial } from '../../../report/documents.ts';
import { predicted } from '../../../report/models.ts';

const pages: Readonly<Record<string, PredictionDocument>> = {
  imbalanced,
  saturated,
  serial,
  deadlocked,
  many,
  'plain-net': plainNet,
  'one-rank': documentOf(1.5, [[1.5, 0, 0, 0]]),
  'no-time': documentOf(0, [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ]),
  'net-of-processes': documentOf(2, [
    [1.5, null, null, 0.25],
    [0.5, null, null, 0],
  ]),
  incomplete: { ...imbalanced, complete: false },
};

describe.each(Object.entries(pages))('the page of %s', (name, document) => {
  it.each([40, 80, 120])('at %i columns', async (width) => {
    const view = renderPrediction(document, { width, colour: false, unicode: true });
    await expect(view).toMatchFileSnapshot(`views/${name}-${width}.txt`);
  });

  it('in ASCII', async () => {
    const view = renderPrediction(document, { width: 80, colour: false, unicode: false });
    expect(view).toMatch(/^[\n -~]*$/);
    await expect(view).toMatchFileSnapshot(`views/${name}-ascii.txt`);
  });
});

describe.each(Object.entries(predicted))('the page of the model %s', (name, document) => {
  it.each([60, 100])('at %i columns', async (width) => {
    const view = renderPrediction(document(), { width, colour: false, unicode: true });
    await expect(view).toMatchFileSnapshot(`views/${name}-${width}.txt`);
  });

  it.each([60, 100])('in ASCII at %i columns', async (width) => {
    const view = renderPrediction(document(), { width, colour: false, unicode: false });
    expect(view).toMatch(/^[\n -~]*$/);
    await expect(view).toMatchFileSnapshot(`views/${name}-ascii-${width}.txt`);
  });
});

describe('the page of a model', () => {
  const options = { width: 200, colour: false, unicode: false };
  const jacobi = predicted['jacobi']!();
  const view = (more: Partial<PredictionDocument>): string => renderPrediction({ ...jacobi, ...more }, options);

  it('names the model, its parameters and the machine', () => {
    expect(view({}).split('\n')[1]).toBe(
      'jacobi2d n 2048, turns 20, check 10 | foretoken | eager below 64 KiB | placement block | machine four nodes | 16 ranks | collectives logarithmic',
    );
  });

  it('omits redundant information', () => {
    const titles = (text: string): string[] =>
      ['Intervals', 'Load of nodes', 'Queues', 'Fragments', 'Operations'].filter((t) => text.includes(`\n${t}`));
    expect(titles(view({}))).toHaveLength(5);
    expect(titles(view({ intervals: jacobi.intervals!.slice(0, 1) }))).not.toContain('Intervals');
    expect(titles(view({ queues: jacobi.queues!.map((q) => ({ ...q, mean: 0.001 })) }))).not.toContain('Queues');
    expect(titles(view({ nodes: jacobi.nodes!.map((n) => ({ ...n, load: 3 })) }))).not.toContain('Load of nodes');
    expect(titles(view({ nodes: jacobi.nodes!.map((n) => ({ ...n, ranks: 1 })) }))).not.toContain('Load of nodes');
    expect(titles(view({ fragments: { ...jacobi.fragments!, count: 1 } }))).not.toContain('Fragments');
    expect(titles(view({ operations: jacobi.operations!.slice(0, 1) }))).not.toContain('Operations');
  });

  it('says that a run was stopped early', () => {
    expect(view({ ended: 'time' })).toContain('\nEnded at the requested time\n');
    expect(view({})).not.toContain('No further step is possible');
  });

  it('has a memory column only if a rank spends time on memory', () => {
    expect(view({})).toContain('computing  memory  communicating');
    expect(view({ ranks: jacobi.ranks.map((r) => ({ ...r, memory: 0 })), intervals: [] })).not.toContain('  memory  ');
  });

  it('lists the largest queues and operations first', () => {
    const text = view({});
    for (const [first, second] of [
      ['memory  ', 'receives not matched'],
      ['wait 1-4', 'isend 1-4'],
      ['isend 1-4', 'compute 1'],
    ] as const)
      expect(text.indexOf(`\n${first}`)).toBeLessThan(text.indexOf(`\n${second}`));
  });
});

describe('the page', () => {
  it('shows the answer on line 1 and network model, protocol and placement on line 2', () => {
    const [first, second] = renderPrediction(imbalanced, { width: 100, colour: false, unicode: false }).split('\n');
    expect(first).toBe('Run time 8.157 ms (0.00815670233862679 s)');
    expect(second).toBe(
      'simgrid-smpi | detached below 64 KiB | one rank per host, in file order | cluster.xml | 4 ranks',
    );
  });

  it('marks a default machine as ASSUMED', () => {
    const document = {
      ...imbalanced,
      inputs: {},
      options: { ...imbalanced.options, builtIn: 'cluster-10g', assumed: 'machine' as const },
    };
    expect(renderPrediction(document, { width: 100, colour: false, unicode: false })).toContain(
      'ASSUMED machine cluster-10g',
    );
  });

  it('differs in colour only by escape sequences', () => {
    const options = { width: 100, colour: false, unicode: true };
    const coloured = renderPrediction(imbalanced, { ...options, colour: true });
    expect(coloured).not.toBe(renderPrediction(imbalanced, options));
    expect(uncoloured(coloured)).toBe(renderPrediction(imbalanced, options));
  });

  it('removes control characters of the input', () => {
    const [rank] = imbalanced.ranks;
    const document = { ...imbalanced, ranks: [{ ...rank!, host: 'no\u001b[31mde\u0007' }] };
    expect(renderPrediction(document, { width: 100, colour: false, unicode: true })).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  it('says how many places and lasting transitions of a net it leaves out', () => {
    const view = (count: number): string => {
      const places = Array.from({ length: count }, (_, k) => ({ name: `p${k}`, mean: 1, most: 1, end: 1 }));
      const transitions = places.map(({ name }) => ({ name: `t ${name}`, firings: 1, inProgress: 0.5 }));
      const document = { ...plainNet, places, transitions } as unknown as PredictionDocument;
      return renderPrediction(document, { width: 100, colour: false, unicode: true });
    };
    expect(view(8)).not.toContain('--json lists all');
    expect(view(9)).toContain('and 1 more place, and 1 more transition, --json lists all');
  });

  it('gives no utilisation of a link that each message has for itself', () => {
    const resources = [
      {
        name: 'up',
        kind: 'link',
        utilisation: 0.5,
        amount: { value: 5, unit: 'B' },
        capacity: { value: 1, unit: 'B/s' },
      },
      {
        name: 'own',
        kind: 'link',
        utilisation: 1.93,
        amount: { value: 19.3, unit: 'B' },
        capacity: { value: 1, unit: 'B/s' },
        fatpipe: true,
      },
    ] as const;
    const text = renderPrediction({ ...imbalanced, resources }, { width: 100, colour: false, unicode: true });
    expect(text).toMatch(
      /\nLinks\nup {3}█+·+ {2}50 % {2}5\.00 B at 1\.00 B\/s\n\nLinks that each message has for itself\nown {2}19\.3 B at/,
    );
    expect(text).not.toMatch(/1\d\d %/);
  });

  it('is never wider than requested, for any document and width', () => {
    fc.assert(
      fc.property(
        anyDocument(),
        fc.integer({ min: 40, max: 200 }),
        fc.boolean(),
        fc.boolean(),
        (document, width, colour, unicode) => {
          const view = renderPrediction(document, { width, colour, unicode });
          const lines = uncoloured(view).split('\n');
          for (const line of lines) {
            expect(displayWidth(line), line).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(colour ? /NaN|undefined|Infinity/ : /NaN|undefined|Infinity| $/);
          }
        },
      ),
      { numRuns: effort(300) },
    );
  });

  it('of 10,000 ranks fits on a screen', () => {
    const document = documentOf(
      7,
      Array.from({ length: 10_000 }, (_, r) => [r % 5, 1, 1, 5 - (r % 5)]),
    );
    const view = renderPrediction(document, { width: 100, colour: false, unicode: true });
    expect(view.split('\n').length).toBeLessThan(50);
    expect(view).toMatch(/[\d,]+ of 10,000 left out, --json lists all/);
  });
});

function uncoloured(text: string): string {
  return stripVTControlCharacters(text);
}

function anyDocument(): fc.Arbitrary<PredictionDocument> {
  const name = fc
    .oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 60 }))
    .filter((text) => !/NaN|undefined|Infinity/.test(text));
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const resource = fc.record({
    name,
    kind: fc.constantFrom('host' as const, 'memory' as const, 'link' as const),
    utilisation: fc.oneof(share, fc.double({ min: 0, max: 50, noNaN: true })),
    amount: fc.record({ value: fc.double({ min: 0, max: 1e30, noNaN: true }), unit: fc.constantFrom('B', 'flop') }),
    capacity: fc.record({ value: fc.double({ min: 1e-3, max: 1e30, noNaN: true }), unit: fc.constant('B/s') }),
  });
  const blocked = fc.record({
    rank: fc.nat({ max: 50 }),
    operation: name,
    file: name,
    line: fc.nat(),
    waitsFor: fc.option(fc.array(fc.nat({ max: 50 }), { maxLength: 12 })),
    since: fc.double({ min: 0, max: 1e9, noNaN: true }),
  });
  const parts = fc.array(fc.tuple(share, share, share, share), { maxLength: 40 });
  const seconds = fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 1e12, noNaN: true }),
    fc.double({ min: 0, max: 10, noNaN: true }),
  );
  return fc
    .record({
      seconds,
      parts,
      hosts: fc.array(name, { minLength: 1, maxLength: 5 }),
      split: fc.boolean(),
      resources: fc.array(resource, { maxLength: 30 }),
      deadlock: fc.oneof(fc.constant([]), fc.array(blocked, { maxLength: 30 })),
      profile: fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { maxLength: 210 }),
      complete: fc.boolean(),
      model: fc.option(anyModelParts(name, share)),
      memory: fc.boolean(),
      options: fc.dictionary(
        name.filter((n) => n !== '__proto__'),
        fc.oneof(name, fc.double({ noNaN: true, noDefaultInfinity: true })),
      ),
    })
    .map(
      ({ seconds: time, parts: all, hosts, split, resources, deadlock, profile, complete, options, model, memory }) => {
        const rows = all.map(([a, b, c, d]): [number, number | null, number | null, number] => {
          const sum = a + b + c + d;
          const of = (x: number): number => (sum > 0 ? (time * x) / sum : 0);
          return split ? [of(a), of(b), of(c), of(d)] : [of(a), null, null, of(d)];
        });
        const document = documentOf(time, rows);
        return {
          ...document,
          ranks: document.ranks.map((rank, k) => ({
            ...rank,
            host: hosts[k % hosts.length]!,
            ...(memory ? { computing: rank.computing / 2, memory: rank.computing / 2 } : {}),
            endTime: k % 3 === 0 ? null : rank.endTime,
          })),
          resources,
          deadlock,
          complete,
          options: { ...document.options, ...options, ...(model === null ? {} : { model: 'any', 'model.n': 3 }) },
          ...model,
          profile: { width: { value: 1, unit: 's' }, values: profile },
        };
      },
    );
}

/** Document parts that exist only for models. */
function anyModelParts(
  name: fc.Arbitrary<string>,
  share: fc.Arbitrary<number>,
): fc.Arbitrary<Pick<PredictionDocument, 'intervals' | 'fragments' | 'operations' | 'queues' | 'nodes'>> {
  const amount = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e12, noNaN: true }));
  const count = fc.nat({ max: 1e9 });
  const list = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 12 });
  return fc.record({
    intervals: list(
      fc.record({
        name,
        computing: amount,
        memory: amount,
        communicating: amount,
        waiting: amount,
        idle: amount,
        loadBalance: share,
        heaviest: fc.record({ rank: count, seconds: amount }),
      }),
    ),
    fragments: fc.record({
      count,
      complete: fc.boolean(),
      shareBySize: fc.array(share, { maxLength: 70 }),
      longest: list(
        fc.record({
          size: count,
          share,
          processes: fc.uniqueArray(count, { maxLength: 64 }).map((all) => all.sort((a, b) => a - b)),
        }),
      ),
    }),
    operations: list(fc.record({ name, file: name, line: count, completions: count, throughput: amount })),
    queues: list(
      fc.record({
        name,
        mean: amount,
        most: count,
        arrivals: count,
        throughput: amount,
        response: fc.option(amount),
      }),
    ),
    nodes: list(fc.record({ host: name, ranks: fc.nat({ max: 300 }), load: amount })),
  });
}
