/** What is left to do when the thread had to be ended by force: it could not remove its half-written outputs. */
export async function cleanUp(...outputs: readonly (string | undefined)[]): Promise<() => void> {
  const files = outputs.filter((output) => output !== undefined);
  if (files.length === 0) return () => {};
  const [{ temporaryName }, { rmSync }] = await Promise.all([import('../base/output-file.ts'), import('node:fs')]);
  const names = files.map(temporaryName);
  return () => {
    for (const name of names) rmSync(name, { force: true });
  };
}
