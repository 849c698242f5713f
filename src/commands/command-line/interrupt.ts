import { outputsAreIncomplete } from '../../base/files/output-file.ts';

/** Cancellation by Ctrl-C or SIGTERM of work that does not block this thread. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The signal received; `undefined` before the first. */
  readonly name: () => 'SIGINT' | 'SIGTERM' | undefined;
  /** Restores the default handling of signals. */
  off(): void;
}

/**
 * The first Ctrl-C (or SIGTERM) requests an early end with the results so far; the second ends the process
 * immediately.
 */
export function interrupt(): Interrupt {
  const control = new AbortController();
  let name: 'SIGINT' | 'SIGTERM' | undefined;
  const ask = (signal: NodeJS.Signals): void => {
    name = signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
    outputsAreIncomplete();
    off();
    control.abort(new Error(`ended by ${name}`));
  };
  const off = (): void => void process.off('SIGINT', ask).off('SIGTERM', ask);
  process.on('SIGINT', ask).on('SIGTERM', ask);
  return { signal: control.signal, name: () => name, off };
}
