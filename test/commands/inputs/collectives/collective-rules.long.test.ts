import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaText } from '../../../../scripts/schemas/schema-text.ts';
import { InputError } from '../../../../src/base/problem.ts';
import { readRuleFile, rulesSchema } from '../../../../src/commands/inputs/collectives/collective-rules.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { whatif } from '../../../../src/commands/whatif/whatif.ts';
import { type CollectiveChoice, chooseAlgorithm } from '../../../../src/models/collectives/choice.ts';
import { expandCollective } from '../../../../src/models/collectives/expand.ts';
import { parseChoice } from '../../../../src/models/collectives/parse-choice.ts';
import { gapsOf, type Range, type Rule } from '../../../../src/models/collectives/rules.ts';
import { SELECTABLE, type Selectable } from '../../../../src/models/collectives/selectors/decision.ts';
import { ompi } from '../../../../src/models/collectives/selectors/ompi.ts';
import type { Collective } from '../../../../src/trace/collective.ts';
import { effort } from '../../../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'ft-rules-'));
let files = 0;

/** Writes a file and returns its path. */
function fileOf(content: string | object, ending = 'yaml'): string {
  const path = join(folder, `rules${files++}.${typeof content === 'string' ? ending : 'json'}`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** The problems of reading, as printed, with `FILE` instead of the path. */
function problemsOf(read: () => unknown, file: string): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replaceAll(file, 'FILE').split('\n');
  }
}

/** A call of one size on all ranks; parts of an allgatherv and a reducescatter differ, with `bytes` as the mean part and the sum. */
function callOf(kind: Selectable, bytes: number, ranks: number): Collective {
  const odd = Math.min(bytes, 3);
  const around = (mean: number): number[] =>
    Array.from({ length: ranks }, (_, i) => mean + (i === 0 && ranks > 1 ? odd : i === 1 ? -odd : 0));
  switch (kind) {
    case 'barrier':
      return { kind };
    case 'bcast':
      return { kind, bytes, root: ranks - 1 };
    case 'reduce':
      return { kind, bytes, root: ranks - 1, flops: 0 };
    case 'allreduce':
      return { kind, bytes, flops: 0 };
    case 'gather':
    case 'scatter':
      return { kind, sendBytes: bytes, recvBytes: bytes, root: 0 };
    case 'allgather':
    case 'alltoall':
      return { kind, sendBytes: bytes, recvBytes: bytes };
    case 'allgatherv':
      return { kind, sendBytes: bytes, recvBytes: around(bytes) };
    case 'alltoallv':
      return { kind, sendBytes: around(bytes), recvBytes: around(bytes) };
    case 'reducescatter':
      return { kind, recvBytes: [bytes, ...Array.from({ length: ranks - 1 }, () => 0)], flops: 0 };
  }
}

const rangeText = ({ from, to }: Range): string => `${from}..${to === Number.POSITIVE_INFINITY ? '' : to}`;

/** The thresholds of `ompi` as a file of rules: all are powers of two, 3 ranks, or 0 bytes, at which its decisions are asked. */
function ompiRules(): object {
  const ranks = [1, 2, 3, ...Array.from({ length: 11 }, (_, k) => 4 * 2 ** k)];
  const bytes = [0, ...Array.from({ length: 22 }, (_, k) => 2 ** k)];
  const listed = SELECTABLE.map((kind) => {
    const name = ompi[kind] as (call: Collective, size: number) => string;
    const rules = ranks.flatMap((from, r) => {
      const to = (ranks[r + 1] ?? Number.POSITIVE_INFINITY) - 1;
      if (kind === 'barrier' || kind === 'alltoallv')
        return [{ ranks: rangeText({ from, to }), algorithm: name(callOf(kind, 0, from), from) }];
      return bytes.map((least, b) => ({
        ranks: rangeText({ from, to }),
        bytes: rangeText({ from: least, to: (bytes[b + 1] ?? Number.POSITIVE_INFINITY) - 1 }),
        algorithm: name(callOf(kind, least, from), from),
      }));
    });
    return [kind, rules];
  });
  return Object.fromEntries(listed);
}

