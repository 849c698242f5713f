import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Entry points of the package (`exports` of package.json) by the name of their report. */
export const ENTRIES: Readonly<Record<string, string>> = {
  foretoken: 'dist/index.d.ts',
  'foretoken-models': 'dist/models.d.ts',
  'foretoken-vitest': 'dist/vitest.d.ts',
  'foretoken-fast-check': 'dist/fast-check.d.ts',
};

/**
 * Exported names and signatures of one entry point as text, from its built declarations.
 * Exports without a docstring carry `(undocumented)`.
 *
 * @throws Error when the declarations cannot be analysed, for instance because `npm run build` has not run
 */
export function apiReport(entry: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-api-'));
  try {
    const config = ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: join(root, 'package.json'),
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: join(root, entry),
        compiler: {
          overrideTsconfig: {
            compilerOptions: {
              target: 'es2022',
              // `dom`: the extractor cannot follow AbortSignal from the declarations of Node alone.
              lib: ['es2023', 'dom'],
              module: 'nodenext',
              moduleResolution: 'nodenext',
              strict: true,
              skipLibCheck: true,
              types: ['node'],
              allowImportingTsExtensions: true,
              noEmit: true,
            },
            files: [entry],
          },
        },
        apiReport: { enabled: true, reportFileName: 'report.api.md', reportFolder: folder, reportTempFolder: folder },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: {
          extractorMessageReporting: { default: { logLevel: 'none' as never, addToApiReportFile: false } },
          tsdocMessageReporting: { default: { logLevel: 'none' as never, addToApiReportFile: false } },
        },
      },
    });
    const failures: string[] = [];
    const result = Extractor.invoke(config, {
      localBuild: true,
      messageCallback: (message) => {
        message.handled = true;
        if (message.logLevel === 'error') failures.push(message.text);
      },
    });
    if (!result.succeeded) throw new Error(`${entry}: ${failures.join('; ')}`);
    return readFileSync(join(folder, 'report.api.md'), 'utf8').replaceAll('\r\n', '\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(root, 'api'), { recursive: true });
  for (const [name, entry] of Object.entries(ENTRIES))
    writeFileSync(join(root, `api/${name}.api.md`), apiReport(entry));
}
