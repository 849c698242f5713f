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
