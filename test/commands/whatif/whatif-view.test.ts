import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { replicationSection } from '../../../src/commands/predict/view/replications.ts';
import { parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import type { Scenario, StudyPlan } from '../../../src/commands/whatif/axes/grid.ts';
import type { Outcome } from '../../../src/commands/whatif/predictors/predictor.ts';
import { runStudy } from '../../../src/commands/whatif/study.ts';
import { whatIfCsv, whatIfJson } from '../../../src/commands/whatif/whatif-csv.ts';
import type { WhatIfDocument } from '../../../src/commands/whatif/whatif-result.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { styleOf } from '../../../src/report/style.ts';
import { displayWidth } from '../../../src/report/text.ts';

/** A program with 10 s of work, 10 % of it serial, and messages of 4 ms per rank; some scenarios fail or deadlock. */
function predict({ values, ideal }: Scenario): Outcome {
  const ranks = Number(values['ranks'] ?? 8);
  if (ranks === 3 || values['machine'] === 'small.yaml')
    throw new InputError([{ code: 'MACH021', message: `${ranks} ranks, and the machine has 2 cores` }]);
  const speed = Number(String(values['machine.speed'] ?? 'x1').slice(1));
  const computing = 10 / ranks / speed;
  const communicating = ideal === 'network' ? 0 : 0.004 * ranks;
  const runTime = 1 / speed + 9 / ranks / speed + communicating;
  return {
    runTime,
    complete: true,
    blocked: ranks === 5 ? 2 : 0,
    figures: {
      ranks: { value: ranks, unit: '1' },
      parallelism: { value: (computing * ranks) / runTime, unit: '1' },
      loadBalance: { value: 1 / (1 + ranks / 100), unit: '1' },
      computing: { value: computing, unit: 's' },
      communicating: { value: communicating, unit: 's' },
      waiting: { value: runTime - computing - communicating, unit: 's' },
    },
    ...(values['seeded'] === undefined ? {} : { replications: [0, 1, 2].map((k) => runTime * (1 + k / 10)) }),
  };
}

async function documentOf(plan: StudyPlan): Promise<WhatIfDocument> {
  return {
    format: 'foretoken',
    version: 1,
    kind: 'what-if',
    product: 'foretoken 0.1.0',
    seed: '1',
    inputs: [{ role: 'trace', path: 'app.ti', sha256: '00' }],
    options: { networkModel: 'foretoken', machine: 'cluster.yaml' },
    ...(await runStudy(plan, predict)),
  };
}

const documents: Readonly<Record<string, WhatIfDocument>> = {
  scaling: await documentOf({ axes: parseAxes(['ranks=1..256*2']) }),
  mixed: await documentOf({ axes: parseAxes(['machine=big.yaml,small.yaml', 'ranks=1..5']), ideals: ['network'] }),
  replicated: await documentOf({ axes: parseAxes(['seeded=true', 'ranks=4,8,16']) }),
  found: await documentOf({
    axes: parseAxes(['machine.speed=x1,x2,x4', 'ranks=1..1000']),
    find: { axis: 'ranks', target: 0.9 },
  }),
  elastic: await documentOf({ axes: [], elasticity: ['machine.speed', 'machine.link.latency'] }),
  text: await documentOf({
    axes: parseAxes(['placement=block,cyclic,"a, ""b"" and a name that is long enough to be cut"']),
  }),
};

describe.each(Object.entries(documents))('the study %s', (name, document) => {
  it.each([40, 80, 120])('at %i columns', async (width) => {
    const view = renderWhatIf(document, { width, colour: false, unicode: true });
    await expect(view).toMatchFileSnapshot(`views/whatif-${name}-${width}.txt`);
    for (const line of view.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('in ASCII, and in colour', async () => {
    const view = renderWhatIf(document, { width: 80, colour: false, unicode: false });
    expect(view).toMatch(/^[\n -~]*$/);
    const coloured = renderWhatIf(document, { width: 80, colour: true, unicode: false });
    expect(stripVTControlCharacters(coloured)).toBe(view);
  });

  it('in JSON and CSV', async () => {
    expect(JSON.parse(whatIfJson(document))).toEqual(document);
    await expect(whatIfCsv(document)).toMatchFileSnapshot(`views/whatif-${name}.csv`);
    const rows = parseCsv(whatIfCsv(document));
    expect(rows).toHaveLength(document.scenarios.length + 1);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });
});

it('CSV can be read back', async () => {
  // Cells that look like formulas get an apostrophe; test/commands/inputs/hostile-names.long.test.ts tests these.
  const text = fc.string().filter((t) => t !== '' && !/^[=+\-@]/.test(t));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      const values = texts.map((t) => `"${t.replaceAll('"', '""')}"`).join(',');
      const document = await documentOf({ axes: parseAxes([`a=${values}`]) });
      expect(
        parseCsv(whatIfCsv(document))
          .slice(1)
          .map((row) => row[0]),
      ).toEqual(texts);
    }),
  );
});

describe('replications', () => {
  const bell = Array.from({ length: 200 }, (_, k) => 1 + 0.1 * (Math.sin(k) + Math.sin(3 * k + 1) + Math.sin(7 * k)));
  it.each([
    ['many', bell],
    ['few', [0.0031, 0.0029, 0.0035]],
    ['one', [4]],
    ['equal', [2, 2, 2]],
  ])('replications are drawn: %s', async (name, values) => {
    const lines = replicationSection(values, styleOf({ width: 80, colour: false, unicode: true }));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`views/replications-${name}.txt`);
    const narrow = replicationSection(values, styleOf({ width: 40, colour: false, unicode: false }));
    expect(narrow.join('\n')).toMatch(/^[\n -~]*$/);
    for (const line of narrow) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });
});

it('replications of a net have no unit longer than a second', () => {
  const style = styleOf({ width: 100, colour: false, unicode: true });
  const shown = replicationSection([1000, 9000, 2e5], style, 0.95, true).join('\n');
  expect(shown).toMatch(/mean 70000 s ±/);
  expect(shown).not.toMatch(/\d (?:min|h|d)\b|^ *(?:min|h|d) /m);
});

/** A reader of RFC 4180, character by character. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let quoted = false;
  for (let k = 0; k < text.length; k++) {
    const c = text[k]!;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[k + 1] === '"') field += text[++k]!;
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',' || text.startsWith('\r\n', k)) {
      rows.at(-1)!.push(field);
      field = '';
      if (c === '\r') {
        k++;
        rows.push([]);
      }
    } else field += c;
  }
  return rows.slice(0, -1);
}
