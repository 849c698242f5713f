/**
 * Ignores writes to a closed pipe (`foretoken … | head -1`): the remaining output is dropped and the exit code is that of
 * the result. Other stream errors, such as a full disk, call `onFailure`.
 */
export function quietPipes(onFailure: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') onFailure(error);
    });
  }
}
