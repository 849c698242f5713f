import type { ProgramSink, SliceState } from '../../models/program/program-states.ts';
import { labelOf } from '../../models/program/shape.ts';
import type { ChromeTrace } from '../../trace/chrome.ts';
import type { ModelNet } from './predict-model.ts';

/** States of slices as Chrome traces show them. */
const SHOWN: Readonly<Record<SliceState, 'computing' | 'communicating' | 'waiting' | 'idle'>> = {
  computing: 'computing',
  memory: 'computing',
  communicating: 'communicating',
  overhead: 'communicating',
  io: 'communicating',
  waiting: 'waiting',
  idle: 'idle',
};

/** Writes the activities of a model's ranks as slices of a Chrome trace, one thread per rank, and messages as arrows. */
export function modelSink(chrome: ChromeTrace, { ranks, target, placed }: ModelNet): ProgramSink {
  const { hosts } = target.platform;
  for (let r = 0; r < ranks; r++) chrome.thread(r, `rank ${r} on ${hosts[placed.placement[r]!]!.name}`);
  return {
    slice: (rank, state, statement, start, end) => {
      const operation = statement === undefined ? SHOWN[state] : labelOf(statement.statement);
      const name =
        statement === undefined || statement.intervals.length === 0
          ? operation
          : `${statement.intervals.at(-1)}: ${operation}`;
      chrome.slice(rank, name, SHOWN[state], start, end);
    },
    message: (from, start, to, end, bytes) => chrome.arrow(from, start, to, end, `${bytes} B`),
  };
}