test('a file that lists the thresholds of ompi gives exactly its messages', () => {
  // A gatherv inside an allgatherv follows the selector.
  const rules = parseChoice(fileOf(ompiRules()), 'simgrid', readRuleFile);
  const selector = parseChoice('ompi', 'simgrid');
  const sizes = fc.oneof(
    fc.nat(3e6),
    fc.tuple(fc.nat(20), fc.integer({ min: -1, max: 1 })).map(([k, d]) => 2 ** k + d),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...SELECTABLE),
      sizes,
      fc.integer({ min: 1, max: 70 }),
      fc.nat(),
      (kind, bytes, ranks, r) => {
        const call = callOf(kind, bytes, ranks);
        const { name } = chooseAlgorithm(selector, call, ranks, false);
        const messages = (choice: CollectiveChoice) => expandCollective(call, r % ranks, ranks, choice);
        // By name, `pair` is refused where the selector exchanges in a ring instead.
        const isPower = (ranks & (ranks - 1)) === 0;
        if (name === 'pair' && !isPower) expect(() => messages(rules)).toThrow(/COLL007 .* power of two/);
        else expect(messages(rules)).toEqual(messages(selector));
      },
    ),
    { numRuns: effort(2000) },
  );
});

/** Numbers of ranks or bytes of small files; END stands for all larger ones. */
const END = 9;
const infinite = (to: number): number => (to === END ? Number.POSITIVE_INFINITY : to);

interface Area {
  readonly ranks: Range;
  readonly bytes: Range;
}

/** Divides an area by random cuts, so that its parts have neither gaps nor overlaps. */
const division = (area: Area, depth: number): fc.Arbitrary<Area[]> => {
  const cuts = (['ranks', 'bytes'] as const).flatMap((side) =>
    Array.from({ length: area[side].to - area[side].from }, (_, k) => ({ side, at: area[side].from + k })),
  );
  const whole = fc.constant<Area[]>([area]);
  if (depth === 0 || cuts.length === 0) return whole;
  const cut = fc
    .constantFrom(...cuts)
    .chain(({ side, at }) =>
      fc
        .tuple(
          division({ ...area, [side]: { from: area[side].from, to: at } }, depth - 1),
          division({ ...area, [side]: { from: at + 1, to: area[side].to } }, depth - 1),
        )
        .map((parts) => parts.flat()),
    );
  return fc.oneof({ weight: 1, arbitrary: whole }, { weight: 4, arbitrary: cut });
};

/** Divisions with their parts in any order, of which some are left out or made longer. */
const areas = division({ ranks: { from: 1, to: END }, bytes: { from: 0, to: END } }, 4)
  .chain((parts) =>
    fc.tuple(
      fc.shuffledSubarray(parts, { minLength: Math.max(1, parts.length - 1) }),
      fc.option(fc.tuple(fc.nat(), fc.constantFrom('ranks' as const, 'bytes' as const)), { freq: 3 }),
    ),
  )
  .map(([parts, longer]) =>
    parts.map((part, k) =>
      longer === null || longer[0] % parts.length !== k
        ? part
        : { ...part, [longer[1]]: { ...part[longer[1]], to: Math.min(END, part[longer[1]].to + 1) } },
    ),
  );

const NAMES = ['binomial_tree', 'flattree', 'NTSL', 'NTSB', 'SMP_binomial', 'ompi_pipeline'];

