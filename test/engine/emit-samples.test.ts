import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CompileOptions, compile } from '../../src/engine/compile.ts';
import { NetBuilder, type PlaceOptions, type TransitionBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { add, eq, mod, mul } from '../../src/net/terms.ts';

/**
 * Each file that emits code begins with a sample: statements that make a net, `→`, and consecutive lines of its code; `…` stands
 * for any text, on a line of its own for any lines. In the statements, `place` makes a place of digits `x`, and `fires` the
 * transition.
 */
const FOLDER = 'src/engine/emit';
/** Files that emit no code: data of nets, their transitions and their numbers; the form of fixed parts. */
const SILENT: ReadonlySet<string> = new Set(['emission.ts', 'part.ts', 'bindings/plan.ts', 'bindings/range.ts']);
const SAMPLE = /^\/\*\n \* Sample:\n(?<statements>[^→]*)\n \* →\n(?<code>(?: \* .*\n)+) \*\/\n/;

/** Kernel code of the net that statements make. */
function codeOf(statements: string): string {
  const n = new NetBuilder('sample');
  const Digit = n.range('Digit', 0, 9);
  let given: CompileOptions = {};
  const names = {
    n,
    place: (name: string, options: PlaceOptions<{ x: typeof Digit }> = {}) => n.place(name, { x: Digit }, options),
    fires: (body: (t: TransitionBuilder) => void) => n.transition('t', body),
    options: (options: CompileOptions) => {
      given = options;
    },
    add,
    eq,
    exponential,
    mod,
    mul,
  };
  new Function(...Object.keys(names), statements)(...Object.values(names));
  return compile(n.build(), given).source;
}

/** Lines without indentation and empty ones. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Matches consecutive lines of a sample. */
function patternOf(lines: readonly string[]): RegExp {
  const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const each = lines.map((line) => (line === '…' ? '(?:.*\n)*?' : `${escaped(line).replaceAll('…', '.*')}\n`));
  return new RegExp(`^${each.join('')}`, 'm');
}

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((f) => f.endsWith('.ts'))
  .sort();

describe('files that emit code begin with a sample', () => {
  test.each(files.filter((f) => !SILENT.has(f)))('%s begins with a sample of its code', (file) => {
    const found = SAMPLE.exec(readFileSync(`${FOLDER}/${file}`, 'utf8'));
    expect(found, 'the file begins with a sample').not.toBeNull();
    const { statements, code } = found!.groups as { statements: string; code: string };
    const bare = (text: string): string => text.replaceAll(/^ \* ?/gm, '');
    const lines = linesOf(bare(code));
    expect(lines.length).toBeGreaterThan(0);
    expect(`${linesOf(codeOf(bare(statements))).join('\n')}\n`).toMatch(patternOf(lines));
  });

  test('files without one are few and exist', () => {
    for (const file of SILENT) expect(files).toContain(file);
  });
});
