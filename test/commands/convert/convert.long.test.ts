import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { netToMarkovFiles } from '../../../src/analysis/model-checkers/explicit.ts';
import { netToJani } from '../../../src/analysis/model-checkers/jani.ts';
import { netToPrism } from '../../../src/analysis/model-checkers/prism.ts';
import { convert } from '../../../src/commands/convert/convert.ts';
import type { ConvertOptions } from '../../../src/commands/convert/convert-options.ts';
import { netDrawing } from '../../../src/commands/drawing/net-drawing.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { spmd } from '../../../src/models.ts';
import { netToDot } from '../../../src/net/drawing/dot.ts';
import { incidenceToCsv } from '../../../src/net/incidence/incidence-csv.ts';
import { netFromJson, netToJson } from '../../../src/net/json/json.ts';
import type { Net } from '../../../src/net/net.ts';
import { writePnml } from '../../../src/net/pnml/pnml-write.ts';
import { netToText } from '../../../src/net/text/text.ts';
import { unfold } from '../../../src/net/unfold/unfold.ts';
import { queue } from '../../analysis/markov/stochastic-nets.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { problemsOf } from '../../net/problems.ts';
import { smallNet } from '../../net/small-net.ts';
import { contestFile, contestNets, skipped } from '../../references.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-convert-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Converts a net; returns the file content and the reported result. */
function converted(net: Net, name: string, options: ConvertOptions = {}): { text: string; said: unknown } {
  const input = join(folder, 'in.json');
  const output = join(folder, name);
  writeFileSync(input, netToJson(net));
  const said = convert(input, output, options);
  return { text: readFileSync(output, 'utf8'), said };
}

describe('the extension selects the format', () => {
  const net = philosophers(3);
  test.each<[string, (net: Net) => string | Promise<string>]>([
    ['out.json', netToJson],
    ['out.txt', netToText],
    ['out.dot', netToDot],
    ['out.svg', (given) => netDrawing(given, undefined).drawing.svg],
    ['out.csv', incidenceToCsv],
  ])('%s is written in the format of its extension', async (name, write) => {
    const { text, said } = converted(net, name);
    expect(text).toBe(await write(netFromJson(netToJson(net))));
    expect(said).toEqual({ places: 5, transitions: 5, bytes: Buffer.byteLength(text), notes: [] });
  });

  test('out.pnml, with notes', () => {
    const { text, said } = converted(net, 'out.pnml');
    const { text: expected, notes } = writePnml(netFromJson(netToJson(net)));
    expect(text).toBe(expected);
    expect(said).toEqual({ places: 5, transitions: 5, bytes: Buffer.byteLength(text), notes });
    expect(notes[0]).toMatch(/^the net is written unfolded \(15 places, 15 transitions\)/);
  });

  test.each([
    ['out.prism', netToPrism],
    ['out.tra', (net) => netToMarkovFiles(net).tra],
    ['out.sta', (net) => netToMarkovFiles(net).sta],
    ['out.lab', (net) => netToMarkovFiles(net).lab],
    ['out.jani', netToJani],
  ])('%s is written of a net with exponential delays', (name, write) => {
    const timed = queue(2, 3, 4);
    const { text, said } = converted(timed, name);
    expect(text).toBe(write(timed));
    expect(said).toEqual({ places: 2, transitions: 2, bytes: Buffer.byteLength(text), notes: [] });
  });

  test('what PRISM cannot express is refused with the file', () => {
    expect(problemsOf(() => converted(net, 'refused.prism'))[0]).toMatch(/in\.json: LANG002 .*takes no time/);
    expect(readdirSync(folder)).not.toContain('refused.prism');
  });

  test('APP005 names the known extensions', () => {
    expect(problemsOf(() => converted(net, 'out.cvs'))).toEqual([
      expect.stringMatching(
        /out\.cvs: APP005 unknown output extension "\.cvs"\. Did you mean "\.csv"\? Known: \.json, \.pnml, \.txt, \.dot, \.svg, \.csv, \.prism, \.jani, \.tra, \.sta, \.lab\.$/,
      ),
    ]);
    expect(problemsOf(() => converted(net, 'constructor'))).toEqual([
      expect.stringMatching(/APP005 unknown output extension ""/),
    ]);
  });
});