describe('random files of rules', () => {
  test('every call takes the rule that holds it; gaps and overlaps are refused unless a selector covers the gap', () => {
    fc.assert(
      fc.property(areas, fc.option(fc.constantFrom('mpich', 'simgrid')), (parts, otherwise) => {
        const file = fileOf({
          ...(otherwise === null ? {} : { otherwise }),
          bcast: parts.map(({ ranks, bytes }, k) => ({
            ranks: rangeText({ ...ranks, to: infinite(ranks.to) }),
            bytes: rangeText({ ...bytes, to: infinite(bytes.to) }),
            algorithm: NAMES[k % NAMES.length],
          })),
        });
        const holds = (ranks: number, bytes: number): number[] =>
          parts.flatMap((part, k) =>
            part.ranks.from <= ranks &&
            ranks <= infinite(part.ranks.to) &&
            part.bytes.from <= bytes &&
            bytes <= infinite(part.bytes.to)
              ? [k]
              : [],
          );
        const cells = Array.from({ length: END + 1 }, (_, r) =>
          Array.from({ length: END + 2 }, (_, b) => ({ ranks: r + 1, bytes: b, rules: holds(r + 1, b) })),
        ).flat();
        const found = problemsOf(() => readRuleFile(file, false), file).map((line) => /COLL\d+/.exec(line)?.[0]);
        if (cells.some(({ rules }) => rules.length > 1)) {
          expect(new Set(found)).toEqual(new Set(['COLL011']));
          return;
        }
        const hasGap = cells.some(({ rules }) => rules.length === 0);
        if (hasGap && otherwise === null) {
          expect(new Set(found)).toEqual(new Set(['COLL010']));
          return;
        }
        expect(found).toEqual([]);
        const choice = parseChoice(file, 'simgrid', readRuleFile);
        const others = parseChoice(otherwise ?? 'simgrid', 'simgrid');
        for (const { ranks, bytes, rules } of cells) {
          const call = callOf('bcast', bytes, ranks);
          const expected =
            rules.length === 0 ? chooseAlgorithm(others, call, ranks, false).name : NAMES[rules[0]! % NAMES.length];
          expect(chooseAlgorithm(choice, call, ranks, false).name).toBe(expected);
        }
      }),
      { numRuns: effort(1000) },
    );
  });

  test('gaps are exactly the calls without a rule, each once, and neighbours touch them', () => {
    fc.assert(
      fc.property(areas, (parts) => {
        const rules: Rule<number>[] = parts.map(({ ranks, bytes }, taken) => ({
          ranks: { ...ranks, to: infinite(ranks.to) },
          bytes: { ...bytes, to: infinite(bytes.to) },
          taken,
        }));
        const holds = (area: Area, r: number, b: number): boolean =>
          area.ranks.from <= r && r <= area.ranks.to && area.bytes.from <= b && b <= area.bytes.to;
        const gaps = gapsOf(rules);
        for (let r = 1; r <= END + 1; r++)
          for (let b = 0; b <= END + 1; b++) {
            const isFree = !rules.some((rule) => holds(rule, r, b));
            expect(gaps.filter((gap) => holds(gap, r, b)).length).toBe(isFree ? 1 : 0);
          }
        for (const { ranks, bytes, below, above } of gaps) {
          expect(below ?? above).toBeDefined();
          const beside = bytes.from === 0 && bytes.to === Number.POSITIVE_INFINITY ? 'ranks' : 'bytes';
          const own = { ranks, bytes }[beside];
          if (below !== undefined) expect(below[beside].to).toBe(own.from - 1);
          if (above !== undefined) expect(above[beside].from).toBe(own.to + 1);
        }
      }),
      { numRuns: effort(1000) },
    );
  });
});

const RANGE = 'a range of integers, both ends included: LOW..HIGH, LOW.. or ..HIGH';

