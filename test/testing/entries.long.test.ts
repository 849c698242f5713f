import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Packages imported by a module, directly or indirectly. */
async function packagesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return Object.values(metafile.outputs).flatMap((o) => o.imports.filter((i) => i.external).map((i) => i.path));
}

const peers = async (entry: string): Promise<string[]> => [
  ...new Set((await packagesOf(entry)).filter((p) => ['vitest', 'fast-check'].includes(p))),
];

test('each entry imports its one package only, the others import neither', async () => {
  expect((await packagesOf('src/index.ts')).length).toBeGreaterThan(3);
  expect(await peers('src/vitest.ts')).toEqual(['vitest']);
  expect(await peers('src/fast-check.ts')).toEqual(['fast-check']);
  expect(await peers('src/index.ts')).toEqual([]);
  expect(await peers('src/models.ts')).toEqual([]);
  expect(await peers('src/cli/program.ts')).toEqual([]);
});
