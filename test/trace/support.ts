import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryAt, type PagedColumn } from '../../src/base/columns.ts';
import { InputError } from '../../src/base/problem.ts';
import type { TiAction } from '../../src/trace/ti/codes.ts';
import { readTiTrace, type TiReadOptions, type TiTrace } from '../../src/trace/ti/read.ts';

/** The shared reference data. */
export const { FORETOKEN_REFERENCES: REFERENCES = '../shared' } = process.env;

/** Creates a folder with these files; call `remove` at the end. */
export function folder(files: Record<string, string | Uint8Array>): { path(name: string): string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'foretoken-test-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  return { path: (name) => join(root, name), remove: () => rmSync(root, { recursive: true }) };
}

export function valueAt(column: PagedColumn, position: number): number {
  return entryAt<Int32Array | Float64Array>(column, position);
}

/** Content of a trace, independent of the numbering of codes and requests: actions and amounts by rank. */
export interface Meaning {
  readonly ranks: number;
  readonly actions: number;
  readonly program: readonly (readonly [TiAction, number, string])[][];
}

/** Reads a trace with an encoder that numbers actions, and checks the invariants of traces. */
export function open(path: string, options?: TiReadOptions): { trace: TiTrace; action(position: number): TiAction } {
  const actions: TiAction[] = [];
  const known = new Set<string>();
  const trace = readTiTrace(
    path,
    {
      encode(rank, action) {
        const key = `${rank} ${JSON.stringify(action)}`;
        if (known.has(key)) throw new Error(`encoded twice: ${key}`);
        known.add(key);
        return actions.push(action) - 1;
      },
    },
    options,
  );
  return { trace, action: (position) => actions[valueAt(trace.code, position)]! };
}

/** Content of a trace; requests are renumbered per rank in the order of first occurrence. Includes `named`. */
export function meaning({ trace, action }: ReturnType<typeof open>): Meaning {
  const program = Array.from({ length: trace.ranks }, (_, rank) => {
    const requests = new Map<number, number>();
    const lines: [TiAction, number, string][] = [];
    for (let position = trace.start[rank]!; position <= trace.end[rank]!; position++) {
      const a = action(position);
      if ('request' in a) {
        if (!requests.has(a.request)) requests.set(a.request, requests.size);
        const renamed = { ...a, request: requests.get(a.request)! };
        lines.push([renamed, valueAt(trace.amount, position), `named ${trace.named[a.request]}`]);
      } else lines.push([a, valueAt(trace.amount, position), '']);
    }
    return lines;
  });
  return { ranks: trace.ranks, actions: trace.actions, program };
}

/** Content of a trace given as a string. Uses one file per process: making and removing a folder takes longer than reading. */
export function parse(text: string | Uint8Array, options?: TiReadOptions): Meaning {
  const path = join(tmpdir(), `foretoken-test-${process.pid}-trace.ti`);
  writeFileSync(path, text);
  try {
    const opened = open(path, options);
    try {
      return meaning(opened);
    } finally {
      opened.trace.close();
    }
  } finally {
    rmSync(path);
  }
}

/** Problems of a trace given as a string, as `CODE line:column`, and their messages. */
export function problems(text: string | Uint8Array, options?: TiReadOptions): { at: string[]; messages: string[] } {
  return problemsOf(() => parse(text, options));
}

export function problemsOf(run: () => unknown): { at: string[]; messages: string[] } {
  try {
    run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return {
      at: error.problems.map(({ code, place }) =>
        `${code} ${[place?.line, place?.column].filter((x) => x !== undefined).join(':')}`.trim(),
      ),
      messages: error.problems.map(({ message }) => message),
    };
  }
  throw new Error('no problem was found');
}