test.each([
  [
    'a gap in bytes',
    'bcast:\n- { bytes: ..1023, algorithm: NTSL }\n- { bytes: 2048.., algorithm: ompi }',
    [
      'FILE:3:3: COLL010 bcast has no rule for 1.. ranks and 1024..2047 bytes, after the rule of 1.. ranks and 0..1023 bytes (line 2) and before the rule of 1.. ranks and 2048.. bytes (line 3): add one, or otherwise: SELECTOR',
    ],
  ],
  [
    'a gap in ranks',
    'barrier:\n- { ranks: 1..3, algorithm: tree }\n- { ranks: 8.., algorithm: bruck }',
    [
      'FILE:3:3: COLL010 barrier has no rule for 4..7 ranks and 0.. bytes, after the rule of 1..3 ranks and 0.. bytes (line 2) and before the rule of 8.. ranks and 0.. bytes (line 3): add one, or otherwise: SELECTOR',
    ],
  ],
  [
    'no end',
    'bcast:\n- { bytes: ..1023, algorithm: NTSL }',
    [
      'FILE:2:3: COLL010 bcast has no rule for 1.. ranks and 1024.. bytes, after the rule of 1.. ranks and 0..1023 bytes (line 2): add one, or otherwise: SELECTOR',
    ],
  ],
  [
    'an overlap',
    'allreduce:\n- { bytes: ..1024, algorithm: rdb }\n- { bytes: 1024.., algorithm: lr }',
    [
      'FILE:3:3: COLL011 allreduce has two rules of the same calls: this one, 1.. ranks and 1024.. bytes, and the one in line 2, 1.. ranks and 0..1024 bytes',
    ],
  ],
  [
    'a range backwards, and from 0 ranks',
    'bcast:\n- { bytes: 9..8, ranks: 0..4, algorithm: NTSL }',
    [
      'FILE:2:25: COLL009 expected ranks from 1, got "0..4"',
      'FILE:2:12: COLL009 the range "9..8" runs backwards: expected LOW..HIGH with LOW <= HIGH',
    ],
  ],
  ['no range', 'bcast:\n- { bytes: 8KiB.., algorithm: NTSL }', [`FILE:2:12: MACH009 expected ${RANGE}; got "8KiB.."`]],
  ['a number', 'bcast:\n- { ranks: 8, algorithm: NTSL }', [`FILE:2:12: MACH007 expected ${RANGE}; got 8`]],
  [
    'bytes of a barrier',
    'barrier:\n- { bytes: .., algorithm: tree }',
    ['FILE:2:12: COLL012 rules of barrier have no bytes: it carries none; give ranks only'],
  ],
  [
    'an unknown algorithm',
    'bcast:\n- { algorithm: NTLS }',
    [expect.stringMatching(/^FILE:2:16: MACH039 unknown algorithm "NTLS" of bcast. Did you mean "NTSL"\?/)],
  ],
  [
    'an unknown selector',
    'otherwise: opmi',
    [expect.stringMatching(/^FILE:1:12: MACH009 unknown selector "opmi". Did you mean "ompi"\? Known: simgrid/)],
  ],
  [
    'the name of an MPI library',
    'otherwise: openmpi',
    [expect.stringMatching(/^FILE:1:12: MACH009 unknown selector "openmpi". Did you mean "ompi"\? Known: simgrid/)],
  ],
  [
    'rules of Open MPI 6',
    '{ "rule_file_version": 3, "module": "tuned", "collectives": { "allreduce": [] } }',
    [expect.stringMatching(/^FILE:1:1: COLL013 rules of Open MPI 6 in JSON are not read: expected the classic format/)],
  ],
  [
    'an unknown operation',
    'alreduce: []',
    [expect.stringMatching(/^FILE:1:1: MACH005 the file of rules has no "alreduce". Did you mean "allreduce"\?/)],
  ],
  [
    'no algorithm',
    'bcast:\n- { ranks: 8.. }',
    ['FILE:2:3: MACH006 the rule lacks "algorithm", for instance algorithm: binomial'],
  ],
  ['an empty file', '', ['FILE: MACH001 the file is empty: expected a file of rules of collectives in JSON or YAML']],
  [
    'two documents',
    'otherwise: ompi\n---\notherwise: mpich',
    ['FILE:2:1: MACH003 a second document: expected one file of rules of collectives per file'],
  ],
])('%s is refused', (_, content, expected) => {
  const file = fileOf(content);
  expect(problemsOf(() => readRuleFile(file, false), file)).toEqual(expected);
});

test('a choice has one file; a selector beside it covers its gaps, and named operations win', () => {
  const gap = fileOf('bcast:\n- { bytes: 8.., algorithm: NTSL }');
  const read = (text: string): CollectiveChoice => parseChoice(text, 'simgrid', readRuleFile);
  const name = (text: string, bytes: number) => chooseAlgorithm(read(text), callOf('bcast', bytes, 4), 4, false).name;
  expect([name(`${gap},ompi`, 7), name(`${gap},ompi`, 8)]).toEqual([
    chooseAlgorithm(read('ompi'), callOf('bcast', 7, 4), 4, false).name,
    'NTSL',
  ]);
  expect(name(`bcast=NTSB,ompi,${gap}`, 8)).toBe('NTSB');
  expect(read(`bcast=NTSB, ompi, ${gap}`).text).toBe(`${gap},ompi,bcast=NTSB`);
  expect(read(read(`${gap},ompi`).text)).toEqual(read(`${gap},ompi`));
  const only = problemsOf(() => read(gap), gap);
  expect(only).toEqual([
    expect.stringContaining('COLL010 bcast has no rule for 1.. ranks and 0..7 bytes, before the rule'),
  ]);
  expect(() => read(`${gap},${gap}`)).toThrow('MACH041');
  const named = fileOf('otherwise: ompi');
  expect(read(named)).toMatchObject({ selector: 'ompi', text: named });
  expect(() => read(`${named},mpich`)).toThrow('names the selector mpich, and');
  expect(() => read('rules.toml')).toThrow(
    'MACH026 unknown collectives "rules.toml": the name of a file of rules ends in .yaml, .yml, .json, .conf, .rules, .txt',
  );
  expect(() => read(join(folder, 'none.yaml'))).toThrow('none.yaml: MACH001 cannot be opened');
});

