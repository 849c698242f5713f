import { expect, test } from 'vitest';
import { folder, open } from './support.ts';

// Regression: a wait read from the memo counted for request 0, so the next wait of rank 0 had no request left.
test('repeated waits of several ranks each complete their own request', () => {
  const turn = '0 isend 1 1 0\n1 irecv 0 1 0\n1 wait 0 1 1\n0 wait 0 1 1\n';
  const files = folder({ 'a.ti': `0 init\n1 init\n${turn.repeat(4)}0 finalize\n1 finalize\n` });
  const { trace } = open(files.path('a.ti'));
  expect([trace.actions, [...trace.named]]).toEqual([20, [1, 1]]);
  trace.close();
  files.remove();
});
