/** Names of calls that are not `MPI_` and the capitalised word of the model or trace. */
const NAMES: Readonly<Record<string, string>> = {
  waitAny: 'MPI_Waitany',
  waitSome: 'MPI_Waitsome',
  waitall: 'MPI_Waitall',
  fence: 'MPI_Win_fence',
  readFile: 'MPI_File_read',
  writeFile: 'MPI_File_write',
  reducescatter: 'MPI_Reduce_scatter',
  ireducescatter: 'MPI_Ireduce_scatter',
  take: 'MPI_Waitsome',
};

/** The MPI name of a call, as recorded runs have it. */
export function callName(word: string): string {
  return NAMES[word] ?? `MPI_${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;
}
