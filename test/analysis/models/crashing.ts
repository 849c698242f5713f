import { isMainThread } from 'node:worker_threads';
import { net } from './queue.ts';

if (!isMainThread) setTimeout(() => Promise.reject(new Error('some time later')), 50);
export default { ...net, functions: net.functions!.map((f) => ({ ...f, apply: () => waste(20) })) };

/** Busy-waits for some milliseconds. */
function waste(milliseconds: number): number {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
  return 1;
}
