/** `jacobi.ts:14`: where something stands in a model, without folders; empty where that is not known. */
export function sourcePlace(file: string, line: number): string {
  return file === '' ? '' : `${file.split(/[\\/]/).at(-1)}:${line}`;
}
