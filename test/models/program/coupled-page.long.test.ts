import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { CHAPTERS } from '../../../scripts/constructs/list.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import type { ProgramModel } from '../../../src/models.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-constructs-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('coupled models agree with the page: they end, and need no number of ranks if all parts have one', async () => {
  const { constructs } = CHAPTERS.find((c) => c.title === 'Coupled models')!;
  const models = constructs.map(async ({ id, snippet }) => {
    const file = join(dir, `${id}.ts`);
    writeFileSync(file, snippet.replace("'foretoken/models'", JSON.stringify(resolve('src/models.ts'))));
    return ((await import(pathToFileURL(file).href)) as { default: ProgramModel }).default;
  });
  const [service, climate] = await Promise.all(models);
  expect(service!.ranks).toBeUndefined();
  expect(Object.keys(service!.params)).toEqual(['client.flops']);
  for (const ranks of [2, 3, 5])
    expect(verifyProgram(service!, { ranks }).instances.map((i) => i.sound)).toEqual([true, true]);
  expect(() => service!.record(1)).toThrow('MODEL004');

  expect(climate!.ranks).toBe(4);
  expect(Object.keys(climate!.params)).toEqual(['ocean.days', 'atmosphere.days']);
  expect(verifyProgram(climate!).instances.map((i) => [i.ranks, i.sound])).toEqual([
    [4, true],
    [4, true],
  ]);
  expect(() => climate!.record(5)).toThrow('MODEL004');
  const uneven = verifyProgram(climate!, { set: { 'ocean.days': 6 } });
  expect(uneven.instances.map((i) => i.sound)).toEqual([false, false]);
});
