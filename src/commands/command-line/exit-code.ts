/** Exit codes of all commands (docs/cli.md, "Exit codes"). */
export const exitCode = {
  ok: 0,
  /** A checked property is violated, or the program deadlocks. */
  violated: 1,
  /** Bad input or usage. */
  input: 2,
  /** A limit was reached and the answer is incomplete. */
  incomplete: 3,
  /** Internal error: a fault of foretoken. */
  internal: 4,
  /** Ended by Ctrl-C. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;

/** Exit code for work that a signal ended. */
export function signalCode(signal: 'SIGINT' | 'SIGTERM'): number {
  return signal === 'SIGTERM' ? exitCode.terminated : exitCode.interrupted;
}