describe('predictions', () => {
  const MACHINE =
    'nodes: 6\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n';
  const trace = fileOf(
    Array.from({ length: 6 }, (_, r) => `${r} init\n${r} bcast 512 0 6\n${r} allreduce 2000 0 6\n${r} finalize\n`).join(
      '',
    ),
    'ti',
  );
  const plain = fileOf(MACHINE);
  const rules = fileOf(
    'otherwise: ompi\nallreduce:\n- { bytes: 1024.., algorithm: lr }\nbcast:\n- { bytes: ..1023, algorithm: mpich }',
  );
  const machine = fileOf(`${MACHINE}collectives: ${rules.slice(folder.length + 1)}`);
  const direct = 'ompi,allreduce=lr,bcast=mpich';

  test('the option and a machine file, relative to its folder, give the times of the same choice by names', () => {
    const expected = predict(trace, { machine: plain, collectives: direct });
    const byOption = predict(trace, { machine: plain, collectives: rules });
    expect(byOption.figures.runTime).toEqual(expected.figures.runTime);
    expect(byOption.options['collectives']).toBe(rules);
    expect(byOption.collectives).toEqual(expected.collectives);
    expect(predict(trace, { machine }).figures.runTime).toEqual(expected.figures.runTime);
    expect(predict(trace, { machine, collectives: 'simgrid' }).figures.runTime).not.toEqual(expected.figures.runTime);
  });

  test('whatif compares files with selectors', async () => {
    const { scenarios } = await whatif(trace, { machine: plain, vary: { collectives: ['simgrid', rules, direct] } });
    const times = scenarios.map(({ figures }) => figures?.['runTime']?.value);
    expect(times[1]).toBeGreaterThan(0);
    expect(times[1]).toBe(times[2]);
    expect(times[0]).not.toBe(times[1]);
  });

  test('results name the file among their inputs, wherever it was named, and no output replaces it', async () => {
    const named = (document: { readonly inputs: Readonly<Record<string, unknown>> }): unknown =>
      document.inputs['collectives'];
    const expected = {
      path: expect.stringContaining(basename(rules)),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(named(predict(trace, { machine: plain, collectives: `${rules},bcast=NTSL` }))).toEqual(expected);
    expect(named(predict(trace, { machine }))).toEqual(expected);
    expect(named(predict(trace, { machine, collectives: 'mpich' }))).toBeUndefined();
    expect(() => predict(trace, { machine, trace: rules })).toThrow(/APP007/);
    const roles = async (options: Parameters<typeof whatif<string>>[1]): Promise<string[]> =>
      (await whatif(trace, options)).inputs.map(({ role }) => role);
    expect(await roles({ machine: plain, vary: { collectives: ['ompi', rules] } })).toContain('collectives');
    expect(await roles({ vary: { machine: [plain, machine] } })).toContain('collectives');
    expect(await roles({ machine, collectives: 'ompi', vary: { placement: ['block', 'cyclic'] } })).not.toContain(
      'collectives',
    );
  });

  test('an algorithm that does not allow the number of ranks is refused at its rule', () => {
    const six = fileOf('otherwise: ompi\nallreduce:\n- { bytes: 1024.., algorithm: rab1 }');
    expect(() => predict(trace, { machine: plain, collectives: six })).toThrow(
      `${six}:3:31: COLL007 the algorithm rab1 of allreduce needs a power of two of ranks, got 6. Did you mean "rab_rdb"?`,
    );
  });

  test('a problem of a machine file without a place has that of the machine', () => {
    const wrong = fileOf(`${MACHINE}collectives: opmi`);
    expect(() => predict(trace, { machine: wrong })).toThrow(`${wrong}:1:1: `);
  });
});

test('the file in the package is the schema of the code, and takes what the reader takes', async () => {
  await expect(`${schemaText(rulesSchema)}\n`).toMatchFileSnapshot('../../../../schema/collectives.schema.json');
  const validate = new Ajv2020({ strict: true }).compile(rulesSchema);
  expect(validate(ompiRules())).toBe(true);
  expect(validate({ otherwise: 'ompi', bcast: [{ ranks: '8..', bytes: '..7', algorithm: 'NTSL' }] })).toBe(true);
  for (const wrong of [
    { otherwise: 'opmi' },
    { bcast: [] },
    { bcast: [{ ranks: '8', algorithm: 'NTSL' }] },
    { scan: [] },
    { bcast: [{}] },
  ])
    expect([wrong, validate(wrong)]).toEqual([wrong, false]);
});
