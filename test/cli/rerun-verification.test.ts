import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-rerun-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

/** Runs a verification and writes its result document to a file. */
async function verified(...args: string[]): Promise<string> {
  const { stdout } = await warmly(['verify', ...args, '--json']);
  const file = path(`result-${args.length}-${stdout.length}.json`);
  writeFileSync(file, stdout);
  return file;
}

const pnml = (tokens: number): string => `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="two" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="memory"><initialMarking><text>${tokens}</text></initialMarking></place><place id="seconds"/>
<transition id="go"/><transition id="back"/>
<arc id="a" source="memory" target="go"/><arc id="b" source="go" target="seconds"/>
<arc id="c" source="seconds" target="back"/><arc id="d" source="back" target="memory"/>
</page></net></pnml>
`;
const formulas = `<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/"><property><id>few</id><description/><formula><all-paths><globally><integer-le>
<tokens-count><place>seconds</place></tokens-count><integer-constant>1</integer-constant></integer-le></globally></all-paths></formula></property></property-set>
`;

test('rerun repeats the verification of a net, with every option', async () => {
  writeFileSync(path('two.pnml'), pnml(2));
  writeFileSync(path('few.xml'), formulas);
  const asked = [
    [],
    ['-p', 'deadlock-free', '-p', 'AG(tokens(seconds) <= 1)'],
    ['-p', 'deadlock-free', '--formulas', path('few.xml'), '--max-states', '100', '--seconds', '50'],
    ['-p', 'deadlock-free', '--reduce', 'stubborn'],
    ['-p', 'deadlock-free', '--final', 'tokens(seconds) = 2'],
  ];
  for (const options of asked) {
    const before = await verified(path('two.pnml'), ...options);
    const { code, stdout } = await warmly(['rerun', '--trust', before]);
    expect([options, code, stdout]).toEqual([options, 0, expect.stringMatching(/^identical: \d verdicts?\n$/)]);
  }
  const before = await verified(path('two.pnml'), '-p', 'safe');
  const again = await warmly(['rerun', '--trust', before, '--json']);
  const plain = (text: string): unknown => ({
    ...JSON.parse(text.replaceAll(/verify \S*two\.pnml/g, '')),
    seconds: undefined,
  });
  expect(plain(again.stdout)).toEqual(plain(readFileSync(before, 'utf8')));
});

test('rerun lists the differences of a verification, for any place names', async () => {
  writeFileSync(path('two.pnml'), pnml(2));
  const before = await verified(path('two.pnml'), '-p', 'bounds');
  const text = readFileSync(before, 'utf8');
  for (const place of ['memory', 'seconds']) {
    writeFileSync(path('changed.json'), text.replace(`"${place}":2`, `"${place}":3`));
    const { code, stdout } = await warmly(['rerun', '--trust', path('changed.json')]);
    expect([code, stdout]).toEqual([1, 'differs in properties: 1 verdict\n']);
  }
  writeFileSync(path('two.pnml'), pnml(3));
  expect(await warmly(['rerun', '--trust', before])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('APP011'),
  });
  writeFileSync(path('broken.json'), text.replace('"property"', '"propriety"'));
  expect(await warmly(['rerun', '--trust', path('broken.json')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('APP010 properties[0].property: is missing'),
  });
});

test('rerun repeats the verification of a trace and of a model with its modules', async () => {
  const ring = (r: number): string => `${r} send ${1 - r} 0 100000\n${r} recv ${1 - r} 0 100000\n`;
  writeFileSync(path('ring.ti'), `0 init\n1 init\n${ring(0)}${ring(1)}0 finalize\n1 finalize\n`);
  const trace = await verified(path('ring.ti'), '--sends', 'rendezvous');
  expect(JSON.parse(readFileSync(trace, 'utf8')).instances[0].properties[0].verdict).toBe(false);
  expect(await warmly(['rerun', '--trust', trace])).toMatchObject({ code: 0 });
  mkdirSync(path('parts'), { recursive: true });
  writeFileSync(path('parts/size.ts'), 'export const bytes = 1000;\n');
  writeFileSync(
    path('model.ts'),
    "import { spmd } from 'foretoken/models';\nimport { bytes } from './parts/size.ts';\nexport default spmd({ name: 'm', params: { turns: 2, twice: false }, build: (m) => m.loop((s) => s.p.turns, () => { m.allreduce({ bytes }); m.when((s) => s.p.twice, () => m.barrier()); }) });\n",
  );
  const model = await verified(path('model.ts'), '--ranks', '3', '--set', 'turns=1', '--set', 'twice=true');
  const asNet = await verified(path('model.ts'), '--ranks', '2', '--set', 'turns=1', '-p', 'deadlock-free');
  const grown = await verified(path('model.ts'), '--machine', 'simgrid-backbone');
  for (const file of [model, asNet, grown]) {
    const { code, stdout, stderr } = await warmly(['rerun', '--trust', file]);
    expect([file, code, stderr]).toEqual([file, 0, '']);
    expect(stdout).toMatch(/^identical/);
  }
  writeFileSync(path('parts/size.ts'), 'export const bytes = 2000;\n');
  for (const file of [model, asNet])
    expect(await warmly(['rerun', '--trust', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('size.ts: APP011'),
    });
});

test('rerun repeats the verification of a net that a module exports', async () => {
  mkdirSync(path('numbers'), { recursive: true });
  writeFileSync(path('numbers/tokens.ts'), 'export const tokens = 2;\n');
  writeFileSync(
    path('exported.ts'),
    "import { NetBuilder } from 'foretoken';\nimport { tokens } from './numbers/tokens.ts';\nconst n = new NetBuilder('n');\nconst a = n.place('a', {}, { initial: tokens });\nconst b = n.place('b', {});\nn.transition('t', (t) => { t.take(a); t.put(b, {}); });\nexport default n.build();\n",
  );
  const before = await verified(path('exported.ts'), '-p', 'bounded(2)', '-p', 'EF #b=2');
  const { inputs } = JSON.parse(readFileSync(before, 'utf8'));
  expect([inputs.model.path.endsWith('exported.ts'), inputs.members.length]).toEqual([true, 1]);
  expect(await warmly(['rerun', '--trust', before])).toMatchObject({ code: 0, stdout: 'identical: 2 verdicts\n' });
  writeFileSync(path('numbers/tokens.ts'), 'export const tokens = 3;\n');
  expect(await warmly(['rerun', '--trust', before])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tokens.ts: APP011'),
  });
});

