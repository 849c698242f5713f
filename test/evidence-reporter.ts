import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** Cases that a test ran, set where `FORETOKEN_EVIDENCE` is (setup.ts). */
    cases?: number;
  }
}

export interface EvidenceRow {
  readonly suite: string;
  readonly claim: string;
  readonly reference: string;
}

/** The suites of evidence with their claims: the last table of docs/evidence.md. */
export function evidenceRows(): EvidenceRow[] {
  const section = readFileSync('docs/evidence.md', 'utf8').split('\n## Suites\n')[1]!;
  return [...section.matchAll(/^\| `(.*?)` \| (.*?) \| (.*?) \|$/gm)].map(([, suite, claim, reference]) => ({
    suite: suite!,
    claim: claim!,
    reference: reference!,
  }));
}

const HEAD = ['suite', 'claim', 'reference', 'cases', 'result', 'seconds'];

/** Cells of cases, result and seconds. A test that counts no cases is one. */
function resultsOf(module: TestModule): string[] {
  const tests = [...module.children.allTests()];
  const ran = tests.filter((test) => test.result().state !== 'skipped');
  const cases = ran.reduce((sum, test) => sum + (test.meta().cases || 1), 0);
  const counts = (['failed', 'passed', 'skipped'] as const).map((state) => {
    const { length } = tests.filter((test) => test.result().state === state);
    return length === 0 ? [] : `${length} ${state}`;
  });
  // A suite that cannot be loaded has no tests.
  const result = [module.errors().length === 0 ? [] : 'failed', ...counts].flat().join(', ');
  return [cases.toLocaleString('en'), result, (module.diagnostic().duration / 1000).toFixed(1)];
}

/** Prints the table of docs/evidence.md for the suites of evidence that ran, with cases, result and seconds. */
export default class EvidenceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = new Map(modules.map((module) => [relative('.', module.moduleId), module]));
    const rows = evidenceRows().flatMap(({ suite, claim, reference }) => {
      const module = ran.get(suite);
      return module === undefined ? [] : [[`\`${suite}\``, claim, reference, ...resultsOf(module)]];
    });
    const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
    if (rows.length > 0) process.stdout.write(`\n${lines.join('')}`);
  }
}
