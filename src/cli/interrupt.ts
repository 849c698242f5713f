/** A signal to end work that leaves this thread free, and which of the user's signals it was. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Undefined as long as nobody asked for the end. */
  readonly name: () => 'SIGINT' | 'SIGTERM' | undefined;
  /** Leaves signals to their default again. */
  off(): void;
}

/**
 * Takes the first Ctrl-C (or SIGTERM) as the request to end with what is known so far; a second ends the process at
 * once.
 */
export function interrupt(): Interrupt {
  const control = new AbortController();
  let name: 'SIGINT' | 'SIGTERM' | undefined;
  const ask = (signal: NodeJS.Signals): void => {
    name = signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT';
    off();
    control.abort(new Error(`ended by ${name}`));
  };
  const off = (): void => void process.off('SIGINT', ask).off('SIGTERM', ask);
  process.on('SIGINT', ask).on('SIGTERM', ask);
  return { signal: control.signal, name: () => name, off };
}
