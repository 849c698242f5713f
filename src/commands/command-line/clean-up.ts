/** Returns a function that removes the half-written outputs of a thread that was terminated. */
export async function cleanUp(...outputs: readonly (string | undefined)[]): Promise<() => void> {
  const files = outputs.filter((output) => output !== undefined);
  if (files.length === 0) return () => {};
  const { discardIncomplete } = await import('../../base/files/output-file.ts');
  return () => {
    for (const file of files) discardIncomplete(file);
  };
}