describe('unfolding first', () => {
  test('of a net that was read from a file', () => {
    const { text, said } = converted(philosophers(3), 'flat.json', { unfold: true });
    expect(netFromJson(text)).toEqual(netFromJson(netToJson(unfold(philosophers(3)))));
    expect(said).toMatchObject({ places: 15, transitions: 15 });
  });

  test('the matrix contains numbers only', () => {
    const { text } = converted(philosophers(2), 'flat.csv', { unfold: true });
    const [head, ...rows] = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    expect(head!.slice(0, 3)).toEqual(['place', 'End[x=0]', 'End[x=1]']);
    expect(rows).toHaveLength(10);
    for (const row of rows) for (const cell of row.slice(1)) expect(cell).toMatch(/^(-?\d+)?$/);
  });

  test('an error names file and part and leaves no output', () => {
    const before = readdirSync(folder);
    expect(problemsOf(() => converted(smallNet(), 'no.json', { unfold: true }))).toContainEqual(
      expect.stringMatching(/in\.json:\d+:\d+: UNF001 place jobs: "size" is of colour "Size"/),
    );
    expect(problemsOf(() => converted(philosophers(201), 'no.svg', { unfold: true }))).toEqual([
      expect.stringMatching(/in\.json: SVG001 net philosophers: has 2010 nodes/),
    ]);
    expect(existsSync(join(folder, 'no.json'))).toBe(false);
    expect(readdirSync(folder).filter((f) => !before.includes(f) && f !== 'in.json')).toEqual([]);
  });

  test('its limit counts places and transitions, and is rejected without unfolding', () => {
    expect(problemsOf(() => converted(philosophers(3), 'no.json', { unfold: true, limit: 29 }))).toEqual([
      expect.stringMatching(/UNF002 .* more than 29 nodes/),
    ]);
    expect(converted(philosophers(3), 'yes.json', { unfold: true, limit: 30 }).said).toMatchObject({ places: 15 });
    expect(problemsOf(() => converted(philosophers(3), 'no.json', { limit: 30 }))).toEqual([
      expect.stringMatching(/^APP008 /),
    ]);
  });
});

test.skipIf(contestNets().length > 0)(skipped, () => {});

describe.skipIf(contestNets().length === 0)('safe nets of bounded ones of the Model Checking Contest', () => {
  /** Kanban with two tokens instead of the contest's five. */
  function kanban2(): Net {
    const { net } = readNetFile(contestFile('Kanban-PT-00005.pnml'));
    const two = (tokens: Net['places'][number]['initial']): typeof tokens =>
      tokens.map((t) => ({ ...t, count: t.count === 5 ? 2 : t.count }));
    return { ...net, places: net.places.map((p) => ({ ...p, initial: two(p.initial) })) };
  }

  test.each([
    ['Kanban 2', kanban2, 4600, 48],
    ['repetitions, coloured', () => readNetFile(contestFile('CSRepetitions-COL-02.pnml')).net, 7424, undefined],
  ] as const)('the safe net of %s is verified', (_, given, states, places) => {
    const net = given();
    expect(verify(net, ['safe']).properties[0]!.verdict).toBe(false);
    for (const name of ['safe.pnml', 'safe.json']) {
      const { said } = converted(net, name, { safe: true });
      if (places !== undefined) expect(said).toMatchObject({ places });
      expect(said).toMatchObject({ notes: expect.arrayContaining([expect.stringMatching(/at most 2 tokens/)]) });
      const { properties, space } = verify(join(folder, name), ['safe', 'one-safe', 'bounds'], { reduce: 'none' });
      expect(properties.map((p) => p.verdict)).toEqual([true, true, 1]);
      if (space.complete) expect(space.states).toBe(states);
      expect(explore(join(folder, name)).figures.states.value).toBe(states);
    }
  });
});

test('the safe net of a model that is safe runs in the same time', () => {
  const models = [
    spmd({ name: 'plain', build: (m) => m.compute({ flops: 1e6 }) }),
    spmd({
      name: 'shift',
      build: (m) => {
        m.compute({ flops: (s) => 1e6 * (s.rank + 1) });
        m.when(
          (s) => s.rank === 0,
          () => m.send({ to: 1, bytes: 5000 }),
          () =>
            m.when(
              (s) => s.rank === 1,
              () => m.recv({ from: 0 }),
            ),
        );
      },
    }),
  ];
  for (const model of models) {
    const file = join(mkdtempSync(join(tmpdir(), 'foretoken-safe-')), 'safe.json');
    const { notes } = convert(model, file, { ranks: 3, safe: true });
    expect(notes.join()).toContain('the net is safe already');
    // Times of a machine that nobody has given.
    expect(notes.join()).toContain('ASSUMED machine "simgrid-backbone"');
    const machine = { machine: 'simgrid-backbone' };
    expect(convert(model, `${file}2.json`, { ranks: 3, ...machine }).notes.join()).not.toContain('ASSUMED');
    expect(predict(file).figures.runTime.value).toBe(predict(model, { ranks: 3 }).figures.runTime.value);
  }
});
