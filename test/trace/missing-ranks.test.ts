import { expect, test } from 'vitest';
import { readTiTrace } from '../../src/trace/ti/read.ts';
import { folder, problemsOf } from './support.ts';

const HIGH = 262143;

/** Problems of a trace, and the number of encoded actions; encoding expands collectives. */
function encoded(
  text: string,
  ranks?: number,
): { at: readonly string[]; messages: readonly string[]; actions: number } {
  const files = folder({ trace: text });
  let actions = 0;
  const encode = (): number => {
    actions++;
    return 0;
  };
  try {
    const found = problemsOf(() => readTiTrace(files.path('trace'), { encode }, ranks === undefined ? {} : { ranks }));
    return { ...found, actions };
  } finally {
    files.remove();
  }
}

test('no collective is expanded for a trace that lacks ranks', () => {
  const found = encoded(`0 init\n0 bcast 1000000 0 0\n0 allgather 8 8\n${HIGH} init\n`);
  expect(found.at).toEqual(['TI012']);
  expect(found.messages[0]).toContain(`(line 4 has the highest rank, ${HIGH})`);
  expect(found.actions).toBe(0);
});

test('other problems of such a trace are reported with it', () => {
  expect(encoded(`0 init\n0 barrier\n0 foo\n${HIGH} bcast 8 0 0\n`).at).toEqual(['TI020 3:3', 'TI031 4', 'TI012']);
});

test('given ranks are checked before collectives are expanded', () => {
  const found = encoded('0 init\n0 allgather 8 8\n1 init\n1 allgather 8 8\n', HIGH + 1);
  expect(found.at).toEqual(['TI012']);
  expect(found.actions).toBe(0);
});

test('no collective is expanded after a problem', () => {
  expect(encoded('0 foo\n0 allgather 8 8\n1 allgather 8 8\n')).toMatchObject({ at: ['TI020 1:3'], actions: 0 });
});
