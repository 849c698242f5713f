import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Entry points of the package (`exports` of package.json) by the name of their report. */
export const ENTRIES: Readonly<Record<string, string>> = {
  foretoken: 'dist/index.d.ts',
  'foretoken-models': 'dist/models.d.ts',
  'foretoken-vitest': 'dist/vitest.d.ts',
  'foretoken-fast-check': 'dist/fast-check.d.ts',
};

/**
 * Exported names and signatures of each entry point as text, from its built declarations, by the name of its report.
 * Exports without a docstring carry `(undocumented)`. One compilation serves all entry points.
 *
 * @throws Error when the declarations cannot be analysed, for instance because `npm run build` has not run
 */
export function apiReports(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-api-'));
  try {
    const configs = Object.entries(ENTRIES).map(([name, entry]) => ({ name, config: configOf(name, entry, folder) }));
    const compilerState = CompilerState.create(configs[0]!.config, {
      additionalEntryPoints: Object.values(ENTRIES).map((entry) => join(root, entry)),
    });
    return new Map(configs.map(({ name, config }) => [name, report(name, config, compilerState)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(name: string, entry: string, folder: string): ExtractorConfig {
  return ExtractorConfig.prepare({
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
          files: Object.values(ENTRIES),
        },
      },
      apiReport: { enabled: true, reportFileName: `${name}.api.md`, reportFolder: folder, reportTempFolder: folder },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: { default: { logLevel: 'none' as never, addToApiReportFile: false } },
        tsdocMessageReporting: { default: { logLevel: 'none' as never, addToApiReportFile: false } },
      },
    },
  });
}

function report(name: string, config: ExtractorConfig, compilerState: CompilerState): string {
  const failures: string[] = [];
  const result = Extractor.invoke(config, {
    localBuild: true,
    compilerState,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === 'error') failures.push(message.text);
    },
  });
  if (!result.succeeded) throw new Error(`${name}: ${failures.join('; ')}`);
  return readFileSync(config.reportFilePath, 'utf8').replaceAll('\r\n', '\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(root, 'api'), { recursive: true });
  for (const [name, text] of apiReports()) writeFileSync(join(root, `api/${name}.api.md`), text);
}
