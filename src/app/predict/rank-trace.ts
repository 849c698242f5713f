import { OP_NAMES } from '../../models/operations.ts';
import type { RankStateSink } from '../../models/rank-states.ts';
import type { ChromeTrace } from '../../trace/chrome.ts';
import type { TraceNet } from '../trace-net.ts';

/** Writes the activities of the ranks as slices of a Chrome trace, one thread per rank, and messages as arrows. */
export function chromeSink(chrome: ChromeTrace, { trace, operations, target, placed }: TraceNet): RankStateSink {
  const { hosts } = target.platform;
  for (let r = 0; r < trace.ranks; r++) chrome.thread(r, `rank ${r} on ${hosts[placed.placement[r]!]!.name}`);
  return {
    slice: (rank, state, operation, _position, start, end) => {
      const name = state === 'computing' ? 'compute' : OP_NAMES[operations.op[operation]!]!;
      chrome.slice(rank, name, state, start, end);
    },
    message: (from, start, to, end, bytes) => chrome.arrow(from, start, to, end, `${bytes} B`),
  };
}
