/** What is left to do when the thread had to be ended by force: it could not remove its half-written output. */
export async function cleanUp(output: string | undefined): Promise<() => void> {
  if (output === undefined) return () => {};
  const [{ temporaryName }, { rmSync }] = await Promise.all([import('../base/output-file.ts'), import('node:fs')]);
  const name = temporaryName(output);
  return () => rmSync(name, { force: true });
}
