/** Returns a function that removes the half-written output of a thread that was terminated. */
export async function cleanUp(output: string | undefined): Promise<() => void> {
  if (output === undefined) return () => {};
  const [{ temporaryName }, { rmSync }] = await Promise.all([import('../base/output-file.ts'), import('node:fs')]);
  const name = temporaryName(output);
  return () => rmSync(name, { force: true });
}
