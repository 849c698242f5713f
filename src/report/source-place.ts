/** `jacobi.ts:14`: a source line of a model, without folders; empty if it is unknown. */
export function sourcePlace(file: string, line: number): string {
  return file === '' ? '' : `${file.split(/[\\/]/).at(-1)}:${line}`;
}
