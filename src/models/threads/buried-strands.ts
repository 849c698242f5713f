/** A strand on the stack of a worker, at depth d. */
export interface StackFrame {
  readonly w: number;
  readonly d: number;
  readonly s: number;
  readonly at: number;
}

/**
 * The strands of a deadlock in a stack-based pool that lie below others: each with the strand above it, which waits on the stack, too,
 * or is blocked.
 *
 * @param blocked strands that are blocked, with their workers
 */
export function buriedStrands(
  frames: readonly StackFrame[],
  blocked: readonly { readonly w: number; readonly s: number }[],
): (StackFrame & { readonly above: number })[] {
  const executed = new Map(blocked.map(({ w, s }) => [w, s]));
  return frames.flatMap((frame) => {
    const above = frames.find(({ w, d }) => w === frame.w && d === frame.d + 1)?.s ?? executed.get(frame.w);
    return above === undefined ? [] : [{ ...frame, above }];
  });
}

/**
 * Places of strands that cannot even be queued, under cooperative schedulers whose memory is the program's: their scheduler thread
 * stops there while some strand holds the lock of the allocator.
 */
export const UNQUEUED_PLACES = ['joining', 'queueing'] as const;

/** The lock that a scheduler thread needs to queue a strand: the mutex `allocator`; −1 without one. */
export const allocatorOf = (objects: readonly { readonly kind: string; readonly name: string }[]): number =>
  objects.findIndex(({ kind, name }) => kind === 'mutex' && name === 'allocator');
