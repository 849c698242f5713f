import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, meaning, open, problemsOf, REFERENCES } from './support.ts';

const root = resolve(REFERENCES, 'traces/ti');

function traces(under: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(join(root, under)).flatMap((name) => {
    const path = join(under, name);
    if (statSync(join(root, path)).isDirectory()) return traces(path);
    return /\.(ti|txt)$/.test(name) ? [path] : [];
  });
}

describe.skipIf(!existsSync(root))('traces of SimGrid', () => {
  const merged = ['smpi-made', 'simgrid', 'real'].flatMap(traces).filter((path) => {
    return !/(ti_traces_32_1|multi\/.*-\d|actions[01]\.txt)/.test(path);
  });

  test('line counts agree with the expected results', () => {
    const expected: { trace: string; ranks: number; actions: number }[] = JSON.parse(
      readFileSync(join(root, 'expected.json'), 'utf8'),
    );
    const differ: unknown[] = [];
    for (const { trace: path, ranks, actions } of new Map(expected.map((entry) => [entry.trace, entry])).values()) {
      const { trace } = open(join(root, path));
      if (trace.ranks !== ranks || trace.actions !== actions) {
        differ.push([path, ranks, actions, trace.ranks, trace.actions]);
      }
      trace.close();
    }
    expect(differ).toEqual([]);
  });

  test.each(merged)('the trace %s is read to its end', (path) => {
    const opened = open(join(root, path));
    const { program } = meaning(opened);
    expect(program.length).toBe(opened.trace.ranks);
    expect(program.every((lines) => lines.at(-1)![0].kind === 'end')).toBe(true);
    opened.trace.close();
  });

  test('a listing with one file per rank gives the same trace as the merged file', () => {
    const names = Array.from({ length: 32 }, (_, rank) => join(root, `simgrid/ti_traces_32_1/ti_trace${rank}.txt`));
    const files = folder({ list: `# ranks\n${names.join('\n')}\n` });
    const listed = meaning(open(files.path('list')));
    expect(listed.ranks).toBe(32);
    expect(listed.program.map((lines) => lines.length)).toEqual(
      names.map((name) => {
        const recorded = readFileSync(name, 'utf8').match(/^\d+ (?!init|finalize|comm_|location)\w+/gm)!;
        return recorded.length + 1;
      }),
    );
    files.remove();
  });

  test('one of two ranks alone lacks the other', () => {
    expect(problemsOf(() => open(join(root, 'simgrid/actions1.txt'))).at).toEqual(['TI012']);
  });
});
