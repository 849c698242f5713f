/** Whether so many milliseconds have passed since it was so last; at once the first time. */
export function every(milliseconds: number): () => boolean {
  let next = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now < next) return false;
    next = now + milliseconds;
    return true;
  };
}
