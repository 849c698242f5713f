import { fail } from '../base/problem.ts';
import type { MachineOptions } from './target.ts';

/**
 * Rejects the size of derived datatypes for inputs other than traces.
 *
 * @param what the input: `a model`, `a net`
 * @throws InputError APP004
 */
export function assertNoDatatype({ derivedTypeBytes }: MachineOptions, what: string, file?: string): void {
  if (derivedTypeBytes === undefined) return;
  const message = `${what} has no MPI datatypes: option datatype does not apply`;
  fail('APP004', message, file === undefined ? undefined : { file });
}
