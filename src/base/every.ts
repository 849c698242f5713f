/** Throttle: the returned function returns true on its first call, then at most once per interval (ms). */
export function every(milliseconds: number): () => boolean {
  let next = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now < next) return false;
    next = now + milliseconds;
    return true;
  };
}
