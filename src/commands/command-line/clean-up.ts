/** Returns a function that removes the half-written outputs of a thread that was terminated. */
export async function cleanUp(...outputs: readonly (string | undefined)[]): Promise<() => void> {
  const files = outputs.filter((output) => output !== undefined);
  if (files.length === 0) return () => {};
  const { discard, temporaryName } = await import('../../base/whole-file.ts');
  const names = files.map(temporaryName);
  return () => {
    for (const name of names) discard(name);
  };
}
