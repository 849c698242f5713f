import { expect, test } from 'vitest';
import dynamicChunk from '../../examples/diagnose-threads/dynamic-chunk.ts';
import excessiveWaiting from '../../examples/diagnose-threads/excessive-waiting.ts';
import fineGrain from '../../examples/diagnose-threads/fine-grain.ts';
import linearSpawning from '../../examples/diagnose-threads/linear-spawning.ts';
import tooFewTasks from '../../examples/diagnose-threads/too-few-tasks.ts';
import gauss from '../../examples/gauss-threads/model.ts';
import loop from '../../examples/openmp-loop/model.ts';
import uneven from '../../examples/threads-loop/model.ts';
import pool from '../../examples/worker-pool/tasks.ts';
import { explore } from '../../src/commands/explore/explore.ts';
import type { ThreadModel } from '../../src/models.ts';

test('the thread examples have whole state spaces without options', () => {
  const examples = {
    dynamicChunk,
    excessiveWaiting,
    fineGrain,
    linearSpawning,
    tooFewTasks,
    gauss,
    loop,
    uneven,
    pool,
  };
  const incomplete = Object.entries(examples).filter(
    ([, model]) => !explore(model as unknown as ThreadModel, { maxStates: 200_000 }).complete,
  );
  expect(incomplete.map(([name]) => name)).toEqual([]);
});
