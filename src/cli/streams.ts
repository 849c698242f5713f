/**
 * Lets a closed pipe (`foretoken … | head -1`) end the output quietly: what cannot be written any more is dropped, and
 * the exit code stays that of the result. Any other error of a stream, a full disk for instance, is a failure.
 */
export function quietPipes(onFailure: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') onFailure(error);
    });
  }
}