test('rerun repeats the verification of a thread program', async () => {
  writeFileSync(
    path('threads.ts'),
    "import { threads } from 'foretoken/models';\nexport default threads({ name: 't', params: { other: 0 }, build(t) { const m = [t.mutex('a'), t.mutex('b')]; t.parallel(2, () => t.when((s) => s.thread === 0, () => t.critical(m[0], () => t.critical(m[1], () => t.compute({ seconds: 1 }))), () => t.critical(m[t.p.other], () => t.critical(m[1 - t.p.other], () => t.compute({ seconds: 1 }))))); } });\n",
  );
  const asked = [
    [],
    ['--scheduler', 'central', '--workers', '3'],
    ['--set', 'other=1', '--scheduler', 'os', '--reduce', 'none'],
    ['--scheduler', 'os', '--reduce', 'none', '--max-states', '4'],
  ];
  for (const options of asked) {
    const before = await verified(path('threads.ts'), ...options);
    const { code, stdout, stderr } = await warmly(['rerun', '--trust', before]);
    expect([options, code, stdout, stderr]).toEqual([
      options,
      0,
      expect.stringMatching(/^identical: \d+ verdicts\n$/),
      '',
    ]);
  }
  // A violation ends the exploration; that is no limit.
  const dead = await verified(path('threads.ts'), '--set', 'other=1');
  const document = JSON.parse(readFileSync(dead, 'utf8'));
  expect(document.instances[0].properties[0].verdict).toBe(false);
  const again = await warmly(['rerun', '--trust', dead, '--json']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout).instances[0].states).toBe(document.instances[0].states);
  for (const truncation of ['time', 'memory', 'interrupted']) {
    const [first, ...others] = document.instances;
    writeFileSync(path('cut.json'), JSON.stringify({ ...document, instances: [{ ...first, truncation }, ...others] }));
    expect(await warmly(['rerun', '--trust', path('cut.json')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('APP012'),
    });
  }
});

test('truncated results are not repeated', async () => {
  writeFileSync(path('two.pnml'), pnml(2));
  const before = await verified(path('two.pnml'), '-p', 'bounds');
  const cut = JSON.parse(readFileSync(before, 'utf8'));
  writeFileSync(
    path('cut.json'),
    JSON.stringify({ ...cut, complete: false, space: { ...cut.space, truncation: 'time' } }),
  );
  expect(await warmly(['rerun', '--trust', path('cut.json')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('APP012'),
  });
});

test('rerun repeats a structural analysis, with every option', async () => {
  writeFileSync(path('two.pnml'), pnml(2));
  const model = path('square.ts');
  writeFileSync(
    model,
    `import { spmd } from 'foretoken/models';
export default spmd({ name: 'square', params: { fast: true }, ranks: (n) => Number.isInteger(Math.sqrt(n)), build: (m) => m.barrier() });
`,
  );
  const cases = [
    [path('two.pnml')],
    [path('two.pnml'), '--sets', '1', '-u', 'memory >= 3', '-u', 'seconds >= 2', '--no-linear-programs'],
    [model],
    [model, '--ranks', '9', '--set', 'fast=false'],
  ];
  const before = path('structure.json');
  for (const args of cases) {
    writeFileSync(before, (await warmly(['structure', ...args, '--json'])).stdout);
    const { code, stdout } = await warmly(['rerun', '--trust', before]);
    expect([args, code, stdout]).toEqual([
      args,
      0,
      expect.stringMatching(/^identical: \d+ places, \d+ place semiflows\n$/),
    ]);
  }
  const text = readFileSync(before, 'utf8');
  writeFileSync(path('changed.json'), text.replace(/"siphons":\s*\{"value":\s*\d+/, '"siphons":{"value":77'));
  expect(await warmly(['rerun', '--trust', path('changed.json')])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('differs in figures'),
  });
  writeFileSync(model, `${readFileSync(model, 'utf8')}\n`);
  expect(await warmly(['rerun', '--trust', before])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('APP011'),
  });
  writeFileSync(path('broken.json'), text.replace('"solver"', '"solved"'));
  expect((await warmly(['rerun', '--trust', path('broken.json')])).stderr).toContain('APP010 solver: is missing');
});
